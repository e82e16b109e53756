/* PTF-FedRec: a step of the server, an upload and a list for a client by hand, what messages weigh, and
 * several rounds beside an independent program (tests/oracle/ptf_fedrec.py). */
#include "algorithms/downlink/downlink.h"
#include "algorithms/models/score_graph.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"
#include "tests/folder.h"

#include <math.h>
#include <stdio.h>

extern const struct frs_learner frs_learner_ptf_fedrec;
extern const struct frs_codec frs_codec_touched_rows, frs_codec_dense;

static const struct frs_learner *learner = &frs_learner_ptf_fedrec;

enum { SCORES, KNOWLEDGE, SERVER, ARRIVED, START, USERS, NETWORKS }; /* in the order of their declaration */

struct model { /* what a test sets by hand lies in the tables that the learner declares */
    struct frs_model base;
};

static float *table_of(void *model, int table) {
    return ((struct model *)model)->base.tables[table].values;
}

/* ---- the server by hand ---------------------------------------------------------------------- */

/* One user, one item, e = .5 and −.25, the score y = .8, which is the weight of the edge: P = .8/√(.8 · .8)
 * = 1. With K = 1 both averages are (.5 − .25)/2 = .125, so the slope of either is (σ(.015625) − .8) · .125 <
 * 0, and so is the gradient of both after going back. Adam's first step is the rate, .01: e = .51 and −.24,
 * and the averages .135. */
START_TEST(server_step_by_hand) {
    enum { PITCH = 16 };
    float tables[4][2 * PITCH] = {{0}}, values[] = {.8F};
    uint32_t zeros[] = {0};
    struct frs_score_graph graph = {.n_users = 1,
        .n_items = 1,
        .dim = 1,
        .pitch = PITCH,
        .layers = 1,
        .batch = 4,
        .epochs = 1,
        .rate = .01,
        .nodes = tables[0],
        .averaged = tables[1],
        .m = tables[2],
        .v = tables[3]};
    struct frs_scores scores = {1, zeros, zeros, values};
    struct frs_rng rng = test_rng(1);
    struct frs_arena arena = {0};
    float predicted;
    tables[0][0] = .5F;
    tables[0][PITCH] = -.25F;
    frs_score_graph_train(&graph, &scores, &rng, &arena);
    ck_assert_float_eq_tol(tables[0][0], .51F, 1e-6F);
    ck_assert_float_eq_tol(tables[0][PITCH], -.24F, 1e-6F);
    ck_assert_float_eq_tol(tables[1][0], .135F, 1e-6F);
    ck_assert_float_eq_tol(tables[1][PITCH], .135F, 1e-6F);
    ck_assert_uint_eq(graph.steps, 1);
    frs_score_graph_predict(&graph, 0, zeros, 1, &predicted);
    ck_assert_float_eq_tol(predicted, (float)(1 / (1 + exp(-.135 * .135))), 1e-6F);
    /* The graph 8; a mean 4 + 2 · 2 along it and 2 for the factor, three times; 13 a sample; 14 · 2 by Adam.
     */
    ck_assert_double_eq(frs_score_graph_flop(&graph, 1), 8 + 3 * 10 + 13 + 28);
    frs_arena_fini(&arena);
}
END_TEST

/* ---- a client by hand ------------------------------------------------------------------------ */

/* Two own items of six; the others are negatives, since there are no more. */
static const uint32_t own_items[] = {1, 4}, no_items[] = {0};
static const float ones[] = {1, 1};
static const struct frs_client_data two_clients[] = {
    {0, own_items, ones, 2, own_items, 2}, {1, no_items, ones, 0, no_items, 0}};
static const struct frs_population tiny = {
    .n_clients = 2, .n_items = 6, .clients = two_clients, .rating_min = 1, .rating_max = 1, .seed = 3};

/* p = 1, one hidden unit relu(p + q) and an output of weight 1: item i, at q = i, has σ(i + 1). Nothing is
 * learnt. Own items are 4 and 1, others 5, 3, 2, 0 by falling score: where all change places, 4 has the score
 * of 5, 1 that of 3, and back. */
