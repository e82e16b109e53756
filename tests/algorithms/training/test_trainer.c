/* Uploads that meet in one aggregation although their clients had downloaded different versions of the
 * tables. The expected result is computed from every client's own change, trained once more beside the
 * trainer. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "algorithms/training/trainer_internal.h"
#include "algorithms/training/client_update.h"
#include "tests/sim/run/fixture.h"

static const char common[] =
    "seed = 4;\ndata = { synthetic = \"custom\"; users = 20; items = 40; interactions = 200;"
    " activity_ceiling = 0.5; };\nevaluation = { negatives = 10; };\n"
    "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n";

/* Methods as they are trained: under FedBuff, and under a policy that accepts late uploads. */
static const char *const methods[] = {"method = { name = \"fedmf\"; dim = 4; epochs = 3;%s };\n",
    "method = { name = \"colr\"; dim = 6; rank = 2; epochs = 3; learning_rate = 1.0;%s };\n"};
enum { N_METHODS = 2, MAX_VALUES = 512 };

struct bench {
    struct frs_scenario *scenario;
    struct frs_setup setup;
    struct frs_pool *pool;
    struct frs_trainer *trainer;
    size_t n_values;
    double expected[MAX_VALUES]; /* the server's table */
};

static void setup_bench(struct bench *bench, const char *method, const char *rounds) {
    struct frs_errors errors = {0};
    char *text = frs_format("%s%srounds = { %s };\n", common, method, rounds);
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    enum frs_status status = frs_scenario_load(frs_sections, path, NULL, 0, &bench->scenario, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    status = frs_compose(bench->scenario, &bench->setup, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    bench->pool = frs_pool_create(2);
    bench->trainer = frs_trainer_create(&bench->setup.training, bench->pool, NULL);
    struct frs_part shapes[FRS_MAX_PARTS];
    frs_model_parts(bench->setup.training.model, FRS_STATE, shapes);
    bench->n_values = shapes[0].n_rows * shapes[0].dim;
    ck_assert_uint_le(bench->n_values, MAX_VALUES);
    for (size_t i = 0; i < bench->n_values; i++)
        bench->expected[i] = (double)frs_model_tables(bench->setup.training.model).part[0][i];
    free(text);
    free(path);
}

static void teardown_bench(struct bench *bench) {
    frs_trainer_destroy(bench->trainer);
    frs_pool_destroy(bench->pool);
    frs_setup_fini(&bench->setup);
    frs_scenario_destroy(bench->scenario);
}

/* The handle of the first one; the others follow. */
static size_t open_all(struct frs_trainer *trainer, struct frs_member *members, size_t n) {
    double encode_flop;
    struct frs_member **list = frs_alloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = &members[i];
    frs_trainer_open(trainer, &(struct frs_cohort){.n = n, .members = list}, &encode_flop);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(members[i].handle, members[0].handle + i);
    free(list);
    return members[0].handle;
}

static size_t open_one(struct bench *bench, uint32_t round, uint32_t attempt, uint32_t client) {
    double encode_flop;
    struct frs_member member = {.client = client, .trains = true};
    struct frs_cohort cohort = {
        .round = round, .attempt = attempt, .n = 1, .members = &(struct frs_member *){&member}};
    frs_trainer_open(bench->trainer, &cohort, &encode_flop);
    frs_trainer_received(bench->trainer, member.handle);
    return member.handle;
}

/* What a client makes of the present tables: the change of the whole table it stands for. */
struct change {
    double values[MAX_VALUES];
    uint32_t samples;
    bool rows[MAX_VALUES]; /* it sent */
};

static struct change change_of(
    struct bench *bench, uint32_t client, uint32_t round, uint32_t attempt, uint32_t epochs) {
    const struct frs_learner *learner = bench->setup.training.learner;
    void *model = bench->setup.training.model;
    struct frs_client_update work = {
        .client = client, .round = round, .attempt = attempt, .epochs_limit = epochs};
    struct frs_client_update_bench workbench = {0};
    struct frs_tables tables = frs_model_tables(model);
    uint64_t round_seed = learner->round_seed ? learner->round_seed(model, round) : 0;
    static struct change change;
    memset(&change, 0, sizeof change);
    frs_client_update_run(&work, &bench->setup.training,
        &(struct frs_client_update_order){.tables = &tables, .round_seed = round_seed, .sends = true},
        &workbench);
    const struct frs_contribution *contribution = &work.contribution;
    const struct frs_rows *rows = &contribution->parts[0];
    float expanded[MAX_VALUES] = {0};
    if (learner->sends_updates)
        frs_learner_apply(
            learner, model, &(struct frs_tables){.part = {expanded}}, round_seed, rows, &workbench.arena);
    size_t dim = learner->sends_updates ? 6 : rows->dim;
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->ids ? rows->ids[i] : i;
        change.rows[row] = true;
        for (size_t k = 0; k < dim; k++)
            change.values[row * dim + k] = learner->sends_updates ? (double)expanded[row * dim + k]
                                                                  : (double)rows->values[i * dim + k] -
                                                                        (double)tables.part[0][row * dim + k];
    }
    change.samples = contribution->samples;
    frs_client_update_fini(&work);
    frs_client_update_bench_fini(&workbench);
    return change;
}

static void add(struct bench *bench, const struct change *change, double weight) {
    for (size_t i = 0; i < bench->n_values; i++)
        bench->expected[i] += weight * change->values[i];
}

static void check(const struct bench *bench) {
    const float *table = frs_model_tables(bench->setup.training.model).part[0];
    for (size_t i = 0; i < bench->n_values; i++)
        ck_assert_msg(fabs((double)table[i] - bench->expected[i]) <= 2e-6, "value %zu: %.9g instead of %.9g",
            i, (double)table[i], bench->expected[i]);
}

static void close_with(struct bench *bench, const size_t *handles, size_t n) {
    (void)frs_trainer_close(bench->trainer, &(struct frs_arrivals){.handles = handles, .n = n});
    for (size_t i = 0; i < n; i++)
        frs_trainer_drop(bench->trainer, handles[i]);
}

/* The sum of an aggregation: each upload with its own weight (`aggregation`) times its weight by age, s_u. */
struct upload {
    const struct change *change;
    double scale; /* s_u */
};

static const char *const rules[] = {"per_item", "uniform", "data_size"};
enum { PER_ITEM, UNIFORM, DATA_SIZE, N_RULES };

static void add_by(struct bench *bench, int rule, double rate, const struct upload *uploads, size_t n) {
    double samples = 0;
    for (size_t u = 0; u < n; u++)
        samples += uploads[u].change->samples;
    for (size_t i = 0; i < bench->n_values; i++) {
        double sum = 0, touched = 0;
        size_t row = i / (bench->n_values / 40);
        for (size_t u = 0; u < n; u++) {
            const struct change *change = uploads[u].change;
            sum += (rule == DATA_SIZE ? change->samples : 1) * uploads[u].scale * change->values[i];
            touched += change->rows[row];
        }
        double divisor = rule == PER_ITEM ? touched : rule == UNIFORM ? (double)n : samples;
        bench->expected[i] += divisor > 0 ? rate * sum / divisor : 0;
    }
}

/* η_g = 0.8, and the method's own weights. Clients 2, 5 and 9 download version 0, client 4 version 1.
 *   version 1: client 2, s = 0, alone
 *   version 2: client 4, s = 0, and client 5, s = 1, counted by 1/√2: per item Q_i += 0.8 (Δ_4i + Δ_5i /
 *              √2) / 2 where both have changed item i, and 0.8 Δ_4i or 0.8 Δ_5i / √2 where one of them has
 *   version 3: client 9, s = 2, counted by 1/√3 */
START_TEST(arrivals_are_weighted_by_staleness) {
    struct bench bench;
    int rule = _i / N_METHODS;
    char *settings = frs_format(" server = { rate = 0.8; }; aggregation = \"%s\";", rules[rule]);
    char *method = frs_format(methods[_i % N_METHODS], settings);
    setup_bench(&bench, method, "cohort = 4; policy = { name = \"buffered_async\"; arrivals = 2; }");
    struct change two = change_of(&bench, 2, 0, 0, 0), five = change_of(&bench, 5, 0, 1, 0),
                  nine = change_of(&bench, 9, 0, 2, 0);
    size_t handle_2 = open_one(&bench, 0, 0, 2), handle_5 = open_one(&bench, 0, 1, 5),
           handle_9 = open_one(&bench, 0, 2, 9);
    close_with(&bench, &handle_2, 1);
    add_by(&bench, rule, 0.8, &(struct upload){&two, 1}, 1);
    check(&bench);
    struct change four = change_of(&bench, 4, 1, 0, 0);
    size_t handle_4 = open_one(&bench, 1, 0, 4);
    close_with(&bench, (const size_t[]){handle_4, handle_5}, 2);
    add_by(&bench, rule, 0.8, (const struct upload[]){{&four, 1}, {&five, 1 / sqrt(2)}}, 2);
    check(&bench);
    close_with(&bench, &handle_9, 1);
    add_by(&bench, rule, 0.8, &(struct upload){&nine, 1 / sqrt(3)}, 1);
    check(&bench);
    teardown_bench(&bench);
    free(settings);
    free(method);
}
END_TEST

/* Which rule that is does not depend on the policy: by default the method's own. */
START_TEST(test_rule_by_default) {
    static const enum frs_weighting own[N_METHODS] = {FRS_PER_ITEM, FRS_PER_ITEM};
    static const char *const policies[] = {"cohort = 4",
        "stragglers = \"run_on\"; policy = { name = \"deadline\"; after = \"1 s\"; late = \"accept\"; }",
        "cohort = 4; policy = \"buffered_async\""};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct bench bench;
        char *method = frs_format(methods[_i], "");
        setup_bench(&bench, method, policies[i]);
        ck_assert_int_eq(((const struct frs_model *)bench.setup.training.model)->weighting, own[_i]);
        teardown_bench(&bench);
        free(method);
    }
}
END_TEST

