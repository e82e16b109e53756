/* Edges that aggregate three times for one aggregation at the server: what their clients train on in between,
 * and what the server makes of it, computed from every upload beside the trainer. Clients 0 and 2 belong to
 * edge 0, client 1 to edge 1. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "algorithms/training/trainer_internal.h"
#include "tests/sim/run/fixture.h"

static const char common[] =
    "seed = 4;\ndata = { synthetic = \"custom\"; users = 20; items = 40; interactions = 200;"
    " activity_ceiling = 0.5; };\nevaluation = { negatives = 10; };\n"
    "network = { model = \"exact\"; preset = \"fieldguide\";"
    " edges = { count = 2; assignment = \"in_turn\"; partial_sums = true; }; };\n"
    "devices = { preset = \"fieldguide\"; };\nrounds = { cohort = 3; edge_rounds = 3; };\n";

static const char *const methods[] = {
    "method = { name = \"fedmf\"; dim = 4; epochs = 3; aggregation = \"data_size\"; };\n",
    "method = { name = \"fedmf\"; dim = 4; epochs = 3; aggregation = \"uniform\"; };\n",
    ("method = { name = \"colr\"; dim = 6; rank = 2; epochs = 3; learning_rate = 1.0;"
     " variant = \"paper\"; };\n")};
enum { N_METHODS = 3, CLIENTS = 3, EDGE_ROUNDS = 3, MAX_VALUES = 512, LATER = 1 << 17 };

static struct frs_scenario *scenario;
static struct frs_setup setup;
static struct frs_pool *pool;
static struct frs_trainer *trainer;

static void set_up(const char *method) {
    struct frs_errors errors = {0};
    char *text = frs_format("%s%s", common, method), *path = frs_format("%s/s.cfg", frs_folder);
    write_text("s.cfg", text);
    enum frs_status status = frs_scenario_load(frs_sections, path, NULL, 0, &scenario, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    status = frs_compose(scenario, &setup, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    pool = frs_pool_create(2);
    trainer = frs_trainer_create(&setup.training, pool, NULL);
    free(text);
    free(path);
}

static void tear_down(void) {
    frs_trainer_destroy(trainer);
    frs_pool_destroy(pool);
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
}

/* Opens clients and trains them in this edge round; on the model that the uploads of `aggregated` lead to, if
 * there are any. */
static void open_clients(
    const uint32_t *clients, size_t n, uint32_t edge_round, const size_t *aggregated, size_t *handles) {
    struct frs_member members[CLIENTS] = {0}, *list[CLIENTS];
    struct frs_usage usage;
    double encode_flop;
    for (size_t i = 0; i < n; i++) {
        members[i] = (struct frs_member){.client = clients[i], .trains = true};
        list[i] = &members[i];
    }
    frs_trainer_open(trainer,
        &(struct frs_cohort){.attempt = edge_round * LATER,
            .n = n,
            .members = list,
            .aggregated = aggregated,
            .n_aggregated = aggregated ? n : 0},
        &encode_flop);
    for (size_t i = 0; i < n; i++) {
        handles[i] = members[i].handle;
        frs_trainer_received(trainer, handles[i]);
        frs_trainer_result(trainer, handles[i], &usage);
        frs_trainer_commit(trainer, handles[i]);
    }
}

/* The weighted mean of what these uploads change, in the shape of an upload; returns their weight. */
static double mean_of(const size_t *handles, size_t n, double *mean) {
    double weights = 0;
    bool by_size = ((const struct frs_model *)setup.training.model)->weighting == FRS_DATA_SIZE;
    memset(mean, 0, MAX_VALUES * sizeof *mean);
    for (size_t i = 0; i < n; i++) {
        const struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handles[i]);
        const struct frs_contribution *contribution = &job->work.contribution;
        const struct frs_rows *rows = &contribution->parts[0];
        double weight = by_size ? contribution->samples : 1;
        weights += weight;
        for (size_t k = 0; k < rows->n * rows->dim; k++) {
            size_t row = rows->ids ? rows->ids[k / rows->dim] : k / rows->dim,
                   at = row * rows->dim + k % rows->dim;
            float base = setup.training.learner->uploads_updates ? 0 : job->version->tables.part[0][at];
            mean[at] += weight * ((double)rows->values[k] - (double)base);
        }
    }
    for (size_t k = 0; k < MAX_VALUES; k++)
        mean[k] /= weights;
    return weights;
}

