#include "algorithms/messages/error_feedback.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A residual: per part n u32, then n ids, then n · dim floats. Everything is aligned to 4 bytes. */
struct frs_feedback {
    uint32_t n_clients;
    size_t n_parts;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_buffer *residuals; /* [n_clients], empty: none yet */
};

struct frs_feedback *frs_feedback_create(uint32_t n_clients, const struct frs_part *shapes, size_t n_parts) {
    struct frs_feedback *feedback = frs_alloc(1, sizeof *feedback);
    feedback->n_clients = n_clients;
    feedback->n_parts = n_parts;
    memcpy(feedback->shapes, shapes, n_parts * sizeof *shapes);
    feedback->residuals = frs_alloc(n_clients, sizeof *feedback->residuals);
    return feedback;
}

void frs_feedback_destroy(struct frs_feedback *feedback) {
    for (uint32_t client = 0; feedback && client < feedback->n_clients; client++)
        frs_buffer_fini(&feedback->residuals[client]);
    if (feedback)
        free(feedback->residuals);
    free(feedback);
}

static struct frs_rows read_part(struct frs_reader *in, const struct frs_part *shape) {
    struct frs_rows rows = {.n_rows = shape->n_rows, .dim = shape->dim, .n = frs_reader_u32(in)};
    rows.ids = (const void *)frs_reader_take(in, rows.n * sizeof *rows.ids);
    rows.values = (const void *)frs_reader_take(in, rows.n * rows.dim * sizeof *rows.values);
    return rows;
}

static size_t row_id(const struct frs_rows *rows, size_t i) {
    return i == rows->n ? SIZE_MAX : rows->ids ? rows->ids[i] : i;
}

/* The sum of two sets of rows, in ascending order. */
static struct frs_rows merge(const struct frs_rows *a, const struct frs_rows *b, struct frs_arena *arena) {
    size_t dim = a->dim, n = 0, i = 0, j = 0;
    uint32_t *ids = frs_arena_take(arena, a->n + b->n, sizeof *ids);
    float *values = frs_arena_take_zeroed(arena, (a->n + b->n) * dim, sizeof *values);
    while (i < a->n || j < b->n) {
        size_t next = row_id(a, i) < row_id(b, j) ? row_id(a, i) : row_id(b, j);
        bool in_a = row_id(a, i) == next, in_b = row_id(b, j) == next;
        for (size_t k = 0; k < dim; k++)
            values[n * dim + k] = (in_a ? a->values[i * dim + k] : 0) + (in_b ? b->values[j * dim + k] : 0);
        ids[n++] = (uint32_t)next;
        i += in_a;
        j += in_b;
    }
    return (struct frs_rows){.n_rows = a->n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
}

void frs_feedback_add(
    const struct frs_feedback *feedback, uint32_t client, struct frs_rows *rows, struct frs_arena *arena) {
    const struct frs_buffer *residual = &feedback->residuals[client];
    struct frs_reader in = frs_reader_init(residual->bytes, residual->n);
    for (size_t part = 0; residual->n > 0 && part < feedback->n_parts; part++) {
        struct frs_rows left = read_part(&in, &feedback->shapes[part]);
        rows[part] = merge(&rows[part], &left, arena);
    }
}

/* Row i of `sent` less what was decoded of it, into `left`; false when nothing is left. */
static bool subtract(const struct frs_rows *sent, size_t i, const float *decoded, float *left) {
    bool any = false;
    for (size_t k = 0; k < sent->dim; k++) {
        float gap = sent->values[i * sent->dim + k] - (decoded ? decoded[k] : 0);
        left[k] = isfinite(gap) ? gap : 0;
        any |= left[k] != 0;
    }
    return any;
}

static void put_left(const struct frs_rows *sent, const struct frs_rows *decoded, struct frs_buffer *out) {
    size_t header = out->n, n = 0, j = 0, row_bytes = sent->dim * sizeof(float);
    /* Room for every row; the values move up once it is known how many there are. */
    frs_buffer_extend(out, sizeof(uint32_t) * (1 + sent->n) + sent->n * row_bytes);
    uint8_t *start = out->bytes + header;
    uint32_t *ids = (uint32_t *)(void *)(start + sizeof(uint32_t));
    float *values = (float *)(void *)(ids + sent->n);
    for (size_t i = 0; i < sent->n; i++) {
        while (row_id(decoded, j) < row_id(sent, i))
            j++;
        bool there = row_id(decoded, j) == row_id(sent, i);
        ids[n] = (uint32_t)row_id(sent, i);
        n += subtract(sent, i, there ? decoded->values + j * sent->dim : NULL, values + n * sent->dim);
    }
    uint32_t count = (uint32_t)n;
    memcpy(start, &count, sizeof count);
    memmove(ids + n, values, n * row_bytes);
    out->n = header + sizeof(uint32_t) * (1 + n) + n * row_bytes;
}

void frs_feedback_left(const struct frs_feedback *feedback, const struct frs_rows *sent,
    const struct frs_rows *decoded, struct frs_buffer *out) {
    frs_buffer_reset(out);
    for (size_t part = 0; part < feedback->n_parts; part++)
        put_left(&sent[part], &decoded[part], out);
}

void frs_feedback_commit(struct frs_feedback *feedback, uint32_t client, const struct frs_buffer *left) {
    frs_buffer_reset(&feedback->residuals[client]);
    frs_buffer_put(&feedback->residuals[client], left->bytes, left->n);
}

void frs_feedback_archive(struct frs_feedback *feedback, struct frs_archive *archive) {
    for (uint32_t client = 0; client < feedback->n_clients; client++)
        frs_archive_buffer(archive, &feedback->residuals[client]);
}
