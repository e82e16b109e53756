/* What every adaptation of the registry has to keep to, with its default settings. A new line in
 * actors/adaptation/adaptations.def is covered as it is. */
#include "actors/adaptation.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 20, MIN = 2, MAX = 9 };

static int n_adaptations(void) {
    int n = 0;
    while (frs_adaptations[n])
        n++;
    return n;
}

static double up_bytes(void *context, uint32_t budget) {
    (void)context;
    return 100.0 * budget + 24;
}

static double work(void *context, uint32_t budget) {
    (void)context;
    return 0.5 + 0.5 * budget / MAX;
}

struct subject {
    const struct frs_adaptation *adaptation;
    struct frs_observations *observations;
    void *settings;
    uint32_t clients[CLIENTS];
};

static void begin(struct subject *s, int i) {
    struct frs_observations_settings settings = {.weight = 0.3, .prior = {0, 0, 900, 1e-3, 1e-3, 1, 1}};
    struct frs_values values = frs_values_of(frs_adaptations[i]->plugin.params, NULL);
    struct frs_budget_range range = {MIN, MAX};
    struct frs_errors errors = {0};
    *s = (struct subject){.adaptation = frs_adaptations[i]};
    s->observations = frs_observations_create(CLIENTS, &settings);
    s->settings = s->adaptation->create(&values, &range, &errors);
    ck_assert_ptr_nonnull(s->settings);
    ck_assert_uint_eq(errors.n, 0);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        s->clients[client] = client;
    }
    frs_values_fini(&values);
}

static void end(struct subject *s) {
    frs_observations_destroy(s->observations);
    free(s->settings);
}

static void choose(const struct subject *s, uint32_t round, size_t first, size_t n, uint32_t *budgets) {
    struct frs_adaptation_request request = {.seed = 5,
        .round = round,
        .range = {MIN, MAX},
        .settings = s->settings,
        .observations = s->adaptation->observes ? s->observations : NULL,
        .clients = s->clients + first,
        .n = n,
        .up_bytes = up_bytes,
        .work = work};
    s->adaptation->choose(&request, budgets);
}

/* Uplinks that differ by a factor of 1000 among them. */
static void observe(struct subject *s, uint32_t client, uint32_t budget) {
    struct frs_observation seen = {.client = client,
        .samples = 10,
        .sight = budget % 4 ? FRS_SAW_UPLOAD : (enum frs_evidence)(client % 3),
        .down_s = 1,
        .down_bytes = 900,
        .up_bytes = up_bytes(NULL, budget),
        .predicted_up_bytes = up_bytes(NULL, budget),
        .work = work(NULL, budget),
        .compute_s = 0.1,
        .up_s = up_bytes(NULL, budget) * (client % 4 ? 1e-3 * client : 1e-5),
        .waited_s = 3};
    frs_observations_add(s->observations, &seen);
}

START_TEST(entries_are_complete) {
    const struct frs_adaptation *adaptation = frs_adaptations[_i];
    ck_assert_ptr_eq(frs_adaptation_plugins[_i], &adaptation->plugin);
    ck_assert(adaptation->plugin.name && adaptation->plugin.summary && adaptation->plugin.source);
    ck_assert(adaptation->create && adaptation->choose);
    for (int other = 0; other < _i; other++)
        ck_assert_str_ne(frs_adaptations[other]->plugin.name, adaptation->plugin.name);
}
END_TEST

/* From the first round on, as the server learns, and for a single client as well. */
START_TEST(budgets_are_in_range) {
    struct subject s;
    begin(&s, _i);
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t budgets[CLIENTS] = {0};
        size_t n = round % 3 == 1 ? 1 : CLIENTS, first = n == 1 ? round % CLIENTS : 0;
        choose(&s, round, first, n, budgets);
        for (size_t i = 0; i < n; i++) {
            ck_assert_uint_ge(budgets[i], MIN);
            ck_assert_uint_le(budgets[i], MAX);
            if ((i + round) % 3)
                observe(&s, (uint32_t)(first + i), budgets[i]);
        }
    }
    end(&s);
}
END_TEST

START_TEST(choice_is_deterministic) {
    struct subject a, b;
    uint32_t first[CLIENTS], second[CLIENTS];
    begin(&a, _i);
    begin(&b, _i);
    for (uint32_t round = 0; round < 10; round++) {
        choose(&a, round, 0, CLIENTS, first);
        choose(&b, round, 0, CLIENTS, second);
        ck_assert_mem_eq(first, second, sizeof first);
        for (uint32_t client = 0; client < CLIENTS; client += 2) {
            observe(&a, client, first[client]);
            observe(&b, client, second[client]);
        }
    }
    end(&a);
    end(&b);
}
END_TEST

/* A range of one leaves no choice. */
START_TEST(single_budget_is_assigned_to_all) {
    struct frs_values values = frs_values_of(frs_adaptations[_i]->plugin.params, NULL);
    struct frs_budget_range range = {7, 7};
    struct frs_observations_settings prior = {.weight = 1, .prior = {0, 0, 1, 1, 1, 1, 1}};
    struct frs_observations *observations = frs_observations_create(1, &prior);
    struct frs_errors errors = {0};
    uint32_t client = 0, budget = 0;
    void *settings = frs_adaptations[_i]->create(&values, &range, &errors);
    struct frs_adaptation_request request = {.range = range,
        .settings = settings,
        .observations = observations,
        .clients = &client,
        .n = 1,
        .up_bytes = up_bytes,
        .work = work};
    frs_adaptations[_i]->choose(&request, &budget);
    ck_assert_uint_eq(budget, 7);
    free(settings);
    frs_observations_destroy(observations);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    int n = n_adaptations();
    Suite *suite = suite_create("adaptations");
    TCase *tests = tcase_create("adaptations");
    tcase_add_loop_test(tests, entries_are_complete, 0, n);
    tcase_add_loop_test(tests, budgets_are_in_range, 0, n);
    tcase_add_loop_test(tests, choice_is_deterministic, 0, n);
    tcase_add_loop_test(tests, single_budget_is_assigned_to_all, 0, n);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
