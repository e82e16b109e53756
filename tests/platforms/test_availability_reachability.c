/* Model, churn and outages together: against their parts, and what comes next. */
#include "tests/platforms/availability_fixture.h"

#ifndef N_COMPOSITIONS
#define N_COMPOSITIONS FRS_TEST_CASES(60)
#endif

/* Every part asked on its own. */
static bool brute(
    const struct frs_reachability *r, uint32_t client, uint32_t round, uint32_t attempt, double t_s) {
    double ignored_s;
    return r->model->at(r->states[0], client, round, attempt, t_s, &ignored_s) &&
           frs_churn_at(&r->churns[0], client, t_s, &ignored_s) &&
           frs_outages_at(&r->outages, client, t_s, &ignored_s);
}

/* The smallest time after t_s at which any part changes. */
static double part_changes(
    const struct frs_reachability *r, uint32_t client, uint32_t round, uint32_t attempt, double t_s) {
    double model_s, churn_s, outages_s;
    r->model->at(r->states[0], client, round, attempt, t_s, &model_s);
    frs_churn_at(&r->churns[0], client, t_s, &churn_s);
    frs_outages_at(&r->outages, client, t_s, &outages_s);
    return fmin(model_s, fmin(churn_s, outages_s));
}

/* Random compositions: the state is the conjunction of the parts; `until` is verified by stepping through
 * every change of every part; `next` is t_s or that time. */
START_TEST(by_brute_force) {
    struct frs_rng rng = frs_rng_stream(6, 0, 0, 0, FRS_RNG_TEST);
    char *file = write_file("0,0,3000\n0,4000,5000\n1,1000,8000\n2,0,100\n2,200,300\n2,7000,20000\n");
    const char *const *models[] = {SETTINGS("always"), SETTINGS("bernoulli", "p", "0.5"),
        SETTINGS("markov", "on", "10 min", "off", "20 min"),
        SETTINGS("diurnal", "session", "10 min", "start", "20 h"),
        SETTINGS("trace", "file", file, "clients", "cycle"),
        SETTINGS("trace", "file", file, "clients", "cycle", "period", "6 h")};
    int never = 0, changes = 0;
    for (int round = 0; round < N_COMPOSITIONS; round++) {
        const char *const *model = models[frs_rng_below(&rng, 6)];
        char outages[256], late[32], lifetime[32];
        snprintf(outages, sizeof outages,
            "%u %% from %u min to %u min; region %u of 3 from %u min to %u min; all from 90 min to 100 min",
            frs_rng_below(&rng, 100) + 1, frs_rng_below(&rng, 50), 50 + frs_rng_below(&rng, 100),
            frs_rng_below(&rng, 3) + 1, frs_rng_below(&rng, 120), 120 + frs_rng_below(&rng, 10) + 1);
        snprintf(late, sizeof late, "%g", frs_rng_below(&rng, 3) / 2.0);
        snprintf(lifetime, sizeof lifetime, "%u h", frs_rng_below(&rng, 4));
        struct frs_reachability r =
            reachability_of(model[0], model + 1, frs_rng_below(&rng, 3) ? outages : NULL,
                SETTINGS("late_share", late, "join_over", "2 h", "mean_lifetime", lifetime), 50,
                frs_rng_u32(&rng));
        for (int question = 0; question < 40; question++) {
            uint32_t client = frs_rng_below(&rng, 50);
            double t_s = 4 * HOUR_S * frs_rng_unit(&rng), until_s, next_s = t_s;
            bool online = frs_reachable(&r, client, 3, 1, t_s, &until_s);
            ck_assert(online == brute(&r, client, 3, 1, t_s));
            ck_assert_double_gt(until_s, t_s);
            do
                next_s = part_changes(&r, client, 3, 1, next_s);
            while (next_s < INFINITY && brute(&r, client, 3, 1, next_s) == online && next_s < 1e7);
            if (next_s >= 1e7) /* always offline, with a model that goes on changing */
                next_s = INFINITY;
            ck_assert_msg(next_s == until_s || (isinf(next_s) && until_s >= 1e7), "%g %g", next_s, until_s);
            never += isinf(until_s);
            changes += !isinf(until_s);
            if (!r.model->retry_s)
                ck_assert_double_eq(frs_reachable_next_s(&r, client, 3, 1, t_s), online ? t_s : until_s);
        }
        double first_s = INFINITY, t_s = 4 * HOUR_S * frs_rng_unit(&rng);
        for (uint32_t client = 0; client < 50; client++)
            first_s = fmin(first_s, frs_reachable_next_s(&r, client, 3, 1, t_s));
        ck_assert_double_eq(frs_reachable_next_any_s(&r, 3, 1, t_s), first_s);
        frs_reachability_fini(&r);
    }
    ck_assert(never > N_COMPOSITIONS && changes > N_COMPOSITIONS);
    unlink(file);
    free(file);
}
END_TEST