START_TEST(upload_by_hand) {
    static const double all[] = {1, 4, 3, 2, 6, 5}, half[] = {1, 2, 3, 4, 6, 5}, none[] = {1, 2, 3, 4, 5, 6};
    static const struct {
        const char *swap;
        const double *scores;
    } cases[] = {{"1", all}, {"0.5", half}, {"0.1", half}, {"0", none}}; /* at least one unless 0 */
    for (size_t c = 0; c < 4; c++) {
        void *model = make_model(learner, &tiny,
            SETTINGS("dim", "1", "layers", "1", "learning_rate", "0", "share_min", "1", "negatives_min", "2",
                "negatives_max", "2", "swap", cases[c].swap));
        struct frs_arena arena = {0};
        memcpy(table_of(model, USERS), (const float[]){1, 1}, 2 * sizeof(float));
        memcpy(table_of(model, NETWORKS), (const float[]){1, 1, 0, 1, 0}, 5 * sizeof(float));
        memcpy(table_of(model, START), (const float[]){0, 1, 2, 3, 4, 5}, 6 * sizeof(float));
        struct frs_trained trained = train_client(learner, model, &tiny, 0, 0, 0, &arena);
        ck_assert_uint_eq(trained.upload[0].n, 6); /* 2 + 2 · 2 */
        ck_assert_uint_eq(trained.samples, 2);
        for (size_t i = 0; i < 6; i++) {
            ck_assert_uint_eq(trained.upload[0].ids[i], i);
            ck_assert_float_eq_tol(
                trained.upload[0].values[i], (float)(1 / (1 + exp(-cases[c].scores[i]))), 1e-6F);
        }
        frs_arena_fini(&arena);
        frs_model_destroy(model);
    }
}
END_TEST

/* Client 0 has sent scores of items 1 and 4, client 1 of 0, 1 and 2. Of what has arrived 1 has two, 0, 2 and
 * 4 one, 3 and 5 none. Client 0 is sent, of 4 items, the first two by number that it has not scored: 0 and 2;
 * then those of the 4 highest scores. With one item each no list is longer than that. */
START_TEST(list_by_hand) {
    static const uint32_t ids[] = {1, 4, 0, 1, 2};
    static const float scores[] = {.9F, .8F, .7F, .6F, .5F};
    for (uint32_t n_own = 1; n_own < 5; n_own += 3) {
        void *model = make_model(
            learner, &tiny, SETTINGS("sent", "4", "server_learning_rate", "0", "server_layers", "0"));
        struct frs_arena arena = {0};
        float *server = table_of(model, SERVER);
        memset(server, 0, 8 * 32 * sizeof *server);
        server[0] = 1; /* f_0 = (1, 0, …), items (i, 0, …): the highest are 5, 4, 3, 2 */
        for (size_t i = 0; i < 6; i++)
            server[(2 + i) * 32] = (float)i;
        struct frs_contribution contributions[] = {
            {.client = 0, .samples = n_own, .parts = {{6, 1, 2, ids, scores}}},
            {.client = 1, .samples = 9, .parts = {{6, 1, 3, ids + 2, scores + 2}}}};
        ck_assert_ptr_null(frs_model_personal(model, 0).part[0]);
        learner->aggregate(model, contributions, 2, &arena, NULL);
        const float *list = frs_model_personal(model, 0).part[0];
        static const float expected[] = {0, 2, 5, 3};
        for (size_t i = 0; i < 4; i++) {
            ck_assert_float_eq(list[2 * i], i < n_own ? expected[i] : -1);
            ck_assert_float_eq_tol(
                list[2 * i + 1], i < n_own ? (float)(1 / (1 + exp(-(double)expected[i]))) : 0, 1e-6F);
        }
        frs_arena_fini(&arena);
        frs_model_destroy(model);
    }
}
END_TEST

/* ---- messages -------------------------------------------------------------------------------- */

/* Up 8 bytes for each of s · n_u (1 + ρ) scores, beside the 24 of the header and the 5 of a list of rows;
 * down 8 for each of `sent` items and nothing else, nothing at all before the first aggregation. */
