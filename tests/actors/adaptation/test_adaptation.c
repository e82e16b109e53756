/* Budgets by hand. */
#include "actors/accounts.h"
#include "actors/adaptation.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 4, MAX = 16 };

extern const struct frs_adaptation frs_adaptation_fixed, frs_adaptation_uniform, frs_adaptation_proportional,
    frs_adaptation_deadline, frs_adaptation_cap;

static const struct frs_budget_range range = {1, MAX};
static const struct frs_observations_settings prior = {
    .weight = 1, .prior = {.up_s_per_byte = 1e-3, .size_share = 1}};

static double up_bytes(void *context, uint32_t budget) {
    (void)context;
    return 100.0 * budget;
}

static double work(void *context, uint32_t budget) {
    (void)context;
    return (8.0 + 0.5 * budget) / 16;
}

/* Client i: latency .1 s, download of 1000 bytes 1 s, full work 2 s, uplink 1000/(i + 1) bytes per second.
 * Client 3 was never measured. T(i, b) = 1.1 + (8 + b/2)/8 + 0.1 (i + 1) b. */
static struct frs_observations *observed_by(const struct frs_observations_settings *settings) {
    struct frs_observations *o = frs_observations_create(CLIENTS + 1, settings);
    for (uint32_t i = 0; i < 3; i++)
        frs_observations_add(o, &(struct frs_observation){.client = i,
                                    .sight = FRS_SAW_UPLOAD,
                                    .waited_s = 10,
                                    .latency_s = 0.1,
                                    .down_s = 1,
                                    .down_bytes = 1000,
                                    .compute_s = 2,
                                    .work = 1,
                                    .up_s = 0.1 * (i + 1),
                                    .up_bytes = 100,
                                    .predicted_up_bytes = 100});
    return o;
}

static struct frs_observations *observed(void) {
    return observed_by(&prior);
}

