/* Peer sending: how clients send each other messages under a network's model. */
#ifndef FRS_ROUNDS_PEER_SENDING_H
#define FRS_ROUNDS_PEER_SENDING_H

#include "actors/peers/exchange.h"
#include "sim/setup/setup.h"

/* Fills in both; `sending` refers to `sender` where the model knows connections. Both come zeroed. */
void frs_peer_sending_of(
    const struct frs_setup *setup, struct frs_sender_rules *sender, struct frs_peer_sending *sending);

#endif
