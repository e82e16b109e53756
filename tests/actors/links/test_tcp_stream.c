/* Messages one behind the other on a connection, by hand, and against one message of as many bytes. */
#include "actors/links/tcp_stream.h"
#include "actors/links/packets.h"
#include "actors/links/uncontended_flow.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

#define PACKET FRS_PACKET_PAYLOAD_BYTES

/* Ten packets a second, two seconds there and back, and a queue of fifty packets. */
static const struct frs_uncontended_flow slow = {
    .bytes = 15 * PACKET, .bytes_per_s = 10 * PACKET, .round_trip_s = 2, .queue_s = 5};

/* A message of 15 packets, on a clock that begins when its last one has left the link: ten have left by 1 s.
 * Each of them is acknowledged 2 s after it has left, and lets two packets more go: the other five leave from
 * 2.1 to 2.6 s, after three acknowledgements by 2.3 s. The sender knows three when it has sent all, and has a
 * window of 13 packets then. */
START_TEST(stream_between_messages) {
    struct frs_tcp_stream stream;
    frs_uncontended_flow_memory(&slow, &stream);
    ck_assert_uint_eq(stream.left.n, 12);
    ck_assert_double_eq_tol(stream.since_s, 2.3 - 2.6, 1e-12);
    ck_assert_double_eq(stream.sender.window, 13);
    ck_assert_double_eq_tol(frs_packet_ring_first(&stream.left)->acknowledged_s, 2.4 - 2.6, 1e-12);
    ck_assert_double_eq_tol(frs_packet_ring_last(&stream.left)->left_s, 0, 1e-12);
    frs_tcp_stream_fini(&stream);
}
END_TEST

/* Windows of a message of as many bytes that its sender has after_s after that; none: nothing is under way.
 */
static struct frs_windows following(const struct frs_uncontended_flow *flow, double bytes, double after_s) {
    struct frs_windows windows = {0};
    struct frs_tcp_stream stream;
    struct frs_uncontended_flow next = *flow;
    frs_uncontended_flow_memory(flow, &stream);
    next.bytes = bytes;
    next.stream = &stream;
    if (frs_tcp_stream_goes_on(&stream, after_s))
        frs_uncontended_flow_windows(&next, &windows);
    frs_tcp_stream_fini(&stream);
    return windows;
}

/* The sender has the next message before the end of the first one: of the twenty packets that ten
 * acknowledgements allow five are of the first one, and fifteen leave behind them, from 2.6 to 4.1 s. The
 * eleventh packet is acknowledged at 4.2 s, and the rest leaves. If it has the message .5 s after the end, at
 * 3.1 s, 20 - 5 packets are sent at once, and two for each of the acknowledgements from 4.2 to 4.6 s, when
 * these have not left yet: there is no pause; nor is there after 1.65 s, where 21 - 4 packets are sent at
 * once. After 2 s nothing is under way any more. */
