/* References of a run: what recommenders without federation reach on the same
 * data under the same protocol. */
#ifndef FRS_RUN_REPORT_REFERENCES_H
#define FRS_RUN_REPORT_REFERENCES_H

#include "sim/run/setup/setup.h"
#include "sim/run/training/evaluation.h"
#include "sim/run/replay/journal.h"

#include <signal.h>

#define FRS_MAX_REFERENCES 64

struct frs_reference_results {
    size_t n;
    bool diverged; /* one of them at least, whose figures are no numbers */
    struct {
        const char *name;
        struct frs_quality quality;
    } results[FRS_MAX_REFERENCES];
};

/* Fits and evaluates the references that evaluation.references names, in an evaluation of their own. Some
 * take minutes: once `interrupted` is set no further one is begun, and false returned if that left one out.
 * What the journal (may be NULL) knows, or another run has left in the folder `cache` (may be NULL), is not fitted again. Adds an error for each that diverged; the others
 * count all the same. */
bool frs_references_run(const struct frs_setup *setup, struct frs_pool *pool, struct frs_journal *journal,
    const char *cache, const volatile sig_atomic_t *interrupted, struct frs_reference_results *results,
    struct frs_errors *errors);

#endif
