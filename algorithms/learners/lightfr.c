/* LightFR (Zhang et al. 2023): codes of f bits for users and items, found bit by bit. Their product predicts
 * a rating.
 *
 *   r'      2f (r − least)/(largest − least) − f, as b·d lies in −f … f
 *   client  b_k ← sgn(Σ_i ρ_i d_ik + 2 λ n_u b_k) for k = 0 … f − 1, ρ_i = r' − b·d_i without bit k, until
 *           no bit flips; uploads ρ_i b_k for its items and the bits of this round
 *   server  d_ik ← sgn(Σ_u ρ_i b_k + w d_ik), w = `item_inertia` times the uploads, or those with the item
 *
 * A bit is +1 or −1, and sgn(0) leaves a bit as it is. ρ_i depends on all bits of d_i, which the server does
 * not know of clients' codes. A pass of the server over all bits is therefore f / bits_per_round rounds: each
 * is an exchange with the current codes, and the bits of one round step together. */
#include "algorithms/learner.h"
#include "algorithms/rating_scale.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/settings/params.h"

#include <string.h>

struct lightfr {
    struct frs_model base;
    size_t bits, at_once;
    uint32_t rounds_per_step, most_passes;
    double lambda, inertia;
    bool per_rater;
    struct frs_rating_scale scale;
    float *items;   /* d [n_items × bits] */
    float *clients; /* b [bits], and whether it has been solved for: [n_clients × (bits + 1)]; NULL when only
                       timing is asked for */
};

static const char *const inertia_names[] = {"uploads", "raters", NULL};
enum { OF_UPLOADS, OF_RATERS };

