/* RFRec and RFRecF as their published code computes them (github.com/Applied-Machine-Learning-Lab/RFRec),
 * which differs from the paper: variant = "published_code".
 *
 * Client i, behind which there may be several users (200 clients of ⌊users/200⌋ users each in the code),
 * minimises
 *
 *   Σ (r − σ(u · v_j))² + λ_u Σ_users ‖u‖² + λ ‖V_(i) − V̄‖²      ratings scaled to 0 … 1
 *
 * by one step a round of an Adam it keeps, for its users' vectors and all rows of its own table. V̄ is the
 * mean of all clients' tables, and the code differentiates through it: with n clients the pull is 2λ(1 −
 * 1/n)(V_(i) − V̄). RFRecF: with probability 1 − threshold all clients make a step without the pull, and
 * with λ_u‖u‖, not squared; otherwise the server averages, and all tables become the mean (η = 1). Nothing
 * is sent for the evaluation, which uses the last mean.
 *
 * All rows move under Adam, so every client has a whole table. Without dropout the rows that no user of a
 * client has rated are equal in all of these tables. As in the paper, an absent client continues against
 * the mean it received last. In the authors' notebooks it misses the averaging alone, and still receives the
 * mean: absent = "receives".
 *
 * The code's Laplace noise is one number per client and round for its whole table, and hides nothing:
 * differences between rows stay as they were. */
#include "algorithms/aggregation.h"
#include "algorithms/kernels/steps/logistic_mf.h"
#include "algorithms/models/rfrec_model.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct code {
    struct frs_model base;
    bool fast; /* RFRecF */
    size_t dim;
    double lambda, lambda_user;
    double rate;                   /* of Adam */
    struct frs_rfrecf_coins coins; /* RFRecF */
    bool own_start, steps_alone, receives_alone;
    float *latest; /* what clients received in round latest_in [n_items × dim]; NULL: not needed */
    uint32_t latest_in;
    float clip;   /* uploads lie within ±clip; 0: they are not clipped */
    double noise; /* scale of the Laplace noise; 0: none */
    struct frs_rating_scale scale;
    uint32_t n_averages; /* so far */
    float *items;        /* V̄ [n_items × dim] */
    float *state;        /* of all clients, struct state each; NULL when only timing is asked for */
};

/* What a client keeps, as one array of floats. */
struct state {
    float *users, *users_m, *users_v; /* U and its moments [users × dim] */
    float *rows, *rows_m, *rows_v;    /* V_(i) and its moments [n_items × dim] */
    float *received;                  /* V̄ as it was last received [n_items × dim] */
    float *steps;                     /* of Adam */
};

static size_t users_length(const struct code *model) {
    return frs_users_per_client(model->base.setup.population) * model->dim;
}

static size_t table_length(const struct code *model) {
    return model->base.setup.population->n_items * model->dim;
}

static size_t state_length(const struct code *model) {
    return 3 * users_length(model) + 4 * table_length(model) + 1;
}

static struct state state_at(const struct code *model, float *array) {
    size_t users = users_length(model), table = table_length(model);
    float *rows = array + 3 * users;
    return (struct state){array, array + users, array + 2 * users, rows, rows + table, rows + 2 * table,
        rows + 3 * table, rows + 4 * table};
}

