/* Deliveries: what clients download after the aggregation that has used their uploads, where they keep models
 * of their own (algorithms/correction.h, `shorten`). Each is simulated as an exchange
 * (actors/server/server.h), of which the client has a part of its participation in the round (struct
 * frs_aside), named "receive". */
#ifndef FRS_ROUNDS_DELIVERIES_H
#define FRS_ROUNDS_DELIVERIES_H

#include "actors/server/server.h"
#include "algorithms/messages/message.h"
#include "sim/rounds/open_rows.h"

struct frs_deliveries;

/* NULL: downloads come first in this run. */
struct frs_deliveries *frs_deliveries_create(const struct frs_setup *setup);
void frs_deliveries_destroy(struct frs_deliveries *deliveries);

/* To those whose uploads the closing has, at least one, ascending client id, in a message of this size. Fills
 * in the opening but for its encoding; the downloads have no links yet. */
void frs_deliveries_begin(struct frs_deliveries *deliveries, const struct frs_closing *closing,
    struct frs_message_size size, struct frs_opening *downloads);

/* The participation whose download this is. */
struct frs_open_entry *frs_delivery_of(const struct frs_participation *p);

/* What became of it is final: from now on it is its participation's. */
void frs_deliveries_ended(struct frs_deliveries *deliveries, struct frs_participation *p);

/* The round closes at this time: it is told how long the downloads took, encoding included, and what the last
 * one to end spent that time on. No downloads: nothing. */
void frs_deliveries_close(struct frs_deliveries *deliveries, double now_s, struct frs_closed_round *closed);

#endif
