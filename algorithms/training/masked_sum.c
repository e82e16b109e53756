#include "algorithms/training/masked_sum.h"
#include "algorithms/privacy/masks/fixed_point.h"
#include "algorithms/privacy/masks/mask_play.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t length_of(const struct frs_rows *rows) {
    return rows->n_rows * rows->dim;
}

static size_t values_of(const struct frs_contribution *contribution, size_t n_parts) {
    size_t n = 0;
    for (size_t i = 0; i < n_parts; i++)
        n += length_of(&contribution->parts[i]);
    return n;
}

/* What an upload changes of whole tables, one after the other. */
static void write_changes(const struct frs_contribution *contribution, size_t n_parts, float *changes) {
    for (size_t part = 0; part < n_parts; part++) {
        const struct frs_rows *rows = &contribution->parts[part];
        const float *base = contribution->base ? contribution->base->part[part] : NULL;
        memset(changes, 0, length_of(rows) * sizeof *changes);
        for (size_t i = 0; i < rows->n; i++) {
            size_t at = (rows->ids ? rows->ids[i] : i) * rows->dim;
            for (size_t k = 0; k < rows->dim; k++)
                changes[at + k] = rows->values[i * rows->dim + k] - (base ? base[at + k] : 0);
        }
        changes += length_of(rows);
    }
}

/* Writes 1 for each row that an upload changes, for parts whose rows are divided by the number of uploads
 * that changed them. These are plain whole numbers, added beside those in fixed point: a cohort is smaller
 * than the largest possible sum. */
static void write_marks(
    const struct frs_contribution *contribution, size_t n_parts, unsigned counted, uint32_t *marks) {
    for (size_t part = 0; part < n_parts; part++) {
        const struct frs_rows *rows = &contribution->parts[part];
        if (!(counted >> part & 1))
            continue;
        memset(marks, 0, rows->n_rows * sizeof *marks);
        for (size_t i = 0; i < rows->n; i++)
            marks[rows->ids ? rows->ids[i] : i] = 1;
        marks += rows->n_rows;
    }
}

/* ---- the sum of numbers ---------------------------------------------------------------------- */

struct keys {
    uint64_t seed;
    const struct frs_masked *masked;
};

static struct frs_rng stream(const void *context, uint32_t place) {
    const struct keys *keys = context;
    return frs_rng_stream(keys->seed, keys->masked->clients[place], keys->masked->round->round,
        keys->masked->attempt, FRS_RNG_MASKS);
}

/* numbers [n × n_values] of those who sent theirs, in the order of their places. */
static void unmask(
    uint64_t seed, const struct frs_masked *masked, uint32_t *numbers, size_t n, uint32_t *sums) {
    const struct frs_mask_round *round = masked->round;
    struct keys keys = {seed, masked};
    struct frs_mask_tally clients = {0}, server = {0};
    uint32_t **rows = frs_alloc(round->graph.n, sizeof *rows);
    size_t n_sent = 0;
    for (size_t place = 0; place < round->graph.n; place++)
        if (masked->reached[place] >= FRS_REACHED_MASKED)
            rows[place] = numbers + n_sent++ * round->n_values;
    FRS_INVARIANT(n_sent == n, "%zu clients sent masked uploads, and %zu are added up", n_sent, n);
    bool whole = frs_mask_play(
        &(struct frs_mask_play){
            .round = round, .reached = masked->reached, .numbers = rows, .stream = stream, .context = &keys},
        sums, &clients, &server);
    FRS_INVARIANT(whole, "a sum that was to be unmasked is not");
    free(rows);
}

static void add_up(const uint32_t *numbers, size_t n, size_t n_values, uint32_t *sums) {
    for (size_t u = 0; u < n; u++)
        for (size_t i = 0; i < n_values; i++)
            sums[i] += numbers[u * n_values + i];
}

/* ---- contributions --------------------------------------------------------------------------- */

