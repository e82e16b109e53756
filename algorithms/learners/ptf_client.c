/* A participation under PTF-FedRec: what a client trains on, and which scores it sends. */
#include "algorithms/kernels/logistic.h"
#include "algorithms/learners/ptf_fedrec.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

float frs_ptf_probability(float score) {
    return 1 / (1 + frs_exponential(-frs_clamp_logit(score)));
}

/* ---- samples --------------------------------------------------------------------------------- */

struct scored {
    uint32_t item;
    float score;
};

static int by_item(const void *a, const void *b) {
    const struct scored *x = a, *y = b;
    return (x->item > y->item) - (x->item < y->item);
}

static bool is_own(const struct frs_client_data *data, uint32_t item) {
    return bsearch(&item, data->items, data->n, sizeof *data->items, frs_compare_uint32s) != NULL;
}

/* What was just received, ascending, without items of the client's own: [n], at most as many as it has items.
 */
static size_t take_download(
    const struct frs_ptf *model, const struct frs_training *training, struct scored *all) {
    const float *rows = training->tables ? training->tables->part[0] : NULL;
    size_t n = 0;
    for (size_t i = 0; rows && i < model->sent && i < training->data->n && rows[2 * i] >= 0; i++)
        if (!is_own(training->data, (uint32_t)rows[2 * i]))
            all[n++] = (struct scored){(uint32_t)rows[2 * i], rows[2 * i + 1]};
    qsort(all, n, sizeof *all, by_item);
    return n;
}

/* The scores that the client has from earlier, with those that are new in place of or beside them; ascending.
 */
static struct frs_rows take_received(
    const struct frs_ptf *model, const struct frs_training *training, struct frs_arena *arena) {
    static const struct frs_client_rows none;
    const struct frs_client_rows *old =
        model->keeps_scores ? &model->received[training->data->client] : &none;
    struct scored *fresh = frs_arena_take(arena, model->sent, sizeof *fresh);
    size_t n_fresh = take_download(model, training, fresh), n = 0;
    uint32_t *ids = frs_arena_take(arena, old->n + n_fresh + 1, sizeof *ids);
    float *values = frs_arena_take(arena, old->n + n_fresh + 1, sizeof *values);
    for (size_t i = 0, j = 0; i < old->n || j < n_fresh;) {
        bool is_fresh = j < n_fresh && (i == old->n || fresh[j].item <= old->ids[i]);
        i += !is_fresh || (i < old->n && fresh[j].item == old->ids[i]);
        ids[n] = is_fresh ? fresh[j].item : old->ids[i - 1];
        values[n++] = is_fresh ? fresh[j++].score : old->values[i - 1];
    }
    return (struct frs_rows){.n_rows = model->graph.n_items, .dim = 1, .n = n, .ids = ids, .values = values};
}

struct local {
    struct frs_samples samples;
    float *soft;  /* targets of samples without a label, by row */
    bool *is_own; /* by row */
};

/* The rows of both, and for each row of the old ones its new number. */
static void merge_rows(struct frs_samples *samples, const struct frs_rows *received, uint32_t *numbers,
    struct frs_arena *arena) {
    uint32_t *ids = frs_arena_take(arena, samples->n_rows + received->n, sizeof *ids), n = 0;
    for (size_t i = 0, j = 0; i < samples->n_rows || j < received->n; n++) {
        bool first = j == received->n || (i < samples->n_rows && samples->ids[i] <= received->ids[j]);
        ids[n] = first ? samples->ids[i] : received->ids[j];
        j += j < received->n && received->ids[j] == ids[n];
        if (first)
            numbers[i++] = n;
    }
    samples->ids = ids;
    samples->n_rows = n;
}

/* An item that the server has scored is one sample more. It may also be a negative: since a row has one
 * target for all samples without a label, that is their mean. */
