/* Golden timelines of messages that go packet by packet: every time and byte worked out by hand. */
#include "tests/actors/fixture.h"

enum { CALENDAR_AND_ACTORS = 2 };

#define PACKET 1448
#define IS(time, hand) ck_assert_double_eq_tol(time, hand, 1e-9)

/* Links of one packet a second, 0.5 s away.
 *   0: 5 packets down, at 5.5; computes 1 s; 2 packets up, 2.5 s: 9
 *   1: leaves at 3.6, when the packets that left at 1, 2 and 3 have arrived and no other
 *   2: opens a connection: 2.5 s, 932 bytes up (with its headers, and 12 more for the frame: 944 of 1526),
 *      3966 down in three packets (4002 of 1526). One packet down, 1.5 s; fails after half of 4 packets
 *      up, 2.5 s */
START_TEST(three_clients_by_packets_end_when_they_should) {
    struct plan *plan = plan_create(1, _i);
    plan->by_packets = true;
    plan_add(plan, 0, (struct planned)PLANNED(0, PACKET, PACKET, 0.5, 5 * PACKET, 1, 2 * PACKET));
    plan_add(plan, 0, (struct planned)PLANNED(1, PACKET, PACKET, 0.5, 5 * PACKET, 1, 2 * PACKET));
    plan_add(plan, 0, (struct planned)PLANNED(2, PACKET, PACKET, 0.5, PACKET, 0, 4 * PACKET));
    struct planned *leaver = &plan->rounds[0][1], *loser = &plan->rounds[0][2];
    leaver->p.plan.leaves_s = 3.6;
    loser->handshake = (struct frs_handshake){.wait_s = 2.5, .up_bytes = 932, .down_bytes = 3966};
    loser->p.plan.up_loss = (struct frs_loss){
        .planned = true, .at_share = 0.5, .cause = FRS_CAUSE_CONNECTION, .after_s = INFINITY};
    for (size_t i = 0; i < 3; i++)
        plan->rounds[0][i].slow_start_kind = FRS_SLOW_START_QUICK;
    plan_run(plan);
    const struct frs_participation *p = &plan->rounds[0][0].p;
    IS(p->times.down_start_s, 0);
    IS(p->times.down_end_s, 5.5);
    IS(p->times.up_start_s, 6.5);
    IS(p->times.up_end_s, 9);
    ck_assert_int_eq(p->result.outcome, FRS_DELIVERED);
    p = &leaver->p;
    IS(p->times.ended_s, 3.6);
    ck_assert_int_eq(p->result.outcome, FRS_DROPPED_DOWN);
    ck_assert_uint_eq(p->result.down_crossed_bytes, 3 * PACKET);
    p = &loser->p;
    double connected_s = 2.5 + (944 + 4002) / 1526.;
    IS(p->times.connected_s, connected_s);
    ck_assert_uint_eq(p->result.setup_up_bytes, 932);
    ck_assert_uint_eq(p->result.setup_down_bytes, 3966);
    IS(p->times.down_end_s, connected_s + 1.5);
    IS(p->times.ended_s, connected_s + 4);
    ck_assert_int_eq(p->result.outcome, FRS_DROPPED_UP);
    ck_assert_uint_eq(p->result.up_crossed_bytes, 2 * PACKET);
    ck_assert_double_eq(plan->carried.down_bytes, (5 + 3 + 1) * PACKET + 3966);
    ck_assert_double_eq(plan->carried.up_bytes, (2 + 2) * PACKET + 932);
    plan_destroy(plan);
}
END_TEST

/* Three clients 1 s away share a server's link of ten packets a second, with links of their own a thousand
 * times as fast. Downloads of 5 packets, one client after the other: they leave by 0.5, 1 and 1.5, and arrive
 * 1 s later. Uploads of 5, 10 and 1: the first leaves by 2, the second by 3; the third one computes 0.1 s, so
 * its packet comes at 2.6, behind all that the second has sent at once, and leaves at 3.1. What own links add
 * is less than 1 ms for each packet and link. */
