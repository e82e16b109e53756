#include "sim/external/nursery.h"
#include "sim/base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct wish {
    struct frs_child *child;
    const struct frs_command *command;
    char *why;
    size_t size;
    bool done, started;
};

struct frs_nursery {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct wish *wish; /* NULL: there is none */
    bool runs, ends;
};

static void *serve(void *context) {
    struct frs_nursery *nursery = context;
    pthread_mutex_lock(&nursery->lock);
    while (!nursery->ends) {
        struct wish *wish = nursery->wish;
        if (wish && !wish->done) {
            wish->started = frs_child_start(wish->child, wish->command, wish->why, wish->size);
            wish->done = true;
            pthread_cond_broadcast(&nursery->changed);
        } else {
            pthread_cond_wait(&nursery->changed, &nursery->lock);
        }
    }
    pthread_mutex_unlock(&nursery->lock);
    return NULL;
}

struct frs_nursery *frs_nursery_create(void) {
    struct frs_nursery *nursery = frs_alloc(1, sizeof *nursery);
    pthread_mutex_init(&nursery->lock, NULL);
    pthread_cond_init(&nursery->changed, NULL);
    nursery->runs = pthread_create(&nursery->thread, NULL, serve, nursery) == 0;
    return nursery;
}

bool frs_nursery_start(struct frs_nursery *nursery, struct frs_child *child,
    const struct frs_command *command, char *why, size_t size) {
    struct wish wish = {.child = child, .command = command, .why = why, .size = size};
    if (!nursery->runs) {
        snprintf(why, size, "cannot be started: no thread for it");
        return false;
    }
    pthread_mutex_lock(&nursery->lock);
    while (nursery->wish)
        pthread_cond_wait(&nursery->changed, &nursery->lock);
    nursery->wish = &wish;
    pthread_cond_broadcast(&nursery->changed);
    while (!wish.done)
        pthread_cond_wait(&nursery->changed, &nursery->lock);
    nursery->wish = NULL;
    pthread_cond_broadcast(&nursery->changed);
    pthread_mutex_unlock(&nursery->lock);
    return wish.started;
}

void frs_nursery_destroy(struct frs_nursery *nursery) {
    if (!nursery)
        return;
    pthread_mutex_lock(&nursery->lock);
    nursery->ends = true;
    pthread_cond_broadcast(&nursery->changed);
    pthread_mutex_unlock(&nursery->lock);
    if (nursery->runs)
        pthread_join(nursery->thread, NULL);
    pthread_cond_destroy(&nursery->changed);
    pthread_mutex_destroy(&nursery->lock);
    free(nursery);
}
