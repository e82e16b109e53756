/* External: a method that another program trains, as its learner sees it.
 *
 * The learner `external` knows no process and no clock: it calls a struct frs_external, which sim/external
 * implements with child processes (docs/external.md). All state belongs to the model. A call passes
 * everything that it needs, so a program may be restarted between two calls. Results have been checked:
 * counts and ids are within the tables, ids ascend, values are finite. */
#ifndef FRS_ALGORITHMS_EXTERNAL_H
#define FRS_ALGORITHMS_EXTERNAL_H

#include "algorithms/learner.h"
#include "algorithms/scorer.h"
#include "sim/base/settings/param.h"

#define FRS_EXTERNAL_MOST_KEPT 4u /* tables of which clients keep rows */
#define FRS_EXTERNAL_NAME 32u     /* bytes of a table's or key's name, with its final zero */

/* What a program says of its method before it knows any data. */
struct frs_external_traits {
    bool predicts_ratings, sends_updates, limits_epochs, works_on; /* as in struct frs_learner */
    bool takes_budgets; /* clients send as many columns as the server assigns them */
    bool measured;      /* it counts no operations: clients take the time that its processor takes */
    const struct frs_param *params; /* its own keys, ended by a key that is NULL; or NULL */
};

struct frs_external_setting {
    const char *key;
    char *text; /* as after --set */
};

/* What a client has of its own, written where the program finds it. */
struct frs_external_copies {
    const void *context;
    /* Table i of a client [rows × dim]: its values of a private one; of one that is `own` the version that
     * it predicts with, which is that of `shared` until it has one. */
    void (*write)(const void *context, uint32_t client, size_t i, const struct frs_tables *shared, float *to);
};

/* What a program is told of a run. */
struct frs_external_begin {
    const struct frs_learner_setup *setup;
    const struct frs_external_setting *settings; /* [n_settings], of its own keys */
    size_t n_settings;
    size_t most_rows, most_samples; /* of one client: distinct items, and samples or ratings */
    double patience_s;              /* for one answer */
    struct frs_external_copies copies;
};

struct frs_external_table {
    char name[FRS_EXTERNAL_NAME];
    bool shared; /* FRS_OF_ALL; otherwise the client's: FRS_OF_CLIENTS if it has one row, or else rows that
                  * the client keeps from their first change on */
    size_t rows, dim;
    enum frs_start start;
    double sd;
    bool alike, undivided; /* as in struct frs_table */
    bool own;              /* shared: a client predicts with the version that it has trained last */
    bool by_budget;        /* shared: of each row the first columns are sent, as many as the budget */
    const float *given;    /* shared: first values that the program has written; NULL: as `start` says */
};

struct frs_external_tables {
    struct frs_external_table table[FRS_MAX_TABLES];
    size_t n;
    struct frs_budgets budgets; /* {0, 0}: it takes none */
    double fixed_work;          /* share of the work under the largest budget that is the same under all */
};

/* Whether the program says which rows of the table changed, and whether clients keep rows in a store. */
static inline bool frs_external_counts_rows(const struct frs_external_table *table) {
    return table->shared || table->rows > 1;
}

static inline bool frs_external_keeps_rows(const struct frs_external_table *table) {
    return table->shared ? table->own : table->rows > 1;
}

/* One participation. */
struct frs_external_training {
    uint32_t client, round, attempt, epochs; /* epochs: at most so many; 0: no limit */
    uint32_t budget;                         /* 0: the method takes none */
    uint64_t seed;                           /* what this participation may draw from */
    const struct frs_tables *tables;         /* the shared ones, in their order, as received */
    size_t n_rows, n_samples;
    const uint32_t *ids;     /* [n_rows] ascending items */
    const uint32_t *samples; /* [n_samples]: place in `ids` << 1 | label; NULL: ratings */
    const float *ratings;    /* [n_rows] of the items, n_samples being n_rows; NULL: samples */
};

/* Memory from the arena of the call. */
struct frs_external_trained {
    struct frs_rows upload[FRS_MAX_PARTS]; /* of the shared tables; with ids where the table is own */
    struct frs_rows kept[FRS_MAX_TABLES];  /* of private table i; with ids where it has several rows */
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
    bool (*score)(
        void *session, const struct frs_tables *tables, const struct frs_scoring *block, size_t n_clients);
    const char *(*failure)(void *session); /* the first; NULL: none */
    void (*end)(void *session);
};

/* Returns the learner of a program. Its keys are those of every external method and the program's own.
 * Freed by frs_external_learner_destroy. Borrows `external` and its traits. */
struct frs_learner *frs_external_learner_create(const struct frs_external *external);
void frs_external_learner_destroy(struct frs_learner *learner);

/* Whether a key of this name is one of every external method, which no program can have as its own. */
bool frs_external_has_key(const char *key);

#endif
