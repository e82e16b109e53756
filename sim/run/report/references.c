#include "sim/run/report/references.h"
#include "algorithms/reference.h"
#include "sim/base/memory.h"
#include "sim/run/replay/learning.h"
#include "sim/run/replay/reuse.h"
#include "sim/run/setup/reference_settings.h"

#include <math.h>
#include <stdlib.h>

static struct frs_quality fit(
    const struct frs_setup *setup, struct frs_evaluation *evaluation, const struct frs_reference *reference) {
    struct frs_population users = frs_data_users(setup->data);
    void *model = reference->fit(frs_reference_settings(setup, reference), &users);
    frs_evaluation_run(evaluation, &(struct frs_scorer){.context = model, .score = reference->score});
    struct frs_quality quality = frs_evaluation_quality(evaluation, NULL);
    reference->destroy(model);
    return quality;
}

/* What a reference comes to depends on the data, how it is evaluated, and its own settings. */
static struct frs_digest name_of(
    const struct frs_setup *setup, struct frs_journal *journal, const struct frs_reference *reference) {
    const struct frs_values *settings = frs_reference_settings(setup, reference);
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, frs_journal_training(journal), sizeof(struct frs_digest));
    frs_digester_add_text(&digester, reference->plugin.name);
    for (size_t i = 0; i < settings->n; i++) {
        char *text = frs_value_format(&settings->values[i]);
        frs_digester_add_text(&digester, text);
        free(text);
    }
    return frs_digester_finish(&digester);
}

static struct frs_quality recall_or_fit(const struct frs_setup *setup, struct frs_evaluation *evaluation,
    struct frs_journal *journal, const struct frs_reference *reference) {
    if (!journal)
        return fit(setup, evaluation, reference);
    struct frs_reader record;
    struct frs_quality quality;
    struct frs_digest name = name_of(setup, journal, reference);
    if (frs_journal_find(journal, &name, &record)) {
        frs_archive_bytes(&(struct frs_archive){.in = &record}, &quality, sizeof quality);
        return quality;
    }
    struct frs_buffer fresh = {0};
    quality = fit(setup, evaluation, reference);
    frs_archive_bytes(&(struct frs_archive){.out = &fresh}, &quality, sizeof quality);
    frs_journal_add(journal, &name, &fresh);
    frs_buffer_fini(&fresh);
    return quality;
}

/* What runs on the same data share, whatever they train. */
static struct frs_journal *open_shared(const struct frs_setup *setup, const char *cache) {
    struct frs_digest key = frs_references_key(setup);
    struct frs_journal *shared = frs_journal_create(&key);
    frs_reuse_read(shared, cache);
    return shared;
}

/* What cannot be left there is fitted again by who needs it. */
static void close_shared(struct frs_journal *shared, const char *cache) {
    struct frs_errors ignored = {0};
    if (frs_reuse_write(shared, cache, &ignored) != FRS_OK)
        frs_errors_clear(&ignored);
    frs_journal_destroy(shared);
}

static bool has_diverged(const struct frs_setup *setup, const struct frs_quality *quality) {
    if (!setup->data->explicit_feedback)
        return quality->test.not_finite > 0;
    return quality->test.n > 0 && !isfinite(quality->test.rmse);
}

static const struct frs_scores no_figures = FRS_NO_SCORES;

bool frs_references_run(const struct frs_setup *setup, struct frs_pool *pool, struct frs_journal *journal,
    const char *cache, const volatile sig_atomic_t *interrupted, struct frs_reference_results *results,
    struct frs_errors *errors) {
    bool all = true;
    struct frs_evaluation *evaluation = frs_evaluation_create(setup->data, setup->k, pool);
    struct frs_journal *shared = cache ? open_shared(setup, cache) : NULL;
    results->n = 0;
    for (size_t i = 0; frs_reference_choices(setup)[i]; i++) {
        const struct frs_reference *reference = frs_reference_find(frs_reference_choices(setup)[i]);
        if (!frs_reference_is_named(setup, i) ||
            reference->predicts_ratings != setup->data->explicit_feedback)
            continue;
        all = !*interrupted;
        if (!all)
            break;
        struct frs_quality quality = recall_or_fit(setup, evaluation, shared ? shared : journal, reference);
        bool diverged = has_diverged(setup, &quality);
        if (diverged)
            quality.test = quality.validation = no_figures;
        results->results[results->n].name = reference->plugin.name;
        results->results[results->n++].quality = quality;
        if (!diverged)
            continue;
        results->diverged = true;
        frs_errors_add(errors, FRS_ERR_RUN,
            "reference %s: its predictions are not numbers: training has diverged (smaller "
            "evaluation.%s.learning_rate?); the run itself was kept",
            reference->plugin.name, reference->plugin.name);
    }
    if (shared)
        close_shared(shared, cache);
    frs_evaluation_destroy(evaluation);
    return all;
}
