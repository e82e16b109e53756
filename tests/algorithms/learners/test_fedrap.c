/* FedRAP: both tables and their decay by hand, ablations, curricula, and what its noise guarantees. */
#include "algorithms/privacy_mechanism.h"
#include "algorithms/server_step.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedrap;

#define LEARNER (&frs_learner_fedrap)

enum { CLIENTS = 6, ITEMS = 90, DIM = 20 };

struct subject {
    struct frs_population population;
    void *model;
    struct frs_tables tables;
    struct frs_arena arena;
};

static void begin(struct subject *s, const char *const *settings) {
    *s = (struct subject){.population = make_population(CLIENTS, ITEMS, 4)};
    s->model = make_model(LEARNER, &s->population, settings);
    s->tables = frs_model_tables(s->model);
    LEARNER->round_seed(s->model, 0);
}

static void end(struct subject *s) {
    frs_model_destroy(s->model);
    frs_arena_fini(&s->arena);
    free_population(&s->population);
}

static struct frs_trained train(struct subject *s, uint32_t client, uint32_t round) {
    return train_client(LEARNER, s->model, &s->population, client, round, 0, &s->arena);
}

static void commit(struct subject *s, uint32_t client, const struct frs_trained *trained) {
    frs_model_commit(s->model, client, trained->private_state, trained->private_bytes);
}

