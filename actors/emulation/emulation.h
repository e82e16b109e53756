/* Emulation: rounds over the kernel's TCP. Server, edges and clients are processes with a network namespace
 * each, and the links between them are a process that forwards packets (actors/emulation/router.h). The
 * engine backend `sockets` lets messages cross and reports the times at which they really did. */
#ifndef FRS_ACTORS_EMULATION_EMULATION_H
#define FRS_ACTORS_EMULATION_EMULATION_H

#include "actors/carried.h"
#include "actors/emulation/emulated_edge.h"
#include "actors/participation.h"
#include "sim/base/limits.h"
#include "sim/base/status.h"

#define FRS_MOST_EMULATED_CLIENTS FRS_LIMIT_EMULATED_CLIENTS
#define FRS_MOST_EMULATED_EDGES FRS_LIMIT_EMULATED_EDGES
#define FRS_MOST_EMULATED_BYTES_PER_S                                                                        \
    (FRS_LIMIT_EMULATED_MBIT_PER_S * 1e6 / 8) /* of all links together: what the router keeps up with */
#define FRS_MOST_EMULATED_MESSAGE_BYTES ((unsigned)FRS_LIMIT_EMULATED_MESSAGE_MIB << 20)

struct frs_emulation;

struct frs_emulation_settings {
    size_t n_lines; /* network namespaces of clients */
    bool by_client; /* client i keeps line i and its connection; otherwise a line serves one participation
                       after the other */
    bool tls, tls_again; /* connections use TLS: the first one of a participation, and those after a break */
    bool keeps_windows;  /* of connections that were idle */
    double server_bytes_per_s[2]; /* down, up; INFINITY: never the bottleneck */
    double queue_s;
    bool fair;
    struct frs_emulated_edge edges[FRS_MOST_EMULATED_EDGES]; /* [n_edges]; 0: clients talk to the server */
    size_t n_edges;
    double speed_up; /* all times are divided by it, rates multiplied */
    double limit_s;  /* of real time; the run fails when it is over */
};

/* How links come about; `context` is the caller's. */
struct frs_emulation_links {
    /* Plans a client's links in their state before the first round. Connections that are kept are opened
     * then. */
    void (*plan)(void *context, struct frs_participation *participation);
    /* Capacity of a client's link, or of the server's, at now_s and the time until which it stays so.
     * NULL: always the capacity of the participation's plan, or of the settings. */
    double (*capacity)(
        void *context, const struct frs_participation *participation, bool up, double now_s, double *until_s);
    double (*server_capacity)(void *context, bool up, double now_s, double *until_s);
    /* The edge of a client. NULL: there are no edges. */
    uint32_t (*edge_of)(void *context, uint32_t client);
    /* Is the n-th packet lost that has passed all links of the participation? NULL: none is. */
    bool (*lost)(void *context, struct frs_participation *participation, uint32_t n);
    /* The emulation has failed, and says why. Does not return. */
    void (*fail)(void *context, const char *why);
    void *context;
};

/* A process that could not run for 5 ms or longer, while messages were, or might be, under way. */
struct frs_paused_process {
    char name[32]; /* "the server", "the client on line 3" */
    uint64_t n;    /* how often, */
    double paused_s, greatest_s;
    bool matters; /* more than 0.2 % of the time: what the run measured cannot be trusted */
};

/* What it was like. */
struct frs_emulation_record {
    const char *kernel, *tls; /* tls NULL: none was used */
    double speed_up;
    bool real_time;                        /* the router went before all others */
    uint64_t n_packets, n_dropped, n_lost; /* in full queues, and at random */
    uint64_t n_late, n_pauses; /* packets later than 0.5 ms; times without router longer than 5 ms */
    double paused_s, active_s; /* these together; and how long messages were, or might be, under way */
    double greatest_pause_s, greatest_lateness_s; /* of the network, and of a packet */
    double greatest_absence_s;                    /* of the server from its connections */
    /* By how long, the longest first. */
    struct frs_paused_process paused[FRS_MOST_EMULATED_CLIENTS + FRS_MOST_EMULATED_EDGES + 3];
    size_t n_paused;
    bool trusted; /* no process paused for more than 0.2 % of the time */
};

/* Starts the processes of the emulation, before any thread is started. Fails with FRS_ERR_INPUT, and a
 * line, where rights are missing. */
enum frs_status frs_emulation_create(const struct frs_emulation_settings *settings,
    struct frs_emulation **emulation, struct frs_errors *errors) FRS_MUST_CHECK;

/* Ends all its processes; NULL is allowed. */
void frs_emulation_destroy(struct frs_emulation *emulation);

/* Before the first round. */
void frs_emulation_set_links(struct frs_emulation *emulation, const struct frs_emulation_links *links);

/* Bytes of messages that have arrived, counted where they did, and those used by opening connections. */
struct frs_carried frs_emulation_carried(const struct frs_emulation *emulation);

struct frs_emulation_record frs_emulation_record(const struct frs_emulation *emulation);

#endif
