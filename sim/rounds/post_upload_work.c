#include "sim/rounds/post_upload_work.h"
#include "actors/post_upload.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct frs_posts {
    struct frs_books *books;
    struct frs_learning *learning;
    struct frs_booking **bookings; /* at work */
    size_t n, capacity;
    struct frs_booking **of_client; /* [n_clients]; NULL: not at work */
};

struct frs_posts *frs_posts_create(
    uint32_t n_clients, struct frs_books *books, struct frs_learning *learning) {
    struct frs_posts *posts = frs_alloc(1, sizeof *posts);
    *posts = (struct frs_posts){.books = books, .learning = learning};
    posts->of_client = frs_alloc(n_clients, sizeof *posts->of_client);
    return posts;
}

void frs_posts_destroy(struct frs_posts *posts) {
    if (!posts)
        return;
    free(posts->bookings);
    free(posts->of_client);
    free(posts);
}

static void settle(struct frs_posts *posts, struct frs_booking *booking) {
    frs_books_settle(posts->books, booking);
    frs_learning_drop(posts->learning, booking->ticket);
}

static void take_out(struct frs_posts *posts, struct frs_booking *booking) {
    struct frs_booking *last = posts->bookings[--posts->n];
    posts->bookings[booking->post_at] = last;
    last->post_at = booking->post_at;
    posts->of_client[booking->p.client] = NULL;
    booking->at_work = false;
}

/* Whoever waited for the device may no longer refer to it: its row may be written now. */
static void end(struct frs_posts *posts, struct frs_booking *booking) {
    struct frs_booking *after = frs_books_last_booking(posts->books, booking->p.client);
    take_out(posts, booking);
    if (after && after->p.before == &booking->p)
        after->p.before = NULL;
    if (booking->p.post.outcome == FRS_POST_ENDED)
        frs_learning_commit(posts->learning, booking->ticket);
    if (booking->left)
        settle(posts, booking);
}

void frs_posts_begin(struct frs_posts *posts, struct frs_booking *booking) {
    const struct frs_participation *p = &booking->p;
    if (p->post.outcome == FRS_POST_NONE || p->post.work_s == 0) {
        frs_learning_commit(posts->learning, booking->ticket);
        return;
    }
    FRS_INVARIANT(!posts->of_client[p->client], "client %u computes two things at once", p->client);
    posts->bookings = frs_grow(posts->bookings, posts->n + 1, &posts->capacity, sizeof(struct frs_booking *));
    booking->at_work = true;
    booking->post_at = posts->n;
    posts->bookings[posts->n++] = posts->of_client[p->client] = booking;
}

void frs_posts_leave(struct frs_posts *posts, struct frs_booking *booking) {
    booking->left = true;
    if (!booking->at_work)
        settle(posts, booking);
}

struct frs_booking *frs_posts_of(const struct frs_posts *posts, uint32_t client, double now_s) {
    struct frs_booking *booking = posts->of_client[client];
    return booking && booking->p.post.end_s > now_s ? booking : NULL;
}

void frs_posts_until(struct frs_posts *posts, double now_s) {
    for (size_t i = posts->n; i-- > 0;)
        if (posts->bookings[i]->p.post.end_s <= now_s)
            end(posts, posts->bookings[i]);
}

void frs_posts_end_of(struct frs_posts *posts, uint32_t client) {
    if (posts->of_client[client])
        end(posts, posts->of_client[client]);
}

void frs_posts_end_all(struct frs_posts *posts, double now_s) {
    for (size_t i = 0; i < posts->n; i++)
        frs_post_break(&posts->bookings[i]->p, now_s, FRS_POST_CUT, FRS_CAUSE_END_OF_RUN);
    frs_posts_until(posts, now_s);
}
