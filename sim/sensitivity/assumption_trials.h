/* Trials: whether settings can be put on a scenario, and on each cell of a sweep of it, so that every
 * setting has an effect. */
#ifndef FRS_SENSITIVITY_ASSUMPTION_TRIALS_H
#define FRS_SENSITIVITY_ASSUMPTION_TRIALS_H

#include "sim/base/files/digest.h"
#include "sim/sweep/settings.h"

enum { FRS_TRIAL_SETS = 64 };

struct frs_trials {
    const struct frs_sweep_request *request;
    const struct frs_axes *besides; /* the axes that vary the scenario besides */
    char hash[FRS_DIGEST_TEXT];     /* of the scenario as it is */
};

/* Settings that are put on the scenario, one on top of the other. */
struct frs_trial_sets {
    const char *list[FRS_TRIAL_SETS];
    size_t n;
};

/* Everything is borrowed; `scenario` is what the request says. */
void frs_trials_init(struct frs_trials *trials, const struct frs_sweep_request *request,
    const struct frs_axes *besides, const struct frs_scenario *scenario);

/* Adds the settings of the level but its first `skip` ones; false where there is no room for them. */
bool frs_trial_push(struct frs_trial_sets *sets, const struct frs_level *level, size_t skip);

/* Whether every cell with these settings can be composed, with every setting having an effect; *reason is
 * freed by the caller. If there are very many cells, only the first ones are tried; in the others, the
 * sweep refuses what cannot be combined. */
bool frs_trials_work(const struct frs_trials *trials, const struct frs_trial_sets *sets, char **reason);

/* Whether a level is what the scenario has already. */
bool frs_trials_same(const struct frs_trials *trials, const struct frs_level *level);

#endif
