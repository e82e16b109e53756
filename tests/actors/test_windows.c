/* What a connection remembers, by hand. */
#include "actors/slow_start.h"
#include "tests/support.h"

#include <math.h>

static struct frs_path_memory remembered(double window, double threshold) {
    return (struct frs_path_memory){
        .window = window, .threshold = threshold, .timeout_s = 0.3, .sent_s = 10, .last_maximum = 7};
}

/* 0.3 s are not over: nothing happens. Then the window is halved for each 0.3 s, down to 10 packets. */
START_TEST(halved_once_per_timeout) {
    const struct frs_path_memory memory = remembered(85, 0);
    const double idle_s[] = {0, 0.29, 0.31, 0.59, 0.61, 0.91, 1.21, 100},
                 windows[] = {85, 85, 42, 42, 21, 10, 10, 10};
    for (size_t i = 0; i < sizeof idle_s / sizeof *idle_s; i++) {
        struct frs_path_memory left = frs_path_memory_at(&memory, 10 + idle_s[i]);
        ck_assert_double_eq(left.window, windows[i]);
        ck_assert_double_eq(left.threshold, 0);
        ck_assert_double_eq(left.last_maximum, 7);
    }
}
END_TEST

/* Half of 19 is 9, and a fresh connection would begin with 10. */
START_TEST(idle_connections_send_what_fresh_ones_do) {
    const struct frs_path_memory memory = remembered(19, 0);
    ck_assert_double_eq(frs_path_memory_at(&memory, 10.31).window, 10);
}
END_TEST

/* Slow start that had ended ends at three quarters of what the window was, if that is more. */
START_TEST(threshold_of_three_quarters) {
    const struct frs_path_memory low = remembered(80, 30), high = remembered(80, 70);
    ck_assert_double_eq(frs_path_memory_at(&low, 10.1).threshold, 30);
    ck_assert_double_eq(frs_path_memory_at(&low, 11).threshold, 60);
    ck_assert_double_eq(frs_path_memory_at(&high, 11).threshold, 70);
}
END_TEST

/* Losses have left less than the initial window: that does not come back by waiting. */
START_TEST(small_window_stays) {
    const struct frs_path_memory memory = remembered(3, 2);
    ck_assert_double_eq(frs_path_memory_at(&memory, 100).window, 3);
}
END_TEST

START_TEST(nothing_is_remembered) {
    const struct frs_path_memory none = {0};
    ck_assert_double_eq(frs_path_memory_at(&none, 100).window, 0);
}
END_TEST

/* A first window of 20 packets of 0.01 s each, and a round trip of 0.3 s: 0.31 s, and what is left of 30. */
START_TEST(slow_start_begins_with_it) {
    const double rate = 100.0 * FRS_SEGMENT_BYTES;
    const struct frs_path_memory memory = {.window = 20};
    struct frs_slow_start slow_start = frs_slow_start_begin(rate, 0.3, FRS_SLOW_START_QUICK);
    frs_slow_start_remember(&slow_start, &memory);
    ck_assert_double_eq_tol(frs_slow_start_takes_s(slow_start, 30.0 * FRS_SEGMENT_BYTES), 0.31 + 0.1, 1e-12);
    slow_start = frs_slow_start_begin(rate, 0.3, FRS_SLOW_START_NONE);
    frs_slow_start_remember(&slow_start, &memory);
    ck_assert_double_eq_tol(frs_slow_start_takes_s(slow_start, 30.0 * FRS_SEGMENT_BYTES), 0.3, 1e-12);
}
END_TEST

/* 10 packets, then 5 no sooner than 0.4 s after their start; what is left goes with the last window. */
START_TEST(slow_start_follows_windows) {
    const double rate = 100.0 * FRS_SEGMENT_BYTES;
    struct frs_window of[] = {{10 * FRS_SEGMENT_BYTES, 0.4}, {5 * FRS_SEGMENT_BYTES, 0}};
    struct frs_slow_start slow_start = frs_slow_start_begin(rate, 0.3, FRS_SLOW_START_QUICK);
    frs_slow_start_follow(&slow_start, &(struct frs_windows){.of = of, .n = 2});
    ck_assert_double_eq_tol(frs_slow_start_takes_s(slow_start, 15.0 * FRS_SEGMENT_BYTES), 0.45, 1e-12);
    ck_assert_double_eq_tol(frs_slow_start_takes_s(slow_start, 17.0 * FRS_SEGMENT_BYTES), 0.47, 1e-12);
    ck_assert_double_eq_tol(frs_slow_start_takes_s(slow_start, 8.0 * FRS_SEGMENT_BYTES), 0.08, 1e-12);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("windows");
    TCase *tests = tcase_create("windows");
    tcase_add_test(tests, halved_once_per_timeout);
    tcase_add_test(tests, idle_connections_send_what_fresh_ones_do);
    tcase_add_test(tests, threshold_of_three_quarters);
    tcase_add_test(tests, small_window_stays);
    tcase_add_test(tests, nothing_is_remembered);
    tcase_add_test(tests, slow_start_begins_with_it);
    tcase_add_test(tests, slow_start_follows_windows);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
