/* Group layers: the clients of a group exchange messages layer by layer, between their downloads and their
 * training (SemiDFEGL; docs/topologies.md). Each layer is an exchange among peers (exchange.h):
 *
 *   mesh   each member to each other one
 *   head   each member to the head; then the head to each other one
 *
 * A layer, and the second half of one, begins for all members at once, when the last one is through with what
 * comes before it: it has taken what has come, or its loss was noticed. Who is lost takes no part from the
 * next layer on; without their head members hear nothing more. Pure. */
#ifndef FRS_ACTORS_PEERS_GROUP_LAYERS_H
#define FRS_ACTORS_PEERS_GROUP_LAYERS_H

#include "actors/peers/exchange.h"

struct frs_layer_message {
    uint32_t layer; /* from 0 */
    struct frs_peer_message message;
};

struct frs_layers {
    /* [n ≥ 2] ready_s: a member has its download; or dies_s < ready_s: it never has. Afterwards done_s: it
     * has taken the last layer. */
    struct frs_peer_member *members;
    uint32_t n, layers;
    bool by_head;
    uint32_t head;
    uint64_t bytes; /* of a message */
    const struct frs_peer_sending *sending;
    double detect_s;
    const void *context;
    /* Plans what befalls a message of a stage (a layer, or half of one) at its receiver and its sender; NULL:
     * nothing. */
    void (*lose)(const void *context, uint32_t stage, uint32_t from, uint32_t to, struct frs_loss loss[2]);
    /* How long a member takes to add up so many messages of a stage, and to go on to its next layer: not
     * where a head is about to send the sum, without which no member has what its next layer takes. */
    double (*add_s)(const void *context, uint32_t member, uint32_t n, bool goes_on);
    /* What has become of it; frs_layers_fini frees both. */
    struct frs_layer_message *messages; /* [n_messages] in the order of stages, senders and receivers */
    size_t n_messages;
    bool *heard;    /* [layers × n × n] by layer, receiver and sender */
    uint32_t *adds; /* [n] messages that a member has added up, of all layers */
    double carried; /* bytes by the integral of all rates */
};

void frs_layers_play(struct frs_layers *layers);
void frs_layers_fini(struct frs_layers *layers);

#endif
