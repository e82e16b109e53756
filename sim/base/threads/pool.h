/* Thread pool: independent tasks, run on all threads, awaited one by one.
 *
 * Results must not depend on which thread runs a task or in which order: a task writes only to memory of its
 * own. With one thread every task runs inside frs_pool_wait, on the caller. */
#ifndef FRS_BASE_POOL_H
#define FRS_BASE_POOL_H

#include <stddef.h>

struct frs_pool;

/* `threads` counts the caller, which works too while it waits; at least 1. */
struct frs_pool *frs_pool_create(size_t threads);
void frs_pool_destroy(struct frs_pool *pool);
size_t frs_pool_threads(const struct frs_pool *pool);

/* Starts tasks 0 … n−1, in that order; `work(context, task, thread)` with thread < frs_pool_threads. The
 * batch before must have been finished. */
void frs_pool_start(
    struct frs_pool *pool, void (*work)(void *context, size_t task, size_t thread), void *context, size_t n);

/* Returns when `task` of the current batch is done. A caller that has to wait runs waiting tasks
 * meanwhile, at least FRS_POOL_AT_ONCE of them if there are as many. Tasks share code and data, and so do
 * the caller's steps between them; running many in a row means that each of the two fills the caches once
 * per row instead of once per task. */
#define FRS_POOL_AT_ONCE 32u
void frs_pool_wait(struct frs_pool *pool, size_t task);

/* Returns when the whole batch is done. */
void frs_pool_finish(struct frs_pool *pool);

/* What a job beside the batches is for; the first of those that wait goes first. */
enum frs_beside {
    FRS_BESIDE_LEDGER,    /* the participations of a closed round: short */
    FRS_BESIDE_BASELINES, /* recommenders without federation: as long as many rounds */
    FRS_BESIDES
};

/* Starts a job beside the batches, one at a time of each kind. A thread other than the caller's takes the job
 * as soon as it finds no task, and keeps at it while the others work on batches. With one thread the job
 * runs inside frs_pool_finish_beside. */
void frs_pool_start_beside(
    struct frs_pool *pool, enum frs_beside kind, void (*work)(void *context), void *context);

/* Returns when the job beside of this kind is done, if there is one. The caller runs it itself if no thread
 * has taken it. */
void frs_pool_finish_beside(struct frs_pool *pool, enum frs_beside kind);

/* Processor time of the caller in tasks and jobs. What it takes beside them no other thread can take over.
 * Called by the caller. */
double frs_pool_caller_s(const struct frs_pool *pool);

/* Processor time of the jobs of this kind that have ended. */
double frs_pool_beside_s(struct frs_pool *pool, enum frs_beside kind);

/* Processor time of the process, but for what jobs beside the batches have taken. */
double frs_pool_cpu_s(struct frs_pool *pool);

#endif
