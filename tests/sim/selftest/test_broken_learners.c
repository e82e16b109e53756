/* Learners and server optimisers that break their contract, one clause each: each is a sound one with one
 * mistake. */
#include "algorithms/learner.h"
#include "algorithms/optimiser.h"
#include "tests/sim/selftest/broken.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

extern const struct frs_learner frs_learner_fedmf, frs_learner_colr, frs_learner_fcf;
extern const struct frs_optimiser frs_optimiser_momentum;

/* A copy of a sound learner under another name. */
static struct frs_learner copy_of(const struct frs_learner *learner) {
    struct frs_learner copy = *learner;
    copy.plugin.name = "mine";
    return copy;
}

/* FedMF, trained with one mistake. */
#define TRAIN(name, mistake)                                                                                 \
    static void name(const void *model, const struct frs_training *training, struct frs_arena *arena,        \
        struct frs_trained *out) {                                                                           \
        frs_learner_fedmf.train(model, training, arena, out);                                                \
        mistake;                                                                                             \
    }

static unsigned n_trained;

static void poison(struct frs_trained *out, struct frs_arena *arena) {
    struct frs_rows *rows = &out->upload[0];
    float *values = frs_arena_take(arena, rows->n * rows->dim + 1, sizeof *values);
    memcpy(values, rows->values, rows->n * rows->dim * sizeof *values);
    values[0] = NAN;
    rows->values = values;
}

static void repeat_id(struct frs_trained *out, struct frs_arena *arena) {
    struct frs_rows *rows = &out->upload[0];
    uint32_t *ids = frs_arena_take(arena, rows->n + 1, sizeof *ids);
    for (size_t i = 0; i < rows->n; i++)
        ids[i] = rows->ids[0];
    rows->ids = ids;
}

TRAIN(train_by_chance, out->loss += n_trained++)
TRAIN(train_to_nan, poison(out, arena))
TRAIN(train_twice, repeat_id(out, arena))
TRAIN(train_uncounted, out->flop = 0)
TRAIN(train_another_shape, out->upload[0].dim++)
TRAIN(train_and_crash, raise(SIGSEGV))
TRAIN(train_and_forget, out->loss = isfinite(out->loss) ? 1 : out->loss)

/* All epochs, whatever the limit. */
static void train_all(const void *model, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    struct frs_training whole = *training;
    whole.epochs = 0;
    frs_learner_fedmf.train(model, &whole, arena, out);
}

START_TEST(sound_learners_are_kept) {
    struct frs_learner learner = copy_of(&frs_learner_fedmf);
    kept("learner", &learner.plugin);
}
END_TEST

/* A learner whose clients keep nothing: an item's score is how often clients have it. */
static void *create_counts(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_model *model = frs_model_create(sizeof *model, setup);
    (void)values;
    (void)errors;
    frs_model_table(model, (struct frs_table){"counts", FRS_OF_ALL, .dim = 1});
    return model;
}

static void train_counts(const void *model, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_client_data *data = training->data;
    float *rows = frs_arena_take(arena, data->n, sizeof *rows);
    for (size_t i = 0; i < data->n; i++) {
        float gap = 1 - training->tables->part[0][data->items[i]];
        rows[i] = gap / 10;
        out->loss += (double)(gap * gap) / (double)data->n;
    }
    out->upload[0] = frs_model_rows(model, 0, data->n, data->items, rows);
    out->samples = (uint32_t)data->n;
    out->processed = (double)data->n;
    out->flop = 2 * out->processed;
}

static void score_counts(const void *model, const struct frs_tables *tables, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    (void)model;
    (void)client;
    for (size_t i = 0; i < n; i++)
        scores[i] = tables->part[0][items[i]];
}

START_TEST(learners_that_keep_nothing_are_kept) {
    struct frs_learner learner = {.plugin = {"counts", "how often clients have an item", "none", NULL},
        .uploads_updates = true,
        .draws_nothing = true,
        .create = create_counts,
        .train = train_counts,
        .aggregate = frs_model_average,
        .score = score_counts};
    kept("learner", &learner.plugin);
}
END_TEST

/* ---- updates of another shape ------------------------------------------------------------------ */

enum { LONG_ROW = 64 };

/* One number an item; clients send rows of LONG_ROW. */
static void *create_with_long_updates(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_model *model = frs_model_create(sizeof *model, setup);
    (void)values;
    (void)errors;
    frs_model_table(model, (struct frs_table){"counts", FRS_OF_ALL, .dim = 1, .update_name = "gradients",
                               .update_dim = LONG_ROW});
    return model;
}

