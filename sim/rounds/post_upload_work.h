/* Post-upload work: the participations whose clients are still at work after their upload
 * (actors/post_upload.h).
 *
 * A participation's private state commits as a whole when that work has ended; if the work breaks off,
 * nothing commits. Ends are known in advance, so no actor waits for them. A caller that needs to know what
 * is committed at a given time first ends the work up to that time. */
#ifndef FRS_ROUNDS_POST_UPLOAD_WORK_H
#define FRS_ROUNDS_POST_UPLOAD_WORK_H

#include "sim/rounds/open_rows.h"
#include "sim/journal/journaled_trainer.h"

struct frs_post_uploads;

struct frs_post_uploads *frs_post_uploads_create(
    uint32_t n_clients, struct frs_open_rows *open_rows, struct frs_journaled_trainer *trainer);
void frs_post_uploads_destroy(struct frs_post_uploads *post_uploads);

/* The compute phase has ended: its state commits now, or when the work after it has ended. */
void frs_post_uploads_begin(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry);

/* The server is done with a participation whose row is known. The participation is settled now, or when
 * its work has ended. */
void frs_post_uploads_leave(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry);

/* The participation whose work the client's device is busy with at now_s; NULL: none. */
struct frs_open_entry *frs_post_uploads_of(
    const struct frs_post_uploads *post_uploads, uint32_t client, double now_s);

/* All that end up to now_s have ended; or the one of this client has. */
void frs_post_uploads_until(struct frs_post_uploads *post_uploads, double now_s);
void frs_post_uploads_end_of(struct frs_post_uploads *post_uploads, uint32_t client);

/* The run is over: what would end later is cut. */
void frs_post_uploads_end_all(struct frs_post_uploads *post_uploads, double now_s);

#endif
