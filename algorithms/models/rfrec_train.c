/* What a client of RFRec does in a round. */
#include "algorithms/kernels/steps/proximal_mf.h"
#include "algorithms/kernels/algebra/ridge.h"
#include "algorithms/models/rfrec_state.h"

#include <math.h>
#include <string.h>

/* One participation. */
struct work {
    const struct frs_rfrec *model;
    const struct frs_client_data *data;
    struct frs_rfrec_state state; /* as it will be committed */
    float *received;              /* v̄ [n × dim] */
    float *errors;                /* [n] */
    float *sent;                  /* [n × dim] */
    struct frs_arena *arena;
    double flop, loss;
};

static double numbers(const struct work *work) {
    return (double)(work->data->n * work->model->dim);
}

static double squared_length(const struct work *work) {
    double sum = 0;
    for (size_t k = 0; k < work->model->dim; k++)
        sum += (double)work->state.u[k] * (double)work->state.u[k];
    return sum;
}

static void find_errors(struct work *work, const float *rows) {
    size_t n = work->data->n;
    double squared =
        frs_proximal_errors(rows, work->state.u, work->data->ratings, n, work->model->dim, work->errors);
    work->flop += 2 * numbers(work) + 2 * (double)n;
    work->loss = n > 0 ? squared / (double)n : 0;
}

static void fit_user(struct work *work, const float *rows) {
    const struct frs_rfrec *model = work->model;
    work->flop += frs_ridge(
        rows, work->data->ratings, work->data->n, model->dim, model->lambda_user, work->arena, work->state.u);
}

static void step_exactly(struct work *work) {
    const struct frs_rfrec *model = work->model;
    size_t n = work->data->n;
    fit_user(work, model->step == FRS_STEP_EXACT_LOCAL ? work->state.rows : work->received);
    find_errors(work, work->received);
    if (work->state.rows)
        frs_proximal_rows(
            work->received, work->state.u, work->errors, model->lambda, n, model->dim, work->state.rows);
    if (model->clip == 0) /* the change needs no rows */
        frs_proximal_rows(NULL, work->state.u, work->errors, model->lambda, n, model->dim, work->sent);
    else
        frs_proximal_rows(
            work->received, work->state.u, work->errors, model->lambda, n, model->dim, work->sent);
    work->flop += 2 * numbers(work) + 3 * (double)n + 2 * (double)model->dim;
}

/* Everything a client holds of a reference moves towards the table it received. */
static void pull_reference(struct work *work, double share) {
    const struct frs_rfrec_state *state = &work->state;
    frs_proximal_pull(state->twins, work->received, share, work->data->n * work->model->dim);
    for (size_t slot = 0; slot < work->model->n_slots; slot++) {
        state->weights[slot] *= (float)(1 - share);
        if (fabsf(state->weights[slot]) < 1e-12f) /* beyond single precision of the sum */
            state->weights[slot] = 0;
    }
    state->weights[(size_t)*state->held] += (float)share;
}

/* How far one gradient step goes: rows down their errors and towards the received table, and u. */
struct rates {
    double items, pull, user;
};

/* Step sizes as printed; or, if steps must not overshoot, at most one over the curvature of the objective:
 * e² + λ/2‖v − v̄‖² for a row (in the main step of RFRecF: e²), Σ e² + λ_u‖u‖² for u, whose errors are
 * divided by their number. `boost` is the factor on a main step. */
static struct rates find_rates(const struct work *work, double boost) {
    const struct frs_rfrec *model = work->model;
    struct rates rates = {.items = boost * model->rate, .user = boost * model->rate};
    if (model->step == FRS_STEP_GRADIENT) {
        size_t n = work->data->n * model->dim;
        double squared = squared_length(work), rows = frs_proximal_squares(work->state.rows, n);
        rates.items = fmin(boost * fmin(model->rate, 1 / (model->lambda + 2 * squared)), 1 / (2 * squared));
        rates.user = fmin(rates.user / (double)work->data->n, 1 / (2 * (rows + model->lambda_user)));
    }
    rates.pull = model->fast ? 0 : rates.items * model->lambda;
    return rates;
}

static void step_by_gradient(struct work *work, double boost) {
    const struct frs_rfrec *model = work->model;
    double n = (double)work->data->n;
    find_errors(work, work->state.rows);
    if (n == 0)
        return;
    struct rates rates = find_rates(work, boost);
    frs_proximal_gradient(work->state.rows, work->state.u, work->errors, work->received, rates.items,
        rates.user, rates.pull, model->lambda_user, work->data->n, model->dim);
    work->flop += (rates.pull > 0 ? 7 : 4) * numbers(work) + 2 * n + 5 * (double)model->dim;
    if (model->step == FRS_STEP_GRADIENT)
        work->flop += 2 * numbers(work) + 2 * (double)model->dim;
}

/* RFRecF's main step without a rate: u by ridge regression, and rows to the minimum around themselves. λ(1
 * − p) takes the place of 1/α, as α/(1 − p) takes that of α. */
