/* Load: what the participations of a run demand of the server over time, and how many clients there are
 * for them. It counts connections, bytes each way, and clients that are selected, online and eligible, by
 * hours of the server's clock.
 *
 * A client is connected from its first message (connecting included) to the end of its last one, including
 * exchanges around the upload, but not while it waits to connect anew; work after the upload needs no
 * connection. The bytes of a message are spread evenly over the time from its first byte to its last, and
 * the bytes of connecting over the time of connecting. The server's link bounds the sum of these rates.
 *
 * The load adds up reported participations in the order of time, and then forgets them: its memory grows
 * with the participations under way, not with those of the run. */
#ifndef FRS_LEDGER_LOAD_H
#define FRS_LEDGER_LOAD_H

#include "actors/participation.h"
#include "sim/ledger/rows.h"

#include <stdio.h>

struct frs_load;

/* clock_s: the server's clock when the run begins, in s after a midnight. link_bytes_per_s [2]: the
 * server's largest rates down and up; INFINITY: unlimited. hours: open file for hours.csv, or NULL; its
 * header is written at once. */
struct frs_load *frs_load_create(double clock_s, const double *link_bytes_per_s, FILE *hours);
void frs_load_destroy(struct frs_load *load);

/* A participation that has ended, and a round that has closed, with the server's encoding and aggregating. */
void frs_load_participation(struct frs_load *load, const struct frs_participation *participation);
void frs_load_round(struct frs_load *load, const struct frs_closed_round *closed);

/* So many clients were online at this time, and so many of all eligible; NAN: not known. */
void frs_load_count(struct frs_load *load, double time_s, double online, double eligible);

/* Nothing before safe_s will be told any more. */
void frs_load_until(struct frs_load *load, double safe_s);

/* Ends the load at end_s, or with the last reported participation, which may go on after the last round.
 * peak_bytes_per_s [2]: the largest rates down and up by the network layer's own count; NAN: it has none. */
void frs_load_end(struct frs_load *load, double end_s, const double *peak_bytes_per_s);

/* After the end: aborts unless so many bytes have been told, each way, and so much time of connections. */
void frs_load_check(const struct frs_load *load, uint64_t down_bytes, uint64_t up_bytes, double connected_s);

/* Counts over time, or over the hours of one kind. n = 0: there are none. */
struct frs_load_spread {
    double n, sum, least, most;
};

static inline double frs_load_mean(const struct frs_load_spread *spread) {
    return spread->n > 0 ? spread->sum / spread->n : __builtin_nan("");
}

/* Hours of the run, or parts of them. */
struct frs_load_hours {
    double n, seconds;
    struct frs_load_spread online, eligible; /* of the times at which clients were counted */
    struct frs_load_spread selected;         /* of the hours */
    double rounds;                           /* that closed */
    double connected_s;                      /* of all clients together */
    double most_connections;
    double bytes[2], most_bytes_per_s[2]; /* down, up; every message at its mean rate */
};

#define FRS_LOAD_HOURS 24u

/* Figures of the whole run, after its end. */
struct frs_load_figures {
    double end_s;
    double connected_s;             /* of all clients together */
    double some_s;                  /* in which at least one client was connected, */
    double busy_s;                  /* or the server worked; */
    double work_s;                  /* in which it worked */
    double mean, median, p95, peak; /* connections, over the time of the run */
    double median_of_some;          /* and over the time with at least one; NAN: there is none */
    double bytes[2];                /* down, up */
    double
        peak_bytes_per_s[2]; /* by the network layer's own count; where it has none, messages at mean rates */
};

struct frs_load_figures frs_load_figures(const struct frs_load *load);

/* [FRS_LOAD_HOURS] the hours of the server's clock; n = 0: the run had none of this kind. */
const struct frs_load_hours *frs_load_by_hour(const struct frs_load *load);

#endif