START_TEST(messages_weigh_what_the_formula_says) {
    struct frs_population population = make_population(6, 3000, 5);
    void *model = make_model(
        learner, &population, SETTINGS("share_min", "0.5", "negatives_min", "1.5", "negatives_max", "1.5"));
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_contribution contributions[6];
    struct frs_downlink *downlink = frs_downlink_create(&(struct frs_downlink_settings){
        .learner = learner, .model = model, .codec = {.codec = &frs_codec_dense}, .n_clients = 6, .seed = 1});
    for (uint32_t u = 0; u < 6; u++) {
        struct frs_trained trained = train_client(learner, model, &population, u, 0, 0, &arena);
        struct frs_buffer message = {0};
        size_t n_own = population.clients[u].n, own = 0, n = trained.upload[0].n;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n_own; k++)
                own += population.clients[u].items[k] == trained.upload[0].ids[i];
        ck_assert_uint_le(own, n_own);
        ck_assert_uint_ge(2 * own, n_own > 0 ? n_own - 1 : 0);
        ck_assert_uint_eq(n, own + (size_t)(1.5 * (double)own));
        encode_rows(
            (struct frs_codec_choice){.codec = &frs_codec_touched_rows}, &trained.upload[0], NULL, &message);
        ck_assert_uint_eq(
            message.n, 5 + (4 * n < 375 ? 8 * n : 375 + 4 * n)); /* a map of the items is shorter */
        frs_buffer_fini(&message);
        frs_downlink_open(downlink, 0);
        ck_assert_uint_eq(frs_downlink_size(downlink, u).bytes, 24);
        contributions[u] = contribute(learner, u, &trained, &tables, 0);
    }
    learner->aggregate(model, contributions, 6, &arena, NULL);
    frs_downlink_open(downlink, 1);
    for (uint32_t u = 0; u < 6; u++) {
        struct frs_buffer message = {0};
        frs_downlink_encode(downlink, u, 0, &message);
        ck_assert_uint_eq(message.n, 24 + (population.clients[u].n > 0 ? 8 * 30 : 0));
        frs_buffer_fini(&message);
    }
    frs_downlink_destroy(downlink);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* ---- beside an independent program ----------------------------------------------------------- */

enum { CLIENTS = 5, ITEMS = 14, OWN = 4, DIM = 3, HIDDEN = 4, SERVER_DIM = 3, ROUNDS = 3, PITCH = 16 };

static void write_values(FILE *file, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%.9g%c", (double)values[i], i + 1 < n ? ' ' : '\n');
}

/* Client u has OWN items from u on; the items with less than 4 between them and its last are negatives, the
 * others are held out, and what the server may send. */
static void make_items(uint32_t *items, uint32_t *excluded, uint32_t *others) {
    for (uint32_t u = 0; u < CLIENTS; u++)
        for (uint32_t i = 0, own = 0, out = 0, other = 0; i < ITEMS; i++) {
            bool is_own = i >= u && i < u + OWN, is_other = i >= u + OWN && i < u + OWN + 4;
            if (is_own)
                items[u * OWN + own++] = i;
            if (!is_other)
                excluded[u * (ITEMS - 4) + out++] = i;
            else
                others[u * 4 + other++] = i;
        }
}

static void write_input(void *model, const uint32_t *items, const uint32_t *others, const char *swap) {
    FILE *file = fopen("in.txt", "w");
    size_t size = HIDDEN * (2 * DIM + 2) + 1;
    fprintf(file, "%d %d %d %d %d 2 %d 3 2 6 %s\n", CLIENTS, ITEMS, DIM, HIDDEN, SERVER_DIM, ROUNDS, swap);
    write_values(file, table_of(model, START), (size_t)ITEMS * DIM);
    for (size_t u = 0; u < CLIENTS; u++) {
        fprintf(file, "%d", OWN);
        for (size_t i = 0; i < OWN; i++)
            fprintf(file, " %u", items[u * OWN + i]);
        fprintf(file, "\n4");
        for (size_t i = 0; i < 4; i++)
            fprintf(file, " %u", others[u * 4 + i]);
        fputc('\n', file);
        write_values(file, table_of(model, USERS) + u * DIM, DIM);
        write_values(file, table_of(model, NETWORKS) + u * size, size);
    }
    for (size_t node = 0; node < CLIENTS + ITEMS; node++)
        write_values(file, table_of(model, SERVER) + node * PITCH, SERVER_DIM);
    fclose(file);
}