static void score_all(struct subject *s, uint32_t client, const struct frs_tables *tables, float *scores) {
    uint32_t items[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = i;
    LEARNER->score(s->model, tables, client, items, ITEMS, scores);
}

static bool is_sent(const struct frs_trained *trained, uint32_t item) {
    for (size_t i = 0; i < trained->upload[0].n; i++)
        if (trained->upload[0].ids[i] == item)
            return true;
    return false;
}

static struct frs_tables without_shared(struct subject *s) {
    return (struct frs_tables){.part = {frs_arena_take_zeroed(&s->arena, ITEMS * DIM, sizeof(float))}};
}

/* The server's table is the plain mean of the tables that clients hold: their trained rows, and for the
 * other rows the received ones after weight decay. */
START_TEST(mean_of_the_clients_tables) {
    static const char *const variants[] = {"paper", "published_code"};
    for (size_t v = 0; v < 2; v++) {
        struct subject s;
        begin(&s, SETTINGS("variant", variants[v], "dim", "20", "weight_decay", "1e-5"));
        struct frs_contribution contributions[CLIENTS];
        double *mean = frs_alloc(ITEMS * DIM, sizeof *mean);
        for (uint32_t u = 0; u < CLIENTS; u++) {
            struct frs_trained trained = train(&s, u, 0);
            float kept = trained.upload[1].values[0], *table = frs_alloc(ITEMS * DIM, sizeof *table);
            ck_assert(u == 2 ? kept == 1 : kept < 1 && kept > 0.9f);
            for (size_t i = 0; i < ITEMS * DIM; i++)
                table[i] = kept * s.tables.part[0][i];
            for (size_t i = 0; i < trained.upload[0].n * DIM; i++)
                table[trained.upload[0].ids[i / DIM] * DIM + i % DIM] = trained.upload[0].values[i];
            for (size_t i = 0; i < ITEMS * DIM; i++)
                mean[i] += (double)table[i] / CLIENTS;
            contributions[u] = contribute(LEARNER, u, &trained, &s.tables, 0);
            free(table);
        }
        LEARNER->aggregate(s.model, contributions, CLIENTS, &s.arena, NULL);
        for (size_t i = 0; i < ITEMS * DIM; i++)
            ck_assert_double_eq_tol(s.tables.part[0][i], mean[i], 1e-5);
        free(mean);
        end(&s);
    }
}
END_TEST

/* Uploads that arrive one after the other give the same table, bit by bit, as all at once; in two rounds,
 * the second of which starts empty. */
START_TEST(gathered_uploads_equal_all_at_once) {
    static const char *const variants[] = {"paper", "published_code"};
    struct subject kept, gathered;
    struct subject *both[] = {&kept, &gathered};
    for (size_t v = 0; v < 2; v++) {
        const char *const *settings = SETTINGS("variant", variants[v], "dim", "20", "weight_decay", "1e-5");
        begin(&kept, settings);
        begin(&gathered, settings);
        for (uint32_t round = 0; round < 2; round++) {
            struct frs_contribution contributions[2][CLIENTS];
            for (uint32_t u = 0; u < CLIENTS; u++)
                for (size_t i = 0; i < 2; i++) {
                    struct frs_trained trained = train(both[i], u, round);
                    contributions[i][u] = contribute(LEARNER, u, &trained, &both[i]->tables, 0);
                    commit(both[i], u, &trained);
                }
            for (uint32_t u = 0; u < CLIENTS; u++)
                LEARNER->gather(gathered.model, &contributions[1][u], 1);
            LEARNER->aggregate(kept.model, contributions[0], CLIENTS, &kept.arena, NULL);
            LEARNER->aggregate(gathered.model, NULL, CLIENTS, &gathered.arena, NULL);
            ck_assert_mem_eq(kept.tables.part[0], gathered.tables.part[0], ITEMS * DIM * sizeof(float));
        }
        end(&kept);
        end(&gathered);
    }
}
END_TEST

/* The client's own table under a zero shared one, with a head that does not move: rows that it never
 * touched keep the product of all rounds' factors, and committing one client does not affect the others. */
START_TEST(untouched_rows_of_the_own_table_decay) {
    struct subject s;
    begin(&s, SETTINGS("variant", "published_code", "dim", "20", "user_learning_rate", "0", "learning_rate",
                  "10", "weight_decay", "1e-3"));
    struct frs_tables zero = without_shared(&s);
    float before[ITEMS], other[ITEMS], after[ITEMS];
    bool touched[ITEMS] = {false};
    double kept = 1;
    size_t untouched = 0;
    score_all(&s, 1, &zero, before);
    score_all(&s, 3, &zero, other);
    ck_assert_mem_eq(before, other, sizeof before); /* all clients start alike */
    for (uint32_t round = 0; round < 3; round++) {
        struct frs_trained trained = train(&s, 1, round);
        kept *= (double)trained.upload[1].values[0];
        for (uint32_t i = 0; i < ITEMS; i++)
            touched[i] |= is_sent(&trained, i);
        commit(&s, 1, &trained);
    }
    score_all(&s, 1, &zero, after);
    /* two untouched items tell b away: s = kept · x + b */
    for (uint32_t i = 0, first = ITEMS; i < ITEMS; i++) {
        if (touched[i])
            continue;
        first = first == ITEMS ? i : first;
        ck_assert_double_eq_tol(
            (double)(after[i] - after[first]), kept * (double)(before[i] - before[first]), 1e-5);
        untouched++;
    }
    ck_assert(untouched > 3 && kept < 0.95);
    score_all(&s, 3, &zero, after);
    ck_assert_mem_eq(other, after, sizeof after);
    end(&s);
}
END_TEST

/* A row trained in one round and left alone in the next keeps its value, times the later round's factor. */
START_TEST(touched_rows_decay_as_well) {
    struct subject s;
    begin(&s, SETTINGS("variant", "published_code", "dim", "20", "user_learning_rate", "0", "learning_rate",
                  "10", "weight_decay", "1e-3"));
    struct frs_tables zero = without_shared(&s);
    float first[ITEMS], second[ITEMS];
    struct frs_trained one = train(&s, 1, 0);
    commit(&s, 1, &one);
    score_all(&s, 1, &zero, first);
    struct frs_trained two = train(&s, 1, 1);
    commit(&s, 1, &two);
    score_all(&s, 1, &zero, second);
    double kept = (double)two.upload[1].values[0];
    size_t checked = 0;
    uint32_t base = ITEMS;
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (is_sent(&two, i))
            continue;
        base = base == ITEMS ? i : base;
        checked += is_sent(&one, i);
        ck_assert_double_eq_tol(
            (double)(second[i] - second[base]), kept * (double)(first[i] - first[base]), 1e-5);
    }
    ck_assert_uint_gt(checked, 0);
    end(&s);
}
END_TEST

