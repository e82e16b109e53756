/* network.model = "packets" compared with measured rounds: private links, and a server's link that all
 * share, with short and long queues. */
#include "actors/links/event_queue.h"
#include "platforms/networks/network.h"
#include "tests/oracle/measured_rounds.h"

static void compute(void *context, struct frs_participation *p) {
    const struct measured_round *round = context;
    p->plan.compute_s = round->clients[p->client].compute_s;
    p->usage.up_bytes = (uint64_t)round->clients[p->client].up_bytes;
}

static void nothing(void *context, struct frs_participation *p) {
    (void)context, (void)p;
}

static struct frs_participation plan(const struct measured_round *round, uint32_t i) {
    const struct measured_client *client = &round->clients[i];
    const struct frs_connecting *connecting = &round->connecting;
    struct frs_participation p = frs_participation_new(i);
    bool warm = strcmp(round->family, "warm") == 0 && strcmp(round->number, "1") != 0;
    p.place = i;
    p.plan.by_packets = true;
    p.plan.down_bytes_per_s = client->down_bytes_per_s;
    p.plan.up_bytes_per_s = client->up_bytes_per_s;
    p.plan.down_latency_s = p.plan.up_latency_s = client->latency_s;
    p.plan.down_slow_start = warm ? FRS_SLOW_START_NONE : measured_slow_start(round->connection, false);
    p.plan.up_slow_start = warm ? FRS_SLOW_START_NONE : measured_slow_start(round->connection, true);
    p.plan.handshake = (struct frs_handshake){
        .wait_s = (connecting->up_latencies + connecting->down_latencies) * client->latency_s,
        .up_bytes = connecting->up_bytes,
        .down_bytes = connecting->down_bytes,
        .open_s = (connecting->opening_up_latencies + connecting->opening_down_latencies) * client->latency_s,
        .last_up_bytes = connecting->last_up_bytes,
        .last_up_packets = connecting->last_up_packets};
    p.usage.down_bytes = (uint64_t)client->down_bytes;
    return p;
}

/* Transfers that share the server's link begin a little apart, as in a run: in another way each time. */
static double starts_s(void *context, struct frs_participation *p, uint32_t n) {
    return frs_network_start_s(*(const uint64_t *)context, p->client, 0, 0, n);
}

/* When each client's upload has arrived. */
static void simulate(struct measured_round *round, uint64_t repetition, double *ends_s) {
    const struct frs_by_packets by_packets = {
        .queue_s = round->queue_s, .fair = round->fair, .start_s = starts_s};
    struct frs_event_queue *event_queue =
        frs_event_queue_create(&(struct frs_event_queue_settings){.by_packets = &by_packets,
            .context = &repetition,
            .server_down_bytes_per_s = round->server_bytes_per_s[0],
            .server_up_bytes_per_s = round->server_bytes_per_s[1]});
    const struct frs_lifecycle_operations operations = {
        .context = round, .received = nothing, .compute = compute, .computed = nothing};
    struct frs_participation participations[MOST_MEASURED_CLIENTS], *const *due;
    for (uint32_t i = 0; i < round->n; i++) {
        participations[i] = plan(round, i);
        struct frs_step step = frs_lifecycle_next(&participations[i], 0, &operations);
        frs_event_queue_schedule(event_queue, &participations[i], 0, &step);
    }
    for (double now_s; (now_s = frs_event_queue_next_s(event_queue, INFINITY)) < INFINITY;)
        for (size_t n; (n = frs_event_queue_due(event_queue, now_s, &due));)
            for (size_t i = 0; i < n; i++) {
                struct frs_step step = frs_lifecycle_next(due[i], now_s, &operations);
                frs_event_queue_schedule(event_queue, due[i], now_s, &step);
            }
    for (uint32_t i = 0; i < round->n; i++)
        ends_s[i] = participations[i].times.up_end_s;
    frs_event_queue_destroy(event_queue);
}

/* Shares of clients whose time is compared: the whole round; a quarter, half and three quarters of its
 * clients. */
enum { N_SHARES = 4 };
static const double shares[N_SHARES] = {1, 0.25, 0.5, 0.75};

