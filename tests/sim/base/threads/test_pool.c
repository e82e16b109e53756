/* The thread pool: batches, single tasks, and destruction in the middle of work. */
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/threads/pool.h"
#include "sim/base/numbers/rng.h"
#include "tests/sim/base/death.h"
#include "tests/support.h"

#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 8, MAX_TASKS = 1000 };

struct batch {
    size_t n_threads;
    uint64_t results[MAX_TASKS];
    size_t runs[MAX_TASKS];  /* how often each task ran: one task writes to its own place only */
    size_t order[MAX_TASKS]; /* with one thread: tasks as they ran */
    size_t n_run;
    size_t bad_threads[MAX_TASKS];
};

/* Work of uneven length whose result depends on the task alone. */
static uint64_t value_of(size_t task) {
    struct frs_rng rng = frs_rng_stream(1, (uint32_t)task, 0, 0, FRS_RNG_TEST);
    uint64_t sum = 0;
    for (size_t i = 0; i <= task % 37 * 10; i++)
        sum += frs_rng_u64(&rng);
    return sum;
}

static void work(void *context, size_t task, size_t thread) {
    struct batch *batch = context;
    batch->results[task] = value_of(task);
    batch->runs[task]++;
    batch->bad_threads[task] += thread >= batch->n_threads;
}

static void note_order(void *context, size_t task, size_t thread) {
    struct batch *batch = context;
    work(context, task, thread);
    batch->order[batch->n_run++] = task;
}

static void assert_all_ran_once(const struct batch *batch, size_t n) {
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(batch->runs[i], 1);
        ck_assert_uint_eq(batch->bad_threads[i], 0);
        ck_assert_uint_eq(batch->results[i], value_of(i));
    }
    for (size_t i = n; i < MAX_TASKS; i++)
        ck_assert_uint_eq(batch->runs[i], 0);
}

static struct batch *batch_create(const struct frs_pool *pool) {
    struct batch *batch = frs_alloc(1, sizeof *batch);
    batch->n_threads = frs_pool_threads(pool);
    return batch;
}

START_TEST(every_task_of_many_batches_runs_once) {
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 100, 0, MAX_TASKS, 3};
    for (size_t threads = 1; threads <= MAX_THREADS; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        ck_assert_uint_eq(frs_pool_threads(pool), threads);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct batch *batch = batch_create(pool);
            frs_pool_start(pool, work, batch, sizes[i]);
            frs_pool_finish(pool);
            assert_all_ran_once(batch, sizes[i]);
            free(batch);
        }
        frs_pool_destroy(pool);
    }
}
END_TEST

START_TEST(short_batches_in_quick_succession) {
    struct frs_pool *pool = frs_pool_create(4);
    struct batch *batch = batch_create(pool);
    for (size_t round = 1; round <= 2000; round++) {
        frs_pool_start(pool, work, batch, 3);
        frs_pool_finish(pool);
        for (size_t i = 0; i < 3; i++)
            ck_assert_uint_eq(batch->runs[i], round);
    }
    frs_pool_destroy(pool);
    free(batch);
}
END_TEST

/* Tasks are awaited in the order of simulated completion, which is not the order of their numbers. */
START_TEST(waits_for_single_tasks) {
    enum { N = 300 };
    for (size_t threads = 1; threads <= MAX_THREADS; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        struct batch *batch = batch_create(pool);
        uint32_t order[N];
        struct frs_rng rng = frs_rng_stream(2, (uint32_t)threads, 0, 0, FRS_RNG_TEST);
        frs_rng_sample(&rng, N, N, order);
        frs_pool_start(pool, work, batch, N);
        for (size_t i = 0; i < N; i++) {
            frs_pool_wait(pool, order[i]);
            ck_assert_uint_eq(batch->results[order[i]], value_of(order[i]));
        }
        frs_pool_wait(pool, order[0]); /* again */
        frs_pool_finish(pool);
        assert_all_ran_once(batch, N);
        frs_pool_destroy(pool);
        free(batch);
    }
}
END_TEST

START_TEST(one_thread_works_in_wait_only) {
    enum { AT_ONCE = FRS_POOL_AT_ONCE, N = 4 * AT_ONCE };
    struct frs_pool *pool = frs_pool_create(1);
    struct batch *batch = batch_create(pool);
    frs_pool_start(pool, note_order, batch, N);
    ck_assert_uint_eq(batch->n_run, 0);
    frs_pool_wait(pool, 3);
    ck_assert_uint_eq(batch->n_run, AT_ONCE);
    frs_pool_wait(pool, 1); /* done already */
    ck_assert_uint_eq(batch->n_run, AT_ONCE);
    frs_pool_wait(pool, 2 * AT_ONCE);
    ck_assert_uint_eq(batch->n_run, 3 * AT_ONCE);
    frs_pool_finish(pool);
    for (size_t i = 0; i < N; i++)
        ck_assert_uint_eq(batch->order[i], i);
    assert_all_ran_once(batch, N);
    frs_pool_destroy(pool);
    free(batch);
}
END_TEST

