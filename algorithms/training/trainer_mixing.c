/* A trainer's round closes without a server: every client averages its model with those that have reached it.
 */
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "algorithms/training/trainer_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A round's tables, one after the other: as every client has trained its own, and mixed. */
struct mixing {
    struct frs_trainer *trainer;
    const struct frs_mixing_plan *plan;
    size_t n_values;          /* of a client's tables */
    float **trained, **mixed; /* [plan->n] of n_values each */
    /* Where learners exchange something else (struct frs_learner_gossip). */
    const struct frs_learner_gossip *gossip;
    const void *opened;
    size_t n_sent;            /* values of a message */
    float **messages;         /* [plan->n] of n_sent each */
    struct frs_arena *arenas; /* of each thread */
};

static size_t values_of(const struct frs_versions *versions, size_t part) {
    return versions->shapes[part].n_rows * versions->shapes[part].dim;
}

/* The rows that the client has changed replace those it began with. */
static void replace_rows(const struct mixing *mixing, size_t place) {
    const struct frs_training_jobs *jobs = &mixing->trainer->jobs;
    const struct frs_training_job *job = frs_training_jobs_find(jobs, mixing->plan->handles[place]);
    float *out = mixing->trained[place];
    for (size_t part = 0; part < jobs->versions.n_parts; part++) {
        const struct frs_rows *rows = &job->work.contribution.parts[part];
        size_t dim = jobs->versions.shapes[part].dim;
        memcpy(out, job->version->tables.part[part], values_of(&jobs->versions, part) * sizeof *out);
        for (size_t i = 0; i < rows->n; i++)
            memcpy(out + (rows->ids ? rows->ids[i] : i) * dim, rows->values + i * dim, dim * sizeof *out);
        out += values_of(&jobs->versions, part);
    }
}

static struct frs_tables tables_at(const struct mixing *mixing, float *values) {
    const struct frs_versions *versions = &mixing->trainer->jobs.versions;
    struct frs_tables tables = {0};
    for (size_t part = 0; part < versions->n_parts; part++) {
        tables.part[part] = values;
        values += values_of(versions, part);
    }
    return tables;
}

/* Its update is added to what it began with. */
static void add_update(const struct mixing *mixing, size_t place, struct frs_arena *arena) {
    const struct frs_trainer *trainer = mixing->trainer;
    const struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, mixing->plan->handles[place]);
    struct frs_tables tables = tables_at(mixing, mixing->trained[place]);
    for (size_t part = 0; part < trainer->jobs.versions.n_parts; part++)
        memcpy(tables.part[part], job->version->tables.part[part],
            values_of(&trainer->jobs.versions, part) * sizeof(float));
    frs_learner_apply(trainer->setup->learner, trainer->setup->model, &tables, trainer->gossip_seed,
        job->work.contribution.parts, arena);
}

static void expand(void *context, size_t place, size_t thread) {
    const struct mixing *mixing = context;
    const struct frs_training_setup *setup = mixing->trainer->setup;
    struct frs_arena *arena = &mixing->arenas[thread];
    struct frs_arena_mark mark = frs_arena_mark(arena);
    if (setup->learner->uploads_updates)
        add_update(mixing, place, arena);
    else
        replace_rows(mixing, place);
    if (mixing->gossip) {
        struct frs_tables tables = tables_at(mixing, mixing->trained[place]);
        mixing->gossip->tell(setup->model, mixing->opened, &tables, mixing->messages[place]);
    }
    frs_arena_release(arena, mark);
}

static void mix_messages(const struct mixing *mixing, size_t place, struct frs_arena *arena) {
    const struct frs_mixing_plan *plan = mixing->plan;
    size_t first = plan->start[place], n = plan->start[place + 1] - first;
    struct frs_arena_mark mark = frs_arena_mark(arena);
    const float **messages = frs_arena_take(arena, n, sizeof(void *));
    struct frs_tables tables = tables_at(mixing, mixing->mixed[place]);
    memcpy(mixing->mixed[place], mixing->trained[place], mixing->n_values * sizeof(float));
    for (size_t i = 0; i < n; i++)
        messages[i] = mixing->messages[plan->of[first + i]];
    if (n > 1)
        mixing->gossip->mix(mixing->trainer->setup->model, mixing->opened, mixing->trainer->gossip_seed,
            messages, plan->weights + first, n, &tables, arena);
    frs_arena_release(arena, mark);
}

/* In double precision, a client's own model first. */
static void mix(void *context, size_t place, size_t thread) {
    const struct mixing *mixing = context;
    const struct frs_mixing_plan *plan = mixing->plan;
    float *out = mixing->mixed[place];
    if (mixing->gossip) {
        mix_messages(mixing, place, &mixing->arenas[thread]);
        return;
    }
    for (size_t k = 0; k < mixing->n_values; k++) {
        double sum = 0;
        for (size_t at = plan->start[place]; at < plan->start[place + 1]; at++)
            sum += plan->weights[at] * (double)mixing->trained[plan->of[at]][k];
        out[k] = (float)sum;
    }
}

