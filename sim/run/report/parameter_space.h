/* Parameter space: what a method's parameters take up, four bytes each, as papers count it (PFedCLR, table
 * 6): whatever a client trains or receives, and on the server its tables beside those that every client has
 * sent, n + 1 in all. Where the server mixes tables for every client (GPFedRec, pFedGraph) it has these too,
 * 2n + 1, and a graph of n × n weights. What is really stored is less where rows nobody has touched are not,
 * and what is really sent is in the messages. */
#ifndef FRS_RUN_REPORT_PARAMETER_SPACE_H
#define FRS_RUN_REPORT_PARAMETER_SPACE_H

#include "sim/run/setup/setup.h"

struct frs_parameter_space {
    double client_bytes, server_bytes; /* NaN: the learner does not tell */
};

struct frs_parameter_space frs_parameter_space(const struct frs_setup *setup);

#endif