/* FedAvgM over FedBuff, for methods whose updates keep their meaning: η = 0.5, β = 0.5, uploads as above.
 *   version 1: Δ = Δ_2                      m = Δ,       Q += m / 2
 *   version 2: Δ = (Δ_4 + Δ_5 / √2) / 2     m = m/2 + Δ, Q += m / 2 */
static const char *const keeping[] = {"fedmf", "fedmf_update"};

START_TEST(test_momentum_of_stale_uploads) {
    struct bench bench;
    char *method = frs_format(
        "method = { name = \"%s\"; dim = 6; epochs = 3;"
        " aggregation = \"uniform\"; server = { optimiser = \"momentum\"; rate = 0.5; beta = 0.5; }; };\n",
        keeping[_i]);
    setup_bench(&bench, method, "cohort = 4; policy = { name = \"buffered_async\"; arrivals = 2; }");
    struct change two = change_of(&bench, 2, 0, 0, 0), five = change_of(&bench, 5, 0, 1, 0);
    size_t handle_2 = open_one(&bench, 0, 0, 2), handle_5 = open_one(&bench, 0, 1, 5);
    close_with(&bench, &handle_2, 1);
    add(&bench, &two, 0.5);
    check(&bench);
    struct change four = change_of(&bench, 4, 1, 0, 0);
    size_t handle_4 = open_one(&bench, 1, 0, 4);
    close_with(&bench, (const size_t[]){handle_4, handle_5}, 2);
    add(&bench, &two, 0.5 * 0.5);
    add(&bench, &four, 0.5 / 2);
    add(&bench, &five, 0.5 / 2 / sqrt(2));
    check(&bench);
    teardown_bench(&bench);
    free(method);
}
END_TEST

