/* Event queue: when the steps of all participations under way end.
 *
 * Waiting and computing take their own time. Transfers share the server's link by max-min fairness and are
 * bounded by the client's own capacity (actors/links/shared_link.h), or go packet by packet through both
 * links (actors/links/packets.h). Clients that drop out are removed at their time. Everything happens in a
 * fixed order (docs/simulation.md, "Order"): at one instant ends of steps, then starts of steps, then
 * failures; within each by client id. Pure: the engine backend lets simulated time pass to
 * frs_event_queue_next_s and handles what is due. */
#ifndef FRS_ACTORS_LINKS_EVENT_QUEUE_H
#define FRS_ACTORS_LINKS_EVENT_QUEUE_H

#include "actors/carried.h"
#include "actors/lifecycle.h"

struct frs_event_queue;

/* How transfers go packet by packet. */
struct frs_by_packets {
    double queue_s; /* that every queue holds, at its link's rate */
    bool fair;      /* the links that transfers share serve their flows in turns */
    /* Delay of the n-th transfer of a participation after its scheduled start, where the link that it shares
     * is finite in its direction; NULL: none. Transfers that begin together are then sent in another
     * order than that of client ids. */
    double (*start_s)(void *context, struct frs_participation *participation, uint32_t n);
    /* Whether this packet, the n-th that has passed all links of its participation, is lost at random.
     * NULL: none is lost. */
    bool (*lost)(void *context, struct frs_participation *participation, uint32_t n);
};

struct frs_event_queue_settings {
    double server_down_bytes_per_s, server_up_bytes_per_s; /* of the server's link; INFINITY: unlimited */
    /* Shared links beside it, where clients share the access side of an edge (participation->shares), [2]
     * down and up; the server's is then shared by what edges exchange with it. Copied by the caller for as
     * long as the event queue lives. */
    const double (*access_bytes_per_s)[2];
    uint32_t n_access;
    /* Capacity of the server's link at now_s and the time until which it stays so; NULL: it is always that
     * of the settings. A capacity of 0 is allowed if it ends. */
    double (*server_capacity)(void *context, bool up, double now_s, double *until_s);
    /* Capacity of a client's own link at now_s and the time until which it stays so; NULL: always
     * participation->plan.down_bytes_per_s and up_bytes_per_s. A capacity of 0 is allowed if it ends. */
    double (*capacity)(
        void *context, const struct frs_participation *participation, bool up, double now_s, double *until_s);
    /* Called where the capacity of a client's own link may change: when a part of a message begins to
     * cross, or when its capacity changes, with the bytes received by now. May be NULL. */
    void (*crossing)(
        void *context, struct frs_participation *participation, double now_s, double received_bytes);
    const struct frs_by_packets *by_packets; /* copied; NULL: transfers are flows of bytes */
    /* Told of every participation that was stopped in the middle of a step; may be NULL. */
    void (*stopped)(void *context, struct frs_participation *participation);
    void *context;
};

struct frs_event_queue *frs_event_queue_create(const struct frs_event_queue_settings *settings);
void frs_event_queue_destroy(struct frs_event_queue *event_queue);

/* A participation, known by its place (actors/in_flight.h), starts a step at now_s. */
void frs_event_queue_schedule(struct frs_event_queue *event_queue, struct frs_participation *participation,
    double now_s, const struct frs_step *step);

/* Returns the time of the next end of a step, change of capacity or failure, if there is one by until_s;
 * some later time otherwise, and INFINITY when nothing is scheduled. Afterwards the event queue must not
 * be changed at an earlier time, because packets have moved on. */
double frs_event_queue_next_s(struct frs_event_queue *event_queue, double until_s);

/* Returns the participations whose step has ended at now_s, in the order of client ids; *list is valid
 * until the next call. The caller asks frs_lifecycle_next for the next step of each and schedules it. Call
 * again until the result is 0: then nothing is left at this instant. Failures that are due are carried out
 * here once no step ends any more; a connection that breaks and is tried again ends its step like any
 * other. */
size_t frs_event_queue_due(
    struct frs_event_queue *event_queue, double now_s, struct frs_participation *const **list);

/* The wait or the computing under way ends at end_s instead, which has not passed. */
void frs_event_queue_move_end(
    struct frs_event_queue *event_queue, const struct frs_participation *participation, double end_s);

/* Ends a participation in the middle of its step: see frs_lifecycle_stop. */
void frs_event_queue_stop(struct frs_event_queue *event_queue, struct frs_participation *participation,
    double now_s, enum frs_outcome outcome, enum frs_cause cause);

/* Bytes carried since the event queue was created: rates integrated over time, independent of the usage of
 * participations. */
struct frs_carried frs_event_queue_carried(const struct frs_event_queue *event_queue);

/* The largest rate at which all transfers of a direction together have run for any time. NAN: there is no
 * such count, because transfers share no link, or go packet by packet. */
double frs_event_queue_peak(const struct frs_event_queue *event_queue, bool up);

#endif
