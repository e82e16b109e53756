/* Messages between the clients of a gossip round: times and bytes by hand, losses in every phase, and what
 * has to hold of random rounds. */
#include "actors/links/window_cache.h"
#include "actors/peers/exchange.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DETECT_S 30

static const struct frs_loss no_loss = {.at_share = NAN, .after_s = INFINITY};
static const struct frs_peer_sending at_once;

static struct frs_peer_message message(uint32_t from, uint32_t to, uint64_t bytes) {
    return (struct frs_peer_message){.from = from, .to = to, .bytes = bytes, .loss = {no_loss, no_loss}};
}

static struct frs_peer_member member(double ready_s, double down, double up, double down_s, double up_s) {
    return (struct frs_peer_member){.ready_s = ready_s,
        .dies_s = INFINITY,
        .links = {.bytes_per_s = {down, up}, .latency_s = {down_s, up_s}}};
}

/* A is ready at 1 s and B at 2 s. A's 1,000 bytes go through an uplink of 1,000 B/s and a downlink of 500:
 * behind latencies of 0.1 + 0.2 s they begin at 1.3 and end at 3.3. B's go through 2,000 and 1,000 B/s,
 * behind 0.05 + 0.15 s: from 2.2 to 3.2. Both have everything at 3.3. */
static void make_two(struct frs_peer_member members[2], struct frs_peer_message messages[2]) {
    members[0] = member(1, 1000, 1000, .15, .1);
    members[1] = member(2, 500, 2000, .2, .05);
    messages[0] = message(0, 1, 1000);
    messages[1] = message(1, 0, 1000);
}

START_TEST(two_by_hand) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    double carried = frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_double_eq_tol(messages[0].start_s, 1.3, 1e-12);
    ck_assert_double_eq_tol(messages[0].end_s, 3.3, 1e-12);
    ck_assert_double_eq_tol(messages[1].start_s, 2.2, 1e-12);
    ck_assert_double_eq_tol(messages[1].end_s, 3.2, 1e-12);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(messages[i].fate, FRS_PEER_DELIVERED);
        ck_assert_uint_eq(messages[i].crossed_bytes, 1000);
        ck_assert_double_eq_tol(members[i].done_s, 3.3, 1e-12);
        ck_assert_double_eq_tol(members[i].first_s, 1, 1e-12);
        ck_assert_double_eq_tol(members[i].last_s, 3.3, 1e-12);
    }
    ck_assert_double_eq_tol(carried, 2000, 1e-9);
}
END_TEST

/* Uplinks of 100 B/s, downlinks of 1,000, 1,000 and 60. The last one is full with 30 for each sender, who
 * send the other message at 70; its owner sends two at 50. So 300 bytes end at 30/7 s (0 and 1 to each
 * other), 6 s (from 2) and 10 s (to 2). */
START_TEST(three_by_hand) {
    struct frs_peer_member members[3] = {
        member(0, 1000, 100, 0, 0), member(0, 1000, 100, 0, 0), member(0, 60, 100, 0, 0)};
    struct frs_peer_message messages[6];
    const double ends_s[6] = {30 / 7.0, 10, 30 / 7.0, 10, 6, 6};
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            if (i != j)
                messages[n++] = message(i, j, 300);
    frs_peer_exchange(members, 3, messages, n, &at_once, DETECT_S);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_double_eq_tol(messages[i].end_s, ends_s[i], 1e-12);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(members[i].done_s, 10, 1e-12);
}
END_TEST

/* A drops out at 2.3 s: 500 of its bytes have crossed in a second, 100 of B's in 0.1 s. B notices 30 s later.
 */
START_TEST(an_end_drops_out) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    members[0].dies_s = 2.3;
    members[0].dies_cause = FRS_CAUSE_OFFLINE;
    double carried = frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_SENDER_LOST);
    ck_assert_int_eq(messages[1].fate, FRS_PEER_RECEIVER_LOST);
    ck_assert_uint_eq(messages[0].crossed_bytes, 500);
    ck_assert_uint_eq(messages[1].crossed_bytes, 100);
    ck_assert_double_eq_tol(carried, 600, 1e-9);
    ck_assert(isnan(members[0].done_s) && members[0].cause == FRS_CAUSE_OFFLINE);
    ck_assert_double_eq(members[0].lost_s, 2.3);
    ck_assert_double_eq_tol(members[1].done_s, 32.3, 1e-12);
}
END_TEST

