/* Sessions that were measured or made elsewhere, from a file (platforms/availability/sessions.h). */
#include "platforms/availability/availability.h"
#include "platforms/availability/session_trace.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* All but that of no session. */
#define ONLINE (UINT32_MAX - 1)

static const struct frs_param params[] = {
    FRS_SESSION_TRACE_PARAMS("CSV file with the columns client, start_s and end_s, in any order; times are "
                             "seconds, dates or times of the epoch",
        ""),
    {0},
};

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    struct frs_session_trace *trace = frs_alloc(1, sizeof *trace);
    bool good = frs_session_trace_read(trace, values, seed, false, errors);
    *state = good ? trace : NULL;
    if (!good)
        free(trace);
    return good;
}

static void destroy(void *state) {
    frs_session_trace_fini(state);
    free(state);
}

static void tie_to_fleet(
    void *state, uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client), const void *fleet) {
    struct frs_session_trace *trace = state;
    trace->number = number;
    trace->fleet = fleet;
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    bool online;
    (void)round, (void)attempt;
    frs_session_trace_at(state, client, ONLINE, t_s, &online, until_s);
    return online;
}

static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    frs_session_trace_average(state, ONLINE, clients, n, day);
}

static bool settle(void *state, const struct frs_values *values, const struct frs_file_clients *clients,
    struct frs_errors *errors) {
    return frs_session_trace_settle(state, values, clients, errors);
}

static char *note(const void *state, uint32_t n_clients) {
    return frs_session_trace_note(state, n_clients);
}

const struct frs_availability_model frs_availability_trace = {
    .plugin = {.name = "trace", .summary = "sessions from a file", .params = params},
    .create = create,
    .destroy = destroy,
    .at = at,
    .tie_to_fleet = tie_to_fleet,
    .average_day = average_day,
    .settle = settle,
    .note = note,
};
