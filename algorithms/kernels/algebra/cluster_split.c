/* Cluster-and-split (cluster.h, frs_split_groups).
 *
 * Zero rows count as similarity 1 to any centre, are never a least similar partner, and stay on the left.
 * Groups of one row, and groups that do not separate, are closed: they are never split again. Ties go to the
 * left part, which keeps the group's number. */
#include "algorithms/kernels/algebra/cluster.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <string.h>

/* Up to here the least similar pair is found exactly, above by sweeping. */
#define EXACT_PAIR_MEMBERS 512u
#define MAX_SWEEPS 4u

struct member_group {
    size_t first, n; /* stretch of `members` */
    double similarity;
};

struct split {
    const float *rows;
    size_t n, dim, n_groups;
    float *unit;       /* [n × dim] rows divided by their length; zero rows stay zero */
    bool *is_zero;     /* [n] */
    uint32_t *members; /* [n] rows in the order of their groups */
    struct member_group *groups;
    uint32_t *heap; /* open groups, least similar first */
    size_t n_heap;
    double lowest_closed;
    float *packed;     /* [n × dim] scratch */
    float *similarity; /* [n] scratch */
    uint32_t *right;   /* [n] scratch */
    double *mean;      /* [dim] scratch */
    double flop;
};

FRS_CLONES static float dot(const float *a, const float *b, size_t dim) {
    float lanes[16] = {0}, sum = 0;
    size_t d = 0;
    for (; d + 16 <= dim; d += 16)
        for (size_t l = 0; l < 16; l++)
            lanes[l] += a[d + l] * b[d + l];
    for (size_t l = 0; l < 16; l++)
        sum += lanes[l];
    for (; d < dim; d++)
        sum += a[d] * b[d];
    return sum;
}

static void unit_rows(struct split *s) {
    for (size_t i = 0; i < s->n; i++) {
        double squared = 0;
        for (size_t d = 0; d < s->dim; d++)
            squared += (double)s->rows[i * s->dim + d] * (double)s->rows[i * s->dim + d];
        double length = sqrt(squared);
        s->is_zero[i] = !(length > 0);
        for (size_t d = 0; d < s->dim; d++)
            s->unit[i * s->dim + d] = s->is_zero[i] ? 0 : (float)((double)s->rows[i * s->dim + d] / length);
    }
    s->flop += (double)(3 * s->n * s->dim);
}

/* Average cosine between the members and their mean. */
static double average_similarity(struct split *s, const struct member_group *group) {
    const uint32_t *members = s->members + group->first;
    double length = 0, sum = 0;
    memset(s->mean, 0, s->dim * sizeof *s->mean);
    for (size_t i = 0; i < group->n; i++)
        for (size_t d = 0; d < s->dim; d++)
            s->mean[d] += (double)s->rows[members[i] * s->dim + d];
    for (size_t d = 0; d < s->dim; d++)
        length += s->mean[d] * s->mean[d];
    length = sqrt(length);
    for (size_t i = 0; i < group->n; i++) {
        double cosine = 0;
        for (size_t d = 0; d < s->dim; d++)
            cosine += (double)s->unit[members[i] * s->dim + d] * s->mean[d];
        sum += s->is_zero[members[i]] ? 1 : length > 0 ? cosine / length : 0;
    }
    s->flop += (double)(group->n * 3 * s->dim);
    return sum / (double)group->n;
}

/* --- which group is next --- */

static bool is_before(const struct split *s, uint32_t a, uint32_t b) {
    double x = s->groups[a].similarity, y = s->groups[b].similarity;
    return x < y || (x == y && a < b);
}