/* A round that accepts a late upload weights it like the method, over the clients of both rounds, and by
 * its age: for one version 1/√2, or in full. */
START_TEST(a_late_upload_is_discounted) {
    struct bench bench;
    int rule = _i / N_METHODS % N_RULES;
    bool in_full = _i / N_METHODS >= N_RULES;
    char *settings = frs_format(" aggregation = \"%s\";", rules[rule]);
    char *method = frs_format(methods[_i % N_METHODS], settings);
    char *rounds = frs_format("stragglers = \"run_on\"; policy = { name = \"deadline\"; after = \"1 s\";"
                              " late = \"accept\";%s }",
        in_full ? " staleness = \"none\";" : "");
    setup_bench(&bench, method, rounds);
    struct change two = change_of(&bench, 2, 0, 0, 0), five = change_of(&bench, 5, 0, 1, 0);
    size_t handle_2 = open_one(&bench, 0, 0, 2), handle_5 = open_one(&bench, 0, 1, 5);
    close_with(&bench, &handle_2, 1);
    add(&bench, &two, 1);
    check(&bench);
    struct change four = change_of(&bench, 4, 1, 0, 0);
    size_t handle_4 = open_one(&bench, 1, 0, 4);
    close_with(&bench, (const size_t[]){handle_4, handle_5}, 2);
    add_by(&bench, rule, 1, (const struct upload[]){{&four, 1}, {&five, in_full ? 1 : 1 / sqrt(2)}}, 2);
    check(&bench);
    teardown_bench(&bench);
    free(settings);
    free(method);
    free(rounds);
}
END_TEST

