/* FedRec: FCF whose clients try to hide which items they have rated, by adding virtual ratings of items
 * they have not rated (Lin et al., IEEE Intelligent Systems 2021, "hybrid filling").
 *
 * In every participation a client draws rho · |R_u| unrated items. Their virtual ratings are the mean of
 * its own ratings in its first participations, and afterwards its predictions by its vector and the
 * received table. The gradients of all these items are uploaded alike. */
#include "algorithms/models/fcf_model.h"
#include "sim/base/numbers/rng.h"

struct fedrec {
    struct frs_fcf fcf;
    double rho;
    uint32_t mean_rounds;
    bool solves_with_virtual;
};

static const struct frs_param params[] = {
    FRS_FCF_PARAMS("30", "0.03"),
    {.key = "rho",
        .type = FRS_REAL,
        .initial = "3",
        .min = 0,
        .max = 1000,
        .help = "virtual ratings a client adds for each of its ratings"},
    {.key = "mean_rounds",
        .type = FRS_INT,
        .initial = "10",
        .min = 0,
        .max = UINT32_MAX,
        .help = "participations in which a client's virtual ratings are its mean rating; later ones are "
                "predicted"},
    {.key = "virtual_in_solve",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "whether the client's own vector is fitted to virtual ratings, too"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct fedrec *model = frs_fcf_begin(sizeof *model, values, setup);
    model->rho = frs_values_real(values, "rho");
    model->mean_rounds = (uint32_t)frs_values_int(values, "mean_rounds");
    model->solves_with_virtual = frs_values_bool(values, "virtual_in_solve");
    return model;
}

static size_t made_up(const void *context, const struct frs_client_data *data) {
    const struct fedrec *model = context;
    size_t n_unrated = model->fcf.base.setup.population->n_items - data->n;
    size_t wanted = (size_t)(model->rho * (double)data->n + 0.5);
    return wanted < n_unrated ? wanted : n_unrated;
}

/* Returns rho · |R_u| distinct items that the client has not rated, ascending. Draws numbers k, each
 * standing for the k-th unrated item; a bit set sorts them. */
static uint32_t *draw_unrated(const struct fedrec *model, const struct frs_training *training,
    size_t *n_drawn, struct frs_arena *arena) {
    const struct frs_client_data *data = training->data;
    const struct frs_population *population = model->fcf.base.setup.population;
    size_t n_unrated = population->n_items - data->n;
    *n_drawn = made_up(model, data);
    uint32_t *drawn = frs_arena_take(arena, *n_drawn, sizeof *drawn);
    uint64_t *is_drawn = frs_arena_take_zeroed(arena, n_unrated / 64 + 1, sizeof *is_drawn);
    struct frs_rng rng =
        frs_rng_stream(population->seed, data->client, training->round, training->attempt, FRS_RNG_NEGATIVES);
    frs_rng_sample(&rng, (uint32_t)n_unrated, (uint32_t)*n_drawn, drawn);
    for (size_t i = 0; i < *n_drawn; i++)
        is_drawn[drawn[i] / 64] |= UINT64_C(1) << drawn[i] % 64;
    for (size_t word = 0, i = 0, skipped = 0; i < *n_drawn; word++)
        for (uint64_t bits = is_drawn[word]; bits; bits &= bits - 1) {
            size_t k = word * 64 + (size_t)__builtin_ctzll(bits);
            while (skipped < data->n && data->items[skipped] <= k + skipped)
                skipped++;
            drawn[i++] = (uint32_t)(k + skipped);
        }
    return drawn;
}

static float mean(const float *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return n > 0 ? (float)(sum / (double)n) : 0;
}

static bool predicts(const struct fedrec *model, uint32_t client) {
    size_t dim = model->fcf.dim;
    return model->fcf.users[client * (dim + 1) + dim] >= (float)model->mean_rounds;
}

static void fill(const struct fedrec *model, const struct frs_training *training, const uint32_t *drawn,
    size_t n, float *ratings) {
    const struct frs_client_data *data = training->data;
    if (predicts(model, data->client)) {
        frs_fcf_score(&model->fcf, training->tables, data->client, drawn, n, ratings);
        for (size_t i = 0; i < n; i++)
            ratings[i] = frs_rating_clip(model->fcf.base.setup.population, ratings[i]);
        return;
    }
    for (size_t i = 0; i < n; i++)
        ratings[i] = mean(data->ratings, data->n);
}

/* Both lists are ascending and have no item in common. */
static struct frs_rated_items merge(
    const struct frs_rated_items *a, const struct frs_rated_items *b, struct frs_arena *arena) {
    size_t n = a->n + b->n;
    uint32_t *ids = frs_arena_take(arena, n, sizeof *ids);
    float *ratings = frs_arena_take(arena, n, sizeof *ratings);
    for (size_t i = 0, j = 0; i + j < n;) {
        bool first = j == b->n || (i < a->n && a->ids[i] < b->ids[j]);
        ids[i + j] = first ? a->ids[i] : b->ids[j];
        ratings[i + j] = first ? a->ratings[i] : b->ratings[j];
        first ? i++ : j++;
    }
    return (struct frs_rated_items){ids, ratings, n};
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct fedrec *model = context;
    const struct frs_client_data *data = training->data;
    size_t n;
    uint32_t *drawn = draw_unrated(model, training, &n, arena);
    float *virtual = frs_arena_take(arena, n, sizeof *virtual);
    fill(model, training, drawn, n, virtual);
    struct frs_rated_items rated = {data->items, data->ratings, data->n}, made_up = {drawn, virtual, n},
                           both = merge(&rated, &made_up, arena);
    frs_fcf_train_on(&model->fcf, training, model->solves_with_virtual ? &both : &rated, &both, arena, out);
    out->flop += predicts(model, data->client) ? 2 * (double)(n * model->fcf.dim) : (double)data->n;
}

const struct frs_learner frs_learner_fedrec = {
    .plugin = {.name = "fedrec",
        .summary = "FCF with virtual ratings, which are meant to hide the items a client has rated",
        .source = "Lin et al. 2021, hybrid filling; rho and rounds of Liu et al. 2024 (RFRec), table 2",
        .params = params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .own_step = FRS_SERVER_ADAM_OWN_STEP,
    .predicts_ratings = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .made_up = made_up,
    .train = train,
    .aggregate = frs_fcf_aggregate,
    .gather = frs_model_gather,
    .aggregate_flop = frs_fcf_aggregate_flop,
    .score = frs_fcf_score,
};
