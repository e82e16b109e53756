#include "sim/run/device/measure.h"
#include "algorithms/kernels/algebra/library.h"
#include "algorithms/learner.h"
#include "algorithms/model.h"
#include "sim/base/arena.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 50 };

static int ascending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static struct frs_compute_time train_all(
    const struct frs_setup *setup, size_t n_clients, uint32_t round, struct frs_arena *arena) {
    struct frs_tables tables = frs_model_tables(setup->model);
    struct frs_compute_time spent = {0};
    frs_learner_broadcast(setup->learner, setup->model, round, &tables);
    uint64_t round_seed = setup->learner->round_seed ? setup->learner->round_seed(setup->model, round) : 0;
    for (size_t client = 0; client < n_clients; client++) {
        struct frs_training training = {.data = &setup->data->population.clients[client],
            .tables = &tables,
            .round_seed = round_seed,
            .round = round};
        struct frs_trained trained;
        frs_arena_reset(arena);
        double began_s = frs_cpu_s();
        frs_learner_train(setup->learner, setup->model, &training, arena, &trained);
        spent.seconds += frs_cpu_s() - began_s;
        spent.flop += trained.flop;
        spent.samples += trained.processed;
    }
    return spent;
}

struct frs_measured frs_measure_training(const struct frs_setup *setup, size_t n_clients, size_t n_passes) {
    frs_library_init();
    struct frs_arena arena = {0};
    struct frs_measured measured = {0};
    double *seconds = frs_alloc(n_passes, sizeof *seconds);
    n_clients = n_clients < setup->data->population.n_clients ? n_clients : setup->data->population.n_clients;
    uint32_t round = 0; /* a method may leave some rounds out */
    while (train_all(setup, n_clients, round, &arena).flop == 0 && round + 1 < MOST_ROUNDS)
        round++;
    for (size_t pass = 0; pass < n_passes; pass++) {
        struct frs_compute_time spent =
            train_all(setup, n_clients, round, &arena); /* the same work in each */
        measured.time.flop = spent.flop;
        measured.time.samples = spent.samples;
        seconds[pass] = spent.seconds;
    }
    qsort(seconds, n_passes, sizeof *seconds, ascending);
    measured.time.seconds = seconds[n_passes / 2];
    measured.low_s = seconds[n_passes / 4];
    measured.high_s = seconds[n_passes - 1 - n_passes / 4];
    free(seconds);
    frs_arena_fini(&arena);
    return measured;
}
