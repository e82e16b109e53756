/* SemiDFEGL from device to device: who exchanges layers with whom, and what clients hear of each other. */
#include "algorithms/codec.h"
#include "algorithms/learners/semidfegl.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

extern const struct frs_codec frs_codec_dense;

static struct frs_layer_shape shape(const void *context) {
    const struct frs_semidfegl *model = context;
    double d = (double)model->dim;
    return (struct frs_layer_shape){.layers = frs_semidfegl_meets(model) ? model->layers : 0,
        .by_head = model->exchange == FRS_SEMIDFEGL_HEAD,
        .message = {"layer", model->common, model->dim},
        .add_flop = d,     /* one of its rows, which are all alike */
        .go_flop = 8 * d}; /* five for u, one for y, two for x */
}

/* ---- groups of a round ----------------------------------------------------------------------- */

static float *list_in(const struct frs_semidfegl *model, float *group) {
    return group + (model->common + model->returned) * (model->dim + 1);
}

size_t frs_semidfegl_count_others(const struct frs_semidfegl *model, const float *group) {
    const float *list = group + (model->common + model->returned) * (model->dim + 1);
    size_t n = 0;
    while (n + 1 < model->most && list[n] >= 0)
        n++;
    return n;
}

/* Without training nothing is known of groups: as many, of about one size. */
static uint32_t group_of(const struct frs_semidfegl *model, uint32_t client) {
    return model->base.setup.timing_only ? client % model->clusters + 1 : model->group_of[client];
}

/* The others of a part of a group. */
static void tell_list(struct frs_semidfegl *model, uint32_t client, const uint32_t *members, size_t n) {
    if (!model->groups[client])
        return;
    float *list = list_in(model, model->groups[client]);
    for (size_t i = 0; i < model->tail * (model->dim + 1); i++)
        list[i] = -1;
    for (size_t i = 0; i < n; i++)
        if (members[i] != client)
            *list++ = (float)members[i];
}

/* A group that is too large is dealt out evenly, in turn. */
static uint32_t divide(struct frs_semidfegl *model, const uint32_t *clients, const size_t *places, size_t n,
    uint32_t n_groups, uint32_t *groups) {
    size_t n_parts = (n + model->most - 1) / model->most;
    uint32_t *members = frs_alloc(model->most, sizeof *members);
    for (size_t part = 0; part < n_parts; part++) {
        size_t n_members = 0;
        for (size_t i = part; i < n; i += n_parts)
            members[n_members++] = clients[places[i]];
        n_groups += n_members > 1;
        for (size_t i = part; i < n; i += n_parts) {
            groups[places[i]] = n_members > 1 ? n_groups : 0;
            tell_list(model, clients[places[i]], members, n_members);
        }
    }
    free(members);
    return n_groups;
}

static void assemble(void *context, const uint32_t *clients, size_t n, uint32_t *groups) {
    struct frs_semidfegl *model = context;
    size_t *places = frs_alloc(n + 1, sizeof *places);
    uint32_t n_groups = 0;
    memset(groups, 0, n * sizeof *groups);
    for (uint32_t cluster = 1; cluster <= model->clusters; cluster++) {
        size_t n_places = 0;
        for (size_t i = 0; i < n; i++)
            if (group_of(model, clients[i]) == cluster)
                places[n_places++] = i;
        n_groups = divide(model, clients, places, n_places, n_groups, groups);
    }
    free(places);
}

/* ---- what they hear -------------------------------------------------------------------------- */

const float *frs_semidfegl_heard(const struct frs_semidfegl *model, uint32_t client) {
    if (!model->heard_at || model->heard_at[client] == 0)
        return NULL;
    return model->heard + (model->heard_at[client] - 1) * model->layers * model->dim;
}

/* A group on its way through the layers. */
struct meeting {
    const struct frs_semidfegl *model;
    struct frs_arena *arena;
    size_t n;
    bool *unheard; /* [layers × n × n] by layer, receiver and sender */
};

