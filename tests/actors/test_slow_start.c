/* Slow start and new connections: rounds whose every time is worked out by hand in the comments.
 *
 * A window of 14,480 bytes leaves a link of 144,800 bytes/s in 0.1 s, and a segment of 1,448 bytes in 0.01 s.
 */
#include "tests/actors/by_hand.h"

enum { N_EXACT_PLAYERS = 2, SEGMENT = FRS_SEGMENT_BYTES, WINDOW = 10 * SEGMENT };

#define RATE (100.0 * SEGMENT)

/* Links of RATE both ways; it takes part under tcp. */
static struct planned *add_slow_start(
    struct plan *plan, uint32_t client, double latency_s, uint64_t down_bytes, uint64_t up_bytes) {
    plan_add(plan, 0, (struct planned)PLANNED(client, RATE, RATE, latency_s, down_bytes, 1, up_bytes));
    struct planned *added = last_added(plan, 0);
    added->slow_start_kind = FRS_SLOW_START_QUICK;
    return added;
}

static void check_times(const struct planned *planned, const double hand[7]) {
    const struct frs_participation *p = &planned->p;
    const double times[7] = {p->times.started_s, p->times.connected_s, p->times.down_start_s,
        p->times.down_end_s, p->times.compute_end_s, p->times.up_start_s, p->times.up_end_s};
    for (size_t i = 0; i < 7; i++)
        ck_assert_msg((isnan(times[i]) && isnan(hand[i])) || fabs(times[i] - hand[i]) <= SLACK_S,
            "client %u, time %zu: %.12g instead of %.12g", p->client, i, times[i], hand[i]);
}

/* With a round trip of 0.3 s a round takes at least 0.31 s; 0.32 s where the first acknowledgement is for
 * two packets. */
START_TEST(a_round_of_windows_takes_a_round_trip) {
    struct frs_slow_start slow_start = frs_slow_start_begin(RATE, 0.3, FRS_SLOW_START_QUICK);
    double wait_s;
    ck_assert_uint_eq(frs_slow_start_next(&slow_start, 100000, &wait_s), WINDOW); /* 0.1 s < 0.31 s */
    IS(wait_s, 0.31);
    ck_assert_uint_eq(frs_slow_start_next(&slow_start, 85520, &wait_s), 2 * WINDOW); /* 0.2 s */
    IS(wait_s, 0.31);
    ck_assert_uint_eq(
        frs_slow_start_next(&slow_start, 56560, &wait_s), 56560); /* 0.4 s: the link never idles again */
    IS(wait_s, 0);
    /* 0.31 + 0.31 + 56560 / 144800 */
    IS(frs_slow_start_duration_s(100000, RATE, 0.3, FRS_SLOW_START_QUICK), 1.01060773480663);
    /* 0.32 + 0.32 + 56560 / 144800 */
    IS(frs_slow_start_duration_s(100000, RATE, 0.3, FRS_SLOW_START_PAIRED), 1.03060773480663);
    /* 100000 / 144800 */
    IS(frs_slow_start_duration_s(100000, RATE, 0.3, FRS_SLOW_START_NONE), 0.690607734806630);
    slow_start = frs_slow_start_begin(RATE, 0.3, FRS_SLOW_START_NONE);
    ck_assert_uint_eq(frs_slow_start_next(&slow_start, 100000, &wait_s), 100000);
    IS(wait_s, 0);
    /* A message that fits the window, and a link that one window fills, know no rounds. */
    IS(frs_slow_start_duration_s(WINDOW, RATE, 0.3, FRS_SLOW_START_PAIRED), 0.1);
    IS(frs_slow_start_duration_s(100000, RATE, 0.09, FRS_SLOW_START_QUICK), 100000 / RATE);
    IS(frs_slow_start_duration_s(100000, RATE, 0, FRS_SLOW_START_PAIRED), 100000 / RATE);
    /* Half a byte more than a window needs a second one, of a byte. */
    IS(frs_slow_start_duration_s(WINDOW + 0.5, RATE, 0.3, FRS_SLOW_START_QUICK), 0.31 + 1 / RATE);
    IS(frs_slow_start_duration_s(5.0 * WINDOW, INFINITY, 0.3, FRS_SLOW_START_PAIRED),
        0.6); /* 1, 2 and 2 windows */
}
END_TEST

