/* Model: everything a learner's training changes, declared once.
 *
 * A learner's model begins with a struct frs_model and declares its tables when it is created: their shape,
 * their owner, and their initial values. The parts of messages, the private state of a participation,
 * archives, the number of parameters, and the end of the model follow from that. Anything else (rows a client
 * keeps of a large table) is declared as a store with the same properties. */
#ifndef FRS_ALGORITHMS_MODEL_H
#define FRS_ALGORITHMS_MODEL_H

#include "algorithms/aggregation.h"
#include "algorithms/client_data.h"
#include "algorithms/rows.h"
#include "sim/base/files/archive.h"
#include "sim/base/arena.h"

struct frs_values;
struct frs_external;

#define FRS_MAX_TABLES 8u
#define FRS_MAX_STORES 6u
#define FRS_MAX_COUNTERS 3u

enum frs_payload {
    FRS_STATE,    /* the server's tables */
    FRS_UPDATE,   /* what the server broadcasts after a round, where that is an update */
    FRS_UPLOAD,   /* what a client sends */
    FRS_PERSONAL, /* tables the server sends one client only; no parts where a method has none */
};

struct frs_learner_setup {
    const struct frs_population *population;
    size_t negatives_per_positive;
    bool timing_only;  /* messages are needed, training is not: private tables are not allocated */
    uint32_t n_rounds; /* of the run; 0: not known */
    const struct frs_external *external; /* what trains an external method; NULL: any other method */
};

/* ---- tables ---------------------------------------------------------------------------------- */

enum frs_owner {
    FRS_OF_ALL,      /* the server's, which sends it to all: a part of every message */
    FRS_OF_SERVER,   /* the server's, which keeps it to itself */
    FRS_OF_CLIENTS,  /* row u is client u's, which keeps it to itself */
    FRS_OF_RECEIVER, /* only client u is sent `of_client[u]`; NULL: it has none yet */
    FRS_OF_UPLOAD,   /* no owner: a part of uploads alone */
};

enum frs_start {
    FRS_ZEROS, /* or what `create` writes */
    FRS_NORMAL,
};

struct frs_table {
    const char *name;
    enum frs_owner owner;
    size_t rows,
        dim; /* `rows` 0: one for each item; of FRS_OF_CLIENTS one for each client, whatever it says */
    enum frs_start start;
    double sd;       /* of FRS_NORMAL */
    uint32_t stream; /* tables of one owner that are to differ have numbers of their own here */
    size_t drawn;    /* first values of each row that are drawn, the others being zero; 0: all of them */
    bool alike;      /* FRS_OF_CLIENTS: all of them begin with the same row */
    /* FRS_OF_ALL: what is sent of a change, where it is no row of the table; 0: it is. */
    const char *update_name;
    size_t update_dim;
    /* FRS_OF_CLIENTS: rows may differ in length; the row of client u is [first[u], first[u + 1]). NULL:
     * all have `dim`. */
    const size_t *first;
    size_t uncounted;   /* values of a client's row that papers do not count as its parameters, */
    bool count_unknown; /* or it is unknown how many */
    bool undivided; /* its rows are averaged over all uploads, even where `aggregation` divides other rows by
                       the number of clients that changed them */
    bool transient; /* follows from the seed, or is written anew in every round: not archived */
    float *const *of_client; /* FRS_OF_RECEIVER [n_clients]; the memory is the learner's */
    bool lasting;            /* FRS_OF_RECEIVER: who has one keeps it, so that ever more clients have one */
    float *values;           /* [rows × dim]; FRS_OF_CLIENTS: NULL when only timing is asked for */
};

/* ---- stores ---------------------------------------------------------------------------------- */

/* What a model has beside tables. Functions that have nothing to do are NULL. */
struct frs_store_type {
    /* These rows, ids ascending, are what a client keeps of a participation. */
    void (*commit)(void *store, uint32_t client, const struct frs_rows *rows);
    bool commits_apart; /* what it changes for one client is nothing of another's: any thread may */
    /* Called just before a commit: a client has been trained on these tables, and predicts with them from
     * now on. Equal versions are equal tables. */
    void (*receive)(void *store, uint32_t client, const struct frs_tables *tables, uint64_t version);
    size_t (*received_bytes)(const void *store); /* of memory, for what it was told so; with `receive` */
    void (*archive)(void *store, struct frs_archive *archive);
    void (*destroy)(void *store);
};

struct frs_store {
    const struct frs_store_type *type;
    void *self;       /* NULL: not there when only timing is asked for */
    size_t rows, dim; /* of the table that `commit` is given rows of */
    size_t counted;   /* parameters of a client it stands for, rows it has not touched included */
    bool accumulates; /* rows of a commit join those that the client has, and none of them goes */
};

struct frs_model {
    struct frs_learner_setup setup;
    enum frs_weighting weighting; /* of those learners that have the key `aggregation` */
    struct frs_pool *pool;        /* whose threads aggregate, NULL: the caller alone */
    size_t n_tables, n_stores, n_counters;
    struct frs_table tables[FRS_MAX_TABLES];
    struct frs_store stores[FRS_MAX_STORES];
    uint32_t *counters[FRS_MAX_COUNTERS];
    struct frs_row_sums gathered[FRS_MAX_PARTS]; /* of each part of uploads; not there before the first */
};

/* ---- for learners ---------------------------------------------------------------------------- */

