#include "algorithms/aggregation.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/threads/pool.h"

#include <stdlib.h>
#include <string.h>

const char *const frs_weighting_names[] = {
    [FRS_DATA_SIZE] = "data_size", [FRS_UNIFORM] = "uniform", [FRS_PER_ITEM] = "per_item", NULL};

static double weight_of(const struct frs_contribution *contribution, enum frs_weighting weighting) {
    if (contribution->weight > 0)
        return contribution->weight;
    return weighting == FRS_DATA_SIZE ? (double)contribution->samples : 1;
}

/* The weight with which a contribution's change enters the sum. The divisor uses weight_of instead: if the
 * sum were divided by these weights, the only client that has touched a row would count in full, however
 * old its tables are. */
static double scaled_weight_of(const struct frs_contribution *contribution, enum frs_weighting weighting) {
    double scale = contribution->staleness_scale > 0 ? contribution->staleness_scale : 1;
    return weight_of(contribution, weighting) * scale;
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

static size_t row_of(const struct frs_rows *rows, size_t i) {
    return rows->ids ? rows->ids[i] : i;
}

static void count_senders(const struct frs_rows *rows, size_t from, size_t to, uint32_t *senders) {
    for (size_t i = from; i < to; i++)
        senders[row_of(rows, i)]++;
}

/* The place of the first row that is not below `row`. */
static size_t place_of(const struct frs_rows *rows, size_t row) {
    size_t low = 0, high = rows->n;
    if (!rows->ids)
        return row < high ? row : high;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rows->ids[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Summing up a part of all uploads: every task has some rows of the table, and everything that was sent of
 * them. */
struct summing {
    const struct frs_contribution *contributions;
    size_t n, part;
    enum frs_weighting weighting;
    const float *kept; /* NULL: of the base's rows everything */
    bool by_row;
    double total;
    size_t n_rows, dim, rows_per_task;
    uint32_t *senders;  /* [n_rows] those apart included */
    uint32_t *present;  /* [n_rows] without those apart; equals `senders` if there are none */
    uint32_t *position; /* [n_rows] among the rows sent by any client; UINT32_MAX: not sent */
    double *sums;       /* [rows sent × dim] */
    uint32_t *ids;      /* [rows sent] */
    float *values;      /* [rows sent × dim] */
};

static size_t rows_end(const struct summing *summing, size_t task) {
    size_t end = (task + 1) * summing->rows_per_task;
    return end < summing->n_rows ? end : summing->n_rows;
}

static void count_task(void *context, size_t task, size_t thread) {
    const struct summing *summing = context;
    size_t first = task * summing->rows_per_task, end = rows_end(summing, task);
    (void)thread;
    for (size_t c = 0; c < summing->n; c++) {
        const struct frs_contribution *contribution = &summing->contributions[c];
        const struct frs_rows *rows = &contribution->parts[summing->part];
        size_t from = place_of(rows, first), to = place_of(rows, end);
        count_senders(rows, from, to, summing->senders);
        if (!contribution->apart && summing->present != summing->senders)
            count_senders(rows, from, to, summing->present);
    }
}

/* Row → position among the rows anyone sent. */
static size_t number_rows(struct summing *summing) {
    uint32_t present = 0;
    for (size_t row = 0; row < summing->n_rows; row++)
        summing->position[row] = summing->present[row] ? present++ : UINT32_MAX;
    return present;
}

/* The uploaded values lie anywhere in the memory of the round and are read once, so they are prefetched. */
#define VALUES_AHEAD 512u
#define VALUES_PER_LINE 16u

static inline __attribute__((always_inline)) void ask_for(
    const struct frs_rows *rows, size_t from, size_t to) {
    if (from >= to) /* there may be no values at all */
        return;
    const float *values = rows->values + from * rows->dim;
    for (size_t k = 0; k < (to - from) * rows->dim; k += VALUES_PER_LINE)
        __builtin_prefetch(values + k);
}

/* kept: of the base's rows. position NULL: sums has every row. */
FRS_CLONES static void add_change(const struct frs_contribution *contribution, size_t part, size_t from,
    size_t to, double weight, double kept, const uint32_t *position, double *sums) {
    const struct frs_rows *rows = &contribution->parts[part];
    const float *base = contribution->base ? contribution->base->part[part] : NULL;
    size_t dim = rows->dim, ahead = VALUES_AHEAD / (dim + 1) + 1;
    ask_for(rows, from, from + ahead < to ? from + ahead : to);
    for (size_t i = from; i < to; i++) {
        size_t row = row_of(rows, i);
        const float *values = rows->values + i * dim;
        if (i + ahead < to)
            ask_for(rows, i + ahead, i + ahead + 1);
        double *target = sums + (position ? position[row] : row) * dim;
        if (base)
            for (size_t k = 0; k < dim; k++)
                target[k] += weight * ((double)values[k] - kept * (double)base[row * dim + k]);
        else
            for (size_t k = 0; k < dim; k++)
                target[k] += weight * (double)values[k];
    }
}

static void divide(const struct summing *summing, size_t row) {
    size_t at = summing->position[row], dim = summing->dim;
    double divisor = summing->by_row ? (double)summing->senders[row] : summing->total;
    summing->ids[at] = (uint32_t)row;
    for (size_t k = 0; k < dim; k++)
        summing->values[at * dim + k] = divisor > 0 ? (float)(summing->sums[at * dim + k] / divisor) : 0;
}

static void sum_task(void *context, size_t task, size_t thread) {
    const struct summing *summing = context;
    size_t first = task * summing->rows_per_task, end = rows_end(summing, task);
    (void)thread;
    for (size_t c = 0; c < summing->n; c++) {
        const struct frs_contribution *contribution = &summing->contributions[c];
        const struct frs_rows *rows = &contribution->parts[summing->part];
        if (!contribution->apart)
            add_change(contribution, summing->part, place_of(rows, first), place_of(rows, end),
                scaled_weight_of(contribution, summing->weighting),
                summing->kept ? (double)summing->kept[c] : 1, summing->position, summing->sums);
    }
    for (size_t row = first; row < end; row++)
        if (summing->position[row] != UINT32_MAX)
            divide(summing, row);
}

/* Tasks take time to hand out, and every one of them looks for its rows in every upload. */
#define VALUES_PER_THREAD 65536u
#define TASKS_PER_THREAD 3u

static size_t count_values(const struct summing *summing) {
    size_t n = 0;
    for (size_t c = 0; c < summing->n; c++)
        n += summing->contributions[c].parts[summing->part].n * summing->dim;
    return n;
}

static void run(
    struct frs_pool *pool, void (*work)(void *context, size_t task, size_t thread), struct summing *summing) {
    size_t n_tasks = (summing->n_rows + summing->rows_per_task - 1) / summing->rows_per_task;
    if (n_tasks > 1) {
        frs_pool_start(pool, work, summing, n_tasks);
        frs_pool_finish(pool);
    } else {
        for (size_t task = 0; task < n_tasks; task++)
            work(summing, task, 0);
    }
}

struct frs_rows frs_aggregate_changes(const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, struct frs_pool *pool, struct frs_arena *arena) {
    return frs_aggregate_decayed(contributions, n, part, weighting, NULL, pool, arena);
}

struct frs_rows frs_aggregate_decayed(const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, const float *kept, struct frs_pool *pool, struct frs_arena *arena) {
    size_t n_rows = contributions[0].parts[part].n_rows, dim = contributions[0].parts[part].dim;
    struct summing summing = {.contributions = contributions,
        .n = n,
        .part = part,
        .weighting = weighting,
        .kept = kept,
        .by_row = weighting == FRS_PER_ITEM && contributions[0].weight == 0,
        .total = total_weight(contributions, n, weighting),
        .n_rows = n_rows,
        .dim = dim,
        .rows_per_task = n_rows > 0 ? n_rows : 1,
        .senders = frs_arena_take_zeroed(arena, n_rows, sizeof(uint32_t)),
        .position = frs_arena_take(arena, n_rows, sizeof(uint32_t))};
    summing.present = summing.senders;
    for (size_t c = 0; c < n && summing.present == summing.senders; c++)
        if (contributions[c].apart)
            summing.present = frs_arena_take_zeroed(arena, n_rows, sizeof(uint32_t));
    size_t threads = pool ? frs_pool_threads(pool) : 1, n_tasks = threads * TASKS_PER_THREAD;
    if (threads > 1 && n_rows >= n_tasks && count_values(&summing) >= threads * VALUES_PER_THREAD)
        summing.rows_per_task = (n_rows + n_tasks - 1) / n_tasks;
    run(pool, count_task, &summing);
    size_t present = number_rows(&summing);
    summing.sums = frs_arena_take_zeroed(arena, present * dim, sizeof *summing.sums);
    summing.ids = frs_arena_take(arena, present, sizeof *summing.ids);
    summing.values = frs_arena_take(arena, present * dim, sizeof *summing.values);
    run(pool, sum_task, &summing);
    return (struct frs_rows){
        .n_rows = n_rows, .dim = dim, .n = present, .ids = summing.ids, .values = summing.values};
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

void frs_row_sums_add(struct frs_row_sums *sums, const struct frs_contribution *contribution, size_t part,
    enum frs_weighting weighting, float kept) {
    const struct frs_rows *rows = &contribution->parts[part];
    sums->total += weight_of(contribution, weighting);
    count_senders(rows, 0, rows->n, sums->senders);
    add_change(contribution, part, 0, rows->n, scaled_weight_of(contribution, weighting), (double)kept, NULL,
        sums->sums);
}

/* Rows that anybody sent, and leaves nothing of them. */
FRS_CLONES static void take_rows(
    const struct frs_row_sums *sums, double divisor, uint32_t *ids, float *values) {
    size_t dim = sums->dim;
    for (size_t row = 0, at = 0; row < sums->n_rows; row++) {
        double *sum = sums->sums + row * dim;
        if (sums->senders[row] == 0)
            continue;
        double by = divisor == FRS_BY_SENDERS ? (double)sums->senders[row] : divisor;
        ids[at] = (uint32_t)row;
        float *restrict value = values + at * dim;
        for (size_t k = 0; k < dim; k++)
            value[k] = by > 0 ? (float)(sum[k] / by) : 0;
        memset(sum, 0, dim * sizeof *sum);
        sums->senders[row] = 0;
        at++;
    }
}

struct frs_rows frs_row_sums_take(struct frs_row_sums *sums, double divisor, struct frs_arena *arena) {
    size_t dim = sums->dim, present = 0;
    for (size_t row = 0; row < sums->n_rows; row++)
        present += sums->senders[row] > 0;
    uint32_t *ids = frs_arena_take(arena, present, sizeof *ids);
    float *values = frs_arena_take(arena, present * dim, sizeof *values);
    take_rows(sums, divisor, ids, values);
    sums->total = 0;
    return (struct frs_rows){.n_rows = sums->n_rows, .dim = dim, .n = present, .ids = ids, .values = values};
}

struct frs_rows frs_rows_divided(
    const struct frs_rows *sum, const struct frs_rows *share, struct frs_arena *arena) {
    float *values = frs_arena_take(arena, sum->n * sum->dim, sizeof *values);
    for (size_t i = 0; i < sum->n * sum->dim; i++)
        values[i] = share->values[i] > 0 ? sum->values[i] / share->values[i] : 0;
    struct frs_rows divided = *sum;
    divided.values = values;
    return divided;
}

struct frs_rows frs_rows_that_move(const struct frs_part *part, float *change, struct frs_arena *arena) {
    struct frs_rows rows = {.n_rows = part->n_rows, .dim = part->dim, .values = change};
    uint32_t *ids = frs_arena_take(arena, part->n_rows, sizeof *ids);
    for (size_t row = 0; row < part->n_rows; row++) {
        bool moves = false;
        for (size_t k = 0; k < part->dim; k++)
            moves = moves || change[row * part->dim + k] != 0;
        if (!moves)
            continue;
        memmove(change + rows.n * part->dim, change + row * part->dim, part->dim * sizeof *change);
        ids[rows.n++] = (uint32_t)row;
    }
    rows.ids = ids;
    return rows;
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
    enum frs_weighting weighting, struct frs_pool *pool, struct frs_arena *arena) {
    struct frs_rows change = frs_aggregate_changes(contributions, n, part, weighting, pool, arena);
    frs_rows_add_to(&change, table);
}
