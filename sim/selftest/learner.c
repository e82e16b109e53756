/* Contract of learners: entry, shapes, budgets and keys. How a learner trains, aggregates and goes on is
 * in other files. */
#include "algorithms/learner.h"
#include "sim/base/errors.h"
#include "sim/selftest/kinds.h"
#include "sim/selftest/server_step.h"
#include "sim/selftest/subject.h"
#include "sim/selftest/uploads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEARNER_H "algorithms/learner.h, "

static void flags_go_together(struct frs_check *check, const struct frs_learner *learner) {
    frs_clause(check, LEARNER_H "rounds", "a learner with rounds of its own says when clients step alone");
    FRS_HOLDS(check, !learner->rounds || learner->rounds->steps_alone, "rounds has no steps_alone");
    frs_clause(check, LEARNER_H "uploads_gradients", "gradients are uploaded as updates");
    FRS_HOLDS(check, !learner->uploads_gradients || learner->uploads_updates,
        "uploads_gradients without uploads_updates");
    frs_clause(check, LEARNER_H "step_may_rest", "only a step on gradients may rest");
    FRS_HOLDS(check, !learner->step_may_rest || learner->uploads_gradients,
        "step_may_rest without uploads_gradients");
    frs_clause(check, LEARNER_H "trains_anew", "training anew goes with gather, and not with takes_stale");
    FRS_HOLDS(check, !learner->trains_anew || learner->gather, "trains_anew without gather");
    frs_clause(check, LEARNER_H "limits_epochs", "a learner that heeds a limit of epochs has the key epochs");
    FRS_HOLDS(
        check, !learner->limits_epochs || frs_has_key(&learner->plugin, "epochs"), "there is no such key");
    frs_clause(check, LEARNER_H "budgets", "budgets have all their slots");
    FRS_HOLDS(check,
        !learner->budgets ||
            (learner->budgets->range && learner->budgets->upload_parts && learner->budgets->work),
        "range, upload_parts and work are not all there");
}

/* Without training there are shapes, tables and round seeds, but no private state. */
static void timing_has_shapes(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_population population =
        frs_random_population(FRS_SUBJECT_CLIENTS, FRS_SUBJECT_ITEMS, 11, learner->predicts_ratings);
    struct frs_learner_setup setup = {
        .population = &population, .timing_only = true, .external = learner->external};
    struct frs_values values = frs_trial_values(check, &learner->plugin, FRS_VARIANT(variant));
    const struct frs_learner *resolved = frs_learner_variant(learner, &values);
    struct frs_errors errors = {0};
    struct frs_part shapes[FRS_MAX_PARTS];
    void *model = resolved->create(&values, &setup, &errors);
    frs_clause(
        check, "algorithms/model.h, timing_only", "messages have shapes where only timing is asked for");
    FRS_HOLDS(check, model, "create gives NULL: %s", errors.n > 0 ? errors.lines[0] : "without an error");
    /* A server that sends each client tables of its own need not send a table to all. */
    bool sends_own = frs_model_has_personal(model);
    for (int payload = FRS_STATE; payload <= FRS_UPLOAD; payload++) {
        size_t n = frs_model_parts(model, (enum frs_payload)payload, shapes);
        FRS_HOLDS(check, n <= FRS_MAX_PARTS && (n >= 1 || (sends_own && payload != FRS_UPLOAD)),
            "payload %d has %zu parts", payload, n);
        for (size_t i = 0; i < n; i++)
            FRS_HOLDS(check, shapes[i].name && shapes[i].n_rows > 0 && shapes[i].dim > 0,
                "part %zu of payload %d is %zu × %zu", i, payload, shapes[i].n_rows, shapes[i].dim);
    }
    FRS_HOLDS(check, frs_model_tables(model).part[0] || sends_own, "there is no table of the server");
    frs_trial_round(resolved, model, 0);
    frs_trial_round(resolved, model, 1);
    frs_model_destroy(model);
    frs_values_fini(&values);
    frs_random_population_fini(&population);
}

/* Rows are added to those of a table, or take their place, by one length of both. Gradients that the server
 * keeps to itself meet no table. */
static void updates_fit_their_tables(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_part state[FRS_MAX_PARTS], update[FRS_MAX_PARTS];
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    frs_clause(check, LEARNER_H "apply", "without apply a row of an update is as long as its table's");
    bool meet = !s.learner->apply && (s.learner->sends_updates || !s.learner->uploads_gradients);
    size_t n = frs_model_parts(s.model, FRS_STATE, state);
    frs_model_parts(s.model, FRS_UPDATE, update);
    for (size_t i = 0; meet && i < n; i++)
        FRS_HOLDS(check, update[i].dim == state[i].dim, "%s has rows of %zu, %s of %zu", update[i].name,
            update[i].dim, state[i].name, state[i].dim);
    frs_subject_end(&s);
}

/* The upload under one budget has the announced shape; adds up its values. */
static void check_budget(struct frs_subject *s, uint32_t budget, struct frs_arena *arena, size_t *values) {
    struct frs_training training = {.data = &s->population.clients[1],
        .tables = &s->tables,
        .round_seed = s->round_seed,
        .budget = budget};
    struct frs_trained trained;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_learner_upload_parts(s->learner, s->model, budget, shapes);
    frs_learner_train(s->learner, s->model, &training, arena, &trained);
    frs_clause(s->check, LEARNER_H "upload_parts",
        "an upload under a budget has the shapes that upload_parts tells");
    FRS_HOLDS(s->check, n == s->n_upload, "%zu parts under budget %u, %zu without", n, budget, s->n_upload);
    for (size_t part = 0; part < n; part++) {
        FRS_HOLDS(s->check,
            trained.upload[part].n_rows == shapes[part].n_rows &&
                trained.upload[part].dim == shapes[part].dim,
            "part %zu under budget %u is %zu × %zu instead of %zu × %zu", part, budget,
            trained.upload[part].n_rows, trained.upload[part].dim, shapes[part].n_rows, shapes[part].dim);
        *values += shapes[part].n_rows * shapes[part].dim;
    }
}

