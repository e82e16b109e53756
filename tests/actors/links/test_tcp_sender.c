/* One connection's sender: its windows, repairs and timers, with every number worked out by hand. */
#include "actors/links/tcp_sender.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 100 };

struct sending {
    struct frs_tcp_sender sender;
    struct frs_tcp_transmission sent[MOST];
    uint32_t n;
};

static void begin(struct sending *s, uint32_t n_packets, double rtt_s, double window) {
    *s = (struct sending){0};
    frs_tcp_sender_init(&s->sender, n_packets, rtt_s, 0, window);
}

/* Sends what may be sent; returns how many packets that were. */
static uint32_t send_all(struct sending *s, double now_s) {
    uint32_t before = s->n;
    while (frs_tcp_sender_next(&s->sender, now_s, &s->sent[s->n]))
        s->n++;
    return s->n - before;
}

static uint32_t acknowledge(struct sending *s, double now_s, uint32_t number) {
    frs_tcp_sender_acknowledged(&s->sender, now_s, &s->sent[number]);
    return send_all(s, now_s);
}

static uint32_t time_out(struct sending *s, double due_s) {
    ck_assert_double_eq_tol(frs_tcp_sender_timer_s(&s->sender), due_s, 1e-12);
    frs_tcp_sender_timer(&s->sender, due_s);
    return send_all(s, due_s);
}

/* Ten packets, and two for each acknowledgement: 10, 20, and what is left of 35. */
START_TEST(slow_start) {
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

/* A window of 30 from before: that many at once, and one for each acknowledgement, because 30 is where slow start
 * ends. */
START_TEST(kept_window) {
    struct sending s;
    begin(&s, 40, 1, 30);
    ck_assert_uint_eq(send_all(&s, 0), 30);
    ck_assert_uint_eq(acknowledge(&s, 1, 0), 1);
    ck_assert_uint_eq(acknowledge(&s, 1, 1), 1);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* Acknowledgements within 2 ms of each other are a train. When that lasts longer than half a round trip, 0.05 s, the window
 * is where it has to be. Here they are 1.5 ms apart; the first one begins a round, and the one 34 after it is the first
 * beyond 0.05 s. It finds the window 34 packets larger than the 40 it was, and does not let it grow. */
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

/* Ten are sent, the first one is lost. The next three acknowledgements overtake it: the first two make it wait, until
 * 0 + 1 + 1/4 at most, and grow the window to 12, which lets four packets go; with the third it is lost. Window and
 * threshold: 12 · 0.7 = 8.4. Ten packets are in flight then (12 sent beyond 3 acknowledged, less the lost one), more
 * than 8.4: of n delivered ones ceil(n · 8.4/12) are sent, the lost one first. */
START_TEST(repair) {
    struct sending s;
    begin(&s, 40, 1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 10);
    ck_assert_uint_eq(acknowledge(&s, 1, 1), 2);
    ck_assert_double_eq_tol(frs_tcp_sender_timer_s(&s.sender), 1.25, 1e-12);
    ck_assert_uint_eq(acknowledge(&s, 1.01, 2), 2);
    ck_assert_uint_eq(acknowledge(&s, 1.02, 3), 1);
    ck_assert_uint_eq(s.sent[14].packet, 0);
    ck_assert_double_eq_tol(s.sender.threshold, 8.4, 1e-12);
    /* ceil(0.7 n) of n = 2, 3, 4, 5: 2, 3, 3, 4. */
    ck_assert_uint_eq(acknowledge(&s, 1.03, 4), 1);
    ck_assert_uint_eq(acknowledge(&s, 1.04, 5), 1);
    ck_assert_uint_eq(acknowledge(&s, 1.05, 6), 0);
    ck_assert_uint_eq(acknowledge(&s, 1.06, 7), 1);
    ck_assert_uint_eq(s.sent[15].packet, 14);
    /* The lost one arrives, and all that were sent before the repair: it is over. */
    for (uint32_t number = 8; number < 15; number++)
        acknowledge(&s, 1.07 + 0.01 * number, number);
    ck_assert_int_eq(s.sender.state, FRS_TCP_OPEN);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* One packet, lost four times; round trip 0.1 s. A probe would come after 0.2 + 0.2, but a time-out is 0.1 + max(0.2, 4 ·
 * 0.05) = 0.3 long, and so takes its place; then time-outs, each twice as long: 0.6, 1.2, 2.4. The last one arrives. */
START_TEST(time_outs) {
    struct sending s;
    begin(&s, 1, 0.1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 1);
    ck_assert_uint_eq(time_out(&s, 0.3), 1);
    ck_assert_uint_eq(time_out(&s, 0.6), 1);
    ck_assert_uint_eq(time_out(&s, 1.2), 1);
    ck_assert_uint_eq(time_out(&s, 2.4), 1);
    ck_assert_double_eq(s.sender.window, 1);
    ck_assert_uint_eq(acknowledge(&s, 2.5, 4), 0);
    ck_assert_double_eq(frs_tcp_sender_timer_s(&s.sender), INFINITY);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* The last two of five packets are lost; round trip 0.1 s. Two are in flight at the last acknowledgement, so that a probe
 * comes two round trips and 4 ms later: the last packet again. Its acknowledgement is the first that overtakes the fourth
 * packet, and a quarter of a round trip has long passed: that is lost and sent again, at once. */
START_TEST(tail_probe) {
    struct sending s;
    begin(&s, 5, 0.1, 0);
    ck_assert_uint_eq(send_all(&s, 0), 5);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(acknowledge(&s, 0.1, i), 0);
    ck_assert_uint_eq(time_out(&s, 0.304), 1);
    ck_assert_uint_eq(s.sent[5].packet, 4);
    ck_assert_uint_eq(acknowledge(&s, 0.404, 5), 1);
    ck_assert_uint_eq(s.sent[6].packet, 3);
    ck_assert_int_eq(s.sender.state, FRS_TCP_RECOVERY);
    ck_assert_uint_eq(acknowledge(&s, 0.504, 6), 0);
    ck_assert_int_eq(s.sender.state, FRS_TCP_OPEN);
    frs_tcp_sender_fini(&s.sender);
}
END_TEST

/* The receiver gets a packet once, whatever it is sent. */
START_TEST(once) {
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
    tcase_add_test(tests, slow_start);
    tcase_add_test(tests, kept_window);
    tcase_add_test(tests, trains_end_slow_start);
    tcase_add_test(tests, repair);
    tcase_add_test(tests, time_outs);
    tcase_add_test(tests, tail_probe);
    tcase_add_test(tests, once);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