/* What an interrupted run does: no thread waits for the rest. */
START_TEST(destroyed_in_the_middle) {
    for (size_t threads = 1; threads <= MAX_THREADS; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        struct batch *batch = batch_create(pool);
        frs_pool_start(pool, work, batch, MAX_TASKS);
        frs_pool_wait(pool, 5);
        frs_pool_destroy(pool);
        for (size_t i = 0; i < MAX_TASKS; i++)
            ck_assert_uint_le(batch->runs[i], 1);
        free(batch);
    }
    frs_pool_destroy(NULL);
}
END_TEST

/* ---- a job beside ---------------------------------------------------------------------------- */

struct beside {
    atomic_bool begun, may_end;
    size_t runs;
};

static void run_beside(void *context) {
    struct beside *beside = context;
    atomic_store(&beside->begun, true);
    while (!atomic_load(&beside->may_end))
        usleep(100);
    beside->runs++;
}

/* While a job runs batches go on, to their end. */
START_TEST(batches_go_on_beside_a_job) {
    for (size_t threads = 2; threads <= MAX_THREADS; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        struct beside beside = {0};
        frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, run_beside, &beside);
        while (!atomic_load(&beside.begun))
            usleep(100);
        for (size_t i = 0; i < 5; i++) {
            struct batch *batch = batch_create(pool);
            frs_pool_start(pool, work, batch, 100);
            frs_pool_wait(pool, 17);
            frs_pool_finish(pool);
            assert_all_ran_once(batch, 100);
            free(batch);
        }
        ck_assert_uint_eq(beside.runs, 0);
        atomic_store(&beside.may_end, true);
        frs_pool_finish_beside(pool, FRS_BESIDE_BASELINES);
        ck_assert_uint_eq(beside.runs, 1);
        frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, run_beside, &beside);
        frs_pool_finish_beside(pool, FRS_BESIDE_BASELINES);
        frs_pool_finish_beside(pool, FRS_BESIDE_BASELINES); /* there is none any more */
        ck_assert_uint_eq(beside.runs, 2);
        frs_pool_destroy(pool);
    }
}
END_TEST

START_TEST(one_thread_runs_a_job_when_it_is_waited_for) {
    struct frs_pool *pool = frs_pool_create(1);
    struct batch *batch = batch_create(pool);
    struct beside beside = {.may_end = true};
    frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, run_beside, &beside);
    frs_pool_start(pool, work, batch, 100);
    frs_pool_finish(pool);
    ck_assert_uint_eq(beside.runs, 0);
    frs_pool_finish_beside(pool, FRS_BESIDE_BASELINES);
    ck_assert_uint_eq(beside.runs, 1);
    frs_pool_destroy(pool);
    free(batch);
}
END_TEST

/* A job that no thread has begun is dropped; one that is under way ends first. */
START_TEST(destroyed_beside_a_job) {
    for (size_t threads = 1; threads <= MAX_THREADS; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        struct beside beside = {.may_end = true};
        frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, run_beside, &beside);
        frs_pool_destroy(pool);
        ck_assert_uint_eq(beside.runs, atomic_load(&beside.begun));
    }
}
END_TEST

static void burn(void *context) {
    volatile double *sum = context;
    for (double until_s = frs_cpu_s() + 0.05; frs_cpu_s() < until_s;)
        *sum += 1;
}

/* Jobs of two kinds do not wait for each other. */
START_TEST(jobs_of_two_kinds) {
    for (size_t threads = 1; threads <= MAX_THREADS; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        struct beside fit = {0}, ledger = {.may_end = true};
        frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, run_beside, &fit);
        while (threads > 1 && !atomic_load(&fit.begun))
            usleep(100);
        for (size_t i = 0; i < 10; i++) {
            frs_pool_start_beside(pool, FRS_BESIDE_LEDGER, run_beside, &ledger);
            frs_pool_finish_beside(pool, FRS_BESIDE_LEDGER);
            ck_assert_uint_eq(ledger.runs, i + 1);
        }
        ck_assert_uint_eq(fit.runs, 0);
        atomic_store(&fit.may_end, true);
        frs_pool_finish_beside(pool, FRS_BESIDE_BASELINES);
        ck_assert_uint_eq(fit.runs, 1);
        frs_pool_destroy(pool);
    }
}
END_TEST