static struct local make_local(const struct frs_ptf *model, const struct frs_training *training,
    const struct frs_rows *received, struct frs_arena *arena) {
    const struct frs_learner_setup *setup = &model->base.setup;
    struct frs_rng rng = frs_rng_stream(setup->population->seed, training->data->client,
        model->draws_anew ? training->round : 0, model->draws_anew ? training->attempt : 0,
        FRS_RNG_NEGATIVES);
    struct frs_samples drawn = frs_samples_draw(
        training->data, setup->population->n_items, setup->negatives_per_positive, &rng, arena);
    uint32_t *numbers = frs_arena_take(arena, drawn.n_rows, sizeof *numbers);
    struct local local = {.samples = drawn};
    merge_rows(&local.samples, received, numbers, arena);
    local.samples.samples = frs_arena_take(arena, drawn.n + received->n, sizeof(uint32_t));
    local.soft = frs_arena_take_zeroed(arena, local.samples.n_rows, sizeof *local.soft);
    local.is_own = frs_arena_take_zeroed(arena, local.samples.n_rows, sizeof *local.is_own);
    uint32_t *unlabelled = frs_arena_take_zeroed(arena, local.samples.n_rows, sizeof *unlabelled);
    for (size_t i = 0; i < drawn.n; i++) {
        uint32_t row = numbers[drawn.samples[i] >> 1], label = drawn.samples[i] & 1;
        local.samples.samples[i] = row << 1 | label;
        local.is_own[row] |= label;
        unlabelled[row] += !label;
    }
    for (uint32_t row = 0, j = 0; j < received->n; row++)
        if (local.samples.ids[row] == received->ids[j]) {
            local.samples.samples[local.samples.n++] = row << 1;
            local.soft[row] = received->values[j++] / (float)(unlabelled[row] + 1);
        }
    return local;
}

/* ---- the upload ------------------------------------------------------------------------------ */

/* A row that is sent, with its score; by falling score. */
static int by_score(const void *a, const void *b) {
    const struct scored *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score) : by_item(a, b);
}

/* A random choice of k of the n rows; k at most n. */
static void choose(struct scored *rows, size_t n, size_t k, struct frs_rng *rng) {
    for (size_t i = 0; i < k; i++) {
        size_t draw = i + frs_rng_below(rng, (uint32_t)(n - i));
        struct scored row = rows[draw];
        rows[draw] = rows[i];
        rows[i] = row;
    }
}

static size_t part_of(double share, size_t n, size_t most) {
    size_t part = (size_t)(share * (double)n);
    part = part > 0 ? part : 1;
    return part < most ? part : most;
}

static void swap(struct scored *own, size_t n_own, struct scored *others, size_t n_others, double share) {
    size_t least = n_own < n_others ? n_own : n_others, n = share > 0 ? part_of(share, n_own, least) : 0;
    qsort(own, n_own, sizeof *own, by_score);
    qsort(others, n_others, sizeof *others, by_score);
    for (size_t i = 0; i < n; i++) {
        float score = own[i].score;
        own[i].score = others[i].score;
        others[i].score = score;
    }
}

/* `item` is a row of the samples here. */
static struct frs_rows make_upload(const struct frs_ptf *model, const struct frs_training *training,
    const struct local *local, const float *scores, struct frs_arena *arena) {
    size_t n_rows = local->samples.n_rows, n_own = 0, n_others = 0, n = 0;
    struct scored *own = frs_arena_take(arena, n_rows, sizeof *own),
                  *others = frs_arena_take(arena, n_rows, sizeof *others);
    struct frs_rng rng = frs_rng_stream(model->base.setup.population->seed, training->data->client,
        training->round, training->attempt, FRS_RNG_SCORED);
    for (uint32_t row = 0; row < n_rows; row++) {
        struct scored *to = local->is_own[row] ? &own[n_own++] : &others[n_others++];
        *to = (struct scored){row, scores[row]};
    }
    double share = model->share_min + (1 - model->share_min) * frs_rng_unit(&rng);
    double ratio = model->negatives_min + (model->negatives_max - model->negatives_min) * frs_rng_unit(&rng);
    size_t k_own = part_of(share, n_own, n_own), k_others = part_of(ratio, k_own, n_others);
    choose(own, n_own, k_own, &rng);
    choose(others, n_others, k_others, &rng);
    swap(own, k_own, others, k_others, model->swap);
    memcpy(own + k_own, others, k_others * sizeof *own); /* rows of both are at most all */
    n = k_own + k_others;
    qsort(own, n, sizeof *own, by_item);
    uint32_t *ids = frs_arena_take(arena, n, sizeof *ids);
    float *values = frs_arena_take(arena, n, sizeof *values);
    for (size_t i = 0; i < n; i++) {
        ids[i] = local->samples.ids[own[i].item];
        values[i] = own[i].score;
    }
    return (struct frs_rows){.n_rows = model->graph.n_items, .dim = 1, .n = n, .ids = ids, .values = values};
}