/* At 500 B/s from 1.3 s on, 1.55 bytes have crossed after 3.1 ms: one of them whole. */
START_TEST(a_byte_under_way_has_not_crossed) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    members[0].dies_s = 1.3031;
    members[0].dies_cause = FRS_CAUSE_OFFLINE;
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_SENDER_LOST);
    ck_assert_uint_eq(messages[0].crossed_bytes, 1);
}
END_TEST

/* B drops out, too, before it has noticed. */
START_TEST(both_ends_drop_out) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    members[0].dies_s = 2.3;
    members[1].dies_s = 20;
    members[0].dies_cause = members[1].dies_cause = FRS_CAUSE_DEVICE;
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_double_eq(members[0].lost_s, 2.3);
    ck_assert_double_eq(members[1].lost_s, 20);
    ck_assert(isnan(members[0].done_s) && isnan(members[1].done_s));
    ck_assert_double_eq(messages[0].end_s, 2.3);
}
END_TEST

/* A quarter of A's message crosses in 0.5 s, until 1.8 s. Its connection breaks: A sees that at once and
 * waits for B's message alone, until 3.2 s; B notices at 31.8 s. Or A's device fails, and takes B's message
 * with it, of which nothing has been sent: B finds A gone, and knows 30 s after the failure, too. */
START_TEST(a_planned_loss) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    messages[0].loss[1] = (struct frs_loss){
        .planned = true, .at_share = .25, .cause = FRS_CAUSE_CONNECTION, .after_s = INFINITY};
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_BROKEN);
    ck_assert_uint_eq(messages[0].crossed_bytes, 250);
    ck_assert_double_eq_tol(messages[0].end_s, 1.8, 1e-12);
    ck_assert_int_eq(messages[1].fate, FRS_PEER_DELIVERED);
    ck_assert_double_eq_tol(members[0].done_s, 3.2, 1e-12);
    ck_assert_double_eq_tol(members[1].done_s, 31.8, 1e-12);

    make_two(members, messages);
    messages[0].loss[1] =
        (struct frs_loss){.planned = true, .at_share = .25, .cause = FRS_CAUSE_DEVICE, .after_s = INFINITY};
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_SENDER_LOST);
    ck_assert_int_eq(messages[1].fate, FRS_PEER_NOT_SENT);
    ck_assert_double_eq_tol(members[0].lost_s, 1.8, 1e-12);
    ck_assert(isnan(messages[1].begun_s) && messages[1].crossed_bytes == 0);
    ck_assert_double_eq_tol(members[1].done_s, 31.8, 1e-12);
}
END_TEST

/* The connection breaks at a quarter of A's message, be it at A's end or at B's, before it would at half. */
START_TEST(the_earlier_of_two_losses_rules) {
    for (int earlier = 0; earlier < 2; earlier++) {
        struct frs_peer_member members[2];
        struct frs_peer_message messages[2];
        make_two(members, messages);
        for (int end = 0; end < 2; end++)
            messages[0].loss[end] = (struct frs_loss){.planned = true,
                .at_share = end == earlier ? .25 : .5,
                .cause = FRS_CAUSE_CONNECTION,
                .after_s = INFINITY};
        frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
        ck_assert_int_eq(messages[0].fate, FRS_PEER_BROKEN);
        ck_assert_uint_eq(messages[0].crossed_bytes, 250);
        ck_assert_double_eq_tol(messages[0].end_s, 1.8, 1e-12);
    }
}
END_TEST

/* The receiver's device fails at half of the message, at 2.3 s; or the connection at 0.5 s of it. */
START_TEST(a_receiver_fails) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    messages[0].loss[0] =
        (struct frs_loss){.planned = true, .at_share = .5, .cause = FRS_CAUSE_DEVICE, .after_s = INFINITY};
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_RECEIVER_LOST);
    ck_assert_double_eq_tol(members[1].lost_s, 2.3, 1e-12);
    ck_assert_uint_eq(messages[0].crossed_bytes, 500);
    ck_assert_double_eq_tol(members[0].done_s, 32.3, 1e-12);

    make_two(members, messages);
    messages[0].loss[0] =
        (struct frs_loss){.at_share = NAN, .after_s = .5, .after_cause = FRS_CAUSE_CONNECTION};
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_BROKEN);
    ck_assert_uint_eq(messages[0].crossed_bytes, 250);
}
END_TEST

