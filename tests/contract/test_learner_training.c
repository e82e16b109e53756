/* Training a learner: the same whatever the order, sound uploads, no trace in the model, and the same when it
 * ends early. */
#include "sim/base/threads/pool.h"
#include "tests/contract/subject.h"

#include <stdlib.h>

struct tasks {
    const struct subject *subject;
    struct frs_arena arenas[2];
    struct frs_buffer records[CLIENTS];
};

static void run_task(void *context, size_t task, size_t thread) {
    struct tasks *tasks = context;
    struct frs_arena *arena = &tasks->arenas[thread];
    frs_arena_reset(arena);
    struct frs_trained trained = train(tasks->subject, (uint32_t)task, arena);
    record(tasks->subject, &trained, &tasks->records[task]);
}

static void run_pool(struct tasks *tasks, size_t threads) {
    struct frs_pool *pool = frs_pool_create(threads);
    frs_pool_start(pool, run_task, tasks, CLIENTS);
    frs_pool_finish(pool);
    frs_pool_destroy(pool);
}

static void free_tasks(struct tasks *tasks) {
    for (size_t i = 0; i < 2; i++)
        frs_arena_fini(&tasks->arenas[i]);
    for (size_t i = 0; i < CLIENTS; i++)
        frs_buffer_fini(&tasks->records[i]);
}

/* The same uploads whatever the number of threads and the order of the clients, in a second model too. */
START_TEST(training_is_deterministic) {
    struct subject first, second;
    begin(&first, _i);
    begin(&second, _i);
    struct tasks one = {.subject = &first}, two = {.subject = &first}, reverse = {.subject = &second};
    run_pool(&one, 1);
    run_pool(&two, 2);
    for (size_t i = CLIENTS; i-- > 0;)
        run_task(&reverse, i, 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        check_same(&one.records[i], &two.records[i]);
        check_same(&one.records[i], &reverse.records[i]);
        ck_assert(i == 0 || one.records[i].n != one.records[0].n ||
                  memcmp(one.records[i].bytes, one.records[0].bytes, one.records[0].n) != 0);
    }
    free_tasks(&one);
    free_tasks(&two);
    free_tasks(&reverse);
    end(&first);
    end(&second);
}
END_TEST

/* Neither tables nor anybody's scores change before a commit. */
START_TEST(training_leaves_the_model_alone) {
    struct subject s;
    struct frs_arena arena = {0};
    float before[ITEMS], after[ITEMS];
    begin(&s, _i);
    struct frs_tables copy = copy_tables(s.model);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        score_all(&s, client, before);
        train(&s, client, &arena);
        score_all(&s, client, after);
        ck_assert_mem_eq(before, after, sizeof before);
    }
    ck_assert_int_eq(compare_tables(s.model, &copy, &s.tables), 0);
    free_tables(&copy);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* At most 5 rows per training item (4 negatives each), shapes as announced, ids ascending, numbers finite. */
START_TEST(uploads_are_sound) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = train(&s, client, &arena);
        ck_assert(isfinite(trained.loss) && isfinite(trained.flop) && trained.flop >= 0);
        ck_assert_int_eq(trained.flop > 0, client != EMPTY);
        ck_assert_int_eq(trained.post_flop > 0, client != EMPTY && s.learner->works_on);
        for (size_t part = 0; part < s.n_upload; part++) {
            const struct frs_rows *rows = &trained.upload[part];
            ck_assert_uint_eq(rows->n_rows, s.upload[part].n_rows);
            ck_assert_uint_eq(rows->dim, s.upload[part].dim);
            ck_assert(rows->ids || rows->n == rows->n_rows);
            for (size_t i = 0; rows->ids && i < rows->n; i++)
                ck_assert(rows->ids[i] < rows->n_rows && (i == 0 || rows->ids[i] > rows->ids[i - 1]));
            for (size_t i = 0; i < rows->n * rows->dim; i++)
                ck_assert(isfinite(rows->values[i]));
        }
        if (s.upload[0].n_rows == ITEMS && trained.upload[0].ids)
            ck_assert_uint_le(trained.upload[0].n, 5 * s.population.clients[client].n);
    }
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

