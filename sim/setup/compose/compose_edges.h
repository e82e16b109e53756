/* Composing edges (platforms/edges/edges.h), and what does not go together with them yet. */
#ifndef FRS_COMPOSE_EDGES_H
#define FRS_COMPOSE_EDGES_H

#include "sim/setup/setup.h"

/* Reads section `network.edges`. */
void frs_compose_edges(struct frs_setup *setup, struct frs_errors *errors);

/* Gives clients their edges, once networks and methods are composed, and refuses what is not simulated
 * with edges. */
void frs_compose_check_edges(struct frs_setup *setup, struct frs_errors *errors);

#endif