/* A is lost at 0.5 s, before it is ready: B is ready at 2 s, finds nobody to send to and notices at 30.5 s.
 */
START_TEST(lost_before_it_is_ready) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    make_two(members, messages);
    members[0].dies_s = .5;
    members[0].dies_cause = FRS_CAUSE_OFFLINE;
    frs_peer_exchange(members, 2, messages, 2, &at_once, DETECT_S);
    ck_assert_int_eq(messages[0].fate, FRS_PEER_NOT_SENT);
    ck_assert_int_eq(messages[1].fate, FRS_PEER_NOT_SENT);
    ck_assert_double_eq_tol(members[1].done_s, 30.5, 1e-12);
    ck_assert(isnan(members[1].first_s));
}
END_TEST

/* Latencies of 0.3 s there and 0.2 s back. Connecting: 2 · 0.3 + 0.2, then 500 bytes at 500 B/s and 1,000
 * bytes back at 1,000; then 0.3 s: the first byte at 1 + 3.1 s. */
START_TEST(connecting_by_hand) {
    struct frs_peer_member members[2];
    struct frs_peer_message messages[2];
    const struct frs_peer_sending sending = {
        .latencies_there = 2, .latencies_back = 1, .bytes_there = 500, .bytes_back = 1000};
    make_two(members, messages);
    frs_peer_exchange(members, 2, messages, 1, &sending, DETECT_S);
    ck_assert_double_eq_tol(messages[0].start_s, 4.1, 1e-12);
    ck_assert_double_eq_tol(messages[0].end_s, 6.1, 1e-12);
    ck_assert_uint_eq(messages[0].setup_bytes[1], 500);
    ck_assert_uint_eq(messages[0].setup_bytes[0], 1000);
}
END_TEST

/* Slow start by the smaller link, 1 MB/s, and a round trip of 0.5 s: 14,480 bytes, acknowledged after 0.5 s
 * and the 1,448 µs of the first packet, and then the other 15,520 bytes in 15,520 µs. */
START_TEST(slow_start_by_hand) {
    struct frs_peer_member members[2] = {member(0, 1e6, 4e6, .1, .1), member(0, 1e6, 4e6, .1, .2)};
    struct frs_peer_message one = message(0, 1, 30000);
    const struct frs_peer_sending sending = {.slow_start = FRS_SLOW_START_QUICK};
    frs_peer_exchange(members, 2, &one, 1, &sending, DETECT_S);
    ck_assert_double_eq_tol(one.start_s, .2, 1e-12);
    ck_assert_double_eq_tol(one.end_s, .2 + .501448 + .01552, 1e-9);
}
END_TEST

static double unit(struct frs_rng *rng) {
    return frs_rng_unit(rng);
}

enum { MOST = 12 };

struct round {
    struct frs_peer_member members[MOST];
    struct frs_peer_message messages[MOST * (MOST - 1)];
    uint32_t n, n_messages;
    struct frs_peer_sending sending;
};

static struct frs_loss draw_loss(struct frs_rng *rng) {
    struct frs_loss loss = no_loss;
    loss.planned = unit(rng) < .05;
    loss.at_share = unit(rng);
    loss.cause = unit(rng) < .5 ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION;
    if (unit(rng) < .05) {
        loss.after_s = 5 * unit(rng);
        loss.after_cause = unit(rng) < .5 ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION;
    }
    return loss;
}