START_TEST(test_server_link_is_shared) {
    struct plan *plan = plan_create(1, _i);
    const uint64_t up_packets[] = {5, 10, 1};
    const double down_s[] = {1.5, 2, 2.5}, up_s[] = {3, 4, 4.1};
    plan->by_packets = true;
    plan->server_down_bytes_per_s = plan->server_up_bytes_per_s = 10 * PACKET;
    for (uint32_t i = 0; i < 3; i++) {
        plan_add(plan, 0,
            (struct planned)PLANNED(
                i, 1e4 * PACKET, 1e4 * PACKET, 1, 5 * PACKET, i == 2 ? 0.1 : 0, up_packets[i] * PACKET));
        plan->rounds[0][i].slow_start_kind = FRS_SLOW_START_QUICK;
    }
    plan_run(plan);
    for (size_t i = 0; i < 3; i++) {
        const struct frs_participation *p = &plan->rounds[0][i].p;
        ck_assert_double_eq_tol(p->times.down_end_s, down_s[i], 1e-3);
        ck_assert_double_eq_tol(p->times.up_end_s, up_s[i], 2e-3);
    }
    ck_assert_double_eq(plan->carried.down_bytes, 15 * PACKET);
    ck_assert_double_eq(plan->carried.up_bytes, 16 * PACKET);
    plan_destroy(plan);
}
END_TEST

/* The third begins first, then the first, then the second: each a thousandth of a second apart. */
static double reordered_s(void *context, struct frs_participation *p, uint32_t n) {
    static const double starts_s[] = {0.002, 0.003, 0.001};
    (void)context;
    return n == 0 ? starts_s[p->client] : 0;
}

/* As before, but who begins first says who is served first. */
START_TEST(test_starts_decide_the_order) {
    struct plan *plan = plan_create(1, _i);
    const double down_s[] = {2, 2.5, 1.5};
    plan->by_packets = true;
    plan->start_s = reordered_s;
    plan->server_down_bytes_per_s = plan->server_up_bytes_per_s = 10 * PACKET;
    for (uint32_t i = 0; i < 3; i++) {
        plan_add(plan, 0,
            (struct planned)PLANNED(i, 1e4 * PACKET, 1e4 * PACKET, 1, 5 * PACKET, 10 * (i + 1), PACKET));
        plan->rounds[0][i].slow_start_kind = FRS_SLOW_START_QUICK;
    }
    plan_run(plan);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(plan->rounds[0][i].p.times.down_end_s, down_s[i], 4e-3);
    plan_destroy(plan);
}
END_TEST

/* Flight by flight, with links of a packet a second, 0.5 s away: 1 s; 640 bytes up (652 of 1526 with what
 * framing adds to their headers) and 0.5 s; 3966 down (4002 of 1526) and 0.5 s; two packets of 146 up (158 of
 * 1526 each) and 0.5 s. Then a packet down: 1.5 s. */
START_TEST(test_flights_of_a_handshake) {
    struct plan *plan = plan_create(1, _i);
    plan->by_packets = true;
    plan_add(plan, 0, (struct planned)PLANNED(0, PACKET, PACKET, 0.5, PACKET, 0, PACKET));
    plan->rounds[0][0].slow_start_kind = FRS_SLOW_START_QUICK;
    plan->rounds[0][0].handshake = (struct frs_handshake){.wait_s = 2.5,
        .up_bytes = 932,
        .down_bytes = 3966,
        .open_s = 1,
        .last_up_bytes = 292,
        .last_up_packets = 2};
    plan_run(plan);
    const struct frs_participation *p = &plan->rounds[0][0].p;
    double connected_s = 2.5 + (652 + 4002 + 2 * 158) / 1526.;
    IS(p->times.connected_s, connected_s);
    IS(p->times.down_end_s, connected_s + 1.5);
    ck_assert_uint_eq(p->result.setup_up_bytes, 932);
    ck_assert_uint_eq(p->result.setup_down_bytes, 3966);
    /* What is sent next continues with the senders of the flights: windows of ten, and round trips longer
     * than the second of latency. */
    for (int way = 0; way < 2; way++) {
        ck_assert_double_eq(p->begun[way].window, 10);
        ck_assert_double_gt(p->begun[way].rtt_s, 1);
    }
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("event_queue by packets");
    TCase *tests = tcase_create("times worked out by hand");
    tcase_add_loop_test(tests, three_clients_by_packets_end_when_they_should, 0, CALENDAR_AND_ACTORS);
    tcase_add_loop_test(tests, test_server_link_is_shared, 0, CALENDAR_AND_ACTORS);
    tcase_add_loop_test(tests, test_starts_decide_the_order, 0, CALENDAR_AND_ACTORS);
    tcase_add_loop_test(tests, test_flights_of_a_handshake, 0, CALENDAR_AND_ACTORS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