static void step_from_own_rows(struct work *work) {
    const struct frs_rfrec *model = work->model;
    size_t n = work->data->n;
    float *rows = work->state.rows;
    fit_user(work, model->step == FRS_STEP_EXACT_LOCAL ? rows : work->received);
    find_errors(work, rows);
    frs_proximal_rows(rows, work->state.u, work->errors, model->lambda * (1 - model->coins.probability), n,
        model->dim, rows);
    work->flop += 2 * numbers(work) + 3 * (double)n + 2 * (double)model->dim;
}

static void move_to_average(struct work *work) {
    find_errors(work, work->state.rows); /* the loss of the round; not part of the method's work */
    frs_proximal_pull(work->state.rows, work->received, work->model->move, work->data->n * work->model->dim);
    pull_reference(work, work->model->move);
    work->flop = 6 * numbers(work);
}

static bool by_gradient(const struct frs_rfrec *model) {
    return model->step == FRS_STEP_GRADIENT || model->step == FRS_STEP_LITERAL;
}

/* A round of RFRecF (rfrecf.c). A client that has missed the broadcast moves towards the table it has. */
static void play_fast(struct work *work, uint32_t round) {
    const struct frs_rfrec *model = work->model;
    struct frs_course course = frs_rfrecf_course(model, round);
    if (!course.trains)
        return;
    if (course.receives)
        move_to_average(work);
    else if (by_gradient(model))
        step_by_gradient(work, 1 / (1 - model->coins.probability));
    else
        step_from_own_rows(work);
}

static void play(struct work *work) {
    const struct frs_rfrec *model = work->model;
    double pull = model->rate * model->lambda;
    if (!by_gradient(model)) {
        step_exactly(work);
        return;
    }
    step_by_gradient(work, 1);
    pull_reference(work, model->step == FRS_STEP_GRADIENT ? fmin(pull, 1) : pull);
    work->flop += 3 * numbers(work);
}

/* The client sends clip(v) − clip(r). Beyond rows that were rated, clients have nothing but their
 * reference, which the server clips in the same way. */
static void prepare_upload(struct work *work) {
    const struct frs_rfrec *model = work->model;
    const struct frs_client_data *data = work->data;
    size_t n = data->n * model->dim;
    bool by_rows = model->keeps_references;
    if (model->clip == 0) {
        if (by_rows)
            frs_proximal_difference(work->state.rows, work->state.twins, n, work->sent);
        return;
    }
    if (by_rows)
        memcpy(work->sent, work->state.rows, n * sizeof *work->sent);
    frs_rfrec_clip(model, data->items, data->n, work->sent);
    float *reference = frs_arena_take(work->arena, n, sizeof *reference);
    memcpy(reference, by_rows ? work->state.twins : work->received, n * sizeof *reference);
    frs_rfrec_clip(model, data->items, data->n, reference);
    frs_proximal_difference(work->sent, reference, n, work->sent);
}

static struct work begin(
    const struct frs_rfrec *model, const struct frs_training *training, struct frs_arena *arena) {
    const struct frs_client_data *data = training->data;
    size_t n = data->n * model->dim, length = frs_rfrec_state_length(model, data->n);
    float *array = frs_arena_take(arena, length, sizeof *array);
    memcpy(array, model->state + model->start[data->client], length * sizeof *array);
    struct work work = {.model = model,
        .data = data,
        .state = frs_rfrec_state_at(model, array, data->n),
        .received = frs_arena_take(arena, n, sizeof(float)),
        .errors = frs_arena_take(arena, data->n, sizeof(float)),
        .sent = frs_arena_take(arena, n, sizeof(float)),
        .arena = arena};
    bool receives = training->tables || (model->receives_alone && model->received_in == training->round);
    if (receives && work.state.held)
        *work.state.held = (float)frs_rfrec_slot(model, training->round);
    const float *table = training->tables ? training->tables->part[0]
                         : receives       ? model->broadcasts[model->newest]
                                          : model->broadcasts[(size_t)*work.state.held];
    frs_proximal_gather(table, data->items, data->n, model->dim, work.received);
    return work;
}

void frs_rfrec_train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_rfrec *model = context;
    const struct frs_client_data *data = training->data;
    struct work work = begin(model, training, arena);
    if (model->fast)
        play_fast(&work, training->round);
    else
        play(&work);
    prepare_upload(&work);
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->base.setup.population->n_items,
                       .dim = model->dim,
                       .n = data->n,
                       .ids = data->items,
                       .values = work.sent},
            {.n_rows = model->n_slots, .dim = 1, .n = model->n_slots, .values = work.state.weights}},
        .kept = {.rows = {work.state.u}},
        .samples = (uint32_t)data->n,
        .flop = data->n > 0 ? work.flop : 0,
        .processed = (double)data->n,
        .loss = work.loss,
    };
}
