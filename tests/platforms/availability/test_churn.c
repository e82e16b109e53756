/* Churn: late joiners and departures for good. */
#include "tests/platforms/availability_fixture.h"

enum { CLIENTS = 20000 };

static struct frs_churn churn_of(const char *const *settings, uint64_t seed, const char *unread) {
    struct frs_values values = frs_values_of(frs_failures_params, settings);
    struct frs_churn churn = frs_churn_read(&values, seed);
    if (unread)
        ck_assert(!frs_values_find(&values, unread)->read);
    frs_values_fini(&values);
    return churn;
}

START_TEST(everybody_for_ever) {
    struct frs_churn p = churn_of(NULL, 1, "join_over");
    double until_s;
    ck_assert(frs_churn_is_trivial(&p));
    ck_assert(frs_churn_at(&p, 5, 1e9, &until_s));
    ck_assert(isinf(until_s));
}
END_TEST

/* A life is: away, there from the joining time, gone for good; asked in any order. */
START_TEST(client_is_away_then_there_then_gone) {
    struct frs_churn p =
        churn_of(SETTINGS("late_share", "0.5", "join_over", "10 h", "mean_lifetime", "3 h"), 1, NULL);
    ck_assert(!frs_churn_is_trivial(&p));
    for (uint32_t client = 0; client < 200; client++) {
        double join_s = 0, leave_s, until_s;
        if (!frs_churn_at(&p, client, 0, &join_s))
            ck_assert(join_s > 0 && join_s < 10 * HOUR_S);
        else
            join_s = 0;
        ck_assert(frs_churn_at(&p, client, join_s, &leave_s));
        ck_assert_double_gt(leave_s, join_s);
        ck_assert(!frs_churn_at(&p, client, leave_s, &until_s) && isinf(until_s));
        ck_assert(frs_churn_at(&p, client, nextafter(leave_s, 0), &until_s) && until_s == leave_s);
        ck_assert(!frs_churn_at(&p, client, leave_s * 7, &until_s) && isinf(until_s));
        if (join_s > 0)
            ck_assert(!frs_churn_at(&p, client, nextafter(join_s, 0), &until_s) && until_s == join_s);
    }
}
END_TEST

/* 30 % join evenly over 10 h; without departures all stay. */
START_TEST(late_clients_join_evenly) {
    struct frs_churn p = churn_of(SETTINGS("late_share", "0.3", "join_over", "10 h"), 2, NULL);
    static const double times[] = {0, HOUR_S, 5 * HOUR_S, 9 * HOUR_S, 10 * HOUR_S, 1e9};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double there = 0, until_s;
        for (uint32_t client = 0; client < CLIENTS; client++)
            if (frs_churn_at(&p, client, times[i], &until_s)) {
                there++;
                ck_assert(isinf(until_s));
            }
        ck_share(there / CLIENTS, 0.7 + 0.3 * fmin(times[i] / (10 * HOUR_S), 1), CLIENTS);
    }
}
END_TEST

/* Lifetimes are exponential from the time of joining. */
START_TEST(lifetimes_are_exponential_from_joining) {
    struct frs_churn p =
        churn_of(SETTINGS("late_share", "0.5", "join_over", "1 h", "mean_lifetime", "4 h"), 3, NULL);
    double n = 0, sum_s = 0, long_lives = 0;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        double join_s, leave_s;
        if (frs_churn_at(&p, client, 0, &join_s))
            join_s = 0;
        ck_assert(frs_churn_at(&p, client, join_s, &leave_s));
        n++;
        sum_s += leave_s - join_s;
        long_lives += leave_s - join_s > 8 * HOUR_S;
    }
    ck_assert_double_le(fabs(sum_s / n / (4 * HOUR_S) - 1), 4 / sqrt(n));
    ck_share(long_lives / n, exp(-2), n);
}
END_TEST

/* The same draws whatever is set: more late joiners are the old ones and some more, lives stretch. */
START_TEST(more_churn_keeps_the_same_draws) {
    struct frs_churn few = churn_of(SETTINGS("late_share", "0.2", "mean_lifetime", "1 h"), 4, NULL);
    struct frs_churn more = churn_of(SETTINGS("late_share", "0.6"), 4, NULL);
    struct frs_churn stretched = churn_of(SETTINGS("mean_lifetime", "2 h"), 4, "join_over");
    for (uint32_t client = 0; client < 2000; client++) {
        double few_s, more_s, stretched_s, leave_s;
        bool there = frs_churn_at(&few, client, 0, &few_s);
        bool there_too = frs_churn_at(&more, client, 0, &more_s);
        ck_assert(there || !there_too);
        ck_assert(there || few_s == more_s);
        ck_assert(frs_churn_at(&stretched, client, 0, &stretched_s));
        if (there)
            ck_assert_double_eq_tol(stretched_s, 2 * few_s, 1e-9 * few_s);
        else {
            ck_assert(frs_churn_at(&few, client, few_s, &leave_s));
            ck_assert_double_eq_tol(stretched_s, 2 * (leave_s - few_s), 1e-9 * leave_s);
        }
    }
}
END_TEST

/* A share of 0 that was written down, as one point of a series is, does not make `join_over` an error. */
START_TEST(zero_in_a_series) {
    struct frs_values values =
        frs_values_of(frs_failures_params, SETTINGS("late_share", "0", "join_over", "2 h"));
    struct frs_churn p = frs_churn_read(&values, 1);
    ck_assert(frs_churn_is_trivial(&p));
    ck_assert(frs_values_find(&values, "join_over")->read);
    frs_values_fini(&values);
}
END_TEST

/* 30 % never come; all others join and leave as they did without. */
START_TEST(absent_clients_never_come) {
    struct frs_churn without = churn_of(SETTINGS("late_share", "0.5", "mean_lifetime", "3 h"), 4, NULL),
                     with = churn_of(
                         SETTINGS("late_share", "0.5", "mean_lifetime", "3 h", "absent_share", "0.3"), 4,
                         NULL);
    double absent = 0, until_s, until_without_s;
    ck_assert(!frs_churn_is_trivial(&with));
    for (uint32_t client = 0; client < CLIENTS; client++) {
        bool never = frs_churn_is_absent(&with, client);
        absent += never;
        ck_assert(!frs_churn_is_absent(&without, client));
        for (double t_s = 0; t_s < 1e6; t_s = 10 * t_s + 100) {
            bool there = frs_churn_at(&with, client, t_s, &until_s);
            ck_assert(!never || (!there && isinf(until_s)));
            ck_assert(never || there == frs_churn_at(&without, client, t_s, &until_without_s));
            ck_assert(never || until_s == until_without_s);
        }
    }
    ck_share(absent / CLIENTS, .3, CLIENTS);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("churn");
    TCase *tests = tcase_create("churn");
    tcase_add_test(tests, everybody_for_ever);
    tcase_add_test(tests, client_is_away_then_there_then_gone);
    tcase_add_test(tests, late_clients_join_evenly);
    tcase_add_test(tests, lifetimes_are_exponential_from_joining);
    tcase_add_test(tests, more_churn_keeps_the_same_draws);
    tcase_add_test(tests, zero_in_a_series);
    tcase_add_test(tests, absent_clients_never_come);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
