/* What clients cannot have that send each other messages: whole models, without a server (docs/gossip.md), or
 * layers beside what they exchange with one (docs/topologies.md). */
#ifndef FRS_SETUP_COMPOSE_PEER_CHECKS_H
#define FRS_SETUP_COMPOSE_PEER_CHECKS_H

#include "sim/setup/setup.h"

enum frs_peer_contents { FRS_PEERS_SEND_MODELS, FRS_PEERS_SEND_LAYERS, FRS_PEER_CONTENTS };

/* A setting that does not go with them, and why, as the end of a sentence that says what they send; with what
 * is allowed. */
struct frs_peer_clash {
    bool is_there;
    const char *path, *key, *why;
};

/* Adds an error for each that is there. */
void frs_peer_checks_refuse(const struct frs_setup *setup, enum frs_peer_contents contents,
    const struct frs_peer_clash *clashes, size_t n, struct frs_errors *errors);

/* Refuses what neither goes with. When all but the engine's backend is composed. */
void frs_peer_checks_common(
    const struct frs_setup *setup, enum frs_peer_contents contents, struct frs_errors *errors);

#endif
