/* Parameter space: the size of a method's parameters, four bytes each, as papers count it (PFedCLR, table
 * 6). On a client: all parameters that it trains or receives. On the server: its own table and one table
 * from each client, n + 1 in all. If the server mixes a table for every client (GPFedRec), it has these
 * too, 2n + 1 in all, and a graph of n × n weights. pFedGraph is counted as in its setting, where a tenth
 * of the clients is served, whatever the cohort is: c = ⌊n/10⌋ tables beside the n from the clients, none
 * for all, and a graph of c × c weights. The run itself needs less memory where untouched rows are not
 * stored; the ledger has the bytes that were really sent. */
#ifndef FRS_RESULTS_PARAMETER_SPACE_H
#define FRS_RESULTS_PARAMETER_SPACE_H

#include "sim/setup/setup.h"

struct frs_parameter_space {
    double client_bytes, server_bytes; /* NaN: the learner does not tell */
    size_t tables, graph;              /* of the server: counted tables, clients of the graph */
};

struct frs_parameter_space frs_parameter_space(const struct frs_setup *setup);

/* What is counted of the server, "944 tables" or "1887 tables and a graph of 943 x 943 weights"; freed by
 * the caller. */
char *frs_parameter_space_counted(const struct frs_parameter_space *space);

#endif