/* The estimated capacity of a link equals the true one, wherever slow start ends. It is unlimited where
 * round trips explain the whole time. */
START_TEST(test_the_other_way_round) {
    static const double sizes[] = {1, 1000, WINDOW, WINDOW + 1, 50000, 100000, 1e6, 1e7},
                        rates[] = {1e3, 2e4, RATE, 1e6, 1e8}, trips[] = {0, 0.01, 0.3, 2};
    static const enum frs_slow_start_kind kinds[] = {
        FRS_SLOW_START_NONE, FRS_SLOW_START_QUICK, FRS_SLOW_START_PAIRED};
    for (size_t i = 0; i < 8 * 5 * 4 * 3; i++) {
        double bytes = sizes[i % 8], rate = rates[i / 8 % 5], trip_s = trips[i / 40 % 4];
        enum frs_slow_start_kind kind = kinds[i / 160];
        double duration_s = frs_slow_start_duration_s(bytes, rate, trip_s, kind),
               found = frs_slow_start_s_per_byte(bytes, duration_s, trip_s, kind);
        ck_assert_double_eq_tol(found * rate, 1, 1e-9);
    }
    /* 1, 2 and 2 windows take two round trips. */
    ck_assert_double_eq(frs_slow_start_s_per_byte(5.0 * WINDOW, 0.5, 0.3, FRS_SLOW_START_PAIRED), 0);
    ck_assert_double_eq(frs_slow_start_s_per_byte(0, 3, 0.3, FRS_SLOW_START_PAIRED), 0);
}
END_TEST

/* Windows of 1, 2, 4 and 8 times 0.1 s, a round trip of 1 s, and a sixteenth window. The first window has 10
 * of the first 16 packets and the second 6, so that the first acknowledgement of either is that of one
 * packet: 1.01 s each; those of the third and the fourth are of two: 1.02 s each. */
START_TEST(quick_acknowledgements_grow_windows_sooner) {
    IS(frs_slow_start_duration_s(16.0 * WINDOW, RATE, 1, FRS_SLOW_START_QUICK), 2 * 1.01 + 2 * 1.02 + 0.1);
    IS(frs_slow_start_duration_s(16.0 * WINDOW, RATE, 1, FRS_SLOW_START_PAIRED), 4 * 1.02 + 0.1);
    /* At 10 packets/s, 10 s there and back: a window takes 1 s and its second packet 0.1 s, of which 0.04 s
     * are waited for. */
    IS(frs_slow_start_duration_s(2.0 * WINDOW, RATE / 10, 10, FRS_SLOW_START_PAIRED), 10 + 0.1 + 0.04 + 1);
    IS(frs_slow_start_duration_s(2.0 * WINDOW, RATE / 10, 10, FRS_SLOW_START_QUICK), 10 + 0.1 + 1);
}
END_TEST

/*   client 0: latency 0.1, round 0.21; down 5 windows: at 0.1 one, at 0.31 two (0.2 s < 0.21 s), until
 *             0.51; at 0.52 the last two, until 0.72; computes until 1.72; 0.1; up one window from 1.82 to
 *             1.92.
 *   client 1: the same, connecting over TCP: 3 × 0.1, 206 bytes, 66 bytes; all else later by that.
 *   client 2: over TLS: 5 × 0.1, 932 and 3966 bytes.
 *   client 3: windows are kept: down in one, from 0.1 to 0.6; until 1.6; up from 1.7 to 1.8.
 *   client 4: every second packet is acknowledged, round 0.22: at 0.1 one window, at 0.32 two, until 0.52;
 *             at 0.54 two, until 0.74; computes until 1.74; 0.1; up from 1.84 to 1.94. */