/* Returns zeroed memory for a structure that begins with a struct frs_model; frs_model_destroy ends it,
 * however much of it has been declared. */
void *frs_model_create(size_t bytes, const struct frs_learner_setup *setup);

/* Declares a table, allocates it and gives it its initial values, which are returned. */
float *frs_model_table(struct frs_model *model, struct frs_table table);
void frs_model_store(struct frs_model *model, struct frs_store store);
/* A number that is archived with the tables. */
void frs_model_counter(struct frs_model *model, uint32_t *counter);

/* What FRS_AGGREGATION_PARAM says. */
enum frs_weighting frs_weighting_read(const struct frs_values *values);

/* How uploads of a part count: by the model's weighting, but for tables that are undivided. */
enum frs_weighting frs_model_weighting(const struct frs_model *model, size_t part);

/* Slot `aggregate` of struct frs_learner: adds to each table FRS_OF_ALL the weighted mean of the changes
 * in the uploads, T ← T + Σ_u w_u (T_u − T). Leaves `update` alone. */
void frs_model_average(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update);

/* Slot `gather` of struct frs_learner, of those whose `aggregate` asks for nothing but the following two. */
void frs_model_gather(void *model, const struct frs_contribution *contributions, size_t n);

/* Return the weighted mean of the uploads' changes of a part, as frs_aggregate_changes does, in which each
 * row may be divided by its senders; and the plain sum. contributions NULL: of the uploads that were
 * gathered. */
struct frs_rows frs_model_mean(struct frs_model *model, const struct frs_contribution *contributions,
    size_t n, size_t part, enum frs_weighting weighting, struct frs_arena *arena);
struct frs_rows frs_model_sum(struct frs_model *model, const struct frs_contribution *contributions, size_t n,
    size_t part, struct frs_arena *arena);

/* n rows of the part-th table FRS_OF_ALL, for an upload. */
struct frs_rows frs_model_rows(
    const struct frs_model *model, size_t part, size_t n, const uint32_t *ids, const float *values);

/* ---- what follows ---------------------------------------------------------------------------- */

void frs_model_destroy(void *model);

/* The threads that `aggregate` may use, exclusively, until the model or they end. */
void frs_model_share_work(struct frs_model *model, struct frs_pool *pool);

/* Shapes of the parts of a payload; returns their number, at most FRS_MAX_PARTS. */
size_t frs_model_parts(const struct frs_model *model, enum frs_payload payload, struct frs_part *parts);

/* What the values of these parts weigh, four bytes each. */
double frs_model_bytes(const struct frs_model *model, enum frs_payload payload);

/* The server's tables (payload FRS_STATE), changed by `aggregate` or `apply` only. */
struct frs_tables frs_model_tables(const struct frs_model *model);

/* Returns the tables that only this client is sent, for every part of FRS_PERSONAL; part[0] NULL: none
 * yet. Valid until the next `aggregate`. */
struct frs_tables frs_model_personal(const struct frs_model *model, uint32_t client);
/* Whether those of clients that are not selected stay with the server. */
bool frs_model_keeps_personal(const struct frs_model *model);
bool frs_model_has_personal(const struct frs_model *model);

/* Number of a client's private parameters beside the tables it is sent; NAN: not known. */
double frs_model_private_values(const struct frs_model *model);

/* What a client keeps of a participation. */
struct frs_kept {
    /* Its rows of the tables FRS_OF_CLIENTS, in the order of their declaration; [0] NULL: nothing has
     * changed, unless there are no such tables and stored[0] has a shape. */
    const float *rows[FRS_MAX_TABLES];
    struct frs_rows stored[FRS_MAX_STORES]; /* for each store with a `commit`, likewise */
    size_t at[FRS_MAX_STORES];              /* where their values lie among the packed bytes */
};

/* The same as bytes, in the arena or where they lie already, for frs_model_commit. Sets `at`. */
const void *frs_model_pack(const struct frs_model *model, uint32_t client, struct frs_kept *kept,
    struct frs_arena *arena, size_t *bytes);
/* No bytes: nothing has changed. */
void frs_model_commit(struct frs_model *model, uint32_t client, const void *packed, size_t bytes);
/* Whether commits of different clients can be given to several threads, and are large enough for that:
 * rows of a store, not just a vector. */
bool frs_model_commits_apart(const struct frs_model *model);
/* Whether bytes from a file could be committed for this client, if there is one with this id. */
bool frs_model_fits(struct frs_model *model, uint32_t client, const void *packed, size_t bytes);

/* To be told right before the commit: see `receive` of a store. */
void frs_model_receive(
    struct frs_model *model, uint32_t client, const struct frs_tables *tables, uint64_t version);
/* Whether clients predict with tables they have received and kept, rather than with the server's; and the
 * memory of these tables. */
bool frs_model_keeps_received(const struct frs_model *model);
size_t frs_model_received_bytes(const struct frs_model *model);

/* Archives everything that commit, aggregate and apply change, between rounds. So a model is saved, and
 * loaded into one that was created with the same values. */
void frs_model_archive(struct frs_model *model, struct frs_archive *archive);

/* Archives only the accumulated rows. The second function returns the size in bytes if a client had
 * accumulated every row. */
void frs_model_archive_accumulated(struct frs_model *model, struct frs_archive *archive);
double frs_model_most_accumulated_bytes(const struct frs_model *model);

#endif
