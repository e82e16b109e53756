/* CGFedRec: the contrast and a participation by hand, what messages weigh, and two rounds beside an
 * independent program (tests/oracle/cgfedrec.py), whose contrast is differentiated by differences. */
#include "algorithms/downlink/downlink.h"
#include "algorithms/kernels/steps/supcon.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"
#include "tests/folder.h"

#include <math.h>
#include <stdio.h>

extern const struct frs_learner frs_learner_cgfedrec;
extern const struct frs_codec frs_codec_binary, frs_codec_dense;

static const struct frs_learner *learner = &frs_learner_cgfedrec;

enum { LABELS, START, HEADS }; /* tables in the order of their declaration */

struct model { /* what a test sets by hand lies in the tables that the learner declares */
    struct frs_model base;
};

static float *table_of(void *model, int table) {
    return ((struct model *)model)->base.tables[table].values;
}

/* ---- the contrast ---------------------------------------------------------------------------- */

/* z = (1, 0), (0, 1), (−1, 0), the first two of one label, τ = τ_b = 1. Products: 0, −1 (of 0 and 2), 0.
 *   anchor 0  0 − log(e⁰ + e⁻¹)     anchor 1  0 − log(e⁰ + e⁰)     anchor 2  alone
 * loss = (log(1 + e⁻¹) + log 2)/3. Slopes by products, over 3: G_01 = 1/(1 + e⁻¹) − 1, G_02 = e⁻¹/(1 + e⁻¹),
 * G_10 = G_12 = ½ less 1 for the first. ∂/∂z_0 = (G_01 + G_10) z_1 + G_02 z_2; along z_0 it has no effect,
 * and row 0 is twice as long: half of what is left. */
START_TEST(contrast_by_hand) {
    static const float rows[] = {2, 0, 0, 1, -1, 0};
    static const uint32_t labels[] = {7, 7, 3};
    struct frs_arena arena = {0};
    struct frs_supcon of = {.n = 3, .dim = 2, .temperature = 1, .base = 1, .labels = labels};
    float gradient[6] = {0};
    double e = exp(-1), g01 = 1 / (1 + e) - 1, g02 = e / (1 + e), g10 = -.5, g12 = .5;
    double loss = frs_supcon_gradient(&of, rows, NULL, 0, 3, gradient, &arena);
    ck_assert_double_eq_tol(loss, (log(1 + e) + log(2)) / 3, 1e-6);
    const double expected[] = {0, (g01 + g10) / 2, g01 + g10 - g12, 0, 0, g12};
    (void)g02; /* along z_0 and z_2 */
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq_tol((double)gradient[i], expected[i], 1e-6);
    /* One anchor alone is its own mean. */
    static const uint32_t first[] = {1};
    memset(gradient, 0, sizeof gradient);
    ck_assert_double_eq_tol(frs_supcon_gradient(&of, rows, first, 1, 1, gradient, &arena), log(2), 1e-6);
    ck_assert_double_eq_tol((double)gradient[1], g10 / 2, 1e-6);
    ck_assert_double_eq(frs_supcon_flop(3, 2, 1), 3 * (18 + 20));
    frs_arena_fini(&arena);
}
END_TEST

/* Many rows, in lanes and blocks that are not full, against differences. */
START_TEST(contrast_follows_differences) {
    enum { N = 21, D = 5 };
    struct frs_rng rng = test_rng(17);
    struct frs_arena arena = {0};
    float rows[N * D], gradient[N * D] = {0}, nothing[N * D];
    uint32_t labels[N], anchors[] = {0, 3, 20, 8, 9, 11, 12};
    for (size_t i = 0; i < N * D; i++)
        rows[i] = (float)frs_rng_normal(&rng);
    for (size_t i = 0; i < N; i++)
        labels[i] = frs_rng_below(&rng, 4);
    struct frs_supcon of = {.n = N, .dim = D, .temperature = .3F, .base = .7F, .labels = labels};
    const uint32_t *some = _i ? anchors : NULL;
    (void)frs_supcon_gradient(&of, rows, some, 7, 1, gradient, &arena);
    for (size_t i = 0; i < N * D; i++) {
        float before = rows[i], h = 3e-2F;
        double values[2];
        for (size_t side = 0; side < 2; side++) {
            rows[i] = side ? before - h : before + h;
            values[side] = frs_supcon_gradient(&of, rows, some, 7, 0, nothing, &arena);
        }
        rows[i] = before;
        ck_assert_double_eq_tol((double)gradient[i], (values[0] - values[1]) / (2 * (double)h), 2e-3);
    }
    frs_arena_fini(&arena);
}
END_TEST

/* ---- a participation by hand ----------------------------------------------------------------- */

static const uint32_t own_items[] = {0}, no_items[] = {0};
static const float ones[] = {1, 1, 1, 1};
static const struct frs_client_data two_clients[] = {
    {0, own_items, ones, 1, own_items, 1}, {1, no_items, ones, 0, no_items, 0}};
static const struct frs_population tiny = {
    .n_clients = 2, .n_items = 2, .clients = two_clients, .rating_min = 1, .rating_max = 1, .seed = 3};

