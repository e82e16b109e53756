/* The comparisons of one run, each with what the documentation says about it. */
#ifndef REPLAY_CHECKS_H
#define REPLAY_CHECKS_H

#include "report.h"

/* Every transfer over the clients' links and the server's, which all in one direction share. */
void check_transfers(struct report *report, const struct run *run);

/* Every other phase, the order of phases, and how a participation ended. */
void check_phases(struct report *report, const struct run *run);

/* When rounds start, close and end. */
void check_rounds(struct report *report, const struct run *run);

/* The same under buffered_async. */
void check_buffer(struct report *report, const struct run *run);

/* The critical path of every row. */
void check_paths(struct report *report, const struct run *run);

/* Rows, clients and summary are the sums of the events. */
void check_sums(struct report *report, const struct run *run);

/* How long the server encodes before the first message of a row leaves: 0 where nobody was asked in it. */
double encoding_s(const struct run *run, size_t row);

/* How long the aggregation takes that a row ends with: 0 where nothing came in, or all was lost. */
double aggregation_s(const struct run *run, size_t row);

/* When the server knows that a participation is over: a vanished client is noticed later. */
double noticed_s(const struct run *run, const struct part *part);

/* The row was lost: "server_restart" or "void_round"; "" otherwise. */
const char *lost_to(const struct run *run, size_t row);

/* When the client's message would have crossed if the server's link were unlimited. */
double alone_s(const struct phase *phase);

#endif
