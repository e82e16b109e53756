/* What the parts of a simulation share: its state, and how the server's actor reaches them (`context` is the
 * simulation, see actors/server/server.h and actors/lifecycle.h). */
#ifndef FRS_ROUNDS_SIMULATION_INTERNAL_H
#define FRS_ROUNDS_SIMULATION_INTERNAL_H

#include "actors/server/server.h"
#include "actors/edges/relays.h"
#include "actors/links/event_queue.h"
#include "actors/links/tcp_stream.h"
#include "actors/opening/rests.h"
#include "sim/rounds/reachable_clients.h"
#include "sim/rounds/open_rows.h"
#include "sim/rounds/deliveries.h"
#include "sim/rounds/exchanges.h"
#include "sim/rounds/layer_exchange.h"
#include "sim/rounds/peers.h"
#include "sim/rounds/phase_loss.h"
#include "sim/journal/journaled_trainer.h"
#include "sim/rounds/post_upload_work.h"
#include "sim/rounds/simulation.h"

struct frs_simulation {
    struct frs_simulation_settings settings;
    const struct frs_setup *setup;
    struct frs_journaled_trainer *trainer;
    struct frs_event_queue *event_queue; /* NULL under SimGrid's own solver */
    struct frs_relays *relays;           /* NULL: there are no edges */
    double (*access_bytes_per_s)[2];     /* [n_edges] */
    struct frs_open_rows *open_rows;
    struct frs_post_uploads *post_uploads;
    struct frs_exchanges *exchanges;    /* NULL: uploads are not masked */
    struct frs_peers *peers;            /* NULL: there is a server */
    struct frs_layer_exchanges *layers; /* NULL: clients exchange no layers */
    struct frs_deliveries *deliveries;  /* NULL: clients download first */
    size_t *
        held; /* [n_clients] with deliveries: versions of the server's tables when the client received its own
               */
    bool has_aggregated;                   /* the open round, with deliveries */
    struct frs_row *row;                   /* of the open round; NULL: no client has been selected in it */
    uint32_t round;                        /* the open one, counted from 0 */
    uint32_t attempt;                      /* at this round, from 0; with it part of every random key */
    uint32_t lost_attempts, void_attempts; /* at this round */
    double away_s;                         /* in which the server was down since the last row began */
    double exchange_s;                     /* when the open exchange began */
    double now_s;                          /* when the clients being selected are selected */
    size_t n_versions;                     /* of the server's tables so far */
    size_t n_unsettled;                    /* participations */
    bool encoded;                          /* the message of this round */
    struct frs_course course;              /* of this round */
    uint32_t *cohort;
    struct frs_member **members;
    struct frs_participation **opened;
    struct frs_path_memory (*memory)[2]; /* [n_clients] where connections are kept: down, up */
    struct frs_sender_rules sender;      /* under tcp */
    /* [n_edges] with edges that connect to the server: down, up; what is under way since ended_s, when the
     * last message over the backhaul arrived. */
    struct frs_backhaul_stream {
        struct frs_tcp_stream stream;
        double ended_s;
    } (*streams)[2];
    bool *barred; /* [n_clients] where rounds overlap: refused once, and not selected again */
    struct frs_reachable_clients *reachable; /* where rounds overlap or wait for clients, from the first time
                                                that fewer could be selected than were wanted */
    struct frs_rests *rests;                 /* NULL: what clients have taken part in rules none out */
    struct {
        bool begun;               /* pacing has let the next round open, and it waits for clients, */
        double since_s;           /* since then; */
        double within_s;          /* and within its window since then */
        uint32_t most;            /* clients that were eligible at once meanwhile */
        bool has_opened;          /* the first round: overlapping ones wait no more */
        double scheduled_s;       /* of the time since the last round, in which pacing let none open, */
        double scheduled_until_s; /* up to then */
    } wait;
    struct {
        double next_s, step_s; /* the next count, and from one to the next */
        uint32_t n;            /* counts with this step */
    } counts;                  /* of clients that are online and eligible */
    struct frs_simulation_result *result;
    struct frs_errors *errors;
    double encode_flop;              /* of what the clients being selected are sent */
    double aggregate_flop, server_s; /* of aggregating the open round */
    double state_bytes;              /* of the tables a client has to hold, where all are alike */
    enum frs_ending ending;          /* WHOLE: nothing has ended it yet */
    struct frs_stops stops;
    bool stopping; /* interrupted, as seen when the last round was closed, so that its row and the end of the
                      run agree */
};

static inline bool frs_simulation_overlaps(const struct frs_simulation *s) {
    return s->setup->policy->asynchronous;
}

/* A round's rows are entered into the ledger after the next round has begun, so that other threads train
 * meanwhile. */
static inline bool frs_simulation_enters_later(const struct frs_simulation *s) {
    return s->setup->training.trains && frs_pool_threads(s->settings.pool) > 1;
}

