/* What ends all participations under way: a restart of the server, and the end of the run. */
#include "actors/server/server_internal.h"

void frs_server_stop(struct server *server, bool all, enum frs_cause cause) {
    frs_server_stop_edges(server, cause);
    for (uint32_t i = 0; i < server->in_flight.n_places; i++) {
        struct frs_participation *p = server->in_flight.at[i];
        if (!p || (p->closed && !all))
            continue;
        if (p->result.outcome == FRS_PENDING)
            server->settings->backend->stop(&server->in_flight, p, FRS_CUT, cause);
        else if (frs_heap_has(&server->unknown, i))
            frs_server_note_unknown(server, i);
    }
    frs_server_note_ends(server);
}

/* A delivered upload is lost with its round; a late one was to be used by another round. */
static void lose_taken(struct server *server, struct frs_queue *taken) {
    for (struct frs_participation *p; (p = frs_queue_take(taken));)
        frs_queue_put(p->result.outcome == FRS_LATE ? &server->held : &server->arrivals, p);
}

/* A server that is down cannot restart: skips the restarts that fall into this absence. */
static void stay_away(struct server *server) {
    double from_s = server->in_flight.now_s, time_s = frs_server_next_restart_s(server),
           until_s = time_s + server->settings->restart_s;
    while (frs_server_next_restart_s(server) == time_s || frs_server_next_restart_s(server) < until_s)
        server->next_restart++;
    frs_server_pass(server, until_s);
    operations(server)->restarted(context_of(server), server->in_flight.now_s - from_s);
}

/* Loses everything in flight, and everything delivered but not yet aggregated; an open round is over. */
void frs_server_restart(struct server *server, struct frs_queue *taken) {
    bool open = server->open;
    frs_server_stop(server, true, FRS_CAUSE_SERVER_RESTART);
    if (taken)
        lose_taken(server, taken);
    frs_server_settle_all(server, &server->in_edge_models, FRS_CAUSE_NONE);
    frs_server_settle_all(server, &server->arrivals, FRS_CAUSE_NONE);
    frs_server_settle_all(server, &server->held, FRS_CAUSE_SERVER_RESTART);
    server->open = false;
    if (open)
        operations(server)->close(context_of(server),
            &(struct frs_closing){.now_s = server->in_flight.now_s, .lost = FRS_CAUSE_SERVER_RESTART});
    stay_away(server);
}

/* What is under way, or has come too late for the last round, ends with the run. */
void frs_server_finish(struct server *server) {
    frs_server_stop(server, true, FRS_CAUSE_END_OF_RUN);
    frs_server_settle_all(server, &server->in_edge_models, FRS_CAUSE_END_OF_RUN);
    frs_server_settle_all(server, &server->arrivals, FRS_CAUSE_END_OF_RUN);
    frs_server_settle_all(server, &server->held, FRS_CAUSE_END_OF_RUN);
}