/* A participation that ends after two of its three epochs is one of two epochs from the beginning. */
START_TEST(truncated_training_is_training_of_fewer_epochs) {
    struct bench bench;
    char *method = frs_format(methods[_i], " aggregation = \"uniform\";");
    setup_bench(&bench, method, "policy = { name = \"partial_work\"; after = \"1 s\"; grace = \"1 s\"; }");
    struct change two = change_of(&bench, 2, 0, 0, 2), all = change_of(&bench, 2, 0, 0, 0);
    size_t handle = open_one(&bench, 0, 0, 2);
    struct frs_usage whole, part;
    frs_trainer_result(bench.trainer, handle, &whole);
    frs_trainer_truncate(bench.trainer, &handle, &(uint32_t){2}, 1);
    frs_trainer_result(bench.trainer, handle, &part);
    ck_assert_uint_eq(whole.epochs, 3);
    ck_assert_uint_eq(part.epochs, 2);
    ck_assert_double_eq_tol(part.samples, whole.samples * 2 / 3, 1e-9);
    ck_assert_double_lt(part.flop, whole.flop);
    close_with(&bench, &handle, 1);
    add(&bench, &two, 1);
    check(&bench);
    ck_assert_int_ne(memcmp(two.values, all.values, sizeof two.values), 0);
    teardown_bench(&bench);
    free(method);
}
END_TEST

/* Taken back to all epochs it is what it was before it was shortened. */
START_TEST(test_truncated_and_restored) {
    struct bench bench;
    char *method = frs_format(methods[_i], " aggregation = \"uniform\";");
    setup_bench(&bench, method, "policy = { name = \"partial_work\"; after = \"1 s\"; grace = \"1 s\"; }");
    struct change all = change_of(&bench, 2, 0, 0, 0);
    size_t handle = open_one(&bench, 0, 0, 2);
    struct frs_usage whole, again;
    frs_trainer_result(bench.trainer, handle, &whole);
    frs_trainer_truncate(bench.trainer, &handle, &(uint32_t){1}, 1);
    frs_trainer_truncate(bench.trainer, &handle, &(uint32_t){0}, 1);
    frs_trainer_result(bench.trainer, handle, &again);
    ck_assert_uint_eq(again.epochs, whole.epochs);
    ck_assert_uint_eq(again.up_bytes, whole.up_bytes);
    ck_assert_double_eq(again.flop, whole.flop);
    ck_assert_double_eq(again.loss, whole.loss);
    close_with(&bench, &handle, 1);
    add(&bench, &all, 1);
    check(&bench);
    teardown_bench(&bench);
    free(method);
}
END_TEST

static bool has_trained(const struct frs_trainer *trainer, size_t handle) {
    return frs_training_jobs_find(&trainer->jobs, handle)->work.usage.samples > 0;
}

/* The result of the second of three clients is needed first, then the third. With one thread, no client is
 * trained before its result is needed. That is the order where uploads have to be kept because it is
 * unknown which clients will arrive. */
START_TEST(test_trained_as_wanted) {
    struct bench bench;
    struct frs_usage usage;
    char *method = frs_format("method = { name = \"fedmf\"; dim = 4; };\nfailures = { up = 0.5; };\n");
    setup_bench(&bench, method, "count = 1; cohort = 3;");
    struct frs_pool *alone = frs_pool_create(1);
    struct frs_trainer *trainer = frs_trainer_create(&bench.setup.training, alone, NULL);
    struct frs_member members[] = {{.client = 0, .trains = true, .wanted_s = 3},
        {.client = 1, .trains = true, .wanted_s = 1}, {.client = 2, .trains = true, .wanted_s = 2}};
    size_t first = open_all(trainer, members, 3);
    static const size_t order[] = {2, 0, 1};
    for (size_t i = 0; i < 3; i++) {
        ck_assert(!has_trained(trainer, first + i));
        ck_assert_uint_eq(frs_training_jobs_find(&trainer->jobs, first + i)->task, order[i]);
    }
    frs_trainer_result(trainer, first + 1, &usage);
    ck_assert(has_trained(trainer, first + 1));
    for (size_t i = 0; i < 3; i++)
        frs_trainer_drop(trainer, first + i);
    frs_trainer_destroy(trainer);
    frs_pool_destroy(alone);
    teardown_bench(&bench);
    free(method);
}
END_TEST

