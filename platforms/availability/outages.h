/* Outages: a share of the clients, or a region, is offline from one time to another.
 *
 * Written as a list: "25 % from 2 h to 3 h; region 1 of 4 from 30 min to 40 min; all from 1 d to 25 h".
 *
 *   a share    every client is in it with this probability, by its own draw for this outage (a stream of
 *              seed, client and position in the list, purpose OUTAGE), so membership does not depend on
 *              the
 *              number of clients; a larger share takes the same clients and some more
 *   a region   region r of n holds the clients whose id modulo n is r − 1
 *   all        every client
 *
 * An outage lasts from its first time up to, but not at, its second. Outages may overlap. */
#ifndef FRS_PLATFORMS_AVAILABILITY_OUTAGES_H
#define FRS_PLATFORMS_AVAILABILITY_OUTAGES_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_values;

/* The key, for the parameter table of the section that holds it (`availability`). */
#define FRS_OUTAGES_PARAMS                                                                                   \
    {                                                                                                        \
        .key = "outages", .type = FRS_TEXT, .initial = "",                                                   \
        .help = "who is cut off and when: \"25 % from 2 h to 3 h; region 1 of 4 from 30 min to 40 min\""     \
    }

struct frs_outage {
    double from_s, to_s;
    double share;             /* in (0, 1]; 0: a region */
    uint32_t region, regions; /* with share 0: ids ≡ region (mod regions) */
    uint32_t index;           /* position in the list as it was written */
};

struct frs_outages {
    struct frs_outage *list; /* by starting time */
    size_t n;
    uint64_t seed;
};

/* Reads the key; false after adding errors, *outages is then empty. */
bool frs_outages_read(
    struct frs_outages *outages, const struct frs_values *values, uint64_t seed, struct frs_errors *errors);

void frs_outages_fini(struct frs_outages *outages);

/* Whether the client is outside of every outage at t_s ≥ 0; *until_s: the time, later than t_s, at which that
 * changes, INFINITY if it never does. */
bool frs_outages_at(const struct frs_outages *outages, uint32_t client, double t_s, double *until_s);

#endif
