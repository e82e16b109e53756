/* A lone flow against the same message among packets. */
#include "actors/links/uncontended_flow.h"
#include "actors/links/packets.h"
#include "actors/slow_start.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

struct drawn {
    struct frs_uncontended_flow flow;
    double latency_s;
};

static struct drawn draw(uint32_t i) {
    static const double queues_s[] = {0.03, 0.2, 0.2, 0.7};
    struct frs_rng rng = frs_rng_stream(3, i, 0, 0, FRS_RNG_TEST);
    double bytes_per_s = 2e4 * pow(125, frs_rng_unit(&rng)), latency_s = 0.2 * frs_rng_unit(&rng),
           bytes = ceil(2e4 * pow(100, frs_rng_unit(&rng)));
    return (struct drawn){.flow = {.bytes = bytes,
                              .bytes_per_s = bytes_per_s,
                              .round_trip_s = 2 * latency_s,
                              .queue_s = queues_s[i % 4],
                              .up = i % 16 < 8,
                              .interactive = i % 8 < 4},
        .latency_s = latency_s};
}

/* When its last byte has left the link, and whether something was sent twice. */
static double among_packets_s(const struct drawn *drawn, bool *again) {
    const struct frs_uncontended_flow *flow = &drawn->flow;
    struct frs_packets *packets = frs_packets_create(
        &(struct frs_packets_settings){.server_bytes_per_s = {INFINITY, INFINITY}, .queue_s = flow->queue_s});
    frs_packets_add(packets, 0, 0,
        &(struct frs_packets_flow){.up = flow->up,
            .interactive = flow->interactive,
            .bytes = flow->bytes,
            .bytes_per_s = flow->bytes_per_s,
            .latency_s = drawn->latency_s,
            .round_trip_s = flow->round_trip_s});
    double end_s = frs_packets_next_s(packets, INFINITY) - drawn->latency_s;
    *again = (double)frs_packets_sent(packets) > ceil(flow->bytes / FRS_PACKET_PAYLOAD_BYTES);
    frs_packets_destroy(packets);
    return end_s;
}

/* As a link that never changes carries them. */
static double crossing_s(const struct frs_windows *windows, double bytes_per_s) {
    double now_s = 0;
    for (size_t i = 0; i < windows->n; i++) {
        double took_s = (double)windows->of[i].bytes / bytes_per_s;
        now_s += i + 1 < windows->n ? fmax(took_s, windows->of[i].wait_s) : took_s;
    }
    return now_s;
}

START_TEST(as_among_packets) {
    for (uint32_t i = 0; i < 2000; i++) {
        struct drawn drawn = draw(i);
        bool again;
        double end_s = among_packets_s(&drawn, &again), alone_s = frs_uncontended_flow_s(&drawn.flow);
        ck_assert_msg(fabs(alone_s - end_s) <= 1e-9 * end_s, "%u: %.17g s, not %.17g", i, alone_s, end_s);
    }
}
END_TEST

/* Each byte crosses once. Everything but the start of a long message counts as one window, which makes a
 * few of them wrong by a percent. */
START_TEST(windows_take_as_long) {
    size_t n = 0, n_off = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        struct drawn drawn = draw(i);
        struct frs_windows windows;
        bool again;
        double end_s = among_packets_s(&drawn, &again), bytes = 0;
        frs_uncontended_flow_windows(&drawn.flow, &windows);
        for (size_t k = 0; k < windows.n; k++)
            bytes += (double)windows.of[k].bytes;
        ck_assert(!windows.n || bytes == drawn.flow.bytes);
        if (windows.n) {
            double alone_s = crossing_s(&windows, drawn.flow.bytes_per_s);
            n++;
            n_off += fabs(alone_s / end_s - 1) > 0.005;
            ck_assert_double_le(fabs(alone_s / end_s - 1), 0.06);
        }
        free(windows.of);
    }
    ck_assert_uint_gt(n, 100);
    ck_assert_uint_lt(n_off, n / 20);
}
END_TEST

/* Where nothing may overflow or leave slow start too early. */
START_TEST(closed_form_holds) {
    size_t n = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        struct drawn drawn = draw(i);
        const struct frs_uncontended_flow *flow = &drawn.flow;
        if (!frs_uncontended_flow_has_form(flow))
            continue;
        double alone_s = frs_uncontended_flow_s(flow),
               formula_s = frs_slow_start_duration_s(flow->bytes, flow->bytes_per_s, flow->round_trip_s,
                   flow->interactive ? FRS_SLOW_START_PAIRED : FRS_SLOW_START_QUICK);
        ck_assert_msg(
            fabs(alone_s / formula_s - 1) <= 0.01, "%u: %g s, not %g by the formula", i, alone_s, formula_s);
        n++;
    }
    ck_assert_uint_gt(n, 5000);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lone flow");
    TCase *tests = tcase_create("lone flow");
    tcase_add_test(tests, as_among_packets);
    tcase_add_test(tests, windows_take_as_long);
    tcase_add_test(tests, closed_form_holds);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
