/* LightFR: a participation and a step of the server by hand, what messages weigh, and several rounds beside
 * an independent program (tests/oracle/lightfr.py), bit by bit. */
#include "algorithms/downlink/downlink.h"
#include "tests/algorithms/fixture.h"
#include "tests/folder.h"

#include <stdio.h>

extern const struct frs_learner frs_learner_lightfr;
extern const struct frs_codec frs_codec_binary, frs_codec_dense, frs_codec_touched_rows;

enum { ITEMS = 4 };

/* Ratings of 1 to 5 with two bits: r' = 4 (r − 1)/4 − 2 = r − 3. */
static const uint32_t items[] = {0, 1, 2, 1};
static const float ratings[] = {5, 1, 4, 5};
static const struct frs_client_data clients[] = {
    {0, items, ratings, 3, items, 3}, {1, items + 3, ratings + 3, 1, items + 3, 1}};
static const struct frs_population tiny = {
    .n_clients = 2, .n_items = ITEMS, .clients = clients, .rating_min = 1, .rating_max = 5, .seed = 3};

struct model { /* what a test sets by hand lies in the tables that the learner declares */
    struct frs_model base;
};

static float *codes_of_clients(void *model) {
    return ((struct model *)model)->base.tables[1].values;
}

static void set_items(void *model) {
    static const float d[ITEMS][2] = {{1, 1}, {1, -1}, {-1, -1}, {1, 1}};
    memcpy(frs_model_tables(model).part[0], d, sizeof d);
}

/* Client 0 has b = (−1, 1), r' = 2, −2, 1 and b·d = 0, −2, 0, so e = 2, 0, 1.
 *   bit 0  ρ = e + b_0 d_i0 = 1, −1, 2; Σ ρ d = 1 − 1 − 2 = −2, and it stays −1
 *   bit 1  ρ = e + b_1 d_i1 = 3, −1, 0; Σ ρ d = 3 + 1 + 0 = 4, and it stays +1
 * It uploads (e b_k + d_ik): (−1, 3), (1, −1), (−2, 0). */
