/* Refuses what does not go with clients that exchange layers with each other (docs/topologies.md). */
#ifndef FRS_SETUP_COMPOSE_LAYERS_H
#define FRS_SETUP_COMPOSE_LAYERS_H

#include "sim/setup/setup.h"

/* To be called when all but the engine's backend is composed. */
void frs_compose_check_layers(const struct frs_setup *setup, struct frs_errors *errors);

#endif
