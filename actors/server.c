#include "actors/server.h"
#include "actors/client.h"
#include "sim/base/memory.h"

#include <simgrid/engine.h>
#include <stdlib.h>

struct server {
    struct frs_channel *channel;
    const struct frs_policy *policy;
    const struct frs_server_operations *operations;
    double end_s;
    bool finished;
    size_t capacity;
    sg_actor_t *actors;
};

static void play_round(struct server *server, struct frs_participation *participants, size_t n) {
    double opened_s = simgrid_get_clock();
    server->actors = frs_grow(server->actors, n, &server->capacity, sizeof *server->actors);
    struct frs_round round = {.channel = server->channel,
        .operations = server->operations,
        .participants = participants,
        .n = n,
        .actors = server->actors};
    for (size_t i = 0; i < n; i++) {
        participants[i].round = &round;
        participants[i].slot = i;
        participants[i].selected_s = opened_s;
        frs_channel_attach(server->channel, &participants[i]);
        round.actors[i] = frs_client_start(&participants[i]);
    }
    server->policy->collect(&round);
    for (size_t i = 0; i < n; i++)
        sg_actor_unref(round.actors[i]);
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct server *server = sg_actor_self_get_data();
    const struct frs_server_operations *operations = server->operations;
    struct frs_participation *participants;
    size_t n;
    frs_channel_track(server->channel);
    while (operations->open(operations->context, simgrid_get_clock(), &participants, &n)) {
        play_round(server, participants, n);
        operations->close(operations->context, simgrid_get_clock());
    }
    server->end_s = simgrid_get_clock();
    server->finished = true;
}

double frs_server_run(struct frs_channel *channel, const struct frs_policy *policy,
    const struct frs_server_operations *operations) {
    struct server server = {.channel = channel, .policy = policy, .operations = operations};
    sg_actor_t actor = sg_actor_init("server", frs_channel_server(channel));
    sg_actor_set_data(actor, &server);
    sg_actor_start_(actor, act, 0, NULL);
    simgrid_run();
    /* SimGrid only logs a deadlock and returns. */
    FRS_INVARIANT(server.finished, "the simulation stopped before the last round was closed");
    free(server.actors);
    return server.end_s;
}
