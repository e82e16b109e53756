/* Corrections of an aggregate: three rounds of each worked by hand, rows that not all clients touch, and that
 * with every client present each is the plain mean. */
#include "tests/algorithms/corrections/driver.h"

/* ---- three clients, three rounds --------------------------------------------------------------- */

/* c = 3, 9, 6 from x = 0 with rate 1; {0}, {0, 1}, {1, 2} arrive. */
static const double c3[] = {3, 9, 6}, p3[] = {1, 0.5, 0.25};

struct example {
    const char *correction;
    const char *settings[5];
    double x[3];
};

static const struct example examples[] = {
    /* 3; 3 + (0 + 6)/2; 6 + (3 + 0)/2 */
    {"none", {NULL}, {3, 6, 7.5}},
    /* ω 1: 3/3. ω 1, 1: (2 + 8)/3. Client 1's first interval was 2 rounds: ω 2, 1: (2 · 14/3 + 5/3)/3. */
    {"fedau", {NULL}, {1, 13.0 / 3, 8}},
    /* Every interval is cut to one round, ω 1: the last step is (14/3 + 5/3)/3. */
    {"fedau", {"cutoff", "1"}, {1, 13.0 / 3, 58.0 / 9}},
    /* 3/3; (2 + 2 · 8)/3; (2 · 2 + 4 · −1)/3 */
    {"inverse_probability", {NULL}, {1, 7, 7}},
    /* G = 3, 0, 0; 2, 8, 0; 2, 14/3, 5/3 */
    {"mifa", {NULL}, {1, 13.0 / 3, 64.0 / 9}},
    /* G = 3, 9, 6 once all are heard, each at x = 0. */
    {"mifa", {"start", "all_heard"}, {0, 0, 6}},
    /* 3; ((0 − 3) + 6)/2 + 3/3; ((3.5 − 6) + .5)/2 + (0 + 6)/3 */
    {"fedvarp", {NULL}, {3, 5.5, 6.5}},
    /* Client 0 has 3, then 0 once more and client 1, absent once, 2 · 9: (3 + 0 + 0 + 18)/2. Client 1
     * has 10.5, and client 2 begins: (10.5 − 1.5 + 0 + 3 · 6)/2. */
    {"fedawe", {"clip", "0", "falling_rate", "false"}, {3, 10.5, 13.5}},
    /* Changes of length 3, 9, 8.25 are cut to .5: .5; (.5 + 0)/2 + .5; (.75 + 0)/2 + .5. */
    {"fedawe", {"falling_rate", "false"}, {0.5, 0.75, 0.875}},
};

START_TEST(three_rounds_by_hand) {
    static const uint32_t arrive[3][2] = {{0}, {0, 1}, {1, 2}};
    const struct example *example = &examples[_i];
    struct driver d;
    driver_begin(&d, example->correction, example->settings, 3, c3, p3, 1);
    for (size_t round = 0; round < 3; round++) {
        driver_round(&d, arrive[round], round == 0 ? 1 : 2);
        ck_assert_msg(fabs(d.x - example->x[round]) <= 1e-6, "%s, round %zu: %.9g instead of %.9g",
            example->correction, round, d.x, example->x[round]);
    }
    driver_end(&d);
}
END_TEST

/* After the three rounds above (2 + 14/3 + 5/3)/3 is added once more by MIFA; nothing by the others. */
START_TEST(a_round_without_uploads) {
    static const uint32_t arrive[3][2] = {{0}, {0, 1}, {1, 2}};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct driver d;
        driver_begin(&d, examples[i].correction, examples[i].settings, 3, c3, p3, 1);
        for (size_t round = 0; round < 3; round++)
            driver_round(&d, arrive[round], round == 0 ? 1 : 2);
        double before = d.x;
        driver_round(&d, NULL, 0);
        bool mifa = strcmp(examples[i].correction, "mifa") == 0;
        double step = mifa ? (examples[i].settings[0] ? 6 : 25.0 / 9) : 0;
        ck_assert_double_eq_tol(d.x, before + step, 1e-6);
        driver_end(&d);
    }
}
END_TEST

/* Where client 1 does not receive the mean 10.5 it goes on from 0, the round of which is still before the
 * first: (0 + 3 · 9 + 0 + 3 · 6)/2. Where all are present, and none is lost, each round is the mean of c. */
