/* Mixed tables: a global item table g, and a table R_u for every client that the server mixes from the
 * uploaded ones, by their similarity (GPFedRec, pFedGraph).
 *
 * An upload represents a whole table Q_u: part 0 has the rows that training touched; part 1, where a
 * learner has it, is one number `kept`. All other rows are kept · g + (1 − kept) · R_u; without the number
 * they are R_u.
 *
 * Only R is dense: n_items · dim floats for each client of the last aggregation. Any other client has no
 * R_u and uses g, or it keeps its earlier one (`keeps`). Aggregation goes through the items in stretches,
 * and puts the new tables in place of the old ones; stretches are mixed side by side. */
#ifndef FRS_ALGORITHMS_MIXED_TABLES_H
#define FRS_ALGORITHMS_MIXED_TABLES_H

#include "algorithms/learner.h"
#include "algorithms/models/client_rows.h"
#include "sim/base/threads/pool.h"

#define FRS_MIXED_TABLES_OWN_STEP                                                                            \
    "it mixes a table anew for every client, which no change of a common one leads to; allowed: none, "      \
    "without rate"

/* An upload of a whole table. */
struct frs_mixed_upload {
    uint32_t client, samples;
    float kept;
    struct frs_rows
        rows; /* values NULL: they have been written into R_u, and where nothing is pulled they are none */
};

struct frs_mixed_tables {
    size_t n_clients, n_items, dim;
    float *global; /* g [n_items × dim] */
    float **own;   /* [n_clients] R_u [n_items × dim], or NULL */
    bool keeps;    /* who is not in an aggregation keeps R_u; otherwise loses it */
    /* Tables of clients that have none any more, for those that will. */
    float **spare;
    size_t n_spare, spare_capacity;
    /* Rows of Q_u that training touched, of the last client only. Training never uses them again. They
     * serve to predict for a client that has trained, which happens before the next client commits. */
    struct frs_client_rows trained;
    uint32_t last; /* whose; any client where there are none */
    /* The uploads of the open round, where uploads are not kept; their ids are the round's own. */
    struct frs_mixed_upload *gathered;
    size_t n_gathered, gathered_capacity;
};

/* Declares g, which is `items`, and R; `keeps` is set before. A commit to R is the rows of a client's Q_u
 * that training touched. */
void frs_mixed_tables_declare(
    struct frs_mixed_tables *tables, struct frs_model *model, struct frs_table items);

/* Row of an item in the client's Q_u if training touched it and no client has committed since; otherwise
 * NULL. */
const float *frs_mixed_tables_trained(const struct frs_mixed_tables *tables, uint32_t client, uint32_t item);

/* row = kept · global + (1 − kept) · own. */
void frs_pulled_row(const float *global, const float *own, float kept, size_t dim, float *row);

struct frs_mixing {
    /* Cosines are those of Q_u less this table [n_items × dim]; NULL: of Q_u. */
    const float *reference;
    /* Turns cosine distances [n × n] into the weights that a user gives to each; rows sum to 1. shares
     * [n]: of the data. */
    void (*weigh)(
        const void *context, float *distances, const double *shares, size_t n, struct frs_arena *arena);
    const void *context;
    size_t propagations;   /* times the tables are mixed; once where uploads are averaged */
    bool averages_uploads; /* g becomes the mean of the uploads, by their shares; otherwise that of the R_u */
};

/* Takes uploads that will all be aggregated, of clients that do nothing before that: their rows replace
 * those of R_u. In ascending client id; a client that is skipped loses its table. */
void frs_mixed_tables_gather(
    struct frs_mixed_tables *tables, const struct frs_contribution *contributions, size_t n);

/* On all threads of the pool, or the caller's alone (NULL). Without contributions: those gathered. */
void frs_mixed_tables_aggregate(struct frs_mixed_tables *tables, const struct frs_contribution *contributions,
    size_t n, const struct frs_mixing *mixing, struct frs_pool *pool, struct frs_arena *arena);

/* Operations of the aggregation of n uploads, `weigh` included. With v = n_items · dim: deviations twice
 * 3·n·v, products n·(n + 1)·v and 2·n·v with g, mixtures 2·n²·v each, tables and mean 2·n·v, distances and
 * weights 6·n². */
double frs_mixed_tables_flop(const struct frs_mixed_tables *tables, size_t n, size_t propagations);

/* Memory during the aggregation: the users' graph, and for each thread a stretch of all tables, and of
 * those mixed at a time. */
double frs_mixed_tables_bytes(
    const struct frs_mixed_tables *tables, size_t n, size_t propagations, size_t threads);

#endif
