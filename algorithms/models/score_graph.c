#include "algorithms/models/score_graph.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/logistic.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

/* The edges of one side: those of node i are [start[i], start[i + 1]). */
struct side {
    size_t n, *start;
    uint32_t *others; /* nodes of the other side, counted from its first */
    float *weights;
};

struct trainer {
    struct frs_score_graph *model;
    const struct frs_scores *scores;
    struct side users, items;
    float *slopes, *gradient; /* of F, and of E */
    float *spare;
    uint32_t *order;
};

static size_t n_nodes(const struct frs_score_graph *model) {
    return model->n_users + model->n_items;
}

/* ---- the graph ------------------------------------------------------------------------------- */

static float *sums_by(
    const uint32_t *nodes, const float *values, size_t n, size_t n_side, struct frs_arena *arena) {
    float *sums = frs_arena_take_zeroed(arena, n_side, sizeof *sums);
    for (size_t i = 0; i < n; i++)
        sums[nodes[i]] += values[i];
    return sums;
}

static struct side make_side(const struct frs_scores *scores, const uint32_t *nodes, const uint32_t *others,
    const float *weights, size_t n_side, struct frs_arena *arena) {
    struct side side = {.n = n_side,
        .start = frs_arena_take_zeroed(arena, n_side + 2, sizeof *side.start),
        .others = frs_arena_take(arena, scores->n, sizeof *side.others),
        .weights = frs_arena_take(arena, scores->n, sizeof *side.weights)};
    size_t *next = side.start + 1; /* ends as the start of the next node */
    for (size_t i = 0; i < scores->n; i++)
        next[nodes[i] + 1]++;
    for (size_t node = 0; node < n_side; node++)
        next[node + 1] += next[node];
    for (size_t i = 0; i < scores->n; i++) {
        size_t at = next[nodes[i]]++;
        side.others[at] = others[i];
        side.weights[at] = weights[i];
    }
    return side;
}

static void make_graph(struct trainer *trainer, struct frs_arena *arena) {
    const struct frs_scores *scores = trainer->scores;
    const struct frs_score_graph *model = trainer->model;
    float *weights = frs_arena_take(arena, scores->n, sizeof *weights);
    const float *of_users = sums_by(scores->users, scores->values, scores->n, model->n_users, arena);
    const float *of_items = sums_by(scores->items, scores->values, scores->n, model->n_items, arena);
    for (size_t i = 0; i < scores->n; i++) {
        float degrees = of_users[scores->users[i]] * of_items[scores->items[i]];
        weights[i] = degrees > 0 ? scores->values[i] / sqrtf(degrees) : 0;
    }
    trainer->users = make_side(scores, scores->users, scores->items, weights, model->n_users, arena);
    trainer->items = make_side(scores, scores->items, scores->users, weights, model->n_items, arena);
}

/* to = factor · (from + Σ weights · others) on the nodes of one side. */
FRS_CLONES static void add_neighbours(
    const struct side *side, const float *from, const float *others, size_t pitch, float factor, float *to) {
    for (size_t node = 0; node < side->n; node++)
        for (size_t k = 0; k < pitch; k += FRS_LANES) {
            float sum[FRS_LANES] = {0};
            for (size_t e = side->start[node]; e < side->start[node + 1]; e++) {
                const float *row = others + side->others[e] * pitch + k;
                for (size_t j = 0; j < FRS_LANES; j++)
                    sum[j] += side->weights[e] * row[j];
            }
            for (size_t j = 0; j < FRS_LANES; j++)
                to[node * pitch + k + j] = factor * (from[node * pitch + k + j] + sum[j]);
        }
}

/* By Horner's rule: x ← from + P x, `layers` times, which ends in `to`. P is symmetric, so that gradients go
 * the same way back. */