START_TEST(a_download_is_lost) {
    static const uint32_t first[] = {0}, second[] = {0, 1}, third[] = {1, 2}, all[] = {0, 1, 2};
    struct driver d;
    driver_begin(&d, "fedawe", SETTINGS("clip", "0", "falling_rate", "false"), 3, c3, p3, 1);
    driver_round_of_models(&d, first, 1, 0);
    driver_round_of_models(&d, second, 2, 1U << 1);
    ck_assert_double_eq_tol(d.x, 10.5, 1e-6);
    driver_round_of_models(&d, third, 2, 0);
    ck_assert_double_eq_tol(d.x, 22.5, 1e-6);
    driver_end(&d);
    driver_begin(&d, "fedawe", SETTINGS("clip", "0"), 3, c3, p3, 0.5);
    double mean = 0;
    for (uint32_t round = 0; round < 20; round++) {
        mean += 0.5 * (6 - mean) / sqrt(1 + round / 10.0);
        driver_round(&d, all, 3);
        ck_assert_double_eq_tol(d.x, mean, 1e-6);
    }
    driver_end(&d);
}
END_TEST

/* A client that is absent for K rounds closes an interval of K: with K 3, client 0 arrives in rounds 0, 7 and
 * 8. Intervals before round 7: 1, 3, 3 (rounds 1 to 3, 4 to 6): ω 7/3. Before round 8: and 1: ω 8/4. */
START_TEST(intervals_close_by_absence) {
    static const double expected[] = {1, 7.0 / 3, 2};
    static const uint32_t rounds[] = {0, 7, 8}, client = 0;
    const struct frs_correction *fedau = find_correction("fedau");
    struct frs_values values = frs_values_of(fedau->plugin.params, SETTINGS("cutoff", "3"));
    void *state = fedau->create(&values, 1);
    for (size_t i = 0; i < 3; i++) {
        double weight;
        fedau->weigh(
            state, &(struct frs_correction_request){.round = rounds[i], .clients = &client, .n = 1}, &weight);
        ck_assert_double_eq(weight, expected[i]);
    }
    fedau->destroy(state);
    frs_values_fini(&values);
}
END_TEST

/* ---- rows that not all clients touch ----------------------------------------------------------- */

struct rows_bench {
    struct frs_population population;
    struct frs_model *model;
    struct frs_corrected_sum sum;
    struct frs_arena arena;
};

enum { ROWS = 3 };

static void rows_begin(
    struct rows_bench *b, const char *name, const char *const *settings, enum frs_weighting weighting) {
    const struct frs_correction *correction = find_correction(name);
    struct frs_values values = frs_values_of(correction->plugin.params, settings);
    static const double p[] = {1, 0.5, 0.25};
    *b = (struct rows_bench){.population = {.n_clients = 3, .n_items = ROWS}};
    struct frs_learner_setup setup = {.population = &b->population};
    b->model = frs_model_create(sizeof *b->model, &setup);
    b->model->weighting = weighting;
    frs_model_table(
        b->model, (struct frs_table){.name = "items", .owner = FRS_OF_ALL, .rows = ROWS, .dim = 1});
    b->sum = frs_corrected_sum_begin(b->model, correction, &values);
    if (correction->needs_probabilities)
        frs_corrected_sum_know(&b->sum, p, 1, 3);
    frs_values_fini(&values);
}

static void rows_end(struct rows_bench *b) {
    frs_arena_fini(&b->arena);
    frs_model_destroy(b->model);
}

/* A client that arrives: the rows it sends, and what they change. */
struct sent {
    uint32_t client, n, ids[ROWS];
    float values[ROWS];
};

static void rows_round(
    struct rows_bench *b, uint32_t round, const struct sent *sent, size_t n, double change[ROWS]) {
    struct frs_contribution contributions[3], one;
    for (size_t i = 0; i < n; i++)
        contributions[i] = (struct frs_contribution){.client = sent[i].client,
            .samples = 1,
            .parts = {
                {.n_rows = ROWS, .dim = 1, .n = sent[i].n, .ids = sent[i].ids, .values = sent[i].values}}};
    frs_arena_reset(&b->arena);
    ck_assert(frs_corrected_sum_take(&b->sum, b->model, round, contributions, n, &b->arena, &one));
    for (size_t row = 0; row < ROWS; row++)
        change[row] = 0;
    for (size_t i = 0; i < one.parts[0].n; i++)
        change[one.parts[0].ids[i]] = (double)one.parts[0].values[i];
}

/* Clients 0 and 1 send rows 0 and 1 or row 1 alone; then client 1 rows 0 and 1, client 2 row 0. */
static const struct sent first[] = {{0, 2, {0, 1}, {4, 6}}, {1, 1, {1}, {12}}},
                         second[] = {{1, 2, {0, 1}, {3, 8}}, {2, 1, {0}, {9}}};

struct rows_example {
    const char *correction;
    enum frs_weighting weighting;
    double change[2][ROWS];
};

#define SQRT97 9.848857801796104 /* (4, 9) */
#define SQRT85 9.219544457292887 /* (2, 9) */
#define SQRT52 7.211102550927978 /* (6, 4) */

