#include "algorithms/training/edge_models.h"
#include "algorithms/training/partial_sums.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t values_of(const struct frs_part *shape) {
    return shape->n_rows * shape->dim;
}

/* The same tables, in memory of its own. */
static struct frs_version *copy_version(struct frs_versions *versions, const struct frs_version *of) {
    struct frs_tables tables = {0};
    for (size_t part = 0; part < versions->n_parts; part++) {
        size_t n = values_of(&versions->shapes[part]);
        tables.part[part] = frs_alloc_aligned(n, sizeof(float));
        memcpy(tables.part[part], of->tables.part[part], n * sizeof(float));
    }
    struct frs_version *version = frs_versions_add(versions, &tables);
    version->detached = true;
    version->course = of->course;
    version->finite = of->finite;
    version->round_seed = of->round_seed;
    version->number = of->number;
    version->n_changes = of->n_changes;
    version->since = of->since;
    return version;
}

static struct frs_contribution *list_contributions(
    struct frs_trainer *trainer, const size_t *handles, size_t n) {
    struct frs_contribution *contributions = frs_alloc(n, sizeof *contributions);
    for (size_t i = 0; i < n; i++) {
        struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handles[i]);
        frs_trainer_await(trainer, job);
        contributions[i] = job->work.contribution;
        contributions[i].round_seed = job->version->round_seed;
    }
    return contributions;
}

/* moved = before + mean, whole tables in the shape of an upload. */
static void add_moves(const struct frs_version *before, const struct frs_rows *mean,
    const struct frs_part *shapes, size_t n_parts, struct frs_version *version) {
    for (size_t part = 0; part < n_parts; part++) {
        size_t n = values_of(&shapes[part]), dim = shapes[part].dim;
        double *moved = version->moved[part] = frs_alloc(n, sizeof *moved);
        if (before->moved[part])
            memcpy(moved, before->moved[part], n * sizeof *moved);
        for (size_t i = 0; i < mean[part].n; i++) {
            size_t at = (mean[part].ids ? mean[part].ids[i] : i) * dim;
            for (size_t k = 0; k < dim; k++)
                moved[at + k] += (double)mean[part].values[i * dim + k];
        }
    }
}

static bool is_finite(const struct frs_versions *versions, const struct frs_version *version) {
    for (size_t part = 0; part < versions->n_parts; part++)
        for (size_t i = 0; i < values_of(&versions->shapes[part]); i++)
            if (!isfinite(version->tables.part[part][i]))
                return false;
    return true;
}

/* Methods that send updates apply the mean as their clients do; otherwise it is added row by row. */
static void apply(
    struct frs_trainer *trainer, const struct frs_rows *mean, size_t n_parts, struct frs_version *version) {
    const struct frs_learner *learner = trainer->setup->learner;
    if (learner->sends_updates)
        frs_learner_apply(
            learner, trainer->setup->model, &version->tables, version->round_seed, mean, &trainer->sums);
    for (size_t part = 0; !learner->sends_updates && part < n_parts; part++)
        frs_rows_add_to(&mean[part], version->tables.part[part]);
}

struct frs_version *frs_edge_model_aggregate(struct frs_trainer *trainer, const size_t *handles, size_t n) {
    const struct frs_training_setup *setup = trainer->setup;
    const struct frs_version *before = frs_training_jobs_find(&trainer->jobs, handles[0])->version;
    struct frs_version *version = copy_version(&trainer->jobs.versions, before);
    struct frs_contribution *contributions = list_contributions(trainer, handles, n);
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows mean[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    double began_s = frs_pool_cpu_s(trainer->pool), weight = 0;
    for (size_t i = 0; i < n; i++)
        weight += frs_partial_sums_weight(setup, &contributions[i]);
    frs_arena_reset(&trainer->sums);
    for (size_t part = 0; part < n_parts && weight > 0; part++)
        mean[part] = frs_aggregate_changes(
            contributions, n, part, frs_partial_sums_weighting(setup), NULL, &trainer->sums);
    if (weight > 0) {
        add_moves(before, mean, shapes, n_parts, version);
        apply(trainer, mean, n_parts, version);
        version->finite &= is_finite(&trainer->jobs.versions, version);
    }
    trainer->times.aggregation_s += frs_pool_cpu_s(trainer->pool) - began_s;
    free(contributions);
    return version;
}

/* An update is as large as an upload: a table of the same shape under a codec without loss. */
struct frs_message_size frs_edge_model_size(
    struct frs_trainer *trainer, const struct frs_downlink *downlink, uint32_t client) {
    if (!trainer->setup->learner->sends_updates)
        return frs_downlink_size(downlink, client);
    struct frs_upload_size size = frs_trainer_untrained_size(trainer, 0);
    return (struct frs_message_size){size.bytes, size.nominal_bytes};
}