/* Without C nothing is sent and C is zero; without D its private part is empty and scores are ⟨u, c⟩. */
START_TEST(ablations_leave_parts_empty) {
    struct subject own;
    begin(&own, SETTINGS("ablation", "own_only", "dim", "20"));
    struct frs_trained trained = train(&own, 1, 0);
    ck_assert_uint_eq(trained.upload[0].n, 0);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        ck_assert(own.tables.part[0][i] == 0);
    struct frs_contribution contribution = contribute(LEARNER, 1, &trained, &own.tables, 0);
    LEARNER->aggregate(own.model, &contribution, 1, &own.arena, NULL);
    ck_assert(own.tables.part[0][0] == 0);
    end(&own);
    struct subject shared;
    begin(&shared, SETTINGS("ablation", "shared_only", "dim", "20"));
    struct frs_tables zero = without_shared(&shared);
    float scores[ITEMS];
    trained = train(&shared, 1, 0);
    commit(&shared, 1, &trained);
    ck_assert_uint_gt(trained.upload[0].n, 0);
    score_all(&shared, 1, &zero, scores);
    for (size_t i = 0; i < ITEMS; i++)
        ck_assert(scores[i] == 0);
    end(&shared);
}
END_TEST

/* With the noise of the method's own keys. */
static void aggregate(
    struct subject *s, uint32_t round, const struct frs_contribution *contributions, size_t n) {
    struct frs_privacy_mechanism_list mechanisms = own_mechanisms(LEARNER, s->model);
    struct frs_server_step step = {.learner = LEARNER, .mechanisms = &mechanisms, .rests = true};
    frs_server_step_aggregate(&step, s->model, round, contributions, n, &s->arena, NULL);
    frs_privacy_mechanism_list_fini(&mechanisms);
}

static void clip(struct subject *s, uint32_t client, struct frs_trained *trained) {
    struct frs_privacy_mechanism_list mechanisms = own_mechanisms(LEARNER, s->model);
    mechanism_client(&mechanisms, LEARNER, s->model, client, trained, &s->arena);
    frs_privacy_mechanism_list_fini(&mechanisms);
}

static float *aggregate_one(
    const char *const *settings, uint32_t round, struct frs_trained *trained, struct subject *s) {
    begin(s, settings);
    LEARNER->round_seed(s->model, round);
    *trained = train(s, 1, round);
    clip(s, 1, trained);
    struct frs_contribution contribution = contribute(LEARNER, 1, trained, &s->tables, 0);
    aggregate(s, round, &contribution, 1);
    return s->tables.part[0];
}

/* threshold = server: rows that were sent move towards zero
 * by learning_rate · mu · the curriculum's share. */
START_TEST(server_threshold_follows_the_curriculum) {
    static const struct {
        const char *name;
        uint32_t round;
        double share;
    } cases[] = {
        {"tanh", 0, 0.09966799},
        {"tanh", 9, 0.76159416},
        {"fixed", 4, 1},
        {"sin", 4, 0.73971277},
        {"sin", 46, 0.00005833},
        {"square", 3, 0},
        {"square", 13, 1},
        {"square", 20, 0},
        {"frac", 0, 0.5},
        {"frac", 9, 1 / 11.0},
        {"by_variant", 9, 0.76159416},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct subject a, b;
        struct frs_trained trained;
        float *plain = aggregate_one(
            SETTINGS("dim", "20", "lambda", "0", "ablation", "no_l1"), cases[c].round, &trained, &a);
        float *shrunk = aggregate_one(SETTINGS("dim", "20", "lambda", "0", "mu", "0.2", "threshold", "server",
                                          "curriculum", cases[c].name),
            cases[c].round, &trained, &b);
        for (uint32_t i = 0; i < ITEMS * DIM; i++) {
            double most = is_sent(&trained, i / DIM) ? 0.02 * cases[c].share : 0, value = (double)plain[i];
            double expected = fabs(value) > most ? value - copysign(most, value) : 0;
            ck_assert_double_eq_tol((double)shrunk[i], expected, 1e-6);
        }
        end(&a);
        end(&b);
    }
}
END_TEST

