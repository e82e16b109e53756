#include "sim/results/non_federated.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "sim/setup/training_key.h"
#include "algorithms/non_federated.h"
#include "sim/base/memory.h"
#include "sim/journal/journaled_trainer.h"
#include "sim/journal/reuse.h"
#include "sim/setup/compose/non_federated_settings.h"

#include <math.h>
#include <stdlib.h>

/* A baseline whose result is wanted. */
struct item {
    const struct frs_non_federated_model *baseline;
    const struct frs_values *settings;
    struct frs_digest name; /* of its record */
    bool known;             /* `quality` is from a record */
    struct frs_quality quality;
    void *model; /* fitted and not yet evaluated, or NULL */
};

struct frs_non_federated {
    const struct frs_setup *setup;
    struct frs_pool *pool;
    struct frs_journal *shared;  /* with what runs on the same data have left, whatever they train; or NULL */
    struct frs_journal *journal; /* that one, or the run's, or NULL */
    const char *cache;
    const volatile sig_atomic_t *interrupted;
    struct frs_population users;
    size_t n;
    struct item items[FRS_MAX_REFERENCES];
    bool begun;
    atomic_bool stopped; /* the results are no longer needed */
};

/* The quality of a non-federated baseline depends on the data, how it is evaluated, and its own settings. */
static struct frs_digest name_of(const struct frs_journal *journal, const struct item *item) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, frs_journal_training(journal), sizeof(struct frs_digest));
    frs_digester_add_text(&digester, item->baseline->plugin.name);
    for (size_t i = 0; i < item->settings->n; i++) {
        char *text = frs_value_format(&item->settings->values[i]);
        frs_digester_add_text(&digester, text);
        free(text);
    }
    return frs_digester_finish(&digester);
}

static void recall(struct frs_journal *journal, struct item *item) {
    struct frs_reader record;
    item->name = name_of(journal, item);
    item->known = frs_journal_find(journal, &item->name, &record);
    if (item->known)
        frs_archive_bytes(&(struct frs_archive){.in = &record}, &item->quality, sizeof item->quality);
}

static void note(struct frs_journal *journal, const struct item *item) {
    struct frs_quality quality = item->quality;
    struct frs_buffer fresh = {0};
    frs_archive_bytes(&(struct frs_archive){.out = &fresh}, &quality, sizeof quality);
    frs_journal_add(journal, &item->name, &fresh);
    frs_buffer_fini(&fresh);
}

struct frs_non_federated *frs_non_federated_create(const struct frs_setup *setup, struct frs_pool *pool,
    struct frs_journal *journal, const char *cache, const volatile sig_atomic_t *interrupted) {
    struct frs_non_federated *baselines = frs_alloc(1, sizeof *baselines);
    baselines->setup = setup;
    baselines->pool = pool;
    baselines->journal = journal;
    baselines->cache = cache;
    baselines->interrupted = interrupted;
    baselines->users = frs_data_users(setup->training.data);
    for (size_t i = 0; frs_non_federated_model_choices(setup)[i]; i++) {
        const struct frs_non_federated_model *baseline =
            frs_non_federated_model_find(frs_non_federated_model_choices(setup)[i]);
        if (frs_non_federated_model_is_named(setup, i) &&
            baseline->predicts_ratings == setup->training.data->explicit_feedback)
            baselines->items[baselines->n++] = (struct item){
                .baseline = baseline, .settings = frs_non_federated_model_settings(setup, baseline)};
    }
    return baselines;
}

/* The job beside the rounds. It reads only data and settings, and writes only models. */
static void fit_all(void *context) {
    struct frs_non_federated *baselines = context;
    for (size_t i = 0; i < baselines->n; i++) {
        struct item *item = &baselines->items[i];
        if (item->known)
            continue;
        if (*baselines->interrupted || frs_is_stopped(&baselines->stopped))
            return;
        item->model = item->baseline->fit(item->settings, &baselines->users, &baselines->stopped);
    }
}

