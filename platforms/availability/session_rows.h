/* Session rows: the lines of an availability trace, before they are sorted. */
#ifndef FRS_PLATFORMS_AVAILABILITY_SESSION_ROWS_H
#define FRS_PLATFORMS_AVAILABILITY_SESSION_ROWS_H

#include "platforms/availability/device_state.h"
#include "platforms/tables/client_ids.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_session {
    double start_s, end_s; /* from start_s up to, but not at, end_s, */
    unsigned state;        /* online (1), or in a state of the device (frs_session_state) */
};

/* A state of a device as a number from 1 to FRS_SESSION_STATES − 1; 0 stands for no session, in which a
 * device is off, neither charging nor in use. */
#define FRS_SESSION_STATES 16u
unsigned frs_session_state(const struct frs_device_state *state);
struct frs_device_state frs_session_device(unsigned state);

/* How to read a file. */
struct frs_sessions_format {
    bool with_states;
    const char
        *begin; /* the time in the file at which the run begins, as a user writes it; "": the usual one */
    double latest_s; /* the latest end, from there on; INFINITY: any */
};

struct frs_session_row {
    uint32_t client;
    struct frs_session session;
    size_t line;
};

struct frs_session_rows {
    struct frs_session_row *list; /* [n] */
    size_t n, capacity;
    struct frs_client_ids ids;
    bool are_absolute;
    double begin_s;
    size_t n_before;
};

/* So many mistakes are named at most. */
enum { FRS_SESSION_MISTAKES = 5 };

/* As frs_sessions_load. The caller ends *rows in any case. */
bool frs_session_rows_read(struct frs_session_rows *rows, const char *path,
    const struct frs_sessions_format *format, struct frs_errors *errors);

void frs_session_rows_fini(struct frs_session_rows *rows);

#endif
