/* Relays: what edges store and forward between the clients of a round and the server.
 *
 * A message is stored at its edge as a whole before it is forwarded. One link, the backhaul, joins an edge
 * to the server. Either end sends one message at a time over it, in the order in which it had them (ties by
 * client id); a message pays the latency from the time at which its sender had it, so that latencies of
 * messages that wait for each other overlap. Messages of different edges share the server's link by max-min
 * fairness, one flow for each edge and direction; clients share the access side of their edge in the same
 * way (actors/links/event_queue.h). A download that is the same for several clients of an edge crosses the
 * backhaul once.
 *
 * With edge rounds (`edge_rounds`) an edge aggregates the uploads of its clients into a model of its own and
 * sends that to the same clients, several times, before it sends its sum to the server. A client that is lost
 * takes no part in the edge rounds after; an edge that has lost all of an edge round sends what it has. It
 * holds the uploads of all edge rounds until the server has the sum.
 *
 * An edge and the server stay connected. A message that was stopped, and the end of an edge, take with them
 * what the connection has learnt of its path.
 *
 * Every message over a backhaul is a participation of its own that `carries`, so that each engine backend
 * moves it as it moves those of clients; it belongs to no client and has no row. A client's participation
 * begins when its edge has its download, and is delivered when the server has its upload. */
#ifndef FRS_ACTORS_EDGES_RELAYS_H
#define FRS_ACTORS_EDGES_RELAYS_H

#include "actors/backend.h"
#include "actors/edges/edge_message.h"

struct frs_relays;

/* A backhaul: down, up. */
struct frs_backhaul {
    double bytes_per_s[2]; /* > 0; INFINITY: nothing but the server's link limits it, if that does */
    double latency_s;
};

struct frs_relays_settings {
    uint32_t n_edges, n_clients;
    struct frs_backhaul (*backhaul)(void *context, uint32_t edge);
    uint32_t (*edge_of)(void *context, uint32_t client);
    /* The first time later than time_s at which the edge dies; NULL: none does. */
    double (*fails_s)(void *context, uint32_t edge, double time_s);
    /* Where messages go over connections: how the message, which its sender had at queued_s, is sent on that
     * between its edge and the server, which remembers what `memory` returned of the message before it that
     * way. NULL: there are none. */
    void (*plan)(void *context, struct frs_participation *message, uint32_t edge, double queued_s);
    struct frs_path_memory (*memory)(
        void *context, const struct frs_participation *message, uint32_t edge, bool up);
    bool shares_downloads; /* downloads of equal size are the same message */
    /* Edges add up the uploads of their clients: once each of a round has arrived or is known to be lost, one
     * message as large as the largest of them and by so many bytes more. */
    bool adds;
    uint64_t sum_extra_bytes;
    /* How long the edge takes to add n uploads that have so many values in all; NULL: no time. */
    double (*add_s)(void *context, uint32_t edge, size_t n, uint64_t values);
    uint32_t edge_rounds; /* with `adds`: aggregations of an edge for one of the server, at least 1 */
    void *context;
};

struct frs_relays *frs_relays_create(const struct frs_relays_settings *settings);
void frs_relays_destroy(struct frs_relays *relays);

/* The server sends the messages of a round at in_flight->now_s: `list` [n], in ascending client id, have
 * their places and have not begun. Clients without a download begin at once. Starts nothing yet. */
void frs_relays_open(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, struct frs_participation *const *list, size_t n);

/* An upload has arrived at its edge, which holds it from now on. Its client may be cut by frs_relays_drop. */
void frs_relays_hold(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, struct frs_participation *participation);

/* The server and the edge have learnt that a participation did not arrive: its edge waits for it no more. */
void frs_relays_lost(struct frs_relays *relays, const struct frs_in_flight *in_flight,
    const struct frs_participation *participation);

/* When the next edge has added the uploads that it holds; INFINITY: none adds any. Then frs_relays_added lets
 * those go on that have by now_s. */
double frs_relays_added_s(const struct frs_relays *relays);
void frs_relays_added(struct frs_relays *relays, double now_s);

/* A message over a backhaul has ended, and has left its place. */
void frs_relays_carried(struct frs_relays *relays, struct frs_participation *message);

/* An edge has aggregated all uploads of an edge round, which were [*n], at least one, in ascending client id;
 * NULL: no edge has that another edge round follows. Its clients then begin the next one: frs_relays_resume
 * gets their new participations, which have their places. The list is good until the next call. */
struct frs_participation *const *frs_relays_aggregated(struct frs_relays *relays, size_t *n);
void frs_relays_resume(struct frs_relays *relays, struct frs_in_flight *in_flight,
    struct frs_participation *const *list, size_t n);

/* Starts the clients whose downloads their edges now have, and the messages that nothing is ahead of any
 * more. Returns whether it started any. */
bool frs_relays_go_on(
    struct frs_relays *relays, struct frs_in_flight *in_flight, const struct frs_backend *backend);

/* An upload that the server has now; NULL: there is no further one. Its client was delivered then. */
struct frs_participation *frs_relays_take(struct frs_relays *relays);

/* Whether the participation waits for its edge's message, or its edge holds its upload. */
bool frs_relays_have(const struct frs_relays *relays, const struct frs_participation *participation);

/* The server stops the round: participations that relays have (above) end so; they are put among
 * in_flight->ended and count as begun. */
void frs_relays_drop(struct frs_relays *relays, struct frs_in_flight *in_flight,
    struct frs_participation *participation, enum frs_outcome outcome, enum frs_cause cause);

/* Then the messages under way and waiting are dropped, too. */
void frs_relays_end_round(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, enum frs_cause cause);

/* When the next edge dies that has clients of the round; INFINITY: none does. */
double frs_relays_fails_s(const struct frs_relays *relays);

/* Edges die that do so by in_flight->now_s: what they hold and send is lost, and so are their clients, but
 * for those that compute: their uploads have nowhere to go. Returns whether any did; participations that
 * ended are among in_flight->ended. */
bool frs_relays_fail(
    struct frs_relays *relays, struct frs_in_flight *in_flight, const struct frs_backend *backend);

/* All messages of the round so far, [*n], in the order in which they were queued; a participation has the
 * places of its own, counted from 1, in `edge_messages`. They stay until the next round opens. */
const struct frs_edge_message *frs_relays_messages(const struct frs_relays *relays, size_t *n);

#endif
