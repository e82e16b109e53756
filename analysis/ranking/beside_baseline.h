/* Entries beside recommending without federation, in the last round and on the items of ranking->quality (the
 * test items): an entry that is first by time may have reached its target on validation items, or early, and
 * end below popularity. Compared are means over runs, as in the verdict of a run (sim/results/verdict.h). */
#ifndef FRS_ANALYSIS_RANKING_BESIDE_BASELINE_H
#define FRS_ANALYSIS_RANKING_BESIDE_BASELINE_H

#include "analysis/ranking/ranking.h"

struct frs_beside_baseline {
    const char *baseline; /* "popularity", of ratings "item_mean"; NULL: no run has both figures */
    double value, bar;    /* means of the entry and of the baseline, over the runs that have both */
    bool better;
};

struct frs_beside_baseline frs_beside_baseline(const struct frs_ranking *ranking, size_t entry);

/* Whether it is known that the entry is no better than the baseline. */
bool frs_is_no_better(const struct frs_beside_baseline *beside);

#endif