/* A journal answers for three participations and drops the first. Then the trainer takes over: their past
 * is repeated under the same handles, the reported usage of the others is put back, and the next handle is
 * new. */
START_TEST(test_listed_participations_are_put_back) {
    struct bench bench;
    setup_bench(&bench, "method = { name = \"fedmf\"; dim = 4; };\n", "count = 1; cohort = 3;");
    struct frs_trainer *trainer = bench.trainer;
    double encode_flop;
    struct frs_member members[3] = {{.client = 2}, {.client = 4}, {.client = 6, .waits = true}};
    struct frs_member *list[] = {&members[0], &members[1], &members[2]}, next = {.client = 1};
    struct frs_cohort cohort = {.n = 3, .members = list};
    frs_trainer_list(trainer, &cohort);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(members[i].handle, i);
        ck_assert_int_eq(frs_trainer_told(trainer, i)->waits, i == 2);
        frs_trainer_told(trainer, i)->usage.up_bytes = 10 + i;
    }
    frs_trainer_drop(trainer, 0);
    struct frs_handles listed = frs_trainer_take_listed(trainer);
    frs_trainer_open(trainer, &cohort, &encode_flop);
    frs_trainer_drop(trainer, 0);
    frs_trainer_put_back(trainer, &listed);
    for (size_t i = 1; i < 3; i++) {
        ck_assert_uint_eq(members[i].handle, i);
        ck_assert_uint_eq(frs_trainer_told(trainer, i)->usage.up_bytes, 10 + i);
        ck_assert_ptr_nonnull(frs_training_jobs_find(&trainer->jobs, i)->version);
    }
    cohort = (struct frs_cohort){.attempt = 1, .n = 1, .members = &(struct frs_member *){&next}};
    frs_trainer_open(trainer, &cohort, &encode_flop);
    ck_assert_uint_eq(next.handle, 3);
    for (size_t i = 1; i <= 3; i++)
        frs_trainer_drop(trainer, i);
    teardown_bench(&bench);
}
END_TEST

static size_t kept_bytes(const struct frs_trainer *trainer, size_t handle) {
    return frs_training_jobs_find(&trainer->jobs, handle)->work.kept.n;
}

static const enum frs_known_outcome outcomes[] = {FRS_KNOWN_ARRIVES, FRS_KNOWN_COMPUTES, FRS_KNOWN_VANISHES};

/* A round of twelve clients: every third arrives, every third loses its upload, and the others vanish.
 * Either that is certain when the round opens (then nothing is kept) or not. */
static struct frs_tables play_outcomes(struct bench *bench, bool certain) {
    enum { MEMBERS = 12 };
    struct frs_member members[MEMBERS];
    struct frs_usage usage;
    size_t arrivals[MEMBERS], n = 0;
    for (uint32_t u = 0; u < MEMBERS; u++)
        members[u] = (struct frs_member){
            .client = u, .trains = true, .known_outcome = certain ? outcomes[u % 3] : FRS_KNOWN_OPEN};
    size_t first = open_all(bench->trainer, members, MEMBERS);
    for (size_t i = 0; i < MEMBERS; i++) {
        frs_trainer_result(bench->trainer, first + i, &usage);
        ck_assert_uint_gt(usage.up_bytes, 0);
        if (outcomes[i % 3] != FRS_KNOWN_VANISHES)
            frs_trainer_commit(bench->trainer, first + i);
        if (outcomes[i % 3] == FRS_KNOWN_ARRIVES)
            arrivals[n++] = first + i;
    }
    ck_assert_uint_eq(bench->trainer->n_gathered, certain ? n : 0);
    (void)frs_trainer_close(bench->trainer, &(struct frs_arrivals){.handles = arrivals, .n = n});
    ck_assert_uint_eq(frs_trainer_updates(bench->trainer), 2 * n);
    ck_assert_uint_eq(bench->trainer->leakage.uploads, n);
    for (size_t i = 0; i < MEMBERS; i++)
        frs_trainer_drop(bench->trainer, first + i);
    return frs_model_tables(bench->setup.training.model);
}

