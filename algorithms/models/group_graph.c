#include "algorithms/models/group_graph.h"

#include <math.h>
#include <string.h>

/* The weights of a client's edges. */
struct weights {
    float a, b, own, common; /* of the client and of a common item; how many items of each kind */
};

static struct weights weigh(const struct frs_group_member *member, size_t clients, size_t common) {
    float degree = member->own + (float)common;
    return (struct weights){.a = degree > 0 ? 1 / sqrtf(degree) : 0,
        .b = clients > 0 ? 1 / sqrtf((float)clients) : 0,
        .own = member->own,
        .common = (float)common};
}

/* ---- forward --------------------------------------------------------------------------------- */

/* u¹; `common_sum` NULL: there are no common items. */
static void first_layer(const struct frs_group_member *member, const float *common_sum,
    const struct weights *w, size_t dim, float *u) {
    for (size_t k = 0; k < dim; k++)
        u[k] = w->a * (member->own_sum[k] + (w->common > 0 ? w->b * common_sum[k] : 0));
}

/* u^{l+1} of y^l and x^l. */
static void next_layer(const struct weights *w, const float *y, const float *x, size_t dim, float *u) {
    float own = w->a * w->own, common = w->a * w->b * w->common;
    for (size_t k = 0; k < dim; k++)
        u[k] = own * y[k] + common * x[k];
}

