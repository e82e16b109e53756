#include "algorithms/downlink/update_log.h"
#include "sim/base/memory.h"

#include <stdlib.h>

void frs_update_log_fini(struct frs_update_log *log) {
    for (size_t v = 0; v < log->version; v++)
        frs_buffer_fini(&log->updates[v].encoded);
    free(log->updates);
    free(log->bytes_before);
    *log = (struct frs_update_log){0};
}

/* Room for n updates. */
static void make_room(struct frs_update_log *log, size_t n) {
    log->updates = frs_grow(log->updates, n, &log->capacity, sizeof *log->updates);
    log->bytes_before = frs_grow(log->bytes_before, n + 1, &log->bytes_capacity, sizeof *log->bytes_before);
    log->bytes_before[0] = 0;
}

void frs_update_log_append(struct frs_update_log *log, struct frs_update update) {
    size_t v = log->version++;
    make_room(log, log->version);
    frs_buffer_trim(&update.encoded);
    log->updates[v] = update;
    log->bytes_before[v + 1] = log->bytes_before[v] + FRS_MESSAGE_UPDATE_HEADER_BYTES + update.encoded.n;
}

void frs_update_log_drop(struct frs_update_log *log, size_t version) {
    for (; log->first_kept < version; log->first_kept++)
        frs_buffer_fini(&log->updates[log->first_kept].encoded);
}

size_t frs_update_log_latest(const struct frs_update_log *log) {
    size_t from = log->version > 0 ? log->version - 1 : 0;
    while (log->version > 0 && log->updates[from].goes_on)
        from--;
    return from;
}

size_t frs_update_log_bytes(const struct frs_update_log *log, size_t from) {
    return log->version > 0 ? log->bytes_before[log->version] - log->bytes_before[from] : 0;
}

size_t frs_update_log_kept_bytes(const struct frs_update_log *log) {
    size_t one = sizeof *log->updates + sizeof *log->bytes_before;
    size_t headers = (log->version - log->first_kept) * FRS_MESSAGE_UPDATE_HEADER_BYTES;
    return log->version * one + frs_update_log_bytes(log, log->first_kept) - headers;
}

/* Its bytes are added up from what is kept of it, which is all of it. */
struct frs_message_size frs_update_log_latest_size(const struct frs_update_log *log) {
    size_t from = frs_update_log_latest(log);
    struct frs_message_size size = {.bytes = frs_update_log_bytes(log, from)};
    for (size_t v = from; v < log->version; v++)
        size.nominal_bytes += log->updates[v].nominal_bytes;
    return size;
}

void frs_update_put(const struct frs_update *update, size_t version, struct frs_buffer *out) {
    frs_buffer_put_u32(out, (uint32_t)version);
    frs_buffer_put_u64(out, update->round_seed);
    frs_buffer_put(out, update->encoded.bytes, update->encoded.n);
}

void frs_update_log_put(const struct frs_update_log *log, size_t from, struct frs_buffer *out) {
    for (size_t v = from; v < log->version; v++)
        frs_update_put(&log->updates[v], v, out);
}

static void load_updates(struct frs_update_log *log, size_t n) {
    for (size_t v = 0; v < log->version; v++)
        frs_buffer_fini(&log->updates[v].encoded);
    make_room(log, n);
    for (size_t v = 0; v < n; v++)
        log->updates[v] = (struct frs_update){0};
    log->version = n;
}

void frs_update_log_archive(struct frs_update_log *log, bool any, struct frs_archive *archive) {
    size_t version = log->version;
    frs_archive_size(archive, &version);
    /* Every update takes some bytes: a number that no archive of this length can hold is a broken one. */
    if (frs_archive_loads(archive) &&
        (archive->in->failed || version > archive->in->n || (version > 0 && !any))) {
        archive->in->failed = 1;
        return;
    }
    if (frs_archive_loads(archive) && any)
        load_updates(log, version);
    frs_archive_size(archive, &log->first_kept);
    for (size_t v = 0; v < version; v++) {
        frs_archive_u64(archive, &log->updates[v].round_seed);
        frs_archive_bools(archive, &log->updates[v].goes_on, 1);
        frs_archive_size(archive, &log->updates[v].nominal_bytes);
        frs_archive_bytes(archive, &log->updates[v].flop, sizeof log->updates[v].flop);
        frs_archive_bools(archive, &log->updates[v].sent, 1);
        frs_archive_buffer(archive, &log->updates[v].encoded);
        frs_archive_size(archive, &log->bytes_before[v + 1]);
    }
    bool sound = log->first_kept <= log->version && (log->version == 0 || !log->updates[0].goes_on);
    if (frs_archive_loads(archive) && any && !sound)
        archive->in->failed = 1;
}
