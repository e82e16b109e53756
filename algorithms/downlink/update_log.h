/* The log of what a server has published: update number v leads from version v to version v + 1. For
 * updates that no client can need any more, only the sizes are kept. */
#ifndef FRS_ALGORITHMS_UPDATE_LOG_H
#define FRS_ALGORITHMS_UPDATE_LOG_H

#include "algorithms/messages/message.h"
#include "sim/base/files/archive.h"

/* One published update. */
struct frs_update {
    uint64_t round_seed;
    bool goes_on;              /* completes the one before */
    struct frs_buffer encoded; /* the parts of the update, without section header; empty as soon as no client
                                  can need the update any more */
    size_t nominal_bytes;
    double flop; /* of encoding it, beyond one operation for each value */
    bool sent;   /* some round has sent it, so its encoding has been counted */
};

/* All zero: nothing has been published. */
struct frs_update_log {
    struct frs_update *updates; /* [version] */
    size_t *bytes_before;       /* [version + 1] bytes of all earlier updates with their section headers */
    size_t version, capacity, bytes_capacity;
    size_t first_kept; /* updates before it have been dropped */
};

void frs_update_log_fini(struct frs_update_log *log);

/* Takes the update. */
void frs_update_log_append(struct frs_update_log *log, struct frs_update update);

/* Frees the bytes of updates before this version; their sizes stay. */
void frs_update_log_drop(struct frs_update_log *log, size_t version);

/* Where the last publication, which may be several updates, begins; 0 before there is any. */
size_t frs_update_log_latest(const struct frs_update_log *log);

/* The size of the updates from a version on, with their section headers: as encoded, and as the papers
 * count the last publication. */
size_t frs_update_log_bytes(const struct frs_update_log *log, size_t from);
struct frs_message_size frs_update_log_latest_size(const struct frs_update_log *log);

/* Memory of the encoded updates, in bytes. */
size_t frs_update_log_kept_bytes(const struct frs_update_log *log);

/* Appends updates from a version on as sections of a message. */
void frs_update_log_put(const struct frs_update_log *log, size_t from, struct frs_buffer *out);
void frs_update_put(const struct frs_update *update, size_t version, struct frs_buffer *out);

/* Loading refuses an archive whose log cannot be (in->failed), and any update where `any` is false. */
void frs_update_log_archive(struct frs_update_log *log, bool any, struct frs_archive *archive);

#endif
