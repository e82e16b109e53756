/* A participation under SemiDFEGL: what a client trains, and what it tells of its star. */
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/learners/semidfegl.h"
#include "algorithms/samples.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

/* What a client trains on: a row for each item, with how often it occurs. Vectors are `pitch` long, with
 * zeros behind dim. */
struct local {
    const struct frs_semidfegl *model;
    size_t pitch, n_rows, n_own;
    const uint32_t *ids;            /* [n_rows] ascending */
    float *times, *positives;       /* [n_rows] samples of a row, and those with a label */
    float *targets;                 /* [n_rows] ratings less their mean; NULL: labels */
    bool *is_own, *is_common;       /* [n_rows] */
    float *x, *m, *v, *g;           /* p, then the rows: values, Adam's moments, gradients */
    float *scores, *slopes, *items; /* [n_rows], [n_rows], [n_rows × pitch]: with what their neighbours add */
    float *own_sum;                 /* [pitch] */
    struct frs_group_view view;
    struct frs_group_means means, back; /* and the gradients with respect to them */
    double n_samples;
    struct frs_arena *arena;
};

static size_t n_values(const struct local *local) {
    return (local->n_rows + 1) * local->pitch;
}

static float *row_of(const struct local *local, size_t row) {
    return local->x + (row + 1) * local->pitch;
}

static float *take_vector(const struct local *local) {
    return frs_arena_take_zeroed(local->arena, local->pitch, sizeof(float));
}

/* ---- what there is to train on --------------------------------------------------------------- */

static void take_ratings(struct local *local, const struct frs_client_data *data) {
    float mean = frs_semidfegl_mean_rating(data);
    local->ids = data->items;
    local->n_rows = data->n;
    local->targets = frs_arena_take(local->arena, data->n, sizeof *local->targets);
    local->is_own = frs_arena_take(local->arena, data->n, sizeof *local->is_own);
    for (size_t i = 0; i < data->n; i++) {
        local->targets[i] = data->ratings[i] - mean;
        local->is_own[i] = true;
    }
    local->n_samples = (double)data->n;
}

static void take_samples(struct local *local, const struct frs_training *training) {
    const struct frs_learner_setup *setup = &local->model->base.setup;
    struct frs_rng rng = frs_rng_stream(
        setup->population->seed, training->data->client, 0, 0, FRS_RNG_NEGATIVES); /* once for all rounds */
    struct frs_samples drawn = frs_samples_draw(
        training->data, setup->population->n_items, setup->negatives_per_positive, &rng, local->arena);
    local->ids = drawn.ids;
    local->n_rows = drawn.n_rows;
    local->times = frs_arena_take_zeroed(local->arena, drawn.n_rows, sizeof *local->times);
    local->positives = frs_arena_take_zeroed(local->arena, drawn.n_rows, sizeof *local->positives);
    local->is_own = frs_arena_take_zeroed(local->arena, drawn.n_rows, sizeof *local->is_own);
    for (size_t i = 0; i < drawn.n; i++) {
        uint32_t row = drawn.samples[i] >> 1, label = drawn.samples[i] & 1;
        local->times[row]++;
        local->positives[row] += (float)label;
        local->is_own[row] |= label;
    }
    local->n_samples = (double)drawn.n;
}

/* The client's own vectors. */
static void take_values(struct local *local, uint32_t client) {
    const struct frs_semidfegl *model = local->model;
    size_t dim = model->dim;
    const float **found = frs_arena_take(local->arena, local->n_rows, sizeof *found);
    frs_private_rows_find_all(
        &model->rows->rows[client], &model->rows->pool, local->ids, local->n_rows, found);
    memcpy(local->x, model->users + client * dim, dim * sizeof *local->x);
    for (size_t i = 0; i < local->n_rows; i++)
        memcpy(row_of(local, i), found[i] ? found[i] : model->start + local->ids[i] * dim,
            dim * sizeof *local->x);
}

/* Takes a received vector in place of the client's own; false: the client does not train that item. */
static bool take_received(struct local *local, const float *row, size_t *at) {
    uint32_t item = (uint32_t)row[0];
    const uint32_t *found = bsearch(&item, local->ids, local->n_rows, sizeof item, frs_compare_uint32s);
    if (!found)
        return false;
    *at = (size_t)(found - local->ids);
    memcpy(row_of(local, *at), row + 1, local->model->dim * sizeof *row);
    return true;
}