/* ---- a participation ------------------------------------------------------------------------- */

static struct frs_perceptron begin(
    const struct frs_ptf *model, uint32_t client, const struct local *local, struct frs_arena *arena) {
    size_t dim = model->dim, pitch = frs_lanes_pad(dim), size = frs_perceptron_parameters(&model->shape),
           n = local->samples.n_rows;
    struct frs_perceptron perceptron = {.shape = model->shape,
        .n_rows = n,
        .rows = frs_arena_take_zeroed(arena, n * pitch, sizeof(float)),
        .p = frs_arena_take_zeroed(arena, pitch, sizeof(float)),
        .network = frs_arena_take(arena, size, sizeof(float)),
        .soft = local->soft};
    const float **found = frs_arena_take(arena, n, sizeof *found);
    frs_private_rows_find_all(&model->rows->rows[client], &model->rows->pool, local->samples.ids, n, found);
    for (size_t i = 0; i < n; i++)
        memcpy(perceptron.rows + i * pitch, found[i] ? found[i] : model->start + local->samples.ids[i] * dim,
            dim * sizeof(float));
    memcpy(perceptron.p, model->users + client * dim, dim * sizeof(float));
    memcpy(perceptron.network, model->networks + client * size, size * sizeof(float));
    return perceptron;
}

/* Without the zeros between them. */
static float *pack(const float *rows, size_t n, size_t dim, struct frs_arena *arena) {
    float *packed = frs_arena_take(arena, n * dim, sizeof *packed);
    for (size_t i = 0; i < n; i++)
        memcpy(packed + i * dim, rows + i * frs_lanes_pad(dim), dim * sizeof *packed);
    return packed;
}

static float *score_rows(
    const struct frs_perceptron *perceptron, const float *rows, struct frs_arena *arena) {
    float *scores = frs_arena_take(arena, perceptron->n_rows, sizeof *scores);
    uint32_t *places = frs_arena_take(arena, perceptron->n_rows, sizeof *places);
    for (uint32_t i = 0; i < perceptron->n_rows; i++)
        places[i] = i;
    frs_perceptron_score(
        &perceptron->shape, perceptron->network, perceptron->p, rows, places, perceptron->n_rows, scores);
    for (size_t i = 0; i < perceptron->n_rows; i++)
        scores[i] = frs_ptf_probability(scores[i]);
    return scores;
}

void frs_ptf_train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    static const uint32_t no_ids[1];
    const struct frs_ptf *model = context;
    const struct frs_population *population = model->base.setup.population;
    uint32_t client = training->data->client;
    if (training->data->n == 0) {
        out->upload[0] = (struct frs_rows){.n_rows = population->n_items, .dim = 1, .ids = no_ids};
        return;
    }
    struct frs_rows received = take_received(model, training, arena);
    struct local local = make_local(model, training, &received, arena);
    struct frs_perceptron perceptron = begin(model, client, &local, arena);
    struct frs_rng shuffle =
        frs_rng_stream(population->seed, client, training->round, training->attempt, FRS_RNG_SHUFFLE);
    struct frs_bce_mf_settings limited = model->local;
    limited.limit = training->epochs;
    limited.item_rate *= frs_training_rate_scale(training);
    limited.user_rate *= frs_training_rate_scale(training);
    perceptron.network_rate = limited.item_rate;
    struct frs_bce_mf_result result =
        frs_perceptron_train(&perceptron, &local.samples, &limited, &shuffle, arena);
    const float *rows = pack(perceptron.rows, perceptron.n_rows, model->dim, arena);
    const float *scores = score_rows(&perceptron, rows, arena);
    double weights = (double)frs_perceptron_parameters(&model->shape);
    *out = (struct frs_trained){.upload = {make_upload(model, training, &local, scores, arena)},
        .kept = {.rows = {perceptron.p, perceptron.network},
            .stored = {{.n_rows = population->n_items,
                           .dim = model->dim,
                           .n = perceptron.n_rows,
                           .ids = local.samples.ids,
                           .values = rows},
                received}},
        .samples = (uint32_t)training->data->n,
        .flop = result.flop + (double)perceptron.n_rows * (2 * weights + 4),
        .processed = (double)result.samples,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs};
}
