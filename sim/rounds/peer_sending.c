#include "sim/rounds/peer_sending.h"
#include "actors/links/window_cache.h"

void frs_peer_sending_of(
    const struct frs_setup *setup, struct frs_sender_rules *sender, struct frs_peer_sending *sending) {
    const struct frs_network *network = &setup->network;
    if (!frs_network_connects(network))
        return;
    const struct frs_connecting connecting = frs_connecting(network->connection);
    *sender =
        (struct frs_sender_rules){network->queues.queue_s, frs_window_cache_windows, setup->window_cache};
    *sending = (struct frs_peer_sending){.latencies_there = connecting.up_latencies,
        .latencies_back = connecting.down_latencies,
        .bytes_there = connecting.up_bytes,
        .bytes_back = connecting.down_bytes,
        .slow_start = network->keeps_windows                                     ? FRS_SLOW_START_NONE
                      : frs_connection_is_interactive(network->connection, true) ? FRS_SLOW_START_PAIRED
                                                                                 : FRS_SLOW_START_QUICK,
        .sender = sender};
}
