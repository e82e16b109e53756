/* A trainer's round closes: uploads are aggregated, and what the server sends is published. */
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "algorithms/training/partial_sums.h"
#include "algorithms/training/trainer_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Behind noise on the sum of a cohort whose size is left to chance, each contribution has the weight that
 * it would have in a cohort of the usual size, because the size reveals who takes part. Otherwise the
 * learner's own weighting applies, under every policy. */
static double weight_of(const struct frs_trainer *trainer) {
    return frs_training_divides_by_expectation(trainer->setup) ? 1 / (double)trainer->setup->cohort : 0;
}

/* s(τ), τ being the number of versions made since the client was selected. */
static double staleness_scale_of(const struct frs_trainer *trainer, const struct frs_training_job *job) {
    double staleness = (double)(trainer->n_changes - job->version->n_changes);
    return trainer->setup->damps_stale ? 1 / sqrt(1 + staleness) : 1;
}

static void stand_in(struct frs_trainer *trainer, struct frs_rows *update) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(trainer->setup->model, FRS_UPDATE, shapes);
    frs_message_stand_in(shapes, n_parts, trainer->setup->whole_messages, &trainer->arena, update);
}

/* What was trained under one round seed; without training an update that is as large as any other. */
static void publish_under(struct frs_trainer *trainer, struct frs_contribution *contributions, size_t n,
    uint64_t round_seed, bool goes_on) {
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_rows update[FRS_MAX_PARTS];
    frs_arena_reset(&trainer->arena);
    for (size_t i = 0; contributions && i < n; i++)
        contributions[i].apart = contributions[i].round_seed != round_seed;
    if (setup->trains)
        frs_server_step_aggregate(
            &setup->server_step, setup->model, trainer->round, contributions, n, &trainer->arena, update);
    else
        stand_in(trainer, update);
    struct frs_rows decoded[FRS_MAX_PARTS];
    for (size_t i = 0; i < trainer->downlinks->n; i++) {
        frs_downlink_publish(
            trainer->downlinks->all[i], round_seed, update, goes_on, &trainer->arena, decoded);
        if (setup->information_loss)
            frs_information_loss_server(&trainer->loss, &update[0], &decoded[0]);
        if (setup->structure)
            frs_structure_download(&trainer->structure, &update[0], &decoded[0]);
    }
}

/* Older round seeds first. */
static void publish(struct frs_trainer *trainer, struct frs_contribution *contributions, size_t n) {
    bool goes_on = false;
    if (trainer->setup->device_view) /* only a device's view outlives training */
        frs_versions_detach(&trainer->jobs.versions);
    for (const struct frs_version *version = trainer->jobs.versions.first; version; version = version->next) {
        bool is_there = false, is_done = false;
        for (size_t i = 0; i < n; i++)
            is_there |= contributions[i].round_seed == version->round_seed;
        for (const struct frs_version *older = trainer->jobs.versions.first; older != version;
             older = older->next)
            is_done |= older->round_seed == version->round_seed;
        if (!is_there || is_done)
            continue;
        publish_under(trainer, contributions, n, version->round_seed, goes_on);
        goes_on = true;
    }
}

/* Who is still under way keeps the personal tables it was sent; what arrived has no more need of them. */
static void leave_personal(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    for (size_t i = 0; i < arrivals->n; i++) {
        struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, arrivals->handles[i]);
        if (!job->owns_personal)
            job->personal = (struct frs_tables){0};
    }
    if (trainer->setup->runs_on)
        frs_training_jobs_detach_personal(&trainer->jobs);
}

static void measure_client_loss(struct frs_trainer *trainer, const struct frs_contribution *contributions,
    const struct frs_arrivals *arrivals) {
    size_t n = arrivals->n;
    struct frs_contribution *exact = frs_alloc(n, sizeof *exact);
    for (size_t i = 0; i < n; i++) {
        exact[i] = contributions[i];
        memcpy(exact[i].parts, frs_training_jobs_find(&trainer->jobs, arrivals->handles[i])->work.exact,
            sizeof exact[i].parts);
    }
    frs_information_loss_client(&trainer->loss, trainer->setup, contributions, exact, n);
    free(exact);
}

/* At a time: their uploads wait for each other. */
#define GATHERED 1024u

/* Uploads that were not kept. */
struct gathering {
    struct frs_trainer *trainer;
    const struct frs_training_job *jobs[GATHERED];
    struct frs_client_update works[GATHERED];
};

