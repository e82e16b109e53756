/* SemiDFEGL: a client's step and what the server makes of it by hand, what messages weigh, and several rounds
 * beside an independent program (tests/oracle/semidfegl.py). */
#include "algorithms/downlink/downlink.h"
#include "tests/algorithms/fixture.h"
#include "tests/folder.h"

#include <math.h>
#include <stdio.h>

extern const struct frs_learner frs_learner_semidfegl, frs_learner_semidfegl_ratings;
extern const struct frs_codec frs_codec_touched_rows, frs_codec_dense;

enum { ROWS, STAR, GROUP, START, SERVER_ITEMS, STARS, USERS, MEANS }; /* in the order of their declaration */

struct model { /* what a test sets by hand lies in the tables that the learner declares */
    struct frs_model base;
};

static float *table_of(void *model, int table) {
    return ((struct model *)model)->base.tables[table].values;
}

/* ---- by hand --------------------------------------------------------------------------------- */

static const uint32_t two_items[] = {0, 1}, one_item[] = {1};
static const float two_ratings[] = {5, 3}, one_rating[] = {4};
static const struct frs_client_data two_clients[] = {
    {0, two_items, two_ratings, 2, two_items, 2}, {1, one_item, one_rating, 1, one_item, 1}};
static const struct frs_population tiny = {
    .n_clients = 2, .n_items = 3, .clients = two_clients, .rating_min = 1, .rating_max = 5, .seed = 3};

/* A client without a group: p = 2, its items 3 and 1, two of them, so that u¹ = 4/√2 and f = (2 + 2√2)/2 = 1
 * + √2. An item has e/2, so that scores are 1.5 f and .5 f, where 1 and −1 are wanted; with its own edge
 * p/√2/2 more. All gradients are positive, and Adam's first step is the rate. */