/* The client's next version, which is its alone. */
static void hold(const struct mixing *mixing, size_t place) {
    struct frs_trainer *trainer = mixing->trainer;
    struct frs_versions *versions = &trainer->jobs.versions;
    const struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, mixing->plan->handles[place]);
    struct frs_tables tables = {0};
    bool finite = true;
    const float *from = mixing->mixed[place];
    for (size_t k = 0; k < mixing->n_values; k++)
        finite &= isfinite(from[k]) != 0;
    for (size_t part = 0; part < versions->n_parts; part++) {
        tables.part[part] = frs_alloc_aligned(values_of(versions, part), sizeof(float));
        memcpy(tables.part[part], from, values_of(versions, part) * sizeof(float));
        from += values_of(versions, part);
    }
    struct frs_version *version = frs_versions_add(versions, &tables);
    version->detached = true;
    version->course = job->version->course;
    version->finite = finite;
    version->n_changes = trainer->n_changes;
    frs_training_jobs_hold(&trainer->jobs, job->work.client, version);
    frs_versions_release(versions, version);
}

static float **take_tables(size_t n, size_t n_values) {
    float **tables = frs_alloc(n, sizeof *tables);
    for (size_t i = 0; i < n; i++)
        tables[i] = frs_alloc(n_values, sizeof **tables);
    return tables;
}

static void free_tables(float **tables, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(tables[i]);
    free(tables);
}

static void begin_messages(struct mixing *mixing) {
    struct frs_trainer *trainer = mixing->trainer;
    struct frs_part shapes[FRS_MAX_PARTS];
    if (!mixing->gossip)
        return;
    for (size_t i = 0, n = frs_model_parts(trainer->setup->model, FRS_UPDATE, shapes); i < n; i++)
        mixing->n_sent += shapes[i].n_rows * shapes[i].dim;
    mixing->messages = take_tables(mixing->plan->n, mixing->n_sent);
    frs_arena_reset(&trainer->arena);
    mixing->opened = mixing->gossip->open(trainer->setup->model, trainer->gossip_seed, &trainer->arena);
}

void frs_trainer_mix(struct frs_trainer *trainer, const struct frs_mixing_plan *plan) {
    struct mixing mixing = {.trainer = trainer, .plan = plan, .gossip = trainer->setup->learner->gossip};
    if (!trainer->setup->trains || plan->n == 0)
        return;
    double began_s = frs_pool_cpu_s(trainer->pool);
    size_t n_threads = frs_pool_threads(trainer->pool);
    mixing.arenas = frs_alloc(n_threads, sizeof *mixing.arenas);
    begin_messages(&mixing);
    for (size_t part = 0; part < trainer->jobs.versions.n_parts; part++)
        mixing.n_values += values_of(&trainer->jobs.versions, part);
    frs_versions_detach(&trainer->jobs.versions);
    mixing.trained = take_tables(plan->n, mixing.n_values);
    mixing.mixed = take_tables(plan->n, mixing.n_values);
    frs_pool_start(trainer->pool, expand, &mixing, plan->n);
    frs_pool_finish(trainer->pool);
    frs_pool_start(trainer->pool, mix, &mixing, plan->n);
    frs_pool_finish(trainer->pool);
    trainer->n_changes++;
    for (size_t i = 0; i < plan->n; i++)
        hold(&mixing, i);
    free_tables(mixing.trained, plan->n);
    free_tables(mixing.mixed, plan->n);
    if (mixing.gossip)
        free_tables(mixing.messages, plan->n);
    for (size_t i = 0; i < n_threads; i++)
        frs_arena_fini(&mixing.arenas[i]);
    free(mixing.arenas);
    trainer->times.aggregation_s += frs_pool_cpu_s(trainer->pool) - began_s;
}

/* Two passes, so that equal models have a distance of exactly 0 unless their mean is rounded. */
double frs_trainer_consensus_distance(const struct frs_trainer *trainer) {
    const struct frs_training_jobs *jobs = &trainer->jobs;
    uint32_t n_clients = trainer->setup->data->population.n_clients;
    double distance = 0, length = 0;
    if (!jobs->held || !jobs->held[0])
        return 0;
    for (size_t part = 0; part < jobs->versions.n_parts; part++) {
        size_t n = values_of(&jobs->versions, part);
        double *mean = frs_alloc(n, sizeof *mean);
        for (uint32_t client = 0; client < n_clients; client++)
            for (size_t k = 0; k < n; k++)
                mean[k] += (double)jobs->held[client]->tables.part[part][k];
        for (size_t k = 0; k < n; k++) {
            mean[k] /= n_clients;
            length += mean[k] * mean[k];
        }
        for (uint32_t client = 0; client < n_clients; client++)
            for (size_t k = 0; k < n; k++) {
                double difference = (double)jobs->held[client]->tables.part[part][k] - mean[k];
                distance += difference * difference;
            }
        free(mean);
    }
    return length > 0 ? sqrt(distance / n_clients / length) : 0;
}
