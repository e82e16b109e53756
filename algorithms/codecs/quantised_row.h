/* A row of floats is stored as a scale, which is the largest magnitude in the row, and integers of few bits:
 *
 *   scale f32 · n integers i with −levels ≤ i ≤ levels, each stored as levels + i in `bits` bits
 *
 * where levels = 2^(bits−1) − 1. Under stochastic rounding an entry is right on average
 * (Alistarh et al. 2017). */
#ifndef FRS_ALGORITHMS_QUANTISED_ROW_H
#define FRS_ALGORITHMS_QUANTISED_ROW_H

#include "sim/base/buffer.h"

#include <stdbool.h>

struct frs_rng;
struct frs_values;

struct frs_quantisation {
    unsigned bits; /* 8 or 4 */
    bool stochastic;
};

/* The keys a codec that quantises has. */
#define FRS_QUANTISATION_PARAMS                                                                              \
    {.key = "bits",                                                                                          \
        .type = FRS_CHOICE,                                                                                  \
        .initial = "8",                                                                                      \
        .choices = frs_bits_names,                                                                           \
        .help = "bits of an entry"},                                                                         \
    {                                                                                                        \
        .key = "rounding", .type = FRS_CHOICE, .initial = "stochastic", .choices = frs_rounding_names,       \
        .help = "stochastic: up or down at random, right on average; nearest"                                \
    }

extern const char *const frs_bits_names[], *const frs_rounding_names[];

struct frs_quantisation frs_quantisation_of(const struct frs_values *values);

/* Bytes of a row of n values: 4 + ⌈n·bits/8⌉. */
size_t frs_quantised_row_bytes(const struct frs_quantisation *how, size_t n);

/* Operations for n values: five each, and two for a draw. */
double frs_quantised_flop(const struct frs_quantisation *how, size_t n);

/* row [n], finite. */
void frs_quantised_row_put(struct frs_buffer *out, const struct frs_quantisation *how, const float *row,
    size_t n, struct frs_rng *rng);

/* False when the message is too short or not what `put` writes. */
bool frs_quantised_row_take(struct frs_reader *in, const struct frs_quantisation *how, float *row, size_t n);

#endif
