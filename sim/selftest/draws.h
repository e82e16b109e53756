/* Random numbers and rows for checks. */
#ifndef FRS_SELFTEST_DRAWS_H
#define FRS_SELFTEST_DRAWS_H

#include "algorithms/codec.h"
#include "sim/base/numbers/rng.h"

/* A stream of its own for each number. */
struct frs_rng frs_check_rng(uint32_t stream);

/* k distinct values of 0 … n−1, ascending; freed by the caller. */
uint32_t *frs_random_subset(struct frs_rng *rng, uint32_t n, uint32_t k);

/* A table's rows and its base. All memory is on the heap and of exact size, so that a sanitizer sees every
 * wrong access. */
struct frs_random_rows {
    struct frs_rows rows;
    uint32_t *ids;
    float *values, *base; /* base NULL: an update */
};

/* Returns n rows of a table n_rows × dim, every fourth of them as in the base; n SIZE_MAX: the whole
 * table, without ids. `special`: every eighth value is 0, −0, not a number, infinite, subnormal or 1. */
struct frs_random_rows frs_random_rows(
    struct frs_rng *rng, size_t n_rows, size_t dim, size_t n, bool has_base, bool special);

/* Any shape up to 200 × 70. */
struct frs_random_rows frs_random_rows_of_any_shape(struct frs_rng *rng, bool special);

void frs_random_rows_fini(struct frs_random_rows *random);

/* Returns the base (zeros where it is NULL) with the rows put in, [n_rows × dim]; freed by the caller. */
float *frs_rows_applied(const struct frs_rows *rows, const float *base);

/* Encodes with a stream of its own and without a budget. Appends to the buffer and returns the nominal
 * bytes. `flop` and `values` as in struct frs_encoding; may be NULL. */
size_t frs_encode_rows(struct frs_codec_choice codec, const struct frs_rows *rows, const float *base,
    double *flop, size_t *values, struct frs_buffer *out);

#endif
