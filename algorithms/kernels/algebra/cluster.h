/* Clustering of rows: k-means, a one-dimensional variant of it, and FedRAS's cluster-and-split.
 *
 * Rows are [n × dim] float32, row-major and finite. Groups are numbered from 0, none is empty, and a group
 * stands for its members' mean. Everything returned lies in the arena.
 *
 * Operations are counted as they are run: n·k·(2·dim + 1) for n rows looking for the nearest of k centres,
 * n·dim for adding up members, 2·dim for a product of two rows, n·log2 n for sorting. */
#ifndef FRS_ALGORITHMS_CLUSTER_H
#define FRS_ALGORITHMS_CLUSTER_H

#include "sim/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct frs_rng;

struct frs_groups {
    size_t n_groups;
    uint32_t *group; /* [n], of each row */
    float *centres;  /* [n_groups × dim] */
    double flop;     /* that finding them took */
};

/* Lloyd's k-means: random distinct rows as start, at most 10 iterations, a group that runs empty takes the
 * row that is farthest from its centre. At most k groups. */
struct frs_groups frs_kmeans(
    const float *rows, size_t n, size_t dim, size_t k, struct frs_rng *rng, struct frs_arena *arena);

/* The same in two levels, for many groups: first about √k groups, each of which is then divided separately
 * into its share of the k. Costs √k/2 times less. */
struct frs_groups frs_kmeans_two_level(
    const float *rows, size_t n, size_t dim, size_t k, struct frs_rng *rng, struct frs_arena *arena);

/* One-dimensional: rows are projected on the leading direction (two power steps), sorted, cut, and
 * improved by Lloyd's iterations on the line. One client's update is almost of rank one, so this loses
 * less than a k-means from a random start, and costs a tenth. */
struct frs_groups frs_kmeans_projected(
    const float *rows, size_t n, size_t dim, size_t k, struct frs_arena *arena);

/* Cluster-and-split (Lu et al. 2025, section 4.3). Starting from `start` groups, the group with the lowest
 * average cosine similarity to its centre is split repeatedly until a stop. Its two least similar members
 * begin the two parts, and each other member joins the one it is more similar to.
 *
 * The stop is at `most` groups, or as soon as the lowest average similarity exceeds `threshold`; NAN: at
 * `expected` groups. (The paper says "falls below". Splitting raises similarity, so under that rule it
 * would end at once or never.) The lowest similarity at `expected` groups is recorded. If the stop comes
 * earlier, splitting continues only to find that value, and the groups at the stop are returned. */
struct frs_split_settings {
    size_t expected, most;
    double threshold;
};

struct frs_groups frs_split_groups(const float *rows, size_t n, size_t dim, const struct frs_groups *start,
    const struct frs_split_settings *settings, struct frs_arena *arena, double *recorded);

/* Means of the members; [n_groups × dim]. */
float *frs_group_centres(
    const float *rows, size_t n, size_t dim, const uint32_t *group, size_t n_groups, struct frs_arena *arena);

/* Σ over the rows of ‖row − centre of its group‖². */
double frs_group_error(const float *rows, size_t n, size_t dim, const struct frs_groups *groups);

#endif
