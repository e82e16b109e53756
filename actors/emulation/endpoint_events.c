#include "actors/emulation/endpoint_events.h"
#include "sim/base/memory.h"

#include <stdlib.h>

void frs_endpoint_events_fini(struct frs_endpoint_events *events) {
    free(events->all);
    *events = (struct frs_endpoint_events){0};
}

void frs_endpoint_events_put(struct frs_endpoint_events *events, const struct frs_endpoint_event *event) {
    if (events->first == events->end)
        events->first = events->end = 0;
    events->all = frs_grow(events->all, events->end + 1, &events->capacity, sizeof *events->all);
    events->all[events->end++] = *event;
}

struct frs_endpoint_event frs_endpoint_events_next(struct frs_endpoint_events *events) {
    return events->all[events->first++];
}

static void forget(struct frs_endpoint_events *events, bool of_backhaul, uint32_t number) {
    size_t kept = events->first;
    for (size_t i = events->first; i < events->end; i++) {
        const struct frs_endpoint_event *event = &events->all[i];
        bool is_of_backhaul = event->kind >= FRS_BACKHAUL_CONNECTED;
        if (is_of_backhaul != of_backhaul || (of_backhaul ? event->edge : event->line) != number)
            events->all[kept++] = *event;
    }
    events->end = kept;
}

void frs_endpoint_events_forget_line(struct frs_endpoint_events *events, uint32_t line) {
    forget(events, false, line);
}

void frs_endpoint_events_forget_edge(struct frs_endpoint_events *events, uint32_t edge) {
    forget(events, true, edge);
}
