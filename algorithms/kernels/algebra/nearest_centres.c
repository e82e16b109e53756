#include "algorithms/kernels/algebra/nearest_centres.h"
#include "algorithms/kernels/lanes.h"

#include <math.h>
#include <string.h>

enum {
    ASIDE = 2,  /* registers of rows */
    CENTRES = 4 /* that each of these is multiplied with at a time: 8 sums, which is how long one takes */
};

/* A library's product of matrices would copy the rows in every iteration. */
FRS_KERNEL(float *, frs_rows_aside, (const float *rows, size_t n, size_t dim, struct frs_arena *arena)) {
    size_t n_blocks = (n + FRS_ROWS_ASIDE - 1) / FRS_ROWS_ASIDE;
    float *aside = frs_arena_take(arena, n_blocks * dim * FRS_ROWS_ASIDE + FRS_LANES, sizeof *aside);
    aside += (FRS_LANES - ((uintptr_t)aside / sizeof *aside) % FRS_LANES) % FRS_LANES;
    for (size_t block = 0; block < n_blocks; block++) {
        float *out = aside + block * dim * FRS_ROWS_ASIDE;
        for (size_t j = 0; j < FRS_ROWS_ASIDE; j++) {
            size_t i = block * FRS_ROWS_ASIDE + j;
            for (size_t d = 0; d < dim; d++)
                out[d * FRS_ROWS_ASIDE + j] = i < n ? rows[i * dim + d] : 0;
        }
    }
    return aside;
}

struct best {
    frs_lanes distance[ASIDE];
    frs_lanes_bits centre[ASIDE];
};

FRS_INLINE frs_lanes_bits either(frs_lanes_bits where, frs_lanes_bits a, frs_lanes_bits b) {
    return (where & a) | (~where & b);
}

/* `count` is a constant. */
FRS_INLINE void compare_with(struct best *best, const float *rows, size_t dim, const float *centres,
    const float *norms, uint32_t first, const size_t count) {
    frs_lanes products[CENTRES][ASIDE] = {{{0}}};
    for (size_t d = 0; d < dim; d++) {
        frs_lanes x[ASIDE];
        for (size_t r = 0; r < ASIDE; r++)
            x[r] = *frs_lanes_of(rows + d * FRS_ROWS_ASIDE + r * FRS_WIDTH);
        for (size_t c = 0; c < count; c++)
            for (size_t r = 0; r < ASIDE; r++)
                products[c][r] += x[r] * centres[c * dim + d];
    }
    for (size_t c = 0; c < count; c++)
        for (size_t r = 0; r < ASIDE; r++) {
            frs_lanes value = norms[c] - 2 * products[c][r];
            frs_lanes_bits nearer = value < best->distance[r],
                           one = (frs_lanes_bits){0} + (int32_t)(first + c);
            best->distance[r] =
                (frs_lanes)either(nearer, (frs_lanes_bits)value, (frs_lanes_bits)best->distance[r]);
            best->centre[r] = either(nearer, one, best->centre[r]);
        }
}

FRS_KERNEL(void, frs_nearest_centres,
    (const float *aside, size_t n, size_t dim, const float *centres, const float *norms, size_t k,
        uint32_t *nearest, float *distance)) {
    for (size_t first = 0; first < n; first += ASIDE * FRS_WIDTH) {
        const float *rows = aside + first / FRS_ROWS_ASIDE * FRS_ROWS_ASIDE * dim + first % FRS_ROWS_ASIDE;
        struct best best = {.centre = {{0}}};
        for (size_t r = 0; r < ASIDE; r++)
            best.distance[r] = (frs_lanes){0} + INFINITY;
        size_t g = 0;
        for (; g + CENTRES <= k; g += CENTRES)
            compare_with(&best, rows, dim, centres + g * dim, norms + g, (uint32_t)g, CENTRES);
        for (; g < k; g++)
            compare_with(&best, rows, dim, centres + g * dim, norms + g, (uint32_t)g, 1);
        memcpy(nearest + first, best.centre, sizeof best.centre);
        memcpy(distance + first, best.distance, sizeof best.distance);
    }
}

FRS_KERNEL(
    void, frs_add_members, (const float *rows, size_t n, size_t dim, const uint32_t *group, double *sums)) {
    for (size_t i = 0; i < n; i++) {
        double *restrict sum = sums + group[i] * dim;
        for (size_t d = 0; d < dim; d++)
            sum[d] += (double)rows[i * dim + d];
    }
}
