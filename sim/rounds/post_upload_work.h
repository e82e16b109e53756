/* Posts: the participations whose clients are still at work after their upload (actors/post_upload.h).
 *
 * A participation's private state commits as a whole when that work has ended; broken off, none of it does.
 * Ends are foreseen, so nobody watches the dates: whoever needs to know what has been committed lets the
 * posts up to that date end first. */
#ifndef FRS_ROUNDS_POST_UPLOAD_WORK_H
#define FRS_ROUNDS_POST_UPLOAD_WORK_H

#include "sim/rounds/open_rows.h"
#include "sim/journal/journaled_trainer.h"

struct frs_posts;

struct frs_posts *frs_posts_create(
    uint32_t n_clients, struct frs_books *books, struct frs_learning *learning);
void frs_posts_destroy(struct frs_posts *posts);

/* The compute phase has ended: its state commits now, or when the work after it has ended. */
void frs_posts_begin(struct frs_posts *posts, struct frs_booking *booking);

/* The server has no more to do with a participation, whose row is known: it is settled now, or when its work
 * has ended. */
void frs_posts_leave(struct frs_posts *posts, struct frs_booking *booking);

/* The participation whose work the client's device is busy with at now_s; NULL: none. */
struct frs_booking *frs_posts_of(const struct frs_posts *posts, uint32_t client, double now_s);

/* All that end up to now_s have ended; or the one of this client has. */
void frs_posts_until(struct frs_posts *posts, double now_s);
void frs_posts_end_of(struct frs_posts *posts, uint32_t client);

/* The run is over: what would end later is cut. */
void frs_posts_end_all(struct frs_posts *posts, double now_s);

#endif