/* Of a common item the vector is the server's, also in the client's star. */
static void take_group(struct local *local, uint32_t client, const float *group) {
    const struct frs_semidfegl *model = local->model;
    size_t dim = model->dim, width = dim + 1, at, n = model->common + model->returned;
    float *sum = take_vector(local),
          *others = frs_arena_take_zeroed(local->arena, (model->layers + 1) * local->pitch, sizeof *others);
    for (size_t i = model->common; i < n && group[i * width] >= 0; i++)
        (void)take_received(local, group + i * width, &at);
    for (size_t i = 0; i < model->common; i++) {
        for (size_t k = 0; k < dim; k++)
            sum[k] += group[i * width + 1 + k];
        if (take_received(local, group + i * width, &at))
            local->is_common[at] = true;
    }
    const float *heard = frs_semidfegl_heard(model, client);
    if (frs_semidfegl_meets(model))
        local->view.clients = frs_semidfegl_count_others(model, group) + 1;
    for (size_t l = 0; l < model->layers; l++) {
        const float *row = group + (n + l) * width;
        if (heard)
            memcpy(others + l * local->pitch, heard + l * dim, dim * sizeof *others);
        if (frs_semidfegl_meets(model))
            continue;
        local->view.clients = (size_t)row[0];
        memcpy(others + l * local->pitch, row + 1, dim * sizeof *others);
    }
    if (local->view.clients == 0) /* no layer tells of a group */
        return;
    local->view.common = model->common;
    local->view.common_sum = sum;
    local->view.others = others;
}

static struct local begin(
    const struct frs_semidfegl *model, const struct frs_training *training, struct frs_arena *arena) {
    struct local local = {
        .model = model, .pitch = frs_lanes_pad(model->dim), .n_own = training->data->n, .arena = arena};
    const float *group = training->tables ? training->tables->part[0] : NULL;
    if (model->rates)
        take_ratings(&local, training->data);
    else
        take_samples(&local, training);
    size_t n = n_values(&local), n_rows = local.n_rows;
    local.is_common = frs_arena_take_zeroed(arena, n_rows, sizeof *local.is_common);
    local.x = frs_arena_take_zeroed(arena, n, sizeof *local.x);
    local.m = frs_arena_take_zeroed(arena, n, sizeof *local.m);
    local.v = frs_arena_take_zeroed(arena, n, sizeof *local.v);
    local.g = frs_arena_take_zeroed(arena, n, sizeof *local.g);
    local.scores = frs_arena_take(arena, n_rows, sizeof *local.scores);
    local.slopes = frs_arena_take(arena, n_rows, sizeof *local.slopes);
    local.items = frs_arena_take(arena, n_rows * local.pitch, sizeof *local.items);
    local.own_sum = take_vector(&local);
    local.means = (struct frs_group_means){take_vector(&local), take_vector(&local), take_vector(&local)};
    local.back = (struct frs_group_means){take_vector(&local), take_vector(&local), take_vector(&local)};
    take_values(&local, training->data->client);
    if (group)
        take_group(&local, training->data->client, group);
    return local;
}

void frs_semidfegl_star_of(const struct frs_semidfegl *model, const struct frs_client_data *data,
    const float *group, struct frs_arena *arena, float *p, float *own_sum) {
    struct frs_arena_mark mark = frs_arena_mark(arena);
    struct local own = {.model = model,
        .pitch = frs_lanes_pad(model->dim),
        .ids = data->items,
        .n_rows = data->n,
        .arena = arena};
    size_t width = model->dim + 1, at;
    own.x = frs_arena_take_zeroed(arena, n_values(&own), sizeof *own.x);
    take_values(&own, data->client);
    for (size_t i = 0; i < model->common + model->returned; i++)
        if (group[i * width] >= 0)
            (void)take_received(&own, group + i * width, &at);
    memcpy(p, own.x, model->dim * sizeof *p);
    memset(own_sum, 0, model->dim * sizeof *own_sum);
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < model->dim; k++)
            own_sum[k] += row_of(&own, i)[k];
    frs_arena_release(arena, mark);
}

