/* Sentence: the answer of a run, of a sweep or of a comparison in words, with its uncertainty.
 *
 * "On 4g with 30 % of uploads lost, colr of rank 4 reaches HR@10 0.58 after 41 min (38–45), 2.3 times
 * (1.9–2.8) sooner than fedmf; it is not significantly different from fedras (about 9 more replicates
 * would). On fibre the order is reversed: ..."
 *
 * An entry that is first, or not significantly different from it, and whose quality in the last round is no
 * better than that of popularity is named as such in the same sentence.
 *
 * ranking.h decides what is said and how often it is wrong. The interval of an amount is the usual one of
 * a mean, and that of a distance is the page's.
 *
 * Texts are UTF-8 in one line. They contain names from other people, so they have to be quoted for the
 * medium that shows them (sim/base/quoting.h). Freed with free(). */
#ifndef FRS_ANALYSIS_SENTENCE_SENTENCE_H
#define FRS_ANALYSIS_SENTENCE_SENTENCE_H

#include "analysis/entries/entries.h"
#include "analysis/entries/sweep_reader.h"
#include "analysis/ranking/ranking.h"

/* All zero entries: "". */
char *frs_sentence(const struct frs_ranking *ranking, const struct frs_findings *findings);

/* The ranking of a sweep's cells, or of entries within their environments. It borrows from its arguments;
 * freed with frs_ranking_fini. */
struct frs_ranking frs_ranking_of_sweep(const struct frs_sweep_results *sweep);
struct frs_ranking frs_ranking_of_entries(const struct frs_entries *entries);

char *frs_sentence_of_sweep(const struct frs_sweep_results *sweep);
char *frs_sentence_of_entries(const struct frs_entries *entries);

/* "Uplink 3 → 30 Mbit/s: target after 15.68 s instead of 19.33 s (−19 %), same bytes, same HR@10; one
 * seed.": for entries of which each has an environment of its own (frs_environments_are_apart), compared
 * with the first one. Decisions are those of the ranking with all entries under one environment. */
char *frs_sentence_across(const struct frs_entries *entries);

/* "After 60 rounds and 41 min, HR@10 is 0.580 on the test items, 0.100 above popularity; it reaches HR@10
 * 0.5 on the validation items in round 19, after 9 min and 46 MB." Call frs_target_apply before. */
char *frs_sentence_of_run(const struct frs_run_results *run, const struct frs_target *target);

#endif
