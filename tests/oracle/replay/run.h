/* What one run left behind, as read from its folder: scenario, rows, clients and participations. This program
 * shares no code with the simulator; it knows its documentation and its files. */
#ifndef REPLAY_RUN_H
#define REPLAY_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum phase_kind { ENCODE, CONTACT, SETUP, DOWN, QUEUE, COMPUTE, UP, RETRY, N_PHASES };
enum outcome {
    DELIVERED,
    LATE,
    CUT,
    UNAVAILABLE,
    DROPPED_DOWN,
    DROPPED_COMPUTE,
    DROPPED_UP,
    REFUSED,
    N_OUTCOMES
};
enum post_outcome { ENDED, DROPPED_POST, POST_CUT, N_POST_OUTCOMES };
enum cause {
    NO_CAUSE,
    OFFLINE,
    INELIGIBLE,
    DEVICE,
    CONNECTION,
    SERVER_RESTART,
    ROUND_CLOSED,
    VOID_ROUND,
    END_OF_RUN,
    RESENT,
    N_CAUSES
};
extern const char *const phase_names[N_PHASES],
    *const outcome_names[N_OUTCOMES], *const post_names[N_POST_OUTCOMES], *const cause_names[N_CAUSES];

/* A capacity that holds from a time on. */
struct step {
    double from_s, rate;
};

/* What the client's own link could carry in a phase. */
struct capacity {
    struct step *steps;
    size_t n;
};

/* Bytes that cross on a metered network, at the rates of the client's link; counted in whole bytes at
 * every change of the link. */
struct meter {
    bool begun, on; /* it crosses on a metered network now */
    double noted;   /* bytes that had crossed at the last change */
    double bytes;   /* of them metered, which may be off by */
    double unsure;
};

struct phase {
    enum phase_kind kind;
    double t0_s, t1_s, bytes, flop;
    double latency_s;         /* down and up; 0 elsewhere */
    struct capacity capacity; /* down and up */
    /* Slow start, of down and up: */
    bool in_slow_start, answered; /* the receiver has answered on the connection before */
    double slow_start_rate, round_trip_s, first_window;
    /* What went in one, where a queue overflowed, and how long the next one had to wait; taken as it is told.
     */
    struct told_window {
        double bytes, wait_s;
    } * windows;
    size_t n_windows;
    /* For a set-up: */
    double setup_latency_s, setup_bytes[2]; /* down, up */
    struct capacity setup_capacity[2];
    bool broke;             /* its connection, and the message was tried again */
    struct meter meters[2]; /* down, up */
};

/* One client's part in one attempt at a round. */
struct part {
    size_t client, row;
    struct phase *phases; /* [n_phases]; down and up once for every try at the message */
    size_t n_phases;
    unsigned budget;    /* 0: uploads have one size */
    double predicted_s; /* with a budget */
    double worth;       /* of the selection; 0: none */
    double group;       /* of the selection; NaN: none */
    double loss;        /* that the upload reported; NaN: none */
    enum outcome outcome;
    enum cause cause;
    bool works_on; /* `post` holds */
    struct phase post;
    enum post_outcome post_outcome;
    enum cause post_cause;
    double staleness;
    /* A download after the aggregation is a part of its own, and each of the two knows the other. Its phases
     * are CONTACT, or SETUP, DOWN and RETRY. */
    const struct part *delivery, *of;
};

/* What it takes to connect: latencies up and down, bytes down and up (docs/message-times.md). */
struct connection {
    const char *name;
    double up_latencies, down_latencies, bytes[2];
};

/* A CSV file: an empty field is NaN. */
struct table {
    size_t n_rows, n_columns;
    char **names, **fields;
};

struct scenario {
    json_t *keys;
    const char *policy, *compute, *backend;
    double overhead_s, slowdown, server_overhead_s, server_speed;
    struct capacity server_link[2]; /* down, up */
    double detect_s, restart_s, contact_timeout_s, after_s, grace_s, then_s, share, quorum, patience;
    double *restarts_s;
    size_t n_restarts, cohort, arrivals, uploads, min_uploads, late_rounds;
    bool runs_on, accepts_late, asynchronous, lv08, tcp;
    bool delivers;                                         /* downloads follow the aggregation */
    const struct connection *connection, *connection_anew; /* under tcp: the first one, and after a break */
    size_t retries;                                        /* of a message, at most */
    double retry_after_s, retry_backoff, retry_longest_s;
    bool resumes;
};

struct states; /* states.h */

struct run {
    struct scenario scenario;
    struct states *states; /* of devices, NULL: they have none */
    struct table rounds, clients;
    struct part *parts; /* in the order of events.ndjson: row by row, by client */
    size_t n_parts;
    struct part *deliveries; /* in the same order */
    size_t n_deliveries;
    size_t *first_part; /* [rows + 1] */
    json_t *manifest, *summary;
};

/* Reads a run directory; ends the program with a message where a file cannot be read. */
struct run run_read(const char *folder);
void run_free(struct run *run);

/* Gives the server's links the capacities of its trace, if it has one, once the participations are known.
 * Returns NULL, or what is wrong. */
const char *follow_server_trace(struct run *run, const char *folder);

/* A CSV file below a folder; ends the program where it cannot be read. */
struct table table_read(const char *folder, const char *name);
void table_free(struct table *table);

double field(const struct table *table, size_t row, const char *column);
const char *field_text(const struct table *table, size_t row, const char *column);

/* A quantity of the scenario in SI units; "unlimited" is infinite. */
double scenario_number(const struct scenario *scenario, const char *key);
const char *scenario_text(const struct scenario *scenario, const char *key);

/* Whether network.jitter or network.latency_jitter may vary a client's links from transfer to transfer:
 * classes have their own jitter, which no key of the manifest shows. */
bool scenario_jitters(const struct scenario *scenario, const char *key);

/* The order of doubles, for qsort. */
int ascending(const void *a, const void *b);

/* At a time. */
double capacity_at(const struct capacity *capacity, double time_s);

/* All participations, and then all downloads after aggregations. */
size_t n_all_parts(const struct run *run);
struct part *any_part(const struct run *run, size_t i);

/* The last phase of this kind, or NULL. */
const struct phase *part_phase(const struct part *part, enum phase_kind kind);
const struct phase *last_phase(const struct part *part);
double part_start_s(const struct part *part);
double part_end_s(const struct part *part);
/* The bytes of the message in this direction that crossed and had to be sent again: those of all its
 * broken tries that another one followed. */
double part_resent(const struct run *run, const struct part *part, enum phase_kind kind);
/* The message that a phase is of, or waits or connects to try again: DOWN or UP; for other phases their own
 * kind. */
enum phase_kind message_of(const struct part *part, const struct phase *phase);
/* A set-up that is not the first one: after a break, or where a connection went with its link. */
bool is_anew(const struct part *part, const struct phase *setup);
/* No byte of the message crossed before its connection, which went with its link, was opened anew. */
bool is_gone(const struct part *part, const struct phase *phase);
bool arrived(const struct part *part);
bool dropped(const struct part *part);

#endif