/* ---- a step ---------------------------------------------------------------------------------- */

static struct frs_group_member star_of(const struct local *local) {
    return (struct frs_group_member){local->x, local->own_sum, (float)local->n_own};
}

FRS_CLONES static void add(float *restrict to, const float *restrict from, size_t n) {
    for (size_t k = 0; k < n; k++)
        to[k] += from[k];
}

FRS_CLONES static void add_times(float *restrict to, const float *restrict from, float factor, size_t n) {
    for (size_t k = 0; k < n; k++)
        to[k] += factor * from[k];
}

static void propagate(struct local *local) {
    const struct frs_semidfegl *model = local->model;
    memset(local->own_sum, 0, local->pitch * sizeof *local->own_sum);
    for (size_t i = 0; i < local->n_rows; i++)
        if (local->is_own[i])
            add(local->own_sum, row_of(local, i), local->pitch);
    const struct frs_group_member star = star_of(local);
    frs_group_graph_forward(&star, &local->view, model->layers, local->pitch, &local->means, local->arena);
}

static void score_rows(struct local *local) {
    float share = 1 / (float)(local->model->layers + 1);
    for (size_t i = 0; i < local->n_rows; i++) {
        float *item = local->items + i * local->pitch;
        frs_values_scale(item, row_of(local, i), share, local->pitch);
        if (local->is_own[i] && local->model->own_edge)
            add(item, local->means.own, local->pitch);
        if (local->is_common[i])
            add(item, local->means.common, local->pitch);
        local->scores[i] = frs_lanes_product(local->means.user, item, local->pitch);
    }
}

/* The slopes of the mean loss with respect to scores; returns that loss. */
static double take_slopes(struct local *local) {
    double loss = 0;
    if (!local->targets)
        frs_bce_coefficients(local->scores, local->times, local->positives, local->n_rows, local->slopes);
    for (size_t i = 0; i < local->n_rows; i++) {
        if (local->targets) {
            float error = local->scores[i] - local->targets[i];
            local->slopes[i] = 2 * error;
            loss += (double)error * (double)error;
        } else {
            loss += (double)frs_bce_loss(local->scores[i], local->times[i], local->positives[i]);
        }
        local->slopes[i] *= (float)(1 / local->n_samples);
    }
    return loss / local->n_samples;
}

/* Gradients of everything that is trained, in `g`. */
static void take_gradients(struct local *local) {
    size_t pitch = local->pitch;
    float share = 1 / (float)(local->model->layers + 1), of_own = 0, of_common = 0, *own = take_vector(local);
    memset(local->g, 0, n_values(local) * sizeof *local->g);
    memset(local->back.user, 0, pitch * sizeof *local->back.user);
    for (size_t i = 0; i < local->n_rows; i++) {
        add_times(local->back.user, local->items + i * pitch, local->slopes[i], pitch);
        add_times(local->g + (i + 1) * pitch, local->means.user, share * local->slopes[i], pitch);
        of_own += local->is_own[i] && local->model->own_edge ? local->slopes[i] : 0;
        of_common += local->is_common[i] ? local->slopes[i] : 0;
    }
    frs_values_scale(local->back.own, local->means.user, of_own, pitch);
    frs_values_scale(local->back.common, local->means.user, of_common, pitch);
    const struct frs_group_member star = star_of(local);
    frs_group_graph_backward(
        &star, &local->view, local->model->layers, pitch, &local->back, local->g, own, local->arena);
    for (size_t i = 0; i < local->n_rows; i++)
        if (local->is_own[i])
            add(local->g + (i + 1) * pitch, own, pitch);
    if (local->model->decay > 0)
        add_times(local->g, local->x, (float)local->model->decay, n_values(local));
}

FRS_CLONES static void step_all(struct local *local, struct frs_adam_step step) {
    frs_adam_vector(local->x, local->m, local->v, local->g, n_values(local), step);
}

static double train_epochs(struct local *local, uint32_t epochs, double rate) {
    struct frs_adam_clock clock = {0};
    double loss = 0;
    for (uint32_t epoch = 0; epoch < epochs; epoch++) {
        struct frs_arena_mark mark = frs_arena_mark(local->arena);
        propagate(local);
        score_rows(local);
        loss = take_slopes(local);
        take_gradients(local);
        step_all(local, frs_adam_clock_next(&clock, rate));
        frs_arena_release(local->arena, mark);
    }
    propagate(local);
    return loss;
}

