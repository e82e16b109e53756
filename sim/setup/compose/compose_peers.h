/* Composing section `peers`: rounds without a server. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_PEERS_H
#define FRS_SETUP_COMPOSE_COMPOSE_PEERS_H

#include "sim/setup/setup.h"

/* Whether clients exchange their models; the first thing to be known of them. */
bool frs_compose_gossips(const struct frs_setup *setup);

/* Reads the section, and refuses what needs a server. When all the rest has been composed. */
void frs_compose_peers(struct frs_setup *setup, struct frs_errors *errors);

#endif
