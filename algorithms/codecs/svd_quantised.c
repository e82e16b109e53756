/* SVD with quantised factors, as JointRec compresses uploads: ΔQ ≈ U V, both factors in 8 or 4 bits an entry.
 *
 *   row set · r u32 · r columns of U, n entries each · r rows of V, dim entries each
 *
 * with r = min(rank, n, dim), each as quantised_row.h has it: a column of U carries the scale of its singular
 * value. The two factors are rounded independently, so that under stochastic rounding their product is U V on
 * average. Nominal: bits/8 · r · m, one factor, as svd counts. */
#include "algorithms/codecs/factors.h"
#include "algorithms/codecs/quantised_row.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

struct settings {
    uint32_t rank;
    struct frs_quantisation quantisation;
};

static const struct frs_param params[] = {FRS_RANK_PARAM, FRS_QUANTISATION_PARAMS, {0}};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->rank = (uint32_t)frs_values_int(values, "rank");
    settings->quantisation = frs_quantisation_of(values);
    return settings;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    const struct settings *settings = context;
    return frs_factors_budgets(settings->rank, shape);
}

static size_t predicted_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    const struct settings *settings = context;
    const struct frs_quantisation *how = &settings->quantisation;
    return frs_factors_predicted_head_bytes(shape) +
           budget * (frs_quantised_row_bytes(how, shape->n_rows) + frs_quantised_row_bytes(how, shape->dim));
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    const struct frs_quantisation *quantisation = &settings->quantisation;
    uint32_t rank = how->budget ? how->budget : settings->rank;
    struct frs_factors factors = frs_factors_put_head(rows, rank, how, out);
    size_t n = factors.n, dim = factors.dim;
    frs_encoding_spent(how, frs_quantised_flop(quantisation, factors.rank * (n + dim)));
    float *column = frs_arena_take(how->arena, n, sizeof *column);
    for (size_t r = 0; r < factors.rank; r++) {
        for (size_t i = 0; i < n; i++)
            column[i] = factors.u[i * factors.rank + r];
        frs_quantised_row_put(out, quantisation, column, n, how->rng);
    }
    for (size_t r = 0; r < factors.rank; r++)
        frs_quantised_row_put(out, quantisation, factors.v + r * dim, dim, how->rng);
    return frs_factors_nominal_values(rows, rank) * quantisation->bits / 8;
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    const struct settings *settings = context;
    struct frs_factors factors;
    if (!frs_factors_take_head(in, n_rows, dim, arena, &factors))
        return false;
    float *column = frs_arena_take(arena, factors.n, sizeof *column);
    for (size_t r = 0; r < factors.rank; r++) {
        if (!frs_quantised_row_take(in, &settings->quantisation, column, factors.n))
            return false;
        for (size_t i = 0; i < factors.n; i++)
            factors.u[i * factors.rank + r] = column[i];
    }
    for (size_t r = 0; r < factors.rank; r++)
        if (!frs_quantised_row_take(in, &settings->quantisation, factors.v + r * dim, dim))
            return false;
    *out = frs_factors_rows(&factors, base, arena);
    return true;
}

const struct frs_codec frs_codec_svd_quantised = {
    .plugin = {.name = "svd_quantised",
        .summary =
            "what changed, approximated by a matrix of low rank whose factors have 8 or 4 bits an entry",
        .source = "JointRec (as Lu et al. 2025, section 2, describe it); Alistarh et al. 2017 (QSGD)",
        .params = params},
    .reveals_rows = true,
    .create = create,
    .budgets = budgets,
    .predicted_bytes = predicted_bytes,
    .encode = encode,
    .decode = decode,
};
