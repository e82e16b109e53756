#include "algorithms/data/users_each.h"
#include "sim/base/threads/pool.h"
#include "algorithms/data/data.h"

/* At a time: what is drawn for as many takes longer than handing them out. */
#define USERS_PER_TASK 1024u

static size_t n_threads = 1;

struct call {
    void (*work)(void *context, uint32_t first, uint32_t end, size_t thread);
    void *context;
    uint32_t n;
};

void frs_data_set_threads(size_t n) {
    n_threads = n;
}

size_t frs_users_threads(void) {
    return n_threads;
}

static void run(void *context, size_t task, size_t thread) {
    const struct call *call = context;
    uint32_t first = (uint32_t)task * USERS_PER_TASK, left = call->n - first;
    call->work(call->context, first, first + (left < USERS_PER_TASK ? left : USERS_PER_TASK), thread);
}

/* The threads end with the call, so that a process that forks afterwards has none. */
void frs_users_each(
    void (*work)(void *context, uint32_t first, uint32_t end, size_t thread), void *context, uint32_t n) {
    struct call call = {work, context, n};
    struct frs_pool *pool = frs_pool_create(n > USERS_PER_TASK ? n_threads : 1);
    frs_pool_start(pool, run, &call, n / USERS_PER_TASK + (n % USERS_PER_TASK > 0));
    frs_pool_finish(pool);
    frs_pool_destroy(pool);
}