static void train_long_updates(const void *model, const struct frs_training *training,
    struct frs_arena *arena, struct frs_trained *out) {
    const struct frs_client_data *data = training->data;
    train_counts(model, training, arena, out);
    float *rows = frs_arena_take(arena, data->n * LONG_ROW, sizeof *rows);
    for (size_t i = 0; i < data->n * LONG_ROW; i++)
        rows[i] = out->upload[0].values[i / LONG_ROW];
    out->upload[0].dim = LONG_ROW;
    out->upload[0].values = rows;
}

/* The server's step of its own: the mean of a row, of which all values are the same. */
static void aggregate_long_updates(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    float *counts = frs_model_tables(model).part[0];
    struct frs_rows mean = frs_model_mean(model, contributions, n, 0, FRS_UNIFORM, arena);
    (void)update;
    for (size_t i = 0; i < mean.n; i++)
        counts[mean.ids ? mean.ids[i] : i] += mean.values[i * LONG_ROW];
}

/* Gradients that are longer than rows of the table are no mistake: no part of the check may add them to it.
 * Other updates of that kind are one, because a run would write behind the table. */
START_TEST(updates_of_another_shape) {
    struct frs_learner learner = {.plugin = {"long", "counts by gradients of many values", "none", NULL},
        .uploads_updates = true,
        .uploads_gradients = true,
        .draws_nothing = true,
        .create = create_with_long_updates,
        .train = train_long_updates,
        .aggregate = aggregate_long_updates,
        .score = score_counts};
    kept("learner", &learner.plugin);
    learner.uploads_gradients = false;
    broken("learner", &learner.plugin,
        "without apply a row of an update is as long as its table's: gradients has rows of 64, counts of 1 "
        "(algorithms/learner.h, apply)");
}
END_TEST

START_TEST(missing_slots_are_named) {
    struct frs_learner learner = copy_of(&frs_learner_fedmf);
    learner.score = NULL;
    broken("learner", &learner.plugin,
        "every required slot is there: it lacks the slot score, which is required of a learner that is not "
        "declared "
        "(algorithms/learner.h)");
}
END_TEST

START_TEST(wrong_trainings_are_found) {
    static const struct {
        void (*train)(const void *, const struct frs_training *, struct frs_arena *, struct frs_trained *);
        const char *says;
    } cases[] = {
        {train_by_chance,
            "training is the same on one thread and on two: client 0 differs (algorithms/learner.h, train)"},
        {train_to_nan, "values of an upload are finite: value 0 of "},
        {train_twice, "ids of an upload ascend below n_rows; without ids all rows are there: id "},
        {train_uncounted,
            "operations are counted where a client has data, and there alone: 0 of a client with "},
        {train_another_shape, "(algorithms/learner.h, "},
        {train_all, "as many epochs are trained as the limit says: 3 under a limit of 1"},
        {train_and_forget, "the loss falls over rounds in which all clients train: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_learner learner = copy_of(&frs_learner_fedmf);
        learner.train = cases[i].train;
#ifdef __SANITIZE_ADDRESS__
        if (learner.train == train_another_shape) /* what follows reads behind its rows */
            continue;
#endif
        broken("learner", &learner.plugin, cases[i].says);
    }
}
END_TEST

START_TEST(crashes_name_the_clause) {
    struct frs_learner learner = copy_of(&frs_learner_fedmf);
    learner.train = train_and_crash;
#ifndef __SANITIZE_ADDRESS__
    judged("learner", &learner.plugin, FRS_SELFTEST_CRASHED,
        "ended by signal 11 (Segmentation fault), while checking: ");
#else
    judged("learner", &learner.plugin, FRS_SELFTEST_CRASHED, "while checking: ");
#endif
}
END_TEST

/* ---- aggregation and scores ------------------------------------------------------------------- */

static void aggregate_nothing(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)model;
    (void)contributions;
    (void)n;
    (void)arena;
    (void)update;
}

static void aggregate_and_drift(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    frs_learner_fedmf.aggregate(model, contributions, n, arena, update);
    if (contributions && contributions[0].samples == 0)
        frs_model_tables(model).part[0][0] += 1;
}

static void gather_nothing(void *model, const struct frs_contribution *contributions, size_t n) {
    (void)model;
    (void)contributions;
    (void)n;
}