static void play_round(void *model, const struct frs_population *population, uint32_t round) {
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_trained trained[CLIENTS];
    struct frs_contribution contributions[CLIENTS];
    for (uint32_t u = 0; u < CLIENTS; u++) {
        trained[u] = train_client(learner, model, population, u, round, 0, &arena);
        contributions[u] = contribute(learner, u, &trained[u], &tables, 0);
    }
    for (uint32_t u = 0; u < CLIENTS; u++)
        commit_client(model, u, round, &trained[u]);
    learner->aggregate(model, contributions, CLIENTS, &arena, NULL);
    frs_arena_fini(&arena);
}

/* Reads and compares their next number. */
static void next_is(FILE *theirs, float ours, double tolerance) {
    double value;
    ck_assert_int_eq(fscanf(theirs, "%lf", &value), 1);
    ck_assert_double_eq_tol(value, (double)ours, tolerance);
}

START_TEST(agrees_with_an_independent_program) {
    static const char *const swaps[] = {"0", "0.5"};
    uint32_t items[CLIENTS * OWN], excluded[CLIENTS * (ITEMS - 4)], others[CLIENTS * 4];
    struct frs_client_data clients[CLIENTS];
    static const float all_ones[OWN] = {1, 1, 1, 1};
    if (system("command -v python3 >/dev/null") != 0)
        return;
    make_items(items, excluded, others);
    for (uint32_t u = 0; u < CLIENTS; u++)
        clients[u] = (struct frs_client_data){
            u, items + u * OWN, all_ones, OWN, excluded + u * (ITEMS - 4), ITEMS - 4};
    struct frs_population population = {.n_clients = CLIENTS,
        .n_items = ITEMS,
        .clients = clients,
        .rating_min = 1,
        .rating_max = 1,
        .seed = 8};
    void *model = make_model(learner, &population,
        SETTINGS("dim", "3", "layers", "4", "epochs", "3", "server_dim", "3", "server_layers", "2", "sent",
            "6", "share_min", "1", "negatives_min", "100", "negatives_max", "100", "swap", swaps[_i]));
    write_input(model, items, others, swaps[_i]);
    for (uint32_t round = 0; round < ROUNDS; round++)
        play_round(model, &population, round);
    char *command =
        frs_format("cd '%s' && python3 '%s/tests/oracle/ptf_fedrec.py' <'%s/in.txt' >'%s/theirs.txt'",
            frs_before, frs_test_source_dir(), frs_folder, frs_folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    FILE *theirs = fopen("theirs.txt", "r");
    const float *averaged = table_of(model, SERVER) + (CLIENTS + ITEMS) * PITCH;
    for (size_t node = 0; node < CLIENTS + ITEMS; node++)
        for (size_t k = 0; k < SERVER_DIM; k++)
            next_is(theirs, averaged[node * PITCH + k], 2e-5);
    for (size_t i = 0; i < (size_t)CLIENTS * DIM; i++)
        next_is(theirs, table_of(model, USERS)[i], 2e-5);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        const float *list = frs_model_personal(model, u).part[0];
        for (size_t i = 0; i < 6 && list[2 * i] >= 0; i++) {
            next_is(theirs, list[2 * i], 0);
            next_is(theirs, list[2 * i + 1], 2e-5);
        }
    }
    ck_assert_int_eq(fgetc(theirs), '\n');
    ck_assert_int_eq(fgetc(theirs), EOF);
    fclose(theirs);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptf_fedrec");
    TCase *tests = tcase_create("ptf_fedrec");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, server_step_by_hand);
    tcase_add_test(tests, upload_by_hand);
    tcase_add_test(tests, list_by_hand);
    tcase_add_test(tests, messages_weigh_what_the_formula_says);
    tcase_add_loop_test(tests, agrees_with_an_independent_program, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