/* Its time is not that of the batches, neither while it lasts nor afterwards. */
START_TEST(time_of_a_job_is_its_own) {
    for (size_t threads = 1; threads <= 3; threads++) {
        struct frs_pool *pool = frs_pool_create(threads);
        double sum = 0, process_s = frs_process_cpu_s(), pool_s = frs_pool_cpu_s(pool);
        for (size_t i = 0; i < 2; i++) {
            frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, burn, &sum);
            while (threads > 1 && frs_process_cpu_s() < process_s + 0.02)
                usleep(100);
            ck_assert_double_lt(frs_pool_cpu_s(pool) - pool_s, 0.015);
            frs_pool_finish_beside(pool, FRS_BESIDE_BASELINES);
        }
        ck_assert_double_gt(frs_process_cpu_s() - process_s, 0.099);
        ck_assert_double_lt(frs_pool_cpu_s(pool) - pool_s, 0.03);
        ck_assert_double_gt(frs_pool_beside_s(pool, FRS_BESIDE_BASELINES), 0.099);
        ck_assert(frs_pool_beside_s(pool, FRS_BESIDE_LEDGER) == 0);
        ck_assert(threads > 1 || frs_pool_caller_s(pool) > 0.099);
        frs_pool_destroy(pool);
    }
}
END_TEST

static void start_beside_twice(void) {
    double sum = 0;
    struct frs_pool *pool = frs_pool_create(1);
    frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, burn, &sum);
    frs_pool_start_beside(pool, FRS_BESIDE_BASELINES, burn, &sum);
}

static void nothing(void *context, size_t task, size_t thread) {
    (void)context;
    (void)task;
    (void)thread;
}

static void spend(void *context, size_t task, size_t thread) {
    (void)context, (void)task, (void)thread;
    for (double end_s = frs_cpu_s() + 1e-3; frs_cpu_s() < end_s;)
        ;
}

/* With one thread all 40 tasks of a millisecond are the caller's; what it does between two batches is not. */
START_TEST(time_in_tasks_is_told_from_the_callers_own) {
    struct frs_pool *pool = frs_pool_create(1);
    double began_s = frs_cpu_s();
    frs_pool_start(pool, spend, NULL, 40);
    frs_pool_wait(pool, 35);
    spend(NULL, 0, 0);
    frs_pool_finish(pool);
    double own_s = frs_cpu_s() - began_s - frs_pool_caller_s(pool);
    ck_assert_double_ge(frs_pool_caller_s(pool), 0.040);
    ck_assert_double_ge(own_s, 0.001);
    ck_assert_double_lt(own_s, 0.020);
    frs_pool_destroy(pool);
}
END_TEST

static void start_twice(void) {
    struct frs_pool *pool = frs_pool_create(1);
    frs_pool_start(pool, nothing, NULL, 2);
    frs_pool_start(pool, nothing, NULL, 2);
}

static void wait_for_no_task(void) {
    struct frs_pool *pool = frs_pool_create(1);
    frs_pool_start(pool, nothing, NULL, 2);
    frs_pool_wait(pool, 2);
}

static void no_threads(void) {
    frs_pool_create(0);
}

START_TEST(misuse_of_a_pool_panics) {
    frs_test_panics(start_twice, "before the last one ended");
    frs_test_panics(wait_for_no_task, "task 2 of 2 does not exist");
    frs_test_panics(start_beside_twice, "a job is started before the last one ended");
    frs_test_panics(no_threads, "needs the thread of its caller");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pool");
    TCase *tests = tcase_create("pool");
    tcase_add_test(tests, every_task_of_many_batches_runs_once);
    tcase_add_test(tests, short_batches_in_quick_succession);
    tcase_add_test(tests, waits_for_single_tasks);
    tcase_add_test(tests, one_thread_works_in_wait_only);
    tcase_add_test(tests, destroyed_in_the_middle);
    tcase_add_test(tests, batches_go_on_beside_a_job);
    tcase_add_test(tests, one_thread_runs_a_job_when_it_is_waited_for);
    tcase_add_test(tests, destroyed_beside_a_job);
    tcase_add_test(tests, jobs_of_two_kinds);
    tcase_add_test(tests, time_of_a_job_is_its_own);
    tcase_add_test(tests, time_in_tasks_is_told_from_the_callers_own);
    tcase_add_test(tests, misuse_of_a_pool_panics);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
