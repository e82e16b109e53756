#include "algorithms/newest_updates.h"
#include "algorithms/aggregation.h"
#include "sim/base/files/archive.h"
#include "sim/base/memory.h"
#include "sim/base/threads/pool.h"

#include <stdlib.h>
#include <string.h>

struct frs_newest_updates {
    uint32_t n_clients, heard;
    size_t n_parts, n_values, n_rows; /* of all parts */
    struct frs_part parts[FRS_MAX_PARTS];
    size_t first_value[FRS_MAX_PARTS], first_row[FRS_MAX_PARTS];
    float **values;    /* [n_clients] of one update [n_values], rows it lacks being zero; NULL: none yet */
    uint8_t **has_row; /* [n_clients] of one update [n_rows] */
    double *sums;      /* [n_values] over all updates */
    uint32_t *holders; /* [n_rows] updates that have the row */
};

struct frs_newest_updates *frs_newest_updates_create(
    uint32_t n_clients, const struct frs_part *parts, size_t n_parts) {
    struct frs_newest_updates *newest = frs_alloc(1, sizeof *newest);
    newest->n_clients = n_clients;
    newest->n_parts = n_parts;
    for (size_t i = 0; i < n_parts; i++) {
        newest->parts[i] = parts[i];
        newest->first_value[i] = newest->n_values;
        newest->first_row[i] = newest->n_rows;
        newest->n_values += parts[i].n_rows * parts[i].dim;
        newest->n_rows += parts[i].n_rows;
    }
    newest->values = frs_alloc(n_clients, sizeof *newest->values);
    newest->has_row = frs_alloc(n_clients, sizeof *newest->has_row);
    newest->sums = frs_alloc(newest->n_values, sizeof *newest->sums);
    newest->holders = frs_alloc(newest->n_rows, sizeof *newest->holders);
    return newest;
}

void frs_newest_updates_destroy(struct frs_newest_updates *newest) {
    if (!newest)
        return;
    for (uint32_t client = 0; client < newest->n_clients; client++) {
        free(newest->values[client]);
        free(newest->has_row[client]);
    }
    free(newest->values);
    free(newest->has_row);
    free(newest->sums);
    free(newest->holders);
    free(newest);
}

static void give_table(struct frs_newest_updates *newest, uint32_t client) {
    if (newest->values[client])
        return;
    newest->values[client] = frs_alloc(newest->n_values, sizeof **newest->values);
    newest->has_row[client] = frs_alloc(newest->n_rows, sizeof **newest->has_row);
    newest->heard++;
}

/* ---- a part of a round ------------------------------------------------------------------------ */

struct stepping {
    struct frs_newest_updates *newest;
    const struct frs_newest_order *order;
    size_t dim, n_rows, rows_per_task;
    double *arrived, *remembered, *before; /* [n_rows × dim] sums over the clients that count */
    uint32_t *senders;                     /* [n_rows] of this round */
    float *change;                         /* [n_rows × dim] */
};

/* One row of one upload: NULL where the upload lacks it. */
static void take_row(
    struct stepping *s, uint32_t client, size_t row, const float *values, const float *base) {
    struct frs_newest_updates *newest = s->newest;
    size_t part = s->order->part, dim = s->dim, at = row * dim;
    float *kept = newest->values[client] + newest->first_value[part] + at;
    uint8_t *had = newest->has_row[client] + newest->first_row[part] + row;
    double *sum = newest->sums + newest->first_value[part] + at;
    if (!values && !*had)
        return;
    for (size_t k = 0; k < dim; k++) {
        float now = values ? (float)((double)values[k] - (base ? (double)base[at + k] : 0)) : 0;
        double old = (double)kept[k];
        s->arrived[at + k] += (double)now;
        if (values || !s->order->by_row)
            s->remembered[at + k] += old;
        else
            s->before[at + k] -= old;
        sum[k] += (double)now - old;
        kept[k] = now;
    }
    s->senders[row] += values != NULL;
    newest->holders[newest->first_row[part] + row] += (uint32_t)(values != NULL) - *had;
    *had = values != NULL;
}

static void take_upload(
    struct stepping *s, const struct frs_contribution *contribution, size_t first, size_t end) {
    const struct frs_rows *rows = &contribution->parts[s->order->part];
    const float *base = contribution->base ? contribution->base->part[s->order->part] : NULL;
    size_t i = 0;
    if (!rows->ids)
        i = first < rows->n ? first : rows->n;
    else
        while (i < rows->n && rows->ids[i] < first)
            i++;
    for (size_t row = first; row < end; row++) {
        bool sent = i < rows->n && (rows->ids ? rows->ids[i] : i) == row;
        take_row(s, contribution->client, row, sent ? rows->values + i * s->dim : NULL, base);
        i += sent;
    }
}

