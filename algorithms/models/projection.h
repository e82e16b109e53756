/* The projection of CoLR and related methods (Nguyen et al. 2024, algorithm 1): an item table changes by
 * (B A)ᵀ. B [dim × rank] is drawn anew every round from a shared seed and frozen; A [rank × n_items] is
 * trained from zero and sparse by items. A travels item by item, [n_items × rank]; the seed of B is the
 * round seed of the messages. */
#ifndef FRS_ALGORITHMS_PROJECTION_H
#define FRS_ALGORITHMS_PROJECTION_H

#include "algorithms/aggregation.h"
#include "algorithms/kernels/steps/bce_mf.h"
#include "algorithms/learner.h"

enum frs_projection_variant {
    FRS_PROJECTION_PAPER, /* entries of B are N(0, 1/rank), plain gradient, decay of A and p */
    FRS_PROJECTION_CODE, /* B orthonormal times √(dim/rank), the gradient of A times √(rank/dim), the code's
                            regulariser */
};

/* How B is drawn. Under each of them E[B Bᵀ] is the unit matrix; columns without the factor √(dim/rank), as
 * the appendix of the paper may mean them, are the same as a learning rate times rank/dim. */
enum frs_projection_start {
    FRS_START_BY_VARIANT,  /* paper: normal; published_code: orthonormal */
    FRS_START_NORMAL,      /* entries N(0, 1/rank) */
    FRS_START_ORTHONORMAL, /* orthonormal columns times √(dim/rank) */
    FRS_START_SPHERE,      /* every column evenly from the unit sphere, times √(dim/rank) */
};

struct frs_projection {
    enum frs_projection_variant variant;
    enum frs_projection_start start; /* never FRS_START_BY_VARIANT */
    bool scales_gradient;            /* of A, by √(rank/dim) */
    size_t dim, rank;
    uint64_t seed; /* of the open round */
    float *matrix; /* its B [dim × rank] */
};

extern const char *const frs_projection_variant_names[], *const frs_projection_start_names[],
                                                             *const frs_projection_gradient_names[];

/* Entries of a learner's parameter table. */
#define FRS_PROJECTION_PARAMS(rank_default, rank_help, variant_help)                                         \
    {.key = "rank", .type = FRS_INT, .initial = rank_default, .min = 1, .max = 4096, .help = rank_help},     \
        {.key = "variant",                                                                                   \
            .type = FRS_CHOICE,                                                                              \
            .initial = "published_code",                                                                     \
            .choices = frs_projection_variant_names,                                                         \
            .help = variant_help},                                                                           \
        {.key = "projection",                                                                                \
            .type = FRS_CHOICE,                                                                              \
            .initial = "by_variant",                                                                         \
            .choices = frs_projection_start_names,                                                           \
            .help = "columns of B: normal (entries N(0, 1/r)), orthonormal or sphere (each evenly from the " \
                    "unit sphere) times sqrt(d/r); by_variant: normal for paper, orthonormal for "           \
                    "published_code, which knows no other"},                                                 \
    {                                                                                                        \
        .key = "gradient_scale", .type = FRS_CHOICE, .initial = "by_variant",                                \
        .choices = frs_projection_gradient_names,                                                            \
        .help = "factor of A's gradient: none, or root (sqrt(r/d)); by_variant: none for paper, root for "   \
                "published_code"                                                                             \
    }

/* Another entry: how much an upload counts. */
#define FRS_PROJECTION_AGGREGATION_PARAM                                                                     \
    {                                                                                                        \
        .key = "aggregation", .type = FRS_CHOICE, .initial = "by_variant",                                   \
        .choices = frs_projection_aggregation_names,                                                         \
        .help = "weight of an upload; by_variant: data_size for paper, per_item for published_code"          \
    }

extern const char *const frs_projection_aggregation_names[];

/* What FRS_PROJECTION_AGGREGATION_PARAM says. */
enum frs_weighting frs_projection_weighting(
    const struct frs_projection *projection, const struct frs_values *values);

/* Reads what FRS_PROJECTION_PARAMS describe and declares B; false after an error: a rank above dim, or
 * another start than published_code's under published_code, whose regulariser needs orthogonal columns. */
bool frs_projection_init(struct frs_projection *projection, struct frs_model *model,
    const struct frs_values *values, size_t dim, struct frs_errors *errors);

/* How changes of an item table under the projection are sent. */
struct frs_table frs_projected(struct frs_table items, const struct frs_projection *projection);

/* Configures a client's training: the gradient of A is scaled or not, and published_code regularises the
 * resulting rows, weight_decay · (‖q_i + B a_i‖² + ‖p‖²) in the mean over the batch; under paper A and p
 * themselves decay by weight_decay. */
void frs_projection_train_by(const struct frs_projection *projection, struct frs_bce_mf_settings *local);

/* Opens a round: the seed of its B, which is drawn here once instead of by every client of the round. */
uint64_t frs_projection_open(struct frs_projection *projection, uint64_t seed, uint32_t round);

/* B of a seed [dim × rank] row-major: that of the open round, or drawn into the arena. */
const float *frs_projection_of(
    const struct frs_projection *projection, uint64_t seed, struct frs_arena *arena);

/* table ← table + (B A)ᵀ on the rows of A [* × rank] that are present; table [n_items × dim]. */
void frs_projection_apply(const struct frs_projection *projection, uint64_t seed, const struct frs_rows *a,
    float *table, struct frs_arena *arena);

/* Operations of that for a table of this many rows: rank multiplications and as many additions for each
 * value, and adding the product. */
double frs_projection_apply_flop(const struct frs_projection *projection, size_t n_rows);

#endif
