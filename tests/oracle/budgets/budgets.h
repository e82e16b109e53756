/* Recomputing every budget that a run assigned, from its folder alone: what the server has seen of its
 * clients, what it predicts for them, and what each adaptation derives from that (docs/server-decisions.md,
 * "What the server decides"). Shares no code with the simulator; folders are read in the same way as by
 * the replay. */
#ifndef BUDGETS_BUDGETS_H
#define BUDGETS_BUDGETS_H

#include "../replay/report.h"

#include <stdint.h>

/* ---- settings.c: what the manifest says ------------------------------------------------------ */

struct settings {
    const struct scenario *scenario;
    double rows, columns; /* of the table of items */
    double rank, epochs;  /* of SCoLR */
    bool scolr, decays;   /* decays: whole rows, with the code's regulariser */
    const char *codec;    /* of uploads */
    unsigned largest;     /* budgets go from 1 to this; 0: there are none */
    double report_bytes;  /* a loss in the upload's header */
    double state_bytes;   /* a download of the whole table */
    const char *adaptation, *connection, *unmeasured;
    double weight, prior[3]; /* seconds per byte down and up, seconds of computing */
    bool has_slow_start, by_packets;
};

struct settings settings_of(const struct run *run);
double predicted_bytes(const struct settings *settings, unsigned budget);
double work_of(const struct settings *settings, unsigned budget); /* 1 for the largest */

/* ---- slow_start.c: slow start in closed form ------------------------------------------------------- */

/* How a message begins; QUICK: its first 16 packets are acknowledged one by one. */
enum slow_start_kind { NO_SLOW_START, QUICK, PAIRED };

double slow_start_s(enum slow_start_kind kind, double bytes, double s_per_byte, double round_trip_s);

/* The seconds per byte with which so many bytes take so long; 0 where round trips alone take longer. */
double slow_start_pace(enum slow_start_kind kind, double bytes, double took_s, double round_trip_s);

/* ---- sight.c: what the server has seen of a participation ------------------------------------ */

enum sight { NOTHING, RECEIPT, PART, UPLOAD };

struct seen {
    size_t client;
    enum sight sight;
    bool lost; /* the server knows that the client is gone */
    double waited_s;
    double latency_s, round_trip_s, down_s, compute_s, up_s;
    double down_bytes, up_bytes;
    double kept_bytes; /* of those of an upload, those that need not be sent again */
    double loss;       /* NaN: none was reported */
    double predicted_bytes, work;
    unsigned reducible; /* the budget, if an adaptation that goes by what is seen could have assigned less */
    enum slow_start_kind down, up;
};

/* When the server learns of the end, if the round closed at closed_s (INFINITY: it waits for its client
 * however long). */
double known_s(const struct run *run, const struct part *part, double closed_s);

/* False: nothing is to be seen of it. */
bool see(const struct settings *settings, const struct run *run, const struct part *part, double known_s,
    struct seen *seen);

/* How the messages of a participation begin as long as no connection has broken. */
void first_slow_start(const struct settings *settings, enum slow_start_kind *down, enum slow_start_kind *up);

/* ---- knowledge.c: what the server keeps of that, and predicts -------------------------------- */

struct knowledge;

struct knowledge *knowledge_new(const struct settings *settings, size_t n_clients);
void knowledge_free(struct knowledge *knowledge);
void learn(struct knowledge *knowledge, const struct seen *seen);
double predicted_s(const struct knowledge *knowledge, size_t client, unsigned budget);

/* The same without the back-off. */
double known_duration_s(const struct knowledge *knowledge, size_t client, unsigned budget);

/* The client's own uplink over the mean one, as rates, and over its back-off. */
double relative_uplink(const struct knowledge *knowledge, size_t client);

/* The most that it is assigned: the largest, half of what was cut off again, or 1 because nothing is known of
 * it. */
unsigned most_granted(const struct knowledge *knowledge, size_t client);

/* For selections: whether the client is selected in a round, from 1; when it was last; whether the server
 * knows of an end of one of its participations; its last loss, NaN if none; how long until its upload is
 * expected. */
void ask(struct knowledge *knowledge, size_t client, double round);
double asked_last(const struct knowledge *knowledge, size_t client);
bool is_explored(const struct knowledge *knowledge, size_t client);
double reported_loss(const struct knowledge *knowledge, size_t client);
double delivery_s(const struct knowledge *knowledge, size_t client);

/* ---- worth.c: what `utility` goes by --------------------------------------------------------- */

/* Checks the participations that are selected together in a round, from 1. */
void check_worths(struct report *report, const struct run *run, const struct knowledge *knowledge,
    const struct part *const *parts, size_t n_parts, double round);

/* ---- groups.c -------------------------------------------------------------------------------- */

void check_groups(struct report *report, const struct run *run);

/* ---- grants.c: what each adaptation makes of it ---------------------------------------------- */

void check_grants(struct report *report, const struct run *run);

#endif