static const struct rows_example rows_examples[] = {
    /* 1/p = 1, 2, 4. Per item: 4/1, (6 + 2·12)/3; (2·3 + 4·9)/6, 8. Otherwise over 3 clients. */
    {"inverse_probability", FRS_PER_ITEM, {{4, 10}, {7, 8}}},
    {"inverse_probability", FRS_UNIFORM, {{4.0 / 3, 10}, {14, 16.0 / 3}}},
    /* All intervals are 1 or not there: per item the plain mean. */
    {"fedau", FRS_PER_ITEM, {{4, 9}, {6, 8}}},
    {"fedau", FRS_UNIFORM, {{4.0 / 3, 6}, {4, 8.0 / 3}}},
    /* Row 0 is then held by all three: 4, 3, 9; row 1 by clients 0 and 1: 6, 8. */
    {"mifa", FRS_PER_ITEM, {{4, 9}, {16.0 / 3, 7}}},
    {"mifa", FRS_UNIFORM, {{4.0 / 3, 6}, {16.0 / 3, 14.0 / 3}}},
    /* Per item row 0: (3 − 0 + 9 − 0)/2 + (4 + 0 + 0)/3; row 1: 8 − 12 + (6 + 12)/2. Otherwise row 0 is the
     * same, and row 1: (8 − 12)/2 + (6 + 12)/3. */
    {"fedvarp", FRS_PER_ITEM, {{4, 9}, {22.0 / 3, 5}}},
    {"fedvarp", FRS_UNIFORM, {{2, 9}, {22.0 / 3, 4}}},
    /* All have the server's tables, and have missed nothing: FedAvg, cut to .5 over both rows. */
    {"fedawe", FRS_PER_ITEM, {{4 * 0.5 / SQRT97, 9 * 0.5 / SQRT97}, {6 * 0.05, 8 * 0.05}}},
    {"fedawe", FRS_UNIFORM, {{2 * 0.5 / SQRT85, 9 * 0.5 / SQRT85}, {6 * 0.5 / SQRT52, 4 * 0.5 / SQRT52}}},
};

START_TEST(rows_by_hand) {
    const struct rows_example *example = &rows_examples[_i];
    struct rows_bench b;
    double change[ROWS];
    rows_begin(&b, example->correction, NO_SETTINGS, example->weighting);
    for (uint32_t round = 0; round < 2; round++) {
        rows_round(&b, round, round == 0 ? first : second, 2, change);
        for (size_t row = 0; row < ROWS; row++)
            ck_assert_msg(fabs(change[row] - example->change[round][row]) <= 2e-6,
                "%s, %s, round %u, row %zu: %.9g instead of %.9g", example->correction,
                frs_weighting_names[example->weighting], round, row, change[row],
                example->change[round][row]);
    }
    rows_end(&b);
}
END_TEST

/* Probabilities that differ between two rounds and then repeat: 1/p = 1, 2, 4, then 2, 1, 8. */
START_TEST(probabilities_of_rounds_by_hand) {
    static const double p[] = {1, 0.5, 0.25, 0.5, 1, 0.125};
    struct rows_bench b;
    double change[ROWS];
    rows_begin(&b, "inverse_probability", NO_SETTINGS, FRS_UNIFORM);
    frs_corrected_sum_know(&b.sum, p, 2, 3);
    rows_round(&b, 0, first, 2, change);
    ck_assert_double_eq_tol(change[0], 4 / 3.0, 1e-6);
    rows_round(&b, 1, second, 2, change);
    ck_assert_double_eq_tol(change[0], (3 + 8 * 9) / 3.0, 1e-5);
    ck_assert_double_eq_tol(change[1], 8 / 3.0, 1e-6);
    rows_round(&b, 2, second, 2, change);
    ck_assert_double_eq_tol(change[0], (2 * 3 + 4 * 9) / 3.0, 1e-5);
    ck_assert_double_eq_tol(change[1], 2 * 8 / 3.0, 1e-6);
    rows_end(&b);
}
END_TEST

/* A client that sends a row no longer gives up its place in it: row 1 of client 1 goes, and per item client 0
 * alone holds it. Otherwise client 1's change of it has become 0. */
START_TEST(rows_are_given_up) {
    static const struct sent without[] = {{1, 1, {0}, {2}}};
    struct rows_bench b;
    double change[ROWS];
    rows_begin(&b, "mifa", NO_SETTINGS, FRS_PER_ITEM);
    rows_round(&b, 0, first, 2, change);
    rows_round(&b, 1, without, 1, change);
    ck_assert_double_eq(change[0], 3); /* (4 + 2)/2 */
    ck_assert_double_eq(change[1], 6);
    rows_end(&b);
    rows_begin(&b, "fedvarp", NO_SETTINGS, FRS_UNIFORM);
    rows_round(&b, 0, first, 2, change);
    rows_round(&b, 1, without, 1, change);
    ck_assert_double_eq_tol(change[0], 2 + 4.0 / 3, 1e-6);
    ck_assert_double_eq_tol(change[1], 0 - 12 + 18.0 / 3, 1e-6);
    rows_end(&b);
}
END_TEST