static void choose(const struct frs_adaptation *adaptation, const struct frs_observations *observations,
    const char *const *settings, uint32_t round, uint32_t *budgets) {
    static const uint32_t clients[CLIENTS] = {0, 1, 2, 3};
    struct frs_values values = frs_values_of(adaptation->plugin.params, settings);
    struct frs_errors errors = {0};
    void *own = adaptation->create(&values, &range, &errors);
    ck_assert_uint_eq(errors.n, 0);
    struct frs_adaptation_request request = {.seed = 1,
        .round = round,
        .range = range,
        .settings = own,
        .observations = observations,
        .clients = clients,
        .n = CLIENTS,
        .up_bytes = up_bytes,
        .work = work};
    adaptation->choose(&request, budgets);
    free(own);
    frs_values_fini(&values);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void check(const uint32_t *budgets, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    ck_assert_uint_eq(budgets[0], a);
    ck_assert_uint_eq(budgets[1], b);
    ck_assert_uint_eq(budgets[2], c);
    ck_assert_uint_eq(budgets[3], d);
}

START_TEST(fixed_budget_is_that_of_all) {
    uint32_t budgets[CLIENTS];
    choose(&frs_adaptation_fixed, NULL, NULL, 0, budgets);
    check(budgets, MAX, MAX, MAX, MAX);
    choose(&frs_adaptation_fixed, NULL, SETTINGS("budget", "5"), 0, budgets);
    check(budgets, 5, 5, 5, 5);
}
END_TEST

/* 1 … 16 with mean 8.5; a list; and draws that are kept. */
START_TEST(uniform_budgets_are_spread_evenly) {
    uint32_t budgets[CLIENTS], kept[CLIENTS], times[MAX + 1] = {0};
    double sum = 0;
    for (uint32_t round = 0; round < 500; round++) {
        choose(&frs_adaptation_uniform, NULL, NULL, round, budgets);
        for (size_t i = 0; i < CLIENTS; i++) {
            sum += budgets[i];
            times[budgets[i]]++;
        }
    }
    ck_assert_double_eq_tol(sum / 2000, 8.5, 0.4); /* standard error 0.1 */
    for (uint32_t b = 1; b <= MAX; b++)            /* 125 expected */
        ck_assert(times[b] > 80 && times[b] < 180);
    choose(&frs_adaptation_uniform, NULL, SETTINGS("from", "3", "to", "9", "redraw", "false"), 0, kept);
    for (uint32_t round = 1; round < 50; round++) {
        choose(&frs_adaptation_uniform, NULL, SETTINGS("list", "2, 4,8"), round, budgets);
        for (size_t i = 0; i < CLIENTS; i++)
            ck_assert(budgets[i] == 2 || budgets[i] == 4 || budgets[i] == 8);
        choose(&frs_adaptation_uniform, NULL, SETTINGS("from", "3", "to", "9", "redraw", "false"), round,
            budgets);
        ck_assert_mem_eq(budgets, kept, sizeof kept);
    }
}
END_TEST

/* Seconds per byte 1, 2, 3 (and their mean 2) · 10⁻³: at_mean 0.5 gives 8 · 2/1, 8, 8 · 2/3, 8. */
START_TEST(proportional_budgets_follow_uplinks) {
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = observed();
    choose(&frs_adaptation_proportional, o, NULL, 0, budgets);
    check(budgets, 16, 8, 5, 8);
    choose(&frs_adaptation_proportional, o, SETTINGS("at_mean", "0.25"), 0, budgets);
    check(budgets, 8, 4, 3, 4);
    frs_observations_destroy(o);
}
END_TEST

/* T(i, b) = 2.1 + b/16 + 0.1 (i + 1) b. Within 3 s: b ≤ 0.9/0.1625, 0.9/0.2625, 0.9/0.3625, and the mean's
 * 0.9/0.2625. Within the median at full budget, T(1, 16) = 6.3: all of 16 for clients 0, 1, 3, and 4.2/0.3625
 * for 2. No client can end within 1 s: the smallest. */
START_TEST(deadline_budgets_are_the_largest_in_time) {
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = observed();
    choose(&frs_adaptation_deadline, o, SETTINGS("target", "3 s"), 0, budgets);
    check(budgets, 5, 3, 2, 3);
    choose(&frs_adaptation_deadline, o, NULL, 0, budgets);
    check(budgets, 16, 16, 11, 16);
    choose(&frs_adaptation_deadline, o, SETTINGS("target", "1 s"), 0, budgets);
    check(budgets, 1, 1, 1, 1);
    frs_observations_destroy(o);
}
END_TEST

/* Under the largest budget the four need 4.7, 6.3, 6.3 and 7.9 s. Shares of .1, .2, .8 and .9 are places .3,
 * .6, 2.4 and 2.7 from 0, and the nearest ones 0, 1, 2 and 3. Within 4.7 s client 1 has time for b
 * ≤ 2.6/.2625 = 9.9, client 2 for 2.6/.3625 = 7.2. */
START_TEST(deadline_takes_the_nearest_rank) {
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = observed();
    choose(&frs_adaptation_deadline, o, SETTINGS("quantile", "0.1"), 0, budgets);
    check(budgets, 16, 9, 7, 9);
    choose(&frs_adaptation_deadline, o, SETTINGS("quantile", "0.2"), 0, budgets);
    check(budgets, 16, 16, 11, 16);
    choose(&frs_adaptation_deadline, o, SETTINGS("quantile", "0.8"), 0, budgets);
    check(budgets, 16, 16, 11, 16);
    choose(&frs_adaptation_deadline, o, SETTINGS("quantile", "0.9"), 0, budgets);
    check(budgets, 16, 16, 16, 16);
    frs_observations_destroy(o);
}
END_TEST

/* Client 0 was aborted after 4.2 s at 16 columns, when it had 1600 bytes to send. T(0, 16) = 4.7, so its
 * expected duration is 8.4 s, 84/47 times as long. Within 3 s it can do b ≤ (3 · 47/84 − 2.1)/.1625 < 1,
 * and within 6 s b ≤ (6 · 47/84 − 2.1)/.1625 = 7.7. In proportion to its uplink it would get 8 · 2/1
 * columns; 47/84 of them are left, 8.95. */
START_TEST(cut_off_clients_get_smaller_budgets) {
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = observed();
    frs_observations_add(o,
        &(struct frs_observation){
            .client = 0, .sight = FRS_SAW_NOTHING, .waited_s = 4.2, .work = 1, .predicted_up_bytes = 1600});
    choose(&frs_adaptation_deadline, o, SETTINGS("target", "3 s"), 0, budgets);
    check(budgets, 1, 3, 2, 3);
    choose(&frs_adaptation_deadline, o, SETTINGS("target", "6 s"), 0, budgets);
    check(budgets, 7, 14, 10, 14);
    choose(&frs_adaptation_proportional, o, NULL, 0, budgets);
    check(budgets, 9, 8, 5, 8);
    frs_observations_destroy(o);
}
END_TEST

/* The quantile is over what clients are known to need, without their back-off. The median stays T(1, 16) =
 * 6.3 where client 1 is assumed to be 16/6.3 times as slow; it then has time for b ≤ (6.3 · 6.3/16 −
 * 2.1)/.2625 = 1.4. It also stays so where client 2 is slow, too; that one has time for b ≤ (6.3 · 7.9/16
 * − 2.1)/.3625 = 2.8. */
START_TEST(quantile_without_back_off) {
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = observed();
    for (uint32_t client = 1; client < 3; client++) {
        frs_observations_add(o, &(struct frs_observation){.client = client,
                                    .sight = FRS_SAW_NOTHING,
                                    .waited_s = 8,
                                    .work = 1,
                                    .predicted_up_bytes = 1600});
        choose(&frs_adaptation_deadline, o, NULL, 0, budgets);
        check(budgets, 16, 1, client == 1 ? 11 : 2, 16);
    }
    frs_observations_destroy(o);
}
END_TEST

/* Aborted at 16 columns, client 0 gets its back-off. Aborted again at 10, it is assigned at most 5, and
 * then 2, however much time there is and however fast it is. The smallest budget cannot be halved, and an
 * upload ends the back-off. */
START_TEST(cut_off_again) {
    static const struct {
        uint32_t assigned, most;
    } cuts[] = {{16, 16}, {10, 5}, {5, 2}, {0, 2}, {2, 1}, {0, 1}};
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = observed();
    struct frs_observation seen = {
        .client = 0, .sight = FRS_SAW_NOTHING, .waited_s = 0.1, .work = 1, .predicted_up_bytes = 1600};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        seen.reducible = cuts[i].assigned;
        frs_observations_add(o, &seen);
        choose(&frs_adaptation_deadline, o, SETTINGS("target", "1000 s"), 0, budgets);
        check(budgets, cuts[i].most, 16, 16, 16);
        choose(&frs_adaptation_proportional, o, SETTINGS("at_mean", "1000"), 0, budgets);
        check(budgets, cuts[i].most, 16, 16, 16);
    }
    frs_observations_destroy(o);
    o = observed();
    frs_observations_add(o, &seen);
    seen.reducible = 10;
    frs_observations_add(o, &seen);
    seen.sight = FRS_SAW_UPLOAD;
    frs_observations_add(o, &seen);
    choose(&frs_adaptation_deadline, o, SETTINGS("target", "1000 s"), 0, budgets);
    check(budgets, 16, 16, 16, 16);
    frs_observations_destroy(o);
}
END_TEST