static void draw_round(uint64_t seed, struct round *round) {
    static const struct frs_sender_rules rules = {.queue_s = .05, .windows = frs_window_cache_windows};
    struct frs_rng rng = frs_rng_stream(seed, 0, 0, 0, FRS_RNG_TEST);
    memset(round, 0, sizeof *round);
    round->n = 1 + frs_rng_below(&rng, MOST);
    for (uint32_t i = 0; i < round->n; i++) {
        round->members[i] = member(floor(4 * unit(&rng)), 1 + frs_rng_below(&rng, 40000),
            1 + frs_rng_below(&rng, 40000), .1 * frs_rng_below(&rng, 3), .2 * unit(&rng));
        if (unit(&rng) < .2)
            round->members[i].dies_s = 8 * unit(&rng);
        round->members[i].dies_cause = FRS_CAUSE_OFFLINE;
    }
    for (uint32_t i = 0; i < round->n; i++)
        for (uint32_t j = 0; j < round->n; j++)
            if (i != j && unit(&rng) < .5) {
                struct frs_peer_message *one = &round->messages[round->n_messages++];
                *one = message(i, j, 1 + frs_rng_below(&rng, 100000));
                one->loss[0] = draw_loss(&rng);
                one->loss[1] = draw_loss(&rng);
            }
    if (seed % 2)
        round->sending = (struct frs_peer_sending){.latencies_there = 2,
            .latencies_back = 1,
            .bytes_there = 600,
            .bytes_back = 3700,
            .slow_start = FRS_SLOW_START_PAIRED,
            .sender = seed % 4 == 1 ? &rules : NULL};
}

/* Every member is done or lost, never before a message of its own has ended; what crossed is what the links
 * carried, but for the byte that was under way; and the same round gives the same times. */
START_TEST(random_rounds) {
    size_t fates[FRS_PEER_BROKEN + 1] = {0};
    for (uint64_t seed = 0; seed < FRS_TEST_CASES(1500); seed++) {
        struct round *round = frs_alloc(1, sizeof *round), *again = frs_alloc(1, sizeof *again);
        draw_round(seed, round);
        draw_round(seed, again);
        double carried = frs_peer_exchange(
                   round->members, round->n, round->messages, round->n_messages, &round->sending, DETECT_S),
               crossed = 0, slack = 1e-6;
        frs_peer_exchange(
            again->members, again->n, again->messages, again->n_messages, &again->sending, DETECT_S);
        for (uint32_t m = 0; m < round->n_messages; m++) {
            const struct frs_peer_message *one = &round->messages[m];
            bool arrived = one->fate == FRS_PEER_DELIVERED;
            fates[one->fate]++;
            crossed += (double)(one->crossed_bytes + one->setup_bytes[0] + one->setup_bytes[1]);
            slack += !arrived;
            ck_assert(arrived ? one->crossed_bytes == one->bytes : one->crossed_bytes <= one->bytes);
            ck_assert(isnan(one->begun_s) == (one->fate == FRS_PEER_NOT_SENT));
            for (int end = 0; end < 2; end++) {
                const struct frs_peer_member *of = &round->members[end ? one->from : one->to];
                ck_assert(isnan(of->done_s) ? one->fate == FRS_PEER_NOT_SENT || one->end_s <= of->lost_s
                                            : one->end_s <= of->done_s);
            }
            ck_assert(memcmp(&one->end_s, &again->messages[m].end_s, sizeof one->end_s) == 0);
        }
        for (uint32_t i = 0; i < round->n; i++) {
            const struct frs_peer_member *of = &round->members[i];
            ck_assert(isnan(of->done_s) != isnan(of->lost_s));
            ck_assert(isnan(of->lost_s) || of->lost_s <= of->dies_s);
            ck_assert(memcmp(of, &again->members[i], sizeof *of) == 0);
        }
        ck_assert_double_eq_tol(carried, crossed, slack);
        frs_peer_messages_fini(round->messages, round->n_messages);
        frs_peer_messages_fini(again->messages, again->n_messages);
        free(round);
        free(again);
    }
    for (size_t i = 0; i <= FRS_PEER_BROKEN; i++)
        ck_assert_uint_gt(fates[i], FRS_TEST_CASES(100));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("peer exchange");
    TCase *tests = tcase_create("peer exchange");
    tcase_add_test(tests, two_by_hand);
    tcase_add_test(tests, three_by_hand);
    tcase_add_test(tests, an_end_drops_out);
    tcase_add_test(tests, a_byte_under_way_has_not_crossed);
    tcase_add_test(tests, both_ends_drop_out);
    tcase_add_test(tests, a_planned_loss);
    tcase_add_test(tests, the_earlier_of_two_losses_rules);
    tcase_add_test(tests, a_receiver_fails);
    tcase_add_test(tests, lost_before_it_is_ready);
    tcase_add_test(tests, connecting_by_hand);
    tcase_add_test(tests, slow_start_by_hand);
    tcase_add_test(tests, random_rounds);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
