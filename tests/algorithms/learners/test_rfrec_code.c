/* RFRec and RFRecF as published: three clients of two users against the formulas in double precision, and
 * the consequences of Adam and of the single number of noise. */
#include "algorithms/models/rfrec_model.h"
#include "algorithms/privacy_mechanism.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* Six items: only users behind client 2 rate number 4, and no user rates number 5. Client i holds users 2i
 * and 2i + 1. */
enum { CLIENTS = 3, USERS = 6, ITEMS = 6, DIM = 2 };
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

static const struct frs_learner *const learners[] = {&frs_rfrec_published_code, &frs_rfrecf_published_code};
#define SMALL "variant", "published_code", "dim", "2", "init_sd", "0.3"

/* ---- the same in double precision ------------------------------------------------------------ */

struct world {
    double u[USERS][DIM], um[USERS][DIM], uv[USERS][DIM];
    double v[CLIENTS][ITEMS * DIM], vm[CLIENTS][ITEMS * DIM], vv[CLIENTS][ITEMS * DIM];
    double mean[ITEMS * DIM];
    int steps[CLIENTS];
};

static void draw(struct world *w) {
    float drawn[ITEMS * DIM];
    struct frs_rng rng = frs_rng_stream(5, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT);
    frs_rng_fill_normal(&rng, drawn, ITEMS * DIM, 0.3);
    *w = (struct world){0};
    for (int i = 0; i < ITEMS * DIM; i++)
        w->mean[i] = w->v[0][i] = w->v[1][i] = w->v[2][i] = (double)drawn[i];
    for (uint32_t user = 0; user < USERS; user++) {
        rng = frs_rng_stream(5, user, 0, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, drawn, DIM, 0.3);
        for (int k = 0; k < DIM; k++)
            w->u[user][k] = (double)drawn[k];
    }
}

static void adam(double *x, double *m, double *v, double g, int t) {
    *m = 0.9 * *m + 0.1 * g;
    *v = 0.999 * *v + 0.001 * g * g;
    *x -= 0.1 * (*m / (1 - pow(0.9, t))) / (sqrt(*v / (1 - pow(0.999, t))) + 1e-8);
}

/* λ 10, λ_u .1; a third of the pull of 2λ is differentiated away, there being three clients. */
static void step(struct world *w, int client, bool fast) {
    double gv[ITEMS * DIM] = {0}, gu[2][DIM] = {{0}};
    for (int number = 0; number < 2; number++) {
        const struct frs_client_data *user = &users[2 * client + number];
        double *u = w->u[2 * client + number], norm = sqrt(u[0] * u[0] + u[1] * u[1]);
        for (size_t i = 0; i < user->n; i++) {
            double *v = &w->v[client][user->items[i] * DIM];
            double y = 1 / (1 + exp(-u[0] * v[0] - u[1] * v[1]));
            double delta = 2 * (y - ((double)user->ratings[i] - 1) / 4) * y * (1 - y);
            for (int k = 0; k < DIM; k++) {
                gv[user->items[i] * DIM + (uint32_t)k] += delta * u[k];
                gu[number][k] += delta * v[k];
            }
        }
        for (int k = 0; k < DIM; k++)
            gu[number][k] += fast ? 0.1 * u[k] / norm : 0.2 * u[k];
    }
    w->steps[client]++;
    for (int i = 0; i < ITEMS * DIM; i++) {
        double pull = fast ? 0 : 20 * (1 - 1.0 / CLIENTS) * (w->v[client][i] - w->mean[i]);
        adam(&w->v[client][i], &w->vm[client][i], &w->vv[client][i], gv[i] + pull, w->steps[client]);
    }
    for (int number = 0; number < 2; number++)
        for (int k = 0; k < DIM; k++)
            adam(&w->u[2 * client + number][k], &w->um[2 * client + number][k],
                &w->uv[2 * client + number][k], gu[number][k], w->steps[client]);
}

/* As the code has it: the average is taken and handed out in one iteration. Client `away` misses the average
 * alone. */
static void play(struct world *w, bool fast, bool averages, uint32_t away) {
    for (int client = 0; client < CLIENTS && !averages; client++)
        step(w, client, fast);
    for (int i = 0; i < ITEMS * DIM && (averages || !fast); i++) {
        double sum = 0, n = 0;
        for (uint32_t client = 0; client < CLIENTS; client++)
            if (client != away) {
                sum += w->v[client][i];
                n++;
            }
        w->mean[i] = sum / n;
        if (fast)
            w->v[0][i] = w->v[1][i] = w->v[2][i] = w->mean[i];
    }
}

/* ---- the learner ----------------------------------------------------------------------------- */