/* Per epoch: a vector of every row three to five times, its product and its gradient, and 14 operations of
 * Adam for every value; a slope takes ten, of a rating three. */
static double count_flop(const struct local *local, uint32_t epochs) {
    const struct frs_semidfegl *model = local->model;
    double d = (double)model->dim, rows = (double)local->n_rows, own = (double)local->n_own, common = 0;
    for (size_t i = 0; i < local->n_rows; i++)
        common += local->is_common[i];
    double forward = own * d + frs_group_graph_forward_flop(model->layers, model->dim),
           step = forward + frs_group_graph_backward_flop(model->layers, model->dim) +
                  rows * (7 * d + 1 + (local->targets ? 3 : 10)) + own * (d + (model->own_edge ? d + 1 : 0)) +
                  common * (d + 1) + 2 * d + (14 + (model->decay > 0 ? 2 : 0)) * (rows + 1) * d;
    return epochs * step + forward + (local->targets ? 2 * own + 1 : 0);
}

/* ---- what is sent and kept ------------------------------------------------------------------- */

/* Of all rows, or those of own items. */
static struct frs_rows pack(const struct local *local, bool own_alone) {
    size_t dim = local->model->dim;
    struct frs_rows rows = {.n_rows = local->model->base.setup.population->n_items, .dim = dim};
    uint32_t *ids = frs_arena_take(local->arena, local->n_rows, sizeof *ids);
    float *values = frs_arena_take(local->arena, local->n_rows * dim, sizeof *values);
    for (size_t i = 0; i < local->n_rows; i++) {
        if (own_alone && !local->is_own[i])
            continue;
        ids[rows.n] = local->ids[i];
        memcpy(values + rows.n++ * dim, row_of(local, i), dim * sizeof *values);
    }
    rows.ids = ids;
    rows.values = values;
    return rows;
}

static struct frs_rows pack_star(const struct local *local) {
    static const uint32_t first[] = {0};
    size_t dim = local->model->dim;
    float *star = frs_arena_take(local->arena, frs_semidfegl_star(local->model), sizeof *star);
    memcpy(star, local->x, dim * sizeof *star);
    memcpy(star + dim, local->own_sum, dim * sizeof *star);
    star[2 * dim] = (float)local->n_own;
    return (struct frs_rows){
        .n_rows = 1, .dim = frs_semidfegl_star_sent(local->model), .n = 1, .ids = first, .values = star};
}

static float *pack_means(const struct local *local) {
    size_t dim = local->model->dim;
    float *means = frs_arena_take(local->arena, 2 * dim, sizeof *means);
    memcpy(means, local->means.user, dim * sizeof *means);
    memcpy(means + dim, local->means.common, dim * sizeof *means);
    return means;
}

void frs_semidfegl_train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    static const uint32_t no_ids[1];
    const struct frs_semidfegl *model = context;
    if (training->data->n == 0) {
        out->upload[0] = (struct frs_rows){
            .n_rows = model->base.setup.population->n_items, .dim = model->dim, .ids = no_ids};
        out->upload[1] = (struct frs_rows){.n_rows = 1, .dim = frs_semidfegl_star_sent(model), .ids = no_ids};
        return;
    }
    unsigned before = frs_flush_begin();
    uint32_t epochs =
        training->epochs > 0 && training->epochs < model->epochs ? training->epochs : model->epochs;
    struct local local = begin(model, training, arena);
    double loss = train_epochs(&local, epochs, model->rate * (double)frs_training_rate_scale(training));
    struct frs_rows all = pack(&local, false);
    *out = (struct frs_trained){
        .upload = {model->rates || model->sends_negatives ? all : pack(&local, true), pack_star(&local)},
        .kept = {.rows = {local.x, pack_means(&local)}, .stored = {all}},
        .samples = (uint32_t)training->data->n,
        .flop = count_flop(&local, epochs),
        .processed = epochs * local.n_samples,
        .loss = loss,
        .epochs = epochs};
    frs_flush_end(before);
}
