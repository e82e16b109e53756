/* User platform: a SimGrid platform of the user's own instead of generated links.
 *
 * The file describes hosts, links and routes as SimGrid reads them. One host is the server; the clients live
 * on the hosts whose names start with a prefix, in the order of their numbers and without the server's, or on
 * those of a list: client i on the (i mod n)-th of them. Bandwidth, latency and sharing are the platform's,
 * simulated by SimGrid's own solver; the scenario's own links, jitter, traces and server links do not apply,
 * nor does anything that stops a transfer at a given time (sessions that end, mean times between failures,
 * server restarts), because SimGrid does not tell what a stopped transfer had carried over shared links.
 * Losses by probability do apply: they stop after a share of the message. Computing is the scenario's
 * (section devices), not the hosts'. */
#ifndef FRS_PLATFORMS_NETWORKS_USER_PLATFORM_H
#define FRS_PLATFORMS_NETWORKS_USER_PLATFORM_H

#include "sim/base/settings/param.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_values;

extern const struct frs_param frs_user_platform_params[]; /* section `platform` */

struct frs_user_platform {
    const char *file;    /* NULL: none, links are generated */
    const char *server;  /* name of its host */
    const char *clients; /* a prefix of the names of theirs, or names separated by ";" */
    size_t n_hosts;      /* of clients; counted by compose, which has the file examined; 0 before */
    bool left_out;       /* the server's host has a name like theirs, and is none of them */
};

/* Texts are borrowed from `values`. Adds an error and gives no file when it cannot be read. */
struct frs_user_platform frs_user_platform_read(const struct frs_values *values, struct frs_errors *errors);

#endif
