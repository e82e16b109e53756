/* Wire: what the processes of an emulation tell each other outside the simulated network. The server gives
 * orders to its clients and edges and describes the links to the router; clients and edges report when
 * something has ended. Times are those of the monotonic clock, which all processes of a machine share. */
#ifndef FRS_ACTORS_EMULATION_WIRE_H
#define FRS_ACTORS_EMULATION_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FRS_EMULATED_LINES 60          /* at most */
#define FRS_EMULATED_EDGES 20          /* at most */
#define FRS_EMULATED_BYTES (16u << 20) /* of a message, at most */
#define FRS_EMULATED_PORT 4800
#define FRS_LOSS_DRAWS 4096 /* of packets of a participation; then they begin again */

/* 10.0.0.1 is the server, line i is 10.0.1.(i + 1), edge i is 10.0.2.(i + 1); host byte order. */
#define FRS_SERVER_ADDRESS 0x0a000001u
#define FRS_LINE_ADDRESS(line) (0x0a000101u + (uint32_t)(line))
#define FRS_EDGE_ADDRESS(edge) (0x0a000201u + (uint32_t)(edge))

/* Where a line ends. */
static inline uint32_t frs_hub_address(uint32_t hub) {
    return hub == 0 ? FRS_SERVER_ADDRESS : FRS_EDGE_ADDRESS(hub - 1);
}

/* What the processes of a line (its client, and its edge) share with the server; the rest goes over the
 * network. An edge keeps a message that it stores in the mailbox of the line that it is from or, of a
 * download for several lines, of the first of them. */
struct frs_mailbox {
    _Atomic uint64_t received_bytes; /* of the transfer down under way */
    uint8_t download[FRS_EMULATED_BYTES], upload[FRS_EMULATED_BYTES];
    _Atomic uint64_t stored_bytes; /* by the edge, of the upload */
    /* Of the messages down and up over the backhaul: bytes that have crossed, and when the first one was
     * handed to the kernel of the sender. */
    _Atomic uint64_t crossed_bytes[2];
    _Atomic double forwarded_s[2];
    uint8_t edge_download[FRS_EMULATED_BYTES], edge_upload[FRS_EMULATED_BYTES];
};

enum frs_order_kind {
    FRS_ORDER_CONNECT, /* opens a connection to `hub`, which sees it */
    FRS_ORDER_RECEIVE, /* `n` bytes into the mailbox's download from `at` on */
    FRS_ORDER_COMPUTE, /* does nothing until `until_s`; replaces one that is under way */
    FRS_ORDER_SEND,    /* `n` bytes of the mailbox's upload from `at` on */
    FRS_ORDER_ABORT,   /* the connection breaks, whatever is under way ends */
};

struct frs_order {
    enum frs_order_kind kind;
    bool tls;
    uint32_t hub;    /* 0: the server, 1 + i: edge i */
    uint64_t number; /* of the order, ascending */
    uint64_t at, n;
    double until_s;
};

/* To an edge. Those for a line have the number of the order that its client has for it; those for the
 * backhaul the number of the connection. */
enum frs_edge_order_kind {
    FRS_EDGE_AWAIT, /* the client of `line` connects */
    FRS_EDGE_SEND,  /* to it: `n` bytes from `at` on of the download that is in the mailbox of line `from` */
    FRS_EDGE_RECEIVE, /* from it: `n` bytes into its mailbox's edge_upload from `at` on */
    FRS_EDGE_ABORT,   /* the connection with it breaks */
    FRS_EDGE_CONNECT, /* to the server; what was under way over the backhaul before ends */
    FRS_EDGE_TAKE,    /* from the server, next: `n` bytes into the edge_download of `line` */
    FRS_EDGE_FORWARD, /* to the server, next: `n` bytes of the edge_upload of `line` */
};

struct frs_edge_order {
    enum frs_edge_order_kind kind;
    bool tls;
    uint32_t line, from;
    uint64_t number, at, n;
};

enum frs_report_kind {
    FRS_REPORT_RECEIVED,
    FRS_REPORT_COMPUTED,
    FRS_REPORT_BROKEN,
    /* Of edges. */
    FRS_REPORT_CONNECTED, /* a client is */
    FRS_REPORT_STORED,    /* a client's upload is */
    FRS_REPORT_TAKEN,     /* the download of `line` is stored */
    FRS_REPORT_CUT_OFF,   /* the backhaul broke by itself */
};

struct frs_report {
    enum frs_report_kind kind;
    uint32_t line;   /* of edges */
    uint64_t number; /* of the order it answers */
    double time_s;
};

/* What a client or an edge says first on a new connection; with headers about the 80 bytes that the model
 * counts. */
struct frs_request {
    uint64_t number;       /* of the order to connect */
    uint8_t line, zero[5]; /* of an edge: FRS_EMULATED_LINES and its number */
};

enum frs_router_order_kind { FRS_ROUTER_PATH, FRS_ROUTER_RATE };

/* To the router: the links of a line from now on, in seconds and in bytes of payload per second of the
 * clock; or a change of one link at a given time. */
struct frs_router_order {
    enum frs_router_order_kind kind;
    uint32_t line;                    /* FRS_EMULATED_LINES: the server's own links */
    uint32_t hub;                     /* PATH: where the line ends; 0: the server, 1 + i: edge i */
    bool cut;                         /* PATH: nothing gets through */
    bool anew;                        /* PATH: of another client, nothing is on it any more */
    bool loses, up;                   /* PATH: by `lost`; RATE: the link up */
    double bytes_per_s[2];            /* down, up; RATE: [up] */
    double latency_s[2];              /* PATH */
    double from_s;                    /* RATE */
    uint8_t lost[FRS_LOSS_DRAWS / 8]; /* whether the n-th packet with payload is, after its last link */
};

#define FRS_PAUSE_S                                                                                          \
    0.005 /* times in which a process could not run are counted if they are as long as this                  \
           */

/* Set by the server: whether messages may be under way, and since when. */
struct frs_activity {
    _Atomic bool active;
    _Atomic double from_s;
};

/* What a process has seen of its own pauses while messages were under way (actors/emulation/watchdog.h). */
struct frs_pauses {
    _Atomic uint64_t n;
    _Atomic double paused_s, greatest_s; /* all of them together, and the longest, counted or not */
};

/* What the processes have seen of themselves. */
struct frs_router_record {
    struct frs_activity activity;
    struct frs_pauses server, router, supervisor, clients[FRS_EMULATED_LINES], edges[FRS_EMULATED_EDGES];
    bool real_time;
    _Atomic uint64_t n_packets, n_dropped, n_lost;
    _Atomic uint64_t n_late;            /* forwarded more than half a millisecond after their time */
    _Atomic double active_s;            /* how long the router saw that messages were under way */
    _Atomic double greatest_lateness_s; /* of a packet */
};

#endif
