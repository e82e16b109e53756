#include "sim/run/training/reading.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/clones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWER_STEPS 3
#define AT_ONCE 8u

/* A row that stands out, and by what it is ranked. */
struct row {
    uint32_t item;
    double along;
};

/* The changes of an upload's item table. */
struct changes {
    size_t n, dim;
    float *values; /* [n × dim] */
    struct row *rows;
};

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

FRS_CLONES static void fill_changes(const struct frs_rows *rows, const float *base, struct changes *changes) {
    size_t dim = rows->dim;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t item = rows->ids ? rows->ids[i] : (uint32_t)i;
        float *change = changes->values + changes->n * dim;
        if (change_row(rows->values + i * dim, base ? base + item * dim : NULL, dim, change))
            changes->rows[changes->n++].item = item;
    }
}

static struct changes changes_of(const struct frs_contribution *contribution, const struct frs_rows *rows) {
    struct changes changes = {.dim = rows->dim,
        .values = frs_alloc_lazily(rows->n * rows->dim + 1, sizeof(float)),
        .rows = frs_alloc_lazily(rows->n + 1, sizeof(struct row))};
    fill_changes(rows, contribution->base ? contribution->base->part[0] : NULL, &changes);
    return changes;
}

static void changes_fini(struct changes *changes) {
    free(changes->values);
    free(changes->rows);
}

/* How far the rows have moved along a direction: rows[i].along. Each sum is added up in the order of its row; those of
 * several rows at once, because an addition has to wait for the one before it in the same sum. */
FRS_INLINE void measure_along(const struct changes *changes, const double *direction) {
    size_t dim = changes->dim;
    for (size_t first = 0; first < changes->n; first += AT_ONCE) {
        const float *row[AT_ONCE];
        double sums[AT_ONCE] = {0};
        for (size_t j = 0; j < AT_ONCE; j++) /* past the last one it is measured again */
            row[j] = changes->values + dim * (first + j < changes->n ? first + j : changes->n - 1);
        for (size_t k = 0; k < dim; k++)
#pragma GCC unroll 8
            for (size_t j = 0; j < AT_ONCE; j++)
                sums[j] += (double)row[j][k] * direction[k];
        for (size_t j = 0; j < AT_ONCE && first + j < changes->n; j++)
            changes->rows[first + j].along = sums[j];
    }
}

/* v ← Σ_i Δ_i (Δ_i · v), from the first row on. */
FRS_CLONES static void find_direction(const struct changes *changes, double *direction) {
    double *next = frs_alloc(changes->dim, sizeof *next);
    for (size_t k = 0; k < changes->dim; k++)
        direction[k] = (double)changes->values[k];
    for (int step = 0; step < POWER_STEPS; step++) {
        double length = 0;
        for (size_t k = 0; k < changes->dim; k++)
            next[k] = 0;
        measure_along(changes, direction);
        for (size_t i = 0; i < changes->n; i++) {
            const float *row = changes->values + i * changes->dim;
            for (size_t k = 0; k < changes->dim; k++)
                next[k] += changes->rows[i].along * (double)row[k];
        }
        for (size_t k = 0; k < changes->dim; k++)
            length += next[k] * next[k];
        for (size_t k = 0; k < changes->dim; k++)
            direction[k] = length > 0 ? next[k] / sqrt(length) : direction[k];
    }
    free(next);
}

/* By how far rows moved along one direction, the smaller side ahead. */
FRS_CLONES static void rank_by_side(struct changes *changes) {
    double *direction = frs_alloc(changes->dim, sizeof *direction);
    size_t ahead = 0;
    find_direction(changes, direction);
    measure_along(changes, direction);
    for (size_t i = 0; i < changes->n; i++)
        ahead += changes->rows[i].along > 0;
    for (size_t i = 0; i < changes->n && 2 * ahead > changes->n; i++)
        changes->rows[i].along = -changes->rows[i].along;
    free(direction);
}

static void rank_by_distance(struct changes *changes) {
    for (size_t i = 0; i < changes->n; i++) {
        const float *row = changes->values + i * changes->dim;
        double squared = 0;
        for (size_t k = 0; k < changes->dim; k++)
            squared += (double)row[k] * (double)row[k];
        changes->rows[i].along = squared;
    }
}

/* The largest first; equal ones by item. */
static bool is_ahead(const struct row *x, const struct row *y) {
    return x->along != y->along ? x->along > y->along : x->item < y->item;
}

static void swap(struct row *x, struct row *y) {
    struct row row = *x;
    *x = *y;
    *y = row;
}

