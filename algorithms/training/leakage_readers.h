/* Readers: ways in which an honest-but-curious server distinguishes a client's interactions from the other
 * rows of its upload. Each gives a score to every row that the client has changed; interactions should
 * have the largest scores.
 *
 * In methods that factorise matrices, the rows of one client move along one direction, that of its vector.
 * They differ in how far and which way they move, and what that depends on. A gradient −2 (r − u·y) u lies
 * on a line over u·y, which the server knows up to the length of u, and all rows with one target r are on
 * the same line. */
#ifndef FRS_ALGORITHMS_TRAINING_LEAKAGE_READERS_H
#define FRS_ALGORITHMS_TRAINING_LEAKAGE_READERS_H

#include "algorithms/rows.h"

enum frs_reads {
    FRS_READS_LENGTH,  /* what moved furthest, whichever way */
    FRS_READS_SIDE,    /* rows that moved to the less frequent side along the direction, furthest first */
    FRS_READS_CLUSTER, /* the same with the smaller of two clusters (2-means) along it */
    FRS_READS_LINE, /* the rows furthest from the line of most rows: how far a row moved along the direction,
                       against its length along it when it was sent */
    FRS_READERS,
};

/* An item and its score. */
struct frs_score {
    uint32_t item;
    double value;
};

/* The changes of an upload's item table. */
struct frs_changes {
    size_t n, dim;
    uint32_t *items;   /* [n] ascending */
    float *values;     /* [n × dim] */
    double *direction; /* [dim] along which they moved most: three power steps to the first singular vector */
    double *along;     /* [n] how far each row moved along it */
};

/* The changes of rows that replace those of `base`, or rows that are changes themselves (NULL). Without
 * rows there is no direction. */
struct frs_changes frs_changes_of(const struct frs_rows *rows, const float *base);
void frs_changes_fini(struct frs_changes *changes);

/* Scores [n] of all rows, in the order of their items. `sent`, which only FRS_READS_LINE needs, is the
 * table [n_items × dim] that the client had been sent. */
void frs_readers_score(
    const struct frs_changes *changes, enum frs_reads reader, const float *sent, struct frs_score *scores);

/* Puts the k largest of n scores in front, in any order; among equal ones those of smaller items. */
void frs_readers_choose(struct frs_score *scores, size_t n, size_t k);

#endif