static void begin(struct frs_non_federated *baselines) {
    baselines->begun = true;
    if (baselines->cache) {
        struct frs_digest key = frs_non_federated_key(baselines->setup);
        baselines->journal = baselines->shared = frs_journal_create(&key);
        frs_reuse_read(baselines->shared, baselines->cache);
    }
    for (size_t i = 0; baselines->journal && i < baselines->n; i++)
        recall(baselines->journal, &baselines->items[i]);
    frs_pool_start_beside(baselines->pool, FRS_BESIDE_BASELINES, fit_all, baselines);
}

void frs_non_federated_begin(struct frs_non_federated *baselines) {
    if (frs_pool_threads(baselines->pool) > 1 && frs_devices_deterministic(&baselines->setup->devices))
        begin(baselines);
}

/* Models of fits that were stopped are none. */
static void finish(struct frs_non_federated *baselines) {
    frs_pool_finish_beside(baselines->pool, FRS_BESIDE_BASELINES);
    for (size_t i = 0; i < baselines->n; i++) {
        struct item *item = &baselines->items[i];
        if (!item->model || !frs_is_stopped(&baselines->stopped))
            continue;
        item->baseline->destroy(item->model);
        item->model = NULL;
    }
}

static void evaluate(
    const struct frs_non_federated *baselines, struct frs_evaluation *evaluation, struct item *item) {
    frs_evaluation_run(
        evaluation, &(struct frs_scorer){.context = item->model, .score = item->baseline->score});
    item->quality = frs_evaluation_quality(evaluation, NULL);
    item->baseline->destroy(item->model);
    item->model = NULL;
    if (baselines->journal)
        note(baselines->journal, item);
}

static bool has_diverged(const struct frs_setup *setup, const struct frs_quality *quality) {
    if (!setup->training.data->explicit_feedback)
        return quality->test.not_finite > 0;
    return quality->test.n > 0 && !isfinite(quality->test.rmse);
}

static void add_result(const struct frs_non_federated *baselines, const struct item *item,
    struct frs_non_federated_model_results *results, struct frs_errors *errors) {
    const char *name = item->baseline->plugin.name;
    struct frs_quality quality = item->quality;
    bool diverged = has_diverged(baselines->setup, &quality);
    if (diverged)
        quality.test = quality.validation = frs_no_scores();
    results->results[results->n].name = name;
    results->results[results->n++].quality = quality;
    if (!diverged)
        return;
    results->diverged = true;
    frs_errors_add(errors, FRS_ERR_RUN,
        "baseline %s: its predictions are not numbers: training has diverged (smaller "
        "evaluation.%s.learning_rate?); the run itself was kept",
        name, name);
}

/* A model that cannot be left there is fitted again by the run that needs it. */
static void share(const struct frs_non_federated *baselines) {
    struct frs_errors ignored = {0};
    if (frs_reuse_write(baselines->shared, baselines->cache, &ignored) != FRS_OK)
        frs_errors_clear(&ignored);
}

bool frs_non_federated_end(struct frs_non_federated *baselines,
    struct frs_non_federated_model_results *results, struct frs_errors *errors) {
    bool all = true;
    if (*baselines->interrupted)
        atomic_store(&baselines->stopped, true);
    if (!baselines->begun)
        begin(baselines);
    finish(baselines);
    struct frs_evaluation *evaluation =
        frs_evaluation_create(baselines->setup->training.data, &baselines->setup->ranking, baselines->pool);
    results->n = 0;
    for (size_t i = 0; all && i < baselines->n; i++) {
        struct item *item = &baselines->items[i];
        all = (item->known || item->model) && !*baselines->interrupted;
        if (all && item->model)
            evaluate(baselines, evaluation, item);
        if (all)
            add_result(baselines, item, results, errors);
    }
    frs_evaluation_destroy(evaluation);
    if (baselines->shared)
        share(baselines);
    return all;
}

void frs_non_federated_destroy(struct frs_non_federated *baselines) {
    if (!baselines)
        return;
    atomic_store(&baselines->stopped, true);
    finish(baselines);
    frs_journal_destroy(baselines->shared);
    free(baselines);
}