static bool has_param(const struct frs_learner *learner, const char *key) {
    for (const struct frs_param *param = learner->plugin.params; param && param->key; param++)
        if (strcmp(param->key, key) == 0)
            return true;
    return false;
}

static bool may_be(const struct frs_learner *learner, const char *key, const char *value) {
    for (const struct frs_param *param = learner->plugin.params; param && param->key; param++)
        if (strcmp(param->key, key) == 0)
            return param->type == FRS_CHOICE || strtod(value, NULL) <= param->max;
    return false;
}

/* One step of gradient descent with this weight decay, of as many of the keys as the learner has. */
static void begin_decaying(struct subject *s, int i, const char *decay) {
    const char *const wanted[][2] = {{"epochs", "1"}, {"optimiser", "sgd"}, {"learning_rate", "1"},
        {"user_learning_rate", "0"}, {"weight_decay", decay}};
    const char *settings[2 * sizeof wanted / sizeof *wanted + 3], *variant = NULL;
    const struct frs_learner *learner = NULL;
    size_t n = 0;
    find_learner(i, &learner, &variant);
    if (*variant) {
        settings[n++] = "variant";
        settings[n++] = variant;
    }
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (may_be(learner, wanted[k][0], wanted[k][1])) {
            settings[n++] = wanted[k][0];
            settings[n++] = wanted[k][1];
        }
    settings[n] = NULL;
    begin_with(s, learner, settings);
}

/* A method that says it has checked its upload has seen a value that is not finite, also where the loss was
 * still finite before the step: rows that overflow, a difference that does though both rows are finite, and
 * tables that were no numbers. */
START_TEST(checked_uploads_are_finite) {
    static const char *const decays[] = {"1000", "1.9", "0"};
    static const float poisons[] = {3e38f, INFINITY, NAN};
    for (size_t p = 0; p < 9; p++) {
        struct subject s;
        struct frs_arena arena = {0};
        begin_decaying(&s, _i, decays[p / 3]);
        struct frs_part shapes[FRS_MAX_PARTS];
        frs_model_parts(s.model, FRS_STATE, shapes);
        for (size_t item = 0; shapes[0].n_rows == ITEMS && item < ITEMS; item++)
            s.tables.part[0][item * shapes[0].dim] = poisons[p % 3];
        for (uint32_t client = 0; client < CLIENTS; client++) {
            struct frs_trained trained = train(&s, client, &arena);
            for (size_t part = 0; trained.upload_checked && isfinite(trained.loss) && part < s.n_upload;
                 part++)
                for (size_t i = 0; i < trained.upload[part].n * trained.upload[part].dim; i++)
                    ck_assert_msg(isfinite(trained.upload[part].values[i]), "%s", s.learner->plugin.name);
        }
        frs_arena_fini(&arena);
        end(&s);
    }
}
END_TEST

/* Another round, and another attempt at the same round, draw other samples, where any are drawn. Under a
 * course rounds differ anyway, attempts do not. */
