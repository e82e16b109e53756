#include "actors/server.h"
#include "actors/channel.h"
#include "sim/base/errors.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>

struct server {
    const struct frs_server_settings *settings;
    size_t next_restart;
    double now_s; /* authoritative; SimGrid's clock follows */
    bool finished;
};

/* SimGrid's clock may stand a rounding beyond the date. */
void frs_player_sleep_until(double date_s) {
    if (date_s > simgrid_get_clock())
        sg_actor_sleep_until(date_s);
}

static double next_restart_s(const struct server *server) {
    return server->next_restart < server->settings->n_restarts
               ? server->settings->restarts_s[server->next_restart]
               : __builtin_inf();
}

bool frs_round_wait(struct frs_round *round, double until_s) {
    if (until_s > round->restarts_at)
        until_s = round->restarts_at;
    round->settings->player->wait(round, until_s);
    return round->n_ended == round->n;
}

void frs_round_stop_all(struct frs_round *round, enum frs_outcome outcome, enum frs_cause cause) {
    for (uint32_t i = 0; i < round->n; i++)
        if (round->participants[i].outcome == FRS_PENDING)
            round->settings->player->stop(round, i, outcome, cause);
}

static void sleep_until(struct server *server, double date_s) {
    if (date_s <= server->now_s)
        return;
    frs_player_sleep_until(date_s);
    server->now_s = date_s;
}

/* A restart while nothing is in flight costs nobody anything. */
static void pass_restarts(struct server *server) {
    while (next_restart_s(server) <= server->now_s)
        server->next_restart++;
}

/* Everything in flight, and everything delivered but not yet aggregated, is lost; the round is over. */
static void restart(struct server *server) {
    const struct frs_server_settings *settings = server->settings;
    settings->operations->close(settings->operations->play.context, server->now_s, FRS_CAUSE_SERVER_RESTART);
    sleep_until(server, server->now_s + settings->restart_s);
    pass_restarts(server);
}

/* Lets the server work for a while; false when it restarts meanwhile. */
static bool work(struct server *server, double duration_s) {
    double end_s = server->now_s + duration_s, restart_s = next_restart_s(server);
    sleep_until(server, restart_s < end_s ? restart_s : end_s);
    return restart_s > end_s;
}

static struct frs_round new_round(const struct server *server, const struct frs_opening *opening) {
    return (struct frs_round){.settings = server->settings,
        .participants = opening->participants,
        .n = opening->n,
        .now_s = server->now_s,
        .restarts_at = next_restart_s(server)};
}

/* The server went down while it prepared the messages: nothing has left it. */
static void stop_before_start(struct frs_round *round) {
    for (size_t i = 0; i < round->n; i++)
        frs_play_stop(&round->participants[i], round->now_s, 0, FRS_CUT, FRS_CAUSE_SERVER_RESTART);
}

/* The server learns of a loss only detect_s after it. */
static double known_s(const struct frs_round *round) {
    double known_s = round->now_s;
    for (size_t i = 0; i < round->n; i++) {
        const struct frs_participation *p = &round->participants[i];
        bool vanished = p->outcome >= FRS_DROPPED_DOWN && p->outcome <= FRS_DROPPED_UP;
        if (vanished && p->ended_s + round->settings->detect_s > known_s)
            known_s = p->ended_s + round->settings->detect_s;
    }
    return known_s;
}

static bool collect(struct frs_round *round) {
    const struct frs_server_settings *settings = round->settings;
    settings->player->begin(round);
    settings->policy->collect(round);
    bool restarts = round->restarts_at <= round->now_s && round->n_ended < round->n;
    if (restarts)
        frs_round_stop_all(round, FRS_CUT, FRS_CAUSE_SERVER_RESTART);
    settings->player->end(round);
    FRS_INVARIANT(
        round->n_ended == round->n, "a round is closed with %zu of %zu ended", round->n_ended, round->n);
    return !restarts;
}

static void play_round(struct server *server, const struct frs_opening *opening) {
    const struct frs_server_operations *operations = server->settings->operations;
    void *context = operations->play.context;
    pass_restarts(server);
    double selected_s = server->now_s;
    bool up = work(server, opening->server_s);
    struct frs_round round = new_round(server, opening);
    for (size_t i = 0; i < round.n; i++) {
        round.participants[i].round = &round;
        round.participants[i].n_ended = &round.n_ended;
        round.participants[i].selected_s = selected_s;
    }
    if (up)
        up = collect(&round);
    else
        stop_before_start(&round);
    server->now_s = round.now_s;
    if (up && work(server, known_s(&round) - round.now_s + operations->aggregate_s(context)))
        operations->close(context, server->now_s, FRS_CAUSE_NONE);
    else
        restart(server);
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct server *server = sg_actor_self_get_data();
    const struct frs_server_operations *operations = server->settings->operations;
    frs_channel_track(server->settings->channel);
    for (;;) {
        struct frs_opening opening = operations->open(operations->play.context, server->now_s);
        if (opening.kind == FRS_OPEN_END)
            break;
        if (opening.kind == FRS_OPEN_ROUND) {
            play_round(server, &opening);
            continue;
        }
        FRS_INVARIANT(opening.until_s > server->now_s, "the server sleeps until a date that has passed");
        sleep_until(server, opening.until_s);
    }
    server->finished = true;
}

double frs_server_run(const struct frs_server_settings *settings) {
    struct server server = {.settings = settings};
    sg_actor_t actor = sg_actor_init("server", frs_channel_server(settings->channel));
    sg_actor_set_data(actor, &server);
    sg_actor_start_(actor, act, 0, NULL);
    simgrid_run();
    /* SimGrid only logs a deadlock and returns. */
    FRS_INVARIANT(server.finished, "the simulation stopped before the last round was closed");
    return server.now_s;
}
