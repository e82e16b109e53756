/* Non-federated baselines of a run: the quality of recommenders without federation on the same data under the
 * same protocol. */
#ifndef FRS_RESULTS_NON_FEDERATED_H
#define FRS_RESULTS_NON_FEDERATED_H

#include "sim/base/threads/pool.h"
#include "sim/setup/setup.h"
#include "algorithms/training/evaluation.h"
#include "sim/journal/journal.h"

#include <signal.h>

#define FRS_MAX_REFERENCES 64

struct frs_non_federated_model_results {
    size_t n;
    bool diverged; /* one of them at least, whose figures are no numbers */
    struct {
        const char *name;
        struct frs_quality quality;
    } results[FRS_MAX_REFERENCES];
};

/* The non-federated baselines that evaluation.non_federated names. */
struct frs_non_federated;

/* Baselines that the journal (may be NULL) has, or that another run has left in the folder `cache` (may be
 * NULL), are not fitted again. Some take minutes: once `interrupted` is set, no further one is begun. The
 * arguments must outlive the result. */
struct frs_non_federated *frs_non_federated_create(const struct frs_setup *setup, struct frs_pool *pool,
    struct frs_journal *journal, const char *cache, const volatile sig_atomic_t *interrupted);

/* Baselines depend on the data alone, so a thread of the pool can fit them beside the rounds. No-op with
 * one thread, and where the run measures times, which fitting would lengthen. */
void frs_non_federated_begin(struct frs_non_federated *baselines);

/* Fits the remaining baselines and evaluates all, in an evaluation of their own. Returns false if some
 * were left out because the run was interrupted. Adds an error for each that diverged; the others are
 * still valid. */
bool frs_non_federated_end(struct frs_non_federated *baselines,
    struct frs_non_federated_model_results *results, struct frs_errors *errors);

/* Must be called before the pool is destroyed. May follow frs_non_federated_begin directly and then
 * abandons the fitting. NULL is allowed. */
void frs_non_federated_destroy(struct frs_non_federated *baselines);

#endif