START_TEST(rounds_and_attempts_differ) {
    struct subject s;
    struct frs_arena arena = {0};
    struct frs_buffer records[3] = {{0}};
    begin(&s, _i);
    for (uint32_t i = 0; i < 3 * CLIENTS; i++) {
        struct frs_training training = {.data = &s.population.clients[i / 3],
            .tables = &s.tables,
            .round_seed = s.round_seed,
            .round = i % 3 == 1,
            .attempt = i % 3 == 2,
            .budget = frs_learner_budgets(s.learner, s.model).max};
        struct frs_trained trained;
        frs_learner_train(s.learner, s.model, &training, &arena, &trained);
        record(&s, &trained, &records[i % 3]);
    }
    for (size_t i = s.learner->rounds && s.learner->rounds->course ? 2 : 0; i < 3; i++) {
        const struct frs_buffer *a = &records[i], *b = &records[(i + 1) % 3];
        bool differ = a->n != b->n || memcmp(a->bytes, b->bytes, a->n) != 0;
        ck_assert_int_eq(differ, !s.learner->draws_nothing);
    }
    for (size_t i = 0; i < 3; i++)
        frs_buffer_fini(&records[i]);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* A participation that stops after k epochs is that of a model whose clients train k epochs; the limit of all
 * epochs is none. */
START_TEST(first_epochs_are_the_same) {
    struct subject whole, three;
    struct frs_arena arena = {0};
    begin(&whole, _i);
    begin(&three, _i);
    if (whole.learner->limits_epochs) {
        ck_assert(has_param(whole.learner, "epochs"));
        frs_model_destroy(three.model);
        three.model = make_model(three.learner, &three.population, SETTINGS("epochs", "3"));
        three.round_seed = open_round(three.learner, three.model, 0);
        three.tables = frs_model_tables(three.model);
    }
    for (uint32_t client = 0; whole.learner->limits_epochs && client < CLIENTS; client++) {
        if (client == EMPTY)
            continue;
        struct frs_training training = {.data = &three.population.clients[client],
            .tables = &three.tables,
            .round_seed = three.round_seed,
            .budget = frs_learner_budgets(three.learner, three.model).max};
        struct frs_trained trained[4];
        struct frs_buffer records[4] = {{0}};
        for (uint32_t epochs = 0; epochs < 4; epochs++) {
            training.epochs = epochs;
            frs_learner_train(three.learner, three.model, &training, &arena, &trained[epochs]);
            record(&three, &trained[epochs], &records[epochs]);
            ck_assert_uint_eq(trained[epochs].epochs, epochs ? epochs : 3);
            ck_assert_double_eq_tol(
                trained[epochs].processed * 3, trained[0].processed * trained[epochs].epochs, 1e-9);
        }
        check_same(&records[0], &records[3]);
        ck_assert(trained[1].flop < trained[2].flop && trained[2].flop < trained[3].flop);
        void *one = make_model(three.learner, &three.population, SETTINGS("epochs", "1"));
        open_round(three.learner, one, 0);
        struct frs_trained first =
            train_client(three.learner, one, &three.population, client, 0, three.round_seed, &arena);
        struct frs_buffer alone = {0};
        record(&three, &first, &alone);
        check_same(&records[1], &alone);
        frs_model_destroy(one);
        frs_buffer_fini(&alone);
        for (size_t i = 0; i < 4; i++)
            frs_buffer_fini(&records[i]);
    }
    frs_arena_fini(&arena);
    end(&whole);
    end(&three);
}
END_TEST

static bool has_key(const struct frs_learner *learner, const char *key) {
    for (const struct frs_param *p = learner->plugin.params; p->key; p++)
        if (strcmp(p->key, key) == 0)
            return true;
    return false;
}

/* From zeros alone no client would ever learn: a deviation of 0 means another start, or leaves some of it. */
START_TEST(no_start_stands_still) {
    if (!has_key(frs_learners[_i], "init_sd"))
        return;
    struct subject s;
    struct frs_arena arena = {0};
    begin_with(&s, frs_learners[_i], SETTINGS("init_sd", "0"));
    struct frs_trained trained = train(&s, 0, &arena);
    commit(&s, 0, &trained);
    struct frs_contribution contribution = contribute(s.learner, 0, &trained, &s.tables, s.round_seed);
    aggregate(&s, &contribution, 1, &arena);
    float scores[ITEMS];
    uint32_t different = 0;
    score_all(&s, 0, scores);
    for (uint32_t i = 1; i < ITEMS; i++)
        different += scores[i] != scores[0];
    ck_assert_msg(different > 0, "%s: all items score the same", s.learner->plugin.name);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("learner_training");
    TCase *tests = tcase_create("learner_training");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, training_is_deterministic, 0, n_subjects());
    tcase_add_loop_test(tests, training_leaves_the_model_alone, 0, n_subjects());
    tcase_add_loop_test(tests, uploads_are_sound, 0, n_subjects());
    tcase_add_loop_test(tests, checked_uploads_are_finite, 0, n_subjects());
    tcase_add_loop_test(tests, rounds_and_attempts_differ, 0, n_subjects());
    tcase_add_loop_test(tests, first_epochs_are_the_same, 0, n_subjects());
    tcase_add_loop_test(tests, no_start_stands_still, 0, n_learners());
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
