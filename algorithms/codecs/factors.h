/* Factors: the common part of the low-rank codecs. A message is the best approximation ΔQ ≈ U V of the
 * changes (Eckart and Young):
 *
 *   row set · r u32 · U and V, each codec in its own form        with r = min(rank, n, dim)
 *
 * Only rows that changed are in U. */
#ifndef FRS_ALGORITHMS_FACTORS_H
#define FRS_ALGORITHMS_FACTORS_H

#include "algorithms/codec.h"

/* Key `rank`, from 1; the table's columns are its upper end, too. */
#define FRS_RANK_PARAM                                                                                       \
    { .key = "rank", .type = FRS_INT, .initial = "4", .min = 1, .max = 4096, .help = "rank r" }

/* Row-major; memory from the arena. */
struct frs_factors {
    size_t n_rows, n, dim, rank; /* of the table; that changed */
    const uint32_t *ids;         /* [n] ascending */
    float *u, *v;                /* [n × rank], [rank × dim] */
};

struct frs_budgets frs_factors_budgets(uint32_t rank, const struct frs_part *shape);

/* Bytes before U and V, as if every row had changed. */
size_t frs_factors_predicted_head_bytes(const struct frs_part *shape);

/* Returns the nominal values: the papers count the values of one factor for all rows (CoLR's table 2
 * leaves V out, 1.7 % there). */
size_t frs_factors_nominal_values(const struct frs_rows *rows, uint32_t rank);

/* Fits the factors and appends what comes before them. */
struct frs_factors frs_factors_put_head(
    const struct frs_rows *rows, uint32_t rank, const struct frs_encoding *how, struct frs_buffer *out);

/* Reads the part before U and V; the codec reads their values. False on a malformed message. */
bool frs_factors_take_head(
    struct frs_reader *in, size_t n_rows, size_t dim, struct frs_arena *arena, struct frs_factors *factors);

/* base + U V, summed over the ranks in ascending order. */
struct frs_rows frs_factors_rows(
    const struct frs_factors *factors, const float *base, struct frs_arena *arena);

#endif
