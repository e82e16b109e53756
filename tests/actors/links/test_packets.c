/* Packets through links and queues: by hand, and alone against the closed form of actors/slow_start.h. */
#include "actors/links/uncontended_flow.h"
#include "actors/links/packets.h"
#include "actors/slow_start.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

#define PACKET FRS_PACKET_PAYLOAD_BYTES
#define IS(time, hand) ck_assert_double_eq_tol(time, hand, 1e-9)

static struct frs_packets *create(double server_bytes_per_s, double queue_s, bool fair) {
    return frs_packets_create(&(struct frs_packets_settings){
        .server_bytes_per_s = {server_bytes_per_s, server_bytes_per_s}, .queue_s = queue_s, .fair = fair});
}

/* The flow that ends next does so at this time. */
static void ends(struct frs_packets *packets, uint32_t flow, double hand_s) {
    uint32_t id;
    double time_s = frs_packets_next_s(packets, INFINITY);
    ck_assert(frs_packets_pop(packets, time_s, &id));
    ck_assert_msg(id == flow && fabs(time_s - hand_s) <= 1e-9, "flow %u ends at %.12g instead of %u at %.12g",
        id, time_s, flow, hand_s);
}

/* Links of one packet a second, and of ten.
 *   0: 5 packets, 0.5 s away: 5.5
 *   1: 2 whole packets and 104 bytes, which weigh (104 + 78)/1526 of a packet, 0.25 s away. The sender,
 *      who expects an acknowledgement after 0.5 s, sends the last one again at 1.004, before the first is
 *      back at 1.5
 *   2: 30 packets, 1 s away. Ten leave from 0.1 on; the first acknowledgement is back at 2.1, and then two
 *      packets leave for each: the other twenty take 2 s without a pause, and the last one arrives at 2.1
 *      + 2 + 1
 *   3: the same to a receiver that has answered, and waits 0.04 s for a second packet: the first
 *      acknowledgement is back at 2.14, and those of the next ones every 0.1 s: 2.14 + 2 + 1
 *   4: the same on a link of a hundred packets a second, 0.5 s away. The second packet leaves at 0.02, the
 *      acknowledgement of both is back at 1.02, and four packets leave for it: 1.02 + 0.2 + 0.5 */
START_TEST(alone_by_hand) {
    struct frs_packets *packets = create(INFINITY, 0, false);
    frs_packets_add(packets, 0, 0,
        &(struct frs_packets_flow){
            .bytes = 5 * PACKET, .bytes_per_s = PACKET, .latency_s = 0.5, .round_trip_s = 1});
    frs_packets_add(packets, 1, 0,
        &(struct frs_packets_flow){
            .up = true, .bytes = 3000, .bytes_per_s = PACKET, .latency_s = 0.25, .round_trip_s = 0.5});
    frs_packets_add(packets, 2, 0,
        &(struct frs_packets_flow){
            .bytes = 30 * PACKET, .bytes_per_s = 10 * PACKET, .latency_s = 1, .round_trip_s = 2});
    frs_packets_add(packets, 3, 0,
        &(struct frs_packets_flow){.interactive = true,
            .bytes = 30 * PACKET,
            .bytes_per_s = 10 * PACKET,
            .latency_s = 1,
            .round_trip_s = 2});
    frs_packets_add(packets, 4, 0,
        &(struct frs_packets_flow){.interactive = true,
            .bytes = 30 * PACKET,
            .bytes_per_s = 100 * PACKET,
            .latency_s = 0.5,
            .round_trip_s = 1});
    ends(packets, 4, 1.72);
    ends(packets, 1, 2 + 182 / 1526. + 0.25);
    ends(packets, 2, 5.1);
    ends(packets, 3, 5.14);
    ends(packets, 0, 5.5);
    ck_assert_uint_eq(frs_packets_sent(packets), 5 + 4 + 3 * 30);
    ck_assert_double_eq(frs_packets_carried(packets, true, false), 95 * PACKET);
    ck_assert_double_eq(frs_packets_carried(packets, true, true), 3000);
    frs_packets_destroy(packets);
}
END_TEST

static void add_three(struct frs_packets *packets, bool up) {
    for (uint32_t i = 0; i < 3; i++)
        frs_packets_add(packets, i, 0,
            &(struct frs_packets_flow){.up = up,
                .bytes = 5 * PACKET,
                .bytes_per_s = INFINITY,
                .latency_s = 0.1,
                .round_trip_s = 0.2});
}

