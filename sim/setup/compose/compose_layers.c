#include "sim/setup/compose/compose_layers.h"
#include "sim/setup/compose/peer_checks.h"

void frs_compose_check_layers(const struct frs_setup *setup, struct frs_errors *errors) {
    if (!setup->training.model || !setup->has_reachability || !setup->has_failures ||
        !frs_training_exchanges_layers(&setup->training))
        return;
    const struct frs_peer_clash untrained = {!setup->training.trains, "training", "enabled",
        "who is in a group follows from training; allowed: true"};
    frs_peer_checks_refuse(setup, FRS_PEERS_SEND_LAYERS, &untrained, 1, errors);
    frs_peer_checks_common(setup, FRS_PEERS_SEND_LAYERS, errors);
}
