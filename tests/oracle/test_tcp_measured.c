/* network.model = "tcp" compared with measured rounds on private links (CUBIC, queues of 0.2 s): its
 * closed form, and its windows where a queue overflows. */
#include "actors/links/uncontended_flow.h"
#include "tests/oracle/measured_rounds.h"

static double setup_s(const struct frs_connecting *connecting, const struct measured_client *client) {
    return (connecting->up_latencies + connecting->down_latencies) * client->latency_s +
           (double)connecting->up_bytes / client->up_bytes_per_s +
           (double)connecting->down_bytes / client->down_bytes_per_s;
}

static double message_s(const struct measured_round *round, const struct measured_client *client, bool up) {
    enum frs_slow_start_kind kind = measured_slow_start(round->connection, up);
    const struct frs_uncontended_flow flow = {.bytes = up ? client->up_bytes : client->down_bytes,
        .bytes_per_s = up ? client->up_bytes_per_s : client->down_bytes_per_s,
        .round_trip_s = 2 * client->latency_s,
        .queue_s = round->queue_s,
        .up = up,
        .interactive = kind == FRS_SLOW_START_PAIRED};
    struct frs_slow_start slow_start = frs_slow_start_begin(flow.bytes_per_s, flow.round_trip_s, kind);
    struct frs_windows windows;
    frs_uncontended_flow_windows(&flow, &windows);
    frs_slow_start_follow(&slow_start, &windows);
    double duration_s = frs_slow_start_takes_s(slow_start, flow.bytes);
    free(windows.of);
    return duration_s;
}

static double participation_s(const struct measured_round *round, const struct measured_client *client) {
    double latency_s = client->latency_s;
    return setup_s(&round->connecting, client) + latency_s + message_s(round, client, false) +
           client->compute_s + latency_s + message_s(round, client, true);
}

static double error(const struct measured_round *round) {
    double measured_s = 0, formula_s = 0;
    for (size_t i = 0; i < round->n; i++) {
        measured_s = fmax(measured_s, round->clients[i].up_end_s);
        formula_s = fmax(formula_s, participation_s(round, &round->clients[i]));
    }
    return fabs(formula_s / measured_s - 1);
}

static void check_family(const char *family, double median, double most_of_95) {
    size_t n, n_errors = 0;
    struct measured_round *rounds = measured_rounds("test_tcp_measured", &n);
    if (!rounds)
        return;
    double *errors = frs_alloc(n, sizeof *errors);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rounds[i].family, family) == 0 && isinf(rounds[i].server_bytes_per_s[0]) &&
            isinf(rounds[i].server_bytes_per_s[1]))
            errors[n_errors++] = error(&rounds[i]);
    measured_check(family, errors, n_errors, median, most_of_95);
    free(errors);
    free(rounds);
}

START_TEST(tcp_agrees_on_private_links) {
    check_family("private", 0.005, 0.025);
}
END_TEST

START_TEST(tcp_agrees_on_large_messages) {
    check_family("large", 0.005, 0.025);
}
END_TEST

START_TEST(tcp_agrees_on_new_connections) {
    check_family("setup", 0.005, 0.02);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tcp as measured");
    TCase *tests = tcase_create("round times");
    tcase_add_test(tests, tcp_agrees_on_private_links);
    tcase_add_test(tests, tcp_agrees_on_large_messages);
    tcase_add_test(tests, tcp_agrees_on_new_connections);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
