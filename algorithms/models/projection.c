#include "algorithms/models/projection.h"
#include "algorithms/kernels/algebra/orthonormal.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>

const char *const frs_projection_variant_names[] = {
    [FRS_PROJECTION_PAPER] = "paper", [FRS_PROJECTION_CODE] = "published_code", NULL};

const char *const frs_projection_start_names[] = {[FRS_START_BY_VARIANT] = "by_variant",
    [FRS_START_NORMAL] = "normal",
    [FRS_START_ORTHONORMAL] = "orthonormal",
    [FRS_START_SPHERE] = "sphere",
    NULL};

enum gradient { GRADIENT_BY_VARIANT, GRADIENT_NONE, GRADIENT_ROOT };
const char *const frs_projection_gradient_names[] = {
    [GRADIENT_BY_VARIANT] = "by_variant", [GRADIENT_NONE] = "none", [GRADIENT_ROOT] = "root", NULL};

enum aggregation { BY_VARIANT, DATA_SIZE, UNIFORM, PER_ITEM };
const char *const frs_projection_aggregation_names[] = {[BY_VARIANT] = "by_variant",
    [DATA_SIZE] = "data_size",
    [UNIFORM] = "uniform",
    [PER_ITEM] = "per_item",
    NULL};

enum frs_weighting frs_projection_weighting(
    const struct frs_projection *projection, const struct frs_values *values) {
    switch ((enum aggregation)frs_values_choice(values, "aggregation")) {
    case DATA_SIZE:
        return FRS_DATA_SIZE;
    case UNIFORM:
        return FRS_UNIFORM;
    case PER_ITEM:
        return FRS_PER_ITEM;
    case BY_VARIANT:
        break;
    }
    return projection->variant == FRS_PROJECTION_PAPER ? FRS_DATA_SIZE : FRS_PER_ITEM;
}

bool frs_projection_init(struct frs_projection *projection, struct frs_model *model,
    const struct frs_values *values, size_t dim, struct frs_errors *errors) {
    size_t rank = (size_t)frs_values_int(values, "rank");
    enum frs_projection_variant variant = (enum frs_projection_variant)frs_values_choice(values, "variant");
    enum frs_projection_start start = (enum frs_projection_start)frs_values_choice(values, "projection");
    enum gradient gradient = (enum gradient)frs_values_choice(values, "gradient_scale");
    bool of_code = variant == FRS_PROJECTION_CODE;
    if (start == FRS_START_BY_VARIANT)
        start = of_code ? FRS_START_ORTHONORMAL : FRS_START_NORMAL;
    if (of_code && start != FRS_START_ORTHONORMAL) {
        frs_values_error(values, "projection", errors,
            "the regulariser of variant \"published_code\" needs orthogonal columns; allowed: "
            "\"by_variant\", "
            "\"orthonormal\", or method.variant = \"paper\"");
        return false;
    }
    if (rank > dim) {
        frs_values_error(
            values, "rank", errors, "%zu is larger than dim (%zu); allowed: at most dim", rank, dim);
        return false;
    }
    *projection = (struct frs_projection){.variant = variant,
        .start = start,
        .scales_gradient = gradient == GRADIENT_ROOT || (gradient == GRADIENT_BY_VARIANT && of_code),
        .dim = dim,
        .rank = rank,
        .matrix = frs_model_table(
            model, (struct frs_table){
                       .name = "B", .owner = FRS_OF_SERVER, .rows = dim, .dim = rank, .transient = true})};
    return true;
}

struct frs_table frs_projected(struct frs_table items, const struct frs_projection *projection) {
    items.update_name = "A";
    items.update_dim = projection->rank;
    return items;
}

/* The code's regulariser is weight_decay · (‖q_i + B a_i‖² + ‖p‖²), whose gradients have a factor of 2. */
void frs_projection_train_by(const struct frs_projection *projection, struct frs_bce_mf_settings *local) {
    double square = (double)projection->dim / (double)projection->rank;
    if (projection->scales_gradient)
        local->gradient_scale = (float)sqrt(1 / square);
    if (projection->variant != FRS_PROJECTION_CODE)
        return;
    local->whole_decay = (float)square;
    local->weight_decay *= 2;
}

/* Every column becomes as long as one. */
static void normalise_columns(float *b, size_t dim, size_t rank) {
    for (size_t j = 0; j < rank; j++) {
        double squared = 0;
        for (size_t k = 0; k < dim; k++)
            squared += (double)b[k * rank + j] * (double)b[k * rank + j];
        for (size_t k = 0; k < dim && squared > 0; k++)
            b[k * rank + j] = (float)((double)b[k * rank + j] / sqrt(squared));
    }
}

/* A function of the seed alone. */
static void draw(const struct frs_projection *projection, uint64_t seed, float *b) {
    size_t dim = projection->dim, rank = projection->rank;
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_PROJECTION);
    if (projection->start == FRS_START_NORMAL) {
        frs_rng_fill_normal(&rng, b, dim * rank, 1 / sqrt((double)rank));
        return;
    }
    frs_rng_fill_normal(&rng, b, dim * rank, 1);
    if (projection->start == FRS_START_SPHERE)
        normalise_columns(b, dim, rank);
    else
        frs_orthonormalise(b, dim, rank);
    for (size_t i = 0; i < dim * rank; i++)
        b[i] *= (float)sqrt((double)dim / (double)rank);
}

uint64_t frs_projection_open(struct frs_projection *projection, uint64_t seed, uint32_t round) {
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, round, 0, FRS_RNG_PROJECTION);
    projection->seed = frs_rng_u64(&rng);
    draw(projection, projection->seed, projection->matrix);
    return projection->seed;
}

const float *frs_projection_of(
    const struct frs_projection *projection, uint64_t seed, struct frs_arena *arena) {
    if (seed == projection->seed)
        return projection->matrix;
    float *b = frs_arena_take(arena, projection->dim * projection->rank, sizeof *b);
    draw(projection, seed, b);
    return b;
}

/* columns: Bᵀ [rank × dim], so that the values of a row are summed up side by side. */
FRS_CLONES static void add_products(
    const struct frs_rows *a, const float *columns, size_t dim, float *restrict sums, float *table) {
    size_t rank = a->dim;
    for (size_t i = 0; i < a->n; i++) {
        const float *factors = a->values + i * rank;
        float *row = table + (a->ids ? a->ids[i] : i) * dim;
        for (size_t k = 0; k < dim; k++)
            sums[k] = 0;
        for (size_t j = 0; j < rank; j++)
            for (size_t k = 0; k < dim; k++)
                sums[k] += columns[j * dim + k] * factors[j];
        for (size_t k = 0; k < dim; k++)
            row[k] += sums[k];
    }
}

void frs_projection_apply(const struct frs_projection *projection, uint64_t seed, const struct frs_rows *a,
    float *table, struct frs_arena *arena) {
    size_t dim = projection->dim, rank = projection->rank;
    const float *b = frs_projection_of(projection, seed, arena);
    float *columns = frs_arena_take(arena, rank * dim, sizeof *columns);
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < rank; j++)
            columns[j * dim + k] = b[k * rank + j];
    add_products(a, columns, dim, frs_arena_take(arena, dim, sizeof(float)), table);
}

double frs_projection_apply_flop(const struct frs_projection *projection, size_t n_rows) {
    return (double)n_rows * (double)projection->dim * (2 * (double)projection->rank + 1);
}