/* As a message of the group's common items, which have the same row each: what its receivers decode. */
static void carry(void *context, size_t layer, size_t from, float *vector) {
    const struct meeting *meeting = context;
    const struct frs_semidfegl *model = meeting->model;
    size_t dim = model->dim, n = model->common;
    struct frs_arena_mark mark = frs_arena_mark(meeting->arena);
    float *rows = frs_arena_take(meeting->arena, n * dim, sizeof *rows);
    struct frs_buffer message = {0};
    struct frs_rows decoded;
    (void)layer;
    (void)from;
    for (size_t i = 0; i < n; i++)
        memcpy(rows + i * dim, vector, dim * sizeof *rows);
    frs_codec_dense.encode(NULL, &(struct frs_rows){.n_rows = n, .dim = dim, .n = n, .values = rows},
        &(struct frs_encoding){.arena = meeting->arena}, &message);
    FRS_INVARIANT(message.n == n * dim * sizeof(float), "a layer's message has %zu bytes", message.n);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    bool sound = frs_codec_dense.decode(NULL, &in, n, dim, NULL, meeting->arena, &decoded);
    FRS_INVARIANT(sound, "a layer's message does not decode");
    memset(vector, 0, dim * sizeof *vector); /* rows of zeros are not among those that are decoded */
    if (decoded.n > 0)
        memcpy(vector, decoded.values, dim * sizeof *vector);
    frs_buffer_fini(&message);
    frs_arena_release(meeting->arena, mark);
}

static bool heard(void *context, size_t layer, size_t from, size_t to) {
    const struct meeting *meeting = context;
    return !meeting->unheard[(layer * meeting->n + to) * meeting->n + from];
}

/* `at` [exchange->n]: the place of each client in its group. */
static bool *list_unheard(const struct frs_semidfegl *model, const struct frs_layer_exchange *exchange,
    uint32_t group, size_t n, const size_t *at, struct frs_arena *arena) {
    bool *unheard = frs_arena_take_zeroed(arena, model->layers * n * n + 1, sizeof *unheard);
    for (size_t i = 0; i < exchange->n_unheard; i++) {
        const struct frs_unheard *one = &exchange->unheard[i];
        if (exchange->groups[one->from] == group)
            unheard[(one->layer * n + at[one->to]) * n + at[one->from]] = true;
    }
    return unheard;
}

static void meet(struct frs_semidfegl *model, const struct frs_layer_exchange *exchange, uint32_t group,
    size_t *at, size_t first, struct frs_arena *arena) {
    const struct frs_population *population = model->base.setup.population;
    size_t dim = model->dim, width = dim + 1, n = 0;
    struct frs_arena_mark mark = frs_arena_mark(arena);
    struct frs_group_member *members = frs_arena_take(arena, exchange->n, sizeof *members);
    float *sum = frs_arena_take_zeroed(arena, dim, sizeof *sum);
    for (size_t i = 0; i < exchange->n; i++) {
        if (exchange->groups[i] != group)
            continue;
        const struct frs_client_data *data = &population->clients[exchange->clients[i]];
        const float *received = exchange->personal[i].part[0];
        float *star = frs_arena_take(arena, 2 * dim, sizeof *star);
        frs_semidfegl_star_of(model, data, received, arena, star, star + dim);
        for (size_t c = 0; n == 0 && c < model->common; c++)
            for (size_t k = 0; k < dim; k++)
                sum[k] += received[c * width + 1 + k];
        model->heard_at[exchange->clients[i]] = (uint32_t)(first + n + 1);
        at[i] = n;
        members[n++] = (struct frs_group_member){star, star + dim, (float)data->n};
    }
    struct meeting meeting = {model, arena, n, list_unheard(model, exchange, group, n, at, arena)};
    frs_group_graph_exchange(members, n, sum, model->common, model->layers, dim,
        &(struct frs_group_hearing){.context = &meeting, .carry = carry, .heard = heard},
        model->heard + first * model->layers * dim, arena);
    frs_arena_release(arena, mark);
}

static void exchange_layers(
    void *context, const struct frs_layer_exchange *exchange, struct frs_arena *arena) {
    struct frs_semidfegl *model = context;
    size_t *at = frs_alloc(exchange->n + 1, sizeof *at), first = 0;
    uint32_t n_groups = 0;
    memset(model->heard_at, 0, model->base.setup.population->n_clients * sizeof *model->heard_at);
    free(model->heard);
    model->heard = frs_alloc(exchange->n * model->layers * model->dim + 1, sizeof *model->heard);
    for (size_t i = 0; i < exchange->n; i++)
        n_groups = exchange->groups[i] > n_groups ? exchange->groups[i] : n_groups;
    for (uint32_t group = 1; group <= n_groups; group++) {
        meet(model, exchange, group, at, first, arena);
        for (size_t i = 0; i < exchange->n; i++)
            first += exchange->groups[i] == group;
    }
    free(at);
}

const struct frs_learner_layers frs_semidfegl_layers = {
    .shape = shape, .assemble = assemble, .exchange = exchange_layers};