static void score_evenly(const void *model, const struct frs_tables *tables, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    (void)model;
    (void)tables;
    (void)client;
    (void)items;
    for (size_t i = 0; i < n; i++)
        scores[i] = 1;
}

static double free_of_charge(const void *model, size_t n, double values) {
    (void)model;
    (void)n;
    (void)values;
    return 0;
}

START_TEST(wrong_aggregations_are_found) {
    struct frs_learner learner = copy_of(&frs_learner_fedmf);
    learner.aggregate = aggregate_nothing;
    learner.gather = NULL;
    broken("learner", &learner.plugin, "one upload alone makes the server's tables those of its client, ");
    learner = copy_of(&frs_learner_fedmf);
    learner.aggregate = aggregate_and_drift;
    broken("learner", &learner.plugin,
        "the upload of a client without data changes no table: tables have changed");
    learner = copy_of(&frs_learner_fedmf);
    learner.gather = gather_nothing;
    broken("learner", &learner.plugin, "gather");
    learner = copy_of(&frs_learner_fedmf);
    learner.score = score_evenly;
    broken("learner", &learner.plugin, "a commit changes the scores of its client, and of no other one: ");
    learner = copy_of(&frs_learner_fedmf);
    learner.aggregate_flop = free_of_charge;
    broken(
        "learner", &learner.plugin, "an aggregation takes operations, and none where nothing has arrived: ");
}
END_TEST

START_TEST(wrong_flags_are_found) {
    struct frs_learner learner = copy_of(&frs_learner_fedmf);
    learner.draws_nothing = true;
    broken("learner", &learner.plugin,
        "another round or attempt draws anew, unless the learner draws nothing: ");
    learner = copy_of(&frs_learner_fedmf);
    learner.uploads_gradients = true;
    broken("learner", &learner.plugin,
        "gradients are uploaded as updates: uploads_gradients without uploads_updates");
    learner = copy_of(&frs_learner_fedmf);
    learner.works_on = true;
    broken("learner", &learner.plugin,
        "operations follow the upload where the learner works on, and there alone: 0 of ");
    learner = copy_of(&frs_learner_fcf);
    learner.takes_stale = true;
    broken("learner", &learner.plugin, "uploads with weights of their own add up, alone or together: ");
}
END_TEST

/* ---- optimisers ------------------------------------------------------------------------------- */

static void step_together(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    (void)settings;
    (void)moments;
    for (size_t i = 1; i < n; i++)
        change[i] += change[0];
}

static void step_anyway(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    (void)settings;
    (void)moments;
    for (size_t i = 0; i < n; i++)
        change[i] += 1e-3F;
}

static void step_to_nan(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    (void)settings;
    (void)moments;
    for (size_t i = 0; i < n; i++)
        change[i] = change[i] != 0 ? NAN : 0;
}

START_TEST(wrong_steps_are_found) {
    struct frs_optimiser optimiser = frs_optimiser_momentum;
    optimiser.plugin.name = "mine";
    kept("optimiser", &optimiser.plugin);
    optimiser.apply = step_together;
    broken("optimiser", &optimiser.plugin, "a number's step is the same among others and alone: ");
    optimiser.apply = step_anyway;
    broken("optimiser", &optimiser.plugin, "a number that nothing has changed yet stays: it moves by 0.001");
    optimiser.apply = step_to_nan;
    broken("optimiser", &optimiser.plugin, "steps are finite: nan in round 1");
    optimiser.apply = NULL;
    broken("optimiser", &optimiser.plugin, "it lacks the slot apply (algorithms/optimiser.h)");
    optimiser = frs_optimiser_momentum;
    optimiser.plugin.name = "mine";
    optimiser.flop = 0;
    broken("optimiser", &optimiser.plugin,
        "operations for each number are above 0: 0 (algorithms/optimiser.h, flop)");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("broken learners");
    TCase *tests = tcase_create("broken learners");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, sound_learners_are_kept);
    tcase_add_test(tests, learners_that_keep_nothing_are_kept);
    tcase_add_test(tests, updates_of_another_shape);
    tcase_add_test(tests, missing_slots_are_named);
    tcase_add_test(tests, wrong_trainings_are_found);
    tcase_add_test(tests, crashes_name_the_clause);
    tcase_add_test(tests, wrong_aggregations_are_found);
    tcase_add_test(tests, wrong_flags_are_found);
    tcase_add_test(tests, wrong_steps_are_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