/* table + change, as the method's clients apply it; both [MAX_VALUES] with zeros behind. */
static void apply(float *table, const double *change) {
    struct frs_part shapes[FRS_MAX_PARTS];
    frs_model_parts(setup.training.model, FRS_UPLOAD, shapes);
    static float values[MAX_VALUES];
    struct frs_arena arena = {0};
    struct frs_rows rows = {.n_rows = shapes[0].n_rows, .dim = shapes[0].dim, .n = shapes[0].n_rows};
    for (size_t k = 0; k < MAX_VALUES; k++)
        values[k] = (float)change[k];
    rows.values = values;
    if (setup.training.learner->sends_updates)
        frs_learner_apply(setup.training.learner, setup.training.model, &(struct frs_tables){.part = {table}},
            trainer->current[0]->round_seed, &rows, &arena);
    else
        frs_rows_add_to(&rows, table);
    frs_arena_fini(&arena);
}

static void same(const float *table, const float *expected, size_t n, const char *what) {
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabsf(table[i] - expected[i]) <= 2e-6f, "%s, value %zu: %.9g instead of %.9g", what, i,
            (double)table[i], (double)expected[i]);
}

START_TEST(edges_train_on_their_own_models_and_send_what_these_moved) {
    static const uint32_t all[] = {0, 1, 2}, of_edge[2][2] = {{0, 2}, {1}};
    static const size_t n_of[2] = {2, 1};
    size_t handles[EDGE_ROUNDS][CLIENTS], n_values;
    double sum[MAX_VALUES] = {0}, weights = 0;
    struct frs_part shapes[FRS_MAX_PARTS];
    set_up(methods[_i]);
    frs_model_parts(setup.training.model, FRS_STATE, shapes);
    n_values = shapes[0].n_rows * shapes[0].dim;
    ck_assert_uint_le(n_values, MAX_VALUES);
    float before[MAX_VALUES] = {0}, expected[MAX_VALUES];
    memcpy(before, frs_model_tables(setup.training.model).part[0], n_values * sizeof *before);
    open_clients(all, CLIENTS, 0, NULL, handles[0]);
    for (size_t edge = 0; edge < 2; edge++) {
        const uint32_t *clients = of_edge[edge];
        size_t own[2] = {handles[0][clients[0]], handles[0][clients[1]]};
        double mean[MAX_VALUES], moved[MAX_VALUES] = {0}, weight = mean_of(own, n_of[edge], mean);
        memcpy(expected, before, sizeof expected);
        for (uint32_t round = 1; round < EDGE_ROUNDS; round++) {
            size_t opened[2];
            apply(expected, mean);
            for (size_t k = 0; k < MAX_VALUES; k++)
                moved[k] += mean[k];
            open_clients(clients, n_of[edge], round, own, opened);
            for (size_t i = 0; i < n_of[edge]; i++) {
                handles[round][clients[i]] = own[i] = opened[i];
                same(frs_training_jobs_find(&trainer->jobs, own[i])->version->tables.part[0], expected,
                    n_values, "an edge's model");
            }
            weight = mean_of(own, n_of[edge], mean);
        }
        weights += weight;
        for (size_t k = 0; k < MAX_VALUES; k++)
            sum[k] += weight * (moved[k] + mean[k]);
    }
    for (size_t k = 0; k < MAX_VALUES; k++)
        sum[k] /= weights;
    memcpy(expected, before, sizeof expected);
    apply(expected, sum);
    frs_trainer_close(trainer, &(struct frs_arrivals){.handles = handles[EDGE_ROUNDS - 1], .n = CLIENTS});
    same(frs_model_tables(setup.training.model).part[0], expected, n_values, "the server's table");
    for (size_t round = 0; round < EDGE_ROUNDS; round++)
        for (size_t i = 0; i < CLIENTS; i++)
            frs_trainer_drop(trainer, handles[round][i]);
    ck_assert_ptr_null(trainer->jobs.versions.first); /* models of edges end with their round */
    tear_down();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("edge models");
    TCase *tests = tcase_create("edge models");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_loop_test(tests, edges_train_on_their_own_models_and_send_what_these_moved, 0, N_METHODS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
