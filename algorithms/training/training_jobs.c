#include "algorithms/training/training_jobs.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void drop_personal(const struct frs_training_jobs *jobs, struct frs_training_job *job) {
    for (size_t i = 0; job->owns_personal && i < jobs->n_personal; i++)
        free(job->personal.part[i]);
    job->personal = (struct frs_tables){0};
    job->owns_personal = false;
}

static void free_job(const struct frs_training_jobs *jobs, struct frs_training_job *job) {
    drop_personal(jobs, job);
    free(job->told.shortened);
    frs_client_update_fini(&job->work);
    frs_buffer_fini(&job->download);
    free(job);
}

void frs_training_jobs_fini(struct frs_training_jobs *jobs) {
    for (size_t i = 0; i < jobs->handles.n; i++)
        if (jobs->handles.things[i])
            free_job(jobs, jobs->handles.things[i]);
    for (struct frs_training_job *job; (job = jobs->free); free_job(jobs, job))
        jobs->free = job->next;
    frs_versions_fini(&jobs->versions);
    frs_handles_fini(&jobs->handles);
    free(jobs->held);
}

void frs_training_jobs_hold(struct frs_training_jobs *jobs, uint32_t client, struct frs_version *version) {
    struct frs_version *before = jobs->held[client];
    version->n_users++;
    jobs->held[client] = version;
    if (before)
        frs_versions_release(&jobs->versions, before);
}

/* ---- personal tables ------------------------------------------------------------------------- */

static size_t personal_values(const struct frs_training_jobs *jobs, size_t part) {
    return jobs->personal_shapes[part].n_rows * jobs->personal_shapes[part].dim;
}

static void own_personal(const struct frs_training_jobs *jobs, struct frs_training_job *job) {
    for (size_t i = 0; i < jobs->n_personal; i++)
        job->personal.part[i] = frs_alloc_aligned(personal_values(jobs, i), sizeof(float));
    job->owns_personal = true;
}

void frs_training_jobs_detach_personal(struct frs_training_jobs *jobs) {
    for (size_t i = 0; i < jobs->handles.n; i++) {
        struct frs_training_job *job = jobs->handles.things[i];
        if (!job || !job->personal.part[0] || job->owns_personal)
            continue;
        struct frs_tables personal = job->personal;
        own_personal(jobs, job);
        for (size_t part = 0; part < jobs->n_personal; part++)
            memcpy(
                job->personal.part[part], personal.part[part], personal_values(jobs, part) * sizeof(float));
    }
}

/* ---- training jobs --------------------------------------------------------------------------- */

static struct frs_training_job *empty_job(struct frs_training_jobs *jobs) {
    struct frs_training_job *job = jobs->free ? jobs->free : frs_alloc(1, sizeof *job);
    jobs->free = job->next;
    *job = (struct frs_training_job){0};
    return job;
}

struct frs_training_job *frs_training_jobs_take(
    struct frs_training_jobs *jobs, struct frs_member *member, struct frs_version *version) {
    struct frs_training_job *job = empty_job(jobs);
    job->version = version;
    if (version)
        version->n_users++;
    member->handle = frs_handles_take(&jobs->handles, job);
    job->member = *member;
    job->told.waits = member->waits;
    return job;
}

struct frs_training_job *frs_training_jobs_find(const struct frs_training_jobs *jobs, size_t handle) {
    struct frs_training_job *job = frs_handles_find(&jobs->handles, handle);
    FRS_INVARIANT(job, "no participation has handle %zu", handle);
    return job;
}

void frs_training_jobs_return(struct frs_training_jobs *jobs, struct frs_training_job *job) {
    frs_handles_return(&jobs->handles, job->member.handle);
    drop_personal(jobs, job);
    free(job->told.shortened);
    job->told.shortened = NULL;
    frs_client_update_fini(&job->work); /* not for the next client: it would be too large or too small */
    frs_buffer_fini(&job->download);
    if (job->version)
        frs_versions_release(&jobs->versions, job->version);
    job->next = jobs->free;
    jobs->free = job;
}

struct frs_handles frs_training_jobs_take_listed(struct frs_training_jobs *jobs) {
    struct frs_handles listed = jobs->handles;
    jobs->handles = (struct frs_handles){0};
    return listed;
}