static inline bool frs_simulation_diverged(const struct frs_simulation *s) {
    return s->ending == FRS_ENDED_DIVERGED;
}

/* Whether the learner cannot train any more (frs_learner_failure). The run then ends as a diverged one,
 * and the first call adds an error. */
bool frs_simulation_learner_failed(struct frs_simulation *s);

static inline struct frs_open_entry *frs_open_entry_of(struct frs_participation *p) {
    return (struct frs_open_entry *)p; /* its first member */
}

/* ---- round_links.c --------------------------------------------------------------------------- */

/* The client's links for this participation, jitter included; `context` is the simulation, as below. */
void frs_simulation_plan_links(void *context, struct frs_participation *participation);
/* What connecting takes, at first and anew; a client that receives and sends nothing needs no connection. */
void frs_simulation_plan_connection(const struct frs_simulation *s, struct frs_participation *p);
/* Its download is not the first message on its connection; anew: which was opened after a break. */
void frs_simulation_plan_second_message(
    const struct frs_simulation *s, struct frs_participation *p, bool anew);
/* The link that the client's device is on at now_s, for the plan. */
void frs_simulation_follow_link(void *context, struct frs_participation *participation, double now_s);
/* Capacity of a client's link at now_s, which a trace or the state of its device changes. */
double frs_simulation_capacity(
    void *context, const struct frs_participation *participation, bool up, double now_s, double *until_s);
/* Where links follow states: the link that bytes cross on may have changed. */
void frs_simulation_crossing(
    void *context, struct frs_participation *participation, double now_s, double received_bytes);

/* ---- round_edges.c --------------------------------------------------------------------------- */

/* What edges need of the simulation, before it begins: their links, and who belongs to them. */
void frs_simulation_create_edges(struct frs_simulation *s);
void frs_simulation_destroy_edges(struct frs_simulation *s);

/* The edge of a client; `context` is the simulation. */
uint32_t frs_simulation_edge_of(void *context, uint32_t client);
/* Whether nothing but their own links limits transfers of clients in this direction. */
bool frs_simulation_is_unshared(const struct frs_simulation *s, bool up);
/* Takes over what the round's edges have exchanged with the server. */
void frs_simulation_note_edges(const struct frs_simulation *s, struct frs_row *row);

/* ---- round_opening.c ------------------------------------------------------------------------- */

/* What the sender of a message that crossed as a whole knows now; sent_s is a time. Under tcp *stream gets
 * what is under way on its connection when it has arrived; NULL: that is not wanted. */
struct frs_path_memory frs_simulation_memory_of(
    const struct frs_participation *p, bool up, struct frs_tcp_stream *stream);
/* What connections that are kept remember of the messages of a participation that has ended. */
void frs_simulation_keep_windows(struct frs_simulation *s, const struct frs_participation *ended);

struct frs_opening frs_simulation_open_round(void *context, double now_s, size_t n);
/* The clients of these uploads [n], which their edge has aggregated, take part in its next edge round. */
struct frs_opening frs_simulation_open_edge_round(
    void *context, double now_s, struct frs_participation *const *list, size_t n);
/* Where rounds overlap, a row begins where the last one ended, or, after a time without any clients, when
 * the next client is selected. */
void frs_simulation_begin_row(struct frs_simulation *s, double now_s);

enum frs_exchange_state frs_simulation_exchange(
    void *context, const struct frs_closing *closing, double now_s, struct frs_opening *exchange);
void frs_simulation_exchanged(void *context, struct frs_participation *p);
bool frs_simulation_deliver(void *context, const struct frs_closing *closing, struct frs_opening *downloads);

/* ---- check_in.c ------------------------------------------------------------------------------ */

/* Whether the round may open at now_s, or what the server does instead. */
bool frs_simulation_may_open(struct frs_simulation *s, struct frs_opening *instead);
/* No client can be selected now, and the next one at next_s. Returns an opening that sleeps until then, or
 * until a round has waited too long. */
struct frs_opening frs_simulation_sleep(struct frs_simulation *s, double next_s);
/* The round has opened, or has ended in some way: the next one waits anew. */
void frs_simulation_end_wait(struct frs_simulation *s);

/* ---- eligibility.c --------------------------------------------------------------------------- */

/* Whether availability, rests and clock of the client allow the server to select it at this time.
 * *until_s: the time, later than time_s, until which the answer stays so (a refusal may last longer). */
bool frs_simulation_admits(const struct frs_simulation *s, uint32_t client, double time_s, double *until_s);
/* Returns the first time, not before time_s, from which the client's caps may let it take part. *until_s:
 * how long its link is the one of time_s, if that matters. */
double frs_simulation_capped_until_s(
    const struct frs_simulation *s, uint32_t client, double time_s, double *until_s);