static float *array_of(const struct code *model, uint32_t client) {
    return model->state + client * state_length(model);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void init_client(struct code *model, uint32_t client, double sd) {
    const struct frs_population *population = model->base.setup.population;
    struct state state = state_at(model, array_of(model, client));
    uint32_t each = frs_users_per_client(population);
    for (uint32_t number = 0; number < each; number++) {
        struct frs_rng rng =
            frs_rng_stream(population->seed, client * each + number, 0, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, state.users + number * model->dim, model->dim, sd);
    }
    memcpy(state.received, model->items, table_length(model) * sizeof *state.received);
    memcpy(state.rows, model->items, table_length(model) * sizeof *state.rows);
    if (model->own_start) {
        struct frs_rng rng = frs_rng_stream(population->seed, client, 1, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, state.rows, table_length(model), sd);
    }
}

static void destroy_latest(void *store) {
    free(((struct code *)store)->latest);
}

static const struct frs_store_type latest_store = {
    .destroy = destroy_latest}; /* written in every round before it is read */

static void broadcast(void *context, uint32_t round, const struct frs_tables *tables) {
    struct code *model = context;
    if (!model->latest)
        return;
    memcpy(model->latest, tables->part[0], table_length(model) * sizeof *model->latest);
    model->latest_in = round;
}

static void declare(struct code *model, double sd) {
    const struct frs_population *population = model->base.setup.population;
    model->items = frs_model_table(&model->base,
        (struct frs_table){
            .name = "items", .rows = population->n_items, .dim = model->dim, .start = FRS_NORMAL, .sd = sd});
    model->state = frs_model_table(&model->base,
        (struct frs_table){
            .name = "clients", .owner = FRS_OF_CLIENTS, .dim = state_length(model), .count_unknown = true});
    frs_model_counter(&model->base, &model->n_averages);
    if (model->receives_alone && !model->base.setup.timing_only) {
        model->latest = frs_alloc(table_length(model), sizeof *model->latest);
        model->latest_in = UINT32_MAX;
        frs_model_store(&model->base, (struct frs_store){.type = &latest_store, .self = model});
    }
    for (uint32_t client = 0; model->state && client < population->n_clients; client++)
        init_client(model, client, sd);
}

static void *create_as(bool fast, const struct frs_values *values, const struct frs_learner_setup *setup,
    struct frs_errors *errors) {
    enum frs_clipping clipping = (enum frs_clipping)frs_values_choice(values, "clipping");
    if (clipping == FRS_CLIPPING_INITIAL) {
        frs_values_error(values, "clipping", errors,
            "\"initial\" is not what the published code does; allowed: none | zero");
        return NULL;
    }
    double lambda_user = frs_values_real(values, "lambda_user");
    struct code *model = frs_model_create(sizeof *model, setup);
    model->fast = fast;
    if (fast && !frs_rfrecf_read_coins(&model->coins, "threshold", values, setup->population->seed, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    model->dim = (size_t)frs_values_int(values, "dim");
    model->lambda = fast ? 0 : frs_values_real(values, "lambda");
    model->lambda_user = lambda_user >= 0 ? lambda_user : 0.1;
    model->rate = frs_values_real(values, "adam_rate");
    model->own_start = frs_values_choice(values, "init") == FRS_RFREC_INIT_OWN;
    model->steps_alone = frs_values_choice(values, "absent") != FRS_ABSENT_IDLE;
    model->receives_alone = frs_values_choice(values, "absent") == FRS_ABSENT_RECEIVES;
    model->clip = clipping != FRS_CLIPPING_NONE ? (float)frs_values_real(values, "clip") : 0;
    model->noise = frs_values_real(values, "laplace");
    model->scale = frs_rating_scale_of(setup->population);
    declare(model, frs_values_real(values, "init_sd"));
    return model;
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    return create_as(false, values, setup, errors);
}

static void *create_fast(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    return create_as(true, values, setup, errors);
}

static struct frs_course course(const void *context, uint32_t round) {
    const struct code *model = context;
    return frs_rfrecf_course_of(&model->coins, round);
}

static bool steps_alone(const void *context, uint32_t round) {
    const struct code *model = context;
    return model->steps_alone && (!model->fast || course(model, round).trains);
}

/* ---- the client ------------------------------------------------------------------------------ */

/* λ_u‖u‖² or, in RFRecF, λ_u‖u‖. */
static void add_penalty(const struct code *model, const float *u, float *gradient) {
    double squared = 0, factor = 2 * model->lambda_user;
    for (size_t k = 0; k < model->dim; k++)
        squared += (double)u[k] * (double)u[k];
    if (model->fast)
        factor = squared > 0 ? model->lambda_user / sqrt(squared) : 0;
    for (size_t k = 0; k < model->dim; k++)
        gradient[k] += (float)factor * u[k];
}

/* Gradients of the client's own loss, added to what is there. Returns Σ (r − σ)². */
static double differentiate(const struct code *model, const struct state *state, uint32_t client,
    float *row_gradients, float *user_gradients) {
    double squared = 0;
    for (uint32_t number = 0; number < frs_users_per_client(model->base.setup.population); number++) {
        const struct frs_client_data *user = frs_client_user(model->base.setup.population, client, number);
        const float *u = state->users + number * model->dim;
        float *gradient = user_gradients + number * model->dim;
        squared += frs_logistic_mf_gradient(
            state->rows, user, &model->scale, u, model->dim, row_gradients, gradient);
        add_penalty(model, u, gradient);
    }
    return squared;
}

/* One step of Adam, of everything the client has. Returns the operations. */
static double step(
    const struct code *model, const struct state *state, float *row_gradients, const float *user_gradients) {
    size_t n_users = users_length(model), n_rows = table_length(model);
    double n_clients = model->base.setup.population->n_clients;
    *state->steps += 1;
    struct frs_adam_step adam = frs_adam_step(model->rate, (unsigned)*state->steps);
    if (!model->fast)
        frs_logistic_mf_pull(state->rows, state->received, (float)(2 * model->lambda * (1 - 1 / n_clients)),
            n_rows, row_gradients);
    frs_logistic_mf_step(state->users, state->users_m, state->users_v, user_gradients, n_users, adam);
    frs_logistic_mf_step(state->rows, state->rows_m, state->rows_v, row_gradients, n_rows, adam);
    return (model->fast ? 12 : 15) * (double)n_rows + 16 * (double)n_users;
}

/* V_(i), clipped. */
static struct frs_rows prepare_upload(
    const struct code *model, const struct state *state, struct frs_arena *arena) {
    size_t n = table_length(model), n_items = model->base.setup.population->n_items;
    float *sent = frs_arena_take(arena, n, sizeof *sent);
    memcpy(sent, state->rows, n * sizeof *sent);
    for (size_t i = 0; model->clip > 0 && i < n; i++) /* what is not a number stays so */
        sent[i] = sent[i] > model->clip ? model->clip : sent[i] < -model->clip ? -model->clip : sent[i];
    return (struct frs_rows){.n_rows = n_items, .dim = model->dim, .n = n_items, .values = sent};
}

/* RFRecF's tables become the mean, and so does that of a client without ratings. */
static void receive(
    const struct code *model, const struct frs_training *training, const struct state *state) {
    size_t n = table_length(model);
    const float *table = training->tables                      ? training->tables->part[0]
                         : model->latest_in == training->round ? model->latest
                                                               : NULL;
    if (!table)
        return;
    memcpy(state->received, table, n * sizeof(float));
    if (model->fast || training->data->n == 0)
        memcpy(state->rows, state->received, n * sizeof(float));
}

/* In a round of RFRecF in which the server averages nothing changes here. */
static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct code *model = context;
    const struct frs_client_data *data = training->data;
    size_t length = state_length(model), n_users = users_length(model);
    if (model->fast && !course(model, training->round).trains) {
        struct state state = state_at(model, array_of(model, data->client));
        *out = (struct frs_trained){
            .upload = {prepare_upload(model, &state, arena)}, .samples = (uint32_t)data->n};
        return;
    }
    float *array = frs_arena_take(arena, length, sizeof *array);
    float *row_gradients = frs_arena_take_zeroed(arena, table_length(model), sizeof *row_gradients);
    float *user_gradients = frs_arena_take_zeroed(arena, n_users, sizeof *user_gradients);
    memcpy(array, array_of(model, data->client), length * sizeof *array);
    struct state state = state_at(model, array);
    receive(model, training, &state);
    double squared = differentiate(model, &state, data->client, row_gradients, user_gradients), flop = 0;
    if (data->n > 0)
        flop = (double)data->n * (6 * (double)model->dim + 10) +
               step(model, &state, row_gradients, user_gradients);
    *out = (struct frs_trained){
        .upload = {prepare_upload(model, &state, arena)},
        .kept = {.rows = {array}},
        .samples = (uint32_t)data->n,
        .flop = flop,
        .processed = (double)data->n,
        .loss = data->n > 0 ? squared / (double)data->n : 0,
    };
}

static void score(const void *context, const struct frs_tables *held, uint32_t user, const uint32_t *items,
    size_t n, float *scores) {
    const struct code *model = context;
    uint32_t each = frs_users_per_client(model->base.setup.population);
    const float *u = state_at(model, array_of(model, user / each)).users + user % each * model->dim;
    for (size_t i = 0; i < n; i++)
        scores[i] =
            frs_logistic_mf_predict(u, held->part[0] + items[i] * model->dim, model->dim, &model->scale);
}

/* ---- the server ------------------------------------------------------------------------------ */

/* The mean of what the clients of an average add to all of their values. */
static double mean_noise(const struct code *model, const struct frs_contribution *contributions, size_t n) {
    double sum = 0;
    for (size_t i = 0; model->noise > 0 && i < n; i++) {
        struct frs_rng rng = frs_rng_stream(
            model->base.setup.population->seed, contributions[i].client, model->n_averages, 0, FRS_RNG_NOISE);
        double first = frs_rng_exponential(&rng);
        sum += model->noise * (first - frs_rng_exponential(&rng)); /* Laplace of scale s */
    }
    return sum / (double)n;
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct code *model = context;
    float noise = (float)mean_noise(model, contributions, n);
    struct frs_rows mean = frs_aggregate_changes(contributions, n, 0, FRS_UNIFORM, model->base.pool, arena);
    for (size_t i = 0; i < table_length(model); i++)
        model->items[i] = noise;
    frs_rows_add_to(&mean, model->items);
    model->n_averages++;
}

/* One client's table is what it sends. */
static void apply(const void *context, const struct frs_tables *tables, uint64_t round_seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    (void)round_seed;
    (void)arena;
    memset(tables->part[0], 0, table_length(context) * sizeof(float));
    frs_rows_add_to(&update[0], tables->part[0]);
}

/* One number of noise for a whole table bounds no ε, whatever the scale of the noise: no clip is reported. */
static size_t own_mechanisms(const void *context, struct frs_own_privacy_mechanism *own) {
    const struct code *model = context;
    if (!(model->noise > 0))
        return 0;
    own[0] = (struct frs_own_privacy_mechanism){"laplace", {{"scale", ""}}};
    frs_text_number(model->noise, own[0].settings[0].text, sizeof own[0].settings[0].text);
    return 1;
}

static const char *refuses(const void *context) {
    (void)context;
    return "in the published code a client is several users; allowed: method.variant = \"paper\"";
}

static const struct frs_learner_privacy mechanisms = {
    .own = own_mechanisms, .draws_itself = true, .refuses = refuses};
static const struct frs_learner_rounds rounds = {.steps_alone = steps_alone, .broadcast = broadcast};
static const struct frs_learner_rounds fast_rounds = {
    .course = course, .steps_alone = steps_alone, .broadcast = broadcast};

#define CODE_SLOTS                                                                                           \
    .uploads_updates = true, .draws_nothing = true, .predicts_ratings = true, .holds_users = true,           \
    .averaging = FRS_AVERAGES_NOT, .own_step = FRS_RFREC_OWN_STEP, .train = train, .aggregate = aggregate,   \
    .apply = apply, .mechanisms = &mechanisms, .score = score

const struct frs_learner frs_rfrec_published_code = {
    .plugin = {.name = "rfrec",
        .summary = "RFRec as published: logistic, Adam",
        .source = "Liu et al., CIKM 2024, published code",
        .params = frs_rfrec_params},
    .rounds = &rounds,
    .create = create,
    CODE_SLOTS,
};

const struct frs_learner frs_rfrecf_published_code = {
    .plugin = {.name = "rfrecf",
        .summary = "RFRecF as published: logistic, Adam",
        .source = "Liu et al., CIKM 2024, published code",
        .params = frs_rfrecf_params},
    .rounds = &fast_rounds,
    .create = create_fast,
    CODE_SLOTS,
};