static void budgets_are_kept(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    struct frs_budgets range = frs_learner_budgets(s.learner, s.model);
    frs_clause(check, LEARNER_H "range", "budgets are a range from 1 where the learner has some");
    FRS_HOLDS(check, (range.max > 0) == (s.learner->budgets != NULL) && range.min <= range.max,
        "from %u to %u", range.min, range.max);
    size_t values_before = 0;
    double work_before = 0;
    for (uint32_t budget = range.min; range.max > 0 && budget <= range.max; budget++) {
        size_t values = 0;
        check_budget(&s, budget, &arena, &values);
        double work = s.learner->budgets->work(s.model, budget);
        frs_clause(check, LEARNER_H "work", "a larger budget is no smaller upload, and no less work");
        FRS_HOLDS(
            check, values >= values_before, "%zu values under %u, %zu before", values, budget, values_before);
        FRS_HOLDS(
            check, work > 0 && work >= work_before, "work %g under %u, %g before", work, budget, work_before);
        values_before = values;
        work_before = work;
    }
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* ---- keys ------------------------------------------------------------------------------------- */

#define ONE_SETTING(key, text) ((const char *const[]){key, text, NULL})

struct keys {
    const struct frs_learner *learner;
    struct frs_population population;
};

static void create_and_destroy(void *context, const struct frs_values *values) {
    const struct keys *keys = context;
    struct frs_learner_setup setup = {.population = &keys->population, .external = keys->learner->external};
    struct frs_errors errors = {0};
    void *model = frs_learner_variant(keys->learner, values)->create(values, &setup, &errors);
    if (model)
        frs_model_destroy(model);
    frs_errors_clear(&errors);
}

/* How clients catch up and where tables begin is read by the run, which owns the downlink. */
static bool is_the_runs(void *context, const char *key) {
    const struct keys *keys = context;
    return keys->learner->sends_updates && (strcmp(key, "catchup") == 0 || strcmp(key, "init") == 0);
}

static void every_key_is_read(struct frs_check *check, const struct frs_learner *learner) {
    struct keys keys = {.learner = learner,
        .population =
            frs_random_population(FRS_SUBJECT_CLIENTS, FRS_SUBJECT_ITEMS, 11, learner->predicts_ratings)};
    const struct frs_key_reader reader = {.where = LEARNER_H "create",
        .read = create_and_destroy,
        .is_the_runs = is_the_runs,
        .context = &keys};
    frs_check_keys(check, &learner->plugin, &reader);
    frs_random_population_fini(&keys.population);
}

/* From zeros alone no client would ever learn: a deviation of 0 means another start, or leaves some of it. */
static void no_start_stands_still(struct frs_check *check, const struct frs_learner *learner) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    float scores[FRS_SUBJECT_ITEMS];
    uint32_t different = 0;
    if (!frs_has_key(&learner->plugin, "init_sd"))
        return;
    frs_subject_begin(&s, check, learner, ONE_SETTING("init_sd", "0"));
    struct frs_trained trained = frs_subject_train(&s, 0, &arena);
    frs_subject_commit(&s, 0, &trained);
    struct frs_contribution contribution = frs_subject_contribution(&s, 0, &trained);
    frs_subject_aggregate(&s, &contribution, 1, &arena);
    frs_subject_score(&s, 0, scores);
    for (uint32_t i = 1; i < FRS_SUBJECT_ITEMS; i++)
        different += scores[i] != scores[0];
    frs_clause(check, LEARNER_H "create", "with init_sd = 0 a client learns all the same");
    FRS_HOLDS(check, different > 0, "all items score %g", (double)scores[0]);
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

void frs_check_learner(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its learner. */
    const struct frs_learner *learner = (const struct frs_learner *)(const void *)plugin;
    if (learner->is_declared) { /* nothing is trained: there is no slot but create */
        frs_clause(check, LEARNER_H "is_declared", "a declared learner has no slot but create");
        FRS_HOLDS(check, !learner->train && !learner->aggregate && !learner->score, "it has others");
        return;
    }
    if (learner->is_external && !learner->external) {
        frs_clause(check, LEARNER_H "is_external", "an external learner says when its program has failed");
        FRS_HOLDS(check, learner->train && learner->score && learner->failure, "it cannot");
        check->note = "its slots alone: with --set command=PROGRAM and --allow-commands a program is checked";
        return;
    }
    flags_go_together(check, learner);
    for (size_t v = 0; frs_variant_of(plugin, v); v++) {
        const char *variant = frs_variant_of(plugin, v);
        timing_has_shapes(check, learner, variant);
        updates_fit_their_tables(check, learner, variant);
        budgets_are_kept(check, learner, variant);
        frs_check_learner_training(check, learner, variant);
        frs_check_learner_aggregation(check, learner, variant);
        frs_check_learner_runs(check, learner, variant);
        frs_check_step_of_none(check, learner, variant);
        for (size_t i = 0; frs_optimiser_plugins[i]; i++)
            frs_check_server_step(check, learner, variant,
                (const struct frs_optimiser *)(const void *)frs_optimiser_plugins[i]);
        for (size_t i = 0; frs_codec_plugins[i]; i++)
            frs_check_uploads(
                check, learner, variant, (const struct frs_codec *)(const void *)frs_codec_plugins[i]);
    }
    every_key_is_read(check, learner);
    no_start_stands_still(check, learner);
}
