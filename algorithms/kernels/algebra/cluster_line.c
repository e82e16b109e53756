/* k-means on a line (cluster.h, frs_kmeans_projected). */
#include "algorithms/kernels/algebra/cluster.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 10u
#define POWER_STEPS 2u

struct point {
    float at;
    uint32_t row;
};

/* Bits that order like the places, unsigned; −0 and 0 are one place. */
static uint32_t ordered_bits(float at) {
    uint32_t bits;
    at += 0.0f;
    memcpy(&bits, &at, sizeof bits);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

/* Sorts points by place; equal ones keep the order of their rows. Radix sort, a byte at a time: about four
 * times faster than comparing where n is some hundreds. */
static void sort_points(struct point *points, struct point *scratch, size_t n) {
    uint32_t starts[sizeof(float)][256] = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t byte = 0; byte < sizeof(float); byte++)
            starts[byte][ordered_bits(points[i].at) >> 8 * byte & 0xff]++;
    for (size_t byte = 0; byte < sizeof(float); byte++) {
        for (uint32_t digit = 0, start = 0; digit < 256; digit++) {
            uint32_t count = starts[byte][digit];
            starts[byte][digit] = start;
            start += count;
        }
        for (size_t i = 0; i < n; i++)
            scratch[starts[byte][ordered_bits(points[i].at) >> 8 * byte & 0xff]++] = points[i];
        struct point *sorted = scratch;
        scratch = points;
        points = sorted;
    }
}

/* Chains of additions side by side: one alone waits for each of its sums. */
#define ABREAST 8u

FRS_CLONES static void project(
    const float *rows, size_t n, size_t dim, const double *direction, float *along) {
    size_t i = 0;
    for (; i + ABREAST <= n; i += ABREAST) {
        double sums[ABREAST] = {0};
        for (size_t d = 0; d < dim; d++)
            for (size_t r = 0; r < ABREAST; r++)
                sums[r] += (double)rows[(i + r) * dim + d] * direction[d];
        for (size_t r = 0; r < ABREAST; r++)
            along[i + r] = (float)sums[r];
    }
    for (; i < n; i++) {
        double sum = 0;
        for (size_t d = 0; d < dim; d++)
            sum += (double)rows[i * dim + d] * direction[d];
        along[i] = (float)sum;
    }
}

static void normalise(double *v, size_t dim) {
    double squared = 0;
    for (size_t d = 0; d < dim; d++)
        squared += v[d] * v[d];
    for (size_t d = 0; squared > 0 && d < dim; d++)
        v[d] /= sqrt(squared);
}

/* v ← XᵀX v from the longest row, twice. */
FRS_CLONES static void leading_direction(
    const float *rows, size_t n, size_t dim, double *direction, float *along) {
    size_t longest = 0;
    double most = -1;
    for (size_t i = 0; i < n; i++) {
        double squared = 0;
        for (size_t d = 0; d < dim; d++)
            squared += (double)rows[i * dim + d] * (double)rows[i * dim + d];
        if (squared > most) {
            most = squared;
            longest = i;
        }
    }
    for (size_t d = 0; d < dim; d++)
        direction[d] = (double)rows[longest * dim + d];
    normalise(direction, dim);
    for (unsigned step = 0; step < POWER_STEPS; step++) {
        project(rows, n, dim, direction, along);
        memset(direction, 0, dim * sizeof *direction);
        for (size_t i = 0; i < n; i++)
            for (size_t d = 0; d < dim; d++)
                direction[d] += (double)along[i] * (double)rows[i * dim + d];
        normalise(direction, dim);
    }
    project(rows, n, dim, direction, along);
}

/* Groups are stretches of the line: ends[g] is where group g stops, and sums[i] is the sum of the first i
 * places. Every cut moves to the middle between the means on its two sides; groups that become empty
 * vanish. Returns whether a cut moved. */
static bool move_cuts(
    const struct point *points, const double *sums, double *means, size_t *ends, size_t *n_groups) {
    size_t n = ends[*n_groups - 1], at = 0, kept = 0;
    bool moved = false;
    for (size_t g = 0, first = 0; g < *n_groups; first = ends[g++])
        means[g] = (sums[ends[g]] - sums[first]) / (double)(ends[g] - first);
    for (size_t g = 0; g + 1 < *n_groups; g++) {
        double middle = (means[g] + means[g + 1]) / 2;
        while (at < n && (double)points[at].at <= middle)
            at++;
        moved |= ends[g] != at;
        if (at > (kept ? ends[kept - 1] : 0))
            ends[kept++] = at;
    }
    if (n > (kept ? ends[kept - 1] : 0))
        ends[kept++] = n;
    *n_groups = kept;
    return moved;
}

/* Places the first cuts with the density of an optimal quantiser's cells: the third root of the points'
 * own density (Panter and Dite 1951), which gives neighbours at a distance δ the weight δ^⅔. Every group
 * gets at least one point. `weights` is scratch for n. */
static void first_cuts(const struct point *points, size_t n, size_t k, double *weights, size_t *ends) {
    size_t at = 0;
    weights[0] = 0;
    for (size_t i = 1; i < n; i++) {
        double root = cbrt((double)points[i].at - (double)points[i - 1].at);
        weights[i] = weights[i - 1] + root * root;
    }
    for (size_t g = 1; g < k; g++) {
        double until = weights[n - 1] * (double)g / (double)k;
        while (at < n && weights[at] < until)
            at++;
        size_t least = (g > 1 ? ends[g - 2] : 0) + 1, most = n - (k - g);
        ends[g - 1] = at < least ? least : at > most ? most : at;
    }
    ends[k - 1] = n;
}

struct frs_groups frs_kmeans_projected(
    const float *rows, size_t n, size_t dim, size_t k, struct frs_arena *arena) {
    if (n == 0 || n <= k)
        return frs_kmeans(rows, n, dim, k, NULL, arena); /* each row by itself, nothing is drawn */
    float *along = frs_arena_take(arena, n, sizeof *along);
    double *direction = frs_arena_take(arena, dim, sizeof *direction);
    struct point *points = frs_arena_take(arena, n, sizeof *points);
    struct point *scratch = frs_arena_take(arena, n, sizeof *scratch);
    double *sums = frs_arena_take(arena, n + 1, sizeof *sums);
    double *means = frs_arena_take(arena, n, sizeof *means);
    size_t *ends = frs_arena_take(arena, k, sizeof *ends), n_groups = k;
    leading_direction(rows, n, dim, direction, along);
    for (size_t i = 0; i < n; i++)
        points[i] = (struct point){along[i], (uint32_t)i};
    sort_points(points, scratch, n);
    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + (double)points[i].at;
    first_cuts(points, n, k, means, ends);
    unsigned moves = 1;
    while (move_cuts(points, sums, means, ends, &n_groups) && moves < MAX_ITERATIONS)
        moves++;
    uint32_t *group = frs_arena_take(arena, n, sizeof *group);
    for (size_t g = 0, i = 0; g < n_groups; g++)
        for (; i < ends[g]; i++)
            group[points[i].row] = (uint32_t)g;
    /* Lengths, power steps and projections; sorting; sums and first cuts; moves of the cuts; means. */
    double wide = (double)(n * dim) * (2 + 4 * POWER_STEPS + 2), sorted = (double)n * log2((double)n);
    double along_line = (double)(6 * n) + moves * (double)(n + 4 * k);
    return (struct frs_groups){.n_groups = n_groups,
        .group = group,
        .centres = frs_group_centres(rows, n, dim, group, n_groups, arena),
        .flop = wide + sorted + along_line + (double)((n + n_groups) * dim)};
}