START_TEST(first_messages_of_new_connections_by_hand) {
    struct plan *plan = plan_create(1, _i);
    for (uint32_t client = 0; client < 5; client++)
        add_slow_start(plan, client, 0.1, 5 * WINDOW, WINDOW);
    plan->rounds[0][1].handshake = (struct frs_handshake){.wait_s = 0.3, .up_bytes = 206, .down_bytes = 66};
    plan->rounds[0][2].handshake = (struct frs_handshake){.wait_s = 0.5, .up_bytes = 932, .down_bytes = 3966};
    plan->rounds[0][3].slow_start_kind = FRS_SLOW_START_NONE;
    plan->rounds[0][4].slow_start_kind = FRS_SLOW_START_PAIRED;
    plan_run(plan);
    const double tcp_s = 0.3 + 272 / RATE, tls_s = 0.5 + 4898 / RATE;
    check_times(&plan->rounds[0][0], (const double[]){0, NAN, 0.1, 0.72, 1.72, 1.82, 1.92});
    check_times(&plan->rounds[0][1],
        (const double[]){0, tcp_s, tcp_s + 0.1, tcp_s + 0.72, tcp_s + 1.72, tcp_s + 1.82, tcp_s + 1.92});
    check_times(&plan->rounds[0][2],
        (const double[]){0, tls_s, tls_s + 0.1, tls_s + 0.72, tls_s + 1.72, tls_s + 1.82, tls_s + 1.92});
    check_times(&plan->rounds[0][3], (const double[]){0, NAN, 0.1, 0.6, 1.6, 1.7, 1.8});
    check_times(&plan->rounds[0][4], (const double[]){0, NAN, 0.1, 0.74, 1.74, 1.84, 1.94});
    for (size_t i = 0; i < 5; i++) {
        const struct planned *planned = &plan->rounds[0][i];
        struct frs_phase_times spent = frs_participation_times(&planned->p);
        ck_assert_uint_eq(planned->p.result.down_crossed_bytes, 5 * WINDOW);
        ck_assert_uint_eq(planned->p.result.up_crossed_bytes, WINDOW);
        ck_assert_uint_eq(planned->p.result.setup_up_bytes, planned->handshake.up_bytes);
        ck_assert_uint_eq(planned->p.result.setup_down_bytes, planned->handshake.down_bytes);
        IS(spent.latency_s, 0.2);
        IS(spent.setup_s, i == 1 ? tcp_s : i == 2 ? tls_s : 0);
    }
    ck_assert_double_eq_tol(plan->carried.down_bytes, 25 * WINDOW + 66 + 3966, 1e-5);
    ck_assert_double_eq_tol(plan->carried.up_bytes, 5 * WINDOW + 206 + 932, 1e-5);
    plan_destroy(plan);
}
END_TEST

/* Client 0 of the timeline above, and when each try ends: in the second part, after half of it; while the
 * third part is waited for; with the connection, 0.31 s after the first byte, half-way through the second
 * part; at a planned share, of 4 windows; and in both parts of a TLS handshake, of which each byte takes 1
 * / 144,800 s. */
START_TEST(bytes_of_messages_that_break_in_slow_start) {
    struct plan *plan = plan_create(1, _i);
    for (uint32_t client = 0; client < 6; client++)
        add_slow_start(plan, client, 0.1, 5 * WINDOW, WINDOW);
    struct planned *planned = plan->rounds[0];
    planned[0].p.plan.leaves_s = 0.41;
    planned[1].p.plan.leaves_s = 0.515;
    planned[2].p.plan.down_loss = (struct frs_loss){.after_s = 0.31, .after_cause = FRS_CAUSE_CONNECTION};
    planned[3].p.plan.down_loss =
        (struct frs_loss){.planned = true, .at_share = 0.8, .cause = FRS_CAUSE_DEVICE, .after_s = INFINITY};
    planned[4].handshake = planned[5].handshake =
        (struct frs_handshake){.wait_s = 0.5, .up_bytes = 932, .down_bytes = 3966};
    planned[4].p.plan.leaves_s = 0.5 + 500.5 / RATE;
    planned[5].p.plan.leaves_s = 0.5 + (932 + 1000.5) / RATE;
    plan_run(plan);
    ENDED(0, 0, DROPPED_DOWN, OFFLINE, 0.41);
    ENDED(0, 1, DROPPED_DOWN, OFFLINE, 0.515);
    ENDED(0, 2, DROPPED_DOWN, CONNECTION, 0.41);
    ENDED(0, 3, DROPPED_DOWN, DEVICE, 0.62); /* the third part is one window */
    ENDED(0, 4, DROPPED_DOWN, OFFLINE, 0.5 + 500.5 / RATE);
    ENDED(0, 5, DROPPED_DOWN, OFFLINE, 0.5 + 1932.5 / RATE);
    static const uint64_t crossed[] = {2 * WINDOW, 3 * WINDOW, 2 * WINDOW, 4 * WINDOW, 0, 0};
    static const uint64_t setup[][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {500, 0}, {932, 1000}};
    for (size_t i = 0; i < 6; i++) {
        const struct frs_participation *p = &planned[i].p;
        ck_assert_uint_eq(p->result.down_crossed_bytes, crossed[i]);
        ck_assert_uint_eq(p->result.setup_up_bytes, setup[i][0]);
        ck_assert_uint_eq(p->result.setup_down_bytes, setup[i][1]);
        ck_assert(isnan(p->times.connected_s));
    }
    plan_destroy(plan);
}
END_TEST

