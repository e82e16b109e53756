#include "sim/external/session.h"
#include "sim/base/buffer.h"
#include "sim/base/memory.h"
#include "sim/external/nursery.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHY_BYTES 1024u

struct frs_session {
    struct frs_session_settings settings;
    char *question;
    struct frs_external_tables tables;
    struct frs_layout layout;
    _Atomic pid_t owner;
    struct frs_nursery *nursery; /* NULL: no child was needed so far */
    pthread_mutex_t lock;        /* of what follows */
    struct frs_child **idle;
    size_t n_idle, capacity;
    char *failure;
};

struct frs_session *frs_session_create(const struct frs_session_settings *settings) {
    struct frs_session *session = frs_alloc(1, sizeof *session);
    session->settings = *settings;
    session->question = frs_strdup(settings->question);
    session->owner = getpid();
    pthread_mutex_init(&session->lock, NULL);
    return session;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* More than the machine has cannot be meant. */
static size_t most_bytes(void) {
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static bool lay_out(struct frs_session *session, char *why, size_t size) {
    if (frs_layout_init(&session->layout, &session->tables, session->settings.most_items,
            session->settings.most_samples, most_bytes()))
        return true;
    snprintf(why, size, "declares tables that take more than the %.0f MB of memory that there are",
        (double)most_bytes() / 1e6);
    return false;
}

/* "memory BYTES", a line for every place, and "end". */
static char *describe_memory(const struct frs_session *session) {
    const struct frs_layout *layout = &session->layout;
    struct frs_buffer text = {0};
    char line[160];
#define PUT(...) frs_buffer_put(&text, line, (size_t)snprintf(line, sizeof line, __VA_ARGS__))
    PUT("memory %zu\n", layout->bytes);
    for (size_t i = 0; i < session->tables.n; i++) {
        PUT("values %s %zu\n", session->tables.table[i].name, layout->values[i]);
        if (frs_external_counts_rows(&session->tables.table[i]))
            PUT("ids %s %zu\n", session->tables.table[i].name, layout->ids[i]);
    }
    PUT("items %zu\nsamples %zu\n", layout->items, layout->samples);
    PUT("ratings %zu\nscores %zu\n", layout->ratings, layout->scores);
    PUT("clients %zu\nstarts %zu\nend\n", layout->clients, layout->starts);
#undef PUT
    frs_buffer_put_u8(&text, 0);
    return (char *)text.bytes;
}

/* ---- children -------------------------------------------------------------------------------- */

static const char *ask(struct frs_session *session, struct frs_child *child, const char *question, bool block,
    char *why, size_t size) {
    const char *answer = frs_child_ask(child, question, block, session->settings.patience_s, why, size);
    const char *error = answer ? frs_frames_error(answer) : NULL;
    if (!error)
        return answer;
    snprintf(why, size, "says: %.600s", error);
    return NULL;
}

static bool same_tables(const struct frs_external_tables *a, const struct frs_external_tables *b) {
    bool same = a->n == b->n && a->budgets.min == b->budgets.min && a->budgets.max == b->budgets.max &&
                a->fixed_work == b->fixed_work;
    for (size_t i = 0; same && i < a->n; i++) {
        const struct frs_external_table *p = &a->table[i], *q = &b->table[i];
        same = strcmp(p->name, q->name) == 0 && p->shared == q->shared && p->rows == q->rows &&
               p->dim == q->dim && p->start == q->start && p->sd == q->sd && p->alike == q->alike &&
               p->undivided == q->undivided && p->own == q->own && p->by_budget == q->by_budget;
    }
    return same;
}

/* Fills `given` of those tables whose first values the program has written. */
static bool take_given(struct frs_session *session, const struct frs_child *child, const bool *given,
    struct frs_external_tables *found, char *why, size_t size) {
    *found = session->tables;
    for (size_t i = 0; i < found->n; i++)
        if (given[i]) {
            found->table[i].given = frs_layout_take_given(&session->layout, child->memory, i, why, size);
            if (!found->table[i].given)
                return false;
        }
    return true;
}

/* Tells a child what every child is told. `found`: the first one of a session, or else NULL. */
static bool introduce(struct frs_session *session, struct frs_child *child, struct frs_external_tables *found,
    char *why, size_t size) {
    struct frs_external_tables tables;
    bool given[FRS_MAX_TABLES];
    const char *answer = ask(session, child, FRS_EXTERNAL_GREETING, true, why, size);
    if (!answer)
        return false;
    if (strcmp(answer, session->settings.hello) != 0) {
        snprintf(why, size, "says something else of itself than when it was asked before");
        return false;
    }
    answer = ask(session, child, session->question, true, why, size);
    if (!answer || !frs_frames_tables(answer, session->settings.traits, &tables, given, why, size))
        return false;
    if (found) {
        session->tables = tables;
        if (!lay_out(session, why, size))
            return false;
    } else if (!same_tables(&tables, &session->tables)) {
        snprintf(why, size, "declares other tables than when it was asked before");
        return false;
    }
    if (!frs_child_share(child, session->layout.bytes, why, size))
        return false;
    char *places = describe_memory(session);
    answer = ask(session, child, places, false, why, size);
    free(places);
    if (answer && strcmp(answer, "ready") != 0) {
        snprintf(why, size, "does not answer \"ready\" when it is told of its memory");
        return false;
    }
    return answer && (!found || take_given(session, child, given, found, why, size));
}

static void end_child(struct frs_child *child, bool politely) {
    frs_child_end(child, politely);
    free(child);
}

/* A process that was forked to simulate rounds beforehand has copies of children that are not its own, and
 * no thread that started them. The first of its threads that uses the session begins it anew. */
static void own(struct frs_session *session) {
    static pthread_mutex_t owning = PTHREAD_MUTEX_INITIALIZER;
    pid_t self = getpid();
    if (atomic_load(&session->owner) == self)
        return;
    pthread_mutex_lock(&owning);
    if (atomic_load(&session->owner) != self) {
        for (size_t i = 0; i < session->n_idle; i++) {
            session->idle[i]->process = 0;
            end_child(session->idle[i], false);
        }
        session->n_idle = 0;
        session->nursery = NULL;
        pthread_mutex_init(&session->lock, NULL);
        atomic_store(&session->owner, self);
    }
    pthread_mutex_unlock(&owning);
}

static struct frs_child *start_child(
    struct frs_session *session, struct frs_external_tables *found, char *why, size_t size) {
    struct frs_child *child = frs_alloc(1, sizeof *child);
    pthread_mutex_lock(&session->lock);
    if (!session->nursery)
        session->nursery = frs_nursery_create();
    pthread_mutex_unlock(&session->lock);
    if (frs_nursery_start(session->nursery, child, session->settings.command, why, size)) {
        if (introduce(session, child, found, why, size))
            return child;
        frs_child_quote(child, why, size);
        frs_child_end(child, false);
    }
    free(child);
    return NULL;
}

static void put_back(struct frs_session *session, struct frs_child *child) {
    pthread_mutex_lock(&session->lock);
    session->idle =
        frs_grow(session->idle, session->n_idle + 1, &session->capacity, sizeof(struct frs_child *));
    session->idle[session->n_idle++] = child;
    pthread_mutex_unlock(&session->lock);
}

/* NULL after writing why not. */
static struct frs_child *take_child(struct frs_session *session, char *why, size_t size) {
    struct frs_child *child = NULL;
    pthread_mutex_lock(&session->lock);
    if (session->n_idle > 0)
        child = session->idle[--session->n_idle];
    pthread_mutex_unlock(&session->lock);
    return child ? child : start_child(session, NULL, why, size);
}

bool frs_session_begin(struct frs_session *session, const struct frs_external_tables *known,
    struct frs_external_tables *found, char *why, size_t size) {
    if (known) {
        session->tables = *known;
        return lay_out(session, why, size);
    }
    struct frs_child *child = start_child(session, found, why, size);
    if (child)
        put_back(session, child);
    return child;
}

/* ---- failure --------------------------------------------------------------------------------- */

static void fail(struct frs_session *session, const char *where, const char *why) {
    pthread_mutex_lock(&session->lock);
    if (!session->failure)
        session->failure = frs_format("%s: the program %s", where, why);
    pthread_mutex_unlock(&session->lock);
}

const char *frs_session_failure(void *context) {
    struct frs_session *session = context;
    pthread_mutex_lock(&session->lock);
    const char *failure = session->failure;
    pthread_mutex_unlock(&session->lock);
    return failure;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* One task of a child; false after writing what went wrong. */
struct task {
    bool (*carry_out)(struct frs_session *session, struct frs_child *child, const struct task *task,
        char *why, size_t size);
    const struct frs_external_training *training;
    struct frs_arena *arena;
    struct frs_external_trained *out;
    const struct frs_tables *tables;
    const struct frs_scoring *block;
    size_t n_clients;
};

/* A child that was killed is begun anew, once: it may not have been its fault. Nothing is lost with it. */
static bool perform(struct frs_session *session, const struct task *task, const char *where) {
    char why[WHY_BYTES];
    own(session);
    for (int tries = 0; tries < 2 && !frs_session_failure(session); tries++) {
        struct frs_child *child = take_child(session, why, sizeof why);
        if (child && task->carry_out(session, child, task, why, sizeof why)) {
            put_back(session, child);
            return true;
        }
        bool was_killed = child && child->was_killed;
        if (child) {
            frs_child_quote(child, why, sizeof why);
            end_child(child, false);
        }
        if (!was_killed || tries > 0)
            fail(session, where, why);
    }
    return false;
}

static bool carry_out_training(
    struct frs_session *session, struct frs_child *child, const struct task *task, char *why, size_t size) {
    const struct frs_external_training *t = task->training;
    struct frs_frame_trained frame;
    char question[192];
    frs_layout_put_training(&session->layout, child->memory, t, &session->settings.copies);
    snprintf(question, sizeof question, "train %u %u %u %u %u %" PRIu64 " %zu %zu\n", t->client, t->round,
        t->attempt, t->epochs, t->budget, t->seed, t->n_rows, t->n_samples);
    const char *answer = ask(session, child, question, false, why, size);
    if (!answer ||
        !frs_frames_trained(
            answer, &session->tables, session->settings.traits, t->epochs, &frame, why, size) ||
        !frs_layout_take_trained(
            &session->layout, child->memory, &frame, t->budget, task->arena, task->out, why, size))
        return false;
    task->out->cpu_s = child->cpu_s;
    return true;
}

/* Clients, or parts of one, in one frame. */
struct pieces {
    struct frs_scoring piece[FRS_LAYOUT_MOST_CLIENTS];
    size_t n, n_items;
};

/* Asks for what has been gathered, if there is any. */
static bool score_pieces(struct frs_session *session, struct frs_child *child, const struct task *task,
    struct pieces *pieces, char *why, size_t size) {
    const struct frs_layout *layout = &session->layout;
    char question[64];
    if (pieces->n == 0)
        return true;
    frs_layout_put_scoring(
        layout, child->memory, task->tables, &session->settings.copies, pieces->piece, pieces->n);
    snprintf(question, sizeof question, "score %zu %zu\n", pieces->n, pieces->n_items);
    const char *answer = ask(session, child, question, false, why, size);
    if (answer && strcmp(answer, "scored") != 0) {
        snprintf(why, size, "does not answer \"scored\" when it is to score");
        answer = NULL;
    }
    bool good = answer && frs_layout_take_scores(layout, child->memory, pieces->piece, pieces->n, why, size);
    pieces->n = pieces->n_items = 0;
    return good;
}

/* A client of more items than a frame has room for is scored piece by piece. */
static bool carry_out_scoring(
    struct frs_session *session, struct frs_child *child, const struct task *task, char *why, size_t size) {
    size_t most_items = session->layout.most_items, most_clients = session->layout.most_clients;
    struct pieces pieces = {.n = 0};
    for (size_t k = 0; k < task->n_clients; k++) {
        struct frs_scoring left = task->block[k];
        while (left.n > 0) {
            bool fits = pieces.n < most_clients && left.n <= most_items - pieces.n_items;
            if (!fits && !score_pieces(session, child, task, &pieces, why, size))
                return false;
            struct frs_scoring piece = left;
            piece.n = left.n < most_items ? left.n : most_items;
            pieces.piece[pieces.n++] = piece;
            pieces.n_items += piece.n;
            left.items += piece.n;
            left.scores += piece.n;
            left.n -= piece.n;
        }
    }
    return score_pieces(session, child, task, &pieces, why, size);
}

bool frs_session_train(void *context, const struct frs_external_training *training, struct frs_arena *arena,
    struct frs_external_trained *out) {
    char where[96];
    const struct task task = {
        .carry_out = carry_out_training, .training = training, .arena = arena, .out = out};
    snprintf(where, sizeof where, "client %u trains in round %u", training->client, training->round + 1);
    return perform(context, &task, where);
}

bool frs_session_score(
    void *context, const struct frs_tables *tables, const struct frs_scoring *block, size_t n_clients) {
    char where[96];
    const struct task task = {
        .carry_out = carry_out_scoring, .tables = tables, .block = block, .n_clients = n_clients};
    if (n_clients == 1)
        snprintf(where, sizeof where, "client %u is evaluated", block[0].client);
    else
        snprintf(where, sizeof where, "clients %u to %u are evaluated", block[0].client,
            block[n_clients - 1].client);
    return perform(context, &task, where);
}

void frs_session_end(void *context) {
    struct frs_session *session = context;
    own(session);
    for (size_t i = 0; i < session->n_idle; i++)
        end_child(session->idle[i], true);
    frs_nursery_destroy(session->nursery);
    pthread_mutex_destroy(&session->lock);
    free(session->idle);
    free(session->failure);
    free(session->question);
    free(session);
}
