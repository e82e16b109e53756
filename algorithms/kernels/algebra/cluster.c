#include "algorithms/kernels/algebra/cluster.h"
#include "algorithms/kernels/algebra/nearest_centres.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 10u

float *frs_group_centres(const float *rows, size_t n, size_t dim, const uint32_t *group, size_t n_groups,
    struct frs_arena *arena) {
    double *sums = frs_arena_take_zeroed(arena, n_groups * dim, sizeof *sums);
    size_t *sizes = frs_arena_take_zeroed(arena, n_groups, sizeof *sizes);
    float *centres = frs_arena_take(arena, n_groups * dim, sizeof *centres);
    for (size_t i = 0; i < n; i++)
        sizes[group[i]]++;
    frs_add_members(rows, n, dim, group, sums);
    for (size_t g = 0; g < n_groups; g++)
        for (size_t d = 0; d < dim; d++)
            centres[g * dim + d] = sizes[g] ? (float)(sums[g * dim + d] / (double)sizes[g]) : 0;
    return centres;
}

double frs_group_error(const float *rows, size_t n, size_t dim, const struct frs_groups *groups) {
    double error = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < dim; d++) {
            double gap = (double)rows[i * dim + d] - (double)groups->centres[groups->group[i] * dim + d];
            error += gap * gap;
        }
    return error;
}

static float squared_norm(const float *row, size_t dim) {
    float sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += row[d] * row[d];
    return sum;
}

struct lloyd {
    const float *rows;
    const float *aside; /* the same, in blocks */
    size_t n, dim, k;
    uint32_t *group;   /* [n] */
    uint32_t *nearest; /* [n] and room for a block; the groups of this iteration */
    float *distance;   /* [n] and room for a block; squared, to the own centre, less ‖row‖² */
    float *centres;    /* [k × dim] */
    float *norms;      /* [k] */
    size_t *sizes;     /* [k] */
    double *sums;      /* [k × dim] */
    double flop;
};

/* Every row joins its nearest centre, ‖c‖² − 2 x·c being least; returns how many moved. */
static size_t assign(struct lloyd *l) {
    size_t moved = 0;
    for (size_t g = 0; g < l->k; g++)
        l->norms[g] = squared_norm(l->centres + g * l->dim, l->dim);
    frs_nearest_centres(l->aside, l->n, l->dim, l->centres, l->norms, l->k, l->nearest, l->distance);
    for (size_t i = 0; i < l->n; i++) {
        moved += l->nearest[i] != l->group[i];
        l->group[i] = l->nearest[i];
    }
    l->flop += (double)l->k * (double)(2 * l->dim) + (double)(l->n * l->k) * (double)(2 * l->dim + 1);
    return moved;
}

/* An empty group takes the row farthest from its centre that is not alone; false when there is none. */
static bool fill_empty(struct lloyd *l, uint32_t empty) {
    size_t farthest = l->n;
    float most = 0;
    for (size_t i = 0; i < l->n; i++) {
        float distance = l->distance[i] + squared_norm(l->rows + i * l->dim, l->dim);
        if (l->sizes[l->group[i]] > 1 && distance > most) {
            farthest = i;
            most = distance;
        }
    }
    l->flop += (double)(l->n * 2 * l->dim);
    if (farthest == l->n)
        return false;
    l->sizes[l->group[farthest]]--;
    l->sizes[empty] = 1;
    l->group[farthest] = empty;
    l->distance[farthest] = -squared_norm(l->rows + farthest * l->dim, l->dim);
    return true;
}

static void move_centres(struct lloyd *l) {
    memset(l->sizes, 0, l->k * sizeof *l->sizes);
    memset(l->sums, 0, l->k * l->dim * sizeof *l->sums);
    for (size_t i = 0; i < l->n; i++)
        l->sizes[l->group[i]]++;
    for (size_t g = 0; g < l->k; g++)
        if (l->sizes[g] == 0 && !fill_empty(l, (uint32_t)g))
            break;
    frs_add_members(l->rows, l->n, l->dim, l->group, l->sums);
    for (size_t g = 0; g < l->k; g++)
        for (size_t d = 0; l->sizes[g] && d < l->dim; d++)
            l->centres[g * l->dim + d] = (float)(l->sums[g * l->dim + d] / (double)l->sizes[g]);
    l->flop += (double)((l->n + l->k) * l->dim);
}

/* Numbers the groups that have members from 0. */
static size_t close_gaps(uint32_t *group, size_t n, size_t k, struct frs_arena *arena) {
    uint32_t *renumbered = frs_arena_take_zeroed(arena, k, sizeof *renumbered);
    uint32_t used = 0;
    for (size_t i = 0; i < n; i++)
        renumbered[group[i]] = 1;
    for (size_t g = 0; g < k; g++)
        if (renumbered[g])
            renumbered[g] = used++;
    for (size_t i = 0; i < n; i++)
        group[i] = renumbered[group[i]];
    return used;
}

/* `flop`: of what led to these groups. */
static struct frs_groups finish(const float *rows, size_t n, size_t dim, size_t k, uint32_t *group,
    double flop, struct frs_arena *arena) {
    size_t n_groups = close_gaps(group, n, k, arena);
    return (struct frs_groups){.n_groups = n_groups,
        .group = group,
        .centres = frs_group_centres(rows, n, dim, group, n_groups, arena),
        .flop = flop + (double)((n + n_groups) * dim)};
}

