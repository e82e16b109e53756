#include "sim/run/seats.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t table_bytes(const struct frs_seats *seats, size_t part) {
    return seats->shapes[part].n_rows * seats->shapes[part].dim * sizeof(float);
}

static void free_version(const struct frs_seats *seats, struct frs_version *version) {
    for (size_t i = 0; version->detached && i < seats->n_parts; i++)
        free(version->tables.part[i]);
    free(version);
}

static void drop_personal(const struct frs_seats *seats, struct frs_seat *seat) {
    for (size_t i = 0; seat->owns_personal && i < seats->n_personal; i++)
        free(seat->personal.part[i]);
    seat->personal = (struct frs_tables){0};
    seat->owns_personal = false;
}

static void free_seat(const struct frs_seats *seats, struct frs_seat *seat) {
    drop_personal(seats, seat);
    frs_work_fini(&seat->work);
    free(seat);
}

void frs_seats_fini(struct frs_seats *seats) {
    for (size_t i = 0; i < seats->tickets.n; i++)
        if (seats->tickets.things[i])
            free_seat(seats, seats->tickets.things[i]);
    for (struct frs_seat *seat; (seat = seats->free); free_seat(seats, seat))
        seats->free = seat->next;
    for (struct frs_version *version; (version = seats->versions); free_version(seats, version))
        seats->versions = version->next;
    frs_tickets_fini(&seats->tickets);
}

/* ---- versions ------------------------------------------------------------------------------------------ */

struct frs_version *frs_seats_add_version(struct frs_seats *seats, const struct frs_tables *tables) {
    struct frs_version *version = frs_alloc(1, sizeof *version), **end = &seats->versions;
    *version = (struct frs_version){.tables = *tables, .n_users = 1};
    while (*end)
        end = &(*end)->next;
    *end = version;
    return version;
}

void frs_seats_release(struct frs_seats *seats, struct frs_version *version) {
    if (--version->n_users > 0)
        return;
    struct frs_version **at = &seats->versions;
    while (*at != version)
        at = &(*at)->next;
    *at = version->next;
    free_version(seats, version);
}

static void own_tables(const struct frs_seats *seats, struct frs_version *version) {
    for (size_t i = 0; i < seats->n_parts; i++)
        version->tables.part[i] = frs_alloc_aligned(table_bytes(seats, i) / sizeof(float), sizeof(float));
    version->detached = true;
}

void frs_seats_detach_versions(struct frs_seats *seats) {
    for (struct frs_version *version = seats->versions; version; version = version->next) {
        struct frs_tables tables = version->tables;
        if (version->detached)
            continue;
        own_tables(seats, version);
        for (size_t i = 0; i < seats->n_parts; i++)
            memcpy(version->tables.part[i], tables.part[i], table_bytes(seats, i));
    }
}

static size_t personal_values(const struct frs_seats *seats, size_t part) {
    return seats->personal_shapes[part].n_rows * seats->personal_shapes[part].dim;
}

static void own_personal(const struct frs_seats *seats, struct frs_seat *seat) {
    for (size_t i = 0; i < seats->n_personal; i++)
        seat->personal.part[i] = frs_alloc_aligned(personal_values(seats, i), sizeof(float));
    seat->owns_personal = true;
}

void frs_seats_detach_personal(struct frs_seats *seats) {
    for (size_t i = 0; i < seats->tickets.n; i++) {
        struct frs_seat *seat = seats->tickets.things[i];
        if (!seat || !seat->personal.part[0] || seat->owns_personal)
            continue;
        struct frs_tables personal = seat->personal;
        own_personal(seats, seat);
        for (size_t part = 0; part < seats->n_personal; part++)
            memcpy(
                seat->personal.part[part], personal.part[part], personal_values(seats, part) * sizeof(float));
    }
}

/* ---- seats --------------------------------------------------------------------------------------------- */

static struct frs_seat *empty_seat(struct frs_seats *seats) {
    struct frs_seat *seat = seats->free ? seats->free : frs_alloc(1, sizeof *seat);
    seats->free = seat->next;
    *seat = (struct frs_seat){0};
    return seat;
}

struct frs_seat *frs_seats_take(struct frs_seats *seats, struct frs_version *version) {
    struct frs_seat *seat = empty_seat(seats);
    seat->version = version;
    version->n_users++;
    seat->ticket = frs_tickets_take(&seats->tickets, seat);
    return seat;
}

struct frs_seat *frs_seats_find(const struct frs_seats *seats, size_t ticket) {
    struct frs_seat *seat = frs_tickets_find(&seats->tickets, ticket);
    FRS_INVARIANT(seat, "nobody has ticket %zu", ticket);
    return seat;
}

void frs_seats_return(struct frs_seats *seats, struct frs_seat *seat) {
    frs_tickets_return(&seats->tickets, seat->ticket);
    drop_personal(seats, seat);
    frs_work_fini(&seat->work); /* not for the next client: it would be too large or too small */
    frs_seats_release(seats, seat->version);
    seat->next = seats->free;
    seats->free = seat;
}

/* ---- archive ------------------------------------------------------------------------------------------- */