/* Three times five packets meet before a link of ten a second, which holds twenty. In the order of arrival:
 * 0.5, 1 and 1.5, and 0.1 s of latency. In turns, when the first packet of flow 0 is on the link already: 0
 * 012 012 012 012 12; the last ones are the 11th, 14th and 15th. */
START_TEST(shared_by_hand) {
    for (int up = 0; up < 2; up++) {
        struct frs_packets *packets = create(10 * PACKET, 0, false);
        add_three(packets, up);
        ends(packets, 0, 0.6);
        ends(packets, 1, 1.1);
        ends(packets, 2, 1.6);
        frs_packets_destroy(packets);
        packets = create(10 * PACKET, 0, true);
        add_three(packets, up);
        ends(packets, 0, 1.2);
        ends(packets, 1, 1.5);
        ends(packets, 2, 1.6);
        ck_assert_double_eq(frs_packets_carried(packets, true, up), 15 * PACKET);
        frs_packets_destroy(packets);
    }
}
END_TEST

/* Star 0 carries ten packets a second, star 1 five, and star 2 has no limit. Flow 0 crosses star 0 alone.
 * Those of star 1, whose numbers are far apart, come one after the other, or in turns: 1 1 2 1 2 1 2 1 2 2,
 * so that the last packet of the first is the eighth of ten. Flow 3 crosses star 2 on a link of its own of
 * one packet a second, and flow 4 on one without limit, so that both of its windows take no time: there and
 * back is all it waits for. Each has .1 s of latency. */
START_TEST(stars_by_hand) {
    enum { FAR = 1000 };
    const double access[][2] = {{5 * PACKET, 5 * PACKET}, {INFINITY, INFINITY}};
    for (int up = 0; up < 2; up++)
        for (int fair = 0; fair < 2; fair++) {
            struct frs_packets *packets = frs_packets_create(
                &(struct frs_packets_settings){.server_bytes_per_s = {10 * PACKET, 10 * PACKET},
                    .access_bytes_per_s = access,
                    .n_access = 2,
                    .fair = fair});
            const uint32_t ids[] = {0, FAR, 2 * FAR, 3, 4}, stars[] = {0, 1, 1, 2, 2}, n[] = {5, 5, 5, 5, 20};
            for (uint32_t i = 0; i < 5; i++)
                frs_packets_add(packets, ids[i], 0,
                    &(struct frs_packets_flow){.up = up,
                        .star = stars[i],
                        .bytes = n[i] * PACKET,
                        .bytes_per_s = i == 3 ? PACKET : INFINITY,
                        .latency_s = 0.1,
                        .round_trip_s = 0.2});
            ck_assert_uint_eq(frs_packets_n(packets, up), 1);
            ends(packets, 4, 0.3);
            ends(packets, 0, 0.6);
            ck_assert_uint_eq(frs_packets_n(packets, up), 0);
            ends(packets, FAR, fair ? 1.7 : 1.1);
            ends(packets, 2 * FAR, 2.1);
            ends(packets, 3, 5.1);
            ck_assert_double_eq(frs_packets_carried(packets, true, up), 5 * PACKET);
            ck_assert_double_eq(frs_packets_carried(packets, false, up), 35 * PACKET);
            ck_assert_double_eq(
                frs_packets_carried(packets, true, !up) + frs_packets_carried(packets, false, !up), 0);
            frs_packets_destroy(packets);
        }
}
END_TEST

/* The link holds 20 packets, and one is on it. Flow 0 has sent ten, flow 1 ten: of flow 2's three only the
 * first finds room. It leaves at 2.1 and is acknowledged at 6.1, a sample of 6.1 s that makes the smoothed
 * round trip 4 + 2.1/8. Two of them and 8 ms later, at 14.633, a probe sends the last packet again; it leaves
 * at 14.733. Its acknowledgement at 18.733 tells that the second one is lost: that leaves at 18.833, and
 * arrives two seconds later. */
START_TEST(overflow_by_hand) {
    struct frs_packets *packets = create(10 * PACKET, 0, false);
    const uint32_t n[] = {10, 10, 3};
    for (uint32_t i = 0; i < 3; i++)
        frs_packets_add(packets, i, 0,
            &(struct frs_packets_flow){
                .bytes = n[i] * PACKET, .bytes_per_s = INFINITY, .latency_s = 2, .round_trip_s = 4});
    ends(packets, 0, 3);
    ends(packets, 1, 4);
    ends(packets, 2, 20.833);
    ck_assert_uint_eq(frs_packets_sent(packets), 10 + 10 + 5);
    frs_packets_destroy(packets);
}
END_TEST

/* Packets of one second each, 0.5 s away. Three have arrived at 3.6; the fourth arrives at 4.5. Packets
 * under way do not count for any client. */