static void train_again(void *context, size_t task, size_t thread) {
    struct gathering *gathering = context;
    const struct frs_trainer *trainer = gathering->trainer;
    const struct frs_training_job *job = gathering->jobs[task];
    struct frs_client_update *work = &gathering->works[task];
    struct frs_buffer kept = work->kept;
    *work = (struct frs_client_update){.client = job->work.client,
        .round = job->work.round,
        .attempt = job->work.attempt,
        .budget = job->work.budget,
        .epochs_limit = job->work.epochs_limit,
        .kept = kept};
    frs_client_update_run(work, trainer->setup,
        &(struct frs_client_update_order){.tables = &job->version->tables,
            .personal = &job->personal,
            .round_seed = job->version->round_seed,
            .sends = true},
        &trainer->benches[thread]);
}

/* The same uploads as before, and the model has seen them when this returns. */
static void gather_again(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    const struct frs_training_setup *setup = trainer->setup;
    struct gathering *gathering = frs_alloc(1, sizeof *gathering);
    struct frs_contribution *contributions = frs_alloc(GATHERED, sizeof *contributions);
    struct frs_leakage_turns turns = frs_leakage_turns(&trainer->leakage, arrivals->n);
    gathering->trainer = trainer;
    for (size_t first = 0; first < arrivals->n; first += GATHERED) {
        size_t n = arrivals->n - first < GATHERED ? arrivals->n - first : GATHERED;
        for (size_t i = 0; i < n; i++)
            gathering->jobs[i] = frs_training_jobs_find(&trainer->jobs, arrivals->handles[first + i]);
        frs_pool_start(trainer->pool, train_again, gathering, n);
        frs_pool_finish(trainer->pool);
        for (size_t i = 0; i < n; i++) {
            FRS_INVARIANT(gathering->works[i].usage.up_bytes == gathering->jobs[i]->work.usage.up_bytes,
                "client %u uploads something else than before", gathering->works[i].client);
            contributions[i] = gathering->works[i].contribution;
            if (frs_leakage_has_turn(turns, first + i))
                frs_leakage_upload(&trainer->leakage, setup, &contributions[i]);
        }
        setup->learner->gather(setup->model, contributions, n);
    }
    for (size_t i = 0; i < GATHERED; i++)
        frs_client_update_fini(&gathering->works[i]);
    free(contributions);
    free(gathering);
}

static struct frs_contribution *list_contributions(
    const struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    struct frs_contribution *contributions = frs_alloc(arrivals->n, sizeof *contributions);
    for (size_t i = 0; i < arrivals->n; i++) {
        const struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, arrivals->handles[i]);
        contributions[i] = job->work.contribution;
        contributions[i].round_seed = job->version->round_seed;
        contributions[i].weight = weight_of(trainer);
        contributions[i].staleness_scale = staleness_scale_of(trainer, job);
        contributions[i].rounds = trainer->jobs.held ? trainer->round + 1 - job->version->since : 0;
    }
    return contributions;
}

/* Exactly the clients of the last aggregation have tables of their own. */
static void predict_personal(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    if (!trainer->estimated_personal)
        return;
    memset(trainer->estimated_personal, 0, trainer->setup->data->population.n_clients * sizeof(bool));
    for (size_t i = 0; i < arrivals->n; i++)
        trainer
            ->estimated_personal[frs_training_jobs_find(&trainer->jobs, arrivals->handles[i])->work.client] =
            true;
}

/* What a trusted server makes of each upload before it adds them up. */
static void mechanism_decoded(struct frs_trainer *trainer, struct frs_contribution *contributions, size_t n) {
    const struct frs_training_setup *setup = trainer->setup;
    for (size_t i = 0; i < n; i++)
        frs_privacy_values(&setup->mechanisms, FRS_PRIVACY_DECODED,
            &(struct frs_protected_update){.parts = contributions[i].parts,
                .n_parts = frs_training_protected_parts(setup),
                .base = contributions[i].base,
                .arena = &trainer->sums});
}

/* Models of edges are those that the uploads were trained on. */
static void sum_at_edges(struct frs_trainer *trainer, const struct frs_arrivals *arrivals,
    struct frs_contribution *contributions) {
    double *const **moved = frs_alloc(arrivals->n + 1, sizeof *moved);
    for (size_t i = 0; i < arrivals->n; i++)
        moved[i] = frs_training_jobs_find(&trainer->jobs, arrivals->handles[i])->version->moved;
    frs_partial_sums(
        trainer->setup, contributions, arrivals->n, (double *const *const *)moved, &trainer->sums);
    free(moved);
}

