/* Ledger: every byte, flop and second of a run, checked while it is written.
 *
 * A participation is entered once, with its round, when the round is closed and all its participations
 * have ended. The ledger checks the invariants of the run (below) and aborts on a violation. It sums up
 * per round, per client and in total, and streams rounds.csv and events.ndjson.
 *
 *   - every participation of a closed round has exactly one outcome, and no client takes part in it twice
 *     (twice at the same time where rounds overlap);
 *   - times are finite and never run backwards, rounds follow each other, and phases lie within their
 *     round
 *     except those of stragglers that may go on;
 *   - a device computes one thing at a time: no compute phase begins before its client's work after the
 *     previous upload has ended;
 *   - bytes are rate times time: no more cross than the client's own link could carry between the times,
 *     and
 *     exactly as many where nothing else limits the rate;
 *   - no second is unaccounted for: the parts of a round's critical path, each measured separately, add
 *     up;
 *   - bytes counted as usage = bytes encoded = used + wasted; flops run = used + wasted;
 *   - the phases' energy adds up to the total;
 *   - clients and rounds have the same usage; every participation of a client was delivered and used,
 *     lost,
 *     or found unavailable (frs_ledger_check_clients);
 *   - the network layer's own count of bytes agrees (frs_ledger_check_network), and so does the load over
 *     the
 *     hours (frs_ledger_end_load). */
#ifndef FRS_LEDGER_LEDGER_H
#define FRS_LEDGER_LEDGER_H

#include "actors/carried.h"
#include "sim/ledger/client_periods.h"
#include "sim/ledger/load.h"
#include "sim/ledger/rows.h"

#include <stdbool.h>
#include <stdio.h>

struct frs_ledger;

/* `rounds` and `events` are open files for rounds.csv and events.ndjson; `events` may be NULL. `ranking`
 * has the cut-offs in the names of metrics. */
struct frs_ledger *frs_ledger_create(
    uint32_t n_clients, FILE *rounds, FILE *events, const struct frs_list_rules *ranking);
void frs_ledger_destroy(struct frs_ledger *ledger);

/* Events of the first round and of every so many after it alone; before the first round. */
void frs_ledger_thin_events(struct frs_ledger *ledger, uint32_t every);

/* Counts what clients take in periods of this length; before the first round. */
void frs_ledger_count_periods(struct frs_ledger *ledger, double period_s);
/* NULL: they are not counted. */
const struct frs_client_periods *frs_ledger_periods(const struct frs_ledger *ledger);

/* Tells `load`, which becomes the ledger's, of everything; before the first round. */
void frs_ledger_set_load(struct frs_ledger *ledger, struct frs_load *load);
/* Where there are edges: writes edges.csv to an open file, a line for each message between an edge and the
 * server; before the first round. */
void frs_ledger_set_edges(struct frs_ledger *ledger, FILE *edges);
/* Where there is no server: writes peers.csv to an open file, a line for each message between clients; before
 * the first round. */
void frs_ledger_set_peers(struct frs_ledger *ledger, FILE *peers);
/* NULL: the load is not counted. */
struct frs_load *frs_ledger_load(const struct frs_ledger *ledger);
/* Ends the load at the end of the run: the hours have to add up to the bytes of the rounds.
 * peak_bytes_per_s [2]: the largest rates down and up by the network layer's own count; NAN: it has none. */
void frs_ledger_end_load(struct frs_ledger *ledger, const double *peak_bytes_per_s);

/* What is known of the clients' links; before the first round. They are checked and written down. */
void frs_ledger_set_links(struct frs_ledger *ledger, const struct frs_own_links *links);

/* Enters a closed round. An attempt that was lost keeps the number of the round that will be repeated. */
void frs_ledger_close_round(struct frs_ledger *ledger, const struct frs_closed_round *closed);

/* Checks that the bytes counted by the network layer equal the usage in the ledger, up to a rounding and
 * the slack that the layer states for its own count. */
void frs_ledger_check_network(const struct frs_ledger *ledger, const struct frs_carried *carried);

/* At the end: what clients.csv will say of all clients is what rounds.csv says of all rounds. */
void frs_ledger_check_clients(const struct frs_ledger *ledger);

/* Whether something could not be written: writing more would be useless. */
bool frs_ledger_failed(const struct frs_ledger *ledger);

/* Rounds that were kept, and all attempts at rounds: the rows of rounds.csv. */
size_t frs_ledger_rounds(const struct frs_ledger *ledger);
size_t frs_ledger_attempts(const struct frs_ledger *ledger);
/* Returns the time between rounds in which no round could open, because of its times or of too few
 * clients; the part in which the times allowed none; and the time in which the server was restarting. */
double frs_ledger_idle_s(const struct frs_ledger *ledger);
double frs_ledger_scheduled_idle_s(const struct frs_ledger *ledger);
double frs_ledger_restart_s(const struct frs_ledger *ledger);
double frs_ledger_end_s(const struct frs_ledger *ledger);
const struct frs_totals *frs_ledger_totals(const struct frs_ledger *ledger);
struct frs_cohorts frs_ledger_cohorts(const struct frs_ledger *ledger);
const struct frs_client_row *frs_ledger_client(const struct frs_ledger *ledger, uint32_t client);

#endif