/* Item 0 is the client's, item 1 its only negative; q = 1 and −1, w = b = 0, so both have σ = ½ and the
 * errors over two samples are ∓¼. Head: w = .1 (¼ · 1 − ¼ · (−1)) = .05, b = 0. At the new head the scores
 * are ±.05, the errors ∓σ(−.05)/2, and the rows move by rate · m · factor = .1 · 2 · 1 times error times w.
 * There are no labels yet. */
START_TEST(participation_by_hand) {
    void *model = make_model(learner, &tiny, SETTINGS("dim", "1", "epochs", "1", "item_rate_factor", "1"));
    struct frs_arena arena = {0};
    memcpy(table_of(model, START), (const float[]){1, -1}, 2 * sizeof(float));
    memset(table_of(model, HEADS), 0, 4 * sizeof(float));
    struct frs_trained trained = train_client(learner, model, &tiny, 0, 0, 0, &arena);
    double move = .2 * .5 / (1 + exp(.05)) * .05;
    ck_assert_uint_eq(trained.upload[0].n, 2);
    ck_assert_float_eq_tol(trained.upload[0].values[0], (float)(1 + move), 1e-6F);
    ck_assert_float_eq_tol(trained.upload[0].values[1], (float)(-1 - move), 1e-6F);
    ck_assert_float_eq_tol(trained.kept.rows[0][0], .05F, 1e-6F);
    ck_assert_float_eq_tol(trained.kept.rows[0][1], 0, 1e-6F);
    ck_assert_double_eq_tol(trained.loss, log(2), 1e-6);
    ck_assert_double_eq(trained.flop, 2 * (8 + 12) + 4); /* two rows, and the head */
    commit_client(model, 0, 0, &trained);
    struct frs_tables tables = frs_model_tables(model);
    float score;
    learner->score(model, &tables, 0, own_items, 1, &score);
    ck_assert_float_eq_tol(score, .05F * (float)(1 + move), 1e-6F);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* ---- messages -------------------------------------------------------------------------------- */

/* Up 4 m d; down m ⌈log2 K⌉ bits and the one byte that says so, from the first round on. */
START_TEST(messages_weigh_what_the_formula_says) {
    static const struct {
        const char *clusters;
        size_t bits;
    } cases[] = {{"60", 6}, {"64", 6}, {"65", 7}, {"2", 1}};
    struct frs_population population = make_population(4, 150, 5);
    void *model = make_model(learner, &population, SETTINGS("dim", "7", "clusters", cases[_i].clusters));
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_contribution contributions[4];
    struct frs_downlink *downlink = frs_downlink_create(&(struct frs_downlink_settings){.learner = learner,
        .model = model,
        .codec = {.codec = &frs_codec_binary},
        .n_clients = 4,
        .seed = 1});
    for (uint32_t round = 0; round < 2; round++) {
        struct frs_buffer message = {0};
        frs_downlink_open(downlink, round);
        frs_downlink_encode(downlink, 0, 0, &message);
        ck_assert_uint_eq(message.n, 24 + 1 + (150 * cases[_i].bits + 7) / 8);
        frs_buffer_fini(&message);
        for (uint32_t u = 0; u < 4; u++) {
            struct frs_trained trained = train_client(learner, model, &population, u, round, 0, &arena);
            struct frs_buffer up = {0};
            encode_rows((struct frs_codec_choice){.codec = &frs_codec_dense}, &trained.upload[0], NULL, &up);
            ck_assert_uint_eq(up.n, 4 * 150 * 7);
            frs_buffer_fini(&up);
            contributions[u] = contribute(learner, u, &trained, &tables, 0);
        }
        learner->aggregate(model, contributions, 4, &arena, NULL);
    }
    frs_downlink_destroy(downlink);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* ---- beside an independent program ----------------------------------------------------------- */

enum { CLIENTS = 3, ITEMS = 12, OWN = 3, DIM = 3, CLUSTERS = 3, BITS = 2 };

static void write_values(FILE *file, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%.9g%c", (double)values[i], i + 1 < n ? ' ' : '\n');
}

static uint32_t label_of(void *model, size_t item) {
    const float *bits = table_of(model, LABELS) + item * BITS;
    return (uint32_t)(bits[0] > 0) + 2 * (uint32_t)(bits[1] > 0);
}

static void next_is(FILE *theirs, float ours) {
    double value;
    ck_assert_int_eq(fscanf(theirs, "%lf", &value), 1);
    ck_assert_double_eq_tol(value, (double)ours, 3e-5);
}

/* Client u owns items 3u … 3u + 2; four others are its negatives. */
static void write_client(FILE *file, void *model, uint32_t u, const float *table) {
    fprintf(file, "3 %u %u %u\n4", 3 * u, 3 * u + 1, 3 * u + 2);
    for (uint32_t i = 0; i < 4; i++)
        fprintf(file, " %u", (3 * u + 3 + i) % ITEMS);
    fputc('\n', file);
    write_values(file, table_of(model, HEADS) + u * (DIM + 1), DIM + 1);
    write_values(file, table, (size_t)ITEMS * DIM);
}

/* After k-means no item is nearer to another cluster's mean than to its own. */
static void check_clusters(void *model, double (*mean)[DIM]) {
    double centres[1 << BITS][DIM] = {{0}}, n[1 << BITS] = {0};
    for (size_t i = 0; i < ITEMS; i++) {
        n[label_of(model, i)]++;
        for (size_t k = 0; k < DIM; k++)
            centres[label_of(model, i)][k] += mean[i][k];
    }
    for (size_t i = 0; i < ITEMS; i++) {
        double least = INFINITY, own = 0;
        for (uint32_t c = 0; c < 1 << BITS; c++) {
            double distance = 0;
            for (size_t k = 0; k < DIM && n[c] > 0; k++)
                distance += pow(centres[c][k] / n[c] - mean[i][k], 2);
            least = n[c] > 0 && distance < least ? distance : least;
            own = c == label_of(model, i) ? distance : own;
        }
        ck_assert_double_le(own, least + 1e-9);
    }
}

static void check_round(
    void *model, const struct frs_population *population, uint32_t round, float (*tables)[ITEMS * DIM]) {
    struct frs_arena arena = {0};
    struct frs_tables labels = frs_model_tables(model);
    struct frs_trained trained[CLIENTS];
    struct frs_contribution contributions[CLIENTS];
    double mean[ITEMS][DIM];
    FILE *file = fopen("in.txt", "w");
    fprintf(file, "%d %d %d 2\n", CLIENTS, ITEMS, DIM);
    for (size_t i = 0; i < ITEMS; i++)
        fprintf(file, "%u ", label_of(model, i));
    for (uint32_t u = 0; u < CLIENTS; u++)
        write_client(file, model, u, tables[u]);
    fclose(file);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        trained[u] = train_client(learner, model, population, u, round, 0, &arena);
        contributions[u] = contribute(learner, u, &trained[u], &labels, 0);
    }
    char *command =
        frs_format("cd '%s' && python3 '%s/tests/oracle/cgfedrec.py' <'%s/in.txt' >'%s/theirs.txt'",
            frs_before, frs_test_source_dir(), frs_folder, frs_folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    FILE *theirs = fopen("theirs.txt", "r");
    for (uint32_t u = 0; u < CLIENTS; u++) {
        for (size_t k = 0; k <= DIM; k++)
            next_is(theirs, trained[u].kept.rows[0][k]);
        for (size_t i = 0; i < (size_t)ITEMS * DIM; i++)
            next_is(theirs, trained[u].upload[0].values[i]);
        memcpy(tables[u], trained[u].upload[0].values, sizeof tables[u]);
        commit_client(model, u, round, &trained[u]);
    }
    for (size_t i = 0; i < (size_t)ITEMS * DIM; i++)
        ck_assert_int_eq(fscanf(theirs, "%lf", &mean[i / DIM][i % DIM]), 1);
    fclose(theirs);
    learner->aggregate(model, contributions, CLIENTS, &arena, NULL);
    check_clusters(model, mean);
    frs_arena_fini(&arena);
}

START_TEST(agrees_with_an_independent_program) {
    uint32_t items[CLIENTS * OWN], excluded[CLIENTS][ITEMS - 4];
    struct frs_client_data clients[CLIENTS];
    float tables[CLIENTS][ITEMS * DIM];
    if (system("command -v python3 >/dev/null") != 0)
        return;
    for (uint32_t u = 0; u < CLIENTS; u++) {
        for (uint32_t i = 0, n = 0; i < ITEMS; i++)
            if ((i + ITEMS - 3 * u) % ITEMS < 3 || (i + ITEMS - 3 * u) % ITEMS >= 7)
                excluded[u][n++] = i;
        for (uint32_t i = 0; i < OWN; i++)
            items[u * OWN + i] = 3 * u + i;
        clients[u] = (struct frs_client_data){u, items + (size_t)u * OWN, ones, OWN, excluded[u], ITEMS - 4};
    }
    struct frs_population population = {.n_clients = CLIENTS,
        .n_items = ITEMS,
        .clients = clients,
        .rating_min = 1,
        .rating_max = 1,
        .seed = 8};
    void *model = make_model(learner, &population,
        SETTINGS("dim", "3", "clusters", "3", "item_rate_factor", "0.8", "contrast", "0.5", "anchors", "0"));
    for (uint32_t u = 0; u < CLIENTS; u++)
        memcpy(tables[u], table_of(model, START), sizeof tables[u]);
    for (uint32_t round = 0; round < 3; round++)
        check_round(model, &population, round, tables);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cgfedrec");
    TCase *tests = tcase_create("cgfedrec");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, contrast_by_hand);
    tcase_add_loop_test(tests, contrast_follows_differences, 0, 2);
    tcase_add_test(tests, participation_by_hand);
    tcase_add_loop_test(tests, messages_weigh_what_the_formula_says, 0, 4);
    tcase_add_test(tests, agrees_with_an_independent_program);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