/* Only what arrived is aggregated, and n may be 0 only where a correction steps without uploads. */
static void aggregate(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    const struct frs_training_setup *setup = trainer->setup;
    size_t n = arrivals->n;
    struct frs_contribution *contributions = NULL;
    if (setup->trains_again)
        gather_again(trainer, arrivals);
    else if (!trainer->settles) /* the model has seen them */
        contributions = list_contributions(trainer, arrivals);
    if (setup->trains && contributions && !setup->edge_of_client)
        frs_leakage_add(&trainer->leakage, setup, contributions, n);
    frs_trainer_leave_current(trainer);
    leave_personal(trainer, arrivals);
    if (setup->information_loss && n > 0)
        measure_client_loss(trainer, contributions, arrivals);
    if (setup->structure && setup->learner->sends_updates && contributions)
        frs_structure_uploads(&trainer->structure, contributions, n);
    frs_arena_reset(&trainer->sums);
    if (setup->trains && contributions)
        mechanism_decoded(trainer, contributions, n);
    if (frs_privacy_masks(&setup->mechanisms).range > 0 && setup->trains)
        frs_masked_sum(setup, arrivals->masked, contributions, n, &trainer->sums, &trainer->masked);
    if (setup->edge_of_client && setup->trains && contributions)
        sum_at_edges(trainer, arrivals, contributions);
    if (setup->learner->sends_updates && n == 0) { /* of a correction, whose learners draw no round seed */
        publish_under(trainer, NULL, 0, 0, false);
    } else if (setup->learner->sends_updates && contributions) {
        publish(trainer, contributions, n);
    } else if (setup->learner->sends_updates) { /* gathered: all of this round */
        const struct frs_training_job *any = frs_training_jobs_find(&trainer->jobs, arrivals->handles[0]);
        publish_under(trainer, NULL, n, any->version->round_seed, false);
    } else if (setup->trains) {
        struct frs_rows none[FRS_MAX_PARTS];
        frs_arena_reset(&trainer->arena);
        frs_server_step_aggregate(
            &setup->server_step, setup->model, trainer->round, contributions, n, &trainer->arena, none);
    }
    predict_personal(trainer, arrivals);
    trainer->n_changes++;
    free(contributions);
}

/* The server's tables, one after the other; NULL where their change is not measured. */
static float *copy_tables(const struct frs_trainer *trainer) {
    const struct frs_training_setup *setup = trainer->setup;
    const struct frs_versions *versions = &trainer->jobs.versions;
    if (!setup->watches_change)
        return NULL;
    struct frs_tables tables = frs_model_tables(setup->model);
    size_t n = 0;
    for (size_t i = 0; i < versions->n_parts; i++)
        n += versions->shapes[i].n_rows * versions->shapes[i].dim;
    float *copy = frs_alloc(n, sizeof *copy);
    for (size_t i = 0, at = 0; i < versions->n_parts; i++) {
        size_t length = versions->shapes[i].n_rows * versions->shapes[i].dim;
        memcpy(copy + at, tables.part[i], length * sizeof *copy);
        at += length;
    }
    return copy;
}

static double relative_change(const float *before, const float *after, size_t n) {
    double change = 0, length = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = (double)after[i] - (double)before[i];
        change += difference * difference;
        length += (double)before[i] * (double)before[i];
    }
    return length > 0 ? sqrt(change / length) : NAN;
}

double frs_trainer_close(struct frs_trainer *trainer, const struct frs_arrivals *arrivals) {
    double change = NAN;
    frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    FRS_INVARIANT(!arrivals || !trainer->settles || arrivals->n == trainer->n_gathered,
        "%zu uploads have arrived, %zu were to come", arrivals ? arrivals->n : 0, trainer->n_gathered);
    trainer->n_gathered = 0;
    if (arrivals && arrivals->mixing) {
        frs_trainer_mix(trainer, arrivals->mixing);
        return change;
    }
    if (!arrivals || (arrivals->n == 0 && !frs_server_step_steps_without(&trainer->setup->server_step)))
        return change; /* the model stays as it is */
    float *before = copy_tables(trainer);
    double began_s = frs_pool_cpu_s(trainer->pool);
    aggregate(trainer, arrivals);
    trainer->times.aggregation_s += frs_pool_cpu_s(trainer->pool) - began_s;
    float *after = copy_tables(trainer);
    size_t n = 0;
    for (size_t i = 0; i < trainer->jobs.versions.n_parts; i++)
        n += trainer->jobs.versions.shapes[i].n_rows * trainer->jobs.versions.shapes[i].dim;
    if (before)
        change = relative_change(before, after, n);
    free(before);
    free(after);
    return change;
}
