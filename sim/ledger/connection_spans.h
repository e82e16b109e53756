/* Connection spans: when the client of an ended participation was connected. It is connected from its
 * first message (connecting included) to the end of its last one, including exchanges around the upload,
 * but not while it waits to connect anew. Work after the upload needs no connection. */
#ifndef FRS_LEDGER_CONNECTION_SPANS_H
#define FRS_LEDGER_CONNECTION_SPANS_H

#include "actors/participation.h"

/* Calls `tell` for each span, in the order of time. A client that could not be reached, or was refused,
 * was connected at most in exchanges before that. */
void frs_connection_spans(const struct frs_participation *participation,
    void (*tell)(void *context, double from_s, double to_s), void *context);

/* How long they last together. */
double frs_connected_s(const struct frs_participation *participation);

#endif