/* Start times differ between as many orders. Each measurement is the median of three repeats, so the
 * median of the orders is compared with it; all single orders together keep the same bounds. One order
 * alone need not: the 95th percentile of its 14 or 18 rounds is one round (9 to 64 %). */
enum { REPETITIONS = 7 };

static void find_errors(
    struct measured_round *round, double errors[N_SHARES], double of_single_orders[REPETITIONS]) {
    double simulated[MOST_MEASURED_CLIENTS], measured[MOST_MEASURED_CLIENTS], all[N_SHARES][REPETITIONS];
    for (uint64_t r = 0; r < REPETITIONS; r++) {
        simulate(round, r, simulated);
        for (size_t k = 0; k < N_SHARES; k++)
            all[k][r] = measured_quantile(simulated, round->n, shares[k]);
    }
    for (size_t i = 0; i < round->n; i++)
        measured[i] = round->clients[i].up_end_s;
    for (size_t r = 0; r < REPETITIONS; r++)
        of_single_orders[r] = fabs(all[0][r] / measured_quantile(measured, round->n, shares[0]) - 1);
    for (size_t k = 0; k < N_SHARES; k++)
        errors[k] = fabs(
            measured_quantile(all[k], REPETITIONS, .5) / measured_quantile(measured, round->n, shares[k]) -
            1);
}

static bool is_in(const char *families, const char *family) {
    size_t length = strlen(family);
    for (const char *at = families; (at = strstr(at, family)); at += length)
        if ((at == families || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Families as a list; quantiles: bound of the median error of the clients' quantiles. */
static void check_families(const char *families, double median, double most_of_95, double quantiles) {
    size_t n, n_rounds = 0, n_quantiles = 0;
    struct measured_round *rounds = measured_rounds("test_packets_measured", &n);
    if (!rounds)
        return;
    double *of_rounds = frs_alloc(n, sizeof *of_rounds),
           *of_single_orders = frs_alloc(REPETITIONS * n, sizeof *of_single_orders),
           *of_quantiles = frs_alloc(N_SHARES * n, sizeof *of_quantiles);
    for (size_t i = 0; i < n; i++) {
        double errors[N_SHARES];
        if (!rounds[i].cubic || !is_in(families, rounds[i].family))
            continue;
        find_errors(&rounds[i], errors, &of_single_orders[REPETITIONS * n_rounds]);
        of_rounds[n_rounds++] = errors[0];
        for (size_t k = 1; k < N_SHARES; k++)
            of_quantiles[n_quantiles++] = errors[k];
    }
    measured_check(families, of_rounds, n_rounds, median, most_of_95);
    measured_check("single orders", of_single_orders, REPETITIONS * n_rounds, median, most_of_95);
    measured_check("quantiles of its clients", of_quantiles, n_quantiles, quantiles, INFINITY);
    free(of_rounds);
    free(of_single_orders);
    free(of_quantiles);
    free(rounds);
}

START_TEST(packets_agree_on_private_links) {
    check_families("private", 0.005, 0.025, 0.05);
    check_families("large", 0.005, 0.025, 0.05);
    check_families("setup", 0.005, 0.025, 0.05);
}
END_TEST

/* The order of arrival, 0.2 s. */
START_TEST(packets_agree_on_a_shared_link) {
    check_families("shared", 0.05, 0.35, 0.05);
}
END_TEST

/* 0.05 s and 1 s. */
START_TEST(packets_agree_with_other_queues) {
    check_families("sharedqueue", 0.06, 0.3, 0.06);
}
END_TEST

/* Everything there is. */
START_TEST(packets_agree_on_everything_measured) {
    check_families("private large setup warm queue shared sharedqueue", 0.05, 0.25, 0.05);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("packets as measured");
    TCase *tests = tcase_create("round times");
    tcase_add_test(tests, packets_agree_on_private_links);
    tcase_add_test(tests, packets_agree_on_a_shared_link);
    tcase_add_test(tests, packets_agree_with_other_queues);
    tcase_add_test(tests, packets_agree_on_everything_measured);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
