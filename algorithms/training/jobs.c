#include "algorithms/training/jobs.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t table_bytes(const struct frs_trainees *trainees, size_t part) {
    return trainees->shapes[part].n_rows * trainees->shapes[part].dim * sizeof(float);
}

static void free_version(const struct frs_trainees *trainees, struct frs_version *version) {
    for (size_t i = 0; version->detached && i < trainees->n_parts; i++)
        free(version->tables.part[i]);
    free(version);
}

static void drop_personal(const struct frs_trainees *trainees, struct frs_trainee *trainee) {
    for (size_t i = 0; trainee->owns_personal && i < trainees->n_personal; i++)
        free(trainee->personal.part[i]);
    trainee->personal = (struct frs_tables){0};
    trainee->owns_personal = false;
}

static void free_trainee(const struct frs_trainees *trainees, struct frs_trainee *trainee) {
    drop_personal(trainees, trainee);
    frs_work_fini(&trainee->work);
    frs_buffer_fini(&trainee->download);
    free(trainee);
}

void frs_trainees_fini(struct frs_trainees *trainees) {
    for (size_t i = 0; i < trainees->tickets.n; i++)
        if (trainees->tickets.things[i])
            free_trainee(trainees, trainees->tickets.things[i]);
    for (struct frs_trainee *trainee; (trainee = trainees->free); free_trainee(trainees, trainee))
        trainees->free = trainee->next;
    for (struct frs_version *version; (version = trainees->versions); free_version(trainees, version))
        trainees->versions = version->next;
    frs_tickets_fini(&trainees->tickets);
}

/* ---- versions ------------------------------------------------------------------------------------------ */

struct frs_version *frs_trainees_add_version(struct frs_trainees *trainees, const struct frs_tables *tables) {
    struct frs_version *version = frs_alloc(1, sizeof *version), **end = &trainees->versions;
    *version = (struct frs_version){.tables = *tables, .n_users = 1};
    while (*end)
        end = &(*end)->next;
    *end = version;
    return version;
}

void frs_trainees_release(struct frs_trainees *trainees, struct frs_version *version) {
    if (--version->n_users > 0)
        return;
    struct frs_version **at = &trainees->versions;
    while (*at != version)
        at = &(*at)->next;
    *at = version->next;
    free_version(trainees, version);
}

static void own_tables(const struct frs_trainees *trainees, struct frs_version *version) {
    for (size_t i = 0; i < trainees->n_parts; i++)
        version->tables.part[i] = frs_alloc_aligned(table_bytes(trainees, i) / sizeof(float), sizeof(float));
    version->detached = true;
}

void frs_trainees_detach_versions(struct frs_trainees *trainees) {
    for (struct frs_version *version = trainees->versions; version; version = version->next) {
        struct frs_tables tables = version->tables;
        if (version->detached)
            continue;
        own_tables(trainees, version);
        for (size_t i = 0; i < trainees->n_parts; i++)
            memcpy(version->tables.part[i], tables.part[i], table_bytes(trainees, i));
    }
}

static size_t personal_values(const struct frs_trainees *trainees, size_t part) {
    return trainees->personal_shapes[part].n_rows * trainees->personal_shapes[part].dim;
}

static void own_personal(const struct frs_trainees *trainees, struct frs_trainee *trainee) {
    for (size_t i = 0; i < trainees->n_personal; i++)
        trainee->personal.part[i] = frs_alloc_aligned(personal_values(trainees, i), sizeof(float));
    trainee->owns_personal = true;
}

void frs_trainees_detach_personal(struct frs_trainees *trainees) {
    for (size_t i = 0; i < trainees->tickets.n; i++) {
        struct frs_trainee *trainee = trainees->tickets.things[i];
        if (!trainee || !trainee->personal.part[0] || trainee->owns_personal)
            continue;
        struct frs_tables personal = trainee->personal;
        own_personal(trainees, trainee);
        for (size_t part = 0; part < trainees->n_personal; part++)
            memcpy(trainee->personal.part[part], personal.part[part],
                personal_values(trainees, part) * sizeof(float));
    }
}