START_TEST(participation_by_hand) {
    static const float expected[] = {-1, 3, 1, -1, -2, 0};
    void *model = make_model(&frs_learner_lightfr, &tiny, SETTINGS("bits", "2", "lambda", "0"));
    struct frs_arena arena = {0};
    set_items(model);
    memcpy(codes_of_clients(model), (const float[]){-1, 1, 0}, 3 * sizeof(float));
    struct frs_trained trained = train_client(&frs_learner_lightfr, model, &tiny, 0, 0, 0, &arena);
    ck_assert_uint_eq(trained.upload[0].n, 3);
    ck_assert_mem_eq(trained.upload[0].values, expected, sizeof expected);
    ck_assert_double_eq_tol(trained.loss, (4 + 0 + 1) / 3., 1e-6); /* a unit of r' is a star */
    /* Products and r' take 2·2 + 5 an item, one pass 2·(2·3 + 2), the upload 2·6. */
    ck_assert_double_eq(trained.flop, 3 * 9 + 16 + 12);
    commit_client(model, 0, 0, &trained);
    float scores[2];
    struct frs_tables tables = frs_model_tables(model);
    frs_learner_lightfr.score(model, &tables, 0, (const uint32_t[]){0, 1}, 2, scores);
    ck_assert_float_eq(scores[0], 3); /* b·d = 0 is the middle */
    ck_assert_float_eq(scores[1], 1);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* The same from b = (1, 1): b·d = 2, 0, −2, e = 0, −2, 3, and bit 0 has ρ = 1, −1, 2, Σ ρ d = −2. Without
 * inertia it flips; 2 λ n b_0 = 3 holds it with λ .5. */
START_TEST(inertia_holds_a_bit) {
    for (int holds = 0; holds < 2; holds++) {
        void *model =
            make_model(&frs_learner_lightfr, &tiny, SETTINGS("bits", "2", "lambda", holds ? "0.5" : "0"));
        struct frs_arena arena = {0};
        set_items(model);
        memcpy(codes_of_clients(model), (const float[]){1, 1, 0}, 3 * sizeof(float));
        struct frs_trained trained = train_client(&frs_learner_lightfr, model, &tiny, 0, 0, 0, &arena);
        const float *code = trained.kept.rows[0];
        ck_assert_float_eq(code[0], holds ? 1 : -1);
        ck_assert_float_eq(code[1], 1);
        ck_assert_float_eq(code[2], 1); /* it has been solved for */
        frs_arena_fini(&arena);
        frs_model_destroy(model);
    }
}
END_TEST

/* Item 1 has d = (1, −1) and the sums (1, −1) + (−3, 1.5) = (−2, .5). The inertia of two uploads is 2, so bit
 * 0 has −2 + 2 = 0 and stays, bit 1 has .5 − 2 and stays. Without inertia both flip. Item 2 has one rater:
 * (2, 0) against d = (−1, −1) flips bit 0 under the inertia of raters, 1, and not under that of uploads. */
START_TEST(server_steps_by_hand) {
    static const struct {
        const char *inertia, *of;
        float one[2], two[2];
    } cases[] = {{"1", "uploads", {1, -1}, {-1, -1}}, {"0", "uploads", {-1, 1}, {1, -1}},
        {"1", "raters", {1, -1}, {1, -1}}};
    static const uint32_t ids[] = {1, 2, 1};
    static const float sums[] = {1, -1, 2, 0, -3, 1.5F};
    for (size_t c = 0; c < 3; c++) {
        void *model = make_model(&frs_learner_lightfr, &tiny,
            SETTINGS("bits", "2", "item_inertia", cases[c].inertia, "inertia_of", cases[c].of));
        struct frs_arena arena = {0};
        set_items(model);
        struct frs_contribution contributions[] = {
            {.client = 0, .samples = 2, .parts = {{ITEMS, 2, 2, ids, sums}}},
            {.client = 1, .samples = 1, .parts = {{ITEMS, 2, 1, ids + 2, sums + 4}}}};
        frs_learner_lightfr.aggregate(model, contributions, 2, &arena, NULL);
        const float *d = frs_model_tables(model).part[0];
        ck_assert_mem_eq(d + 2, cases[c].one, sizeof cases[c].one);
        ck_assert_mem_eq(d + 4, cases[c].two, sizeof cases[c].two);
        ck_assert_float_eq(d[0], 1);
        ck_assert_float_eq(d[7], 1);
        frs_arena_fini(&arena);
        frs_model_destroy(model);
    }
}
END_TEST

/* Down m f bits and the one byte that says so, or 4 m f bytes as `dense`, in the first round and after a
 * step; up 4 f for each of the client's n_u items and a pass of the server, beside the 5 bytes of a list of
 * rows and their ids: f / f' rounds with 4 f' each, where f' bits step together. Or 4 m f' as `dense`. */
START_TEST(messages_weigh_what_the_formula_says) {
    enum { BITS = 24, N_ITEMS = 300, CLIENTS = 6, MAP = (N_ITEMS + 7) / 8 };
    static const size_t at_once[] = {BITS, 8, 2};
    static const struct frs_codec *const down[] = {&frs_codec_binary, &frs_codec_dense};
    static const size_t down_bytes[] = {1 + N_ITEMS * BITS / 8, 4 * N_ITEMS * BITS};
    size_t f = at_once[_i], in_a_pass[CLIENTS] = {0};
    char *together = frs_format("%zu", f);
    struct frs_population population = make_rated_population(CLIENTS, N_ITEMS, 5);
    void *model =
        make_model(&frs_learner_lightfr, &population, SETTINGS("bits", "24", "bits_per_round", together));
    struct frs_tables tables = frs_model_tables(model);
    for (uint32_t round = 0; round < BITS / f; round++) {
        struct frs_arena arena = {0};
        struct frs_contribution contributions[CLIENTS];
        for (size_t codec = 0; codec < 2; codec++) {
            struct frs_downlink *downlink =
                frs_downlink_create(&(struct frs_downlink_settings){.learner = &frs_learner_lightfr,
                    .model = model,
                    .codec = {.codec = down[codec]},
                    .n_clients = CLIENTS,
                    .seed = 1});
            struct frs_buffer message = {0};
            frs_downlink_open(downlink, round);
            frs_downlink_encode(downlink, 0, 0, &message);
            ck_assert_uint_eq(message.n, 24 + down_bytes[codec]);
            frs_buffer_fini(&message);
            frs_downlink_destroy(downlink);
        }
        uint64_t seed = open_round(&frs_learner_lightfr, model, round);
        for (uint32_t u = 0; u < CLIENTS; u++) {
            struct frs_trained trained =
                train_client(&frs_learner_lightfr, model, &population, u, round, seed, &arena);
            struct frs_buffer message = {0};
            size_t n = population.clients[u].n;
            encode_rows((struct frs_codec_choice){.codec = &frs_codec_touched_rows}, &trained.upload[0], NULL,
                &message);
            size_t head = 5 + (4 * n < MAP ? 4 * n : MAP);
            ck_assert_uint_eq(message.n, head + 4 * f * n);
            in_a_pass[u] += message.n - head;
            frs_buffer_reset(&message);
            encode_rows(
                (struct frs_codec_choice){.codec = &frs_codec_dense}, &trained.upload[0], NULL, &message);
            ck_assert_uint_eq(message.n, 4 * N_ITEMS * f);
            frs_buffer_fini(&message);
            commit_client(model, u, round, &trained);
            contributions[u] = contribute(&frs_learner_lightfr, u, &trained, &tables, seed);
        }
        frs_learner_lightfr.aggregate(model, contributions, CLIENTS, &arena, NULL);
        frs_arena_fini(&arena);
    }
    for (uint32_t u = 0; u < CLIENTS; u++)
        ck_assert_uint_eq(in_a_pass[u], 4 * BITS * population.clients[u].n);
    frs_model_destroy(model);
    free_population(&population);
    free(together);
}
END_TEST

static void write_values(FILE *file, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%.9g%c", (double)values[i], i + 1 < n ? ' ' : '\n');
}

/* Rounds without loss with all clients, as the program beside it makes them from the same beginning. */
static void check_beside(const char *bits, const char *at_once, const char *step_rounds, const char *of) {
    enum { CLIENTS = 12, N_ITEMS = 20, ROUNDS = 6 };
    struct frs_population population = make_rated_population(CLIENTS, N_ITEMS, 5);
    void *model = make_model(&frs_learner_lightfr, &population,
        SETTINGS("bits", bits, "bits_per_round", at_once, "step_rounds", step_rounds, "inertia_of", of));
    size_t f = (size_t)atoi(bits);
    FILE *file = fopen("in.txt", "w");
    fprintf(file, "%d %d %s %s %s %s %d\n", CLIENTS, N_ITEMS, bits, at_once, step_rounds, of, ROUNDS);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        const struct frs_client_data *data = &population.clients[u];
        fprintf(file, "%zu", data->n);
        for (size_t i = 0; i < data->n; i++)
            fprintf(file, " %u %.9g", data->items[i], (double)data->ratings[i]);
        fputc('\n', file);
        write_values(file, codes_of_clients(model) + u * (f + 1), f);
    }
    struct frs_tables tables = frs_model_tables(model);
    write_values(file, tables.part[0], N_ITEMS * f);
    fclose(file);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct frs_arena arena = {0};
        struct frs_trained trained[CLIENTS];
        struct frs_contribution contributions[CLIENTS];
        uint64_t seed = open_round(&frs_learner_lightfr, model, round);
        for (uint32_t u = 0; u < CLIENTS; u++) {
            trained[u] = train_client(&frs_learner_lightfr, model, &population, u, round, seed, &arena);
            contributions[u] = contribute(&frs_learner_lightfr, u, &trained[u], &tables, seed);
        }
        for (uint32_t u = 0; u < CLIENTS; u++)
            commit_client(model, u, round, &trained[u]);
        frs_learner_lightfr.aggregate(model, contributions, CLIENTS, &arena, NULL);
        frs_arena_fini(&arena);
    }
    file = fopen("ours.txt", "w");
    for (uint32_t u = 0; u < CLIENTS; u++)
        write_values(file, codes_of_clients(model) + u * (f + 1), f);
    write_values(file, tables.part[0], N_ITEMS * f);
    fclose(file);
    char *command =
        frs_format("cd '%s' && python3 '%s/tests/oracle/lightfr.py' <'%s/in.txt' >'%s/theirs.txt' && "
                   "cmp '%s/ours.txt' '%s/theirs.txt'",
            frs_before, frs_test_source_dir(), frs_folder, frs_folder, frs_folder, frs_folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    frs_model_destroy(model);
    free_population(&population);
}

START_TEST(agrees_with_an_independent_program) {
    if (system("command -v python3 >/dev/null") != 0)
        return;
    check_beside("8", "8", "1", "uploads");
    check_beside("8", "2", "1", "raters");
    check_beside("6", "3", "2", "raters");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lightfr");
    TCase *tests = tcase_create("lightfr");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, participation_by_hand);
    tcase_add_test(tests, inertia_holds_a_bit);
    tcase_add_test(tests, server_steps_by_hand);
    tcase_add_loop_test(tests, messages_weigh_what_the_formula_says, 0, 3);
    tcase_add_test(tests, agrees_with_an_independent_program);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