/* A round with messages as the course has them; client `away` takes no part and goes on alone. */
static void play_round(const struct frs_learner *learner, void *model, uint32_t round, uint32_t away) {
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    struct frs_course course = frs_learner_course(learner, model, round);
    struct frs_tables tables = frs_model_tables(model);
    size_t n = 0;
    if (course.receives)
        frs_learner_broadcast(learner, model, round, &tables);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_training training = {.data = &clients[client],
            .tables = course.receives && client != away ? &tables : NULL,
            .round = round};
        struct frs_trained trained;
        if (client == away && !frs_learner_steps_alone(learner, model, round))
            continue;
        frs_learner_train(learner, model, &training, &arena, &trained);
        commit_client(model, client, round, &trained);
        if (client != away)
            contributions[n++] = contribute(learner, client, &trained, NULL, 0);
    }
    if (course.sends)
        learner->aggregate(model, contributions, n, &arena, NULL);
    frs_arena_fini(&arena);
}

/* And with a client that drops out in three of four rounds, as in the authors' notebooks. */
START_TEST(as_the_formulas) {
    bool fast = _i % 2, receives = _i >= 2;
    const struct frs_learner *learner = learners[fast];
    void *model = make_model(learner, &population,
        fast ? SETTINGS(SMALL, "threshold", "0.4", "absent", receives ? "receives" : "step")
             : SETTINGS(SMALL, "absent", receives ? "receives" : "step"));
    struct frs_tables tables = frs_model_tables(model);
    struct world w;
    int n_averages = 0;
    draw(&w);
    for (uint32_t round = 0; round < 30; round++) {
        bool averages = fast && !frs_learner_course(learner, model, round).trains;
        n_averages += averages;
        uint32_t away = receives && round % 4 < CLIENTS ? round % 4 : UINT32_MAX;
        play_round(learner, model, round, away);
        play(&w, fast, averages, away);
        for (int i = 0; i < ITEMS * DIM; i++)
            ck_assert_float_eq_tol(tables.part[0][i], (float)w.mean[i], 2e-4f);
        for (uint32_t user = 0; user < USERS; user++)
            for (uint32_t item = 0; item < ITEMS; item++) {
                float score;
                double logit = w.u[user][0] * w.mean[2 * item] + w.u[user][1] * w.mean[2 * item + 1];
                learner->score(model, &tables, user, &item, 1, &score);
                ck_assert_float_eq_tol(score, (float)(1 + 4 / (1 + exp(-logit))), 5e-4f);
            }
    }
    ck_assert(!fast || (n_averages > 3 && n_averages < 27));
    frs_model_destroy(model);
}
END_TEST

/* Adam's first step is its rate, whatever the gradient, where there is one: item 0 in the direction of
 * (r − ½)·u for u of either sign; item 4, not rated, stays. */
START_TEST(first_step_by_hand) {
    static const struct frs_population one = {
        .n_clients = 1, .n_items = ITEMS, .clients = users, .rating_min = 1, .rating_max = 5, .seed = 5};
    struct frs_arena arena = {0};
    void *model = make_model(&frs_rfrec_published_code, &one, SETTINGS("dim", "1", "init_sd", "1e-6"));
    float u;
    struct frs_rng rng = frs_rng_stream(5, 0, 0, 0, FRS_RNG_INIT_PRIVATE);
    frs_rng_fill_normal(&rng, &u, 1, 1);
    struct frs_trained trained = train_client(&frs_rfrec_published_code, model, &one, 0, 0, 0, &arena);
    const float *rows = trained.upload[0].values;
    ck_assert_uint_eq(trained.upload[0].n, ITEMS);
    ck_assert_float_eq_tol(rows[0], u > 0 ? 0.1f : -0.1f, 0.02f); /* 4 is above the middle, 2 below it */
    ck_assert_float_eq_tol(rows[2], u > 0 ? -0.1f : 0.1f, 0.02f);
    ck_assert_float_eq_tol(rows[4], 0, 1e-5f);
    ck_assert_double_eq_tol(trained.loss, 0.0625, 1e-6); /* (¾ − ½)², (¼ − ½)² */
    ck_assert_double_eq(trained.flop, 2 * 16 + 15 * ITEMS + 16);
    frs_model_destroy(model);
    frs_arena_fini(&arena);
}
END_TEST

/* A row that no user behind either of two clients has rated has the same bits in both tables, until one of
 * the clients has been absent. */
START_TEST(unrated_rows_are_equal) {
    const struct frs_learner *learner = &frs_rfrec_published_code;
    void *model = make_model(learner, &population, SETTINGS(SMALL));
    for (uint32_t round = 0; round < 12; round++) {
        struct frs_arena arena = {0};
        struct frs_trained first = train_client(learner, model, &population, 0, round, 0, &arena);
        struct frs_trained second = train_client(learner, model, &population, 1, round, 0, &arena);
        const float *a = first.upload[0].values + (size_t)4 * DIM,
                    *b = second.upload[0].values + (size_t)4 * DIM;
        ck_assert_int_eq(memcmp(a, b, DIM * sizeof(float)) == 0, !_i || round <= 6);
        frs_arena_fini(&arena);
        play_round(learner, model, round, _i && round == 6 ? 1 : UINT32_MAX);
    }
    frs_model_destroy(model);
}
END_TEST