void frs_training_jobs_put_back(struct frs_training_jobs *jobs, struct frs_handles *listed) {
    for (size_t i = 0; i < listed->n; i++) {
        struct frs_training_job *job = listed->things[i];
        if (!job)
            continue;
        frs_training_jobs_find(jobs, job->member.handle)->told = job->told;
        job->told.shortened = NULL;
        free_job(jobs, job);
    }
    FRS_INVARIANT(listed->first + listed->n == jobs->handles.first + jobs->handles.n,
        "the next participation is not the same after its past was repeated");
    frs_handles_fini(listed);
}

/* ---- archive --------------------------------------------------------------------------------- */

/* Rows are in the work's buffer, at an offset from its start. A loaded offset has to leave n ×
 * element_bytes within the buffer. */
static void archive_pointer(struct frs_archive *archive, const struct frs_buffer *kept, const void **pointer,
    size_t n, size_t element_bytes) {
    size_t at = *pointer ? (size_t)((const uint8_t *)*pointer - kept->bytes) + 1 : 0, bytes;
    frs_archive_size(archive, &at);
    bool fits = at == 0 || (!__builtin_mul_overflow(n, element_bytes, &bytes) && at - 1 <= kept->n &&
                               bytes <= kept->n - (at - 1) && (at - 1) % element_bytes == 0);
    if (frs_archive_loads(archive) && !fits)
        archive->in->failed = 1;
    *pointer = at > 0 && fits && kept->bytes ? kept->bytes + at - 1 : NULL;
}

static bool are_sound(const struct frs_rows *rows) {
    bool sound = (rows->ids || rows->n == 0 || rows->n == rows->n_rows) && rows->n <= rows->n_rows &&
                 (rows->values || rows->n == 0 || rows->dim == 0);
    for (size_t i = 0; sound && rows->ids && i < rows->n; i++)
        sound = rows->ids[i] < rows->n_rows;
    return sound;
}

static void archive_rows(struct frs_archive *archive, const struct frs_buffer *kept, struct frs_rows *rows) {
    const void *ids = rows->ids, *values = rows->values;
    frs_archive_size(archive, &rows->n_rows);
    frs_archive_size(archive, &rows->dim);
    frs_archive_size(archive, &rows->n);
    size_t n_values = 0;
    if (__builtin_mul_overflow(rows->n, rows->dim, &n_values))
        n_values = SIZE_MAX;
    archive_pointer(archive, kept, &ids, rows->n, sizeof *rows->ids);
    archive_pointer(archive, kept, &values, n_values, sizeof *rows->values);
    rows->ids = ids;
    rows->values = values;
    if (frs_archive_loads(archive) && !archive->in->failed && !are_sound(rows))
        archive->in->failed = 1;
}

/* What is measured on this machine stays out: the same training has the same archive. */
static void archive_usage(struct frs_usage *usage, struct frs_archive *archive) {
    for (size_t i = 0; i < FRS_N_USAGE_FIGURES; i++) {
        if (frs_usage_is_count(i))
            frs_archive_u64(archive, frs_usage_count(usage, i));
        else if (frs_usage_figures[i].kind != FRS_USAGE_MEASURED)
            frs_archive_bytes(archive, frs_usage_real(usage, i), sizeof(double));
    }
}

static void archive_work(struct frs_client_update *work, struct frs_archive *archive) {
    struct frs_contribution *contribution = &work->contribution;
    frs_archive_u32(archive, &work->client);
    frs_archive_u32(archive, &work->round);
    frs_archive_u32(archive, &work->attempt);
    frs_archive_u32(archive, &work->budget);
    frs_archive_u32(archive, &work->epochs_limit);
    archive_usage(&work->usage, archive);
    frs_archive_size(archive, &work->private_bytes);
    frs_archive_buffer(archive, &work->residual);
    frs_archive_buffer(archive, &work->kept);
    archive_pointer(archive, &work->kept, &work->private_state, work->private_bytes, 1);
    frs_archive_u32(archive, &contribution->client);
    frs_archive_u32(archive, &contribution->samples);
    frs_archive_u64(archive, &contribution->round_seed);
    for (size_t i = 0; i < FRS_MAX_PARTS; i++)
        archive_rows(archive, &work->kept, &contribution->parts[i]);
    bool exact = work->exact;
    frs_archive_bools(archive, &exact, 1);
    if (exact && frs_archive_loads(archive))
        work->exact = frs_alloc(FRS_MAX_PARTS, sizeof *work->exact);
    for (size_t i = 0; exact && i < FRS_MAX_PARTS; i++)
        archive_rows(archive, &work->kept, &work->exact[i]);
}