/* No uplink has a limit, except for the rounding of a clock: all clients are assigned the same, whatever
 * the rounding. A client that was aborted after 5 s, where 3.1 s had been expected, gets 31/100 of that.
 * If one of them has a limited uplink, it is assigned its share, and the others get all 16 columns. */
START_TEST(equal_clients_get_equal_budgets) {
    uint32_t budgets[CLIENTS];
    struct frs_observations *o = frs_observations_create(CLIENTS + 1, &prior);
    struct frs_observation seen = {.sight = FRS_SAW_UPLOAD,
        .waited_s = 10,
        .latency_s = 0.1,
        .down_s = 1,
        .down_bytes = 1000,
        .compute_s = 2,
        .work = 1,
        .up_bytes = 100,
        .predicted_up_bytes = 100};
    for (uint32_t i = 0; i < 3; i++) {
        seen.client = i;
        seen.up_s = i * 1e-13;
        frs_observations_add(o, &seen);
    }
    choose(&frs_adaptation_proportional, o, NULL, 0, budgets);
    check(budgets, 8, 8, 8, 8);
    frs_observations_add(
        o, &(struct frs_observation){
               .client = 1, .sight = FRS_SAW_NOTHING, .waited_s = 5, .work = 1, .predicted_up_bytes = 1600});
    choose(&frs_adaptation_proportional, o, NULL, 0, budgets);
    check(budgets, 8, 2, 8, 8);
    seen.client = 2;
    seen.up_s = 1;
    frs_observations_add(o, &seen);
    choose(&frs_adaptation_proportional, o, NULL, 0, budgets);
    check(budgets, 16, 16, 3, 8);
    frs_observations_destroy(o);
}
END_TEST

/* A new client, 3, begins with the smallest budget, or like the mean. Or, since the others took 10 s each
 * and the server waited in vain for one of them for 15 s, it counts as 1 + 15/30 times the mean: within 6
 * s b ≤ (4 − 2.1)/.2625 = 7.2, and two thirds of 8 columns. */
