/* Parameter space: the size of a method's parameters, four bytes each, as papers count it (PFedCLR, table 6).
 * On a client: all that it trains or receives. On the server: its own tables and one that each client has
 * sent, n + 1 in all; where it mixes a table for every client (GPFedRec), these too, 2n + 1, and a graph of n
 * × n weights. pFedGraph is counted as in its setting, where a tenth of the clients is served: c = ⌊n/10⌋
 * tables beside the n that were sent, none for all, and a graph of c × c weights, whatever the cohort is. The
 * run itself stores less where untouched rows are not stored, and the ledger has the bytes really sent. */
#ifndef FRS_RESULTS_PARAMETER_SPACE_H
#define FRS_RESULTS_PARAMETER_SPACE_H

#include "sim/setup/setup.h"

struct frs_parameter_space {
    double client_bytes, server_bytes; /* NaN: the learner does not tell */
    size_t tables, graph;              /* of the server: counted tables, clients of the graph */
};

struct frs_parameter_space frs_parameter_space(const struct frs_setup *setup);

/* What of the server is counted, "944 tables" or "1887 tables and a graph of 943 x 943 weights"; freed by the
 * caller. */
char *frs_parameter_space_counted(const struct frs_parameter_space *space);

#endif