static void archive_version(
    struct frs_seats *seats, struct frs_version *version, struct frs_archive *archive) {
    if (frs_archive_loads(archive))
        own_tables(seats, version);
    frs_archive_bytes(archive, &version->course, sizeof version->course);
    version->finite = true; /* or the run would have ended */
    frs_archive_u64(archive, &version->word);
    frs_archive_u32(archive, &version->number);
    frs_archive_size(archive, &version->n_changes);
    for (size_t i = 0; i < seats->n_parts; i++)
        frs_archive_bytes(archive, version->tables.part[i], table_bytes(seats, i));
}

/* Versions that nobody but the trainer uses are made anew when they are needed. */
static size_t n_archived(const struct frs_seats *seats) {
    size_t n = 0;
    for (const struct frs_version *version = seats->versions; version; version = version->next)
        n++;
    return n;
}

static void archive_versions(struct frs_seats *seats, struct frs_archive *archive) {
    size_t n = n_archived(seats);
    frs_archive_size(archive, &n);
    if (!frs_archive_loads(archive)) {
        for (struct frs_version *version = seats->versions; version; version = version->next)
            archive_version(seats, version, archive);
        return;
    }
    for (size_t i = 0; i < n && !archive->in->failed; i++)
        archive_version(seats, frs_seats_add_version(seats, &(struct frs_tables){0}), archive);
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
    frs_archive_u64(archive, &contribution->word);
    for (size_t i = 0; i < FRS_MAX_PARTS; i++)
        archive_rows(archive, &work->kept, &contribution->parts[i]);
    bool exact = work->exact;
    frs_archive_bools(archive, &exact, 1);
    if (exact && frs_archive_loads(archive))
        work->exact = frs_alloc(FRS_MAX_PARTS, sizeof *work->exact);
    for (size_t i = 0; exact && i < FRS_MAX_PARTS; i++)
        archive_rows(archive, &work->kept, &work->exact[i]);
}

static size_t place_of(const struct frs_seats *seats, const struct frs_version *wanted) {
    size_t place = 0;
    for (const struct frs_version *version = seats->versions; version != wanted; version = version->next)
        place++;
    return place;
}

static struct frs_version *version_at(const struct frs_seats *seats, size_t place) {
    struct frs_version *version = seats->versions;
    while (version && place-- > 0)
        version = version->next;
    return version;
}

static void archive_personal(struct frs_seats *seats, struct frs_seat *seat, struct frs_archive *archive) {
    bool any = seat->personal.part[0];
    frs_archive_bools(archive, &any, 1);
    if (any && frs_archive_loads(archive))
        own_personal(seats, seat);
    for (size_t i = 0; any && i < seats->n_personal; i++)
        frs_archive_bytes(archive, seat->personal.part[i], personal_values(seats, i) * sizeof(float));
}

static void archive_seat(struct frs_seats *seats, struct frs_seat *seat, struct frs_archive *archive) {
    size_t place = frs_archive_loads(archive) ? 0 : place_of(seats, seat->version);
    frs_archive_size(archive, &place);
    frs_archive_bools(archive, &seat->trains, 1);
    frs_archive_bools(archive, &seat->done, 1);
    frs_archive_bools(archive, &seat->waits, 1);
    archive_work(&seat->work, archive);
    archive_personal(seats, seat, archive);
    seat->version = version_at(seats, place);
    if (!seat->version || seat->work.client >= seats->setup->data->population.n_clients) {
        seat->version = NULL;
        archive->in->failed = 1;
        return;
    }
    seat->version->n_users += frs_archive_loads(archive);
    seat->work.contribution.base = seats->setup->learner->uploads_updates ? NULL : &seat->version->tables;
}

static void load_tickets(struct frs_seats *seats, size_t n, struct frs_archive *archive) {
    for (size_t i = 0; i < n && !archive->in->failed; i++) {
        struct frs_seat *seat = empty_seat(seats);
        bool out = false;
        frs_archive_bools(archive, &out, 1);
        seat->ticket = frs_tickets_take(&seats->tickets, seat);
        if (out) {
            archive_seat(seats, seat, archive);
            continue;
        }
        frs_tickets_return(&seats->tickets, seat->ticket);
        seat->next = seats->free;
        seats->free = seat;
    }
}

static void save_tickets(struct frs_seats *seats, struct frs_archive *archive) {
    for (size_t i = 0; i < seats->tickets.n; i++) {
        bool out = seats->tickets.things[i];
        frs_archive_bools(archive, &out, 1);
        if (out)
            archive_seat(seats, seats->tickets.things[i], archive);
    }
}

void frs_seats_archive(struct frs_seats *seats, struct frs_archive *archive) {
    archive_versions(seats, archive);
    size_t n = seats->tickets.n;
    frs_archive_size(archive, &seats->tickets.first);
    frs_archive_size(archive, &n);
    if (!frs_archive_loads(archive)) {
        save_tickets(seats, archive);
        return;
    }
    load_tickets(seats, n, archive);
    for (struct frs_version *version = seats->versions, *next; version; version = next) {
        next = version->next;
        frs_seats_release(seats, version); /* of the one user it was added with */
    }
}
