/* User hosts: which hosts of a platform of the user's own the server and the clients live on. */
#ifndef FRS_ACTORS_LINKS_USER_HOSTS_H
#define FRS_ACTORS_LINKS_USER_HOSTS_H

#include "actors/simgrid.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_user_hosts {
    sg_host_t server;
    sg_host_t *clients; /* [n_clients] */
    size_t n_clients;
    bool left_out; /* the server's host has a name like theirs */
};

/* Finds them in the platform that SimGrid has loaded. `clients` is one text, which the names of the clients'
 * hosts begin with (then they are in the order of their numbers, without the server's), or several names of
 * hosts, separated by ";" (then they are in that order). NULL, or why there are none; freed by the caller.
 * Free `clients` afterwards in any case. */
char *frs_user_hosts_find(struct frs_user_hosts *hosts, const char *server, const char *clients);

/* Whether messages can go from the server to each client and back. NULL, or between which hosts they cannot;
 * freed by the caller. SimGrid ends the process at some routes that lack, so the two hosts that are looked at
 * stand in `now` before, as `"server" to "client1"`, of at most `size` bytes; "" at the end. */
char *frs_user_hosts_check_routes(const struct frs_user_hosts *hosts, char *now, size_t size);

#endif