START_TEST(client_by_hand) {
    static const double f = 2.41421356;
    void *model = make_model(&frs_learner_semidfegl_ratings, &tiny,
        SETTINGS("dim", "1", "layers", "1", "epochs", "1", "decay", "0", "own_edge", _i ? "true" : "false"));
    double added = _i ? sqrt(2) / 2 : 0, misses[] = {(1.5 + added) * f - 1, (.5 + added) * f + 1};
    struct frs_arena arena = {0};
    memcpy(table_of(model, START), (const float[]){3, 1, 7}, 3 * sizeof(float));
    table_of(model, USERS)[0] = 2;
    struct frs_trained trained = train_client(&frs_learner_semidfegl_ratings, model, &tiny, 0, 0, 0, &arena);
    ck_assert_double_eq_tol(trained.loss, (misses[0] * misses[0] + misses[1] * misses[1]) / 2, 1e-5);
    ck_assert_uint_eq(trained.upload[0].n, 2);
    ck_assert_float_eq_tol(trained.upload[0].values[0], 2.99F, 1e-6F);
    ck_assert_float_eq_tol(trained.upload[0].values[1], .99F, 1e-6F);
    ck_assert_float_eq_tol(
        trained.upload[1].values[0], 1.99F, 1e-6F); /* p, the sum and number of its items */
    ck_assert_float_eq_tol(trained.upload[1].values[1], 3.98F, 1e-6F);
    ck_assert_float_eq(trained.upload[1].values[2], 2);
    ck_assert_float_eq_tol(trained.kept.rows[1][0], (float)((1.99 + 3.98 / sqrt(2)) / 2), 1e-6F);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* Clients 0 and 1 have sent 2 and 4 of items 0 and 1, and 8 of item 1: means 2 and 6. Their vectors 1 and 3
 * have the mean 2, with which item 1 has the highest product: it is their common item. Degrees are 2 + 1 and
 * 1 + 1, so that client 1 adds 3/√2/√2 for client 0, and client 0 adds 1/√3/√2. Each is sent back one of its
 * items. */
START_TEST(server_by_hand) {
    static const uint32_t ids[] = {0, 1, 1, 0};
    static const float rows[] = {2, 4, 8}, stars[] = {1, 6, 2, 3, 8, 1};
    static const float downloads[2][6] = {{1, 6, 0, 2, 2, 1.5F}, {1, 6, 1, 6, 2, .408248F}};
    const struct frs_learner *learner = &frs_learner_semidfegl_ratings;
    void *model = make_model(learner, &tiny,
        SETTINGS("dim", "1", "layers", "1", "clusters", "1", "common_items", "1", "returned_items", "1"));
    struct frs_arena arena = {0};
    table_of(model, SERVER_ITEMS)[2] = .5F;
    struct frs_contribution contributions[] = {
        {.client = 0, .samples = 2, .parts = {{3, 1, 2, ids, rows}, {1, 3, 1, ids, stars}}},
        {.client = 1, .samples = 1, .parts = {{3, 1, 1, ids + 2, rows + 2}, {1, 3, 1, ids, stars + 3}}}};
    ck_assert_ptr_null(frs_model_personal(model, 0).part[0]);
    learner->aggregate(model, contributions, 2, &arena, NULL);
    ck_assert_float_eq(table_of(model, SERVER_ITEMS)[0], 2);
    ck_assert_float_eq(table_of(model, SERVER_ITEMS)[1], 6);
    ck_assert_float_eq(table_of(model, SERVER_ITEMS)[2], .5F);
    for (uint32_t u = 0; u < 2; u++)
        for (size_t i = 0; i < 6; i++)
            ck_assert_float_eq_tol(frs_model_personal(model, u).part[0][i], downloads[u][i], 1e-6F);
    /* A client that has 10 and 20 to predict with, and half of an item's vector: item 1 is common. */
    static const uint32_t asked[] = {0, 1};
    struct frs_tables held =
        frs_learner_join(model, &(struct frs_tables){{NULL}}, &(struct frs_tables){{NULL}});
    held.part[0] = frs_model_personal(model, 0).part[0];
    float scores[2];
    memcpy(table_of(model, MEANS), (const float[]){10, 20}, 2 * sizeof(float));
    learner->score(model, &held, 0, asked, 2, scores);
    ck_assert_float_eq_tol(scores[0], 4 + 10 * 1, 1e-5F);
    ck_assert_float_eq_tol(scores[1], 4 + 10 * (3 + 20), 1e-5F);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* ---- messages -------------------------------------------------------------------------------- */

/* Up 4 d for each item that is sent, its id, and the star; down 4 (1 + d) for each common and returned item
 * and each layer, and nothing but the header before the first aggregation. */
START_TEST(messages_weigh_what_the_formula_says) {
    enum { D = 8, COMMON = 12, RETURNED = 20, LAYERS = 2 };
    static const struct frs_learner *const learners[] = {
        &frs_learner_semidfegl, &frs_learner_semidfegl, &frs_learner_semidfegl_ratings};
    const struct frs_learner *learner = learners[_i];
    struct frs_population population = make_rated_population(6, 3000, 5);
    void *model = make_model(learner, &population,
        SETTINGS("dim", "8", "common_items", "12", "returned_items", "20", _i == 0 ? "uploads" : "layers",
            _i == 0 ? "rated" : "2"));
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_contribution contributions[6];
    struct frs_downlink *downlink = frs_downlink_create(&(struct frs_downlink_settings){
        .learner = learner, .model = model, .codec = {.codec = &frs_codec_dense}, .n_clients = 6, .seed = 1});
    for (uint32_t u = 0; u < 6; u++) {
        struct frs_trained trained = train_client(learner, model, &population, u, 0, 0, &arena);
        struct frs_buffer message = {0};
        size_t own = population.clients[u].n, n = trained.upload[0].n;
        ck_assert(_i == 1 ? n >= own : n == own);
        encode_rows(
            (struct frs_codec_choice){.codec = &frs_codec_touched_rows}, &trained.upload[0], NULL, &message);
        ck_assert_uint_eq(message.n, 5 + (4 * n < 375 ? 4 * n : 375) + 4 * D * n);
        frs_buffer_reset(&message);
        if (own > 0)
            encode_rows(
                (struct frs_codec_choice){.codec = &frs_codec_dense}, &trained.upload[1], NULL, &message);
        ck_assert_uint_eq(message.n, own > 0 ? 4 * (2 * D + 1) : 0);
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
        ck_assert_uint_eq(
            message.n, 24 + (population.clients[u].n > 0 ? 4 * (D + 1) * (COMMON + RETURNED + LAYERS) : 0));
        frs_buffer_fini(&message);
    }
    frs_downlink_destroy(downlink);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* From device to device: up p in place of the star; down, behind the items, the ids of at most 2 others in
 * rows of 1 + d; a layer is a vector for each common item. One of the five that take part has no items, and
 * no group; four are dealt out in turn among parts of at most 3. */
START_TEST(messages_between_clients) {
    enum { D = 2, COMMON = 3, RETURNED = 4 };
    static const uint32_t clients[] = {0, 1, 2, 4, 5};
    static const float rest[5] = {4, 5, -1, 0, 1};
    const struct frs_learner *learner = &frs_learner_semidfegl_ratings;
    struct frs_population population = make_rated_population(6, 30, 5);
    void *model = make_model(learner, &population,
        SETTINGS("dim", "2", "common_items", "3", "returned_items", "4", "clusters", "1", "exchange", "mesh",
            "exchange_clients", "3"));
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_contribution contributions[6];
    uint32_t groups[5];
    const struct frs_layer_shape shape = learner->layers->shape(model);
    ck_assert_uint_eq(shape.layers, 2);
    ck_assert(!shape.by_head);
    ck_assert_uint_eq(shape.message.n_rows * shape.message.dim * 4, 4 * D * COMMON);
    for (uint32_t u = 0; u < 6; u++) {
        struct frs_trained trained = train_client(learner, model, &population, u, 0, 0, &arena);
        ck_assert_uint_eq(trained.upload[1].dim, D);
        contributions[u] = contribute(learner, u, &trained, &tables, 0);
    }
    learner->aggregate(model, contributions, 6, &arena, NULL);
    learner->layers->assemble(model, clients, 5, groups);
    for (size_t i = 0; i < 5; i++) {
        const float *group = frs_model_personal(model, clients[i]).part[0];
        ck_assert_uint_eq(groups[i], clients[i] == 2 ? 0 : clients[i] % 4 + 1);
        ck_assert((group == NULL) == (population.clients[clients[i]].n == 0));
        for (size_t k = 0; group && k < D + 1; k++)
            ck_assert_float_eq(group[(COMMON + RETURNED) * (D + 1) + k], k == 0 ? rest[i] : -1);
    }
    struct frs_downlink *downlink = frs_downlink_create(&(struct frs_downlink_settings){
        .learner = learner, .model = model, .codec = {.codec = &frs_codec_dense}, .n_clients = 6, .seed = 1});
    frs_downlink_open(downlink, 1);
    struct frs_buffer message = {0};
    frs_downlink_encode(downlink, 0, 0, &message);
    ck_assert_uint_eq(message.n, 24 + 4 * (D + 1) * (COMMON + RETURNED + 1));
    frs_buffer_fini(&message);
    frs_downlink_destroy(downlink);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

/* ---- beside an independent program ----------------------------------------------------------- */

enum { CLIENTS = 5, ITEMS = 14, OWN = 4, DIM = 3, ROUNDS = 3 };

static const struct {
    const char *layers, *common, *returned, *own_edge, *decay;
    bool rates;
    const char *exchange;
} cases[] = {{"2", "4", "6", "0", "0", false, "server"}, {"3", "4", "8", "1", "0.01", false, "server"},
    {"1", "5", "3", "1", "0.1", true, "server"}, {"2", "3", "4", "0", "0", true, "server"},
    {"0", "3", "4", "0", "0.1", true, "server"}, {"2", "4", "6", "0", "0", false, "mesh"},
    {"3", "3", "4", "1", "0.1", true, "head"}};

/* In every round: of the first layer client 1 does not hear of 0 and 4, of the second 3 not of 2. */
static const struct frs_unheard unheard[] = {{0, 0, 1}, {0, 4, 1}, {1, 2, 3}};

static bool meets(int c) {
    return strcmp(cases[c].exchange, "server") != 0;
}

static void write_values(FILE *file, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%.9g%c", (double)values[i], i + 1 < n ? ' ' : '\n');
}

/* Client u has OWN items from u on; under a ranking the next four are its negatives, and the others excluded.
 */
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

static void write_list(FILE *file, const uint32_t *list, size_t n) {
    fprintf(file, "%zu", n);
    for (size_t i = 0; i < n; i++)
        fprintf(file, " %u", list[i]);
    fputc('\n', file);
}

static void write_input(
    void *model, int c, const struct frs_client_data *clients, const uint32_t *others, unsigned epochs) {
    FILE *file = fopen("in.txt", "w");
    fprintf(file, "%d %d %d %s %d %u %s %s %s %d 0.01 %s %d", CLIENTS, ITEMS, DIM, cases[c].layers, ROUNDS,
        epochs, cases[c].common, cases[c].returned, cases[c].own_edge, cases[c].rates, cases[c].decay,
        meets(c));
    fprintf(file, " %d", meets(c) ? 3 : 0);
    for (size_t i = 0; meets(c) && i < 3; i++)
        fprintf(file, " %u %u %u", unheard[i].layer, unheard[i].from, unheard[i].to);
    fputc('\n', file);
    write_values(file, table_of(model, START), (size_t)ITEMS * DIM);
    write_values(file, table_of(model, SERVER_ITEMS), (size_t)ITEMS * DIM);
    for (size_t u = 0; u < CLIENTS; u++) {
        write_list(file, clients[u].items, OWN);
        write_values(file, clients[u].ratings, OWN);
        write_list(file, others + u * 4, 4);
        write_values(file, table_of(model, USERS) + u * DIM, DIM);
    }
    fclose(file);
}

static void meet(const struct frs_learner *learner, void *model, uint32_t round, struct frs_arena *arena) {
    static const uint32_t clients[CLIENTS] = {0, 1, 2, 3, 4};
    uint32_t groups[CLIENTS];
    struct frs_tables personal[CLIENTS];
    learner->layers->assemble(model, clients, CLIENTS, groups);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        ck_assert_uint_eq(groups[u], round > 0);
        personal[u] = frs_model_personal(model, u);
    }
    learner->layers->exchange(model,
        &(struct frs_layer_exchange){clients, groups, personal, CLIENTS, unheard, round > 0 ? 3 : 0}, arena);
}

static void play_round(
    const struct frs_learner *learner, void *model, const struct frs_population *population, uint32_t round) {
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    struct frs_trained trained[CLIENTS];
    struct frs_contribution contributions[CLIENTS];
    if (learner->layers->shape(model).layers > 0)
        meet(learner, model, round, &arena);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        trained[u] = train_client(learner, model, population, u, round, 0, &arena);
        contributions[u] = contribute(learner, u, &trained[u], &tables, 0);
    }
    for (uint32_t u = 0; u < CLIENTS; u++)
        commit_client(model, u, round, &trained[u]);
    learner->aggregate(model, contributions, CLIENTS, &arena, NULL);
    frs_arena_fini(&arena);
}

/* Reads and compares their next numbers. */
static void next_are(FILE *theirs, const float *ours, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double value;
        ck_assert_int_eq(fscanf(theirs, "%lf", &value), 1);
        ck_assert_double_eq_tol(value, (double)ours[i], 2e-5);
    }
}

START_TEST(agrees_with_an_independent_program) {
    static const float all_ones[OWN] = {1, 1, 1, 1}, ratings[OWN] = {5, 3, 4, 1};
    uint32_t items[CLIENTS * OWN], excluded[CLIENTS * (ITEMS - 4)], others[CLIENTS * 4];
    struct frs_client_data clients[CLIENTS];
    bool rates = cases[_i].rates;
    if (system("command -v python3 >/dev/null") != 0)
        return;
    make_items(items, excluded, others);
    for (uint32_t u = 0; u < CLIENTS; u++)
        clients[u] = (struct frs_client_data){
            u, items + u * OWN, rates ? ratings : all_ones, OWN, excluded + u * (ITEMS - 4), ITEMS - 4};
    struct frs_population population = {.n_clients = CLIENTS,
        .n_items = ITEMS,
        .clients = clients,
        .rating_min = 1,
        .rating_max = rates ? 5 : 1,
        .seed = 8};
    const struct frs_learner *learner = rates ? &frs_learner_semidfegl_ratings : &frs_learner_semidfegl;
    void *model = make_model(learner, &population,
        SETTINGS("dim", "3", "epochs", "3", "init_sd", "0.5", "clusters", "1", "layers", cases[_i].layers,
            "common_items", cases[_i].common, "returned_items", cases[_i].returned, "own_edge",
            cases[_i].own_edge[0] == '1' ? "true" : "false", "decay", cases[_i].decay, "exchange",
            cases[_i].exchange));
    write_input(model, _i, clients, others, 3);
    for (uint32_t round = 0; round < ROUNDS; round++)
        play_round(learner, model, &population, round);
    char *command =
        frs_format("cd '%s' && python3 '%s/tests/oracle/semidfegl.py' <'%s/in.txt' >'%s/theirs.txt'",
            frs_before, frs_test_source_dir(), frs_folder, frs_folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    FILE *theirs = fopen("theirs.txt", "r");
    next_are(theirs, table_of(model, SERVER_ITEMS), (size_t)ITEMS * DIM);
    for (size_t u = 0; u < CLIENTS; u++) {
        next_are(theirs, table_of(model, USERS) + u * DIM, DIM);
        next_are(theirs, table_of(model, MEANS) + 2 * u * DIM, (size_t)2 * DIM);
    }
    ck_assert_int_eq(fgetc(theirs), '\n');
    ck_assert_int_eq(fgetc(theirs), EOF);
    fclose(theirs);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("semidfegl");
    TCase *tests = tcase_create("semidfegl");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_loop_test(tests, client_by_hand, 0, 2);
    tcase_add_test(tests, server_by_hand);
    tcase_add_loop_test(tests, messages_weigh_what_the_formula_says, 0, 3);
    tcase_add_test(tests, messages_between_clients);
    tcase_add_loop_test(tests, agrees_with_an_independent_program, 0, 7);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
