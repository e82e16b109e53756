/* Availability models that go by probability; what every model promises is in
 * tests/contract/test_every_availability_model.c. */
#include "tests/platforms/availability_fixture.h"

#include <stdio.h>
#include <time.h>

static const char trace_text[] =
    "0,0,100\n0,5000,90000\n1,10,20\n1,3600,7200\n2,86000,86400\n2,0,50\n5,1,2\n";

static struct example {
    const char *model;
    double horizon_s;
    const char *settings[12];
} examples[] = {
    {"always", 10 * DAY_S, {NULL}},
    {"markov", 20 * DAY_S, {"on", "20 min", "off", "2 h"}},
    {"markov", 300 * DAY_S, {"on", "10 s", "off", "1 d"}},
    {"markov", 30 * DAY_S, {"on", "1 d", "off", "1 ms"}},
    {"diurnal", 20 * DAY_S, {NULL}},
    {"diurnal", 20 * DAY_S,
        {"curve", "0,0,0,0.1,0.9,1,1,1,0.5,0.2,0,0,0,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.01", "session",
            "2 h", "propensity", "fedscale", "time_zones", "5 h", "start", "23 h"}},
    {"trace", 30 * DAY_S, {"file", "", "clients", "cycle", "period", "1.5 d"}},
    {"trace", 3 * DAY_S, {"file", ""}},
};

enum { N_EXAMPLES = sizeof examples / sizeof *examples, MOST = 20000 };

static struct frs_reachability make(const struct example *example, uint32_t n_clients, uint64_t seed) {
    const char *settings[12] = {NULL};
    char *path = NULL;
    for (int i = 0; example->settings[i]; i++)
        settings[i] = example->settings[i];
    if (strcmp(example->model, "trace") == 0)
        settings[1] = path = write_file(trace_text);
    struct frs_reachability reachability =
        reachability_of(example->model, settings, NULL, NULL, n_clients, seed);
    if (path)
        unlink(path);
    free(path);
    return reachability;
}

/* The times at which the client changes, found by following `until`; *online: the state at 0. */
static size_t walk(
    const struct frs_reachability *r, uint32_t client, double horizon_s, bool *online, double *times) {
    size_t n = 0;
    double t_s = 0, until_s;
    bool state = *online = frs_reachable(r, client, 0, 0, 0, &until_s);
    while (until_s <= horizon_s && n < MOST) {
        ck_assert_double_gt(until_s, t_s);
        t_s = until_s;
        ck_assert(frs_reachable(r, client, 0, 0, t_s, &until_s) != state); /* it really changes there */
        state = !state;
        times[n++] = t_s;
    }
    return n;
}

START_TEST(the_seed_matters) {
    struct frs_reachability a = make(&examples[1], 100, 1), b = make(&examples[1], 100, 2);
    int different = 0;
    for (uint32_t client = 0; client < 100; client++)
        different += online_at(&a, client, HOUR_S) != online_at(&b, client, HOUR_S);
    ck_assert_int_gt(different, 5);
    frs_reachability_fini(&a);
    frs_reachability_fini(&b);
}
END_TEST

/* on 20 min, off 2 h: online with probability 1/7 at every time from 0 on; lengths are exponential. */
START_TEST(markov_shares_and_lengths) {
    enum { CLIENTS = 20000 };
    struct frs_reachability r = make(&examples[1], CLIENTS, 3);
    static const double times[] = {0, 60, HOUR_S, 12345.678, 10 * DAY_S};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double online = 0;
        for (uint32_t client = 0; client < CLIENTS; client++)
            online += online_at(&r, client, times[i]);
        ck_share(online / CLIENTS, 1.0 / 7, CLIENTS);
    }
    /* The time to the next change is exponential for those that are online (memoryless) and for those that
     * are not. */
    double n[2] = {0}, sum[2] = {0}, above[2] = {0}, mean[2] = {7200, 1200};
    for (uint32_t client = 0; client < CLIENTS; client++) {
        double until_s;
        int online = frs_reachable(&r, client, 0, 0, 5 * DAY_S, &until_s);
        double left_s = until_s - 5 * DAY_S;
        n[online]++;
        sum[online] += left_s;
        above[online] += left_s > 2 * mean[online];
    }
    for (int online = 0; online < 2; online++) {
        double average = sum[online] / n[online];
        ck_assert_double_le(fabs(average / mean[online] - 1), 4 / sqrt(n[online]));
        ck_share(above[online] / n[online], exp(-2), n[online]);
    }
    frs_reachability_fini(&r);
}
END_TEST

