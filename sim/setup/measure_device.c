#include "sim/setup/measure_device.h"
#include "algorithms/learner.h"
#include "algorithms/model.h"
#include "sim/base/arena.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 50 };

static struct frs_measured_time of_passes(double *seconds, size_t n_passes) {
    qsort(seconds, n_passes, sizeof *seconds, frs_compare_doubles);
    return (struct frs_measured_time){.seconds = seconds[n_passes / 2],
        .low_s = seconds[n_passes / 4],
        .high_s = seconds[n_passes - 1 - n_passes / 4]};
}

static struct frs_compute_time train_all(
    const struct frs_setup *setup, size_t n_clients, uint32_t round, struct frs_arena *arena) {
    struct frs_tables tables = frs_model_tables(setup->training.model);
    struct frs_compute_time spent = {0};
    frs_learner_broadcast(setup->training.learner, setup->training.model, round, &tables);
    uint64_t round_seed = setup->training.learner->round_seed
                              ? setup->training.learner->round_seed(setup->training.model, round)
                              : 0;
    for (size_t client = 0; client < n_clients; client++) {
        struct frs_training training = {.data = &setup->training.data->population.clients[client],
            .tables = &tables,
            .round_seed = round_seed,
            .round = round};
        struct frs_trained trained;
        frs_arena_reset(arena);
        double began_s = frs_cpu_s();
        frs_learner_train(setup->training.learner, setup->training.model, &training, arena, &trained);
        spent.seconds += frs_cpu_s() - began_s;
        spent.flop += trained.flop;
        spent.samples += trained.processed;
    }
    return spent;
}

struct frs_measured frs_measure_training(const struct frs_setup *setup, size_t n_clients, size_t n_passes) {
    struct frs_arena arena = {0};
    struct frs_measured measured = {0};
    double *seconds = frs_alloc(n_passes, sizeof *seconds);
    n_clients = n_clients < setup->training.data->population.n_clients
                    ? n_clients
                    : setup->training.data->population.n_clients;
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
    struct frs_measured_time time = of_passes(seconds, n_passes);
    measured.time.seconds = time.seconds;
    measured.low_s = time.low_s;
    measured.high_s = time.high_s;
    free(seconds);
    frs_arena_fini(&arena);
    return measured;
}

struct frs_measured_codec frs_measure_codec(
    const struct frs_codec *codec, size_t n_rows, size_t dim, size_t n_passes) {
    struct frs_values values = frs_values_of(codec->plugin.params, NULL);
    void *settings = codec->create ? codec->create(&values) : NULL;
    struct frs_measured_codec measured = {.values = (double)(n_rows * dim)};
    struct frs_arena arena = {0};
    struct frs_buffer encoded = {0};
    float *table = frs_alloc(n_rows * dim, sizeof *table);
    double *encoding_s = frs_alloc(n_passes + 1, sizeof *encoding_s),
           *decoding_s = frs_alloc(n_passes + 1, sizeof *decoding_s);
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_CALIBRATION);
    frs_rng_fill_normal(&rng, table, n_rows * dim, 0.1);
    const struct frs_rows rows = {.n_rows = n_rows, .dim = dim, .n = n_rows, .values = table};
    for (size_t pass = 0; pass <= n_passes; pass++) {
        struct frs_rows decoded;
        frs_arena_reset(&arena);
        frs_buffer_reset(&encoded);
        measured.flop = 0;
        double began_s = frs_cpu_s();
        codec->encode(settings, &rows,
            &(struct frs_encoding){.rng = &rng, .arena = &arena, .flop = &measured.flop}, &encoded);
        double encoded_s = frs_cpu_s();
        struct frs_reader in = frs_reader_init(encoded.bytes, encoded.n);
        codec->decode(settings, &in, n_rows, dim, NULL, &arena, &decoded);
        encoding_s[pass] = encoded_s - began_s;
        decoding_s[pass] = frs_cpu_s() - encoded_s;
    }
    measured.encode = of_passes(encoding_s + 1, n_passes);
    measured.decode = of_passes(decoding_s + 1, n_passes);
    free(encoding_s);
    free(decoding_s);
    free(table);
    free(settings);
    frs_buffer_fini(&encoded);
    frs_arena_fini(&arena);
    frs_values_fini(&values);
    return measured;
}