/* Online [10, 30) and [40, 60) by the trace, cut off from 20 s to 45 s and from 50 s on. */
START_TEST(trace_and_outages_by_hand) {
    char *file = write_file("0,10,30\n0,40,60\n");
    struct frs_reachability r = reachability_of(
        "trace", SETTINGS("file", file), "all from 20 s to 45 s; all from 50 s to 70 s", NULL, 2, 1);
    static const struct {
        double t_s;
        bool online;
        double until_s;
    } cases[] = {{0, false, 10}, {10, true, 20}, {20, false, 45}, {35, false, 45}, {45, true, 50},
        {50, false, INFINITY}, {80, false, INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double until_s;
        ck_assert(frs_reachable(&r, 0, 0, 0, cases[i].t_s, &until_s) == cases[i].online);
        ck_assert_double_eq(until_s, cases[i].until_s);
    }
    ck_assert_double_eq(frs_reachable_next_any_s(&r, 0, 0, 22), 45);
    ck_assert(isinf(frs_reachable_next_any_s(&r, 0, 0, 50)));
    frs_reachability_fini(&r);
    unlink(file);
    free(file);
}
END_TEST

/* Who does not answer is asked again after `retry`, but not while an outage lasts,
 * and never after leaving. */
START_TEST(attempts_come_again_after_retry) {
    const char *const *settings = SETTINGS("p", "0.5", "retry", "30 s");
    struct frs_reachability r =
        reachability_of("bernoulli", settings, "all from 100 s to 200 s", NULL, 100, 1);
    int answers = 0;
    for (uint32_t client = 0; client < 100; client++) {
        double ignored_s;
        bool answers_now = r.model->at(r.states[0], client, 1, 0, 0, &ignored_s);
        answers += answers_now;
        ck_assert_double_eq(frs_reachable_next_s(&r, client, 1, 0, 10), answers_now ? 10 : 40);
        ck_assert_double_eq(frs_reachable_next_s(&r, client, 1, 0, 80), answers_now ? 80 : 200);
        ck_assert_double_eq(frs_reachable_next_s(&r, client, 1, 0, 150), 200);
        ck_assert_double_eq(frs_reachable_next_s(&r, client, 1, 0, 190), answers_now ? 200 : 220);
        /* Sooner or later one of the attempts is answered. */
        uint32_t attempt = 0;
        while (!r.model->at(r.states[0], client, 1, attempt, 0, &ignored_s))
            ck_assert_uint_lt(++attempt, 40);
    }
    ck_assert(answers > 20 && answers < 80);
    frs_reachability_fini(&r);
    r = reachability_of("bernoulli", settings, NULL, SETTINGS("mean_lifetime", "1 s"), 100, 1);
    ck_assert(isinf(frs_reachable_next_any_s(&r, 1, 0, 1000)));
    frs_reachability_fini(&r);
    /* Who never answers is not worth waiting for. */
    r = reachability_of("bernoulli", SETTINGS("p", "0"), NULL, NULL, 100, 1);
    ck_assert(isinf(frs_reachable_next_any_s(&r, 1, 0, 0)));
    frs_reachability_fini(&r);
}
END_TEST

START_TEST(what_can_happen) {
    static const struct {
        const char *model, *outages, *churn[3];
        bool trivial, can_end;
    } cases[] = {
        {"always", NULL, {NULL}, true, false},
        {"always", "all from 1 h to 2 h", {NULL}, false, true},
        {"always", NULL, {"mean_lifetime", "1 h", NULL}, false, true},
        {"always", NULL, {"late_share", "0.1", NULL}, false, false},
        {"bernoulli", NULL, {NULL}, false, false},
        {"markov", NULL, {NULL}, false, true},
        {"diurnal", NULL, {NULL}, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_reachability r =
            reachability_of(cases[i].model, NULL, cases[i].outages, cases[i].churn, 5, 1);
        ck_assert(frs_reachability_is_trivial(&r) == cases[i].trivial);
        ck_assert(frs_reachability_can_end(&r) == cases[i].can_end);
        frs_reachability_fini(&r);
    }
}
END_TEST

/* Mistakes of the model and of the outages are named together. */
START_TEST(all_mistakes_at_once) {
    struct frs_reachability r;
    struct frs_errors errors = {0};
    ck_assert(!reachability_try(&r, "trace", NULL, "nobody", NULL, 5, 1, &errors));
    ck_assert_uint_eq(errors.n, 2);
    frs_errors_clear(&errors);
    ck_assert(!reachability_try(&r, "diurnal", NULL, "nobody", NULL, 5, 1, &errors)); /* the model is freed */
    ck_assert_uint_eq(errors.n, 1);
    frs_errors_clear(&errors);
}
END_TEST

/* No client is online: the next time is searched over a million clients. */
START_TEST(no_clients_and_many) {
    struct frs_reachability r = reachability_of("always", NULL, "all from 0 s to 1 h", NULL, 0, 1);
    ck_assert(isinf(frs_reachable_next_any_s(&r, 0, 0, 0)));
    r.n_clients = 1000000;
    ck_assert_double_eq(frs_reachable_next_any_s(&r, 0, 0, 0), HOUR_S);
    frs_reachability_fini(&r);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("availability_reachability");
    TCase *tests = tcase_create("availability_reachability");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, by_brute_force);
    tcase_add_test(tests, trace_and_outages_by_hand);
    tcase_add_test(tests, attempts_come_again_after_retry);
    tcase_add_test(tests, what_can_happen);
    tcase_add_test(tests, all_mistakes_at_once);
    tcase_add_test(tests, no_clients_and_many);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