static void push(struct split *s, uint32_t group) {
    size_t at = s->n_heap++;
    for (; at > 0 && is_before(s, group, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = group;
}

static uint32_t pop(struct split *s) {
    uint32_t top = s->heap[0], last = s->heap[--s->n_heap];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->n_heap; at = child) {
        child += child + 1 < s->n_heap && is_before(s, s->heap[child + 1], s->heap[child]);
        if (!is_before(s, s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = last;
    return top;
}

static void close_group(struct split *s, uint32_t group) {
    s->lowest_closed = fmin(s->lowest_closed, s->groups[group].similarity);
}

static void enter(struct split *s, uint32_t group) {
    struct member_group *g = &s->groups[group];
    g->similarity = average_similarity(s, g);
    if (g->n > 1)
        push(s, group);
    else
        close_group(s, group);
}

static double lowest_similarity(const struct split *s) {
    double open = s->n_heap ? s->groups[s->heap[0]].similarity : INFINITY;
    return fmin(open, s->lowest_closed);
}

/* --- splitting one --- */

/* The member least similar to a vector: its place among the packed ones. */
static size_t least_similar(struct split *s, size_t n, const float *vector, float *similarity) {
    size_t least = 0;
    s->flop += (double)(n * 2 * s->dim);
    *similarity = INFINITY;
    for (size_t i = 0; i < n; i++) {
        float cosine = dot(s->packed + i * s->dim, vector, s->dim);
        if (cosine < *similarity) {
            *similarity = cosine;
            least = i;
        }
    }
    return least;
}

static void exact_pair(struct split *s, size_t n, size_t *a, size_t *b) {
    float least = INFINITY;
    s->flop += n > 1 ? (double)(n * (n - 1) * s->dim) : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            float cosine = dot(s->packed + i * s->dim, s->packed + j * s->dim, s->dim);
            if (cosine < least) {
                least = cosine;
                *a = i;
                *b = j;
            }
        }
}

/* From the member least similar to the sum of all to its least similar one, and so on while that gains. */
static void swept_pair(struct split *s, size_t n, size_t *a, size_t *b) {
    float least, next;
    float *sum = s->similarity; /* scratch of at least dim: n > EXACT_PAIR_MEMBERS */
    memset(s->mean, 0, s->dim * sizeof *s->mean);
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < s->dim; d++)
            s->mean[d] += (double)s->packed[i * s->dim + d];
    for (size_t d = 0; d < s->dim; d++)
        sum[d] = (float)s->mean[d];
    s->flop += (double)(n * s->dim);
    *a = least_similar(s, n, sum, &least);
    *b = least_similar(s, n, s->packed + *a * s->dim, &least);
    for (unsigned sweep = 1; sweep < MAX_SWEEPS; sweep++) {
        size_t other = least_similar(s, n, s->packed + *b * s->dim, &next);
        if (!(next < least))
            return;
        *a = *b;
        *b = other;
        least = next;
    }
}

/* Members that are more similar to the second seed go right; returns how many. */
static size_t divide(struct split *s, const struct member_group *group, size_t a, size_t b) {
    uint32_t *members = s->members + group->first;
    const float *left_seed = s->packed + a * s->dim, *right_seed = s->packed + b * s->dim;
    size_t left = 0, right = 0;
    for (size_t i = 0; i < group->n; i++) {
        const float *row = s->packed + i * s->dim;
        if (dot(row, right_seed, s->dim) > dot(row, left_seed, s->dim))
            s->right[right++] = members[i];
        else
            members[left++] = members[i];
    }
    memcpy(members + left, s->right, right * sizeof *members);
    s->flop += (double)(group->n * 4 * s->dim);
    return right;
}

/* Returns how many members are not zero. */
static size_t zeros_last(struct split *s, const struct member_group *group) {
    uint32_t *members = s->members + group->first;
    size_t n = 0, zeros = 0;
    for (size_t i = 0; i < group->n; i++)
        if (s->is_zero[members[i]])
            s->right[zeros++] = members[i];
        else
            members[n++] = members[i];
    memcpy(members + n, s->right, zeros * sizeof *members);
    return n;
}

/* Splits a group into itself and a new one; false when it does not separate. */
static bool split_group(struct split *s, uint32_t group) {
    struct member_group *g = &s->groups[group];
    size_t a = 0, b = 0, n = zeros_last(s, g);
    for (size_t i = 0; i < g->n; i++)
        memcpy(s->packed + i * s->dim, s->unit + s->members[g->first + i] * s->dim, s->dim * sizeof(float));
    (n <= EXACT_PAIR_MEMBERS ? exact_pair : swept_pair)(s, n, &a, &b);
    size_t right = divide(s, g, a, b);
    if (right == 0 || right == g->n) {
        close_group(s, group);
        return false;
    }
    g->n -= right;
    s->groups[s->n_groups] = (struct member_group){.first = g->first + g->n, .n = right};
    enter(s, group);
    enter(s, (uint32_t)s->n_groups++);
    return true;
}

static struct split begin(const float *rows, size_t n, size_t dim, const struct frs_groups *start,
    size_t most, struct frs_arena *arena) {
    size_t room = most > start->n_groups ? most : start->n_groups;
    struct split s = {.rows = rows,
        .n = n,
        .dim = dim,
        .n_groups = start->n_groups,
        .unit = frs_arena_take(arena, n * dim, sizeof *s.unit),
        .is_zero = frs_arena_take(arena, n, sizeof *s.is_zero),
        .members = frs_arena_take(arena, n, sizeof *s.members),
        .groups = frs_arena_take_zeroed(arena, room + 1, sizeof *s.groups),
        .heap = frs_arena_take(arena, room + 1, sizeof *s.heap),
        .lowest_closed = INFINITY,
        .packed = frs_arena_take(arena, n * dim, sizeof *s.packed),
        .similarity = frs_arena_take(arena, n > dim ? n : dim, sizeof *s.similarity),
        .right = frs_arena_take(arena, n, sizeof *s.right),
        .mean = frs_arena_take(arena, dim, sizeof *s.mean)};
    unit_rows(&s);
    for (size_t i = 0; i < n; i++)
        s.groups[start->group[i]].n++;
    for (size_t g = 1; g < s.n_groups; g++)
        s.groups[g].first = s.groups[g - 1].first + s.groups[g - 1].n;
    size_t *next = frs_arena_take_zeroed(arena, s.n_groups, sizeof *next);
    for (size_t i = 0; i < n; i++) {
        uint32_t g = start->group[i];
        s.members[s.groups[g].first + next[g]++] = (uint32_t)i;
    }
    for (uint32_t g = 0; g < s.n_groups; g++)
        enter(&s, g);
    return s;
}

static struct frs_groups keep(const struct split *s, struct frs_arena *arena) {
    uint32_t *group = frs_arena_take(arena, s->n, sizeof *group);
    for (size_t g = 0; g < s->n_groups; g++)
        for (size_t i = 0; i < s->groups[g].n; i++)
            group[s->members[s->groups[g].first + i]] = (uint32_t)g;
    return (struct frs_groups){.n_groups = s->n_groups,
        .group = group,
        .centres = frs_group_centres(s->rows, s->n, s->dim, group, s->n_groups, arena)};
}

struct frs_groups frs_split_groups(const float *rows, size_t n, size_t dim, const struct frs_groups *start,
    const struct frs_split_settings *settings, struct frs_arena *arena, double *recorded) {
    struct split s = begin(rows, n, dim, start, settings->most, arena);
    struct frs_groups kept = {0};
    bool is_kept = false, first_round = isnan(settings->threshold);
    *recorded = NAN;
    for (;;) {
        if (s.n_groups >= settings->expected && isnan(*recorded))
            *recorded = lowest_similarity(&s);
        bool stops = first_round
                         ? s.n_groups >= settings->expected
                         : s.n_groups >= settings->most || lowest_similarity(&s) > settings->threshold;
        if (stops && !is_kept) {
            kept = keep(&s, arena);
            is_kept = true;
        }
        if ((is_kept && !isnan(*recorded)) || s.n_heap == 0)
            break;
        while (s.n_heap > 0 && !split_group(&s, pop(&s))) {
        }
    }
    if (!is_kept)
        kept = keep(&s, arena);
    kept.flop = s.flop + (double)((n + kept.n_groups) * dim);
    return kept;
}