/* A round moves C by at most ητ; noise is 2zητ/n on every value of the mean. */
START_TEST(clipping_and_noise_by_hand) {
    struct subject plain, clipped, noisy;
    struct frs_trained trained;
    double change = 0, noise = 0, start = 0;
    float *free_step = aggregate_one(SETTINGS("dim", "20"), 0, &trained, &plain);
    struct subject before;
    begin(&before, SETTINGS("dim", "20"));
    float *mean = aggregate_one(SETTINGS("dim", "20", "dp_clip", "0.1"), 0, &trained, &clipped);
    float *dirty =
        aggregate_one(SETTINGS("dim", "20", "dp_clip", "0.1", "dp_noise", "3"), 0, &trained, &noisy);
    for (size_t i = 0; i < ITEMS * DIM; i++) {
        start += pow((double)free_step[i] - (double)before.tables.part[0][i], 2);
        change += pow((double)mean[i] - (double)before.tables.part[0][i], 2);
        noise += pow((double)dirty[i] - (double)mean[i], 2);
    }
    ck_assert_double_gt(sqrt(start), 0.02);
    ck_assert_double_eq_tol(sqrt(change), 0.01, 1e-5);
    ck_assert_double_eq_tol(sqrt(noise / (ITEMS * DIM)), 0.06, 0.004);
    end(&plain);
    end(&before);
    end(&clipped);
    end(&noisy);
}
END_TEST

/* Uploads that were trained on other tables, with weights of their own: C += Σ w_u (C^(u) − base_u), row by
 * row, whether sent or only decayed. */
START_TEST(older_tables_and_weights) {
    static const double weights[] = {0.5, 0.3};
    struct subject s;
    begin(&s, SETTINGS("variant", "published_code", "dim", "20", "weight_decay", "1e-5"));
    float *older = frs_alloc_aligned(ITEMS * DIM, sizeof *older);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        older[i] = s.tables.part[0][i] + 0.5f;
    struct frs_tables bases[] = {s.tables, {.part = {older}}};
    struct frs_contribution contributions[2];
    double *expected = frs_alloc(ITEMS * DIM, sizeof *expected);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        expected[i] = (double)s.tables.part[0][i];
    for (uint32_t u = 0; u < 2; u++) {
        struct frs_training training = {.data = &s.population.clients[u], .tables = &bases[u]};
        struct frs_trained trained;
        frs_learner_train(LEARNER, s.model, &training, &s.arena, &trained);
        double kept = (double)trained.upload[1].values[0];
        for (size_t i = 0; i < ITEMS * DIM; i++)
            if (!is_sent(&trained, (uint32_t)(i / DIM)))
                expected[i] += weights[u] * (kept - 1) * (double)bases[u].part[0][i];
        for (size_t i = 0; i < trained.upload[0].n * DIM; i++) {
            size_t at = trained.upload[0].ids[i / DIM] * DIM + i % DIM;
            expected[at] += weights[u] * ((double)trained.upload[0].values[i] - (double)bases[u].part[0][at]);
        }
        contributions[u] = contribute(LEARNER, u, &trained, &bases[u], 0);
        contributions[u].weight = weights[u];
    }
    LEARNER->aggregate(s.model, contributions, 2, &s.arena, NULL);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        ck_assert_double_eq_tol(s.tables.part[0][i], expected[i], 1e-5);
    free(older);
    free(expected);
    end(&s);
}
END_TEST

/* Four clients, one of which has the weight 0.4: noise is 2zητ · 0.4 on every value, and the uploads are
 * the same with it and without. */
START_TEST(noise_by_the_largest_weight) {
    static const double weights[] = {0.1, 0.4, 0.2, 0.1};
    double noise = 0;
    float *results[2];
    for (int noisy = 0; noisy < 2; noisy++) {
        struct subject s;
        struct frs_contribution contributions[4];
        begin(&s, SETTINGS("dim", "20", "dp_clip", "0.1", "dp_noise", noisy ? "3" : "0"));
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t u = i + (i > 1); /* client 2 has no data */
            struct frs_trained trained = train(&s, u, 0);
            clip(&s, u, &trained);
            contributions[i] = contribute(LEARNER, u, &trained, &s.tables, 0);
            contributions[i].weight = weights[i];
        }
        aggregate(&s, 0, contributions, 4);
        results[noisy] = frs_alloc(ITEMS * DIM, sizeof **results);
        memcpy(results[noisy], s.tables.part[0], ITEMS * DIM * sizeof **results);
        end(&s);
    }
    for (size_t i = 0; i < ITEMS * DIM; i++)
        noise += pow((double)results[0][i] - (double)results[1][i], 2);
    ck_assert_double_eq_tol(sqrt(noise / (ITEMS * DIM)), 0.024, 0.0016);
    free(results[0]);
    free(results[1]);
}
END_TEST