/* Random rows and values of all three clients, ten rounds: as much as frs_aggregate_changes makes of them. */
START_TEST(with_all_present_each_is_the_mean) {
    static const char *const names[] = {"fedau", "mifa", "fedvarp", "inverse_probability", "fedawe"};
    static const double certain[] = {1, 1, 1};
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        enum frs_weighting weighting = i % 2 ? FRS_PER_ITEM : FRS_UNIFORM;
        struct rows_bench b;
        struct frs_rng rng = test_rng(7);
        rows_begin(&b, names[i / 2],
            strcmp(names[i / 2], "fedawe") == 0 ? SETTINGS("clip", "0") : NO_SETTINGS, weighting);
        if (b.sum.correction->needs_probabilities)
            frs_corrected_sum_know(&b.sum, certain, 1, 3);
        for (uint32_t round = 0; round < 10; round++) {
            struct sent sent[3] = {{0}};
            struct frs_contribution contributions[3];
            double change[ROWS], mean[ROWS] = {0};
            for (uint32_t client = 0; client < 3; client++) {
                sent[client].client = client;
                for (uint32_t row = 0; row < ROWS; row++)
                    if (frs_rng_unit(&rng) < 0.6) {
                        sent[client].ids[sent[client].n] = row;
                        sent[client].values[sent[client].n++] = (float)frs_rng_unit(&rng) - 0.5F;
                    }
                contributions[client] = (struct frs_contribution){.client = client,
                    .samples = 1,
                    .parts = {{.n_rows = ROWS,
                        .dim = 1,
                        .n = sent[client].n,
                        .ids = sent[client].ids,
                        .values = sent[client].values}}};
            }
            rows_round(&b, round, sent, 3, change);
            struct frs_rows rows = frs_aggregate_changes(contributions, 3, 0, weighting, NULL, &b.arena);
            for (size_t r = 0; r < rows.n; r++)
                mean[rows.ids[r]] = (double)rows.values[r];
            for (size_t row = 0; row < ROWS; row++)
                ck_assert_msg(fabs(change[row] - mean[row]) <= 2e-7, "%s, round %u, row %zu: %.9g, mean %.9g",
                    names[i / 2], round, row, change[row], mean[row]);
        }
        rows_end(&b);
    }
}
END_TEST

/* ---- what is kept ------------------------------------------------------------------------------ */

/* 943 clients of FedMF with 1,682 items and d 32 keep 203 MB, a million 215 GB. */
START_TEST(bytes_of_tables) {
    struct frs_population population = {.n_clients = 943, .n_items = 1682};
    const struct frs_correction *mifa = find_correction("mifa");
    struct frs_values values = frs_values_of(mifa->plugin.params, NO_SETTINGS);
    struct frs_learner_setup setup = {.population = &population, .timing_only = true};
    struct frs_model *model = frs_model_create(sizeof *model, &setup);
    frs_model_table(model, (struct frs_table){.name = "items", .owner = FRS_OF_ALL, .rows = 1682, .dim = 32});
    struct frs_corrected_sum sum = frs_corrected_sum_begin(model, mifa, &values);
    double bytes = frs_corrected_sum_client_bytes(&sum);
    ck_assert_double_eq(bytes, 1682 * (32 * 4 + 1));
    ck_assert_double_eq_tol(943 * bytes / 1e6, 203 + 1.6, 0.1); /* and a byte for each row */
    ck_assert_double_eq_tol(1e6 * bytes / 1e9, 215 + 1.7, 0.5);
    frs_values_fini(&values);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("corrections");
    TCase *tests = tcase_create("corrections");
    tcase_add_loop_test(tests, three_rounds_by_hand, 0, sizeof examples / sizeof *examples);
    tcase_add_test(tests, a_round_without_uploads);
    tcase_add_test(tests, a_download_is_lost);
    tcase_add_test(tests, intervals_close_by_absence);
    tcase_add_loop_test(tests, rows_by_hand, 0, sizeof rows_examples / sizeof *rows_examples);
    tcase_add_test(tests, probabilities_of_rounds_by_hand);
    tcase_add_test(tests, rows_are_given_up);
    tcase_add_test(tests, with_all_present_each_is_the_mean);
    tcase_add_test(tests, bytes_of_tables);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
