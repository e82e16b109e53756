/* Session trace: sessions of a file, spread over clients and repeated, and until when a client stays in or
 * out of certain states. */
#ifndef FRS_PLATFORMS_AVAILABILITY_SESSION_TRACE_H
#define FRS_PLATFORMS_AVAILABILITY_SESSION_TRACE_H

#include "platforms/availability/average_day.h"
#include "platforms/availability/model.h"
#include "platforms/availability/sessions.h"
#include "sim/base/settings/units.h"

extern const char *const frs_trace_clients_names[];

/* The keys, for the parameter table of a model. */
#define FRS_SESSION_TRACE_PARAMS(file_help, has_what)                                                        \
    {.key = "file", .is_path = true, .type = FRS_TEXT, .initial = "", .help = file_help},                    \
        {.key = "clients",                                                                                   \
            .type = FRS_CHOICE,                                                                              \
            .choices = frs_trace_clients_names,                                                              \
            .initial = "exact",                                                                              \
            .help = has_what "exact: client i has the sessions of client i of the file, or none (where "     \
                             "clients are drawn "                                                            \
                             "from a table with a column client: those of its row's client); cycle: the "    \
                             "i-th client of "                                                               \
                             "the file, counted round and round"},                                           \
        {.key = "period",                                                                                    \
            .type = FRS_QUANTITY,                                                                            \
            .by_class = true,                                                                                \
            .dimension = FRS_TIME,                                                                           \
            .initial = "0 s",                                                                                \
            .min = 0,                                                                                        \
            .max = INFINITY,                                                                                 \
            .help =                                                                                          \
                has_what "the trace starts again after this time; 0 s: it does not, and all clients are "    \
                         "offline after it"},                                                                \
    {                                                                                                        \
        .key = "begin", .type = FRS_TEXT, .initial = "",                                                     \
        .help = has_what "the time in the file at which the run begins: a number of seconds, or a date; "    \
                         "empty: 0, or the first time of a file of dates or of times of the epoch"           \
    }

struct frs_session_trace {
    char *path;
    struct frs_sessions sessions;
    bool cycles;     /* through the clients of the file */
    double period_s; /* INFINITY: the trace does not repeat */
    uint64_t seed;
    uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client); /* NULL: a client's own */
    const void *fleet;
    size_t n_foreign; /* clients of the file that the fleet does not have */
};

/* Reads keys and file; `with_states` as frs_sessions_load. False after adding errors. */
bool frs_session_trace_read(struct frs_session_trace *trace, const struct frs_values *values, uint64_t seed,
    bool with_states, struct frs_errors *errors);
/* As `settle` and `note` of a model (platforms/availability/model.h). */
bool frs_session_trace_settle(struct frs_session_trace *trace, const struct frs_values *values,
    const struct frs_file_clients *clients, struct frs_errors *errors);
char *frs_session_trace_note(const struct frs_session_trace *trace, uint32_t n_clients);

void frs_session_trace_fini(struct frs_session_trace *trace);

/* Returns the session of the client at t_s ≥ 0, or NULL. *in: whether bit `state` of `states` is set for
 * it; bit 0 stands for no session. *until_s: the time, later than t_s, at which *in changes; INFINITY:
 * never. */
const struct frs_session *frs_session_trace_at(const struct frs_session_trace *trace, uint32_t client,
    uint32_t states, double t_s, bool *in, double *until_s);

/* Adds to an average day how many of these clients are in the states. A trace of less than a day counts as
 * a day by itself; of a longer one only its whole days count. */
void frs_session_trace_average(const struct frs_session_trace *trace, uint32_t states,
    const uint32_t *clients, size_t n, struct frs_average_day *day);

#endif
