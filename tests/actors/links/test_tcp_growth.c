/* How a sender's window grows, with every number worked out by hand. */
#include "actors/links/tcp_growth.h"
#include "tests/actors/links/sending.h"

/* An eighth of the delay, but from 4 to 16 ms. */
START_TEST(patience_has_limits) {
    ck_assert_double_eq(frs_hystart_patience_s(0.01), 0.004);
    ck_assert_double_eq(frs_hystart_patience_s(0.064), 0.008);
    ck_assert_double_eq(frs_hystart_patience_s(1), 0.016);
}
END_TEST

/* Acknowledgements within 2 ms of each other are a train. When that lasts longer than half a round trip, 0.05
 * s, the window is where it has to be. Here they are 1.5 ms apart; the first one begins a round, and the one
 * 34 after it is the first beyond 0.05 s. It finds the window 34 packets larger than the 40 it was, and does
 * not let it grow. */
START_TEST(trains_end_slow_start) {
    struct sending s;
    begin(&s, 99, 0.1, 0);
    s.sender.window = 40; /* as if it had had two rounds */
    ck_assert_uint_eq(send_all(&s, 0), 40);
    for (uint32_t i = 0; i < 38; i++)
        acknowledge(&s, 0.1 + 0.0015 * i, i);
    ck_assert_double_eq(s.sender.threshold, 74);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* A window of 8 where 10 was too much: K = ∛(2/0.4004) = 1.709 s. 0.1 s after the beginning 0.4004 · 1.609³
 * = 1.67, in whole packets 1, are missing of 10: 8 / (9 − 8) packets have to be acknowledged for the window
 * to be 9. */
START_TEST(cubic_in_whole_packets) {
    struct sending s;
    begin(&s, 40, 0.1, 0);
    s.sender.window = s.sender.threshold = 8;
    s.sender.last_maximum = 10;
    ck_assert_uint_eq(send_all(&s, 0), 8);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(acknowledge(&s, 0.1, i), 1);
    ck_assert_uint_eq(acknowledge(&s, 0.1, 7), 2);
    ck_assert_double_eq(s.sender.window, 9);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* 8 where 100 was too much: K = ∛(92/0.4004) = 6.125 s, and 0.1 s after the beginning 87 are missing of 100.
 * To reach 13, each packet would let the window grow by more than one; the kernel wants two for each. */
START_TEST(cubic_grows_by_a_half_at_most) {
    struct sending s;
    begin(&s, 40, 0.1, 0);
    s.sender.window = s.sender.threshold = 8;
    s.sender.last_maximum = 100;
    ck_assert_uint_eq(send_all(&s, 0), 8);
    acknowledge(&s, 0.1, 0);
    ck_assert_double_eq(s.sender.window, 8);
    acknowledge(&s, 0.1, 1);
    ck_assert_double_eq(s.sender.window, 9);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* On the plateau CUBIC stays at 8. Reno, for the same losses, would have one packet more when more than 8 ·
 * 15/8 = 15 are acknowledged: with the sixteenth, which finds 8 waiting for the window of 9. */
START_TEST(cubic_follows_reno) {
    struct sending s;
    begin(&s, 40, 0.1, 0);
    s.sender.window = s.sender.threshold = s.sender.last_maximum = 8;
    ck_assert_uint_eq(send_all(&s, 0), 8);
    for (uint32_t i = 0; i < 15; i++)
        acknowledge(&s, 0.1 + 0.04 * i, i);
    ck_assert_double_eq(s.sender.window, 8);
    acknowledge(&s, 0.7, 15);
    ck_assert_double_eq(s.sender.window, 9);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* Where nothing was lost before, a window of 40 grows after 20. */
START_TEST(cubic_without_a_loss) {
    struct sending s;
    begin(&s, 99, 0.1, 0);
    s.sender.window = s.sender.threshold = 40;
    ck_assert_uint_eq(send_all(&s, 0), 40);
    for (uint32_t i = 0; i < 19; i++)
        ck_assert_uint_eq(acknowledge(&s, 0.1, i), 1);
    ck_assert_uint_eq(acknowledge(&s, 0.1, 19), 2);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tcp growth");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, trains_end_slow_start);
    tcase_add_test(tests, cubic_in_whole_packets);
    tcase_add_test(tests, cubic_without_a_loss);
    tcase_add_test(tests, patience_has_limits);
    tcase_add_test(tests, cubic_grows_by_a_half_at_most);
    tcase_add_test(tests, cubic_follows_reno);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
