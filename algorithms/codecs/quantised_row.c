#include "algorithms/codecs/quantised_row.h"

#include "algorithms/codecs/bits.h"

#include <math.h>

enum bits { BITS_8, BITS_4 };
const char *const frs_bits_names[] = {[BITS_8] = "8", [BITS_4] = "4", NULL};

enum rounding { ROUNDING_STOCHASTIC, ROUNDING_NEAREST };
const char *const frs_rounding_names[] = {
    [ROUNDING_STOCHASTIC] = "stochastic", [ROUNDING_NEAREST] = "nearest", NULL};

struct frs_quantisation frs_quantisation_of(const struct frs_values *values) {
    return (struct frs_quantisation){.bits = frs_values_choice(values, "bits") == BITS_8 ? 8 : 4,
        .stochastic = frs_values_choice(values, "rounding") == ROUNDING_STOCHASTIC};
}

size_t frs_quantised_row_bytes(const struct frs_quantisation *how, size_t n) {
    return 4 + (n * how->bits + 7) / 8;
}

double frs_quantised_flop(const struct frs_quantisation *how, size_t n) {
    return (how->stochastic ? 7.0 : 5.0) * (double)n;
}

static double levels_of(const struct frs_quantisation *how) {
    return (1u << (how->bits - 1)) - 1;
}

static float scale_of(const float *row, size_t n) {
    float scale = 0;
    for (size_t i = 0; i < n; i++)
        scale = fabsf(row[i]) > scale ? fabsf(row[i]) : scale;
    return scale;
}

/* The largest entry stands exactly at ± levels and needs no draw to stay there. */
void frs_quantised_row_put(struct frs_buffer *out, const struct frs_quantisation *how, const float *row,
    size_t n, struct frs_rng *rng, uint32_t *integers) {
    double levels = levels_of(how);
    float scale = scale_of(row, n);
    for (size_t i = 0; i < n; i++) {
        double exact = scale > 0 ? (double)row[i] / (double)scale * levels : 0;
        double rounded = floor(exact + (how->stochastic ? 0 : 0.5));
        if (how->stochastic && exact > rounded)
            rounded += frs_rng_unit(rng) < exact - rounded;
        integers[i] = (uint32_t)(levels + rounded);
    }
    frs_buffer_put_floats(out, &scale, 1);
    frs_bits_put(out, integers, n, how->bits);
}

/* A scale says how large the largest entry is: one of them stands at ± levels, or all are 0. */
bool frs_quantised_row_take(
    struct frs_reader *in, const struct frs_quantisation *how, float *row, size_t n, uint32_t *integers) {
    double levels = levels_of(how), largest = 0;
    float scale;
    frs_reader_floats(in, &scale, 1);
    if (!frs_bits_take(in, integers, n, how->bits) || !isfinite(scale) || scale < 0 || signbit(scale))
        return false;
    for (size_t i = 0; i < n; i++) {
        double integer = (double)integers[i] - levels;
        largest = fmax(largest, fabs(integer));
        row[i] = (float)(integer * (double)scale / levels);
    }
    return largest == (scale > 0 ? levels : 0);
}
