/* Readers: ways in which an honest-but-curious server tells a client's interactions from the other rows of
 * its upload. Each gives every row that the client has changed a score; interactions are to have the largest
 * ones.
 *
 * Rows of one client move along one direction, that of its vector, in methods that factorise matrices. What
 * differs is how far and which way, and what that depends on: a gradient −2 (r − u·y) u lies on a line over
 * u·y, which the server knows but for the length of u, and all rows with one target r on the same line. */
#ifndef FRS_ALGORITHMS_TRAINING_LEAKAGE_READERS_H
#define FRS_ALGORITHMS_TRAINING_LEAKAGE_READERS_H

#include "algorithms/rows.h"

enum frs_reads {
    FRS_READS_LENGTH,  /* what moved furthest, whichever way */
    FRS_READS_SIDE,    /* rows that moved to the less frequent side along the direction, furthest first */
    FRS_READS_CLUSTER, /* the same with the smaller of two clusters (2-means) along it */
    FRS_READS_LINE, /* what lies furthest from the line on which most rows lie: how far a row moved along the
                          direction, over how long it was along it when it was sent */
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

/* The changes of rows that replace those of `base`, or that are changes themselves (NULL). Without rows there
 * is no direction. */
struct frs_changes frs_changes_of(const struct frs_rows *rows, const float *base);
void frs_changes_fini(struct frs_changes *changes);

/* Scores [n] of all rows, in the order of their items. `sent`, which FRS_READS_LINE alone needs, is the table
 * [n_items × dim] that the client had been sent. */
void frs_readers_score(
    const struct frs_changes *changes, enum frs_reads reader, const float *sent, struct frs_score *scores);

/* Puts those k of n scores in front, in any order, that are largest; among equal ones those of smaller items.
 */
void frs_readers_choose(struct frs_score *scores, size_t n, size_t k);

#endif
