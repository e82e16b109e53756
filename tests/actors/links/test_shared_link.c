/* Max-min sharing of the server's link: by hand, and random cohorts against the textbook method. */
#include "actors/links/shared_link.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Two flows of 10 MB, own capacities 1 and 4 MB/s, through 3 MB/s: rates 1 and 2 until the second has ended
 * at 5 s; then the first alone at 1 MB/s until 10 s. */
START_TEST(two_flows_by_hand) {
    struct frs_shared_link *link = frs_shared_link_create(3e6);
    uint32_t id;
    frs_shared_link_add(link, 0, 0, 1e6, 10e6);
    frs_shared_link_add(link, 1, 0, 4e6, 10e6);
    ck_assert_double_eq(frs_shared_link_rate(link, 0), 1e6);
    ck_assert_double_eq(frs_shared_link_rate(link, 1), 2e6);
    ck_assert_double_eq(frs_shared_link_next_s(link), 5);
    ck_assert(!frs_shared_link_pop(link, 4.9, &id));
    ck_assert(frs_shared_link_pop(link, 5, &id) && id == 1);
    ck_assert(!frs_shared_link_pop(link, 5, &id));
    ck_assert_double_eq(frs_shared_link_next_s(link), 10);
    ck_assert(frs_shared_link_pop(link, 10, &id) && id == 0);
    ck_assert(isinf(frs_shared_link_next_s(link)));
    ck_assert_uint_eq(frs_shared_link_n(link), 0);
    frs_shared_link_destroy(link);
}
END_TEST

/* Capacity 4: flows of capacity 10 each. From 0 s one alone gets 4; at 1 s a second comes: 2 each; at 3 s the
 * first is taken out with 4 + 2·2 = 8 received; the second then gets 4 and ends its 20 bytes at 3 + (20 −
 * 4)/4 = 7 s. */
START_TEST(removal_by_hand) {
    struct frs_shared_link *link = frs_shared_link_create(4);
    uint32_t id;
    frs_shared_link_add(link, 7, 0, 10, 100);
    frs_shared_link_add(link, 3, 1, 10, 20);
    ck_assert_double_eq(frs_shared_link_remove(link, 7, 3), 8);
    ck_assert_double_eq(frs_shared_link_next_s(link), 7);
    ck_assert(frs_shared_link_pop(link, 7, &id) && id == 3);
    frs_shared_link_destroy(link);
}
END_TEST

/* The same flows: the link counts 4 bytes a second, for any flow and whether or not one has ended, 28 in 7
 * s. After that nothing flows. A flow slower than the link counts its own 2 bytes a second. */
START_TEST(carried_by_hand) {
    struct frs_shared_link *link = frs_shared_link_create(4);
    uint32_t id;
    double slack;
    frs_shared_link_add(link, 7, 0, 10, 100);
    frs_shared_link_add(link, 3, 1, 10, 20);
    ck_assert_double_eq(frs_shared_link_carried(link, &slack), 4);
    frs_shared_link_remove(link, 7, 3);
    ck_assert_double_eq(frs_shared_link_carried(link, &slack), 12);
    ck_assert(frs_shared_link_pop(link, 7, &id));
    ck_assert_double_eq(frs_shared_link_carried(link, &slack), 28);
    frs_shared_link_add(link, 1, 10, 2, 6);
    ck_assert_double_eq(frs_shared_link_carried(link, &slack), 28);
    ck_assert(frs_shared_link_pop(link, 13, &id));
    ck_assert_double_eq(frs_shared_link_carried(link, &slack), 34);
    ck_assert(slack > 0 && slack < 1e-12);
    frs_shared_link_destroy(link);
}
END_TEST

/* Equal flows end together, in one batch of pops at one time. */
START_TEST(ties_end_together) {
    struct frs_shared_link *link = frs_shared_link_create(30);
    uint32_t id, n = 0;
    for (uint32_t i = 0; i < 9; i++)
        frs_shared_link_add(link, i, 0, 10, 70);
    double end_s = frs_shared_link_next_s(link);
    ck_assert_double_eq_tol(end_s, 21, 1e-12);
    while (frs_shared_link_pop(link, end_s, &id))
        n++;
    ck_assert_uint_eq(n, 9);
    frs_shared_link_destroy(link);
}
END_TEST