/* Under noise the server's threshold applies to every row, after the noise: with sd 0.06 nothing within ±1
 * is left, and the result does not show which rows were sent. */
START_TEST(threshold_under_noise) {
    struct subject s;
    struct frs_trained trained;
    float *mean =
        aggregate_one(SETTINGS("dim", "20", "init_sd", "0", "lambda", "0", "dp_clip", "0.1", "dp_noise", "3",
                          "mu", "10", "curriculum", "fixed", "threshold", "server"),
            0, &trained, &s);
    ck_assert_uint_lt(trained.upload[0].n, ITEMS);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        ck_assert_float_eq(mean[i], 0);
    end(&s);
}
END_TEST

START_TEST(guarantee_follows_the_noise) {
    struct subject s;
    begin(&s, SETTINGS("dp_clip", "0.1", "dp_noise", "2", "dp_delta", "0.001"));
    struct frs_privacy_mechanism_list mechanisms = own_mechanisms(LEARNER, s.model);
    struct frs_guarantee guarantee = frs_privacy_guarantee(&mechanisms);
    ck_assert_int_eq(guarantee.noise, FRS_GAUSSIAN);
    ck_assert(!guarantee.local && LEARNER->mechanisms->rests);
    ck_assert_double_eq(guarantee.scale, 2);
    ck_assert_double_eq(guarantee.delta, 0.001);
    frs_privacy_mechanism_list_fini(&mechanisms);
    end(&s);
    begin(&s, SETTINGS("dp_clip", "0.1"));
    mechanisms = own_mechanisms(LEARNER, s.model);
    ck_assert_int_eq(frs_privacy_guarantee(&mechanisms).noise, FRS_NO_NOISE);
    frs_privacy_mechanism_list_fini(&mechanisms);
    end(&s);
}
END_TEST

static void check_refused(const char *const *settings, const char *said) {
    struct frs_population population = make_population(CLIENTS, ITEMS, 4);
    struct frs_learner_setup setup = {.population = &population};
    struct frs_values values = frs_values_of(LEARNER->plugin.params, settings);
    struct frs_errors errors = {0};
    ck_assert_ptr_null(LEARNER->create(&values, &setup, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_msg(strstr(errors.lines[0], said), "%s", errors.lines[0]);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    free_population(&population);
}

START_TEST(misfitting_settings_are_refused) {
    check_refused(SETTINGS("dp_noise", "1"), "allowed: dp_clip above 0");
    check_refused(SETTINGS("dp_clip", "1", "weight_decay", "1e-6"), "allowed: 0, or weight_decay 0");
    check_refused(
        SETTINGS("variant", "published_code", "weight_decay", "0.001"), "allowed: less than 1/learning_rate");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fedrap");
    TCase *tests = tcase_create("fedrap");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, mean_of_the_clients_tables);
    tcase_add_test(tests, gathered_uploads_equal_all_at_once);
    tcase_add_test(tests, untouched_rows_of_the_own_table_decay);
    tcase_add_test(tests, touched_rows_decay_as_well);
    tcase_add_test(tests, ablations_leave_parts_empty);
    tcase_add_test(tests, server_threshold_follows_the_curriculum);
    tcase_add_test(tests, clipping_and_noise_by_hand);
    tcase_add_test(tests, older_tables_and_weights);
    tcase_add_test(tests, noise_by_the_largest_weight);
    tcase_add_test(tests, threshold_under_noise);
    tcase_add_test(tests, guarantee_follows_the_noise);
    tcase_add_test(tests, misfitting_settings_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