static void archive_personal(
    struct frs_training_jobs *jobs, struct frs_training_job *job, struct frs_archive *archive) {
    bool any = job->personal.part[0];
    frs_archive_bools(archive, &any, 1);
    if (any && frs_archive_loads(archive))
        own_personal(jobs, job);
    for (size_t i = 0; any && i < jobs->n_personal; i++)
        frs_archive_bytes(archive, job->personal.part[i], personal_values(jobs, i) * sizeof(float));
}

static void archive_job(
    struct frs_training_jobs *jobs, struct frs_training_job *job, struct frs_archive *archive) {
    size_t place = frs_archive_loads(archive) ? 0 : frs_versions_place(&jobs->versions, job->version);
    frs_archive_size(archive, &place);
    frs_archive_bools(archive, &job->member.trains, 1);
    frs_archive_bools(archive, &job->done, 1);
    frs_archive_bools(archive, &job->member.waits, 1);
    archive_work(&job->work, archive);
    if (frs_archive_loads(archive) && !archive->in->failed &&
        !frs_model_fits(
            jobs->setup->model, job->work.client, job->work.private_state, job->work.private_bytes))
        archive->in->failed = 1;
    archive_personal(jobs, job, archive);
    job->version = frs_versions_at(&jobs->versions, place);
    if (!job->version || job->work.client >= jobs->setup->data->population.n_clients) {
        job->version = NULL;
        archive->in->failed = 1;
        return;
    }
    job->version->n_users += frs_archive_loads(archive);
    job->work.contribution.base = jobs->setup->learner->uploads_updates ? NULL : &job->version->tables;
}

static void load_handles(struct frs_training_jobs *jobs, size_t n, struct frs_archive *archive) {
    for (size_t i = 0; i < n && !archive->in->failed; i++) {
        struct frs_training_job *job = empty_job(jobs);
        bool out = false;
        frs_archive_bools(archive, &out, 1);
        job->member.handle = frs_handles_take(&jobs->handles, job);
        if (out) {
            archive_job(jobs, job, archive);
            continue;
        }
        frs_handles_return(&jobs->handles, job->member.handle);
        job->next = jobs->free;
        jobs->free = job;
    }
}

static void save_handles(struct frs_training_jobs *jobs, struct frs_archive *archive) {
    for (size_t i = 0; i < jobs->handles.n; i++) {
        bool out = jobs->handles.things[i];
        frs_archive_bools(archive, &out, 1);
        if (out)
            archive_job(jobs, jobs->handles.things[i], archive);
    }
}

/* Versions by their places, counted from 1; 0: none. */
static void archive_held(struct frs_training_jobs *jobs, struct frs_archive *archive) {
    uint32_t n_clients = jobs->held ? jobs->setup->data->population.n_clients : 0;
    for (uint32_t client = 0; client < n_clients; client++) {
        struct frs_version *version = jobs->held[client];
        size_t place =
            frs_archive_loads(archive) || !version ? 0 : 1 + frs_versions_place(&jobs->versions, version);
        frs_archive_size(archive, &place);
        if (!frs_archive_loads(archive) || place == 0)
            continue;
        version = frs_versions_at(&jobs->versions, place - 1);
        archive->in->failed |= !version;
        if (version)
            frs_training_jobs_hold(jobs, client, version);
    }
}

void frs_training_jobs_archive(struct frs_training_jobs *jobs, struct frs_archive *archive) {
    frs_versions_archive(&jobs->versions, archive);
    size_t n = jobs->handles.n;
    frs_archive_size(archive, &jobs->handles.first);
    frs_archive_size(archive, &n);
    if (!frs_archive_loads(archive)) {
        save_handles(jobs, archive);
        archive_held(jobs, archive);
        return;
    }
    load_handles(jobs, n, archive);
    archive_held(jobs, archive);
    frs_versions_release_all(&jobs->versions);
}