/* The same answer at now_s, without the time. */
bool frs_simulation_admits_now(const struct frs_simulation *s, uint32_t client);
/* Something other than availability rules clients out. */
bool frs_simulation_restricts(const struct frs_simulation *s);
/* The same without the time until which it stays so. */
bool frs_simulation_admits_at(const struct frs_simulation *s, uint32_t client, double time_s);
/* frs_simulation_admits depends on client and time alone. */
bool frs_simulation_admits_by_time(const struct frs_simulation *s);
/* The first time, later than now, at which the client is admitted as far as is known; INFINITY: never. */
double frs_simulation_admitted_s(const struct frs_simulation *s, uint32_t client);

/* ---- client_counts.c ------------------------------------------------------------------------- */

/* Called before an event at until_s: tells the load how many clients were online and eligible at each
 * counting time up to then. */
void frs_simulation_count_clients(struct frs_simulation *s, double until_s);

/* ---- cohort.c -------------------------------------------------------------------------------- */

bool frs_simulation_reaches(const struct frs_simulation *s, uint32_t client, double *until_s);
/* Under way as far as the server knows, or known to be of no use. */
bool frs_simulation_rules_out(const struct frs_simulation *s, uint32_t client);
void frs_simulation_freed(void *context, struct frs_participation *p);
/* The index of the clients that can be selected, from now on; NULL where they do not follow time. */
struct frs_reachable_clients *frs_simulation_index(struct frs_simulation *s);
/* How many could be selected now; no more than `most` are counted. */
uint32_t frs_simulation_count(struct frs_simulation *s, uint32_t most);
/* The first time from now on at which one more client of the index may be selected; INFINITY: not known.
 * There is an index. */
double frs_simulation_next_indexed_s(struct frs_simulation *s);
/* Clients to be selected, in ascending client id; 0 when no client can be reached. */
size_t frs_simulation_select(struct frs_simulation *s, size_t n);
/* No client is selected although one could be: the round is empty. */
bool frs_simulation_left_to_chance(struct frs_simulation *s);
/* Returns the time, later than now, at which one more client can be selected. INFINITY: never, unless a
 * client that is under way ends. */
double frs_simulation_next_askable_s(struct frs_simulation *s);
/* A client is under way, as far as the server knows. */
bool frs_simulation_has_taken(const struct frs_simulation *s);

/* ---- spending.c ------------------------------------------------------------------------------ */

/* Where there are caps, records what the participation has taken by now: when the server learns of its
 * end, and again when it is settled, because exchanges around the upload may have come after it. */
void frs_simulation_spend(struct frs_simulation *s, struct frs_participation *p, bool ends);

/* ---- round_computing.c ----------------------------------------------------------------------- */

void frs_simulation_received(void *context, struct frs_participation *p);
void frs_simulation_compute(void *context, struct frs_participation *p);
void frs_simulation_computed(void *context, struct frs_participation *p);
void frs_simulation_retried(void *context, struct frs_participation *p);
/* Without a server: what follows the computing of all clients of the round that opens. */
void frs_simulation_plan_peers(struct frs_simulation *s, size_t n);
/* What clients of the round that opens exchange before they train; training begins. */
void frs_simulation_plan_layers(struct frs_simulation *s, size_t n);
const uint8_t *frs_simulation_message(void *context, struct frs_participation *p, bool up, size_t *n);
/* Epochs differ a little in length: a client that would have ended before now is in the next one. */
void frs_simulation_truncate(
    void *context, struct frs_participation *const *list, size_t n, double now_s, double *seconds);

/* ---- attempts.c ------------------------------------------------------------------------------ */

/* An attempt was lost: the state becomes that of the last closed round, and the round is repeated, unless
 * attempts were abandoned too often. */
void frs_simulation_repeat_round(struct frs_simulation *s, const struct frs_closing *closing);

/* The attempt counted: the next round begins with its first. */
void frs_simulation_first_attempt(struct frs_simulation *s);

/* ---- round_closing.c ------------------------------------------------------------------------- */

bool frs_simulation_goes_on(void *context);
void frs_simulation_settled(void *context, struct frs_participation *p);
/* The operations of an aggregation: the learner's count, or else one multiplication and one addition for
 * every decoded value. If no upload has arrived, nothing is aggregated and no time passes. */
/* The learning's part of a close. */
void frs_simulation_aggregate(struct frs_simulation *s, const struct frs_closing *closing);
double frs_simulation_aggregate_s(void *context, const struct frs_closing *closing);
void frs_simulation_close_round(void *context, const struct frs_closing *closing);
void frs_simulation_restarted(void *context, double away_s);
/* Called when the run is over and everything has been settled. Uploads that had arrived when no further
 * client could be reached were wasted. */
void frs_simulation_close_rows(struct frs_simulation *s, double now_s);

/* The next row of overlapping rounds begins where this one ends, if any participation is under way. */
void frs_simulation_leave_row(struct frs_simulation *s, double now_s);

/* The run cannot go on: `why` stands in its summary, and with `kept` behind it among the errors. */
void frs_simulation_strand(struct frs_simulation *s, const char *why, const char *kept);

#endif
