#include "algorithms/codecs/quantised_row.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include "algorithms/codecs/bits.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <string.h>

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

/* The bits of magnitudes are in their order. */
FRS_CLONES static float scale_of(const float *row, size_t n) {
    uint32_t largest = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &row[i], sizeof bits);
        bits &= 0x7fffffffu;
        largest = bits > largest ? bits : largest;
    }
    float scale;
    memcpy(&scale, &largest, sizeof scale);
    return scale;
}

/* So many values at a time: whole bytes, whatever their bits. */
#define CHUNK 256u

/* The largest entry lies exactly at ± levels and needs no draw to stay there. Returns how many entries lie
 * between two integers; for these, `below` and the share of the way to the next integer are stored. */
FRS_CLONES static size_t round_down(
    const float *row, size_t n, float scale, double levels, double added, double *below, double *share) {
    uint32_t between = 0;
    for (size_t i = 0; i < n; i++) {
        double exact = scale > 0 ? (double)row[i] / (double)scale * levels : 0;
        below[i] = floor(exact + added);
        share[i] = exact - below[i];
        between += share[i] > 0;
    }
    return between;
}

/* Draws one number for each entry between two integers, and for no other one. The entry is rounded up if
 * the number is below its share. */
static void draw(struct frs_rng *rng, const double *share, size_t n, size_t between, double *drawn) {
    double draws[CHUNK + 1];
    frs_rng_units(rng, draws, between);
    draws[between] = 0;
    for (size_t i = 0, at = 0; i < n; i++) {
        drawn[i] = draws[at];
        at += share[i] > 0;
    }
}

FRS_CLONES static void to_integers(const double *below, const double *share, const double *drawn, size_t n,
    double levels, uint32_t *integers) {
    for (size_t i = 0; i < n; i++)
        integers[i] = (uint32_t)((int32_t)(levels + below[i]) + (drawn[i] < share[i] ? 1 : 0));
}

void frs_quantised_row_put(struct frs_buffer *out, const struct frs_quantisation *how, const float *row,
    size_t n, struct frs_rng *rng) {
    double levels = levels_of(how), below[CHUNK], share[CHUNK], drawn[CHUNK];
    uint32_t integers[CHUNK];
    float scale = scale_of(row, n);
    frs_buffer_put_floats(out, &scale, 1);
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t some = n - at < CHUNK ? n - at : CHUNK;
        size_t between = round_down(row + at, some, scale, levels, how->stochastic ? 0 : 0.5, below, share);
        if (how->stochastic)
            draw(rng, share, some, between, drawn);
        to_integers(below, share, how->stochastic ? drawn : share, some, levels, integers);
        frs_bits_put(out, integers, some, how->bits);
    }
}

/* Returns the largest magnitude among the integers. */
FRS_CLONES static int32_t from_integers(
    const uint32_t *integers, size_t n, int32_t levels, float scale, float *row) {
    int32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t integer = (int32_t)integers[i] - levels, magnitude = integer < 0 ? -integer : integer;
        largest = magnitude > largest ? magnitude : largest;
        row[i] = (float)((double)integer * (double)scale / (double)levels);
    }
    return largest;
}

/* The scale is the magnitude of the largest entry, so an entry is at ± levels, or all entries are 0. */
bool frs_quantised_row_take(struct frs_reader *in, const struct frs_quantisation *how, float *row, size_t n) {
    int32_t levels = (int32_t)levels_of(how), largest = 0;
    uint32_t integers[CHUNK];
    float scale;
    frs_reader_floats(in, &scale, 1);
    if (!isfinite(scale) || signbit(scale))
        return false;
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t some = n - at < CHUNK ? n - at : CHUNK;
        if (!frs_bits_take(in, integers, some, how->bits))
            return false;
        int32_t found = from_integers(integers, some, levels, scale, row + at);
        largest = found > largest ? found : largest;
    }
    return !in->failed && largest == (scale > 0 ? levels : 0);
}