START_TEST(removal_by_hand) {
    struct frs_packets *packets = create(INFINITY, 0, false);
    const struct frs_packets_flow flow = {
        .bytes = 5 * PACKET, .bytes_per_s = PACKET, .latency_s = 0.5, .round_trip_s = 1};
    for (uint32_t i = 0; i < 3; i++)
        frs_packets_add(packets, i, 0, &flow);
    ck_assert_double_eq(frs_packets_next_s(packets, 3.4), INFINITY);
    ck_assert_double_eq(frs_packets_remove(packets, 0, 3.4), 2 * PACKET);
    ck_assert_double_eq(frs_packets_remove(packets, 1, 3.6), 3 * PACKET);
    ends(packets, 2, 5.5);
    ck_assert_double_eq(frs_packets_carried(packets, true, false), (2 + 3 + 5) * PACKET);
    /* Its number is free again. */
    frs_packets_add(packets, 0, 6, &flow);
    ends(packets, 0, 11.5);
    frs_packets_destroy(packets);
}
END_TEST

/* One packet a second; at 1.5, with half a packet on the link, four a second: it leaves at 1.625. From 2 to
 * 10 nothing moves, with half of the fourth left; then it goes on, and the fifth leaves at 10.125 + 0.25. */
START_TEST(changing_link_by_hand) {
    struct frs_packets *packets = create(INFINITY, 0, false);
    frs_packets_add(packets, 0, 0,
        &(struct frs_packets_flow){
            .bytes = 5 * PACKET, .bytes_per_s = PACKET, .latency_s = 0.5, .round_trip_s = 100});
    frs_packets_next_s(packets, 1.5);
    frs_packets_set_rate(packets, 0, 1.5, 4 * PACKET);
    frs_packets_next_s(packets, 2);
    frs_packets_set_rate(packets, 0, 2, 0);
    ck_assert_double_eq(frs_packets_next_s(packets, 10), INFINITY);
    frs_packets_set_rate(packets, 0, 10, 4 * PACKET);
    ends(packets, 0, 10.875);
    frs_packets_destroy(packets);
}
END_TEST

/* The same of the server's link, ten packets a second that three flows share: at 0.55, with half of the sixth
 * on the link, it stands still for a second, and from 1.55 on carries five a second. Flow 0 has ended by
 * then; flow 1's five packets are the 6th to 10th, flow 2's the next ones: 1.55 + 0.1 + 4/5, and 1 s more. */
START_TEST(changing_server_by_hand) {
    struct frs_packets *packets = create(10 * PACKET, 0, false);
    add_three(packets, false);
    ck_assert_uint_eq(frs_packets_n(packets, false), 3);
    ck_assert_uint_eq(frs_packets_n(packets, true), 0);
    ck_assert_double_eq(frs_packets_next_s(packets, 0.55), INFINITY);
    frs_packets_set_server_rate(packets, false, 0.55, 0);
    ends(packets, 0, 0.6);
    ck_assert_uint_eq(frs_packets_n(packets, false), 2);
    frs_packets_next_s(packets, 1.55);
    frs_packets_set_server_rate(packets, false, 1.55, 5 * PACKET);
    ends(packets, 1, 2.55);
    ends(packets, 2, 3.55);
    frs_packets_destroy(packets);
}
END_TEST

/* The third packet to pass is lost. Ten go at once, a second each and 0.5 s away, and leave by 10. The
 * acknowledgements of the next ones are back from 5 on; the third of them at the latest has it sent again,
 * behind the tenth. */
static bool is_third(void *context, uint32_t flow) {
    (void)flow;
    return ++*(int *)context == 3;
}

START_TEST(loss_by_hand) {
    int n = 0;
    struct frs_packets *packets = frs_packets_create(&(struct frs_packets_settings){
        .server_bytes_per_s = {INFINITY, INFINITY}, .lost = is_third, .context = &n});
    frs_packets_add(packets, 0, 0,
        &(struct frs_packets_flow){
            .bytes = 10 * PACKET, .bytes_per_s = PACKET, .latency_s = 0.5, .round_trip_s = 1});
    /* The tenth leaves at 10, and the third one again at 11. */
    ends(packets, 0, 11.5);
    ck_assert_uint_eq(frs_packets_sent(packets), 11);
    ck_assert_int_eq(n, 11);
    frs_packets_destroy(packets);
}
END_TEST

/* Alone, and with nothing dropped, a message takes the time of the closed form: for rates from 20 kB/s to
 * 2.5 MB/s, 0 to 0.2 s, 20 kB to 2 MB. */