START_TEST(known_outcomes_change_no_tables) {
    static const char text[] =
        "method = { name = \"fedmf\"; dim = 4; epochs = 1; };\nfailures = { up = 0.3; down = 0.3; };\n";
    struct bench certain, open;
    setup_bench(&certain, text, "count = 9; cohort = 12;");
    setup_bench(&open, text, "count = 9; cohort = 12;");
    struct frs_tables a = play_outcomes(&certain, true), b = play_outcomes(&open, false);
    ck_assert_mem_eq(a.part[0], b.part[0], certain.n_values * sizeof(float));
    struct frs_buffer archives[2] = {{0}};
    frs_trainer_archive(certain.trainer, &(struct frs_archive){.out = &archives[0]});
    frs_trainer_archive(open.trainer, &(struct frs_archive){.out = &archives[1]});
    ck_assert_uint_eq(archives[0].n, archives[1].n);
    ck_assert_mem_eq(archives[0].bytes, archives[1].bytes, archives[0].n);
    frs_buffer_fini(&archives[0]);
    frs_buffer_fini(&archives[1]);
    teardown_bench(&certain);
    teardown_bench(&open);
}
END_TEST

static const char *const gathering[] = {
    "method = { name = \"fedrap\"; dim = 4; epochs = 1; };\ncodec = { uplink = \"touched_rows\"; };\n",
    "method = { name = \"fedmf\"; dim = 4; epochs = 1; };\n",
    "method = { name = \"colr\"; dim = 6; rank = 2; epochs = 1; };\n"};

/* No client can fail to arrive: the result of the last one exists when all before it have been trained,
 * too, and only what the leakage measure reads waits for the end of the round. With a server that may
 * restart, everything waits. */
START_TEST(test_uploads_are_gathered) {
    enum { MEMBERS = 20 };
    struct frs_member members[MEMBERS];
    struct frs_usage usage;
    size_t handles[MEMBERS];
    static const char *const failures[] = {"", "failures = { server_restarts = \"9000 h\"; };\n"};
    bool keeps = _i % 2 == 1;
    struct bench bench;
    char *text = frs_format("%s%s", gathering[_i / 2], failures[keeps]);
    setup_bench(&bench, text, "count = 9; cohort = 20;");
    bench.trainer->leakage.uploads = FRS_READ_MANY; /* of 20 it looks at place 128 mod 20 */
    for (uint32_t u = 0; u < MEMBERS; u++)
        members[u] = (struct frs_member){
            .client = u, .trains = true, .wanted_s = MEMBERS - u, .known_outcome = FRS_KNOWN_ARRIVES};
    size_t first = open_all(bench.trainer, members, MEMBERS);
    for (size_t i = 0; i < MEMBERS; i++)
        handles[i] = first + i;
    frs_trainer_result(bench.trainer, handles[MEMBERS - 1], &usage);
    for (size_t i = 0; i < MEMBERS; i++) {
        frs_trainer_result(bench.trainer, handles[i], &usage);
        ck_assert_uint_gt(usage.up_bytes, 0);
        ck_assert_int_eq(kept_bytes(bench.trainer, handles[i]) > 0, keeps);
        frs_trainer_commit(bench.trainer, handles[i]);
    }
    ck_assert_uint_eq(frs_trainer_updates(bench.trainer), MEMBERS);
    close_with(&bench, handles, MEMBERS);
    ck_assert_uint_eq(bench.trainer->leakage.uploads, FRS_READ_MANY + 1);
    teardown_bench(&bench);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("trainer");
    TCase *tests = tcase_create("uploads of several versions");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_loop_test(tests, arrivals_are_weighted_by_staleness, 0, N_METHODS * N_RULES);
    tcase_add_loop_test(tests, test_rule_by_default, 0, N_METHODS);
    tcase_add_loop_test(tests, test_momentum_of_stale_uploads, 0, 2);
    tcase_add_loop_test(tests, a_late_upload_is_discounted, 0, 2 * N_METHODS * N_RULES);
    tcase_add_loop_test(tests, truncated_training_is_training_of_fewer_epochs, 0, N_METHODS);
    tcase_add_loop_test(tests, test_truncated_and_restored, 0, N_METHODS);
    tcase_add_test(tests, test_trained_as_wanted);
    tcase_add_test(tests, test_listed_participations_are_put_back);
    tcase_add_test(tests, known_outcomes_change_no_tables);
    tcase_add_loop_test(tests, test_uploads_are_gathered, 0, 6);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
