/* Leakage: what an honest-but-curious server learns from uploads, found by attacking them
 * (docs/privacy.md).
 *
 * A server that sees each client's values takes the rows that differ from what the client had downloaded,
 * and ranks them in each of several ways (leakage_readers.h). Interactions among the first n items count
 * as found, where n is the client's number of interactions. The server knows the method, and hence the
 * best way: one way for all uploads. A better way may find more, so the result is a lower bound.
 *
 * A server that sees only places knows which rows were sent. A server that sees only sums knows the sum of
 * an item, which hides no client if fewer than FRS_FEW members of the cohort have touched the item. */
#ifndef FRS_ALGORITHMS_TRAINING_LEAKAGE_H
#define FRS_ALGORITHMS_TRAINING_LEAKAGE_H

#include "sim/base/files/archive.h"
#include "algorithms/training/training_setup.h"
#include "algorithms/training/leakage_readers.h"

#include <stdbool.h>

/* Up to 32 uploads of each aggregation are read until there are 128, and afterwards one of each: enough
 * for a mean, and little work compared with training. */
#define FRS_READ_UPLOADS 32u
#define FRS_READ_MANY 128u
/* Members among whom one hides, at least. */
#define FRS_FEW 5u

/* Sums over aggregations. */
struct frs_leakage {
    uint64_t uploads;      /* read */
    uint64_t items;        /* whose rows stand out in them, or whose places were sent */
    uint64_t interactions; /* of their clients */
    /* Interactions found by each reader; among equally good places, the expected number. */
    double found[FRS_READERS];
    uint64_t sums, sums_of_few; /* items touched in a round, and those by fewer than FRS_FEW clients */
};

/* Whose uploads of an aggregation are read, by their places in it: first, first + step and so on. */
struct frs_leakage_turns {
    size_t first, step;
};

/* The turns of the next aggregation, which has n uploads. */
struct frs_leakage_turns frs_leakage_turns(const struct frs_leakage *leakage, size_t n);

static inline bool frs_leakage_has_turn(struct frs_leakage_turns turns, size_t place) {
    return place % turns.step == turns.first;
}

/* Reads an upload that has its turn, where no aggregation is to be read as a whole. */
void frs_leakage_upload(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contribution);

/* Reads what a round aggregates. */
void frs_leakage_add(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contributions, size_t n);

/* By the best reader. */
double frs_leakage_found(const struct frs_leakage *leakage);

void frs_leakage_archive(struct frs_leakage *leakage, struct frs_archive *archive);

#endif
