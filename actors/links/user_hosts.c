#include "actors/links/user_hosts.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "client2" before "client10". */
static int by_number(const void *a, const void *b) {
    const char *x = frs_simgrid.sg_host_get_name(*(const sg_host_t *)a),
               *y = frs_simgrid.sg_host_get_name(*(const sg_host_t *)b);
    size_t n = strlen(x), m = strlen(y);
    return n != m ? (n > m) - (n < m) : strcmp(x, y);
}

/* SimGrid makes the list of its hosts anew whenever it is asked for it, or for their number. */
static char *find_by_prefix(struct frs_user_hosts *hosts, const char *prefix) {
    sg_host_t *all = frs_simgrid.sg_host_list();
    const size_t n_all = frs_simgrid.sg_host_count();
    hosts->clients = frs_alloc(n_all, sizeof *hosts->clients);
    for (size_t i = 0; i < n_all; i++) {
        if (strncmp(frs_simgrid.sg_host_get_name(all[i]), prefix, strlen(prefix)) != 0)
            continue;
        if (all[i] == hosts->server)
            hosts->left_out = true;
        else
            hosts->clients[hosts->n_clients++] = all[i];
    }
    free(all);
    qsort(hosts->clients, hosts->n_clients, sizeof *hosts->clients, by_number);
    if (hosts->n_clients > 0)
        return NULL;
    return frs_format("it has no host%s whose name starts with \"%s\" (platform.clients)",
        hosts->left_out ? " but the server's" : "", prefix);
}

static char *find_by_names(struct frs_user_hosts *hosts, char *const *names, size_t n) {
    hosts->clients = frs_alloc(n, sizeof *hosts->clients);
    for (size_t i = 0; i < n; i++) {
        sg_host_t host = frs_simgrid.sg_host_by_name(names[i]);
        if (!host)
            return frs_format("it has no host \"%s\" (platform.clients)", names[i]);
        if (host == hosts->server)
            return frs_format("host \"%s\" is the server's (platform.server) and cannot be a client's, too "
                              "(platform.clients)",
                names[i]);
        for (size_t other = 0; other < i; other++)
            if (hosts->clients[other] == host)
                return frs_format("host \"%s\" stands twice in platform.clients", names[i]);
        hosts->clients[hosts->n_clients++] = host;
    }
    return NULL;
}

char *frs_user_hosts_find(struct frs_user_hosts *hosts, const char *server, const char *clients) {
    *hosts = (struct frs_user_hosts){.server = frs_simgrid.sg_host_by_name(server)};
    if (!hosts->server)
        return frs_format("it has no host \"%s\" (platform.server)", server);
    char **names;
    size_t n = frs_texts_split(clients, &names);
    char *why = n == 0   ? frs_strdup("no client has a host (platform.clients is empty)")
                : n == 1 ? find_by_prefix(hosts, names[0])
                         : find_by_names(hosts, names, n);
    frs_texts_free(names);
    return why;
}

/* Beyond these a run of a few rounds has no end: SimGrid's clock no longer moves. They are those of generated
 * links. */
#define LEAST_BYTES_PER_S 1.0
#define MOST_LATENCY_S 1e9

/* A route of no links has a bandwidth of -1; SimGrid sends over one only where it has a latency (Vivaldi's
 * zones). */
static bool can_send(sg_host_t from, sg_host_t to) {
    double bytes_per_s = frs_simgrid.sg_host_get_route_bandwidth(from, to),
           latency_s = frs_simgrid.sg_host_get_route_latency(from, to);
    if (!(latency_s >= 0 && latency_s <= MOST_LATENCY_S))
        return false;
    return bytes_per_s >= LEAST_BYTES_PER_S || (bytes_per_s == -1 && latency_s > 0);
}

char *frs_user_hosts_check_routes(const struct frs_user_hosts *hosts, char *now, size_t size) {
    for (size_t i = 0; i < hosts->n_clients; i++)
        for (int up = 0; up < 2; up++) {
            sg_host_t from = up ? hosts->clients[i] : hosts->server,
                      to = up ? hosts->server : hosts->clients[i];
            snprintf(now, size, "\"%s\" to \"%s\"", frs_simgrid.sg_host_get_name(from),
                frs_simgrid.sg_host_get_name(to));
            if (!can_send(from, to))
                return frs_format(
                    "no message can go from host %s; allowed: a route of at least one link from "
                    "the server to each client and back, with 1 byte/s or more and a latency of "
                    "0 to 1e9 s",
                    now);
        }
    *now = '\0';
    return NULL;
}
