/* Windows from the cache against those of the simulated flow. */
#include "actors/links/window_cache.h"
#include "actors/links/tcp_stream.h"
#include "actors/links/uncontended_flow.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Differs from its neighbours in one member at a time, so that a member that is not compared shows. */
static struct frs_uncontended_flow flow_of(uint32_t i) {
    struct frs_uncontended_flow flow = {.bytes = 3e5 + 1448. * (i % 2),
        .bytes_per_s = 2e5 + 1e5 * (i / 2 % 2),
        .round_trip_s = .1 + .05 * (i / 4 % 2),
        .queue_s = .05 + .05 * (i / 8 % 2),
        .up = i / 16 % 2,
        .interactive = i / 32 % 2};
    if (i / 64 % 2)
        flow.from = (struct frs_path_memory){.window = 12 + 2. * (i / 128 % 2),
            .last_maximum = 60 * (i / 256 % 2),
            .threshold = 16. + 4 * (i / 512 % 2),
            .rtt_s = .2,
            .deviation_s = .1,
            .timeout_s = .5,
            .delay_s = .12 + .1 * (i / 1024 % 2)};
    return flow;
}

/* frees both */
static void check_same(struct frs_windows *found, struct frs_windows *simulated) {
    ck_assert_uint_eq(found->n, simulated->n);
    for (size_t i = 0; i < found->n; i++) {
        ck_assert_uint_eq(found->of[i].bytes, simulated->of[i].bytes);
        ck_assert(found->of[i].wait_s == simulated->of[i].wait_s);
    }
    free(found->of);
    free(simulated->of);
}

static void check_flow(struct frs_window_cache *cache, const struct frs_uncontended_flow *flow) {
    struct frs_windows found, simulated;
    frs_window_cache_windows(cache, flow, &found);
    frs_uncontended_flow_windows(flow, &simulated);
    check_same(&found, &simulated);
}

START_TEST(as_simulated) {
    struct frs_window_cache *cache = frs_window_cache_create();
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < 2048; i++) {
            struct frs_uncontended_flow flow = flow_of(i);
            check_flow(cache, &flow);
        }
    frs_window_cache_destroy(cache);
}
END_TEST

/* More flows than there is room for. */
START_TEST(as_simulated_when_full) {
    struct frs_window_cache *cache = frs_window_cache_create();
    struct frs_rng rng = frs_rng_stream(5, 0, 0, 0, FRS_RNG_TEST);
    for (uint32_t i = 0; i < 2 * FRS_WINDOW_CACHE_MOST; i++) {
        struct frs_uncontended_flow flow = {.bytes = 1e5 + frs_rng_below(&rng, 2000),
            .bytes_per_s = 2e5 + frs_rng_below(&rng, 3),
            .round_trip_s = .1,
            .queue_s = .03,
            .up = true};
        check_flow(cache, &flow);
    }
    frs_window_cache_destroy(cache);
}
END_TEST

/* What was kept is found although the path was used at another time; the copy is the caller's. */
START_TEST(kept_whenever_the_path_was_used) {
    struct frs_window_cache *cache = frs_window_cache_create();
    struct frs_windows first, second;
    struct frs_uncontended_flow flow = flow_of(0);
    flow.from.sent_s = 3;
    frs_window_cache_windows(cache, &flow, &first);
    ck_assert_uint_gt(first.n, 0);
    first.of[0].bytes = 0;
    flow.from.sent_s = 700;
    check_flow(cache, &flow);
    frs_window_cache_windows(cache, &flow, &second);
    first.of[0] = second.of[0];
    check_same(&first, &second);
    frs_window_cache_destroy(cache);
}
END_TEST

/* A message like one that was kept, but with packets of another under way before it. */
START_TEST(simulated_where_it_follows_another) {
    struct frs_window_cache *cache = frs_window_cache_create();
    struct frs_tcp_stream stream;
    struct frs_uncontended_flow flow = flow_of(0);
    struct frs_windows alone, following;
    frs_window_cache_windows(cache, &flow, &alone);
    frs_uncontended_flow_memory(&flow, &stream);
    ck_assert(frs_tcp_stream_goes_on(&stream, 0));
    flow.stream = &stream;
    check_flow(cache, &flow);
    frs_window_cache_windows(cache, &flow, &following);
    ck_assert(following.n != alone.n || following.of[0].bytes != alone.of[0].bytes);
    flow.stream = NULL;
    check_flow(cache, &flow);
    frs_tcp_stream_fini(&stream);
    free(alone.of);
    free(following.of);
    frs_window_cache_destroy(cache);
}
END_TEST

/* Both threads ask for the same flows, one after the other, so that both fill the same place. Threads do not
 * share Check's state: a difference is returned. */
static void *ask(void *context) {
    void *difference = NULL;
    for (uint32_t i = 0; i < 5000; i++) {
        struct frs_uncontended_flow flow = flow_of(0);
        flow.bytes = 1e5 + i;
        struct frs_windows found, simulated;
        frs_window_cache_windows(context, &flow, &found);
        frs_uncontended_flow_windows(&flow, &simulated);
        if (found.n != simulated.n || memcmp(found.of, simulated.of, found.n * sizeof *found.of) != 0)
            difference = "other windows";
        free(found.of);
        free(simulated.of);
    }
    return difference;
}

/* The ledger asks while the next round is simulated. */
START_TEST(of_two_threads) {
    struct frs_window_cache *cache = frs_window_cache_create();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ask, cache), 0);
    for (int i = 0; i < 2; i++) {
        void *difference;
        pthread_join(threads[i], &difference);
        ck_assert_ptr_null(difference);
    }
    frs_window_cache_destroy(cache);
}
END_TEST

START_TEST(none) {
    struct frs_uncontended_flow flow = flow_of(1), small = {.bytes = 100, .bytes_per_s = 1e6, .queue_s = 1};
    struct frs_windows windows = {.n = 7};
    frs_window_cache_windows(NULL, &small, &windows);
    ck_assert_uint_eq(windows.n, 0);
    ck_assert_ptr_null(windows.of);
    check_flow(NULL, &flow);
    frs_window_cache_destroy(NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("window cache");
    TCase *tests = tcase_create("window cache");
    tcase_add_test(tests, as_simulated);
    tcase_add_test(tests, as_simulated_when_full);
    tcase_add_test(tests, kept_whenever_the_path_was_used);
    tcase_add_test(tests, simulated_where_it_follows_another);
    tcase_add_test(tests, of_two_threads);
    tcase_add_test(tests, none);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
