#include "sim/base/threads/pool.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct worker {
    struct frs_pool *pool;
    pthread_t thread;
    size_t index;
};

enum state { NONE, WAITING, RUNNING };

struct beside {
    enum state state;
    void (*work)(void *context);
    void *context;
    int clock; /* of the thread that runs it, */
    double began_s;
    double before_s; /* and what earlier ones took */
};

struct frs_pool {
    pthread_mutex_t lock;
    pthread_cond_t started, finished; /* something to take; something done */
    struct worker *workers;
    size_t threads;
    void (*work)(void *context, size_t task, size_t thread);
    void *context;
    size_t n, next, n_done, capacity;
    unsigned char *done;
    struct beside beside[FRS_BESIDES];
    double caller_s; /* processor time of the caller in tasks and jobs */
    bool closing;
};

/* Called with the lock held; returns with it held. */
static void run_next(struct frs_pool *pool, size_t thread) {
    size_t task = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    pool->work(pool->context, task, thread);
    pthread_mutex_lock(&pool->lock);
    pool->done[task] = 1;
    pool->n_done++;
    pthread_cond_broadcast(&pool->finished);
}

/* As run_next. */
static void run_beside(struct frs_pool *pool, struct beside *beside) {
    beside->state = RUNNING;
    beside->clock = frs_cpu_clock();
    beside->began_s = frs_cpu_clock_s(beside->clock);
    pthread_mutex_unlock(&pool->lock);
    beside->work(beside->context);
    pthread_mutex_lock(&pool->lock);
    beside->before_s += frs_cpu_clock_s(beside->clock) - beside->began_s;
    beside->state = NONE;
    pthread_cond_broadcast(&pool->finished);
}

static struct beside *first_waiting(struct frs_pool *pool) {
    for (size_t kind = 0; kind < FRS_BESIDES; kind++)
        if (pool->beside[kind].state == WAITING)
            return &pool->beside[kind];
    return NULL;
}

static void *run_worker(void *argument) {
    struct worker *worker = argument;
    struct frs_pool *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        struct beside *beside = first_waiting(pool);
        if (pool->next < pool->n)
            run_next(pool, worker->index);
        else if (beside)
            run_beside(pool, beside);
        else
            pthread_cond_wait(&pool->started, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* The system has no room for another stack, or allows no more threads. */
static _Noreturn void no_thread(size_t i, size_t threads) {
    fprintf(stderr, "fedrecsim: out of memory: cannot start thread %zu of %zu\n", i + 1, threads);
    _exit(1);
}

struct frs_pool *frs_pool_create(size_t threads) {
    FRS_INVARIANT(threads >= 1, "a pool needs the thread of its caller at least");
    if (frs_memory_is_limited()) /* for a moment an arena takes 128 MB, which SimGrid may want for a stack */
        mallopt(M_ARENA_MAX, 1);
    struct frs_pool *pool = frs_alloc(1, sizeof *pool);
    pool->threads = threads;
    pool->workers = frs_alloc(threads, sizeof *pool->workers);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->started, NULL);
    pthread_cond_init(&pool->finished, NULL);
    for (size_t i = 1; i < threads; i++) {
        pool->workers[i] = (struct worker){.pool = pool, .index = i};
        if (pthread_create(&pool->workers[i].thread, NULL, run_worker, &pool->workers[i]) != 0)
            no_thread(i, threads);
    }
    return pool;
}

void frs_pool_destroy(struct frs_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->started);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 1; i < pool->threads; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->started);
    pthread_cond_destroy(&pool->finished);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool->done);
    free(pool);
}

size_t frs_pool_threads(const struct frs_pool *pool) {
    return pool->threads;
}

void frs_pool_start(
    struct frs_pool *pool, void (*work)(void *context, size_t task, size_t thread), void *context, size_t n) {
    pthread_mutex_lock(&pool->lock);
    FRS_INVARIANT(pool->n_done == pool->n, "a batch is started before the last one ended");
    pool->done = frs_grow(pool->done, n + 1, &pool->capacity, 1);
    for (size_t i = 0; i < n; i++)
        pool->done[i] = 0;
    pool->work = work;
    pool->context = context;
    pool->n = n;
    pool->next = pool->n_done = 0;
    pthread_cond_broadcast(&pool->started);
    pthread_mutex_unlock(&pool->lock);
}

/* Called by the caller, as run_next: up to so many tasks in a row. */
static void run_row(struct frs_pool *pool, size_t most) {
    double began_s = frs_cpu_s();
    for (size_t ran = 0; ran < most && pool->next < pool->n; ran++)
        run_next(pool, 0);
    pool->caller_s += frs_cpu_s() - began_s;
}

void frs_pool_wait(struct frs_pool *pool, size_t task) {
    pthread_mutex_lock(&pool->lock);
    FRS_INVARIANT(task < pool->n, "task %zu of %zu does not exist", task, pool->n);
    while (!pool->done[task]) {
        if (pool->next < pool->n)
            run_row(pool, FRS_POOL_AT_ONCE);
        else
            pthread_cond_wait(&pool->finished, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void frs_pool_finish(struct frs_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (pool->n_done < pool->n) {
        if (pool->next < pool->n)
            run_row(pool, pool->n);
        else
            pthread_cond_wait(&pool->finished, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void frs_pool_start_beside(
    struct frs_pool *pool, enum frs_beside kind, void (*work)(void *context), void *context) {
    struct beside *beside = &pool->beside[kind];
    pthread_mutex_lock(&pool->lock);
    FRS_INVARIANT(beside->state == NONE, "a job is started before the last one ended");
    beside->state = WAITING;
    beside->work = work;
    beside->context = context;
    pthread_cond_broadcast(&pool->started);
    pthread_mutex_unlock(&pool->lock);
}

void frs_pool_finish_beside(struct frs_pool *pool, enum frs_beside kind) {
    struct beside *beside = &pool->beside[kind];
    pthread_mutex_lock(&pool->lock);
    if (beside->state == WAITING) {
        double began_s = frs_cpu_s();
        run_beside(pool, beside);
        pool->caller_s += frs_cpu_s() - began_s;
    }
    while (beside->state == RUNNING)
        pthread_cond_wait(&pool->finished, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

double frs_pool_caller_s(const struct frs_pool *pool) {
    return pool->caller_s;
}

double frs_pool_beside_s(struct frs_pool *pool, enum frs_beside kind) {
    pthread_mutex_lock(&pool->lock);
    double seconds = pool->beside[kind].before_s;
    pthread_mutex_unlock(&pool->lock);
    return seconds;
}

/* Reads the jobs' own time last: what they take meanwhile is left out twice rather than counted. */
double frs_pool_cpu_s(struct frs_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    double seconds = frs_process_cpu_s();
    for (size_t kind = 0; kind < FRS_BESIDES; kind++) {
        const struct beside *beside = &pool->beside[kind];
        seconds -= beside->before_s;
        if (beside->state == RUNNING)
            seconds -= frs_cpu_clock_s(beside->clock) - beside->began_s;
    }
    pthread_mutex_unlock(&pool->lock);
    return seconds;
}