static void clear(struct frs_contribution *contribution, size_t n_parts) {
    contribution->base = NULL;
    for (size_t part = 0; part < n_parts; part++)
        contribution->parts[part].n = 0;
}

/* Every row. */
static struct frs_rows whole_sum(const struct frs_rows *rows, const double *values, struct frs_arena *arena) {
    float *sums = frs_arena_take(arena, length_of(rows), sizeof *sums);
    for (size_t i = 0; i < length_of(rows); i++)
        sums[i] = (float)values[i];
    return (struct frs_rows){.n_rows = rows->n_rows, .dim = rows->dim, .n = rows->n_rows, .values = sums};
}

/* The rows that any upload has changed, each divided by the number of uploads that changed it. Later
 * averaging sees them as one upload. */
static struct frs_rows divided_sum(
    const struct frs_rows *rows, const double *values, const uint32_t *marks, struct frs_arena *arena) {
    size_t dim = rows->dim, n = 0;
    uint32_t *ids = frs_arena_take(arena, rows->n_rows, sizeof *ids);
    float *means = frs_arena_take(arena, length_of(rows), sizeof *means);
    for (size_t row = 0; row < rows->n_rows; row++) {
        if (marks[row] == 0)
            continue;
        for (size_t k = 0; k < dim; k++)
            means[n * dim + k] = (float)(values[row * dim + k] / marks[row]);
        ids[n++] = (uint32_t)row;
    }
    return (struct frs_rows){.n_rows = rows->n_rows, .dim = dim, .n = n, .ids = ids, .values = means};
}

static void set_sum(struct frs_contribution *contribution, size_t n_parts, unsigned counted,
    const double *values, const uint32_t *marks, struct frs_arena *arena) {
    for (size_t part = 0; part < n_parts; part++) {
        struct frs_rows *rows = &contribution->parts[part];
        bool divides = counted >> part & 1;
        const double *of_next = values + length_of(rows);
        *rows = divides ? divided_sum(rows, values, marks, arena) : whole_sum(rows, values, arena);
        marks += divides ? rows->n_rows : 0;
        values = of_next;
    }
}

void frs_masked_sum(const struct frs_training_setup *setup, const struct frs_masked *masked,
    struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_masked_counts *counts) {
    const struct frs_masks masks = frs_privacy_masks(&setup->mechanisms);
    struct frs_part shapes[FRS_MAX_PARTS];
    unsigned counted = frs_training_counted(setup);
    size_t n_parts = frs_model_parts(setup->model, FRS_UPLOAD, shapes),
           n_values = values_of(&contributions[0], n_parts), n_numbers = frs_training_masked_values(setup);
    struct frs_fixed_point fixed;
    bool possible = frs_fixed_point_init(&fixed, masks.range, masks.bits, setup->n_selected);
    uint32_t *numbers = frs_alloc(n * n_numbers + 1, sizeof *numbers);
    uint32_t *sums = frs_alloc(n_numbers + 1, sizeof *sums);
    float *changes = frs_alloc(n_values + 1, sizeof *changes);
    double *values = frs_alloc(n_values + 1, sizeof *values);
    for (size_t u = 0; u < n; u++) {
        uint32_t *own = numbers + u * n_numbers;
        write_changes(&contributions[u], n_parts, changes);
        write_marks(&contributions[u], n_parts, counted, own + n_values);
        counts->clipped += frs_fixed_point_encode(&fixed, changes, n_values, own);
        clear(&contributions[u], n_parts);
    }
    counts->values += n * n_values;
    if (masked && !masks.counted)
        unmask(setup->seed, masked, numbers, n, sums);
    else
        add_up(numbers, n, n_numbers, sums);
    possible = possible && frs_fixed_point_decode(&fixed, sums, n_values, (uint32_t)n, values);
    FRS_INVARIANT(possible, "a sum of %zu clients is larger than they can make it", n);
    set_sum(&contributions[0], n_parts, counted, values, sums + n_values, arena);
    free(values);
    free(changes);
    free(sums);
    free(numbers);
}
