/* One connection's sender: its windows, repairs and timers, with every number worked out by hand. */
#include "tests/actors/links/sending.h"

#include <math.h>
#include <stdlib.h>

/* Ten packets, and two for each acknowledgement: 10, 20, and what is left of 35. */
START_TEST(slow_start_doubles_the_window) {
    struct sending s;
    begin(&s, 35, 1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 10);
    for (uint32_t i = 0; i < 10; i++)
        ck_assert_uint_eq(acknowledge(&s, 1 + 0.1 * i, i), 2);
    for (uint32_t i = 10; i < 35; i++)
        ck_assert_uint_eq(acknowledge(&s, 2 + 0.1 * i, i), i < 12 ? 2 : i == 12 ? 1 : 0);
    ck_assert_double_eq(frs_tcp_sender_timer_s(&s.sender), INFINITY);
    ck_assert_uint_eq(s.n, 35);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* A window of 30 from before: 30 packets are sent at once, and one for each acknowledgement, because slow
 * start ends at 30. */
START_TEST(kept_window_is_sent_at_once) {
    struct sending s;
    begin(&s, 40, 1, 30);
    ck_assert_uint_eq(send_all(&s, 0), 30);
    ck_assert_uint_eq(acknowledge(&s, 1, 0), 1);
    ck_assert_uint_eq(acknowledge(&s, 1, 1), 1);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* Ten are sent, the first one is lost. The next three acknowledgements overtake it: the first two make it
 * wait, until 0 + 1 + 1/4 and two ticks of the clock at most, and let a packet go each, but the window stays
 * what it is, since nothing is acknowledged in order; with the third it is lost. Threshold: 10 · 0.7 = 7.
 * Eight packets are in flight then (12 sent, less 3 acknowledged and the lost one), more than 7: of n
 * delivered ones ceil(n · 7/10) are sent, the lost one first. */
START_TEST(lost_packet_is_repaired_by_acknowledgements) {
    struct sending s;
    begin(&s, 40, 1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 10);
    ck_assert_uint_eq(acknowledge(&s, 1, 1), 1);
    ck_assert_double_eq_tol(frs_tcp_sender_timer_s(&s.sender), 1.258, 1e-12);
    ck_assert_uint_eq(acknowledge(&s, 1.01, 2), 1);
    ck_assert_uint_eq(acknowledge(&s, 1.02, 3), 1);
    ck_assert_uint_eq(s.sent[12].packet, 0);
    ck_assert_double_eq(s.sender.threshold, 7);
    /* ceil(0.7 n) of n = 2, 3, 4: 2, 3, 3. */
    ck_assert_uint_eq(acknowledge(&s, 1.03, 4), 1);
    ck_assert_uint_eq(acknowledge(&s, 1.04, 5), 1);
    ck_assert_uint_eq(acknowledge(&s, 1.05, 6), 0);
    ck_assert_uint_eq(s.sent[13].packet, 12);
    /* The lost one arrives, and all that were sent before the repair: it is over. */
    for (uint32_t number = 7; number < 13; number++)
        acknowledge(&s, 1.07 + 0.01 * number, number);
    ck_assert_int_eq(s.sender.state, FRS_TCP_OPEN);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* The same, at one instant; then the lost packet is lost again. Time-outs are 1 + 2 long, counted from
 * when it was sent again: at 4. The threshold of slow start was already reduced for this loss, and stays
 * 7. */
START_TEST(time_out_of_a_repair) {
    struct sending s;
    begin(&s, 40, 1, 0);
    send_all(&s, 0);
    for (uint32_t number = 1; number < 4; number++)
        acknowledge(&s, 1, number);
    ck_assert_int_eq(s.sender.state, FRS_TCP_RECOVERY);
    ck_assert_uint_eq(time_out(&s, 4), 1);
    ck_assert_int_eq(s.sender.state, FRS_TCP_LOSS);
    ck_assert_double_eq(s.sender.threshold, 7);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* No acknowledgement arrives. After two round trips and two ticks comes a probe, a new packet beyond the
 * window, which does not change; 0.3 s later a time-out, and the first of 11 packets is sent again. */
static void begin_with_time_out(struct sending *s) {
    begin(s, 20, 0.1, 0);
    ck_assert_uint_eq(send_all(s, 0), 10);
    ck_assert_uint_eq(time_out(s, 0.208), 1);
    ck_assert_double_eq(s->sender.window, 10);
    ck_assert_uint_eq(time_out(s, 0.508), 1);
    ck_assert_uint_eq(s->sent[11].packet, 0);
    ck_assert_double_eq(s->sender.window, 1);
    ck_assert_double_eq(s->sender.threshold, 7);
}

/* The packet that is now acknowledged was sent before the time-out, so the time-out was a mistake. All ten
 * others count as under way again, and the window is the old one plus one for this acknowledgement. */
START_TEST(mistaken_time_out) {
    struct sending s;
    begin_with_time_out(&s);
    ck_assert_uint_eq(acknowledge(&s, 0.55, 0), 1);
    ck_assert_uint_eq(s.sent[12].packet, 11);
    ck_assert_int_eq(s.sender.state, FRS_TCP_OPEN);
    ck_assert_double_eq(s.sender.window, 11);
    ck_assert_double_eq(s.sender.threshold, INFINITY);
    ck_assert_uint_eq(s.sender.n_lost, 0);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* The acknowledged packet is the one that was sent again. Two new ones follow, to see whether others had
 * arrived. One of them is acknowledged, but nothing before it, so the others had not: the second packet is
 * sent again. */
START_TEST(new_packets_test_a_time_out) {
    struct sending s;
    begin_with_time_out(&s);
    ck_assert_uint_eq(acknowledge(&s, 0.608, 11), 2);
    ck_assert_uint_eq(s.sent[12].packet, 11);
    ck_assert_uint_eq(s.sent[13].packet, 12);
    ck_assert_uint_eq(acknowledge(&s, 0.708, 12), 1);
    ck_assert_uint_eq(s.sent[14].packet, 1);
    ck_assert_int_eq(s.sender.state, FRS_TCP_LOSS);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* In the repair after a time-out, packets that were sent again are lost: packet 1 is overtaken by packet
 * 2. The window of 3 (one for the time-out and one for each packet acknowledged in order) is reduced once
 * more, to 2. */
START_TEST(packets_lost_again_are_sent_again) {
    struct sending s;
    begin_with_time_out(&s);
    acknowledge(&s, 0.608, 11);
    acknowledge(&s, 0.708, 12);
    ck_assert_uint_eq(acknowledge(&s, 0.709, 13), 1);
    ck_assert_uint_eq(s.sent[15].packet, 2);
    acknowledge(&s, 0.85, 15);
    ck_assert_int_eq(s.sender.state, FRS_TCP_RECOVERY);
    ck_assert_double_eq(s.sender.threshold, 2);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* One packet, lost four times; round trip 0.1 s. A probe would come after 0.2 + 0.2, but a time-out is 0.1 +
 * max(0.2, 4 · 0.05) = 0.3 long, and so takes its place; then time-outs, each twice as long: 0.6, 1.2, 2.4.
 * The last one arrives. */
START_TEST(each_time_out_lasts_twice_as_long) {
    struct sending s;
    begin(&s, 1, 0.1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 1);
    ck_assert_uint_eq(time_out(&s, 0.3), 1);
    ck_assert_uint_eq(time_out(&s, 0.6), 1);
    ck_assert_uint_eq(time_out(&s, 1.2), 1);
    ck_assert_uint_eq(time_out(&s, 2.4), 1);
    ck_assert_double_eq(s.sender.window, 1);
    ck_assert_double_eq(s.sender.last_maximum, 0); /* what CUBIC knew is forgotten */
    ck_assert_uint_eq(acknowledge(&s, 2.5, 4), 0);
    ck_assert_double_eq(frs_tcp_sender_timer_s(&s.sender), INFINITY);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* The last two of five packets are lost; round trip 0.1 s. Two are in flight at the last acknowledgement, so
 * that a probe comes two round trips and 8 ms later: the last packet again. Its acknowledgement is the first
 * that overtakes the fourth packet, and a quarter of a round trip has long passed: that is lost and sent
 * again, at once. */
START_TEST(a_probe_repairs_a_lost_tail) {
    struct sending s;
    begin(&s, 5, 0.1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 5);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(acknowledge(&s, 0.1, i), 0);
    ck_assert_uint_eq(time_out(&s, 0.308), 1);
    ck_assert_uint_eq(s.sent[5].packet, 4);
    ck_assert_uint_eq(acknowledge(&s, 0.408, 5), 1);
    ck_assert_uint_eq(s.sent[6].packet, 3);
    ck_assert_int_eq(s.sender.state, FRS_TCP_RECOVERY);
    ck_assert_uint_eq(acknowledge(&s, 0.508, 6), 0);
    ck_assert_int_eq(s.sender.state, FRS_TCP_OPEN);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* A message of one packet, which is lost; a probe replaces it, because a time-out would come no later. The
 * next message reveals the loss: its first acknowledgement reduces the window from 10 to 7 and ends slow
 * start. */
START_TEST(probe_reduces_what_comes_next) {
    struct sending s;
    begin(&s, 1, 0.1, 0);
    send_all(&s, 0);
    ck_assert_uint_eq(time_out(&s, 0.3), 1);
    acknowledge(&s, 0.4, 1);
    const struct frs_path_memory memory = frs_tcp_sender_memory(&s.sender);
    ck_assert_uint_eq(memory.probe_repaired, 1);
    frs_tcp_sender_fini(&s.sender);
    begin(&s, 20, 0.1, 0);
    frs_tcp_sender_remember(&s.sender, &memory);
    ck_assert_uint_eq(send_all(&s, 1), 10);
    ck_assert_uint_eq(acknowledge(&s, 1.1, 0), 0);
    ck_assert_double_eq(s.sender.window, 7);
    ck_assert_double_eq(s.sender.threshold, 7);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* After a time-out the next message on the connection begins with the remaining window of 2: one, and one
 * for the acknowledgement. */
START_TEST(small_window_is_kept) {
    struct sending s;
    begin(&s, 1, 0.1, 0);
    send_all(&s, 0);
    time_out(&s, 0.3);
    time_out(&s, 0.6);
    acknowledge(&s, 0.7, 2);
    const struct frs_path_memory memory = frs_tcp_sender_memory(&s.sender);
    frs_tcp_sender_fini(&s.sender);
    begin(&s, 20, 0.1, 0);
    frs_tcp_sender_remember(&s.sender, &memory);
    ck_assert_uint_eq(send_all(&s, 1), 2);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* A window of 10 in which a packet is lost. Where 20 was too much before, others seem to need room: 10 · (1 +
 * 717/1024)/2 = 8.5 is the next maximum. */
START_TEST(a_lower_maximum_makes_room) {
    for (int before = 0; before < 2; before++) {
        struct sending s;
        begin(&s, 40, 1, 0);
        s.sender.last_maximum = before ? 20 : 0;
        send_all(&s, 0);
        for (uint32_t number = 1; number < 4; number++)
            acknowledge(&s, 1, number);
        ck_assert_int_eq(s.sender.state, FRS_TCP_RECOVERY);
        ck_assert_double_eq(s.sender.last_maximum, before ? 8 : 10);
        frs_tcp_sender_fini(&s.sender);
    }
}
END_TEST

/* The margin of time-outs shrinks by a quarter of what it is above the largest deviation of a round trip, 0.2
 * at least: 0.5 − 0.3/4. A round trip that is 0.2 s shorter adds an eighth of 0.2 − 0.04/4 to the deviation.
 */
START_TEST(margins_shrink_slowly) {
    struct sending s;
    begin(&s, 40, 0.1, 0);
    send_all(&s, 0);
    s.sender.allowed_s = 0.5;
    s.sender.deviation_s = 0.04;
    s.sender.rtt_s = 0.3;
    acknowledge(&s, 0.1, 0);
    ck_assert_double_eq_tol(s.sender.allowed_s, 0.425, 1e-12);
    ck_assert_double_eq_tol(s.sender.deviation_s, 0.04 + 0.19 / 8, 1e-12);
    ck_assert_double_eq_tol(s.sender.rtt_s, 0.275, 1e-12);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* A time-out doubles the next one until something new is acknowledged. */
START_TEST(an_acknowledgement_ends_doubling) {
    struct sending s;
    begin_with_time_out(&s);
    ck_assert(s.sender.timeout_factor == 2);
    acknowledge(&s, 0.608, 11);
    ck_assert(s.sender.timeout_factor == 1);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* The acknowledgement of a packet that is alone may be delayed: a probe comes after two round trips and 0.2
 * s; of two, after two round trips and 8 ms. */
START_TEST(a_probe_waits_for_a_packet_alone) {
    for (uint32_t left = 1; left <= 2; left++) {
        struct sending s;
        begin(&s, 1 + left, 0.1, 0);
        send_all(&s, 0);
        acknowledge(&s, 0.1, 0);
        ck_assert_double_eq_tol(s.sender.probe_s, 0.1 + 0.2 + (left == 1 ? 0.2 : 0.008), 1e-12);
        frs_tcp_sender_fini(&s.sender);
    }
}
END_TEST

/* The receiver gets a packet once, whatever it is sent. */
START_TEST(every_packet_arrives_once) {
    struct sending s;
    begin(&s, 3, 0.1, 0);
    send_all(&s, 0);
    ck_assert(frs_tcp_sender_reaches(&s.sender, 1));
    ck_assert(!frs_tcp_sender_reaches(&s.sender, 1));
    ck_assert(frs_tcp_sender_reaches(&s.sender, 0));
    acknowledge(&s, 0.1, 0);
    acknowledge(&s, 0.1, 1);
    ck_assert(!frs_tcp_sender_reaches(&s.sender, 0));
    ck_assert(!frs_tcp_sender_reaches(&s.sender, 1));
    ck_assert(frs_tcp_sender_reaches(&s.sender, 2));
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tcp sender");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, slow_start_doubles_the_window);
    tcase_add_test(tests, kept_window_is_sent_at_once);
    tcase_add_test(tests, lost_packet_is_repaired_by_acknowledgements);
    tcase_add_test(tests, time_out_of_a_repair);
    tcase_add_test(tests, mistaken_time_out);
    tcase_add_test(tests, new_packets_test_a_time_out);
    tcase_add_test(tests, packets_lost_again_are_sent_again);
    tcase_add_test(tests, probe_reduces_what_comes_next);
    tcase_add_test(tests, small_window_is_kept);
    tcase_add_test(tests, each_time_out_lasts_twice_as_long);
    tcase_add_test(tests, a_probe_repairs_a_lost_tail);
    tcase_add_test(tests, an_acknowledgement_ends_doubling);
    tcase_add_test(tests, a_probe_waits_for_a_packet_alone);
    tcase_add_test(tests, a_lower_maximum_makes_room);
    tcase_add_test(tests, margins_shrink_slowly);
    tcase_add_test(tests, every_packet_arrives_once);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
