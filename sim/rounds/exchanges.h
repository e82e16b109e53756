/* Exchanges: the phases of pairwise masks around the uploads of a round, as messages on the clients'
 * links.
 *
 *   before the messages of the round leave: keys, shares         after the round's last upload: unmasking
 *
 * The messages of a client in an exchange belong to its participation in the round, as a part of their own
 * (struct frs_aside). A client that drops out in an exchange does not get the round's message. */
#ifndef FRS_ROUNDS_EXCHANGES_H
#define FRS_ROUNDS_EXCHANGES_H

#include "actors/server/server.h"
#include "sim/rounds/open_rows.h"
#include "algorithms/training/masked_sum.h"

struct frs_exchanges;

/* NULL: uploads are not masked. */
struct frs_exchanges *frs_exchanges_create(const struct frs_setup *setup);
void frs_exchanges_destroy(struct frs_exchanges *exchanges);

/* A round opens with these participations, ascending client id. */
void frs_exchanges_begin(struct frs_exchanges *exchanges, struct frs_participation *const *list, size_t n,
    uint32_t round, uint32_t attempt);

/* See struct frs_server_operations, `exchange`. The participations of the exchange have no links yet: `plan`
 * gives them those of the client. */
enum frs_exchange_state frs_exchanges_next(struct frs_exchanges *exchanges, const struct frs_closing *closing,
    double now_s, void (*plan)(void *context, struct frs_participation *p, const struct frs_open_entry *of),
    void *context, struct frs_opening *exchange);

/* By which of its draws something befalls it (frs_failures_aside), after so many tries at the message. */
size_t frs_exchange_draw(const struct frs_participation *p, uint32_t retry_state);

/* What became of it is final. */
void frs_exchanges_ended(struct frs_exchanges *exchanges, const struct frs_participation *p);

/* What masking adds to the usage of a participation in the round, whose training is in it already. */
void frs_exchanges_usage(
    const struct frs_exchanges *exchanges, const struct frs_participation *p, struct frs_usage *usage);

/* Returns which clients are in the sum, and which exchange each member has reached; valid until the next
 * round begins. */
const struct frs_masked *frs_exchanges_masked(const struct frs_exchanges *exchanges);

/* Operations of unmasking the sum. */
double frs_exchanges_server_flop(const struct frs_exchanges *exchanges);

/* How long the exchanges of the round took before its messages and after its last upload. */
double frs_exchanges_before_s(const struct frs_exchanges *exchanges);
double frs_exchanges_after_s(const struct frs_exchanges *exchanges);

#endif