/* Half the capacity from 0.41 on. */
static double halved(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    (void)context;
    double bytes_per_s = up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s;
    *until_s = now_s < 0.41 ? 0.41 : INFINITY;
    return now_s < 0.41 ? bytes_per_s : bytes_per_s / 2;
}

/* The second part has half of its bytes at 0.41 and the rest at 0.61, when the third one may long have begun:
 * it follows at once, two windows in 0.4 s, until 1.01. 1.01 + 1 + 0.1 = 2.11; a window takes 0.2 s. */
START_TEST(a_trace_slows_windows_down) {
    struct plan *plan = plan_create(1, _i);
    plan->capacity = halved;
    add_slow_start(plan, 0, 0.1, 5 * WINDOW, WINDOW);
    plan_run(plan);
    check_times(&plan->rounds[0][0], (const double[]){0, NAN, 0.1, 1.01, 2.01, 2.11, 2.31});
    plan_destroy(plan);
}
END_TEST

/* The server's downlink is as fast as a client's, and rounds take 0.21 s. Two clients without slow start
 * would end at 1.1.
 *   0.1    both send one window, at half the rate each, until 0.3.
 *   0.31   both send two, until 0.71: acknowledgements have come in by 0.52, and the third part follows at
 *          once.
 *   0.71   two windows each, until 1.11.
 * Slow start costs the 0.01 s in which the server's link idled. */
START_TEST(slow_start_leaves_a_shared_link_to_others) {
    struct plan *plan = plan_create(1, _i);
    plan->server_down_bytes_per_s = RATE;
    for (uint32_t client = 0; client < 2; client++)
        add_slow_start(plan, client, 0.1, 5 * WINDOW, WINDOW);
    plan_run(plan);
    for (size_t i = 0; i < 2; i++)
        check_times(&plan->rounds[0][i], (const double[]){0, NAN, 0.1, 1.11, 2.11, 2.21, 2.31});
    plan_destroy(plan);
}
END_TEST

/* The server stops at 0.41, in the second part, who has not arrived. */
START_TEST(a_cut_stops_windows_on_their_way) {
    struct plan *plan = plan_deadline(1, _i, 0.41, CUT);
    add_slow_start(plan, 0, 0.1, 5 * WINDOW, WINDOW);
    plan_run(plan);
    ENDED(0, 0, CUT, ROUND_CLOSED, 0.41);
    ck_assert_uint_eq(plan->rounds[0][0].p.result.down_crossed_bytes, 2 * WINDOW);
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("slow start");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, a_round_of_windows_takes_a_round_trip);
    tcase_add_test(tests, test_the_other_way_round);
    tcase_add_test(tests, quick_acknowledgements_grow_windows_sooner);
    tcase_add_loop_test(tests, first_messages_of_new_connections_by_hand, 0, N_EXACT_PLAYERS);
    tcase_add_loop_test(tests, bytes_of_messages_that_break_in_slow_start, 0, N_EXACT_PLAYERS);
    tcase_add_loop_test(tests, a_trace_slows_windows_down, 0, N_EXACT_PLAYERS);
    tcase_add_loop_test(tests, slow_start_leaves_a_shared_link_to_others, 0, N_EXACT_PLAYERS);
    tcase_add_loop_test(tests, a_cut_stops_windows_on_their_way, 0, N_EXACT_PLAYERS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
