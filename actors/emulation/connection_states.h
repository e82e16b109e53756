/* Connection states: what the engine backend `sockets` knows of each line: the participation and the
 * message under way on it, the clock from which simulated time is read, the timers, and the links as they
 * change; and of each backhaul the messages on it. Private to backend.c and what shares it. */
#ifndef FRS_ACTORS_EMULATION_CONNECTION_STATES_H
#define FRS_ACTORS_EMULATION_CONNECTION_STATES_H

#include "actors/emulation/emulation_internal.h"
#include "sim/base/heap.h"
#include "actors/server/server.h"
#include "sim/base/buffer.h"

/* Timers: of every line, followed by those of the server's links. */
enum frs_connection_state_timer { TIMER_END, TIMER_DEATH, TIMER_DOWN, TIMER_UP, N_CONNECTION_TIMERS };

struct frs_connection_state {
    struct frs_participation *p; /* NULL: no participation is under way on this line */
    enum frs_cause dies_cause;
    bool transfers, up; /* a message is under way */
    const uint8_t *message;
    uint64_t seen_bytes; /* of it, that had come when the server last let time pass */
    bool gone;           /* with its device, until it is there again */
    bool reconnects;     /* a kept connection that broke is opened again, */
    bool waits;          /* and its participation waits for it */
};

/* Whose line it is, where there are edges. A client keeps its line until its round is over, because its edge
 * stores messages in the line's mailbox: a line is given to another client only when it was used the longest
 * time ago, and there are as many as clients in a round. */
struct frs_line_owner {
    uint32_t client; /* of last_use > 0 */
    uint64_t last_use;
    uint32_t round, attempt, message; /* the download that its mailbox stores; message 0: none */
};

/* A message on a backhaul, or queued to it. */
struct frs_crossing {
    uint32_t line; /* of the client, or the first client, that it is from or for */
    const uint8_t *message;
    uint64_t bytes;
    bool sent, arrived; /* behind those before it; at this time of the clock: */
    double arrived_wall_s;
};

/* A direction of a backhaul: the messages that have not ended, and the participation of the first one once
 * it has started. */
struct frs_crossings {
    struct frs_participation *p;
    struct frs_crossing queue[FRS_EMULATED_LINES];
    uint32_t first, n;
    uint64_t seen_bytes; /* of the first, when the server last let time pass */
};

struct frs_connection_states {
    struct frs_connection_state *connection_states; /* [n_lines] */
    struct frs_line_owner owners[FRS_EMULATED_LINES];
    uint64_t n_uses;
    struct frs_crossings backhauls[FRS_EMULATED_EDGES][2]; /* down, up */
    bool is_fresh[FRS_EMULATED_EDGES];                     /* nothing has crossed since it was connected */
    size_t n_running;
    double from_s, from_wall_s; /* one simulated time on the clock */
    struct frs_heap timers;
    struct frs_heap_places places;
    struct frs_buffer stand_in; /* for messages of which only the size is known */
};

static inline struct frs_emulation *frs_connection_states_emulation(const struct frs_in_flight *in_flight) {
    return in_flight->settings->emulation;
}

static inline struct frs_connection_states *frs_connection_states_of(const struct frs_in_flight *in_flight) {
    return in_flight->player_state;
}

/* Simulated time is that of the clock, times the speed-up, since it was last set. */
double frs_connection_states_simulated_s(const struct frs_in_flight *in_flight, double wall_s);
double frs_connection_states_wall_s(const struct frs_in_flight *in_flight, double time_s);
double frs_connection_states_now_s(const struct frs_in_flight *in_flight);

/* Sets the simulated time of the participations in flight to the present time. If one is under way, the
 * clock is already running and nothing changes. */
void frs_connection_states_start_clock(struct frs_in_flight *in_flight);

/* The line of a client's participation, which it has been given. */
size_t frs_connection_states_line(const struct frs_in_flight *in_flight, const struct frs_participation *p);

/* Gives the client of a participation a line, unless it has one. */
size_t frs_connection_states_give_line(
    struct frs_in_flight *in_flight, const struct frs_participation *participation);

/* The message of a participation, as it is encoded, which stays where it is; bytes of no meaning where only
 * sizes are known. The second one gives n such bytes. */
const uint8_t *frs_connection_states_message(
    struct frs_in_flight *in_flight, struct frs_participation *p, bool up);
const uint8_t *frs_connection_states_stand_in(struct frs_in_flight *in_flight, uint64_t n);

/* INFINITY: none any more. */
void frs_connection_states_set_timer(
    struct frs_in_flight *in_flight, size_t line, enum frs_connection_state_timer timer, double time_s);

/* Announces a link's next change to the router ahead of its time, and sets the timer for announcing the
 * one after. at_once: announces the present capacity, too. Line n_lines is the server's link. */
void frs_connection_states_follow(
    struct frs_in_flight *in_flight, size_t line, bool up, double time_s, bool at_once);

#endif
