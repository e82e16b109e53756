/* Microseconds for a message of every codec, one thread, defaults: encoding it and decoding it, as the
 * mean of some messages and the least of some repetitions, and its bytes. Consecutive messages always
 * differ, so that wrongly predicted branches are part of the cost.
 *
 *   bench_codecs [codec [key value …]]
 *
 * The message is an update of 428 of 1,682 rows of 32 values, as a client of ML-100K's size uploads it;
 * its rows are multiples of one direction, and noise. */
#include "algorithms/codec.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_ROWS = 1682, DIM = 32, CHANGED = 428, MESSAGES = 50, REPETITIONS = 5 };

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static struct frs_rows make_update(uint32_t client, struct frs_arena *arena) {
    struct frs_rng rng = frs_rng_stream(1, client, 0, 0, FRS_RNG_TEST);
    uint32_t *ids = frs_arena_take(arena, CHANGED, sizeof *ids);
    float *values = frs_arena_take(arena, CHANGED * DIM, sizeof *values), direction[DIM];
    frs_rng_fill_normal(&rng, direction, DIM, 1);
    for (size_t i = 0; i < CHANGED; i++) {
        ids[i] = (uint32_t)(i * N_ROWS / CHANGED);
        double along = 0.01 * frs_rng_normal(&rng);
        for (size_t d = 0; d < DIM; d++)
            values[i * DIM + d] = (float)(along * ((double)direction[d] + 0.2 * frs_rng_normal(&rng)));
    }
    return (struct frs_rows){.n_rows = N_ROWS, .dim = DIM, .n = CHANGED, .ids = ids, .values = values};
}

struct bench {
    const struct frs_codec *codec;
    const void *settings;
    void *memory;
    struct frs_buffer bytes;
    struct frs_arena arena;
    double encoding_us, decoding_us;
};

static void carry(struct bench *bench, const struct frs_rows *rows) {
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_CODEC);
    double flop = 0, began = now_us();
    frs_arena_reset(&bench->arena);
    frs_buffer_reset(&bench->bytes);
    bench->codec->encode(bench->settings, rows,
        &(struct frs_encoding){.rng = &rng, .memory = bench->memory, .arena = &bench->arena, .flop = &flop},
        &bench->bytes);
    double encoded = now_us();
    struct frs_reader in = frs_reader_init(bench->bytes.bytes, bench->bytes.n);
    struct frs_rows decoded;
    if (!bench->codec->decode(bench->settings, &in, N_ROWS, DIM, NULL, &bench->arena, &decoded))
        abort();
    bench->decoding_us += now_us() - encoded;
    bench->encoding_us += encoded - began;
}

static void run(const struct frs_codec *codec, const void *settings, const struct frs_rows *updates) {
    struct bench bench = {.codec = codec, .settings = settings};
    bench.memory = codec->memory_bytes ? frs_alloc(1, codec->memory_bytes) : NULL;
    double encoding_us = INFINITY, decoding_us = INFINITY;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        bench.encoding_us = bench.decoding_us = 0;
        for (size_t i = 0; i < MESSAGES; i++)
            carry(&bench, &updates[i]);
        encoding_us = fmin(encoding_us, bench.encoding_us / MESSAGES);
        decoding_us = fmin(decoding_us, bench.decoding_us / MESSAGES);
    }
    printf("%-16s %8.1f us to encode %8.1f us to decode %8zu bytes\n", codec->plugin.name, encoding_us,
        decoding_us, bench.bytes.n);
    free(bench.memory);
    frs_arena_fini(&bench.arena);
    frs_buffer_fini(&bench.bytes);
}

int main(int argc, char **argv) {
    struct frs_arena arena = {0};
    struct frs_rows updates[MESSAGES];
    for (uint32_t i = 0; i < MESSAGES; i++)
        updates[i] = make_update(i, &arena);
    for (size_t i = 0; frs_codecs[i]; i++) {
        if (argc > 1 && strcmp(argv[1], frs_codecs[i]->plugin.name) != 0)
            continue;
        struct frs_values values =
            frs_values_of(frs_codecs[i]->plugin.params, (const char *const *)argv + (argc > 2 ? 2 : argc));
        void *settings = frs_codecs[i]->create ? frs_codecs[i]->create(&values) : NULL;
        run(frs_codecs[i], settings, updates);
        free(settings);
        frs_values_fini(&values);
    }
    frs_arena_fini(&arena);
    return 0;
}
