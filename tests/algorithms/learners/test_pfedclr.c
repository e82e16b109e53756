/* PFedCLR: participations by hand, its ablations, its table 6, and what uploads show of the positives. */
#include "algorithms/privacy_mechanism.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>
#include <stdio.h>

extern const struct frs_learner frs_learner_pfedclr, frs_learner_fedmf;

/* Six items; client 0 has {0, 1}, client 1 {1, 2, 3}. A client with one negative per positive draws it from
 * the other items. */
static const uint32_t items[] = {0, 1, 1, 2, 3}, every_item[] = {0, 1, 2, 3, 4, 5};
static const float ones[] = {1, 1, 1, 1, 1};
static const struct frs_client_data clients[] = {
    {0, items, ones, 2, items, 2}, {1, items + 2, ones, 3, items + 2, 3}};
static const struct frs_population tiny = {.n_clients = 2, .n_items = 6, .clients = clients, .seed = 3};

enum { DIM = 4, ITEMS = 6 };

#define TINY "dim", "4", "epochs", "1", "calibration_rate", "-1"

static void *tiny_model(const struct frs_learner *learner, const char *const *settings) {
    struct frs_learner_setup setup = {.population = &tiny, .negatives_per_positive = 1};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    struct frs_errors errors = {0};
    void *model = learner->create(&values, &setup, &errors);
    ck_assert_ptr_nonnull(model);
    frs_values_fini(&values);
    return model;
}

static struct frs_trained train(void *model, uint32_t client, struct frs_arena *arena) {
    return train_client(&frs_learner_pfedclr, model, &tiny, client, 0, 0, arena);
}

static void score_all(
    const void *model, const struct frs_tables *tables, uint32_t client, float scores[ITEMS]) {
    frs_learner_pfedclr.score(model, tables, client, every_item, ITEMS, scores);
}

static float sign(float x) {
    return (float)((x > 0) - (x < 0));
}

static float dot(const float *a, const float *b) {
    float sum = 0;
    for (size_t k = 0; k < DIM; k++)
        sum += a[k] * b[k];
    return sum;
}

/* p of a client that has not been trained: its scores of unit rows. */
static void initial_user(const void *model, float p[DIM]) {
    float unit[ITEMS * DIM] = {0}, scores[ITEMS];
    for (size_t k = 0; k < DIM; k++)
        unit[k * DIM + k] = 1;
    score_all(model, &(struct frs_tables){.part = {unit}}, 0, scores);
    memcpy(p, scores, DIM * sizeof *p);
}

static bool is_positive(uint32_t item) {
    return item < 2; /* of client 0 */
}

/* The first step of Adam from fresh state is its rate against the sign of the gradient. One batch, one epoch:
 *   step 1  q_i += .01 · sign(p) for positives, −= for negatives; p stays as it was
 *   step 2  c_i = σ(p·q_i) − y_i has the sign of −y; ∂p = Σ c_i q_i with the new rows, so p −= .01 sign(∂p);
 *           A = 0: ∂a_i = c_i B p, so a_i = ±.01 sign(B p); ∂B = Σ c_i a_i ⊗ p = 0, so B stays
 * The prediction is p·q_i ± .01 Σ_j |(B p)_j|, up to what p's step of .01 does to B p: the same for all
 * positives, its opposite for the negatives, and nothing for items that were not touched. */
