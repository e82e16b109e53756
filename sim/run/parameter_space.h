/* Parameter space: what a method's parameters take up, four bytes each, as papers count it (PFedCLR, table
 * 6): whatever a client trains or receives, and on the server its tables beside those of every client. What
 * is really stored is less where rows nobody has touched are not,
 * and what is really sent is in the messages. */
#ifndef FRS_RUN_PARAMETER_SPACE_H
#define FRS_RUN_PARAMETER_SPACE_H

#include "sim/run/compose.h"

struct frs_parameter_space {
    double client_bytes, server_bytes; /* NaN: the learner does not tell */
};

struct frs_parameter_space frs_parameter_space(const struct frs_setup *setup);

#endif