static void take_mean(struct trainer *trainer, const float *from, float *to) {
    const struct frs_score_graph *model = trainer->model;
    size_t pitch = model->pitch, items = model->n_users * pitch, layers = model->layers;
    float mean = 1 / (float)(layers + 1);
    const float *x = from;
    memcpy(to, from, layers == 0 ? n_nodes(model) * pitch * sizeof *to : 0);
    for (size_t layer = 1; layer <= layers; layer++) {
        float *next = (layers - layer) % 2 == 0 ? to : trainer->spare;
        float factor = layer == layers ? mean : 1;
        add_neighbours(&trainer->users, from, x + items, pitch, factor, next);
        add_neighbours(&trainer->items, from + items, x, pitch, factor, next + items);
        x = next;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

FRS_CLONES static void add_slope(
    float slope, const float *p, const float *q, size_t pitch, float *dp, float *dq) {
    for (size_t k = 0; k < pitch; k++) {
        dp[k] += slope * q[k];
        dq[k] += slope * p[k];
    }
}

static float logistic(float x) {
    return 1 / (1 + frs_exponential(-frs_clamp_logit(x)));
}

static void add_sample(struct trainer *trainer, size_t sample, float share) {
    const struct frs_score_graph *model = trainer->model;
    size_t pitch = model->pitch, u = trainer->scores->users[sample] * pitch,
           i = (model->n_users + trainer->scores->items[sample]) * pitch;
    float error = logistic(frs_lanes_product(model->averaged + u, model->averaged + i, pitch)) -
                  trainer->scores->values[sample];
    add_slope(share * error, model->averaged + u, model->averaged + i, pitch, trainer->slopes + u,
        trainer->slopes + i);
}

FRS_CLONES static void step_adam(float *restrict x, float *restrict m, float *restrict v,
    const float *restrict g, size_t n, float rate, float root) {
    for (size_t i = 0; i < n; i++) {
        m[i] = 0.9F * m[i] + 0.1F * g[i];
        v[i] = 0.999F * v[i] + 0.001F * g[i] * g[i];
        x[i] -= rate * m[i] / (sqrtf(v[i]) * root + 1e-8F);
    }
}

static void step(struct trainer *trainer, const uint32_t *samples, size_t n) {
    struct frs_score_graph *model = trainer->model;
    size_t n_values = n_nodes(model) * model->pitch;
    take_mean(trainer, model->nodes, model->averaged);
    memset(trainer->slopes, 0, n_values * sizeof *trainer->slopes);
    for (size_t i = 0; i < n; i++)
        add_sample(trainer, samples[i], 1 / (float)n);
    take_mean(trainer, trainer->slopes, trainer->gradient);
    double t = ++model->steps;
    step_adam(model->nodes, model->m, model->v, trainer->gradient, n_values,
        (float)(model->rate / (1 - pow(0.9, t))), (float)(1 / sqrt(1 - pow(0.999, t))));
}

static void shuffle(uint32_t *order, size_t n, struct frs_rng *rng) {
    for (size_t left = n; left > 1; left--) {
        size_t draw = frs_rng_below(rng, (uint32_t)left);
        uint32_t last = order[left - 1];
        order[left - 1] = order[draw];
        order[draw] = last;
    }
}

void frs_score_graph_train(struct frs_score_graph *model, const struct frs_scores *scores,
    struct frs_rng *rng, struct frs_arena *arena) {
    size_t n_values = n_nodes(model) * model->pitch, n = scores->n;
    if (n == 0)
        return;
    struct trainer trainer = {.model = model,
        .scores = scores,
        .slopes = frs_arena_take(arena, n_values, sizeof(float)),
        .gradient = frs_arena_take(arena, n_values, sizeof(float)),
        .spare = frs_arena_take(arena, n_values, sizeof(float)),
        .order = frs_arena_take(arena, n, sizeof(uint32_t))};
    unsigned before = frs_flush_begin();
    make_graph(&trainer, arena);
    for (size_t i = 0; i < n; i++)
        trainer.order[i] = (uint32_t)i;
    for (uint32_t epoch = 0; epoch < model->epochs; epoch++) {
        shuffle(trainer.order, n, rng);
        for (size_t at = 0; at < n; at += model->batch)
            step(&trainer, trainer.order + at, n - at < model->batch ? n - at : model->batch);
    }
    take_mean(&trainer, model->nodes, model->averaged);
    frs_flush_end(before);
}

void frs_score_graph_begin(struct frs_score_graph *model) {
    for (size_t i = 0; i < n_nodes(model) * model->pitch; i++)
        model->averaged[i] = model->nodes[i] / (float)(model->layers + 1);
}

void frs_score_graph_predict(
    const struct frs_score_graph *model, uint32_t user, const uint32_t *items, size_t n, float *scores) {
    size_t pitch = model->pitch;
    const float *table = model->averaged + model->n_users * pitch;
    for (size_t i = 0; i < n; i++)
        scores[i] =
            logistic(frs_lanes_product(model->averaged + user * pitch, table + items[i] * pitch, pitch));
}

double frs_score_graph_flop(const struct frs_score_graph *model, double n) {
    double d = (double)model->dim, nodes = (double)n_nodes(model), layers = (double)model->layers,
           steps = model->epochs * ceil(n / (double)model->batch),
           mean = layers * (4 * d * n + 2 * d * nodes) + d * nodes;
    return n > 0 ? 8 * n + (2 * steps + 1) * mean + model->epochs * n * (6 * d + 7) + steps * 14 * d * nodes
                 : 0;
}