/* Without a common limit every flow takes bytes / capacity, to the last bit. */
START_TEST(unlimited_is_the_closed_form) {
    struct frs_shared_link *link = frs_shared_link_create(INFINITY);
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    for (uint32_t i = 0; i < 100; i++) {
        double capacity = 1 + frs_rng_below(&rng, 1000000), bytes = 1 + frs_rng_below(&rng, 1000000);
        uint32_t id;
        frs_shared_link_add(link, i, 0, capacity, bytes);
        ck_assert_double_eq(frs_shared_link_rate(link, i), capacity);
        ck_assert_double_eq(frs_shared_link_next_s(link), bytes / capacity);
        frs_shared_link_remove(link, i, 0);
        ck_assert(!frs_shared_link_pop(link, 0, &id));
    }
    frs_shared_link_destroy(link);
}
END_TEST

/* A second opinion: every rate from scratch by sorting, at every event. */
#define N 120

struct plain {
    double start_s, death_s, capacity, bytes, left, rate, end_s;
    int state; /* 0 waiting, 1 flowing, 2 ended, 3 dead */
};

static void plain_rates(struct plain *flows, double limit) {
    bool fixed[N] = {false};
    double left = limit;
    size_t n = 0;
    for (size_t i = 0; i < N; i++)
        n += flows[i].state == 1;
    for (size_t rest = n; rest > 0; rest--) {
        size_t smallest = N;
        for (size_t i = 0; i < N; i++)
            if (flows[i].state == 1 && !fixed[i] &&
                (smallest == N || flows[i].capacity < flows[smallest].capacity))
                smallest = i;
        double fair = left / (double)rest;
        flows[smallest].rate = flows[smallest].capacity < fair ? flows[smallest].capacity : fair;
        fixed[smallest] = true;
        left -= flows[smallest].rate;
    }
}

static void plain_run(struct plain *flows, double limit) {
    double now_s = 0;
    for (;;) {
        double next_s = INFINITY;
        plain_rates(flows, limit);
        for (size_t i = 0; i < N; i++) {
            struct plain *f = &flows[i];
            double time_s = f->state == 0   ? f->start_s
                            : f->state == 1 ? fmin(f->death_s, now_s + f->left / f->rate)
                                            : INFINITY;
            next_s = fmin(next_s, time_s);
        }
        if (isinf(next_s))
            return;
        for (size_t i = 0; i < N; i++) {
            struct plain *f = &flows[i];
            if (f->state == 1) {
                double end_s = now_s + f->left / f->rate;
                f->left -= f->rate * (next_s - now_s);
                if (end_s <= next_s + 1e-12) {
                    f->state = 2;
                    f->end_s = next_s;
                } else if (f->death_s <= next_s) {
                    f->state = 3;
                }
            } else if (f->state == 0 && f->start_s <= next_s) {
                f->state = 1;
                f->left = f->bytes;
            }
        }
        now_s = next_s;
    }
}

