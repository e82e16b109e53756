/* Sessions: the text of an availability trace as sorted sessions per client. */
#ifndef FRS_PLATFORMS_AVAILABILITY_SESSIONS_H
#define FRS_PLATFORMS_AVAILABILITY_SESSIONS_H

#include "platforms/availability/session_rows.h"

struct frs_sessions {
    uint32_t *clients;        /* [n_clients] what `ids` makes of their ids, in ascending order */
    size_t *first;            /* [n_clients + 1] where a client's sessions start in `list` */
    struct frs_session *list; /* per client by time; not overlapping, and not touching in one state */
    size_t n_clients;
    struct frs_client_ids ids;
    bool are_absolute; /* times are dates, or seconds of the epoch */
    double begin_s;    /* what is 0 s in `list`; where are_absolute, since 1970-01-01 UTC */
    size_t n_before;   /* lines that end before it, and were left out */
};

/* Reads a CSV file with the columns client, start_s and end_s, which its first line may put in any order
 * (start_ms and start are possible, too), and with_states also link (wifi, metered or off), charging and
 * in_use (0 or 1 each). Times are seconds, dates, or what the epoch has by now: milliseconds or microseconds
 * are recognised by their size. Dates and times of the epoch begin at the first of the file, others at 0,
 * unless `begin` says otherwise. Sessions of a client that overlap or touch become one; with_states those
 * that overlap are an error. Every malformed line is an input error with file:line, up to five. On failure
 * *sessions is empty. */
bool frs_sessions_load(struct frs_sessions *sessions, const char *path,
    const struct frs_sessions_format *format, struct frs_errors *errors);

/* Gives each client another number: numbers[i] instead of clients[i]; UINT32_MAX: its sessions are left out.
 * No two may be the same. */
void frs_sessions_renumber(struct frs_sessions *sessions, const uint32_t *numbers);

void frs_sessions_fini(struct frs_sessions *sessions);

#endif
