/* FCF as RFRec's code has it: three clients of two users against the formulas in double precision. */
#include "algorithms/models/fcf_model.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* No user rates item 5. Client i holds users 2i and 2i + 1. */
enum { CLIENTS = 3, USERS = 6, ITEMS = 6, DIM = 2, LENGTH = ITEMS * DIM };
static const uint32_t items[] = {0, 2, 2, 1, 0, 3, 4, 0};
static const float ratings[] = {4, 2, 5, 3, 1, 2, 5, 3};
static const struct frs_client_data users[] = {
    {.client = 0, .items = items, .ratings = ratings, .n = 2},
    {.client = 1, .items = items + 2, .ratings = ratings + 2, .n = 1},
    {.client = 2, .items = items + 3, .ratings = ratings + 3, .n = 1},
    {.client = 3, .items = items + 4, .ratings = ratings + 4, .n = 2},
    {.client = 4, .items = items + 6, .ratings = ratings + 6, .n = 1},
    {.client = 5, .items = items + 7, .ratings = ratings + 7, .n = 1},
};
static const struct frs_client_data clients[] = {
    {.client = 0, .items = items, .ratings = ratings, .n = 3},
    {.client = 1, .items = items + 3, .ratings = ratings + 3, .n = 3},
    {.client = 2, .items = items + 6, .ratings = ratings + 6, .n = 2},
};
static const struct frs_population population = {.n_clients = CLIENTS,
    .n_items = ITEMS,
    .clients = clients,
    .users_per_client = 2,
    .users = users,
    .rating_min = 1,
    .rating_max = 5,
    .seed = 5};

#define SMALL                                                                                                \
    "variant", "published_code", "dim", "2", "init_sd", "0.3", "user_decay", "0.2", "item_decay", "0.1",     \
        "adam_rate", "0.07", "server_learning_rate", "0.05"

/* ---- the same in double precision ------------------------------------------------------------ */

struct world {
    double u[USERS][DIM], um[USERS][DIM], uv[USERS][DIM];
    double v[LENGTH], vm[LENGTH], vv[LENGTH];
    int steps[CLIENTS], n_sums;
};

static void draw(struct world *w) {
    float drawn[LENGTH];
    struct frs_rng rng = frs_rng_stream(5, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT);
    frs_rng_fill_normal(&rng, drawn, LENGTH, 0.3);
    *w = (struct world){0};
    for (int i = 0; i < LENGTH; i++)
        w->v[i] = (double)drawn[i];
    for (uint32_t user = 0; user < USERS; user++) {
        rng = frs_rng_stream(5, user, 0, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, drawn, DIM, 1);
        for (int k = 0; k < DIM; k++)
            w->u[user][k] = (double)drawn[k];
    }
}

static void adam(double *x, double *m, double *v, double g, double rate, int t) {
    *m = 0.9 * *m + 0.1 * g;
    *v = 0.999 * *v + 0.001 * g * g;
    *x -= rate * (*m / (1 - pow(0.9, t))) / (sqrt(*v / (1 - pow(0.999, t))) + 1e-8);
}

