#include "sim/ledger/server_link.h"
#include "actors/retry_state.h"
#include "sim/base/errors.h"
#include "sim/ledger/entry_checks.h"

#include <math.h>
#include <stdlib.h>

/* Duration of a part alone on its own link, from a given time on; meanwhile the capacity may change, and
 * be 0 for a time. A part that ends where the capacity changes does not wait for a rounded fraction of a
 * byte. */
static double part_s(const struct frs_participation *p, const struct frs_own_links *links, bool up,
    double start_s, double bytes) {
    double now_s = start_s;
    while (bytes > 0) {
        double until_s, bytes_per_s = frs_own_links_capacity(links, p, up, now_s, &until_s);
        if (bytes <= bytes_per_s * (until_s + frs_clock_slack_s(until_s) - now_s))
            return now_s - start_s + bytes / bytes_per_s;
        bytes -= bytes_per_s * (until_s - now_s);
        now_s = until_s;
    }
    return now_s - start_s;
}

/* Duration of a message, or of its beginning. A message in slow start is computed part by part. */
static double alone_s(const struct frs_participation *p, const struct frs_own_links *links, bool up,
    const struct frs_try *try, double bytes) {
    struct frs_windows windows = {0};
    struct frs_slow_start slow_start = frs_participation_slow_start(
        p, up, try->slow_start_kind, &try->begun, &try->terms, try->whole_bytes, &windows);
    double now_s = try->start_s, wait_s;
    uint64_t left = (uint64_t)bytes;
    if (p->plan.by_packets)
        now_s += try->terms.latency_s[up];
    while (left > 0) {
        uint64_t part = frs_slow_start_next(&slow_start, left, &wait_s);
        double took_s = part_s(p, links, up, now_s, (double)part);
        left -= part;
        now_s += left > 0 ? fmax(took_s, wait_s) : took_s;
    }
    free(windows.of);
    return now_s - try->start_s;
}

/* When a message breaks off, up to a byte more has crossed than is known: its own link carried that. */
static double longer_s(const struct frs_participation *p, const struct frs_own_links *links, bool up,
    const struct frs_try *try, double from_s, double to_s) {
    double start_s = try->start_s, end_s = isnan(try->end_s) ? p->times.ended_s : try->end_s,
           bytes = (double)try->bytes;
    if (isnan(start_s))
        return 0;
    double took_s = end_s - start_s, slack_s = 2 * frs_clock_slack_s(end_s);
    if (took_s <= slack_s)
        return 0;
    double lone_s = alone_s(p, links, up, try, bytes);
    FRS_INVARIANT(took_s >= lone_s - 2 * slack_s - 1e-6 * lone_s || p->plan.by_packets,
        "client %u: a transfer of %.17g s takes %.17g s alone on its own link", p->client, took_s, lone_s);
    if (!try->whole)
        lone_s = alone_s(p, links, up, try, bytes + 1);
    double share = (fmin(end_s, to_s) - fmax(start_s, from_s)) / took_s;
    return took_s - lone_s > slack_s && share > 0 ? (took_s - lone_s) * share : 0;
}

double frs_server_link_s(const struct frs_participation *participation, const struct frs_own_links *links,
    double from_s, double to_s) {
    struct frs_try try;
    double sum_s = 0;
    for (int up = 0; up < 2; up++)
        for (size_t i = 0; !(up ? participation->plan.no_upload : participation->plan.no_download) &&
                           frs_try(participation, up, i, &try);
             i++)
            sum_s += longer_s(participation, links, up, &try, from_s, to_s);
    return sum_s;
}
