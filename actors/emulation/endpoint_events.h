/* Endpoint events: what has ended on the lines and backhauls of an emulation, until the server asks. */
#ifndef FRS_ACTORS_EMULATION_ENDPOINT_EVENTS_H
#define FRS_ACTORS_EMULATION_ENDPOINT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frs_endpoint_event_kind {
    FRS_LINE_CONNECTED,
    FRS_LINE_RECEIVED, /* the client has the whole download */
    FRS_LINE_COMPUTED,
    FRS_LINE_DELIVERED, /* the server, or the edge of the line, has the whole upload */
    FRS_LINE_BROKEN,    /* the network failed by itself */
    FRS_BACKHAUL_CONNECTED,
    FRS_BACKHAUL_TAKEN,     /* the edge has the whole download of the line */
    FRS_BACKHAUL_DELIVERED, /* the server has the whole upload of the line */
    FRS_BACKHAUL_BROKEN,    /* the network failed by itself */
};

struct frs_endpoint_event {
    enum frs_endpoint_event_kind kind;
    uint32_t line, edge; /* edge: of backhauls */
    double time_s;
};

/* Zeroed: none. */
struct frs_endpoint_events {
    struct frs_endpoint_event *all;
    size_t first, end, capacity;
};

void frs_endpoint_events_fini(struct frs_endpoint_events *events);
void frs_endpoint_events_put(struct frs_endpoint_events *events, const struct frs_endpoint_event *event);

static inline bool frs_endpoint_events_any(const struct frs_endpoint_events *events) {
    return events->first < events->end;
}

/* The next one, which is there. */
struct frs_endpoint_event frs_endpoint_events_next(struct frs_endpoint_events *events);

/* Drops what is left of a line, or of the backhaul of an edge. */
void frs_endpoint_events_forget_line(struct frs_endpoint_events *events, uint32_t line);
void frs_endpoint_events_forget_edge(struct frs_endpoint_events *events, uint32_t edge);

#endif