static double length(const double *x) {
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* The client's gradients, λ_v Σ‖v‖ of all items in its own loss; then the step of its users. */
static void step(struct world *w, int client, double *sum) {
    double gu[2][DIM] = {{0}};
    for (int number = 0; number < 2; number++) {
        const struct frs_client_data *user = &users[2 * client + number];
        double *u = w->u[2 * client + number], norm = length(u);
        for (size_t i = 0; i < user->n; i++) {
            double *v = &w->v[user->items[i] * DIM];
            double y = 1 / (1 + exp(-u[0] * v[0] - u[1] * v[1]));
            double delta = 2 * (y - ((double)user->ratings[i] - 1) / 4) * y * (1 - y);
            for (int k = 0; k < DIM; k++) {
                sum[user->items[i] * DIM + (uint32_t)k] += delta * u[k];
                gu[number][k] += delta * v[k];
            }
        }
        for (int k = 0; k < DIM; k++)
            gu[number][k] += 0.2 * u[k] / norm;
    }
    for (int i = 0; i < LENGTH; i++)
        sum[i] += 0.1 * w->v[i] / length(&w->v[i / DIM * DIM]);
    w->steps[client]++;
    for (int number = 0; number < 2; number++)
        for (int k = 0; k < DIM; k++)
            adam(&w->u[2 * client + number][k], &w->um[2 * client + number][k],
                &w->uv[2 * client + number][k], gu[number][k], 0.07, w->steps[client]);
}

static void play(struct world *w, int away) {
    double sum[LENGTH] = {0};
    for (int client = 0; client < CLIENTS; client++)
        if (client != away)
            step(w, client, sum);
    w->n_sums++;
    for (int i = 0; i < LENGTH; i++)
        adam(&w->v[i], &w->vm[i], &w->vv[i], sum[i], 0.05, w->n_sums);
}

/* ---- the learner ----------------------------------------------------------------------------- */

/* Client `away` takes no part; `gathers`: uploads are given one after the other. */
static void play_round(void *model, uint32_t round, uint32_t away, bool gathers) {
    const struct frs_learner *learner = &frs_fcf_published_code;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    size_t n = 0;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        if (client == away)
            continue;
        struct frs_trained trained = train_client(learner, model, &population, client, round, 0, &arena);
        commit_client(model, client, round, &trained);
        contributions[n] = contribute(learner, client, &trained, NULL, 0);
        if (gathers)
            learner->gather(model, &contributions[n], 1);
        n++;
    }
    learner->aggregate(model, gathers ? NULL : contributions, n, &arena, NULL);
    frs_arena_fini(&arena);
}

START_TEST(as_the_formulas) {
    const struct frs_learner *learner = &frs_fcf_published_code;
    void *model = make_model(learner, &population, SETTINGS(SMALL));
    struct frs_tables tables = frs_model_tables(model);
    struct world w;
    draw(&w);
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t away = round % 7 == 3 ? round % CLIENTS : UINT32_MAX;
        play_round(model, round, away, _i);
        play(&w, (int)away);
        for (int i = 0; i < LENGTH; i++)
            ck_assert_float_eq_tol(tables.part[0][i], (float)w.v[i], 1e-4f);
        for (uint32_t user = 0; user < USERS; user++)
            for (uint32_t item = 0; item < ITEMS; item++) {
                float score;
                double logit = w.u[user][0] * w.v[2 * item] + w.u[user][1] * w.v[2 * item + 1];
                learner->score(model, &tables, user, &item, 1, &score);
                ck_assert_float_eq_tol(score, (float)(1 + 4 / (1 + exp(-logit))), 5e-4f);
            }
    }
    frs_model_destroy(model);
}
END_TEST

/* The penalty is of all items: a client sends a gradient for each, and one without ratings nothing. */
START_TEST(uploads_every_row) {
    struct frs_arena arena = {0};
    void *model = make_model(&frs_fcf_published_code, &population, SETTINGS(SMALL));
    struct frs_trained trained = train_client(&frs_fcf_published_code, model, &population, 0, 0, 0, &arena);
    ck_assert_uint_eq(trained.upload[0].n, ITEMS);
    ck_assert_ptr_null(trained.upload[0].ids);
    ck_assert_double_eq(trained.flop, 3 * 22 + 16 * 4 + 4 * LENGTH);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

START_TEST(takes_the_place_of_fcf) {
    const struct frs_learner *const *fcf = frs_learners;
    while (strcmp((*fcf)->plugin.name, "fcf") != 0)
        fcf++;
    struct frs_values code = frs_values_of(frs_fcf_params, SETTINGS(SMALL)),
                      paper = frs_values_of(frs_fcf_params, NO_SETTINGS);
    ck_assert_ptr_eq(frs_learner_variant(*fcf, &code), &frs_fcf_published_code);
    ck_assert_ptr_eq(frs_learner_variant(*fcf, &paper), *fcf);
    frs_values_fini(&paper);
    frs_values_fini(&code);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fcf as published by RFRec");
    TCase *tests = tcase_create("fcf as published by RFRec");
    tcase_add_loop_test(tests, as_the_formulas, 0, 2);
    tcase_add_test(tests, uploads_every_row);
    tcase_add_test(tests, takes_the_place_of_fcf);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
