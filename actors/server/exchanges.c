/* Exchanges of a protocol around the upload: all members take part at once, and none goes on before the
 * last one has ended. */
#include "actors/server/server_internal.h"

static void start(struct server *server, const struct frs_opening *exchange) {
    for (size_t i = 0; i < exchange->n; i++) {
        struct frs_participation *p = exchange->participants[i];
        p->times.selected_s = server->in_flight.now_s;
        p->aside = p->busy = true;
        frs_in_flight_enter(&server->in_flight, p);
    }
    server->in_flight.n += exchange->n;
    server->n_exchanging = exchange->n;
    server->settings->backend->start(&server->in_flight, exchange->participants, exchange->n);
    frs_server_note_ends(server);
}

/* Stops members that have not answered by now, and does not wait until dropped-out members are detected. */
static void cut(struct server *server, enum frs_cause cause) {
    for (uint32_t i = 0; i < server->in_flight.n_places; i++) {
        struct frs_participation *p = server->in_flight.at[i];
        if (!p || !p->aside)
            continue;
        if (p->result.outcome == FRS_PENDING)
            server->settings->backend->stop(&server->in_flight, p, FRS_CUT, cause);
        else if (frs_heap_has(&server->unknown, i))
            frs_server_note_unknown(server, i);
    }
    frs_server_note_ends(server);
}

/* False when the server restarts. */
static bool play(struct server *server, const struct frs_opening *exchange) {
    if (!frs_server_pass(server, server->in_flight.now_s + exchange->server_s))
        return false;
    start(server, exchange);
    double restart_s = frs_server_next_restart_s(server);
    while (server->n_exchanging > 0 && server->in_flight.now_s < earlier(exchange->until_s, restart_s))
        frs_server_step(server, earlier(exchange->until_s, restart_s));
    if (server->in_flight.now_s >= restart_s)
        return false;
    cut(server, FRS_CAUSE_ROUND_CLOSED);
    return true;
}

bool frs_server_exchange(struct server *server, const struct frs_closing *closing) {
    const struct frs_server_operations *of = operations(server);
    struct frs_opening exchange = {.until_s = NEVER};
    enum frs_exchange_state state = FRS_EXCHANGE_OVER;
    while (of->exchange && (state = of->exchange(context_of(server), closing, server->in_flight.now_s,
                                &exchange)) == FRS_EXCHANGE_OPEN) {
        if (!play(server, &exchange))
            return false;
        exchange = (struct frs_opening){.until_s = NEVER};
    }
    server->spoilt = state == FRS_EXCHANGE_VOID;
    return !server->spoilt;
}

void frs_server_deliver(struct server *server, const struct frs_closing *closing) {
    const struct frs_server_operations *of = operations(server);
    struct frs_opening downloads = {.until_s = NEVER};
    if (of->deliver && of->deliver(context_of(server), closing, &downloads) && !play(server, &downloads))
        cut(server, FRS_CAUSE_SERVER_RESTART);
}
