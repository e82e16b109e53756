/* Labels: slow
 *
 * Groups of clients: intervals by hand, and a permutation test whose chance is known. */
#include "analysis/statistics/permutation_test.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>

enum { MOST = FRS_TEST_CASES(400) };

/* 5 of 10: z = 1.96, z²/n = 0.384: (0.5 + 0.192)/1.384 = 0.5, ± 1.96/1.384·√(0.025 + 0.0096) = 0.2634. None
 * of 10: 0 to 0.2775. */
START_TEST(share_interval_is_wilsons) {
    struct frs_group_interval interval = frs_group_share_interval(0.5, 10);
    ck_assert_double_eq_tol(interval.low, 0.2366, 1e-4);
    ck_assert_double_eq_tol(interval.high, 0.7634, 1e-4);
    interval = frs_group_share_interval(0, 10);
    ck_assert_double_eq(interval.low, 0);
    ck_assert_double_eq_tol(interval.high, 0.2775, 1e-4);
}
END_TEST

/* Of 1, 2 and 3 with one interaction each: 2 ± 4.3027/√3; a client with two of them counts twice. */
START_TEST(mean_interval_is_weighted) {
    struct frs_group_member members[] = {{1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {9, 1, 1}, {0, 0, 0}};
    struct frs_group_interval interval = frs_group_mean_interval(members, 5, 0);
    ck_assert_double_eq_tol(interval.high - interval.low, 2 * 4.302652729749462 / sqrt(3), 1e-9);
    ck_assert_double_eq_tol(interval.high + interval.low, 4, 1e-9);
    ck_assert(isnan(frs_group_mean_interval(members, 5, 1).low));
    /* 7 of 4 interactions: 1.75, which leaves −1.5, 0.25 and 1.25 of three clients. */
    members[0] = (struct frs_group_member){2, 2, 0};
    interval = frs_group_mean_interval(members, 5, 0);
    ck_assert_double_eq_tol(interval.high + interval.low, 3.5, 1e-9);
    ck_assert_double_eq_tol(
        interval.high - interval.low, 2 * 4.302652729749462 * sqrt(3.875 * 3 / 2) / 4, 1e-9);
}
END_TEST

/* Four hits in one group and four misses in the other: two of the C(8, 4) = 70 ways to place them are so
 * uneven. */
START_TEST(test_chance_by_hand) {
    struct frs_group_member members[8];
    for (size_t i = 0; i < 8; i++)
        members[i] = (struct frs_group_member){i < 4, 1, i / 4};
    double chance = frs_group_chance(members, 8, 2, 1);
    ck_assert_double_eq_tol(chance, 2.0 / 70, 0.015);
    ck_assert_double_eq(chance, frs_group_chance(members, 8, 2, 1));
    ck_assert(chance != frs_group_chance(members, 8, 2, 2));
    /* All alike, one group, and nothing to go by. */
    for (size_t i = 0; i < 8; i++)
        members[i].sum = 1;
    ck_assert_double_eq(frs_group_chance(members, 8, 2, 1), 1);
    ck_assert(isnan(frs_group_chance(members, 4, 2, 1)) && isnan(frs_group_chance(members, 0, 0, 1)));
    for (size_t i = 0; i < 8; i++)
        members[i].sum = NAN;
    ck_assert(isnan(frs_group_chance(members, 8, 2, 1)));
    ck_assert_double_eq(frs_group_level(4), 0.0125);
    ck_assert_double_eq(frs_group_level(0), 0.05);
}
END_TEST

/* Half of 20 interactions are hits. A client with one, a hit, is alone in its group: 0.5 more than expected,
 * of 1 and of 19. The one with 9 would be 0.5 below, which is little for so many, and the one with 10 as
 * expected: one of three ways is as uneven. */
START_TEST(groups_weigh_by_their_interactions) {
    const struct frs_group_member members[] = {{1, 1, 0}, {4, 9, 1}, {5, 10, 1}};
    ck_assert_double_eq_tol(frs_group_chance(members, 3, 2, 1), 1.0 / 3, 0.05);
}
END_TEST

/* 300 clients of four groups that are independent of their hits: 5 % of such comparisons may differ, plus
 * twice the standard error. If the last group hits twice as often, four fifths of the comparisons differ. */
static size_t count_different(double last, uint32_t stream) {
    struct frs_group_member members[300];
    size_t different = 0;
    for (uint32_t k = 0; k < MOST; k++) {
        struct frs_rng rng = frs_rng_stream(20261126, stream, k, 0, FRS_RNG_TEST);
        for (size_t i = 0; i < 300; i++) {
            double share = i % 4 == 3 ? last : 0.2;
            members[i] = (struct frs_group_member){frs_rng_unit(&rng) < share, 1, i % 4};
        }
        different += frs_group_chance(members, 300, 4, k) <= 0.05;
    }
    return different;
}

START_TEST(equal_groups_seldom_differ) {
    size_t null = count_different(0.2, 1), real = count_different(0.45, 2);
    printf("of %d comparisons of groups that are alike %zu differ, of as many that are not %zu\n", MOST, null,
        real);
    ck_assert_double_le(null, 0.05 * MOST + 2 * sqrt(0.05 * 0.95 * MOST));
    ck_assert_double_ge(real, 0.8 * MOST);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("group_test");
    TCase *tests = tcase_create("group_test");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, share_interval_is_wilsons);
    tcase_add_test(tests, mean_interval_is_weighted);
    tcase_add_test(tests, test_chance_by_hand);
    tcase_add_test(tests, groups_weigh_by_their_interactions);
    tcase_add_test(tests, equal_groups_seldom_differ);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
