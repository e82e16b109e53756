/* Max-min: fair rates of flows over two links each, the sender's uplink and the receiver's downlink.
 *
 * Progressive filling (Bertsekas and Gallager 1992, section 6.5.2): all rates grow alike until a link is
 * full; its flows keep that rate, and the others grow on. Every flow thus has one link that is full and on
 * which no flow is faster. SimGrid's solver computes the same. Pure. */
#ifndef FRS_ACTORS_PEERS_MAX_MIN_H
#define FRS_ACTORS_PEERS_MAX_MIN_H

#include <stddef.h>
#include <stdint.h>

struct frs_max_min;

/* bytes_per_s [n_links] > 0, copied. */
struct frs_max_min *frs_max_min_create(const double *bytes_per_s, uint32_t n_links);
void frs_max_min_destroy(struct frs_max_min *max_min);

/* The rates [n] of flows over these links, two different ones each. The same whatever was solved before. */
void frs_max_min_solve(struct frs_max_min *max_min, const uint32_t (*links)[2], uint32_t n, double *rates);

#endif
