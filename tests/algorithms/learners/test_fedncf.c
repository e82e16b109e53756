/* FedNCF: the server's averages, uploads of tables or of updates, and which parts codecs act on. */
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedncf, frs_learner_fedncf_update;
extern const struct frs_codec frs_codec_svd, frs_codec_quantise;

enum { CLIENTS = 6, ITEMS = 60, DIM = 4, PARAMETERS = 9 * 3 + 4 };

#define COMMON(...)                                                                                          \
    SETTINGS("dim", "4", "layers", "3", "epochs", "2", "optimiser", "sgd", "learning_rate", "0.1",           \
        "sgd_scaling", "row_mean", "weight_decay", "0", "init_sd", "0.5", "user_init", "private",            \
        __VA_ARGS__)

struct subject {
    const struct frs_learner *learner;
    struct frs_population population;
    void *model;
    struct frs_tables tables;
    struct frs_arena arena;
    struct frs_trained trained[CLIENTS];
    struct frs_contribution contributions[CLIENTS];
};

/* Every client trained once; client 2 has no data. */
static void begin(struct subject *s, const struct frs_learner *learner, const char *const *settings) {
    *s = (struct subject){.learner = learner, .population = make_population(CLIENTS, ITEMS, 4)};
    s->model = make_model(learner, &s->population, settings);
    s->tables = frs_model_tables(s->model);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        s->trained[u] = train_client(learner, s->model, &s->population, u, 0, 0, &s->arena);
        s->contributions[u] = contribute(learner, u, &s->trained[u], &s->tables, 0);
    }
}

static void end(struct subject *s) {
    frs_model_destroy(s->model);
    frs_arena_fini(&s->arena);
    free_population(&s->population);
}

/* Means: items over the clients that touched them, the perceptron over all, the client without data
 * included. */
START_TEST(per_item_means) {
    struct subject s;
    begin(&s, &frs_learner_fedncf, COMMON("aggregation", "per_item"));
    double items[ITEMS * DIM] = {0}, network[PARAMETERS] = {0}, senders[ITEMS] = {0};
    struct frs_tables before = copy_tables(s.model);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        const struct frs_rows *rows = &s.trained[u].upload[0];
        for (size_t i = 0; i < rows->n * DIM; i++)
            items[rows->ids[i / DIM] * DIM + i % DIM] += (double)rows->values[i];
        for (size_t i = 0; i < rows->n; i++)
            senders[rows->ids[i]]++;
        for (size_t i = 0; i < PARAMETERS; i++)
            network[i] += (double)s.trained[u].upload[1].values[i] / CLIENTS;
    }
    s.learner->aggregate(s.model, s.contributions, CLIENTS, &s.arena, NULL);
    for (size_t i = 0; i < ITEMS * DIM; i++) {
        double sent = senders[i / DIM];
        double expected = sent > 0 ? items[i] / sent : (double)before.part[0][i];
        ck_assert_double_eq_tol((double)s.tables.part[0][i], expected, 1e-6);
    }
    for (size_t i = 0; i < PARAMETERS; i++)
        ck_assert_double_eq_tol((double)s.tables.part[1][i], network[i], 1e-6);
    free_tables(&before);
    end(&s);
}
END_TEST

/* Where nothing is lost on the way it does not matter whether tables travel or updates. */
START_TEST(updates_are_the_same_method) {
    static const char *const aggregations[] = {"data_size", "uniform", "per_item"};
    for (size_t a = 0; a < 3; a++) {
        struct subject state, update;
        struct frs_rows sum[2];
        begin(&state, &frs_learner_fedncf, COMMON("aggregation", aggregations[a]));
        begin(&update, &frs_learner_fedncf_update, COMMON("aggregation", aggregations[a]));
        state.learner->aggregate(state.model, state.contributions, CLIENTS, &state.arena, NULL);
        update.learner->aggregate(update.model, update.contributions, CLIENTS, &update.arena, sum);
        frs_learner_apply(update.learner, update.model, &update.tables, 0, sum, &update.arena);
        for (size_t i = 0; i < ITEMS * DIM; i++)
            ck_assert_float_eq_tol(update.tables.part[0][i], state.tables.part[0][i], 1e-6f);
        for (size_t i = 0; i < PARAMETERS; i++)
            ck_assert_float_eq_tol(update.tables.part[1][i], state.tables.part[1][i], 1e-6f);
        for (uint32_t u = 0; u < CLIENTS; u++)
            ck_assert_mem_eq(
                update.trained[u].private_state, state.trained[u].private_state, DIM * sizeof(float));
        end(&state);
        end(&update);
    }
}
END_TEST

/* Under a lossy codec the perceptron of an upload arrives as it was sent. */
START_TEST(codecs_leave_the_perceptron_alone) {
    const struct frs_codec *const codecs[] = {&frs_codec_svd, &frs_codec_quantise};
    for (size_t c = 0; c < 2; c++) {
        struct frs_values values = frs_values_of(codecs[c]->plugin.params, NO_SETTINGS);
        struct frs_codec_choice codec = {.codec = codecs[c], .settings = codecs[c]->create(&values)};
        struct frs_buffer message = {0};
        struct frs_rng rng = test_rng(3);
        struct frs_part shapes[FRS_MAX_PARTS];
        struct frs_rows decoded[2];
        struct subject s;
        begin(&s, &frs_learner_fedncf_update, COMMON("aggregation", "per_item"));
        size_t n = frs_model_parts(s.model, FRS_UPLOAD, shapes);
        ck_assert_uint_eq(n, 2);
        frs_message_put_parts(&message, &codec, s.trained[0].upload, n, NULL,
            (struct frs_encoding){.rng = &rng, .arena = &s.arena});
        struct frs_reader in = frs_reader_init(message.bytes, message.n);
        ck_assert(frs_message_parts(&in, &codec, shapes, n, NULL, &s.arena, decoded));
        ck_assert_mem_eq(decoded[1].values, s.trained[0].upload[1].values, PARAMETERS * sizeof(float));
        ck_assert_mem_eq(message.bytes + message.n - PARAMETERS * sizeof(float), decoded[1].values,
            PARAMETERS * sizeof(float));
        frs_values_fini(&values);
        frs_buffer_fini(&message);
        free(codec.settings);
        end(&s);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fedncf");
    TCase *tests = tcase_create("fedncf");
    tcase_add_test(tests, per_item_means);
    tcase_add_test(tests, updates_are_the_same_method);
    tcase_add_test(tests, codecs_leave_the_perceptron_alone);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
