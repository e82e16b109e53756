/* Contract of training: the result does not depend on the order, uploads are sound, the model keeps no
 * trace, and a training that ends early gives the same as a shorter one. */
#include "algorithms/external.h"
#include "sim/base/threads/pool.h"
#include "sim/selftest/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEARNER_H "algorithms/learner.h, "

enum { CLIENTS = FRS_SUBJECT_CLIENTS, ITEMS = FRS_SUBJECT_ITEMS };

struct tasks {
    const struct frs_subject *subject;
    struct frs_arena arenas[2];
    struct frs_buffer records[CLIENTS];
};

static void run_task(void *context, size_t task, size_t thread) {
    struct tasks *tasks = context;
    struct frs_arena *arena = &tasks->arenas[thread];
    frs_arena_reset(arena);
    struct frs_trained trained = frs_subject_train(tasks->subject, (uint32_t)task, arena);
    frs_subject_record(tasks->subject, &trained, &tasks->records[task]);
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
static void training_is_deterministic(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject first, second;
    frs_subject_begin(&first, check, learner, FRS_VARIANT(variant));
    frs_subject_begin(&second, check, learner, FRS_VARIANT(variant));
    frs_clause(check, LEARNER_H "train", "training is the same on one thread and on two");
    struct tasks one = {.subject = &first}, two = {.subject = &first}, reverse = {.subject = &second};
    run_pool(&one, 1);
    run_pool(&two, 2);
    frs_subject_works(&first);
    for (size_t i = CLIENTS; i-- > 0;)
        run_task(&reverse, i, 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        frs_clause(check, LEARNER_H "train", "training is the same on one thread and on two");
        FRS_HOLDS(check, frs_are_same_bytes(&one.records[i], &two.records[i]), "client %zu differs", i);
        frs_clause(
            check, LEARNER_H "train", "training is the same in any order of clients, and in another model");
        FRS_HOLDS(check, frs_are_same_bytes(&one.records[i], &reverse.records[i]), "client %zu differs", i);
        frs_clause(check, LEARNER_H "train", "clients with other data train something else");
        FRS_HOLDS(check, i == 0 || !frs_are_same_bytes(&one.records[i], &one.records[0]),
            "client %zu trains what client 0 does", i);
    }
    free_tasks(&one);
    free_tasks(&two);
    free_tasks(&reverse);
    frs_subject_end(&first);
    frs_subject_end(&second);
}

/* Neither tables nor scores of any client change before a commit. */
static void training_leaves_the_model_alone(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    float before[ITEMS], after[ITEMS];
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    frs_clause(check, LEARNER_H "train", "training leaves the model alone");
    struct frs_tables copy = frs_copy_tables(s.model);
    frs_clause(check, LEARNER_H "train", "training leaves the model alone");
    for (uint32_t client = 0; client < CLIENTS; client++) {
        frs_subject_score(&s, client, before);
        frs_subject_train(&s, client, &arena);
        frs_subject_score(&s, client, after);
        FRS_HOLDS(check, frs_are_same(before, after, sizeof before),
            "scores of client %u change before its commit", client);
    }
    FRS_HOLDS(check, frs_are_same_tables(s.model, &copy, &s.tables), "the server's tables change");
    frs_free_tables(&copy);
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* Shapes as announced, ids ascending, numbers finite. */
static void check_part(
    struct frs_subject *s, uint32_t client, const struct frs_rows *rows, const struct frs_part *shape) {
    struct frs_check *check = s->check;
    frs_clause(check, LEARNER_H "upload", "parts of an upload have the shapes of the model's FRS_UPLOAD");
    FRS_HOLDS(check, rows->n_rows == shape->n_rows && rows->dim == shape->dim,
        "%s of client %u is %zu × %zu instead of %zu × %zu", shape->name, client, rows->n_rows, rows->dim,
        shape->n_rows, shape->dim);
    frs_clause(check, "algorithms/rows.h, ids",
        "ids of an upload ascend below n_rows; without ids all rows are there");
    FRS_HOLDS(check, rows->ids || rows->n == rows->n_rows, "%zu of %zu rows of %s have no ids", rows->n,
        rows->n_rows, shape->name);
    for (size_t i = 0; rows->ids && i < rows->n; i++)
        FRS_HOLDS(check, rows->ids[i] < rows->n_rows && (i == 0 || rows->ids[i] > rows->ids[i - 1]),
            "id %u at place %zu of %s, of %zu rows", rows->ids[i], i, shape->name, rows->n_rows);
    frs_clause(check, LEARNER_H "upload", "values of an upload are finite");
    for (size_t i = 0; i < rows->n * rows->dim; i++)
        FRS_HOLDS(check, isfinite(rows->values[i]), "value %zu of %s of client %u is %g", i, shape->name,
            client, (double)rows->values[i]);
}

/* A program may leave its operations to the clock. */
static bool measures(const struct frs_learner *learner) {
    return learner->external && learner->external->traits.measured;
}

static void uploads_are_sound(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    frs_clause(check, LEARNER_H "loss", "the loss of a sound training is finite");
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = frs_subject_train(&s, client, &arena);
        bool has_data = client != FRS_SUBJECT_EMPTY;
        frs_clause(check, LEARNER_H "loss", "the loss of a sound training is finite");
        FRS_HOLDS(check, isfinite(trained.loss), "%g of client %u", trained.loss, client);
        frs_clause(
            check, LEARNER_H "flop", "operations are counted where a client has data, and there alone");
        bool counts = has_data && !measures(s.learner);
        FRS_HOLDS(check, isfinite(trained.flop) && (counts ? trained.flop > 0 : trained.flop == 0),
            "%g of a client with %zu items", trained.flop, s.population.clients[client].n);
        frs_clause(check, LEARNER_H "works_on",
            "operations follow the upload where the learner works on, and there alone");
        FRS_HOLDS(check, (trained.post_flop > 0) == (counts && s.learner->works_on),
            "%g of a client with %zu items", trained.post_flop, s.population.clients[client].n);
        frs_clause(check, LEARNER_H "samples", "samples are those of the client");
        FRS_HOLDS(check, (trained.samples > 0) == has_data, "%u of a client with %zu items", trained.samples,
            s.population.clients[client].n);
        for (size_t part = 0; part < s.n_upload; part++)
            check_part(&s, client, &trained.upload[part], &s.upload[part]);
    }
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* ---- values that are not finite --------------------------------------------------------------- */

/* The key allows this value, as far as a number tells. */
static bool may_be(const struct frs_learner *learner, const char *key, const char *value) {
    for (const struct frs_param *param = learner->plugin.params; param && param->key; param++)
        if (strcmp(param->key, key) == 0)
            return param->type == FRS_CHOICE || param->min == param->max || strtod(value, NULL) <= param->max;
    return false;
}

static bool has_choice(const struct frs_learner *learner, const char *key, const char *value) {
    for (const struct frs_param *param = learner->plugin.params; param && param->key; param++)
        for (size_t i = 0; strcmp(param->key, key) == 0 && param->type == FRS_CHOICE && param->choices[i];
             i++)
            if (strcmp(param->choices[i], value) == 0)
                return true;
    return false;
}

/* One step of gradient descent with this weight decay, of as many of the keys as the learner has. */
static void begin_decaying(struct frs_subject *s, struct frs_check *check, const struct frs_learner *learner,
    const char *variant, const char *decay) {
    const char *const wanted[][2] = {{"epochs", "1"}, {"optimiser", "sgd"}, {"learning_rate", "1"},
        {"user_learning_rate", "0"}, {"weight_decay", decay}};
    const char *settings[2 * sizeof wanted / sizeof *wanted + 3];
    size_t n = 0;
    if (*variant) {
        settings[n++] = "variant";
        settings[n++] = variant;
    }
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (strcmp(wanted[k][0], "optimiser") == 0 ? has_choice(learner, wanted[k][0], wanted[k][1])
                                                   : may_be(learner, wanted[k][0], wanted[k][1])) {
            settings[n++] = wanted[k][0];
            settings[n++] = wanted[k][1];
        }
    settings[n] = NULL;
    frs_subject_begin(s, check, learner, settings);
}

static void check_checked(struct frs_subject *s, float poison) {
    struct frs_arena arena = {0};
    struct frs_part shapes[FRS_MAX_PARTS] = {{0}};
    frs_model_parts(s->model, FRS_STATE, shapes);
    for (size_t item = 0; shapes[0].n_rows == ITEMS && item < ITEMS; item++)
        s->tables.part[0][item * shapes[0].dim] = poison;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = frs_subject_train(s, client, &arena);
        frs_clause(
            s->check, LEARNER_H "upload_checked", "an upload that was checked is finite where its loss is");
        for (size_t part = 0; trained.upload_checked && isfinite(trained.loss) && part < s->n_upload; part++)
            for (size_t i = 0; i < trained.upload[part].n * trained.upload[part].dim; i++)
                FRS_HOLDS(s->check, isfinite(trained.upload[part].values[i]),
                    "value %zu of part %zu of client %u is %g, and its loss %g, after tables with %g", i,
                    part, client, (double)trained.upload[part].values[i], trained.loss, (double)poison);
    }
    frs_arena_fini(&arena);
}

/* Uploads have to be finite even where the loss was still finite before the step: with rows that overflow,
 * with a difference that overflows though both rows are finite, and with tables that contain values that
 * are not numbers. */
static void checked_uploads_are_finite(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    static const char *const decays[] = {"1000", "1.9", "0"};
    static const float poisons[] = {3e38f, INFINITY, NAN};
    for (size_t p = 0; p < 9; p++) {
        struct frs_subject s;
        begin_decaying(&s, check, learner, variant, decays[p / 3]);
        check_checked(&s, poisons[p % 3]);
        frs_subject_end(&s);
    }
}

/* ---- rounds, attempts and epochs -------------------------------------------------------------- */

/* Under a course rounds differ anyway, attempts do not. A program does not say whether it draws. */
static void rounds_and_attempts_differ(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    static const char *const names[] = {"another round", "another attempt", "the first attempt"};
    struct frs_subject s;
    struct frs_arena arena = {0};
    struct frs_buffer records[3] = {{0}};
    if (learner->external)
        return;
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    frs_clause(check, LEARNER_H "draws_nothing",
        "another round or attempt draws anew, unless the learner draws nothing");
    for (uint32_t i = 0; i < 3 * CLIENTS; i++) {
        struct frs_training training = {.data = &s.population.clients[i / 3],
            .tables = &s.tables,
            .round_seed = s.round_seed,
            .round = i % 3 == 1,
            .attempt = i % 3 == 2,
            .budget = frs_learner_budgets(s.learner, s.model).max};
        struct frs_trained trained;
        frs_learner_train(s.learner, s.model, &training, &arena, &trained);
        frs_subject_record(&s, &trained, &records[i % 3]);
    }
    frs_clause(check, LEARNER_H "draws_nothing",
        "another round or attempt draws anew, unless the learner draws nothing");
    for (size_t i = s.learner->rounds && s.learner->rounds->course ? 2 : 0; i < 3; i++) {
        bool differ = !frs_are_same_bytes(&records[i], &records[(i + 1) % 3]);
        FRS_HOLDS(check, differ == !s.learner->draws_nothing, "%s trains %s", names[i],
            differ ? "something else" : "the same");
    }
    for (size_t i = 0; i < 3; i++)
        frs_buffer_fini(&records[i]);
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* Trains the client up to k of three epochs (k = 0: without a limit), and trains it in a model whose
 * clients train one epoch. */
static void check_epochs(
    struct frs_subject *three, struct frs_subject *one, uint32_t client, struct frs_arena *arena) {
    struct frs_check *check = three->check;
    struct frs_training training = {.data = &three->population.clients[client],
        .tables = &three->tables,
        .round_seed = three->round_seed,
        .budget = frs_learner_budgets(three->learner, three->model).max};
    struct frs_trained trained[4];
    struct frs_buffer records[4] = {{0}}, alone = {0};
    for (uint32_t epochs = 0; epochs < 4; epochs++) {
        training.epochs = epochs;
        frs_learner_train(three->learner, three->model, &training, arena, &trained[epochs]);
        frs_subject_record(three, &trained[epochs], &records[epochs]);
        frs_clause(check, LEARNER_H "epochs", "as many epochs are trained as the limit says");
        FRS_HOLDS(check, trained[epochs].epochs == (epochs ? epochs : 3), "%u under a limit of %u",
            trained[epochs].epochs, epochs);
        frs_clause(
            check, LEARNER_H "processed", "samples that go through training count anew in every epoch");
        FRS_HOLDS(check,
            fabs(trained[epochs].processed * 3 - trained[0].processed * trained[epochs].epochs) <= 1e-9,
            "%g in %u epochs, %g in 3", trained[epochs].processed, trained[epochs].epochs,
            trained[0].processed);
    }
    frs_clause(check, LEARNER_H "epochs", "a limit of all epochs is none");
    FRS_HOLDS(check, frs_are_same_bytes(&records[0], &records[3]), "client %u differs", client);
    frs_clause(check, LEARNER_H "flop", "more epochs are more operations");
    FRS_HOLDS(check,
        measures(three->learner) || (trained[1].flop < trained[2].flop && trained[2].flop < trained[3].flop),
        "%g, %g and %g", trained[1].flop, trained[2].flop, trained[3].flop);
    struct frs_trained first =
        frs_trial_train(one->learner, one->model, &three->population, client, 0, three->round_seed, arena);
    frs_subject_record(three, &first, &alone);
    frs_clause(
        check, LEARNER_H "epochs", "the first epochs are those of a model whose clients train no more");
    FRS_HOLDS(check, frs_are_same_bytes(&records[1], &alone), "client %u differs after one", client);
    frs_buffer_fini(&alone);
    for (size_t i = 0; i < 4; i++)
        frs_buffer_fini(&records[i]);
}

static void first_epochs_are_the_same(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject three, one;
    struct frs_arena arena = {0};
    const char *settings[5] = {"epochs", "3", *variant ? "variant" : NULL, variant};
    struct frs_values values = frs_trial_values(check, &learner->plugin, FRS_VARIANT(variant));
    bool limits = frs_learner_variant(learner, &values)->limits_epochs;
    frs_values_fini(&values);
    if (!limits)
        return;
    frs_subject_begin(&three, check, learner, settings);
    settings[1] = "1";
    frs_subject_begin(&one, check, learner, settings);
    for (uint32_t client = 0; client < CLIENTS; client++)
        if (client != FRS_SUBJECT_EMPTY)
            check_epochs(&three, &one, client, &arena);
    frs_arena_fini(&arena);
    frs_subject_end(&three);
    frs_subject_end(&one);
}

void frs_check_learner_training(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    training_is_deterministic(check, learner, variant);
    training_leaves_the_model_alone(check, learner, variant);
    uploads_are_sound(check, learner, variant);
    checked_uploads_are_finite(check, learner, variant);
    rounds_and_attempts_differ(check, learner, variant);
    first_epochs_are_the_same(check, learner, variant);
}
