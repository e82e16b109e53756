/* Whatever order threads make things in, they are taken by their numbers, each once and none before it is
 * there. */
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/threads/in_order.h"
#include "sim/base/threads/pool.h"
#include "tests/support.h"

#include <stdlib.h>

enum { N = 500, BATCHES = 40 };

struct things {
    struct frs_in_order *in_order;
    size_t order[N]; /* in which they are made */
    uint64_t made[N];
    uint64_t sum; /* of all taken, mixed so that it depends on their order */
    size_t n_taken;
};

static uint64_t make(size_t i) {
    struct frs_rng rng = frs_rng_stream(2, (uint32_t)i, 0, 0, FRS_RNG_TEST);
    uint64_t sum = 0;
    for (size_t k = 0; k <= i % 41 * 20; k++)
        sum += frs_rng_u64(&rng);
    return sum;
}

static void take(void *context, size_t i) {
    struct things *things = context;
    ck_assert_uint_eq(i, things->n_taken);
    things->sum = 31 * things->sum + things->made[i];
    things->n_taken++;
}

static void work(void *context, size_t task, size_t thread) {
    struct things *things = context;
    size_t i = things->order[task];
    (void)thread;
    things->made[i] = make(i);
    if (task % 3 == 0 && frs_in_order_claim(things->in_order, i))
        take(things, i);
    frs_in_order_made(things->in_order, i);
}

/* A few at a time: those before what is made have to be made by others. */
static void shuffle(size_t *order, uint32_t batch) {
    struct frs_rng rng = frs_rng_stream(3, batch, 0, 0, FRS_RNG_TEST);
    for (size_t i = 0; i < N; i++) {
        size_t other = i - i % 20 + frs_rng_below(&rng, (uint32_t)(i % 20) + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

START_TEST(things_go_in_order) {
    struct frs_pool *pool = frs_pool_create((size_t)_i);
    struct things *things = frs_alloc(1, sizeof *things);
    uint64_t expected = 0;
    things->in_order = frs_in_order_create();
    for (size_t i = 0; i < N; i++)
        expected = 31 * expected + make(i);
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        shuffle(things->order, batch);
        things->sum = things->n_taken = 0;
        frs_in_order_begin(things->in_order, take, things, N);
        frs_pool_start(pool, work, things, N);
        frs_pool_finish(pool);
        frs_in_order_wait(things->in_order, N - 1);
        ck_assert_uint_eq(things->n_taken, N);
        ck_assert_uint_eq(things->sum, expected);
    }
    frs_in_order_begin(things->in_order, take, things, 0);
    frs_in_order_destroy(things->in_order);
    free(things);
    frs_pool_destroy(pool);
}
END_TEST

/* What is made first of all waits; what is next goes at once, and takes along what waits behind it. */
START_TEST(what_is_next_takes_along_what_waits) {
    static struct things things;
    things.in_order = frs_in_order_create();
    frs_in_order_begin(things.in_order, take, &things, 4);
    frs_in_order_made(things.in_order, 1);
    ck_assert_uint_eq(things.n_taken, 0);
    frs_in_order_made(things.in_order, 0);
    ck_assert_uint_eq(things.n_taken, 2);
    frs_in_order_wait(things.in_order, 1);
    frs_in_order_made(things.in_order, 3);
    ck_assert_uint_eq(things.n_taken, 2);
    frs_in_order_made(things.in_order, 2);
    ck_assert_uint_eq(things.n_taken, 4);
    frs_in_order_destroy(things.in_order);
}
END_TEST

/* Only what is next can be claimed, and by one thread; what waits behind it goes when it is made. */
START_TEST(only_what_is_next_is_claimed) {
    static struct things things;
    things.in_order = frs_in_order_create();
    frs_in_order_begin(things.in_order, take, &things, 3);
    ck_assert(!frs_in_order_claim(things.in_order, 1));
    ck_assert(frs_in_order_claim(things.in_order, 0));
    ck_assert(!frs_in_order_claim(things.in_order, 0));
    frs_in_order_made(things.in_order, 1);
    ck_assert_uint_eq(things.n_taken, 0);
    take(&things, 0);
    frs_in_order_made(things.in_order, 0);
    ck_assert_uint_eq(things.n_taken, 2);
    frs_in_order_made(things.in_order, 2);
    frs_in_order_wait(things.in_order, 2);
    ck_assert_uint_eq(things.n_taken, 3);
    frs_in_order_destroy(things.in_order);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("in order");
    TCase *tests = tcase_create("in order");
    tcase_add_loop_test(tests, things_go_in_order, 1, 5);
    tcase_add_test(tests, what_is_next_takes_along_what_waits);
    tcase_add_test(tests, only_what_is_next_is_claimed);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