/* Puts those k of n rows in front, in any order, that are ahead of all others: quickselect. */
static void choose_first(struct row *rows, size_t n, size_t k) {
    size_t first = 0, last = n;
    while (first < k && k < last) {
        size_t at = first;
        swap(&rows[first + (last - first) / 2], &rows[last - 1]);
        for (size_t i = first; i < last - 1; i++)
            if (is_ahead(&rows[i], &rows[last - 1]))
                swap(&rows[i], &rows[at++]);
        swap(&rows[at], &rows[last - 1]);
        if (k <= at)
            last = at;
        else
            first = at + 1;
    }
}

static int compare_items(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void read_values(
    struct frs_reading *reading, const struct frs_setup *setup, const struct frs_contribution *contribution) {
    const struct frs_client_data *data = &setup->data->population.clients[contribution->client];
    struct changes changes = changes_of(contribution, &contribution->parts[0]);
    if (changes.n > 0 && setup->learner->predicts_ratings)
        rank_by_distance(&changes);
    else if (changes.n > 0)
        rank_by_side(&changes);
    choose_first(changes.rows, changes.n, data->n);
    for (size_t i = 0; i < changes.n && i < data->n; i++)
        reading->found +=
            bsearch(&changes.rows[i].item, data->items, data->n, sizeof *data->items, compare_items) != NULL;
    reading->items += changes.n;
    reading->interactions += data->n;
    changes_fini(&changes);
}

/* Places tell which rows were sent: as good as any n of them. */
static void read_places(
    struct frs_reading *reading, const struct frs_setup *setup, const struct frs_contribution *contribution) {
    const struct frs_client_data *data = &setup->data->population.clients[contribution->client];
    const struct frs_rows *rows = &contribution->parts[0];
    size_t own = 0;
    for (size_t i = 0; i < rows->n; i++)
        own += bsearch(&rows->ids[i], data->items, data->n, sizeof *data->items, compare_items) != NULL;
    reading->items += rows->n;
    reading->interactions += data->n;
    reading->found += rows->n > data->n ? (double)own * (double)data->n / (double)rows->n : (double)own;
}

static void read_sums(struct frs_reading *reading, const struct frs_setup *setup,
    const struct frs_contribution *contributions, size_t n) {
    uint32_t n_items = setup->data->population.n_items, *touched = frs_alloc(n_items, sizeof *touched);
    for (size_t c = 0; c < n; c++) {
        const struct frs_rows *rows = &contributions[c].parts[0];
        for (size_t i = 0; i < rows->n; i++)
            touched[rows->ids ? rows->ids[i] : i]++;
    }
    for (uint32_t item = 0; item < n_items; item++) {
        reading->sums += touched[item] > 0;
        reading->sums_of_few += touched[item] > 0 && touched[item] < FRS_FEW;
    }
    free(touched);
}

struct frs_reading_turns frs_reading_turns(const struct frs_reading *reading, size_t n) {
    size_t most = reading->uploads < FRS_READ_MANY ? FRS_READ_UPLOADS : 1;
    size_t step = n > most ? (n + most - 1) / most : 1;
    return (struct frs_reading_turns){.first = reading->uploads % step, .step = step};
}

/* Where clients hold several users, or send something else than a table of items, there is nothing to look for. */
static bool is_readable(const struct frs_setup *setup, const struct frs_contribution *contribution) {
    return !setup->data->population.users && contribution->parts[0].n_rows == setup->data->population.n_items;
}

void frs_reading_upload(
    struct frs_reading *reading, const struct frs_setup *setup, const struct frs_contribution *contribution) {
    enum frs_sight sight = frs_shields_sight(&setup->shields);
    if (!is_readable(setup, contribution))
        return;
    reading->uploads++;
    if (sight == FRS_SEES_VALUES)
        read_values(reading, setup, contribution);
    else if (sight == FRS_SEES_CIPHERTEXTS && setup->uplink_codec.codec->reveals_rows)
        read_places(reading, setup, contribution);
    else
        reading->interactions += setup->data->population.clients[contribution->client].n;
}

void frs_reading_add(struct frs_reading *reading, const struct frs_setup *setup,
    const struct frs_contribution *contributions, size_t n) {
    struct frs_reading_turns turns = frs_reading_turns(reading, n);
    if (is_readable(setup, &contributions[0]) && frs_shields_sight(&setup->shields) == FRS_SEES_SUMS)
        read_sums(reading, setup, contributions, n);
    for (size_t c = turns.first; c < n; c += turns.step)
        frs_reading_upload(reading, setup, &contributions[c]);
}

void frs_reading_archive(struct frs_reading *reading, struct frs_archive *archive) {
    frs_archive_bytes(archive, reading, sizeof *reading);
}
