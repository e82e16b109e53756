/* Open rows: the participations of a run, and their rows of rounds.csv, until the ledger has them.
 *
 * A participation belongs to the round that selected it; where rounds are spans between aggregations, to
 * the span in which it was settled. A row is entered when its round is closed and all of its
 * participations are settled, in the order of rounds. */
#ifndef FRS_ROUNDS_OPEN_ROWS_H
#define FRS_ROUNDS_OPEN_ROWS_H

#include "sim/ledger/ledger.h"
#include "sim/rounds/coordinator.h"
#include "algorithms/training/trainer.h"

struct frs_row;

/* The record of a participation from its selection until the ledger has it, in parts: what the actors do
 * (and the ledger reads), what the training needs, and what only the run itself knows. */
struct frs_open_entry {
    struct frs_participation p; /* first: the actors know no more of it */
    struct frs_member member;   /* what the training goes by */
    size_t version;             /* of the server's tables when it was selected */
    struct frs_row *row;        /* NULL: not known yet */
    bool settled;
    size_t number;                     /* of all entries, in the order in which they were added */
    double since_s;                    /* when it was */
    struct frs_spending counted;       /* in the client's account */
    double aside_energy_j;             /* of what it exchanged around the upload, */
    struct frs_energy aside_energy;    /* and what that was for */
    struct frs_loss up_loss_by_itself; /* without the device's clock, which may count from an earlier time */
    /* Work after the upload (sim/rounds/post_upload_work.h). */
    bool at_work, left; /* left: the server has no more to do with it */
    size_t post_at;     /* with `at_work` */
};

struct frs_row {
    struct frs_closed_round closed; /* its participations are listed when it is entered */
    struct frs_quality quality;
    bool is_closed, is_held; /* held: there may be more to come though it is closed */
    bool is_empty; /* a round for which chance selected no client, and which is reported all the same */
    struct frs_open_entry **open_entries;
    size_t n, n_settled, capacity;
    struct frs_edge_message *edge_messages; /* closed.edge_messages */
    struct frs_peer_row *peer_messages;     /* closed.peer_messages */
    struct frs_row *next;
};

struct frs_open_rows;

/* pool: one of its threads tells the ledger of a row while the simulation goes on. NULL: the caller does it,
 * as it does with short rows; so it has to be where the ledger's links (frs_ledger_set_links) change. */
struct frs_open_rows *frs_open_rows_create(
    const struct frs_setup *setup, struct frs_ledger *ledger, struct frs_pool *pool);
void frs_open_rows_destroy(struct frs_open_rows *open_rows);

/* Adds a participation of this client, selected in this attempt at the round, at now_s, which is no
 * earlier than the previous one. It lives until its row has been entered. */
struct frs_open_entry *frs_open_rows_add_entry(
    struct frs_open_rows *open_rows, uint32_t client, uint32_t round, uint32_t attempt, double now_s);

/* The client's last participation, if its entry is still open; NULL otherwise. */
struct frs_open_entry *frs_open_rows_last_entry(const struct frs_open_rows *open_rows, uint32_t client);

/* The row after the last one. */
struct frs_row *frs_open_rows_add_row(struct frs_open_rows *open_rows);

/* An exchange of this client around its upload, or its download after the aggregation, has ended, with its
 * energy. Returns the part of the participation that it has become. */
struct frs_aside *frs_open_entry_add_aside(struct frs_open_entry *of, const struct frs_setup *setup,
    const struct frs_participation *p, const char *name);

/* The participation belongs to the row. */
void frs_row_add_entry(struct frs_row *row, struct frs_open_entry *open_entry);

/* What became of it is final; its row is known by now. */
void frs_open_rows_settle(struct frs_open_rows *open_rows, struct frs_open_entry *open_entry);

/* Processor time of entering rows so far: sums, checks, and what is written of them. */
double frs_open_rows_entering_s(const struct frs_open_rows *open_rows);

/* Modelled energy of a participation that has ended, and what it was for. */
double frs_open_rows_energy_j(const struct frs_setup *setup, const struct frs_participation *participation);
struct frs_energy frs_open_rows_energy(
    const struct frs_setup *setup, const struct frs_participation *participation);

/* Enters all rows that are complete. A row without participations is dropped. Another thread may still be
 * at it when this returns: until frs_open_rows_wait has been called no other function of the ledger may be.
 */
void frs_open_rows_enter(struct frs_open_rows *open_rows);

/* Returns when the ledger has all rows that were entered. */
void frs_open_rows_wait(struct frs_open_rows *open_rows);

/* Whether something could not be written (frs_ledger_failed), as of the last row that is known to be entered.
 */
bool frs_open_rows_failed(const struct frs_open_rows *open_rows);

#endif
