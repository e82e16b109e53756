/* The index of who can be selected against asking every client, in each model of availability that goes by
 * times. */
#include "sim/rounds/reachable_clients.h"
#include "tests/platforms/availability_fixture.h"

#define CLIENTS 60
#define STEPS 2000

static const struct {
    const char *model;
    const char *settings[5], *outages;
    double step_s; /* at most, between two looks */
} worlds[] = {
    {.model = "always",
        .outages = "25 % from 2 min to 30 min; region 1 of 4 from 10 min to 1 h",
        .step_s = 4},
    {.model = "markov", .settings = {"on", "1 min", "off", "9 min"}, .step_s = 20},
    {.model = "markov",
        .settings = {"on", "1 min", "off", "5 min"},
        .outages = "50 % from 1 h to 2 h; all from 3 h to 3.5 h",
        .step_s = 20},
    {.model = "diurnal", .settings = {"session", "10 min", "propensity", "fedscale"}, .step_s = 200},
};

struct world {
    struct frs_reachability reachability;
    struct frs_reachable_clients *reachable;
    bool taken[CLIENTS];
};

static bool at(const void *reachability, uint32_t client, double now_s, double *until_s) {
    return frs_reachable(reachability, client, 0, 0, now_s, until_s);
}

/* What the run did before there was an index. */
static double next_of_all_s(const struct world *w, double now_s) {
    double next_s = INFINITY;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        double time_s = frs_reachable_next_s(&w->reachability, client, 0, 0, now_s);
        if (!w->taken[client] && time_s > now_s)
            next_s = fmin(next_s, time_s);
    }
    return next_s;
}

static void check(const struct world *w, double now_s) {
    size_t n = 0, n_listed;
    double until_s;
    const uint32_t *list = frs_reachable_clients_list(w->reachable, &n_listed);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        bool can = !w->taken[client] && frs_reachable(&w->reachability, client, 0, 0, now_s, &until_s);
        ck_assert_int_eq(frs_reachable_clients_has(w->reachable, client), can);
        n += can;
    }
    ck_assert_uint_eq(n_listed, n);
    for (size_t i = 0; i < n; i++)
        ck_assert(frs_reachable_clients_has(w->reachable, list[i]));
    ck_assert(frs_reachable_clients_next_s(w->reachable) == next_of_all_s(w, now_s));
}

/* Any client is taken or given back at any time, twice at times; now and then the time is that of a change.
 */
static void toss(struct world *w, struct frs_rng *rng) {
    for (uint32_t i = frs_rng_below(rng, 6); i > 0; i--) {
        uint32_t client = frs_rng_below(rng, CLIENTS);
        w->taken[client] = frs_rng_below(rng, 3) > 0;
        (w->taken[client] ? frs_reachable_clients_take : frs_reachable_clients_give)(w->reachable, client);
    }
}

START_TEST(the_index_says_what_all_clients_say) {
    static const char *const churn[] = {
        "late_share", "0.3", "join_over", "1 h", "mean_lifetime", "20 h", NULL};
    struct world w = {0};
    struct frs_rng rng = frs_rng_stream(7, (uint32_t)_i, 0, 0, FRS_RNG_TEST);
    double now_s = 0;
    uint32_t n_seen = 0;
    w.reachability =
        reachability_of(worlds[_i].model, worlds[_i].settings, worlds[_i].outages, churn, CLIENTS, 3);
    w.reachable = frs_reachable_clients_create(CLIENTS, at, &w.reachability);
    for (uint32_t client = 0; client < CLIENTS; client++)
        w.taken[client] = true;
    for (int step = 0; step < STEPS; step++) {
        toss(&w, &rng);
        frs_reachable_clients_until(w.reachable, now_s);
        check(&w, now_s);
        size_t n;
        frs_reachable_clients_list(w.reachable, &n);
        n_seen += n > 0;
        double next_s = frs_reachable_clients_next_s(w.reachable);
        now_s = next_s < INFINITY && frs_rng_below(&rng, 2) ? next_s
                                                            : now_s + worlds[_i].step_s * frs_rng_unit(&rng);
    }
    ck_assert_uint_gt(n_seen, STEPS / 10);
    frs_reachable_clients_destroy(w.reachable);
    frs_reachability_fini(&w.reachability);
}
END_TEST

START_TEST(answers_by_attempt_have_no_times) {
    static const char *const models[] = {"always", "markov", "diurnal", "bernoulli"};
    for (int i = 0; i < 4; i++) {
        struct frs_reachability reachability = reachability_of(models[i], NULL, NULL, NULL, 5, 1);
        ck_assert_int_eq(frs_reachability_goes_by_time(&reachability), i < 3);
        frs_reachability_fini(&reachability);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("askable");
    TCase *tests = tcase_create("askable");
    tcase_add_loop_test(tests, the_index_says_what_all_clients_say, 0, sizeof worlds / sizeof *worlds);
    tcase_add_test(tests, answers_by_attempt_have_no_times);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