void frs_group_graph_forward(const struct frs_group_member *member, const struct frs_group_view *view,
    size_t layers, size_t dim, const struct frs_group_means *means, struct frs_arena *arena) {
    const struct weights w = weigh(member, view->clients, view->common);
    struct frs_arena_mark mark = frs_arena_mark(arena);
    float *u = frs_arena_take(arena, dim, sizeof *u), *y = frs_arena_take(arena, dim, sizeof *y),
          *x = frs_arena_take(arena, dim, sizeof *x), *next = frs_arena_take(arena, dim, sizeof *next),
          mean = 1 / (float)(layers + 1);
    memcpy(u, member->p, dim * sizeof *u);
    memcpy(means->user, member->p, dim * sizeof *u);
    memset(means->own, 0, dim * sizeof *u);
    memset(means->common, 0, dim * sizeof *u);
    for (size_t l = 0; l < layers; l++) {
        if (l == 0)
            first_layer(member, view->common_sum, &w, dim, next);
        else
            next_layer(&w, y, x, dim, next);
        for (size_t k = 0; k < dim; k++) {
            y[k] = w.a * u[k];
            x[k] = (view->clients > 0 ? view->others[l * dim + k] : 0) + w.b * y[k];
            means->own[k] += y[k];
            means->common[k] += x[k];
            means->user[k] += next[k];
            u[k] = next[k];
        }
    }
    for (size_t k = 0; k < dim; k++) {
        means->user[k] *= mean;
        means->own[k] *= mean;
        means->common[k] *= mean;
    }
    frs_arena_release(arena, mark);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* From the last layer to the first: x^l and y^l depend on u^{l−1}, and u^{l+1} on both. */
void frs_group_graph_backward(const struct frs_group_member *member, const struct frs_group_view *view,
    size_t layers, size_t dim, const struct frs_group_means *slopes, float *p, float *own_sum,
    struct frs_arena *arena) {
    const struct weights w = weigh(member, view->clients, view->common);
    struct frs_arena_mark mark = frs_arena_mark(arena);
    float *after = frs_arena_take_zeroed(arena, dim, sizeof *after), /* of u^{l+1} */
        mean = 1 / (float)(layers + 1), own = w.a * w.own, common = w.a * w.b * w.common;
    float *now = frs_arena_take(arena, dim, sizeof *now); /* of u^l */
    for (size_t k = 0; k < dim; k++)
        now[k] = mean * slopes->user[k];
    memset(own_sum, 0, dim * sizeof *own_sum);
    for (size_t l = layers; l > 0; l--)
        for (size_t k = 0; k < dim; k++) {
            float y = mean * slopes->own[k] + own * after[k],
                  x = mean * slopes->common[k] + common * after[k];
            after[k] = now[k];
            now[k] = mean * slopes->user[k] + w.a * (y + w.b * x);
        }
    for (size_t k = 0; k < dim; k++) {
        p[k] = now[k];
        own_sum[k] = layers > 0 ? w.a * after[k] : 0;
    }
    frs_arena_release(arena, mark);
}

/* ---- a group --------------------------------------------------------------------------------- */

void frs_group_graph_spread(const struct frs_group_member *members, size_t n, const float *common_sum,
    size_t common, size_t layers, size_t dim, float *others, struct frs_arena *arena) {
    struct frs_arena_mark mark = frs_arena_mark(arena);
    float *u = frs_arena_take(arena, n * dim, sizeof *u), *next = frs_arena_take(arena, dim, sizeof *next),
          *y = frs_arena_take(arena, n * dim, sizeof *y), *x = frs_arena_take(arena, dim, sizeof *x);
    double *sums = frs_arena_take(arena, dim, sizeof *sums);
    for (size_t v = 0; v < n; v++)
        memcpy(u + v * dim, members[v].p, dim * sizeof *u);
    for (size_t l = 0; l < layers; l++) {
        float b = 1 / sqrtf((float)n);
        memset(sums, 0, dim * sizeof *sums);
        for (size_t v = 0; v < n; v++) { /* u^l becomes u^{l+1}, by y^l and x^l; then y^{l+1} replaces y^l */
            const struct weights w = weigh(&members[v], n, common);
            if (l == 0)
                first_layer(&members[v], common_sum, &w, dim, next);
            else
                next_layer(&w, y + v * dim, x, dim, next);
            for (size_t k = 0; k < dim; k++) {
                y[v * dim + k] = w.a * u[v * dim + k];
                sums[k] += (double)y[v * dim + k];
            }
            memcpy(u + v * dim, next, dim * sizeof *u);
        }
        for (size_t k = 0; k < dim; k++) {
            x[k] = (float)((double)b * sums[k]);
            for (size_t v = 0; v < n; v++)
                others[(v * layers + l) * dim + k] = (float)((double)b * (sums[k] - (double)y[v * dim + k]));
        }
    }
    frs_arena_release(arena, mark);
}

/* b Σ of what client `to` hears of the others, in their order; `sent` [n × dim]. */
static void add_heard(const struct frs_group_hearing *hearing, size_t layer, size_t to, size_t n,
    const float *sent, size_t dim, double *sums, float *others) {
    double b = (double)(1 / sqrtf((float)n));
    memset(sums, 0, dim * sizeof *sums);
    for (size_t from = 0; from < n; from++)
        for (size_t k = 0; from != to && k < dim && hearing->heard(hearing->context, layer, from, to); k++)
            sums[k] += (double)sent[from * dim + k];
    for (size_t k = 0; k < dim; k++)
        others[k] = (float)(b * sums[k]);
}

void frs_group_graph_exchange(const struct frs_group_member *members, size_t n, const float *common_sum,
    size_t common, size_t layers, size_t dim, const struct frs_group_hearing *hearing, float *others,
    struct frs_arena *arena) {
    struct frs_arena_mark mark = frs_arena_mark(arena);
    float *u = frs_arena_take(arena, n * dim, sizeof *u), *y = frs_arena_take(arena, n * dim, sizeof *y),
          *x = frs_arena_take(arena, n * dim, sizeof *x),
          *sent = frs_arena_take(arena, n * dim, sizeof *sent),
          *next = frs_arena_take(arena, n * dim, sizeof *next);
    double *sums = frs_arena_take(arena, dim, sizeof *sums);
    for (size_t v = 0; v < n; v++)
        memcpy(u + v * dim, members[v].p, dim * sizeof *u);
    for (size_t l = 0; l < layers; l++) {
        for (size_t v = 0; v < n; v++) { /* u^{l+1} by y^l and x^l; then y^{l+1} */
            const struct weights w = weigh(&members[v], n, common);
            if (l == 0)
                first_layer(&members[v], common_sum, &w, dim, next + v * dim);
            else
                next_layer(&w, y + v * dim, x + v * dim, dim, next + v * dim);
            for (size_t k = 0; k < dim; k++)
                sent[v * dim + k] = y[v * dim + k] = w.a * u[v * dim + k];
            hearing->carry(hearing->context, l, v, sent + v * dim);
        }
        for (size_t v = 0; v < n; v++) {
            float *heard = others + (v * layers + l) * dim, b = 1 / sqrtf((float)n);
            add_heard(hearing, l, v, n, sent, dim, sums, heard);
            for (size_t k = 0; k < dim; k++)
                x[v * dim + k] = heard[k] + b * y[v * dim + k];
        }
        memcpy(u, next, n * dim * sizeof *u);
    }
    frs_arena_release(arena, mark);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* A layer: three for u, then one for y, two for x and three sums; the three means; a weight six. */
double frs_group_graph_forward_flop(size_t layers, size_t dim) {
    return 8 + (double)dim * (9 * (double)layers + 3);
}

/* A layer: three for y, three for x and five for u; one before, one after; weights eight. */
double frs_group_graph_backward_flop(size_t layers, size_t dim) {
    return 8 + (double)dim * (11 * (double)layers + 2);
}

/* For each client and layer five for u, two for y and its sum, two for what the others add. */
double frs_group_graph_spread_flop(size_t n, size_t layers, size_t dim) {
    return (double)layers * ((double)n * (6 + 7 * (double)dim) + (double)dim);
}
