/* Samples: what single rounds and single clients of an entry's runs say. */
#ifndef FRS_ANALYSIS_FIGURES_SAMPLES_H
#define FRS_ANALYSIS_FIGURES_SAMPLES_H

#include "analysis/read/run_reader.h"

struct frs_sample {
    double *values; /* [n] */
    size_t n, capacity;
};

/* All zero: none. */
struct frs_samples {
    struct frs_sample rounds;  /* seconds of every round of every run */
    struct frs_sample clients; /* seconds a participation of every client that took part, of every run */
    struct frs_sample quality; /* [client] sum over the runs in which it has one; its count is in `runs` */
    struct frs_sample runs;    /* [client] */
    char *measure;             /* "ndcg@10": the column of the quality; NULL: there is none */
};

/* Adds a run's rounds, and its clients if it has a clients.csv. `quality`: the measure by which it is
 * judged ("hr@10"), or NULL. Single clients are judged by NDCG instead of hits, because a client either
 * has a hit or not. */
enum frs_status frs_samples_add(struct frs_samples *samples, const struct frs_run_results *run,
    const char *quality, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_samples_fini(struct frs_samples *samples);

#endif
