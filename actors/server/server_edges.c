/* Between the server and its clients, where there are edges. */
#include "actors/edges/relays.h"
#include "actors/server/server_internal.h"

void frs_server_send(struct server *server, struct frs_participation *const *list, size_t n) {
    const struct frs_server_settings *settings = server->settings;
    if (!settings->relays) {
        settings->backend->start(&server->in_flight, list, n);
        return;
    }
    frs_relays_open(settings->relays, &server->in_flight, settings->backend, list, n);
    (void)frs_relays_go_on(settings->relays, &server->in_flight, settings->backend);
}

/* A round without uploads has nothing that its edges could forward. */
bool frs_server_edges_take(struct server *server, struct frs_participation *p) {
    struct frs_relays *relays = server->settings->relays;
    if (!relays)
        return false;
    if (p->carries) {
        server->in_flight.n--;
        frs_in_flight_leave(&server->in_flight, p);
        frs_relays_carried(relays, p);
        return true;
    }
    if (p->result.outcome != FRS_DELIVERED || p->plan.no_upload)
        return false;
    server->in_flight.n--;
    frs_relays_hold(relays, &server->in_flight, server->settings->backend, p);
    return true;
}

void frs_server_edges_lose(struct server *server, const struct frs_participation *p) {
    if (server->settings->relays)
        frs_relays_lost(server->settings->relays, &server->in_flight, p);
}

/* Where edges aggregate several times for one aggregation of the server, their clients begin anew. */
static void open_edge_rounds(struct server *server) {
    struct frs_relays *relays = server->settings->relays;
    struct frs_participation *const *list;
    for (size_t n; (list = frs_relays_aggregated(relays, &n));) {
        struct frs_opening opening =
            operations(server)->open_edge_round(context_of(server), server->in_flight.now_s, list, n);
        for (size_t i = 0; i < opening.n; i++) {
            struct frs_participation *p = opening.participants[i];
            p->times.selected_s = server->in_flight.now_s;
            p->busy = true;
            frs_in_flight_enter(&server->in_flight, p);
        }
        server->in_flight.n += opening.n;
        server->round.n += opening.n;
        frs_relays_resume(relays, &server->in_flight, opening.participants, opening.n);
    }
}

bool frs_server_edges_go_on(struct server *server) {
    struct frs_relays *relays = server->settings->relays;
    if (!relays)
        return false;
    for (struct frs_participation *p; (p = frs_relays_take(relays));)
        frs_server_learn(server, p);
    frs_relays_added(relays, server->in_flight.now_s);
    open_edge_rounds(server);
    return frs_relays_go_on(relays, &server->in_flight, server->settings->backend);
}

double frs_server_edge_acts_s(const struct server *server) {
    const struct frs_relays *relays = server->settings->relays;
    return relays ? earlier(frs_relays_fails_s(relays), frs_relays_added_s(relays)) : NEVER;
}

bool frs_server_fail_edges(struct server *server) {
    const struct frs_server_settings *settings = server->settings;
    return settings->relays && frs_relays_fail(settings->relays, &server->in_flight, settings->backend);
}

void frs_server_stop_edges(struct server *server, enum frs_cause cause) {
    struct frs_relays *relays = server->settings->relays;
    if (!relays)
        return;
    for (uint32_t i = 0; i < server->in_flight.n_places; i++) {
        struct frs_participation *p = server->in_flight.at[i];
        if (p && (p->at_edge || p->result.outcome == FRS_PENDING) && frs_relays_have(relays, p))
            frs_relays_drop(relays, &server->in_flight, p, FRS_CUT, cause);
    }
    frs_relays_end_round(relays, &server->in_flight, server->settings->backend, cause);
}
