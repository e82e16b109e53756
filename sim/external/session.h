/* Session: the children that train one model, at most one for each thread, and what each of them is told
 * before it trains. Fulfils the session of struct frs_external (algorithms/external.h). */
#ifndef FRS_EXTERNAL_SESSION_H
#define FRS_EXTERNAL_SESSION_H

#include "sim/external/child.h"
#include "sim/external/layout.h"

/* What a program has answered to one "begin", kept for every later model with the same. */
struct frs_begun {
    char *question;
    struct frs_external_tables tables; /* `given` is owned here */
};

struct frs_session_settings {
    const struct frs_command *command;
    const struct frs_external_traits *traits;
    const char *hello;    /* what the program has said of itself, which every child repeats */
    const char *question; /* "begin", its settings and "end" */
    size_t most_items, most_samples;
    double patience_s;
    struct frs_external_copies copies;
};

/* Borrows what the settings point to, the question copied. */
struct frs_session *frs_session_create(const struct frs_session_settings *settings);

/* Finds out which tables the program declares. They are `known`, or else a child is asked, which stays
 * with the session, and `found` is filled in. Returns false after writing what prevents it. */
bool frs_session_begin(struct frs_session *session, const struct frs_external_tables *known,
    struct frs_external_tables *found, char *why, size_t size);

/* Slots of struct frs_external. */
bool frs_session_train(void *session, const struct frs_external_training *training, struct frs_arena *arena,
    struct frs_external_trained *out);
bool frs_session_score(
    void *session, const struct frs_tables *tables, const struct frs_scoring *block, size_t n_clients);
const char *frs_session_failure(void *session);
void frs_session_end(void *session);

#endif