START_TEST(first_participation_by_hand) {
    void *model = tiny_model(&frs_learner_pfedclr, SETTINGS(TINY));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    float p[DIM], after[DIM], gradient[DIM] = {0}, table[ITEMS * DIM], scores[ITEMS], lift = 0;
    initial_user(model, p);
    memcpy(table, tables.part[0], sizeof table);
    struct frs_trained trained = train(model, 0, &arena);
    const struct frs_rows *upload = &trained.upload[0];
    bool touched[ITEMS] = {false};
    ck_assert(upload->n >= 3 && upload->n <= 4); /* two positives, one or two negatives */
    ck_assert_uint_eq(trained.samples, 4);
    ck_assert_double_eq(trained.processed, 8);
    for (size_t i = 0; i < upload->n; i++) {
        uint32_t item = upload->ids[i];
        float direction = is_positive(item) ? 1 : -1;
        touched[item] = true;
        for (size_t k = 0; k < DIM; k++)
            ck_assert_float_eq_tol(
                upload->values[i * DIM + k], table[item * DIM + k] + .01f * direction * sign(p[k]), 1e-6f);
        memcpy(table + item * DIM, upload->values + i * DIM, DIM * sizeof *table);
        float occurrences = is_positive(item) || upload->n == 4 ? 1 : 2;
        float c = occurrences * (1 / (1 + expf(-dot(p, table + item * DIM))) - is_positive(item));
        for (size_t k = 0; k < DIM; k++)
            gradient[k] += c * table[item * DIM + k];
    }
    memcpy(after, (const float *)trained.private_state, sizeof after);
    for (size_t k = 0; k < DIM; k++)
        ck_assert_float_eq_tol(after[k], p[k] - .01f * sign(gradient[k]), 1e-6f);
    commit_client(model, 0, 0, &trained);
    memset(tables.part[0], 0, sizeof table); /* what the server holds no longer matters to this client */
    score_all(model, &tables, 0, scores);
    lift = scores[0] - dot(after, table);
    ck_assert_float_gt(lift, 0);
    for (uint32_t item = 0; item < ITEMS; item++) {
        float expected = touched[item] ? is_positive(item) ? lift : -lift : 0;
        ck_assert_float_eq_tol(scores[item] - dot(after, table + item * DIM), expected, 2e-6f);
    }
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* CF: the same with w_i = ±.01 sign(p), which lifts a positive's score by p·w_i. */
START_TEST(full_matrix_by_hand) {
    void *model = tiny_model(&frs_learner_pfedclr, SETTINGS(TINY, "ablation", "cf"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    float p[DIM], scores[ITEMS];
    initial_user(model, p);
    struct frs_trained trained = train(model, 0, &arena);
    const float *after = (const float *)trained.private_state;
    float lift = 0;
    for (size_t k = 0; k < DIM; k++)
        lift += .01f * after[k] * sign(p[k]);
    commit_client(model, 0, 0, &trained);
    score_all(model, &tables, 0, scores);
    for (size_t i = 0; i < trained.upload[0].n; i++) {
        uint32_t item = trained.upload[0].ids[i];
        ck_assert_float_eq_tol(scores[item] - dot(after, trained.upload[0].values + i * DIM),
            is_positive(item) ? lift : -lift, 2e-6f);
    }
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* AF uploads what FedMF does; step 2 leaves p where step 1 has taken it. */
START_TEST(adaptation_is_fedmf_first) {
    static const char *const names[] = {"af", "af_reset"};
    void *model = tiny_model(
        &frs_learner_pfedclr, SETTINGS("dim", "4", "ablation", names[_i], "calibration_rate", "-1"));
    void *fedmf = tiny_model(
        &frs_learner_fedmf, SETTINGS("dim", "4", "epochs", "10", "optimiser", "adam", "learning_rate", "0.01",
                                "weight_decay", "0", "init_sd", "1", "user_init", "shared"));
    struct frs_arena arena = {0};
    struct frs_trained ours = train(model, 1, &arena);
    struct frs_trained theirs = train_client(&frs_learner_fedmf, fedmf, &tiny, 1, 0, 0, &arena);
    ck_assert_uint_eq(ours.upload[0].n, theirs.upload[0].n);
    ck_assert_mem_eq(ours.upload[0].values, theirs.upload[0].values, ours.upload[0].n * DIM * sizeof(float));
    ck_assert_mem_eq(ours.private_state, theirs.private_state, DIM * sizeof(float));
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    frs_model_destroy(fedmf);
}
END_TEST

/* A or W continues from the end of the last participation. Under af_reset W starts from zero: a client
 * that comes back would then end with the same W as a newcomer, were it not for p. */
START_TEST(private_matrices_stay) {
    static const struct {
        const char *ablation;
        bool stays;
    } cases[] = {{"none", true}, {"cf", true}, {"af", true}, {"af_reset", false}};
    for (size_t c = 0; c < 4; c++) {
        struct frs_arena arena = {0};
        float moved[2];
        for (int repeat = 0; repeat < 2; repeat++) {
            void *model =
                tiny_model(&frs_learner_pfedclr, SETTINGS(TINY, "ablation", cases[c].ablation,
                                                     "user_learning_rate", "0", "user_init", "private"));
            for (int round = 0; round <= repeat; round++) { /* twice the same, from the same tables */
                struct frs_trained trained = train(model, 0, &arena);
                commit_client(model, 0, 0, &trained);
                size_t n = trained.private_bytes / sizeof(float);
                moved[repeat] = fabsf(((const float *)trained.private_state)[n - 1]);
            }
            frs_model_destroy(model);
        }
        ck_assert_float_eq_tol(moved[0], .01f, 1e-5f);
        ck_assert_float_eq_tol(moved[1], cases[c].stays ? .02f : .01f, 1e-4f);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* Every entry of every row gets noise of its own with mean size λ;
 * the client itself keeps the clean table. */
START_TEST(laplace_noise_on_the_upload) {
    struct frs_population population = make_population(4, 600, 11);
    void *model = make_model(&frs_learner_pfedclr, &population, SETTINGS("laplace", "0.5"));
    void *clean = make_model(&frs_learner_pfedclr, &population, NULL);
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_trained noisy = train_client(&frs_learner_pfedclr, model, &population, 1, 0, 0, &arena);
    struct frs_trained same = train_client(&frs_learner_pfedclr, clean, &population, 1, 0, 0, &arena);
    struct frs_privacy_mechanism_list mechanisms = own_mechanisms(&frs_learner_pfedclr, model);
    mechanism_client(&mechanisms, &frs_learner_pfedclr, model, 1, &noisy, &arena);
    ck_assert_double_eq(frs_privacy_guarantee(&mechanisms).scale, 0);
    frs_privacy_mechanism_list_fini(&mechanisms);
    ck_assert_uint_eq(noisy.upload[0].n, 600);
    ck_assert_uint_eq(noisy.private_bytes, same.private_bytes);
    ck_assert_mem_eq(noisy.private_state, same.private_state, same.private_bytes);
    double sum = 0, size = 0, square = 0, n = 600 * 16;
    for (size_t i = 0, at = 0; i < 600; i++) {
        bool touched = at < same.upload[0].n && same.upload[0].ids[at] == i;
        const float *row = touched ? same.upload[0].values + at++ * 16 : tables.part[0] + i * 16;
        for (size_t k = 0; k < 16; k++) {
            double noise = (double)(noisy.upload[0].values[i * 16 + k] - row[k]);
            ck_assert(isfinite(noise));
            sum += noise;
            size += fabs(noise);
            square += noise * noise;
        }
    }
    ck_assert_double_eq_tol(sum / n, 0, 0.03);
    ck_assert_double_eq_tol(size / n, 0.5, 0.02);
    ck_assert_double_eq_tol(square / n, 2 * .25, 0.06);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    frs_model_destroy(clean);
    free_population(&population);
}
END_TEST

static void check_refusal(const char *const *settings, const char *message) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values = frs_values_of(frs_learner_pfedclr.plugin.params, settings);
    struct frs_errors errors = {0};
    ck_assert_ptr_null(frs_learner_pfedclr.create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_msg(strstr(errors.lines[0], message) != NULL, "%s", errors.lines[0]);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}

START_TEST(misfitting_settings_are_refused) {
    check_refusal(SETTINGS("rank", "17"), "rank: 17 is larger than dim (16)");
    check_refusal(SETTINGS("epsilon", "relative", "weight_decay", "0.1"),
        "epsilon: relative has no meaning under weight");
    check_refusal(SETTINGS("epsilon", "relative", "ablation", "af"),
        "epsilon: relative has no meaning under ablation af");
}
END_TEST

/* ---- what the papers state ------------------------------------------------------------------- */

/* One client that has every item: what it holds once all of them have been touched. */
static size_t private_values(const struct frs_learner *learner, uint32_t n_items) {
    uint32_t *all = frs_alloc(n_items, sizeof *all);
    float *ratings = frs_alloc(n_items, sizeof *ratings);
    for (uint32_t i = 0; i < n_items; i++) {
        all[i] = i;
        ratings[i] = 1;
    }
    struct frs_client_data data = {0, all, ratings, n_items, all, n_items};
    struct frs_population population = {.n_clients = 1, .n_items = n_items, .clients = &data, .seed = 1};
    void *model = make_model(learner, &population, SETTINGS("epochs", "1"));
    struct frs_arena arena = {0};
    size_t n = train_client(learner, model, &population, 0, 0, 0, &arena).private_bytes / sizeof(float);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free(all);
    free(ratings);
    return n;
}

static void check_mebibytes(size_t values, const char *printed) {
    char text[32];
    snprintf(text, sizeof text, "%.4f", (double)(4 * values) / (1 << 20));
    ck_assert_str_eq(text, printed);
}

/* PFedCLR, table 6, MiB of parameters at d 16 and r 2: a client's table and private values, and the server's
 * table besides one for every client. A private state holds two numbers of rows and, per row, its id and
 * Q_u beside what is private. */
START_TEST(parameters_are_those_of_table_6) {
    static const struct {
        size_t n_clients;
        uint32_t n_items;
        const char *fedmf, *pfedclr, *server;
    } rows[] = {{1002, 2042, "0.1247", "0.1404", "125.0077"}, {943, 1682, "0.1027", "0.1157", "96.9121"},
        {6040, 3706, "0.2263", "0.2547", "1366.4518"}};
    for (size_t i = 0; i < 3; i++) {
        size_t m = rows[i].n_items, table = 16 * m;
        check_mebibytes(table + private_values(&frs_learner_fedmf, rows[i].n_items), rows[i].fedmf);
        check_mebibytes(
            table + private_values(&frs_learner_pfedclr, rows[i].n_items) - 2 - 17 * m, rows[i].pfedclr);
        check_mebibytes((rows[i].n_clients + 1) * table, rows[i].server);
    }
}
END_TEST

/* ---- what an upload tells -------------------------------------------------------------------- */

/* Share of a client's positives among the rows that its upload moved one way along sign(p), and of its
 * negatives among the others. The server does not need p: the signs of any row that moved are sign(p) or
 * its opposite. */
struct leak {
    double positives, n_positives, negatives, n_negatives;
};

static void look_at(const struct frs_rows *upload, const float *table, const struct frs_client_data *data,
    struct leak *leak) {
    size_t n = upload->n, dim = upload->dim, with[2] = {0}, of[2] = {0};
    for (size_t i = 0, at = 0; i < n; i++) {
        const float *pivot = upload->values, *row = upload->values + i * dim;
        double agreement = 0;
        while (at < data->n && data->items[at] < upload->ids[i])
            at++;
        bool positive = at < data->n && data->items[at] == upload->ids[i];
        for (size_t k = 0; k < dim; k++)
            agreement += (double)sign(pivot[k] - table[upload->ids[0] * dim + k]) *
                         (double)(row[k] - table[upload->ids[i] * dim + k]);
        with[positive] += agreement > 0;
        of[positive]++;
    }
    bool flipped = (double)with[1] < .5 * (double)of[1]; /* one of the two ways round */
    leak->positives += (double)(flipped ? of[1] - with[1] : with[1]);
    leak->negatives += (double)(flipped ? with[0] : of[0] - with[0]);
    leak->n_positives += (double)of[1];
    leak->n_negatives += (double)of[0];
}

/* Without noise the uploads show every positive and every negative: share by share, 10 rounds of 30 clients
 * with up to 100 of 300 items. Laplace noise of .5 hides the single upload. */
START_TEST(uploads_show_the_positives) {
    struct frs_population population = make_population(30, 300, 12);
    void *model = make_model(&frs_learner_pfedclr, &population, NULL);
    struct frs_tables tables = frs_model_tables(model);
    struct leak leak = {0};
    for (uint32_t round = 0; round < 10; round++) {
        struct frs_arena arena = {0};
        struct frs_contribution contributions[30];
        for (uint32_t client = 0; client < 30; client++) {
            struct frs_trained trained =
                train_client(&frs_learner_pfedclr, model, &population, client, round, 0, &arena);
            if (trained.upload[0].n > 0)
                look_at(&trained.upload[0], tables.part[0], &population.clients[client], &leak);
            contributions[client] = contribute(&frs_learner_pfedclr, client, &trained, &tables, 0);
            commit_client(model, client, round, &trained);
        }
        frs_learner_pfedclr.aggregate(model, contributions, 30, &arena, NULL);
        frs_arena_fini(&arena);
    }
    printf("pfedclr: %.3f %% of positives and %.3f %% of negatives stand in the uploads\n",
        100 * leak.positives / leak.n_positives, 100 * leak.negatives / leak.n_negatives);
    ck_assert_double_gt(leak.positives, .999 * leak.n_positives);
    ck_assert_double_gt(leak.negatives, .999 * leak.n_negatives);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pfedclr");
    TCase *tests = tcase_create("pfedclr");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, first_participation_by_hand);
    tcase_add_test(tests, full_matrix_by_hand);
    tcase_add_loop_test(tests, adaptation_is_fedmf_first, 0, 2);
    tcase_add_test(tests, private_matrices_stay);
    tcase_add_test(tests, laplace_noise_on_the_upload);
    tcase_add_test(tests, misfitting_settings_are_refused);
    tcase_add_test(tests, parameters_are_those_of_table_6);
    tcase_add_test(tests, uploads_show_the_positives);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
