#include "algorithms/training/leakage_readers.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWER_STEPS 3
#define CLUSTER_STEPS 8
#define AT_ONCE 8u

/* ---- changes --------------------------------------------------------------------------------- */

/* A row's change from `base` (NULL: from nothing), and whether there is one. */
FRS_INLINE bool change_row(const float *values, const float *base, size_t dim, float *change) {
    uint32_t moved = 0;
    for (size_t k = 0; k < dim; k++) {
        uint32_t bits;
        change[k] = values[k] - (base ? base[k] : 0);
        memcpy(&bits, &change[k], sizeof bits);
        moved |= bits << 1; /* not the sign: both zeros are none */
    }
    return moved;
}

FRS_CLONES static void fill_changes(
    const struct frs_rows *rows, const float *base, struct frs_changes *changes) {
    size_t dim = rows->dim;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t item = rows->ids ? rows->ids[i] : (uint32_t)i;
        float *change = changes->values + changes->n * dim;
        if (change_row(rows->values + i * dim, base ? base + item * dim : NULL, dim, change))
            changes->items[changes->n++] = item;
    }
}

/* ---- the direction --------------------------------------------------------------------------- */

/* Measures how long rows are along a direction. Row i is row i of `values`, or its row items[i] if there
 * are items. Each sum is added up in the order of its row; sums of several rows are computed at once,
 * because an addition has to wait for the previous one in the same sum. */
FRS_INLINE void measure_along(const float *values, const uint32_t *items, size_t n, size_t dim,
    const double *direction, double *along) {
    for (size_t first = 0; first < n; first += AT_ONCE) {
        const float *row[AT_ONCE];
        double sums[AT_ONCE] = {0};
        for (size_t j = 0; j < AT_ONCE; j++) { /* past the last one it is measured again */
            size_t i = first + j < n ? first + j : n - 1;
            row[j] = values + dim * (items ? items[i] : i);
        }
        for (size_t k = 0; k < dim; k++)
#pragma GCC unroll 8
            for (size_t j = 0; j < AT_ONCE; j++)
                sums[j] += (double)row[j][k] * direction[k];
        for (size_t j = 0; j < AT_ONCE && first + j < n; j++)
            along[first + j] = sums[j];
    }
}

/* v ← Σ_i Δ_i (Δ_i · v), from the first row on. */
FRS_CLONES static void find_direction(struct frs_changes *changes) {
    size_t dim = changes->dim;
    double *direction = changes->direction, *next = frs_alloc(dim, sizeof *next);
    for (size_t k = 0; k < dim; k++)
        direction[k] = (double)changes->values[k];
    for (int step = 0; step < POWER_STEPS; step++) {
        double length = 0;
        for (size_t k = 0; k < dim; k++)
            next[k] = 0;
        measure_along(changes->values, NULL, changes->n, dim, direction, changes->along);
        for (size_t i = 0; i < changes->n; i++) {
            const float *row = changes->values + i * dim;
            for (size_t k = 0; k < dim; k++)
                next[k] += changes->along[i] * (double)row[k];
        }
        for (size_t k = 0; k < dim; k++)
            length += next[k] * next[k];
        for (size_t k = 0; k < dim; k++)
            direction[k] = length > 0 ? next[k] / sqrt(length) : direction[k];
    }
    measure_along(changes->values, NULL, changes->n, dim, direction, changes->along);
    free(next);
}

struct frs_changes frs_changes_of(const struct frs_rows *rows, const float *base) {
    struct frs_changes changes = {.dim = rows->dim,
        .items = frs_alloc_lazily(rows->n + 1, sizeof(uint32_t)),
        .values = frs_alloc_lazily(rows->n * rows->dim + 1, sizeof(float)),
        .direction = frs_alloc(rows->dim + 1, sizeof(double)),
        .along = frs_alloc_lazily(rows->n + 1, sizeof(double))};
    fill_changes(rows, base, &changes);
    if (changes.n > 0)
        find_direction(&changes);
    return changes;
}