static const struct frs_param params[] = {
    {.key = "bits", .type = FRS_INT, .initial = "64", .min = 1, .max = 1024, .help = "length f of a code"},
    {.key = "bits_per_round",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1024,
        .help =
            "bits of an item that step together in a round, a divisor of bits: a pass of the server takes "
            "bits / bits_per_round rounds; 0: all, one round a pass"},
    {.key = "lambda",
        .type = FRS_REAL,
        .initial = "0.6",
        .min = 0,
        .max = 1e6,
        .help = "how much holds a client's bit where it is: 2 lambda times the number of its items"},
    {.key = "user_passes",
        .type = FRS_INT,
        .initial = "20",
        .min = 1,
        .max = 1000,
        .help = "passes over its bits after which a client stops though bits still flip"},
    {.key = "step_rounds",
        .type = FRS_INT,
        .initial = "1",
        .min = 1,
        .max = 1e6,
        .help = "rounds of a step: clients solve for their codes in the first of them, and keep them in the "
                "others, in which only items step"},
    {.key = "item_inertia",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e6,
        .help = "what holds an item's bit where it is, for each of those that inertia_of names"},
    {.key = "inertia_of",
        .type = FRS_CHOICE,
        .initial = "uploads",
        .choices = inertia_names,
        .help = "item_inertia counts for each upload of the round (uploads), or for each that has the item "
                "(raters)"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    size_t bits = (size_t)frs_values_int(values, "bits");
    size_t at_once = (size_t)frs_values_int(values, "bits_per_round");
    if (at_once > 0 && (at_once > bits || bits % at_once != 0)) {
        frs_values_error(values, "bits_per_round", errors, "is %zu; allowed: divisors of bits, which is %zu",
            at_once, bits);
        return NULL;
    }
    struct lightfr *model = frs_model_create(sizeof *model, setup);
    model->bits = bits;
    model->at_once = at_once > 0 ? at_once : bits;
    model->lambda = frs_values_real(values, "lambda");
    model->most_passes = (uint32_t)frs_values_int(values, "user_passes");
    model->rounds_per_step = (uint32_t)frs_values_int(values, "step_rounds");
    model->inertia = frs_values_real(values, "item_inertia");
    model->per_rater = frs_values_choice(values, "inertia_of") == OF_RATERS;
    model->scale = frs_rating_scale_of(setup->population);
    struct frs_table items = {.name = "items",
        .rows = setup->population->n_items,
        .dim = bits,
        .start = FRS_NORMAL,
        .sd = 1,
        .update_name = "sums",
        .update_dim = model->at_once};
    struct frs_table clients = {.name = "codes",
        .owner = FRS_OF_CLIENTS,
        .dim = bits + 1,
        .start = FRS_NORMAL,
        .sd = 1,
        .drawn = bits,
        .uncounted = 1};
    model->items = frs_model_table(&model->base, items);
    model->clients = frs_model_table(&model->base, clients);
    for (size_t i = 0; i < items.rows * bits; i++)
        model->items[i] = model->items[i] < 0 ? -1 : 1;
    for (size_t i = 0; model->clients && i < setup->population->n_clients * (bits + 1); i++)
        if (i % (bits + 1) < bits)
            model->clients[i] = model->clients[i] < 0 ? -1 : 1;
    return model;
}

/* Both ends of a round know by its number which bits step. */
static uint64_t round_seed(void *model, uint32_t round) {
    (void)model;
    return round;
}

static size_t first_bit(const struct lightfr *model, uint64_t round) {
    return (size_t)(round % (model->bits / model->at_once)) * model->at_once;
}

static float product(const float *a, const float *b, size_t n) {
    float sum = 0; /* of ±1: exact */
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

enum { LANES = 8 };

/* Σ a_i b_i in LANES partial sums, so that the order does not depend on the machine. */
FRS_CLONES static double lanes_product(const float *a, const float *b, size_t n) {
    float partial[LANES] = {0};
    double sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            partial[lane] += a[i + lane] * b[i + lane];
    for (size_t lane = 0; lane < LANES; lane++)
        sum += (double)partial[lane];
    for (; i < n; i++)
        sum += (double)(a[i] * b[i]);
    return sum;
}

FRS_CLONES static void add_scaled(float *a, float factor, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        a[i] += factor * b[i];
}

/* What a client in training has: columns [bits × n] of its items' codes, and its errors r' − b·d [n]. */
struct own {
    size_t n;
    const float *columns;
    float *code, *errors;
};

static const float *take_columns(const struct lightfr *model, const struct frs_client_data *data,
    const float *table, struct frs_arena *arena) {
    float *columns = frs_arena_take(arena, model->bits * data->n, sizeof *columns);
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < model->bits; k++)
            columns[k * data->n + i] = table[data->items[i] * model->bits + k];
    return columns;
}

static void find_errors(
    const struct lightfr *model, const struct frs_client_data *data, const struct own *own) {
    float f = (float)model->bits;
    for (size_t i = 0; i < own->n; i++)
        own->errors[i] = 2 * f * frs_rating_to_unit(&model->scale, data->ratings[i]) - f;
    for (size_t k = 0; k < model->bits; k++)
        add_scaled(own->errors, -own->code[k], own->columns + k * own->n, own->n);
}

/* Since bits are ±1, Σ ρ_i d_ik = Σ e_i d_ik + n b_k. Returns the operations. */
static double solve(const struct lightfr *model, const struct own *own) {
    double hold = (1 + 2 * model->lambda) * (double)own->n, flop = 0;
    size_t flips = 1;
    for (uint32_t pass = 0; flips > 0 && pass < model->most_passes; pass++) {
        flips = 0;
        for (size_t k = 0; k < model->bits; k++) {
            const float *column = own->columns + k * own->n;
            double sum = hold * (double)own->code[k] + lanes_product(own->errors, column, own->n);
            if (sum == 0 || (sum < 0) == (own->code[k] < 0))
                continue;
            add_scaled(own->errors, 2 * own->code[k], column, own->n);
            own->code[k] = -own->code[k];
            flips++;
        }
        flop += (double)(model->bits * (2 * own->n + 2)) + 2 * (double)(flips * own->n);
    }
    return flop;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct lightfr *model = context;
    const struct frs_client_data *data = training->data;
    const float *table = training->tables->part[0];
    size_t bits = model->bits, at_once = model->at_once, first = first_bit(model, training->round_seed);
    struct own own = {data->n, take_columns(model, data, table, arena),
        frs_arena_take(arena, bits + 1, sizeof *own.code),
        frs_arena_take(arena, data->n, sizeof *own.errors)};
    float *rows = frs_arena_take(arena, data->n * at_once, sizeof *rows);
    memcpy(own.code, model->clients + data->client * (bits + 1), (bits + 1) * sizeof *own.code);
    find_errors(model, data, &own);
    double flop = (double)data->n * (2 * (double)bits + 5), squared = 0;
    if (data->n > 0 && (own.code[bits] == 0 || training->round_seed % model->rounds_per_step == 0)) {
        flop += solve(model, &own);
        own.code[bits] = 1;
    }
    double unit = (double)model->scale.span / (2 * (double)bits);
    for (size_t i = 0; i < data->n; i++) {
        float error = own.errors[i];
        for (size_t k = 0; k < at_once; k++)
            rows[i * at_once + k] = error * own.code[first + k] + own.columns[(first + k) * data->n + i];
        squared += (double)error * (double)error * unit * unit;
    }
    *out = (struct frs_trained){.upload = {{.n_rows = model->base.setup.population->n_items,
                                    .dim = at_once,
                                    .n = data->n,
                                    .ids = data->items,
                                    .values = rows}},
        .kept = {.rows = {own.code}},
        .samples = (uint32_t)data->n,
        .flop = data->n > 0 ? flop + 2 * (double)(data->n * at_once) : 0,
        .processed = (double)data->n,
        .loss = data->n > 0 ? squared / (double)data->n : 0};
}

/* How many uploads have each row. */
static uint32_t *count_raters(
    const struct frs_contribution *contributions, size_t n, size_t n_rows, struct frs_arena *arena) {
    uint32_t *raters = frs_arena_take_zeroed(arena, n_rows, sizeof *raters);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < contributions[c].parts[0].n; i++)
            raters[contributions[c].parts[0].ids ? contributions[c].parts[0].ids[i] : i]++;
    return raters;
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct lightfr *model = context;
    (void)update;
    size_t first = first_bit(model, contributions[0].round_seed);
    const uint32_t *raters = count_raters(contributions, n, model->base.setup.population->n_items, arena);
    struct frs_rows sums = frs_model_sum(&model->base, contributions, n, 0, arena);
    for (size_t i = 0; i < sums.n; i++) {
        size_t item = sums.ids ? sums.ids[i] : i;
        double hold = model->inertia * (model->per_rater ? (double)raters[item] : (double)n);
        float *bits = model->items + item * model->bits + first;
        for (size_t k = 0; k < sums.dim; k++) {
            double sum = (double)sums.values[i * sums.dim + k] + hold * (double)bits[k];
            if (sum != 0)
                bits[k] = sum < 0 ? -1 : 1;
        }
    }
}

static double aggregate_flop(const void *context, size_t n, double values) {
    const struct lightfr *model = context;
    (void)n;
    return values + 3 * (double)model->base.setup.population->n_items * (double)model->at_once;
}

static void score(const void *context, const struct frs_tables *tables, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct lightfr *model = context;
    const float *code = model->clients + client * (model->bits + 1);
    float f = (float)model->bits;
    for (size_t i = 0; i < n; i++)
        scores[i] = frs_rating_from_unit(&model->scale,
            (product(code, tables->part[0] + items[i] * model->bits, model->bits) + f) / (2 * f));
}

const struct frs_learner frs_learner_lightfr = {
    .plugin = {.name = "lightfr",
        .summary = "binary codes of users and items, found bit by bit: little goes down, much up",
        .source = "Zhang et al. 2023 (LightFR), arXiv:2206.11743",
        .params = params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .step_may_rest = true,
    .own_step = "it sets bits by the signs of sums; allowed: none, without rate",
    .draws_nothing = true,
    .predicts_ratings = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .round_seed = round_seed,
    .train = train,
    .aggregate = aggregate,
    .aggregate_flop = aggregate_flop,
    .score = score,
};