static double mean(double sum, double n) {
    return n > 0 ? sum / n : 0;
}

static void combine_row(struct stepping *s, size_t row) {
    const struct frs_newest_updates *newest = s->newest;
    const struct frs_newest_order *order = s->order;
    size_t at = row * s->dim, first = newest->first_value[order->part];
    double n = order->by_row ? s->senders[row] : (double)order->n;
    double all = order->by_row ? newest->holders[newest->first_row[order->part] + row] : newest->n_clients;
    for (size_t k = 0; k < s->dim; k++) {
        struct frs_correction_means means = {.arrived = mean(s->arrived[at + k], n),
            .remembered = mean(s->remembered[at + k], n),
            .all_before = mean(s->before[at + k], all),
            .all_after = mean(newest->sums[first + at + k], all)};
        s->change[at + k] = (float)order->correction->step(&means);
    }
}

static void step_task(void *context, size_t task, size_t thread) {
    struct stepping *s = context;
    size_t first = task * s->rows_per_task, end = first + s->rows_per_task;
    (void)thread;
    end = end < s->n_rows ? end : s->n_rows;
    memcpy(s->before + first * s->dim,
        s->newest->sums + s->newest->first_value[s->order->part] + first * s->dim,
        (end - first) * s->dim * sizeof *s->before);
    for (size_t i = 0; i < s->order->n; i++)
        take_upload(s, &s->order->contributions[i], first, end);
    for (size_t row = first; row < end; row++)
        combine_row(s, row);
}

/* Tasks take time to hand out. */
#define ROWS_PER_TASK 64u

static void run(struct stepping *s) {
    size_t n_tasks = (s->n_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    s->rows_per_task = ROWS_PER_TASK;
    if (s->order->pool && n_tasks > 1) {
        frs_pool_start(s->order->pool, step_task, s, n_tasks);
        frs_pool_finish(s->order->pool);
        return;
    }
    for (size_t task = 0; task < n_tasks; task++)
        step_task(s, task, 0);
}

struct frs_rows frs_newest_updates_step(
    struct frs_newest_updates *newest, const struct frs_newest_order *order, struct frs_arena *arena) {
    const struct frs_part *part = &newest->parts[order->part];
    size_t n = part->n_rows * part->dim;
    struct stepping s = {.newest = newest,
        .order = order,
        .dim = part->dim,
        .n_rows = part->n_rows,
        .arrived = frs_arena_take_zeroed(arena, n, sizeof *s.arrived),
        .remembered = frs_arena_take_zeroed(arena, n, sizeof *s.remembered),
        .before = frs_arena_take(arena, n, sizeof *s.before),
        .senders = frs_arena_take_zeroed(arena, part->n_rows, sizeof *s.senders),
        .change = frs_arena_take(arena, n, sizeof *s.change)};
    for (size_t i = 0; i < order->n; i++)
        give_table(newest, order->contributions[i].client);
    run(&s);
    return frs_rows_that_move(part, s.change, arena);
}

/* ---- what it takes ---------------------------------------------------------------------------- */

uint32_t frs_newest_updates_heard(const struct frs_newest_updates *newest) {
    return newest->heard;
}

double frs_newest_updates_bytes(const struct frs_part *parts, size_t n_parts) {
    double bytes = 0;
    for (size_t i = 0; i < n_parts; i++)
        bytes += (double)parts[i].n_rows * ((double)parts[i].dim * sizeof(float) + sizeof(uint8_t));
    return bytes;
}

double frs_newest_updates_sum_bytes(const struct frs_part *parts, size_t n_parts) {
    double bytes = 0;
    for (size_t i = 0; i < n_parts; i++)
        bytes += (double)parts[i].n_rows * ((double)parts[i].dim * sizeof(double) + sizeof(uint32_t));
    return bytes;
}

void frs_newest_updates_archive(struct frs_newest_updates *newest, struct frs_archive *archive) {
    frs_archive_bytes(archive, newest->sums, newest->n_values * sizeof *newest->sums);
    frs_archive_bytes(archive, newest->holders, newest->n_rows * sizeof *newest->holders);
    for (uint32_t client = 0; client < newest->n_clients; client++) {
        bool is_there = newest->values[client];
        frs_archive_bools(archive, &is_there, 1);
        if (!is_there || (frs_archive_loads(archive) && archive->in->failed))
            continue;
        give_table(newest, client);
        frs_archive_bytes(archive, newest->values[client], newest->n_values * sizeof(float));
        frs_archive_bytes(archive, newest->has_row[client], newest->n_rows);
    }
}
