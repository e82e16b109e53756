/* TopK: only the changes of largest magnitude.
 *
 *   row set · entries u32 · each entry: place u32 among the n · dim values of the rows, value f32
 *
 * Rows without an entry are listed, too: averaging per item needs to know which clients touched the item. An
 * entry of 0 is not sent. Nominal: 4 bytes for each of the k · n_rows values, as FedRAS's tables count, or 8
 * with their places, as CoLR's table 2 does. */
#include "algorithms/codec.h"
#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/select.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <string.h>

#define ENTRY_BYTES (sizeof(uint32_t) + sizeof(float))

struct settings {
    uint32_t k;
    bool per_row;
    size_t nominal_entry_bytes;
};

enum scope { SCOPE_ROW, SCOPE_TABLE };
static const char *const scope_names[] = {[SCOPE_ROW] = "row", [SCOPE_TABLE] = "table", NULL};

enum nominal { NOMINAL_FEDRAS, NOMINAL_COLR };
static const char *const nominal_names[] = {[NOMINAL_FEDRAS] = "fedras", [NOMINAL_COLR] = "colr", NULL};

static const struct frs_param params[] = {
    {.key = "k", .type = FRS_INT, .initial = "2", .min = 1, .max = 4096, .help = "entries for each row"},
    {.key = "scope",
        .type = FRS_CHOICE,
        .initial = "row",
        .choices = scope_names,
        .help = "row: the k largest of every row (FedRAS); table: the k * rows largest of the table (CoLR)"},
    {.key = "nominal",
        .type = FRS_CHOICE,
        .initial = "fedras",
        .choices = nominal_names,
        .help = "what nominal_bytes counts of an entry: fedras (its value), colr (its place, too)"},
    {0},
};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->k = (uint32_t)frs_values_int(values, "k");
    settings->per_row = frs_values_choice(values, "scope") == SCOPE_ROW;
    settings->nominal_entry_bytes =
        frs_values_choice(values, "nominal") == NOMINAL_FEDRAS ? sizeof(float) : ENTRY_BYTES;
    return settings;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    const struct settings *settings = context;
    uint32_t most = settings->k < shape->dim ? settings->k : (uint32_t)shape->dim;
    return (struct frs_budgets){.min = 1, .max = most, .unit = "entries"};
}

/* As if every row had changed. */
static size_t predicted_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    (void)context;
    return 9 + (shape->n_rows + 7) / 8 + 8 * shape->n_rows * budget;
}

/* Returns their number. */
static size_t put_entries(struct frs_buffer *out, const float *values, size_t n, struct frs_arena *arena) {
    uint32_t *places = frs_arena_take(arena, n + 1, sizeof *places);
    size_t entries = frs_places_of_nonzero(values, n, places);
    frs_buffer_put_u32(out, (uint32_t)entries);
    uint8_t *at = frs_buffer_extend(out, entries * ENTRY_BYTES);
    for (size_t i = 0; i < entries; i++, at += ENTRY_BYTES) {
        memcpy(at, &places[i], sizeof places[i]);
        memcpy(at + sizeof places[i], &values[places[i]], sizeof *values);
    }
    return entries;
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    size_t dim = rows->dim, k = how->budget ? how->budget : settings->k;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    float *values = frs_touched_changes(rows, &touched, how->base, how->arena);
    float *scratch =
        frs_arena_take(how->arena, 2 * (touched.n > 0 ? touched.n : 1) * dim + 3, sizeof *scratch);
    FRS_INVARIANT(touched.n * dim <= UINT32_MAX, "%zu values are more than TopK can number", touched.n * dim);
    frs_encoding_spent(how, settings->per_row
                                ? frs_keep_largest_of_rows(values, touched.n, dim, k, scratch)
                                : frs_keep_largest(values, touched.n * dim, k * rows->n_rows, scratch));
    frs_row_set_put(out, touched.ids, touched.n, rows->n_rows);
    frs_encoding_sent(how, put_entries(out, values, touched.n * dim, how->arena));
    return rows->n_rows * (k < dim ? k : dim) * settings->nominal_entry_bytes;
}

static bool take_entries(struct frs_reader *in, float *values, size_t n) {
    size_t entries = frs_reader_u32(in), next = 0;
    const uint8_t *bytes = in->failed || entries > n ? NULL : frs_reader_take(in, entries * ENTRY_BYTES);
    for (size_t i = 0; bytes && i < entries; i++, bytes += ENTRY_BYTES) {
        uint32_t at;
        float value;
        memcpy(&at, bytes, sizeof at);
        memcpy(&value, bytes + sizeof at, sizeof value);
        if (at >= n || at < next || value == 0)
            return false;
        values[at] = value;
        next = (size_t)at + 1;
    }
    return bytes;
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)context;
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    float *values = frs_arena_take_zeroed(arena, n * dim, sizeof *values);
    if (!take_entries(in, values, n * dim))
        return false;
    frs_add_base(values, ids, n, dim, base);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return true;
}

const struct frs_codec frs_codec_topk = {
    .plugin = {.name = "topk",
        .summary = "only the largest entries of what changed, each with its place",
        .source = "baseline of Nguyen et al. 2024 (CoLR) and Lu et al. 2025 (FedRAS)",
        .params = params},
    .reveals_rows = true,
    .sends_values = true,
    .changes_only = true,
    .create = create,
    .budgets = budgets,
    .predicted_bytes = predicted_bytes,
    .encode = encode,
    .decode = decode,
};
