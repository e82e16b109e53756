#include "algorithms/aggregation.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const frs_weighting_names[] = {
    [FRS_DATA_SIZE] = "data_size", [FRS_UNIFORM] = "uniform", [FRS_PER_ITEM] = "per_item", NULL};

static double weight_of(const struct frs_contribution *contribution, enum frs_weighting weighting) {
    if (contribution->weight > 0)
        return contribution->weight;
    return weighting == FRS_DATA_SIZE ? (double)contribution->samples : 1;
}

static double total_weight(
    const struct frs_contribution *contributions, size_t n, enum frs_weighting weighting) {
    double total = 0;
    if (contributions[0].weight > 0)
        return 1;
    for (size_t c = 0; c < n; c++)
        total += weight_of(&contributions[c], weighting);
    return total;
}

static void count_senders(const struct frs_rows *rows, uint32_t *senders) {
    for (size_t i = 0; i < rows->n; i++)
        senders[rows->ids ? rows->ids[i] : i]++;
}

/* Row → position among the rows anyone sent; also counts the senders per row, those apart included. */
static size_t number_rows(const struct frs_contribution *contributions, size_t n, size_t part,
    uint32_t *position, uint32_t *senders, size_t n_rows) {
    uint32_t present = 0;
    for (size_t c = 0; c < n; c++)
        if (!contributions[c].apart)
            count_senders(&contributions[c].parts[part], senders);
    for (size_t row = 0; row < n_rows; row++)
        position[row] = senders[row] ? present++ : UINT32_MAX;
    for (size_t c = 0; c < n; c++)
        if (contributions[c].apart)
            count_senders(&contributions[c].parts[part], senders);
    return present;
}

/* kept: of the base's rows. */
static void add_change(const struct frs_contribution *contribution, size_t part, double weight, double kept,
    const uint32_t *position, double *sum) {
    const struct frs_rows *rows = &contribution->parts[part];
    const float *base = contribution->base ? contribution->base->part[part] : NULL;
    size_t dim = rows->dim;
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->ids ? rows->ids[i] : i;
        const float *values = rows->values + i * dim;
        double *target = sum + position[row] * dim;
        if (base)
            for (size_t k = 0; k < dim; k++)
                target[k] += weight * ((double)values[k] - kept * (double)base[row * dim + k]);
        else
            for (size_t k = 0; k < dim; k++)
                target[k] += weight * (double)values[k];
    }
}

struct frs_rows frs_aggregate_changes(const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, struct frs_arena *arena) {
    return frs_aggregate_decayed(contributions, n, part, weighting, NULL, arena);
}

struct frs_rows frs_aggregate_decayed(const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, const float *kept, struct frs_arena *arena) {
    size_t n_rows = contributions[0].parts[part].n_rows, dim = contributions[0].parts[part].dim;
    uint32_t *senders = frs_arena_take_zeroed(arena, n_rows, sizeof *senders);
    uint32_t *position = frs_arena_take(arena, n_rows, sizeof *position);
    size_t present = number_rows(contributions, n, part, position, senders, n_rows);
    double *sum = frs_arena_take_zeroed(arena, present * dim, sizeof *sum);
    double total = total_weight(contributions, n, weighting);
    bool by_row = weighting == FRS_PER_ITEM && contributions[0].weight == 0;
    for (size_t c = 0; c < n; c++)
        if (!contributions[c].apart)
            add_change(&contributions[c], part, weight_of(&contributions[c], weighting),
                kept ? (double)kept[c] : 1, position, sum);
    uint32_t *ids = frs_arena_take(arena, present, sizeof *ids);
    float *values = frs_arena_take(arena, present * dim, sizeof *values);
    for (size_t row = 0; row < n_rows; row++) {
        if (position[row] == UINT32_MAX)
            continue;
        size_t at = position[row];
        double divisor = by_row ? (double)senders[row] : total;
        ids[at] = (uint32_t)row;
        for (size_t k = 0; k < dim; k++)
            values[at * dim + k] = divisor > 0 ? (float)(sum[at * dim + k] / divisor) : 0;
    }
    return (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = present, .ids = ids, .values = values};
}

void frs_row_sums_init(struct frs_row_sums *sums, size_t n_rows, size_t dim) {
    *sums = (struct frs_row_sums){.n_rows = n_rows, .dim = dim};
    sums->sums = frs_alloc(n_rows * dim, sizeof *sums->sums);
    sums->senders = frs_alloc(n_rows, sizeof *sums->senders);
}

void frs_row_sums_fini(struct frs_row_sums *sums) {
    free(sums->sums);
    free(sums->senders);
    *sums = (struct frs_row_sums){0};
}

void frs_row_sums_add(
    struct frs_row_sums *sums, const struct frs_contribution *contributions, size_t n, size_t part) {
    for (size_t c = 0; c < n; c++) {
        const struct frs_rows *rows = &contributions[c].parts[part];
        count_senders(rows, sums->senders);
        for (size_t i = 0; i < rows->n; i++) {
            double *target = sums->sums + (rows->ids ? rows->ids[i] : i) * sums->dim;
            for (size_t k = 0; k < sums->dim; k++)
                target[k] += (double)rows->values[i * sums->dim + k];
        }
    }
}

struct frs_rows frs_row_sums_take(struct frs_row_sums *sums, size_t n, struct frs_arena *arena) {
    size_t dim = sums->dim, present = 0;
    for (size_t row = 0; row < sums->n_rows; row++)
        present += sums->senders[row] > 0;
    uint32_t *ids = frs_arena_take(arena, present, sizeof *ids);
    float *values = frs_arena_take(arena, present * dim, sizeof *values);
    for (size_t row = 0, at = 0; row < sums->n_rows; row++) {
        if (sums->senders[row] == 0)
            continue;
        ids[at] = (uint32_t)row;
        for (size_t k = 0; k < dim; k++)
            values[at * dim + k] = (float)(sums->sums[row * dim + k] / (double)n);
        at++;
    }
    memset(sums->sums, 0, sums->n_rows * dim * sizeof *sums->sums);
    memset(sums->senders, 0, sums->n_rows * sizeof *sums->senders);
    return (struct frs_rows){.n_rows = sums->n_rows, .dim = dim, .n = present, .ids = ids, .values = values};
}

void frs_rows_add_to(const struct frs_rows *rows, float *table) {
    for (size_t i = 0; i < rows->n; i++) {
        float *row = table + (rows->ids ? rows->ids[i] : i) * rows->dim;
        for (size_t k = 0; k < rows->dim; k++)
            row[k] += rows->values[i * rows->dim + k];
    }
}

void frs_rows_to_update(struct frs_rows *rows, const float *table, struct frs_arena *arena) {
    float *changes = frs_arena_take(arena, rows->n * rows->dim, sizeof *changes);
    for (size_t i = 0; i < rows->n; i++) {
        const float *before = table + (rows->ids ? rows->ids[i] : i) * rows->dim;
        for (size_t k = 0; k < rows->dim; k++)
            changes[i * rows->dim + k] = rows->values[i * rows->dim + k] - before[k];
    }
    rows->values = changes;
}

void frs_aggregate_into(float *table, const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, struct frs_arena *arena) {
    struct frs_rows change = frs_aggregate_changes(contributions, n, part, weighting, arena);
    frs_rows_add_to(&change, table);
}