START_TEST(alone_as_in_closed_form) {
    const double queues_s[] = {0.05, 0.2, 10};
    size_t n = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        struct frs_rng rng = frs_rng_stream(1, i, 0, 0, FRS_RNG_TEST);
        double bytes_per_s = 2e4 * pow(125, frs_rng_unit(&rng)), latency_s = 0.2 * frs_rng_unit(&rng),
               bytes = ceil(2e4 * pow(100, frs_rng_unit(&rng)));
        struct frs_packets *packets = create(INFINITY, queues_s[i % 3], false);
        frs_packets_add(packets, 0, 0,
            &(struct frs_packets_flow){.up = i % 2,
                .interactive = i % 4 < 2,
                .bytes = bytes,
                .bytes_per_s = bytes_per_s,
                .latency_s = latency_s,
                .round_trip_s = 2 * latency_s});
        double end_s = frs_packets_next_s(packets, INFINITY),
               formula_s = latency_s + frs_slow_start_duration_s(bytes, bytes_per_s, 2 * latency_s,
                                           i % 4 < 2 ? FRS_SLOW_START_PAIRED : FRS_SLOW_START_QUICK);
        const struct frs_uncontended_flow alone = {.bytes = bytes,
            .bytes_per_s = bytes_per_s,
            .round_trip_s = 2 * latency_s,
            .queue_s = 10,
            .up = i % 2,
            .interactive = i % 4 < 2};
        if (frs_packets_sent(packets) == (uint64_t)ceil(bytes / PACKET) &&
            frs_uncontended_flow_has_form(&alone)) {
            ck_assert_msg(fabs(end_s / formula_s - 1) <= 0.005, "%g bytes at %g/s, %g s away: %g s, not %g s",
                bytes, bytes_per_s, latency_s, end_s, formula_s);
            n++;
        }
        frs_packets_destroy(packets);
    }
    ck_assert_uint_gt(n, 1500);
}
END_TEST

/* Random flows through one link, of which some are taken out: all bytes arrive, each once. */
START_TEST(nothing_is_lost_for_good) {
    enum { N = 40 };
    for (uint32_t i = 0; i < 60; i++) {
        struct frs_rng rng = frs_rng_stream(2, i, 0, 0, FRS_RNG_TEST);
        struct frs_packets *packets = create(1e5 + 1e6 * frs_rng_unit(&rng), 0.2, i % 2);
        double given[2] = {0, 0}, now_s = 0, next_s;
        uint32_t id, n = 0;
        bool removed[N] = {false}, up[N];
        double bytes[N];
        for (uint32_t f = 0; f < N; f++) {
            up[f] = frs_rng_below(&rng, 2);
            bytes[f] = 1 + frs_rng_below(&rng, 300000);
            double latency_s = 0.1 * frs_rng_unit(&rng);
            frs_packets_add(packets, f, 0,
                &(struct frs_packets_flow){.up = up[f],
                    .bytes = bytes[f],
                    .bytes_per_s = 1e4 + 1e6 * frs_rng_unit(&rng),
                    .latency_s = latency_s,
                    .round_trip_s = 2 * latency_s});
        }
        while (n < N) {
            double until_s = now_s + 0.5;
            next_s = frs_packets_next_s(packets, until_s);
            now_s = fmin(next_s, until_s);
            while (frs_packets_pop(packets, now_s, &id)) {
                removed[id] = true;
                given[up[id]] += bytes[id];
                n++;
            }
            uint32_t f = frs_rng_below(&rng, 10 * N);
            if (f >= N || removed[f])
                continue;
            double part = frs_packets_remove(packets, f, now_s);
            ck_assert(part >= 0 && part <= bytes[f]);
            removed[f] = true;
            given[up[f]] += part;
            n++;
        }
        for (int way = 0; way < 2; way++)
            ck_assert_double_eq(frs_packets_carried(packets, true, way), given[way]);
        frs_packets_destroy(packets);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("packets");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, alone_by_hand);
    tcase_add_test(tests, shared_by_hand);
    tcase_add_test(tests, stars_by_hand);
    tcase_add_test(tests, overflow_by_hand);
    tcase_add_test(tests, removal_by_hand);
    tcase_add_test(tests, changing_link_by_hand);
    tcase_add_test(tests, changing_server_by_hand);
    tcase_add_test(tests, loss_by_hand);
    suite_add_tcase(suite, tests);
    TCase *random = tcase_create("random");
    tcase_add_test(random, alone_as_in_closed_form);
    tcase_add_test(random, nothing_is_lost_for_good);
    suite_add_tcase(suite, random);
    return frs_test_run(suite);
}
