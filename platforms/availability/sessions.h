/* Sessions: the text of an availability trace as sorted sessions per client. */
#ifndef FRS_PLATFORMS_AVAILABILITY_SESSIONS_H
#define FRS_PLATFORMS_AVAILABILITY_SESSIONS_H

#include "platforms/availability/device_state.h"
#include "sim/base/status.h"

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

struct frs_sessions {
    uint32_t *clients;        /* [n_clients] ids in ascending order */
    size_t *first;            /* [n_clients + 1] where a client's sessions start in `list` */
    struct frs_session *list; /* per client by time; not overlapping, and not touching in one state */
    size_t n_clients;
};

/* Parses `text`, the n bytes of `path`: lines "client,start_s,end_s" in any order, with client an id from 0
 * to 2^32 − 2 and 0 ≤ start < end in seconds, end ≤ latest_s (INFINITY: any). A first line
 * "client,start_s,end_s", blank lines, lines that start with # and a byte order mark are skipped. Sessions of
 * a client that overlap or touch become one. with_states: lines "client,start_s,end_s,link,charging,in_use",
 * the link wifi, metered or off, the other two 0 or 1; those of a client that overlap are an error. Every
 * malformed line is an input error with file:line, up to five. On failure *sessions is empty. */
bool frs_sessions_parse(struct frs_sessions *sessions, const char *path, const char *text, size_t n,
    bool with_states, double latest_s, struct frs_errors *errors);

/* The same of the file at `path`. */
bool frs_sessions_load(struct frs_sessions *sessions, const char *path, bool with_states, double latest_s,
    struct frs_errors *errors);

void frs_sessions_fini(struct frs_sessions *sessions);

#endif
