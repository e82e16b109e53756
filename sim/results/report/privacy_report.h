/* Privacy report: a run's privacy mechanisms, what its noise guarantees, and what an honest-but-curious
 * server infers from uploads. docs/privacy.md explains how to read it. */
#ifndef FRS_RESULTS_REPORT_PRIVACY_REPORT_H
#define FRS_RESULTS_REPORT_PRIVACY_REPORT_H

#include "sim/results/outputs.h"

#include <jansson.h>

/* Releases of the clients' data: of the client with the most, and of all on average. */
struct frs_releases {
    uint32_t most;
    uint64_t all;
    struct frs_privacy_loss one;
    struct frs_privacy_account worst;
    double mean_epsilon; /* of every client, counted as the worst one is */
    uint32_t beyond;     /* clients that have lost more than the noise was chosen to keep */
};

struct frs_releases frs_privacy_releases(
    const struct frs_guarantee *guarantee, const struct frs_outputs *outputs);

/* Sets `privacy`, `server_sees` and `privacy_guarantee` of summary.json. */
void frs_privacy_set(json_t *root, const struct frs_outputs *outputs);

/* Lines for people, freed by the caller; NULL: there is nothing to say. */
char *frs_privacy_guarantee_line(const struct frs_outputs *outputs);
char *frs_privacy_missed_line(const struct frs_outputs *outputs);
char *frs_privacy_leakage_line(const struct frs_outputs *outputs);
char *frs_privacy_modelled_line(const struct frs_outputs *outputs);

#endif