START_TEST(new_clients_begin_small_or_as_the_mean) {
    static const uint32_t within_s[] = {14, 7, 1}, proportional_to_uplink[] = {8, 5, 1};
    for (int how = FRS_UNMEASURED_OPTIMISTIC; how <= FRS_UNMEASURED_SMALLEST; how++) {
        struct frs_observations_settings settings = prior;
        uint32_t budgets[CLIENTS];
        settings.unmeasured = (enum frs_unmeasured)how;
        struct frs_observations *o = observed_by(&settings);
        frs_observations_add(o, &(struct frs_observation){.client = 4,
                                    .sight = FRS_SAW_NOTHING,
                                    .waited_s = 15,
                                    .work = 1,
                                    .predicted_up_bytes = 1600});
        choose(&frs_adaptation_deadline, o, SETTINGS("target", "6 s"), 0, budgets);
        check(budgets, 16, 14, 10, within_s[how]);
        choose(&frs_adaptation_proportional, o, NULL, 0, budgets);
        check(budgets, 16, 8, 5, proportional_to_uplink[how]);
        frs_observations_destroy(o);
    }
}
END_TEST

/* What does not fit the method is refused with the key. */
START_TEST(misfitting_settings_are_refused) {
    static const struct {
        const struct frs_adaptation *adaptation;
        const char *key, *value;
    } cases[] = {{&frs_adaptation_fixed, "budget", "17"}, {&frs_adaptation_uniform, "to", "17"},
        {&frs_adaptation_uniform, "list", "1,,2"}, {&frs_adaptation_uniform, "list", "0,2"},
        {&frs_adaptation_uniform, "list", "4,17"}, {&frs_adaptation_uniform, "list", "3 4"},
        {&frs_adaptation_uniform, "list", "-1"}, {&frs_adaptation_uniform, "list", "2,"},
        {&frs_adaptation_uniform, "list", "many"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_values values =
            frs_values_of(cases[i].adaptation->plugin.params, SETTINGS(cases[i].key, cases[i].value));
        struct frs_errors errors = {0};
        free(cases[i].adaptation->create(&values, &range, &errors));
        ck_assert_msg(errors.n == 1, "%s=%s gives %zu errors", cases[i].key, cases[i].value, errors.n);
        ck_assert_ptr_nonnull(strstr(errors.lines[0], cases[i].key));
        frs_errors_clear(&errors);
        frs_values_fini(&values);
    }
    struct frs_values values =
        frs_values_of(frs_adaptation_uniform.plugin.params, SETTINGS("from", "9", "to", "3"));
    struct frs_errors errors = {0};
    free(frs_adaptation_uniform.create(&values, &range, &errors));
    ck_assert_uint_eq(errors.n, 1);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}
END_TEST

/* At the start of a period all of its bytes but those of the download are left for one upload: 700 of 720,
 * which a budget of 7 fills exactly; or 699. */
START_TEST(a_budget_may_fill_the_cap_exactly) {
    for (int less = 0; less < 2; less++) {
        const struct frs_caps caps = {
            .period_s = 100, .bytes = 720 - less, .energy_j = INFINITY, .metered_bytes = INFINITY};
        static const struct frs_spending first = {.down_bytes = 20};
        static const uint32_t client = 0;
        uint32_t budget;
        struct frs_accounts *accounts = frs_accounts_create(&caps, &first, 1);
        frs_accounts_expect_uploads(accounts, 100);
        struct frs_adaptation_request request = {
            .range = range, .accounts = accounts, .clients = &client, .n = 1, .up_bytes = up_bytes};
        frs_adaptation_cap.choose(&request, &budget);
        ck_assert_uint_eq(budget, less ? 6 : 7);
        frs_accounts_destroy(accounts);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("adaptation");
    TCase *tests = tcase_create("adaptation");
    tcase_add_test(tests, fixed_budget_is_that_of_all);
    tcase_add_test(tests, uniform_budgets_are_spread_evenly);
    tcase_add_test(tests, proportional_budgets_follow_uplinks);
    tcase_add_test(tests, deadline_budgets_are_the_largest_in_time);
    tcase_add_test(tests, deadline_takes_the_nearest_rank);
    tcase_add_test(tests, cut_off_clients_get_smaller_budgets);
    tcase_add_test(tests, quantile_without_back_off);
    tcase_add_test(tests, cut_off_again);
    tcase_add_test(tests, equal_clients_get_equal_budgets);
    tcase_add_test(tests, new_clients_begin_small_or_as_the_mean);
    tcase_add_test(tests, a_budget_may_fill_the_cap_exactly);
    tcase_add_test(tests, misfitting_settings_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