/* ---- trainees --------------------------------------------------------------------------------------------- */

static struct frs_trainee *empty_trainee(struct frs_trainees *trainees) {
    struct frs_trainee *trainee = trainees->free ? trainees->free : frs_alloc(1, sizeof *trainee);
    trainees->free = trainee->next;
    *trainee = (struct frs_trainee){0};
    return trainee;
}

struct frs_trainee *frs_trainees_take(struct frs_trainees *trainees, struct frs_version *version) {
    struct frs_trainee *trainee = empty_trainee(trainees);
    trainee->version = version;
    version->n_users++;
    trainee->ticket = frs_tickets_take(&trainees->tickets, trainee);
    return trainee;
}

struct frs_trainee *frs_trainees_find(const struct frs_trainees *trainees, size_t ticket) {
    struct frs_trainee *trainee = frs_tickets_find(&trainees->tickets, ticket);
    FRS_INVARIANT(trainee, "nobody has ticket %zu", ticket);
    return trainee;
}

void frs_trainees_return(struct frs_trainees *trainees, struct frs_trainee *trainee) {
    frs_tickets_return(&trainees->tickets, trainee->ticket);
    drop_personal(trainees, trainee);
    frs_work_fini(&trainee->work); /* not for the next client: it would be too large or too small */
    frs_buffer_fini(&trainee->download);
    frs_trainees_release(trainees, trainee->version);
    trainee->next = trainees->free;
    trainees->free = trainee;
}

/* ---- archive ------------------------------------------------------------------------------------------- */

static void archive_version(
    struct frs_trainees *trainees, struct frs_version *version, struct frs_archive *archive) {
    if (frs_archive_loads(archive))
        own_tables(trainees, version);
    frs_archive_bytes(archive, &version->course, sizeof version->course);
    version->finite = true; /* or the run would have ended */
    frs_archive_u64(archive, &version->round_seed);
    frs_archive_u32(archive, &version->number);
    frs_archive_size(archive, &version->n_changes);
    for (size_t i = 0; i < trainees->n_parts; i++)
        frs_archive_bytes(archive, version->tables.part[i], table_bytes(trainees, i));
}

/* Versions that nobody but the trainer uses are made anew when they are needed. */
static size_t n_archived(const struct frs_trainees *trainees) {
    size_t n = 0;
    for (const struct frs_version *version = trainees->versions; version; version = version->next)
        n++;
    return n;
}

static void archive_versions(struct frs_trainees *trainees, struct frs_archive *archive) {
    size_t n = n_archived(trainees);
    frs_archive_size(archive, &n);
    if (!frs_archive_loads(archive)) {
        for (struct frs_version *version = trainees->versions; version; version = version->next)
            archive_version(trainees, version, archive);
        return;
    }
    for (size_t i = 0; i < n && !archive->in->failed; i++)
        archive_version(trainees, frs_trainees_add_version(trainees, &(struct frs_tables){0}), archive);
}

/* Rows lie in the work's buffer; where is known from its start. What is loaded has to be n × element_bytes within
 * it. */
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
static void archive_charge(struct frs_charge *charge, struct frs_archive *archive) {
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++) {
        if (frs_charge_is_count(i))
            frs_archive_u64(archive, frs_charge_count(charge, i));
        else if (frs_charge_figures[i].kind != FRS_CHARGE_MEASURED)
            frs_archive_bytes(archive, frs_charge_real(charge, i), sizeof(double));
    }
}

