/* Shared link: exact max-min fair rates of many flows through one link, each flow also bounded by a
 * capacity of its own.
 *
 * With flows i of own capacity c_i through a link of capacity C, rate_i = min(c_i, θ), where θ = (C − Σ of
 * the capped flows' capacities) / number of the others; or every rate is c_i when they fit together.
 * SimGrid's solver computes the same for a star; here an event costs O(log n) instead of O(n²).
 *
 * Flows of equal capacity form a group that advances a common service counter W (the bytes that each of
 * them has received). A flow ends when W reaches its tag, which is W at entry plus its bytes. Groups are
 * capped (W grows at c) or shared (W grows with the virtual clock V, dV = θ dt). Four heaps over groups
 * find the next end and the next group to change sides.
 *
 * Pure C: knows no clock but the times it is given, which must not decrease. */
#ifndef FRS_ACTORS_LINKS_SHARED_LINK_H
#define FRS_ACTORS_LINKS_SHARED_LINK_H

#include <stddef.h>
#include <stdint.h>

struct frs_shared_link;

/* `capacity_bytes_per_s` may be INFINITY: then every flow runs at its own capacity. */
struct frs_shared_link *frs_shared_link_create(double capacity_bytes_per_s);
void frs_shared_link_destroy(struct frs_shared_link *link);

/* Starts a flow `id` (chosen by the caller, small and reusable after its end) of `bytes` > 0 at `now_s`;
 * its own capacity is > 0. */
void frs_shared_link_add(
    struct frs_shared_link *link, uint32_t id, double now_s, double capacity_bytes_per_s, double bytes);

/* The link has another capacity from now_s on; 0: nothing gets through. */
void frs_shared_link_set_capacity(struct frs_shared_link *link, double now_s, double capacity_bytes_per_s);

/* Takes a flow out before its end; returns the bytes it has received. */
double frs_shared_link_remove(struct frs_shared_link *link, uint32_t id, double now_s);

/* Time of the next end, INFINITY when nothing flows. Takes all changes made so far into account. */
double frs_shared_link_next_s(struct frs_shared_link *link);

/* Ends one flow that is due at `now_s` (≥ the time that next_s gave) and returns 1 with its id, or 0 when
 * none is due. Flows that tie end together. */
int frs_shared_link_pop(struct frs_shared_link *link, double now_s, uint32_t *id);

/* Current rate of a flow. */
double frs_shared_link_rate(struct frs_shared_link *link, uint32_t id);

/* The largest rate of all flows together that has lasted for any time. */
double frs_shared_link_peak(const struct frs_shared_link *link);

size_t frs_shared_link_n(const struct frs_shared_link *link);

/* Bytes that the link has carried: the integral over time of all rates together, independent of what any
 * flow was to carry. *slack_bytes: by how much rounded times and service counters may have changed it. */
double frs_shared_link_carried(const struct frs_shared_link *link, double *slack_bytes);

#endif
