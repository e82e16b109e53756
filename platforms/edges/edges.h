/* Edges: points between the clients and the server that store messages and forward them.
 *
 * A client belongs to one edge, for the whole run, and its own links lead there. All clients of an edge
 * share its access side, down and up. One backhaul link joins the edge to the server, with a capacity each
 * way and a latency that every message pays; the server's own link (network.server_downlink,
 * server_uplink) is shared by the backhauls. Every client's edge follows from the seed, so the assignment
 * is the same in every round and in every cell of a sweep. */
#ifndef FRS_PLATFORMS_EDGES_EDGES_H
#define FRS_PLATFORMS_EDGES_EDGES_H

#include "sim/base/settings/param.h"
#include "sim/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct frs_values;
struct frs_edge_failures; /* platforms/edges/edge_failures.h */

extern const struct frs_param frs_edges_params[]; /* section `network.edges` */

enum frs_edge_assignment {
    FRS_EDGES_RANDOM,  /* drawn, with the edges' shares as weights */
    FRS_EDGES_IN_TURN, /* client i belongs to edge i mod n */
    FRS_EDGES_CLASS,   /* drawn among the edges of the client's class of network */
    FRS_EDGES_REGION,  /* drawn among the edges of the client's region, of those that outages have */
};

/* Capacities are whole bytes per second, at least 1, or INFINITY; [2]: down, up. */
struct frs_edge {
    char *name; /* NULL: the table names none */
    double backhaul_bytes_per_s[2];
    double latency_s;             /* of the backhaul, one way */
    double access_bytes_per_s[2]; /* that its clients share */
    double share;                 /* weight among those that a client is drawn from; > 0 */
    char *class;                  /* of network, whose clients it serves; NULL: any */
    uint32_t region;              /* whose clients it serves, counted from 1; 0: the table has none */
    double flop_per_s;            /* of adding; INFINITY: it takes no time */
    double memory_bytes;          /* INFINITY: no limit */
    size_t line;                  /* of the table */
};

/* All zero: clients talk to the server itself. */
struct frs_edges {
    struct frs_edge *list; /* [n] */
    uint32_t n;
    enum frs_edge_assignment assignment;
    const char *path;                   /* of the table, borrowed; NULL: none */
    double packet_loss;                 /* share of the packets that backhauls lose at random */
    bool partial_sums;                  /* they add up the uploads of their clients */
    bool keeps_windows;                 /* connections to the server keep their windows while they are idle */
    struct frs_edge_failures *failures; /* NULL: none fails */
    uint32_t *of_client;                /* [n_clients] once they are settled */
};

/* Returns false after adding errors; there are no edges then. */
bool frs_edges_read(
    struct frs_edges *edges, const struct frs_values *values, uint64_t seed, struct frs_errors *errors);

/* Reads the table of edges: a line each, with columns such as down_Mbit_s, up_Mbit_s, latency_ms,
 * access_down_Mbit_s, access_up_Mbit_s, speed_Gflop_s, memory_MiB, share, class, region and name; `like` is
 * what a column that is not there says. Returns false after adding an error. */
bool frs_edges_read_table(
    struct frs_edges *edges, const char *path, const struct frs_edge *like, struct frs_errors *errors);

/* What decides a client's edge. */
struct frs_edge_clients {
    uint32_t n;
    uint64_t seed;
    const char *(*class_of)(const void *network, uint64_t seed, uint32_t client); /* its class of network */
    const void *network;
    uint32_t regions; /* client i is in region 1 + i mod regions; 0: there are none, or of several numbers */
};

/* Gives each client its edge. Returns false after adding an error where a class or region has no edge, or
 * there are no regions. */
bool frs_edges_settle(struct frs_edges *edges, const struct frs_values *values,
    const struct frs_edge_clients *clients, struct frs_errors *errors);

void frs_edges_fini(struct frs_edges *edges);

#endif