static void archive_work(struct frs_work *work, struct frs_archive *archive) {
    struct frs_contribution *contribution = &work->contribution;
    frs_archive_u32(archive, &work->client);
    frs_archive_u32(archive, &work->round);
    frs_archive_u32(archive, &work->attempt);
    frs_archive_u32(archive, &work->budget);
    frs_archive_u32(archive, &work->epochs_limit);
    archive_charge(&work->charge, archive);
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

static size_t place_of(const struct frs_trainees *trainees, const struct frs_version *wanted) {
    size_t place = 0;
    for (const struct frs_version *version = trainees->versions; version != wanted; version = version->next)
        place++;
    return place;
}

static struct frs_version *version_at(const struct frs_trainees *trainees, size_t place) {
    struct frs_version *version = trainees->versions;
    while (version && place-- > 0)
        version = version->next;
    return version;
}

static void archive_personal(
    struct frs_trainees *trainees, struct frs_trainee *trainee, struct frs_archive *archive) {
    bool any = trainee->personal.part[0];
    frs_archive_bools(archive, &any, 1);
    if (any && frs_archive_loads(archive))
        own_personal(trainees, trainee);
    for (size_t i = 0; any && i < trainees->n_personal; i++)
        frs_archive_bytes(archive, trainee->personal.part[i], personal_values(trainees, i) * sizeof(float));
}

static void archive_trainee(
    struct frs_trainees *trainees, struct frs_trainee *trainee, struct frs_archive *archive) {
    size_t place = frs_archive_loads(archive) ? 0 : place_of(trainees, trainee->version);
    frs_archive_size(archive, &place);
    frs_archive_bools(archive, &trainee->trains, 1);
    frs_archive_bools(archive, &trainee->done, 1);
    frs_archive_bools(archive, &trainee->waits, 1);
    archive_work(&trainee->work, archive);
    if (frs_archive_loads(archive) && !archive->in->failed &&
        !frs_model_fits(trainees->setup->model, trainee->work.client, trainee->work.private_state,
            trainee->work.private_bytes))
        archive->in->failed = 1;
    archive_personal(trainees, trainee, archive);
    trainee->version = version_at(trainees, place);
    if (!trainee->version || trainee->work.client >= trainees->setup->data->population.n_clients) {
        trainee->version = NULL;
        archive->in->failed = 1;
        return;
    }
    trainee->version->n_users += frs_archive_loads(archive);
    trainee->work.contribution.base =
        trainees->setup->learner->uploads_updates ? NULL : &trainee->version->tables;
}

static void load_tickets(struct frs_trainees *trainees, size_t n, struct frs_archive *archive) {
    for (size_t i = 0; i < n && !archive->in->failed; i++) {
        struct frs_trainee *trainee = empty_trainee(trainees);
        bool out = false;
        frs_archive_bools(archive, &out, 1);
        trainee->ticket = frs_tickets_take(&trainees->tickets, trainee);
        if (out) {
            archive_trainee(trainees, trainee, archive);
            continue;
        }
        frs_tickets_return(&trainees->tickets, trainee->ticket);
        trainee->next = trainees->free;
        trainees->free = trainee;
    }
}

static void save_tickets(struct frs_trainees *trainees, struct frs_archive *archive) {
    for (size_t i = 0; i < trainees->tickets.n; i++) {
        bool out = trainees->tickets.things[i];
        frs_archive_bools(archive, &out, 1);
        if (out)
            archive_trainee(trainees, trainees->tickets.things[i], archive);
    }
}

void frs_trainees_archive(struct frs_trainees *trainees, struct frs_archive *archive) {
    archive_versions(trainees, archive);
    size_t n = trainees->tickets.n;
    frs_archive_size(archive, &trainees->tickets.first);
    frs_archive_size(archive, &n);
    if (!frs_archive_loads(archive)) {
        save_tickets(trainees, archive);
        return;
    }
    load_tickets(trainees, n, archive);
    for (struct frs_version *version = trainees->versions, *next; version; version = next) {
        next = version->next;
        frs_trainees_release(trainees, version); /* of the one user it was added with */
    }
}