void frs_changes_fini(struct frs_changes *changes) {
    free(changes->items);
    free(changes->values);
    free(changes->direction);
    free(changes->along);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static void score_length(const struct frs_changes *changes, struct frs_score *scores) {
    for (size_t i = 0; i < changes->n; i++) {
        const float *row = changes->values + i * changes->dim;
        for (size_t k = 0; k < changes->dim; k++)
            scores[i].value += (double)row[k] * (double)row[k];
    }
}

static void score_along(const struct frs_changes *changes, bool ahead, struct frs_score *scores) {
    for (size_t i = 0; i < changes->n; i++)
        scores[i].value = ahead ? changes->along[i] : -changes->along[i];
}

static bool fewer_ahead(const struct frs_changes *changes) {
    size_t ahead = 0;
    for (size_t i = 0; i < changes->n; i++)
        ahead += changes->along[i] > 0;
    return 2 * ahead <= changes->n;
}

/* Two clusters from the two rows furthest apart on. */
static bool smaller_cluster_ahead(const struct frs_changes *changes) {
    const double *along = changes->along;
    double least = along[0], most = along[0];
    size_t ahead = 0;
    for (size_t i = 1; i < changes->n; i++) {
        least = fmin(least, along[i]);
        most = fmax(most, along[i]);
    }
    for (int step = 0; step < CLUSTER_STEPS; step++) {
        double middle = (least + most) / 2, below = 0, above = 0;
        ahead = 0;
        for (size_t i = 0; i < changes->n; i++) {
            ahead += along[i] > middle;
            *(along[i] > middle ? &above : &below) += along[i];
        }
        if (ahead == 0)
            return true;
        least = below / (double)(changes->n - ahead);
        most = above / (double)ahead;
    }
    return 2 * ahead <= changes->n;
}

/* ---- the largest scores ---------------------------------------------------------------------- */

static bool is_ahead(const struct frs_score *x, const struct frs_score *y) {
    return x->value != y->value ? x->value > y->value : x->item < y->item;
}

static void swap(struct frs_score *x, struct frs_score *y) {
    struct frs_score score = *x;
    *x = *y;
    *y = score;
}

/* Quickselect. */
void frs_readers_choose(struct frs_score *scores, size_t n, size_t k) {
    size_t first = 0, last = n;
    while (first < k && k < last) {
        size_t at = first;
        swap(&scores[first + (last - first) / 2], &scores[last - 1]);
        for (size_t i = first; i < last - 1; i++)
            if (is_ahead(&scores[i], &scores[last - 1]))
                swap(&scores[i], &scores[at++]);
        swap(&scores[at], &scores[last - 1]);
        if (k <= at)
            last = at;
        else
            first = at + 1;
    }
}

/* ---- readers --------------------------------------------------------------------------------- */

/* The median of n scores; leaves them in another order. */
static double median(struct frs_score *values, size_t n) {
    if (n == 0)
        return 0;
    frs_readers_choose(values, n, n / 2 + 1);
    double least = values[0].value;
    for (size_t i = 1; i <= n / 2; i++)
        least = fmin(least, values[i].value);
    return least;
}

/* The line through most rows: the median of the slopes between rows half an upload apart, and the median
 * of the remainders. Both belong to the true line if more than half of the rows lie on it, or if the
 * others lie evenly on both sides. */
FRS_CLONES static void score_off_line(
    const struct frs_changes *changes, const float *sent, struct frs_score *scores) {
    size_t n = changes->n, n_slopes = 0;
    const double *along = changes->along;
    double *at = frs_alloc_lazily(n, sizeof *at);
    measure_along(sent, changes->items, n, changes->dim, changes->direction, at);
    for (size_t i = 0, j = n / 2; i < n; i++, j = j + 1 < n ? j + 1 : 0) {
        double slope = (along[j] - along[i]) / (at[j] - at[i]);
        if (isfinite(slope))
            scores[n_slopes++] = (struct frs_score){(uint32_t)i, slope};
    }
    double slope = median(scores, n_slopes);
    for (size_t i = 0; i < n; i++)
        scores[i] = (struct frs_score){(uint32_t)i, along[i] - slope * at[i]};
    double rise = median(scores, n);
    for (size_t i = 0; i < n; i++)
        scores[i] = (struct frs_score){changes->items[i], fabs(along[i] - slope * at[i] - rise)};
    free(at);
}

void frs_readers_score(
    const struct frs_changes *changes, enum frs_reads reader, const float *sent, struct frs_score *scores) {
    if (changes->n == 0)
        return;
    for (size_t i = 0; i < changes->n; i++)
        scores[i] = (struct frs_score){.item = changes->items[i]};
    if (reader == FRS_READS_LENGTH)
        score_length(changes, scores);
    else if (reader == FRS_READS_SIDE)
        score_along(changes, fewer_ahead(changes), scores);
    else if (reader == FRS_READS_CLUSTER)
        score_along(changes, smaller_cluster_ahead(changes), scores);
    else
        score_off_line(changes, sent, scores);
}
