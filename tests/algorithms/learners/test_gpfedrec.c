/* GPFedRec: a graph of three users by hand, the tables that the server makes for them, how rows are
 * pulled, and the personal tables on their way to a client. */
#include "algorithms/kernels/columns.h"
#include "algorithms/downlink/downlink.h"
#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/kernels/algebra/user_graph.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_gpfedrec;
extern const struct frs_codec frs_codec_dense;

static struct frs_arena arena;

static void teardown(void) {
    frs_arena_fini(&arena);
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Tables (1, 0), (1, 1) and (0, 1), as deviations from (1, 0). Cosines 1/√2, 0 and 1/√2; over all nine pairs
 * they are (3 + 4/√2)/9 = .648 on average, and distances .352, against 1 − 1/√2 = .293 between neighbours on
 * the circle. */
static const float deviations[] = {0, 0, 0, 1, -1, 1};
static const double squared = 1, with_common[] = {0, 0, -1};

static const struct {
    struct frs_neighbourhood settings;
    float weights[9];
} graphs[] = {
    {{.threshold = 1}, {.5F, .5F, 0, 1 / 3.F, 1 / 3.F, 1 / 3.F, 0, .5F, .5F}},
    {{.threshold = 0},
        {.5F, .5F, 0, 1 / 3.F, 1 / 3.F, 1 / 3.F, 0, .5F, .5F}}, /* a cosine of 0 is not above 0 */
    {{.threshold = 1.2}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {{.threshold = 2}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, /* no neighbour: one's own */
    {{.n = 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {{.n = 2}, {.5F, .5F, 0, .5F, .5F, 0, 0, .5F, .5F}}, /* the first of two that are as similar */
    {{.n = 9}, {1 / 3.F, 1 / 3.F, 1 / 3.F, 1 / 3.F, 1 / 3.F, 1 / 3.F, 1 / 3.F, 1 / 3.F, 1 / 3.F}},
    {{.threshold = 1, .farthest = true}, {0, 0, 1, 0, 1, 0, 1, 0, 0}},
    {{.threshold = .5, .farthest = true}, {0, .5F, .5F, .5F, 0, .5F, .5F, .5F, 0}},
    {{.n = 1, .farthest = true}, {0, 0, 1, 1, 0, 0, 1, 0, 0}},
};

START_TEST(graph_by_hand) {
    float graph[9] = {0}, mixed[6];
    for (size_t column = 0; column < 2; column++) { /* a column at a time */
        float x[] = {deviations[column], deviations[2 + column], deviations[4 + column]};
        frs_user_graph_add_products(graph, x, 3, 1, 0, 2);
        frs_user_graph_add_products(graph, x, 3, 1, 2, 1);
    }
    frs_user_graph_distances(graph, squared, with_common, 3, &arena);
    static const double distances[] = {
        0, 1 - M_SQRT1_2, 1, 1 - M_SQRT1_2, 0, 1 - M_SQRT1_2, 1, 1 - M_SQRT1_2, 0};
    for (size_t i = 0; i < 9; i++)
        ck_assert_double_eq_tol((double)graph[i], distances[i], 1e-7);
    frs_user_graph_neighbours(graph, 3, &graphs[_i].settings, &arena);
    for (size_t i = 0; i < 9; i++)
        ck_assert_float_eq_tol(graph[i], graphs[_i].weights[i], 1e-7F);
    frs_user_graph_mix(graph, deviations, 3, 2, 0, 3, mixed);
    for (size_t u = 0; u < 3; u++)
        for (size_t k = 0; k < 2; k++) {
            float hand = 0;
            for (size_t v = 0; v < 3; v++)
                hand += graphs[_i].weights[u * 3 + v] * deviations[v * 2 + k];
            ck_assert_float_eq_tol(mixed[u * 2 + k], hand, 1e-6F);
        }
}
END_TEST

/* Shares .5, .25, .25 and α 1: user 0 gives p − d/2 = (.5, .25 − .146, −.25), of which the first two add up
 * to .604 and so get (1 − .604)/2 = .198 more each; user 1 gives (.354, .25, .104), each .098 more. A
 * distance below .1 counts as none. With a large α every user gets p. */
START_TEST(learned_weights_by_hand) {
    static const double shares[] = {.5, .25, .25};
    float far = (float)(1 - M_SQRT1_2);
    float graph[9] = {0, far, 1, far, 0, far, 1, far, 0}, alike[9] = {0, .09F, 1, .09F, 0, 1, 1, 1, 0};
    frs_user_graph_learn(graph, 3, shares, 1, &arena);
    double half = (1 - M_SQRT1_2) / 2, more = (1 - (.75 - half)) / 2;
    static const double zero = 0;
    const double hand[] = {
        .5 + more, .25 - half + more, zero, .5 - half / 3, .25 + 2 * half / 3, .25 - half / 3};
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq_tol((double)graph[i], hand[i], 1e-6);
    frs_user_graph_learn(alike, 3, shares, 1e9, &arena);
    for (size_t i = 0; i < 9; i++)
        ck_assert_double_eq_tol((double)alike[i], shares[i % 3], 1e-6);
    float near[4] = {0, .09F, .09F, 0};
    frs_user_graph_learn(near, 2, shares + 1, .01, &arena);
    for (size_t i = 0; i < 4; i++)
        ck_assert_float_eq_tol(near[i], .5F, 1e-6F);
}
END_TEST

/* A client without a table resembles no other one. */
START_TEST(zero_tables_have_distance_one) {
    float graph[4] = {0, 0, 0, 1}; /* g = 1, X = 0 and −1: tables 1 and 0 */
    static const double common[] = {0, -1};
    frs_user_graph_distances(graph, 1, common, 2, &arena);
    ck_assert_float_eq(graph[0], 0);
    ck_assert_float_eq(graph[1], 1);
    ck_assert_float_eq(graph[3], 0);
}
END_TEST

/* ---- the server ------------------------------------------------------------------------------ */

static struct frs_population three(void) {
    return make_population(3, 9, 4);
}

/* Uploads of whole tables [9 × 1], of which the tests check the first two items. */
static struct frs_contribution whole_table(uint32_t client, const float *table, const float *kept) {
    return (struct frs_contribution){.client = client,
        .samples = 1,
        .parts = {{.n_rows = 9, .dim = 1, .n = 9, .values = table},
            {.n_rows = 1, .dim = 1, .n = 1, .values = kept}}};
}

static void check_table(const float *table, float first, float second) {
    ck_assert_float_eq_tol(table[0], first, 1e-6F);
    ck_assert_float_eq_tol(table[1], second, 1e-6F);
}

/* The three tables above, on the first two of nine items, the rest zero. R is the mean over the neighbours, g
 * the mean of R: (1, .5), (2/3, 2/3), (.5, 1) and their mean 13/18; or of the least similar (0, 1), (1, 1),
 * (1, 0). */
static const struct {
    const char *variant;
    float own[3][2], global;
} rounds[] = {
    {"paper", {{1, .5F}, {2 / 3.F, 2 / 3.F}, {.5F, 1}}, 13 / 18.F},
    {"published_code", {{0, 1}, {1, 1}, {1, 0}}, 2 / 3.F},
};

START_TEST(round_by_hand) {
    struct frs_population population = three();
    void *model =
        make_model(&frs_learner_gpfedrec, &population, SETTINGS("dim", "1", "variant", rounds[_i].variant));
    const struct frs_learner *learner = &frs_learner_gpfedrec;
    static const float tables[3][9] = {{1, 0}, {1, 1}, {0, 1}}, kept = 0;
    struct frs_contribution contributions[3];
    for (uint32_t u = 0; u < 3; u++) {
        ck_assert_ptr_null(frs_model_personal(model, u).part[0]);
        contributions[u] = whole_table(u, tables[u], &kept);
    }
    learner->aggregate(model, contributions, 3, &arena, NULL);
    for (uint32_t u = 0; u < 3; u++)
        check_table(frs_model_personal(model, u).part[0], rounds[_i].own[u][0], rounds[_i].own[u][1]);
    check_table(frs_model_tables(model).part[0], rounds[_i].global, rounds[_i].global);
    /* A missing client has no table any more; a single client is its own neighbour. Row 0 was only pulled,
     * and a quarter of g is left in it; row 1 was trained. */
    static const uint32_t id = 1;
    static const float value = 5, quarter = .25F;
    struct frs_contribution one = {.client = 2,
        .parts = {{.n_rows = 9, .dim = 1, .n = 1, .ids = &id, .values = &value},
            {.n_rows = 1, .dim = 1, .n = 1, .values = &quarter}}};
    learner->aggregate(model, &one, 1, &arena, NULL);
    float pulled = .75F * rounds[_i].own[2][0] + .25F * rounds[_i].global;
    check_table(frs_model_personal(model, 2).part[0], pulled, 5);
    check_table(frs_model_tables(model).part[0], pulled, 5);
    ck_assert_ptr_null(frs_model_personal(model, 0).part[0]);
    /* 2 users, 9 values: 2 · 3 · 9, 2 · 4 · 9, 10 · 2 · 9 and 6 · 4. */
    ck_assert_double_eq(learner->aggregate_flop(model, 2, 1e6), 54 + 72 + 180 + 24);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* Tables wider than a stretch: the mixture of two is their mean, and of one itself. */
START_TEST(stretches_fit_together) {
    struct frs_population population = make_population(2, 700, 4);
    const struct frs_learner *learner = &frs_learner_gpfedrec;
    void *model =
        make_model(learner, &population, SETTINGS("dim", "3", "neighbours", "2", "propagations", "3"));
    float *tables[2];
    static const float kept = 0;
    struct frs_contribution contributions[2];
    struct frs_rng rng = test_rng(70);
    for (uint32_t u = 0; u < 2; u++) {
        tables[u] = frs_arena_take(&arena, 2100, sizeof(float));
        frs_rng_fill_normal(&rng, tables[u], 2100, 1);
        contributions[u] = (struct frs_contribution){.client = u,
            .parts = {{.n_rows = 700, .dim = 3, .n = 700, .values = tables[u]},
                {.n_rows = 1, .dim = 1, .n = 1, .values = &kept}}};
    }
    learner->aggregate(model, contributions, 2, &arena, NULL);
    for (size_t i = 0; i < 2100; i++)
        for (uint32_t u = 0; u < 2; u++)
            ck_assert_float_eq_tol(
                frs_model_personal(model, u).part[0][i], (tables[0][i] + tables[1][i]) / 2, 2e-6F);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* ---- a client -------------------------------------------------------------------------------- */

/* Nothing learns: rows come closer to their target by half of the way in each of three batches. */
START_TEST(rows_are_pulled) {
    struct frs_population population = three();
    struct frs_rng rng = test_rng(71), shuffle = test_rng(72);
    struct frs_samples samples = frs_samples_draw(&population.clients[0], 9, 4, &rng, &arena);
    struct frs_perceptron_shape shape = {.dim = 1, .n_layers = 1, .widths = {1}};
    float *rows = frs_arena_take_zeroed(&arena, samples.n_rows * FRS_LANES, sizeof *rows);
    float *target = frs_arena_take_zeroed(&arena, samples.n_rows * FRS_LANES, sizeof *target),
          network[] = {.5F, .25F, 0}, p = 1;
    for (size_t i = 0; i < samples.n_rows; i++) {
        rows[i * FRS_LANES] = (float)i;
        target[i * FRS_LANES] = 10;
    }
    struct frs_perceptron model = {.shape = shape,
        .n_rows = samples.n_rows,
        .rows = rows,
        .p = &p,
        .network = network,
        .target = target,
        .pull = .5F};
    struct frs_bce_mf_settings settings = {
        .epochs = 3, .batch = 1000, .optimiser = FRS_SGD, .scaling = FRS_BATCH_MEAN};
    struct frs_bce_mf_result result = frs_perceptron_train(&model, &samples, &settings, &shuffle, &arena);
    ck_assert(isfinite(result.loss));
    for (size_t i = 0; i < samples.n_rows; i++)
        ck_assert_float_eq_tol(rows[i * FRS_LANES], 10 - (10 - (float)i) / 8, 1e-6F);
    free_population(&population);
}
END_TEST

/* pull = 2 · λ · rate · factor / dim = 2 · 1 · .1 · 2 / 4 = .1; two epochs of one batch leave .81 of g. */
START_TEST(untouched_rows_are_known) {
    struct frs_population population = three();
    const struct frs_learner *learner = &frs_learner_gpfedrec;
    void *model = make_model(
        learner, &population, SETTINGS("dim", "4", "item_rate_factor", "2", "epochs", "2", "layers", "4"));
    struct frs_trained trained = train_client(learner, model, &population, 0, 0, 0, &arena);
    ck_assert_float_eq_tol(trained.upload[1].values[0], .81F, 1e-6F);
    frs_model_commit(model, 0, trained.private_state, trained.private_bytes);
    /* An item it did not touch scores as the row between both tables does. */
    uint32_t item = 0;
    for (size_t i = 0; i < trained.upload[0].n && trained.upload[0].ids[i] == item; i++)
        item++;
    ck_assert_uint_lt(item, 9);
    float global[36] = {0}, own[36] = {0}, between[36] = {0}, scores[2];
    for (size_t k = 0; k < 4; k++) {
        global[item * 4 + k] = 1;
        own[item * 4 + k] = 2;
        between[item * 4 + k] = 1.19F;
    }
    learner->score(model, &(struct frs_tables){.part = {global, own}}, 0, &item, 1, &scores[0]);
    learner->score(model, &(struct frs_tables){.part = {between}}, 0, &item, 1, &scores[1]);
    ck_assert_float_eq_tol(scores[0], scores[1], 1e-6F);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* ---- the download ---------------------------------------------------------------------------- */

/* One section of 36 bytes for every client, and another for those that were aggregated. The decoded tables
 * are those of the model. A message that claims more sections, or ends early, is refused. */
START_TEST(personal_tables_travel) {
    struct frs_population population = three();
    const struct frs_learner *learner = &frs_learner_gpfedrec;
    void *model = make_model(learner, &population, SETTINGS("dim", "1"));
    struct frs_downlink *downlink = frs_downlink_create(&(struct frs_downlink_settings){
        .learner = learner, .model = model, .codec = {.codec = &frs_codec_dense}, .n_clients = 3});
    static const float table[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, kept = 0;
    struct frs_contribution one = whole_table(1, table, &kept);
    learner->aggregate(model, &one, 1, &arena, NULL);
    frs_downlink_open(downlink, 1);
    for (uint32_t client = 0; client < 2; client++) {
        struct frs_buffer message = {0};
        float shared[9] = {0}, own[9] = {0};
        struct frs_download download;
        struct frs_tables held = {.part = {shared, own}};
        struct frs_message_size size = frs_downlink_size(downlink, client);
        frs_downlink_encode(downlink, client, 0, &message);
        ck_assert_uint_eq(message.n, 24 + 36 + 36 * client);
        ck_assert_uint_eq(size.bytes, message.n);
        ck_assert_uint_eq(size.nominal_bytes, 36 + 36 * client);
        ck_assert_uint_eq(frs_downlink_personal_values(downlink, client), 9 * client);
        ck_assert(frs_downlink_decode(downlink, &message, &held, &download));
        ck_assert_mem_eq(shared, frs_model_tables(model).part[0], sizeof shared);
        if (client == 1)
            ck_assert_mem_eq(own, frs_model_personal(model, client).part[0], sizeof own);
        message.n--;
        ck_assert(!frs_downlink_decode(downlink, &message, &held, &download));
        message.n++;
        message.bytes[12] = client == 1 ? 3 : 2; /* the number of sections */
        ck_assert(!frs_downlink_decode(downlink, &message, &held, &download));
        frs_buffer_fini(&message);
    }
    frs_downlink_destroy(downlink);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("gpfedrec");
    TCase *tests = tcase_create("gpfedrec");
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_loop_test(tests, graph_by_hand, 0, sizeof graphs / sizeof *graphs);
    tcase_add_test(tests, learned_weights_by_hand);
    tcase_add_test(tests, zero_tables_have_distance_one);
    tcase_add_loop_test(tests, round_by_hand, 0, 2);
    tcase_add_test(tests, stretches_fit_together);
    tcase_add_test(tests, rows_are_pulled);
    tcase_add_test(tests, untouched_rows_are_known);
    tcase_add_test(tests, personal_tables_travel);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