START_TEST(next_message_follows_acknowledgements) {
    static const struct {
        double after_s, bytes[3], waits[2];
    } cases[] = {{-.3, {15 * PACKET, 15 * PACKET}, {4.2 - 2.6}},
        {-INFINITY, {15 * PACKET, 15 * PACKET}, {4.2 - 2.6}}, {0, {15 * PACKET, 15 * PACKET}, {4.2 - 2.6}},
        {.5, {30 * PACKET}, {0}}, {1.65, {30 * PACKET}, {0}}, {2, {0}, {0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_windows windows = following(&slow, 30 * PACKET, cases[i].after_s);
        size_t n = 0;
        while (n < 3 && cases[i].bytes[n] > 0)
            n++;
        ck_assert_msg(windows.n == n, "%zu: %zu windows", i, windows.n);
        for (size_t k = 0; k < n; k++)
            ck_assert_msg((double)windows.of[k].bytes == cases[i].bytes[k], "%zu: window %zu of %g packets",
                i, k, (double)windows.of[k].bytes / PACKET);
        for (size_t k = 0; k + 1 < n; k++)
            ck_assert_double_eq_tol(windows.of[k].wait_s, cases[i].waits[k], 1e-12);
        free(windows.of);
    }
}
END_TEST

/* Ten packets fill the window: nothing of the next message leaves before the first of them is acknowledged, 2
 * s after it has left, 1.1 s after the last one has. Then two for each acknowledgement leave, without a
 * pause. */
START_TEST(full_window_waits) {
    struct frs_uncontended_flow ten = slow;
    ten.bytes = 10 * PACKET;
    struct frs_windows windows = following(&ten, 12 * PACKET, -INFINITY);
    ck_assert_uint_eq(windows.n, 2);
    ck_assert_uint_eq(windows.of[0].bytes, 0);
    ck_assert_double_eq_tol(windows.of[0].wait_s, 1.1, 1e-12);
    ck_assert_uint_eq(windows.of[1].bytes, (uint64_t)(12 * PACKET));
    free(windows.of);
}
END_TEST

struct pair {
    struct frs_uncontended_flow first; /* message */
    double bytes;                      /* of the second message */
};

/* Queues that never overflow in the first message, and seldom in the second one. */
static struct pair draw(uint32_t i) {
    struct frs_rng rng = frs_rng_stream(4, i, 0, 0, FRS_RNG_TEST);
    double bytes_per_s = 2e4 * pow(125, frs_rng_unit(&rng)), round_trip_s = 0.4 * frs_rng_unit(&rng);
    double n = 1 + floor(80 * frs_rng_unit(&rng)), bytes = ceil(2e5 * frs_rng_unit(&rng));
    return (struct pair){{.bytes = n * PACKET,
                             .bytes_per_s = bytes_per_s,
                             .round_trip_s = round_trip_s,
                             .queue_s = 0.2 + 100 * PACKET / bytes_per_s,
                             .up = i % 2},
        bytes};
}

/* From the first byte of the first message to the last one of the second. */
static double both_among_packets_s(const struct pair *pair) {
    const struct frs_uncontended_flow *first = &pair->first;
    struct frs_tcp_stream stream = {0};
    struct frs_packets *packets = frs_packets_create(&(struct frs_packets_settings){
        .server_bytes_per_s = {INFINITY, INFINITY}, .queue_s = first->queue_s});
    struct frs_packets_flow flow = {.up = first->up,
        .bytes = first->bytes,
        .bytes_per_s = first->bytes_per_s,
        .latency_s = first->round_trip_s / 2,
        .round_trip_s = first->round_trip_s,
        .stream = &stream};
    uint32_t id;
    frs_packets_add(packets, 0, 0, &flow);
    double arrived_s = frs_packets_next_s(packets, INFINITY);
    ck_assert_int_eq(frs_packets_pop(packets, arrived_s, &id), 1);
    ck_assert(frs_tcp_stream_goes_on(&stream, -INFINITY));
    flow.bytes = pair->bytes;
    flow.latency_s = 0;
    frs_packets_add(packets, 0, arrived_s, &flow);
    double end_s = frs_packets_next_s(packets, INFINITY);
    frs_packets_destroy(packets);
    frs_tcp_stream_fini(&stream);
    return end_s - first->round_trip_s / 2;
}

static double both_alone_s(const struct pair *pair) {
    struct frs_tcp_stream stream;
    struct frs_uncontended_flow second = pair->first;
    double first_s = frs_uncontended_flow_s(&pair->first);
    frs_uncontended_flow_memory(&pair->first, &stream);
    ck_assert(frs_tcp_stream_goes_on(&stream, -INFINITY));
    second.bytes = pair->bytes;
    second.stream = &stream;
    double second_s = frs_uncontended_flow_s(&second);
    frs_tcp_stream_fini(&stream);
    return first_s + second_s;
}

/* Two messages of which the sender has the second one in time take as long as one of as many bytes. */
START_TEST(two_are_as_one) {
    for (uint32_t i = 0; i < 1000; i++) {
        struct pair pair = draw(i);
        struct frs_uncontended_flow whole = pair.first;
        whole.bytes += pair.bytes;
        double whole_s = frs_uncontended_flow_s(&whole), alone_s = both_alone_s(&pair),
               packets_s = both_among_packets_s(&pair);
        ck_assert_msg(
            fabs(alone_s - whole_s) <= 1e-9 * whole_s && fabs(packets_s - whole_s) <= 1e-9 * whole_s,
            "%u: %.9g s, and %.9g s among packets, not %.9g", i, alone_s, packets_s, whole_s);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("TCP stream");
    TCase *tests = tcase_create("TCP stream");
    tcase_add_test(tests, stream_between_messages);
    tcase_add_test(tests, next_message_follows_acknowledgements);
    tcase_add_test(tests, full_window_waits);
    tcase_add_test(tests, two_are_as_one);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
