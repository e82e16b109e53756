#include "sim/base/threads/in_order.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Things that are made and not taken yet need memory: a thread that is this far ahead waits. */
#define AHEAD 32u

struct frs_in_order {
    pthread_mutex_t lock;
    pthread_cond_t took;
    void (*take)(void *context, size_t i);
    void *context;
    bool *made; /* [n] */
    size_t n, n_taken, capacity;
    bool taking;  /* a thread is at it, */
    bool claimed; /* and the thing is its own */
};

struct frs_in_order *frs_in_order_create(void) {
    struct frs_in_order *in_order = frs_alloc(1, sizeof *in_order);
    pthread_mutex_init(&in_order->lock, NULL);
    pthread_cond_init(&in_order->took, NULL);
    return in_order;
}

void frs_in_order_destroy(struct frs_in_order *in_order) {
    if (!in_order)
        return;
    pthread_cond_destroy(&in_order->took);
    pthread_mutex_destroy(&in_order->lock);
    free(in_order->made);
    free(in_order);
}

void frs_in_order_begin(
    struct frs_in_order *in_order, void (*take)(void *context, size_t i), void *context, size_t n) {
    pthread_mutex_lock(&in_order->lock);
    FRS_INVARIANT(in_order->n_taken == in_order->n, "some of those before have not been taken");
    in_order->made = frs_grow(in_order->made, n + 1, &in_order->capacity, sizeof *in_order->made);
    memset(in_order->made, 0, n * sizeof *in_order->made);
    in_order->take = take;
    in_order->context = context;
    in_order->n = n;
    in_order->n_taken = 0;
    pthread_mutex_unlock(&in_order->lock);
}

void frs_in_order_made(struct frs_in_order *in_order, size_t i) {
    pthread_mutex_lock(&in_order->lock);
    FRS_INVARIANT(i < in_order->n && !in_order->made[i], "thing %zu of %zu is made twice", i, in_order->n);
    in_order->made[i] = true;
    if (in_order->claimed && in_order->n_taken == i) {
        in_order->claimed = in_order->taking = false;
        in_order->n_taken++;
        pthread_cond_broadcast(&in_order->took);
    }
    while (!in_order->taking && in_order->n_taken < in_order->n && in_order->made[in_order->n_taken]) {
        in_order->taking = true;
        pthread_mutex_unlock(&in_order->lock);
        in_order->take(in_order->context, in_order->n_taken); /* no other thread changes that now */
        pthread_mutex_lock(&in_order->lock);
        in_order->taking = false;
        in_order->n_taken++;
        pthread_cond_broadcast(&in_order->took);
    }
    while (in_order->n_taken + AHEAD < i)
        pthread_cond_wait(&in_order->took, &in_order->lock);
    pthread_mutex_unlock(&in_order->lock);
}

bool frs_in_order_claim(struct frs_in_order *in_order, size_t i) {
    pthread_mutex_lock(&in_order->lock);
    bool mine = !in_order->taking && in_order->n_taken == i;
    if (mine)
        in_order->taking = in_order->claimed = true;
    pthread_mutex_unlock(&in_order->lock);
    return mine;
}

void frs_in_order_wait(struct frs_in_order *in_order, size_t i) {
    pthread_mutex_lock(&in_order->lock);
    while (in_order->n_taken <= i)
        pthread_cond_wait(&in_order->took, &in_order->lock);
    pthread_mutex_unlock(&in_order->lock);
}