/* One number for a whole table: differences of rows stay what they are, and no ε is bounded. */
START_TEST(noise_hides_nothing) {
    const struct frs_learner *learner = &frs_rfrec_published_code;
    void *quiet = make_model(learner, &population, SETTINGS(SMALL, "clipping", "zero", "clip", "0.25"));
    void *noisy = make_model(
        learner, &population, SETTINGS(SMALL, "clipping", "zero", "clip", "0.25", "laplace", "0.5"));
    play_round(learner, quiet, 0, UINT32_MAX);
    play_round(learner, noisy, 0, UINT32_MAX);
    const float *a = frs_model_tables(quiet).part[0], *b = frs_model_tables(noisy).part[0];
    ck_assert_float_gt(fabsf(b[0] - a[0]), 1e-3f);
    for (int i = 0; i < ITEMS * DIM; i++) {
        ck_assert_float_le(fabsf(a[i]), 0.25f);
        ck_assert_float_eq_tol(b[i] - a[i], b[0] - a[0], 1e-6f);
    }
    struct frs_privacy_mechanism_list mechanisms = own_mechanisms(learner, noisy),
                                      none = own_mechanisms(learner, quiet);
    struct frs_guarantee guarantee = frs_privacy_guarantee(&mechanisms);
    ck_assert(isinf(frs_privacy_loss(&guarantee, 1).epsilon));
    ck_assert_uint_eq(none.n, 0);
    frs_privacy_mechanism_list_fini(&mechanisms);
    frs_model_destroy(quiet);
    frs_model_destroy(noisy);
}
END_TEST

/* Own tables differ from the server's before anything is trained; shared ones do not. */
START_TEST(own_tables_differ_from_the_start) {
    const struct frs_learner *learner = &frs_rfrecf_published_code;
    for (int own = 0; own < 2; own++) {
        struct frs_arena arena = {0};
        void *model = make_model(learner, &population, SETTINGS(SMALL, "init", own ? "own" : "shared"));
        uint32_t round = 0;
        while (frs_learner_course(learner, model, round).trains)
            round++;
        struct frs_training training = {.data = &clients[1], .round = round};
        struct frs_trained trained;
        frs_learner_train(learner, model, &training, &arena, &trained);
        struct frs_tables tables = frs_model_tables(model);
        bool same = memcmp(trained.upload[0].values, tables.part[0], ITEMS * DIM * sizeof(float)) == 0;
        ck_assert_int_eq(same, !own);
        ck_assert_double_eq(trained.flop, 0);
        frs_model_destroy(model);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* Coins that are given come first; later ones are those that would have been drawn there. */
START_TEST(coins_can_be_given) {
    static const char given[] = "110010111";
    const struct frs_learner *learner = &frs_rfrecf_published_code;
    void *drawn = make_model(learner, &population, SETTINGS(SMALL));
    void *model = make_model(learner, &population, SETTINGS(SMALL, "coins", given));
    uint32_t n = (uint32_t)strlen(given);
    for (uint32_t k = 0; k < 40; k++) {
        struct frs_course course = frs_learner_course(learner, model, k);
        bool one = given[k < n ? k : 0] == '1', before = k > 0 && k <= n && given[k - 1] == '1';
        if (k < n) {
            ck_assert_int_eq(course.trains, !one);
            ck_assert_int_eq(course.sends, one && !before);
            ck_assert_int_eq(course.receives, !one && before);
        } else {
            ck_assert_int_eq(course.trains, frs_learner_course(learner, drawn, k).trains);
        }
    }
    frs_model_destroy(model);
    frs_model_destroy(drawn);
    struct frs_values values = frs_values_of(frs_rfrecf_params, SETTINGS(SMALL, "coins", "0102"));
    struct frs_learner_setup setup = {.population = &population};
    struct frs_errors errors = {0};
    ck_assert_ptr_null(learner->create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "allowed: at most 4096 digits 0 or 1"));
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}
END_TEST

START_TEST(clipping_about_the_start_is_refused) {
    struct frs_values values = frs_values_of(frs_rfrec_params, SETTINGS(SMALL, "clipping", "initial"));
    struct frs_learner_setup setup = {.population = &population};
    struct frs_errors errors = {0};
    ck_assert_ptr_eq(frs_learner_variant(frs_learners[0], &values), frs_learners[0]);
    ck_assert_ptr_null(frs_rfrec_published_code.create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "allowed: none | zero"));
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rfrec as published");
    TCase *tests = tcase_create("rfrec as published");
    tcase_add_loop_test(tests, as_the_formulas, 0, 4);
    tcase_add_test(tests, first_step_by_hand);
    tcase_add_loop_test(tests, unrated_rows_are_equal, 0, 2);
    tcase_add_test(tests, noise_hides_nothing);
    tcase_add_test(tests, own_tables_differ_from_the_start);
    tcase_add_test(tests, coins_can_be_given);
    tcase_add_test(tests, clipping_about_the_start_is_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
