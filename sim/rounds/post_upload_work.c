#include "sim/rounds/post_upload_work.h"
#include "actors/post_upload.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct frs_post_uploads {
    struct frs_open_rows *open_rows;
    struct frs_journaled_trainer *trainer;
    struct frs_open_entry **open_entries; /* at work */
    size_t n, capacity;
    struct frs_open_entry **of_client; /* [n_clients]; NULL: not at work */
};

struct frs_post_uploads *frs_post_uploads_create(
    uint32_t n_clients, struct frs_open_rows *open_rows, struct frs_journaled_trainer *trainer) {
    struct frs_post_uploads *post_uploads = frs_alloc(1, sizeof *post_uploads);
    *post_uploads = (struct frs_post_uploads){.open_rows = open_rows, .trainer = trainer};
    post_uploads->of_client = frs_alloc(n_clients, sizeof *post_uploads->of_client);
    return post_uploads;
}

void frs_post_uploads_destroy(struct frs_post_uploads *post_uploads) {
    if (!post_uploads)
        return;
    free(post_uploads->open_entries);
    free(post_uploads->of_client);
    free(post_uploads);
}

static void settle(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry) {
    frs_open_rows_settle(post_uploads->open_rows, open_entry);
    frs_journaled_trainer_drop(post_uploads->trainer, open_entry->member.handle);
}

static void take_out(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry) {
    struct frs_open_entry *last = post_uploads->open_entries[--post_uploads->n];
    post_uploads->open_entries[open_entry->post_at] = last;
    last->post_at = open_entry->post_at;
    post_uploads->of_client[open_entry->p.client] = NULL;
    open_entry->at_work = false;
}

/* The participation that waited for the device no longer refers to this one, whose row may be written now. */
static void end(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry) {
    struct frs_open_entry *after = frs_open_rows_last_entry(post_uploads->open_rows, open_entry->p.client);
    take_out(post_uploads, open_entry);
    if (after && after->p.before == &open_entry->p)
        after->p.before = NULL;
    if (open_entry->p.post.outcome == FRS_POST_ENDED)
        frs_journaled_trainer_commit(post_uploads->trainer, open_entry->member.handle);
    if (open_entry->left)
        settle(post_uploads, open_entry);
}

void frs_post_uploads_begin(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry) {
    const struct frs_participation *p = &open_entry->p;
    if (p->post.outcome == FRS_POST_NONE || p->post.work_s == 0) {
        frs_journaled_trainer_commit(post_uploads->trainer, open_entry->member.handle);
        return;
    }
    FRS_INVARIANT(!post_uploads->of_client[p->client], "client %u computes two things at once", p->client);
    post_uploads->open_entries = frs_grow(post_uploads->open_entries, post_uploads->n + 1,
        &post_uploads->capacity, sizeof(struct frs_open_entry *));
    open_entry->at_work = true;
    open_entry->post_at = post_uploads->n;
    post_uploads->open_entries[post_uploads->n++] = post_uploads->of_client[p->client] = open_entry;
}

void frs_post_uploads_leave(struct frs_post_uploads *post_uploads, struct frs_open_entry *open_entry) {
    open_entry->left = true;
    if (!open_entry->at_work)
        settle(post_uploads, open_entry);
}

struct frs_open_entry *frs_post_uploads_of(
    const struct frs_post_uploads *post_uploads, uint32_t client, double now_s) {
    struct frs_open_entry *open_entry = post_uploads->of_client[client];
    return open_entry && open_entry->p.post.end_s > now_s ? open_entry : NULL;
}

void frs_post_uploads_until(struct frs_post_uploads *post_uploads, double now_s) {
    for (size_t i = post_uploads->n; i-- > 0;)
        if (post_uploads->open_entries[i]->p.post.end_s <= now_s)
            end(post_uploads, post_uploads->open_entries[i]);
}

void frs_post_uploads_end_of(struct frs_post_uploads *post_uploads, uint32_t client) {
    if (post_uploads->of_client[client])
        end(post_uploads, post_uploads->of_client[client]);
}

void frs_post_uploads_end_all(struct frs_post_uploads *post_uploads, double now_s) {
    for (size_t i = 0; i < post_uploads->n; i++)
        frs_post_upload_break(&post_uploads->open_entries[i]->p, now_s, FRS_POST_CUT, FRS_CAUSE_END_OF_RUN);
    frs_post_uploads_until(post_uploads, now_s);
}