/* Consecutive lengths of one client over a long time: means, and no correlation between neighbours. */
START_TEST(markov_in_the_long_run) {
    struct frs_reachability r = make(&examples[1], 1, 11);
    double *times = frs_alloc(MOST, sizeof *times), sum[2] = {0}, product = 0;
    static const double mean[2] = {7200, 1200}; /* offline, online */
    bool online;
    size_t n = walk(&r, 0, 1e9, &online, times);
    ck_assert_uint_eq(n, MOST);
    for (size_t i = 1; i < n; i++) {
        int state = (i % 2) ^ online; /* between change i and change i + 1, counted from 1 */
        double length_s = times[i] - times[i - 1];
        sum[state] += length_s;
        if (i > 1)
            product += (length_s / mean[state] - 1) * ((times[i - 1] - times[i - 2]) / mean[!state] - 1);
    }
    double half = (double)n / 2;
    for (int state = 0; state < 2; state++)
        ck_assert_double_lt(fabs(sum[state] / half / mean[state] - 1), 4 / sqrt(half));
    ck_assert_double_lt(fabs(product / (double)n), 4 / sqrt((double)n));
    free(times);
    frs_reachability_fini(&r);
}
END_TEST

/* Far ahead, with sessions far shorter than the gaps and the other way round. */
START_TEST(markov_at_the_edges) {
    const char *const *const settings[] = {SETTINGS("on", "1 ms", "off", "30 d"),
        SETTINGS("on", "30 d", "off", "1 ms"), SETTINGS("on", "1 ms", "off", "1 ms"),
        SETTINGS("on", "10000 d", "off", "10000 d")};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct frs_reachability r = reachability_of("markov", settings[i], NULL, NULL, 10, 1);
        for (uint32_t client = 0; client < 100; client++) {
            double t_s = 1e9 / (client + 1), until_s, later_s;
            bool online = frs_reachable(&r, client, 0, 0, t_s, &until_s);
            ck_assert_double_gt(until_s, t_s);
            ck_assert(frs_reachable(&r, client, 0, 0, until_s, &later_s) != online);
            ck_assert(frs_reachable(&r, client, 0, 0, nextafter(until_s, 0), &later_s) == online);
            ck_assert_double_eq(later_s, until_s);
        }
        frs_reachability_fini(&r);
    }
}
END_TEST

START_TEST(bernoulli_answers_with_its_probability) {
    enum { CLIENTS = 20000 };
    struct frs_reachability low = reachability_of("bernoulli", SETTINGS("p", "0.2"), NULL, NULL, CLIENTS, 1);
    struct frs_reachability high = reachability_of("bernoulli", SETTINGS("p", "0.7"), NULL, NULL, CLIENTS, 1);
    double online = 0, both_rounds = 0, both_attempts = 0, until_s;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        bool now = frs_reachable(&low, client, 4, 0, 100, &until_s);
        ck_assert(isinf(until_s));
        ck_assert(now == frs_reachable(&low, client, 4, 0, 1e6, &until_s)); /* times do not matter */
        ck_assert(!now || frs_reachable(&high, client, 4, 0, 100, &until_s));
        online += now;
        both_rounds += now && frs_reachable(&low, client, 5, 0, 100, &until_s);
        both_attempts += now && frs_reachable(&low, client, 4, 1, 100, &until_s);
    }
    ck_share(online / CLIENTS, 0.2, CLIENTS);
    ck_share(both_rounds / CLIENTS, 0.04, CLIENTS);
    ck_share(both_attempts / CLIENTS, 0.04, CLIENTS);
    frs_reachability_fini(&low);
    frs_reachability_fini(&high);
    static const char *const edges[] = {"0", "1"};
    for (int p = 0; p < 2; p++) {
        struct frs_reachability r = reachability_of("bernoulli", SETTINGS("p", edges[p]), NULL, NULL, 9, 1);
        for (uint32_t client = 0; client < 1000; client++)
            ck_assert(online_at(&r, client, 0) == (p == 1));
        frs_reachability_fini(&r);
    }
}
END_TEST

/* One in twenty of a million clients is queried. Not a benchmark, only a bound that nothing reasonable
 * exceeds; the figure is printed. */
START_TEST(a_million_clients) {
    enum { CLIENTS = 1000000, ASKED = FRS_TEST_CASES(CLIENTS / 20) };
    for (size_t e = 0; e < N_EXAMPLES; e++) {
        struct frs_reachability r = make(&examples[e], CLIENTS, 1);
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        uint32_t online = 0;
        for (uint32_t client = 0; client < CLIENTS; client += CLIENTS / ASKED)
            online += online_at(&r, client, 2 * DAY_S);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double took_s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        printf(
            "%-8s %7u of %d online, %.0f ns each\n", examples[e].model, online, ASKED, took_s * 1e9 / ASKED);
        ck_assert_double_lt(took_s, 60);
        frs_reachability_fini(&r);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("availability");
    TCase *tests = tcase_create("availability");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, the_seed_matters);
    tcase_add_test(tests, markov_shares_and_lengths);
    tcase_add_test(tests, markov_in_the_long_run);
    tcase_add_test(tests, markov_at_the_edges);
    tcase_add_test(tests, bernoulli_answers_with_its_probability);
    tcase_add_test(tests, a_million_clients);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
