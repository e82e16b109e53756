/* SVD: the best approximation of what changed by a matrix of low rank, ΔQ ≈ U V.
 *
 *   row set · r u32 · U, n · r floats · V, r · dim floats        with r = min(rank, n, dim)
 *
 * 4 · r · (n + dim) bytes for the factors, which for a whole table is 4 · r · (m + dim).
 * Nominal: 4 · r · m, one factor. */
#include "algorithms/codecs/factors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

struct settings {
    uint32_t rank;
};

static const struct frs_param params[] = {FRS_RANK_PARAM, {0}};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->rank = (uint32_t)frs_values_int(values, "rank");
    return settings;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    const struct settings *settings = context;
    return frs_factors_budgets(settings->rank, shape);
}

static size_t predicted_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    (void)context;
    return frs_factors_predicted_head_bytes(shape) + 4 * budget * (shape->n_rows + shape->dim);
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    uint32_t rank = how->budget ? how->budget : settings->rank;
    struct frs_factors factors = frs_factors_put_head(rows, rank, how, out);
    frs_buffer_put_floats(out, factors.u, factors.n * factors.rank);
    frs_buffer_put_floats(out, factors.v, factors.rank * factors.dim);
    return frs_factors_nominal_values(rows, rank) * sizeof(float);
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)context;
    struct frs_factors factors;
    if (!frs_factors_take_head(in, n_rows, dim, arena, &factors))
        return false;
    frs_reader_floats(in, factors.u, factors.n * factors.rank);
    frs_reader_floats(in, factors.v, factors.rank * dim);
    if (in->failed)
        return false;
    *out = frs_factors_rows(&factors, base, arena);
    return true;
}

const struct frs_codec frs_codec_svd = {
    .plugin = {.name = "svd",
        .summary = "what changed, approximated by a matrix of low rank",
        .source = "baseline of Nguyen et al. 2024 (CoLR) and Lu et al. 2025 (FedRAS)",
        .params = params},
    .reveals_rows = true,
    .create = create,
    .budgets = budgets,
    .predicted_bytes = predicted_bytes,
    .encode = encode,
    .decode = decode,
};
