#include "actors/client.h"

#include <simgrid/engine.h>

/* Hosts of slots run at this speed (FRS_SLOT_FLOP_PER_S); a compute phase is charged as seconds at it. */
#define HOST_FLOP_PER_S 1e9

static void play(struct frs_participation *p) {
    struct frs_round *round = p->round;
    const struct frs_server_operations *operations = round->operations;
    frs_channel_download(round->channel, p, &p->down_start_s);
    p->down_end_s = simgrid_get_clock();
    p->down_crossed_bytes = p->down_bytes;
    operations->compute(operations->context, p);
    if (p->compute_s > 0)
        sg_actor_execute(p->compute_s * HOST_FLOP_PER_S);
    p->compute_end_s = simgrid_get_clock();
    operations->computed(operations->context, p);
    frs_channel_upload(round->channel, p, &p->up_start_s);
    p->up_end_s = simgrid_get_clock();
    p->up_crossed_bytes = p->up_bytes;
    p->outcome = FRS_DELIVERED;
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    play(sg_actor_self_get_data());
}

sg_actor_t frs_client_start(struct frs_participation *participation) {
    const struct frs_channel *channel = participation->round->channel;
    sg_actor_t actor = sg_actor_init("client", frs_channel_client(channel, participation->slot));
    sg_actor_set_data(actor, participation);
    sg_actor_ref(actor);
    sg_actor_start_(actor, act, 0, NULL);
    return actor;
}