static struct frs_groups each_by_itself(const float *rows, size_t n, size_t dim, struct frs_arena *arena) {
    uint32_t *group = frs_arena_take(arena, n, sizeof *group);
    for (size_t i = 0; i < n; i++)
        group[i] = (uint32_t)i;
    return finish(rows, n, dim, n, group, 0, arena);
}

struct frs_groups frs_kmeans(
    const float *rows, size_t n, size_t dim, size_t k, struct frs_rng *rng, struct frs_arena *arena) {
    if (n <= k)
        return each_by_itself(rows, n, dim, arena);
    struct lloyd l = {.rows = rows,
        .aside = frs_rows_aside(rows, n, dim, arena),
        .n = n,
        .dim = dim,
        .k = k,
        .group = frs_arena_take(arena, n, sizeof *l.group),
        .nearest = frs_arena_take(arena, n + FRS_ROWS_ASIDE, sizeof *l.nearest),
        .distance = frs_arena_take(arena, n + FRS_ROWS_ASIDE, sizeof *l.distance),
        .centres = frs_arena_take(arena, k * dim, sizeof *l.centres),
        .norms = frs_arena_take(arena, k, sizeof *l.norms),
        .sizes = frs_arena_take(arena, k, sizeof *l.sizes),
        .sums = frs_arena_take(arena, k * dim, sizeof *l.sums)};
    uint32_t *start = frs_arena_take(arena, k, sizeof *start);
    frs_rng_sample(rng, (uint32_t)n, (uint32_t)k, start);
    for (size_t g = 0; g < k; g++)
        memcpy(l.centres + g * dim, rows + start[g] * dim, dim * sizeof *rows);
    memset(l.group, 0xff, n * sizeof *l.group);
    for (unsigned i = 0; i < MAX_ITERATIONS && assign(&l) > 0; i++)
        move_centres(&l);
    return finish(rows, n, dim, k, l.group, l.flop, arena);
}

/* How many of k groups each of the coarse groups gets: at least one, at most as many as it has rows, and
 * otherwise in proportion to the summed distance of its rows from its centre. */
static size_t *share_out(const float *rows, size_t n, size_t dim, size_t k, const struct frs_groups *coarse,
    struct frs_arena *arena) {
    size_t c = coarse->n_groups, left = k;
    size_t *share = frs_arena_take(arena, c, sizeof *share);
    size_t *sizes = frs_arena_take_zeroed(arena, c, sizeof *sizes);
    double *spread = frs_arena_take_zeroed(arena, c, sizeof *spread), total = 0;
    for (size_t i = 0; i < n; i++) {
        const float *centre = coarse->centres + coarse->group[i] * dim;
        double squared = 0;
        for (size_t d = 0; d < dim; d++)
            squared += (double)(rows[i * dim + d] - centre[d]) * (double)(rows[i * dim + d] - centre[d]);
        sizes[coarse->group[i]]++;
        spread[coarse->group[i]] += sqrt(squared);
    }
    for (size_t g = 0; g < c; g++)
        total += spread[g];
    for (size_t g = 0; g < c; g++) {
        double fair = total > 0 ? spread[g] / total * (double)(k - c) : 0;
        share[g] = 1 + (size_t)fair < sizes[g] ? 1 + (size_t)fair : sizes[g];
        left -= share[g];
    }
    for (bool gave = true; left > 0 && gave;) {
        gave = false;
        for (size_t g = 0; g < c && left > 0; g++)
            if (share[g] < sizes[g]) {
                share[g]++;
                left--;
                gave = true;
            }
    }
    return share;
}

struct frs_groups frs_kmeans_two_level(
    const float *rows, size_t n, size_t dim, size_t k, struct frs_rng *rng, struct frs_arena *arena) {
    size_t n_coarse = (size_t)sqrt((double)k);
    if (n <= k || n_coarse < 4)
        return frs_kmeans(rows, n, dim, k, rng, arena);
    struct frs_groups coarse = frs_kmeans(rows, n, dim, n_coarse, rng, arena);
    size_t *share = share_out(rows, n, dim, k, &coarse, arena);
    uint32_t *group = frs_arena_take(arena, n, sizeof *group), *members;
    float *own = frs_arena_take(arena, n * dim, sizeof *own);
    size_t used = 0;
    double flop = coarse.flop + (double)(3 * n * dim); /* distances from the coarse centres */
    members = frs_arena_take(arena, n, sizeof *members);
    for (size_t g = 0; g < coarse.n_groups; g++) {
        size_t size = 0;
        for (size_t i = 0; i < n; i++)
            if (coarse.group[i] == g) {
                memcpy(own + size * dim, rows + i * dim, dim * sizeof *own);
                members[size++] = (uint32_t)i;
            }
        struct frs_groups fine = frs_kmeans(own, size, dim, share[g], rng, arena);
        for (size_t i = 0; i < size; i++)
            group[members[i]] = (uint32_t)(used + fine.group[i]);
        used += fine.n_groups;
        flop += fine.flop;
    }
    return finish(rows, n, dim, used, group, flop, arena);
}
