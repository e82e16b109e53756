/* A server's round closes: what is aggregated, what is lost, and what a restart takes with it. */
#include "actors/server/server_internal.h"
#include "sim/base/memory.h"

#include <stdlib.h>

int frs_server_by_client(const void *a, const void *b) {
    const struct frs_participation *p = *(struct frs_participation *const *)a,
                                   *q = *(struct frs_participation *const *)b;
    if (p->client != q->client)
        return (p->client > q->client) - (p->client < q->client);
    return (p->dates.ended_s > q->dates.ended_s) - (p->dates.ended_s < q->dates.ended_s);
}

/* Stops everybody, or only those of the open round, and takes note of all who have vanished. */
static void stop(struct server *server, bool all, enum frs_cause cause) {
    for (uint32_t i = 0; i < server->flight.n_places; i++) {
        struct frs_participation *p = server->flight.at[i];
        if (!p || (p->closed && !all))
            continue;
        if (p->result.outcome == FRS_PENDING)
            server->settings->player->stop(&server->flight, p, FRS_CUT, cause);
        else if (frs_heap_has(&server->unknown, i))
            frs_server_note_unknown(server, i);
    }
    frs_server_note_ends(server);
}

/* The round is over for those who have not arrived. */
static void leave_stragglers(struct server *server, enum frs_cause cause) {
    if (!server->round.policy->run_on) {
        stop(server, false, cause);
        return;
    }
    for (uint32_t i = 0; i < server->flight.n_places; i++) {
        struct frs_participation *p = server->flight.at[i];
        if (!p || p->closed)
            continue;
        p->closed = true;
        p->closed_round = server->n_closed;
        p->late_cause = cause;
    }
}

/* What the round uses: of an asynchronous one the first uploads that came. */
static struct frs_participation **take_arrivals(struct server *server, size_t *n) {
    size_t n_taken = server->arrivals.n;
    if (is_asynchronous(server) && n_taken > server->round.policy->n_needed)
        n_taken = server->round.policy->n_needed;
    struct frs_participation **list = frs_alloc(n_taken + server->held.n + 1, sizeof(void *));
    for (*n = 0; *n < n_taken; ++*n)
        list[*n] = frs_queue_take(&server->arrivals);
    while (server->held.n > 0)
        list[(*n)++] = frs_queue_take(&server->held);
    qsort(list, *n, sizeof(void *), frs_server_by_client);
    return list;
}

void frs_server_close_void(struct server *server) {
    leave_stragglers(server, FRS_CAUSE_VOID_ROUND);
    frs_server_settle_all(server, &server->arrivals, FRS_CAUSE_NONE);
    server->open = false;
    operations(server)->close(context_of(server),
        &(struct frs_closing){.now_s = server->flight.now_s, .lost = FRS_CAUSE_VOID_ROUND});
}

void frs_server_close_round(struct server *server) {
    struct frs_closing closing = {.now_s = server->flight.now_s};
    struct frs_queue taken = {0};
    if (!is_asynchronous(server)) {
        server->n_closed++;
        leave_stragglers(server, FRS_CAUSE_ROUND_CLOSED);
    }
    struct frs_participation **list = take_arrivals(server, &closing.n);
    closing.arrivals = list;
    for (size_t i = 0; i < closing.n; i++)
        frs_queue_put(&taken, list[i]);
    double aggregate_s = operations(server)->aggregate_s(context_of(server), &closing);
    if (frs_server_pass(server, server->flight.now_s + aggregate_s)) {
        closing.now_s = server->flight.now_s;
        server->open = false;
        frs_server_settle_all(server, &taken, FRS_CAUSE_NONE);
        operations(server)->close(context_of(server), &closing);
    } else {
        frs_server_restart(server, &taken);
    }
    free(list);
}

/* A delivered upload is lost with its round; a late one was to be used by another round. */
static void lose_taken(struct server *server, struct frs_queue *taken) {
    for (struct frs_participation *p; (p = frs_queue_take(taken));)
        frs_queue_put(p->result.outcome == FRS_LATE ? &server->held : &server->arrivals, p);
}

/* What is down cannot go down. */
static void stay_away(struct server *server) {
    double from_s = server->flight.now_s, date_s = frs_server_next_restart_s(server),
           until_s = date_s + server->settings->restart_s;
    while (frs_server_next_restart_s(server) == date_s || frs_server_next_restart_s(server) < until_s)
        server->next_restart++;
    frs_server_pass(server, until_s);
    operations(server)->restarted(context_of(server), server->flight.now_s - from_s);
}

/* Everything in flight, and everything delivered but not yet aggregated, is lost; a round that was open is
 * over. */
void frs_server_restart(struct server *server, struct frs_queue *taken) {
    bool open = server->open;
    stop(server, true, FRS_CAUSE_SERVER_RESTART);
    if (taken)
        lose_taken(server, taken);
    frs_server_settle_all(server, &server->arrivals, FRS_CAUSE_NONE);
    frs_server_settle_all(server, &server->held, FRS_CAUSE_SERVER_RESTART);
    server->open = false;
    if (open)
        operations(server)->close(context_of(server),
            &(struct frs_closing){.now_s = server->flight.now_s, .lost = FRS_CAUSE_SERVER_RESTART});
    stay_away(server);
}

/* What is under way, or has come too late for the last round, ends with the run. */
void frs_server_finish(struct server *server) {
    stop(server, true, FRS_CAUSE_END_OF_RUN);
    frs_server_settle_all(server, &server->arrivals, FRS_CAUSE_END_OF_RUN);
    frs_server_settle_all(server, &server->held, FRS_CAUSE_END_OF_RUN);
}
