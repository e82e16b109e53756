/* External: a method that another program trains, as its learner sees it.
 *
 * The learner `external` knows no process and no clock: it calls a struct frs_external, which sim/external
 * fulfils with child processes (docs/external.md). All state is the model's. A call hands over everything
 * that it needs, so that a program may be begun anew between two calls. What comes back has been checked:
 * counts and ids are within the tables, ids ascend, values are finite. */
#ifndef FRS_ALGORITHMS_EXTERNAL_H
#define FRS_ALGORITHMS_EXTERNAL_H

#include "algorithms/learner.h"
#include "sim/base/settings/param.h"

#define FRS_EXTERNAL_NAME 32u /* bytes of a table's or key's name, with its final zero */

/* What a program says of its method before it knows any data. */
struct frs_external_traits {
    bool predicts_ratings, sends_updates, limits_epochs, works_on; /* as in struct frs_learner */
    bool measured; /* it counts no operations: clients take the time that its processor takes */
    const struct frs_param *params; /* its own keys, ended by a key that is NULL; or NULL */
};

struct frs_external_setting {
    const char *key;
    char *text; /* as after --set */
};

/* What a program is told of a run. */
struct frs_external_begin {
    const struct frs_learner_setup *setup;
    const struct frs_external_setting *settings; /* [n_settings], of its own keys */
    size_t n_settings;
    size_t most_rows, most_samples; /* of one client: distinct items, and samples or ratings */
    double patience_s;              /* for one answer */
};

struct frs_external_table {
    char name[FRS_EXTERNAL_NAME];
    bool shared; /* FRS_OF_ALL; otherwise FRS_OF_CLIENTS, and `rows` is 1 */
    size_t rows, dim;
    enum frs_start start;
    double sd;
    bool alike, undivided; /* as in struct frs_table */
    const float *given;    /* shared: first values that the program has written; NULL: as `start` says */
};

struct frs_external_tables {
    struct frs_external_table table[FRS_MAX_TABLES];
    size_t n;
};

/* One participation. */
struct frs_external_training {
    uint32_t client, round, attempt, epochs; /* epochs: at most so many; 0: no limit */
    uint64_t seed;                           /* what this participation may draw from */
    const struct frs_tables *tables;         /* the shared ones, in their order */
    const float *rows[FRS_MAX_TABLES];       /* this client's rows of the others, in theirs */
    size_t n_rows, n_samples;
    const uint32_t *ids;     /* [n_rows] ascending items */
    const uint32_t *samples; /* [n_samples]: place in `ids` << 1 | label; NULL: ratings */
    const float *ratings;    /* [n_rows] of the items, n_samples being n_rows; NULL: samples */
};

/* Memory from the arena of the call. */
struct frs_external_trained {
    struct frs_rows upload[FRS_MAX_PARTS]; /* of the shared tables */
    const float *kept[FRS_MAX_TABLES];     /* the client's rows of the others */
    double processed, loss, flop, post_flop, post_processed;
    double cpu_s; /* processor time that it took */
    uint32_t epochs;
};

struct frs_external {
    struct frs_external_traits traits;
    /* A session, for one model, and its tables, valid as long as the session. NULL after writing why not. */
    void *(*begin)(const struct frs_external *external, const struct frs_external_begin *begin,
        struct frs_external_tables *tables, char *why, size_t size);
    /* Any thread. False: the session has failed, and every later call fails. */
    bool (*train)(void *session, const struct frs_external_training *training, struct frs_arena *arena,
        struct frs_external_trained *out);
    bool (*score)(void *session, const struct frs_tables *tables, const float *const *rows, uint32_t client,
        const uint32_t *items, size_t n, float *scores);
    const char *(*failure)(void *session); /* the first; NULL: none */
    void (*end)(void *session);
};

/* The learner of a program, whose keys are those of every external method and its own; freed by
 * frs_external_learner_destroy. Borrows `external` and its traits. */
struct frs_learner *frs_external_learner_create(const struct frs_external *external);
void frs_external_learner_destroy(struct frs_learner *learner);

/* Whether a key of this name is one of every external method, which no program can have as its own. */
bool frs_external_has_key(const char *key);

#endif
