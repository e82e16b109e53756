/* What waits before a link: drop-tail, in the order of arrival or in turns. Three flows, all by hand. */
#include "actors/links/packet_queue.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <stddef.h>
#include <string.h>

/* Puts one packet of weight 1 in for every flow named; '!' before a flow: it does not fit. */
static void push_all(struct frs_packet_queue *queue, const char *flows) {
    for (; *flows; flows++) {
        bool fits = *flows != '!';
        flows += !fits;
        const struct frs_packet packet = {.flow = (uint32_t)(*flows - '0'), .weight = 1};
        ck_assert_msg(
            frs_packet_queue_push(queue, &packet) == fits, "flow %c: %s", *flows, fits ? "dropped" : "kept");
    }
}

static void pop_all(struct frs_packet_queue *queue, const char *flows) {
    struct frs_packet packet;
    for (size_t i = 0; flows[i]; i++) {
        ck_assert(frs_packet_queue_pop(queue, &packet));
        ck_assert_msg((uint32_t)(flows[i] - '0') == packet.flow, "place %zu: flow %u instead of %c", i,
            packet.flow, flows[i]);
    }
}

/* Four fit, from any client; with one gone there is room for one. */
START_TEST(order_of_arrival) {
    struct frs_packet_queue queue = {.capacity = 4};
    struct frs_packet packet;
    push_all(&queue, "0012!0!1!2");
    pop_all(&queue, "0");
    push_all(&queue, "2!1");
    pop_all(&queue, "0122");
    ck_assert(!frs_packet_queue_pop(&queue, &packet));
    ck_assert_double_eq(queue.weight, 0);
    frs_packet_queue_fini(&queue);
}
END_TEST

/* A heavy packet leaves less room: 3 and 1 fill a queue of 4. */
START_TEST(packets_have_a_weight) {
    struct frs_packet_queue queue = {.capacity = 4};
    const struct frs_packet heavy = {.flow = 1, .weight = 3};
    ck_assert(frs_packet_queue_push(&queue, &heavy));
    push_all(&queue, "0!0");
    ck_assert(!frs_packet_queue_push(&queue, &heavy));
    pop_all(&queue, "1");
    push_all(&queue, "000!0");
    frs_packet_queue_fini(&queue);
}
END_TEST

/* Flow 0 fills the queue alone. Then flow 1 has a share of 4/2, and flow 2 one of 4/3. Flows are served in
 * turns; a new flow takes its turn behind those that wait. */
START_TEST(flows_are_served_in_turns) {
    struct frs_packet_queue queue = {.capacity = 4, .fair = true};
    struct frs_packet packet;
    push_all(&queue, "0000!011!12!2!0");
    pop_all(&queue, "0120100");
    ck_assert(!frs_packet_queue_pop(&queue, &packet));
    push_all(&queue, "2");
    push_all(&queue, "21");
    pop_all(&queue, "212");
    ck_assert_double_eq(queue.weight, 0);
    frs_packet_queue_fini(&queue);
}
END_TEST

/* Four flows fill the queue, and a fifth would have 4/5. Of two flows with two packets each one sends, and
 * has room for one again, although the other has taken the place. */
START_TEST(shares_follow_what_waits) {
    struct frs_packet_queue queue = {.capacity = 4, .fair = true};
    push_all(&queue, "0123!4");
    pop_all(&queue, "0123");
    push_all(&queue, "0011");
    pop_all(&queue, "0");
    push_all(&queue, "10");
    frs_packet_queue_fini(&queue);
}
END_TEST

/* Weights of 0.2, 0.4 and 0.3 leave 1.7e-16 behind by rounding: an empty queue has room for all it holds. */
START_TEST(an_empty_queue_is_empty) {
    static const double weights[] = {0.2, 0.4, 0.3};
    for (int fair = 0; fair < 2; fair++) {
        struct frs_packet_queue queue = {.capacity = 1, .fair = fair};
        struct frs_packet packet;
        for (size_t i = 0; i < 3; i++)
            ck_assert(frs_packet_queue_push(&queue, &(struct frs_packet){.weight = weights[i]}));
        for (size_t i = 0; i < 3; i++)
            ck_assert(frs_packet_queue_pop(&queue, &packet));
        ck_assert(frs_packet_queue_push(&queue, &(struct frs_packet){.weight = 1}));
        frs_packet_queue_fini(&queue);
    }
}
END_TEST

/* More than a ring begins with, from all of its places. */
START_TEST(queue_grows_from_any_place) {
    struct frs_packet_ring ring = {0};
    uint32_t n_pushed = 0, n_popped = 0;
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 7; i++)
            frs_packet_ring_push(&ring, &(struct frs_packet){.flow = n_pushed++});
        for (int i = 0; i < 5; i++) {
            ck_assert_uint_eq(frs_packet_ring_first(&ring)->flow, n_popped);
            ck_assert_uint_eq(frs_packet_ring_pop(&ring).flow, n_popped++);
        }
    }
    ck_assert_uint_eq(ring.n, 200);
    frs_packet_ring_fini(&ring);
}
END_TEST

/* Flows of any numbers, against a queue that keeps them in a list. */
START_TEST(many_flows_are_found) {
    enum { MOST = 300, STEPS = 20000 };
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    struct frs_packet_queue queue = {.capacity = MOST, .fair = true};
    uint32_t flows[MOST], waiting[MOST], n_flows = 0, n = 0; /* in the order of their turns */
    for (int step = 0; step < STEPS; step++) {
        uint32_t flow = frs_rng_below(&rng, 200) * (step % 2 ? 65536 : 1), at = 0;
        struct frs_packet packet = {.flow = flow, .weight = 1};
        if (n < MOST && frs_rng_below(&rng, step / 2000 % 2 ? 3 : 5) > 1) {
            ck_assert(frs_packet_queue_push(&queue, &packet));
            while (at < n_flows && flows[at] != flow)
                at++;
            if (at == n_flows) {
                flows[n_flows] = flow;
                waiting[n_flows++] = 0;
            }
            waiting[at]++;
            n++;
            continue;
        }
        ck_assert_int_eq(frs_packet_queue_pop(&queue, &packet), n > 0);
        if (n == 0)
            continue;
        ck_assert_uint_eq(packet.flow, flows[0]);
        uint32_t left = waiting[0] - 1;
        memmove(flows, flows + 1, --n_flows * sizeof *flows);
        memmove(waiting, waiting + 1, n_flows * sizeof *waiting);
        if (left > 0) {
            flows[n_flows] = packet.flow;
            waiting[n_flows++] = left;
        }
        n--;
    }
    ck_assert_double_eq(queue.weight, n);
    frs_packet_queue_fini(&queue);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("packet queue");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, order_of_arrival);
    tcase_add_test(tests, packets_have_a_weight);
    tcase_add_test(tests, flows_are_served_in_turns);
    tcase_add_test(tests, shares_follow_what_waits);
    tcase_add_test(tests, an_empty_queue_is_empty);
    tcase_add_test(tests, many_flows_are_found);
    tcase_add_test(tests, queue_grows_from_any_place);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