static void compare_with_plain(uint32_t trial) {
    struct frs_rng rng = frs_rng_stream(2, trial, 0, 0, FRS_RNG_TEST);
    struct plain flows[N];
    double limit = 1 + frs_rng_below(&rng, 3000);
    for (size_t i = 0; i < N; i++)
        flows[i] = (struct plain){.start_s = 10 * frs_rng_unit(&rng),
            .capacity = 1 + (trial % 2 ? frs_rng_below(&rng, 100) : 10 * frs_rng_below(&rng, 4)),
            .bytes = 1 + frs_rng_below(&rng, 2000),
            .death_s = INFINITY};
    for (size_t i = 0; i < N; i += 4)
        flows[i].death_s = flows[i].start_s + 5 * frs_rng_unit(&rng);
    plain_run(flows, limit);
    struct frs_shared_link *link = frs_shared_link_create(limit);
    bool started[N] = {false};
    double bytes = 0, slack;
    for (;;) {
        double next_s = frs_shared_link_next_s(link);
        size_t start = N, death = N;
        for (size_t i = 0; i < N; i++) {
            if (!started[i] && (start == N || flows[i].start_s < flows[start].start_s))
                start = i;
            if (started[i] && flows[i].state == 3 && (death == N || flows[i].death_s < flows[death].death_s))
                death = i;
        }
        double start_s = start < N ? flows[start].start_s : INFINITY;
        double death_s = death < N ? flows[death].death_s : INFINITY;
        uint32_t id;
        if (isinf(next_s) && isinf(start_s))
            break;
        if (next_s <= start_s && next_s <= death_s) {
            ck_assert(frs_shared_link_pop(link, next_s, &id));
            ck_assert_int_eq(flows[id].state, 2);
            ck_assert_double_eq_tol(next_s, flows[id].end_s, 1e-12 * flows[id].end_s);
            flows[id].state = 4;
            bytes += flows[id].bytes;
        } else if (death_s <= start_s) {
            double received = frs_shared_link_remove(link, (uint32_t)death, death_s);
            ck_assert_double_eq_tol(received, flows[death].bytes - flows[death].left, 1e-6);
            flows[death].state = 4;
            bytes += received;
        } else {
            frs_shared_link_add(link, (uint32_t)start, start_s, flows[start].capacity, flows[start].bytes);
            started[start] = true;
        }
    }
    for (size_t i = 0; i < N; i++)
        ck_assert_int_eq(flows[i].state, 4);
    double carried = frs_shared_link_carried(link, &slack);
    ck_assert_double_lt(slack, 1e-6);
    ck_assert_double_eq_tol(carried, bytes, 1e-12 * bytes + slack);
    frs_shared_link_destroy(link);
}

START_TEST(random_cohorts_match_sorting) {
    for (uint32_t trial = 0; trial < 300; trial++)
        compare_with_plain(trial);
}
END_TEST

/* Flows of 100 and 40 bytes, the first capped at 3, through a link of 10, then 4, then nothing, then 20
 * bytes/s:
 *   0–2 s   3 and 7: 94 and 26 left
 *   2–4 s   2 and 2: 90 and 22 left
 *   4–5 s   none
 *   5 s on  3 and 17: the second ends after 22/17 s, the first after 30 s */
START_TEST(capacity_that_varies) {
    uint32_t id;
    double slack;
    struct frs_shared_link *link = frs_shared_link_create(10);
    frs_shared_link_add(link, 0, 0, 3, 100);
    frs_shared_link_add(link, 1, 0, 30, 40);
    frs_shared_link_set_capacity(link, 2, 4);
    ck_assert_double_eq(frs_shared_link_rate(link, 0), 2);
    frs_shared_link_set_capacity(link, 4, 0);
    ck_assert(isinf(frs_shared_link_next_s(link)));
    ck_assert_double_eq(frs_shared_link_carried(link, &slack), 28);
    frs_shared_link_set_capacity(link, 5, 20);
    ck_assert_double_eq_tol(frs_shared_link_next_s(link), 5 + 22 / 17.0, 1e-12);
    ck_assert(frs_shared_link_pop(link, 7, &id) && id == 1);
    ck_assert_double_eq_tol(frs_shared_link_next_s(link), 35, 1e-12);
    ck_assert(frs_shared_link_pop(link, 36, &id) && id == 0);
    ck_assert_double_eq_tol(frs_shared_link_carried(link, &slack), 140, 1e-9);
    frs_shared_link_destroy(link);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shared_link");
    TCase *tests = tcase_create("shared_link");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, two_flows_by_hand);
    tcase_add_test(tests, removal_by_hand);
    tcase_add_test(tests, carried_by_hand);
    tcase_add_test(tests, capacity_that_varies);
    tcase_add_test(tests, ties_end_together);
    tcase_add_test(tests, unlimited_is_the_closed_form);
    tcase_add_test(tests, random_cohorts_match_sorting);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
