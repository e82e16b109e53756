#include "sim/sensitivity/assumption_trials.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/setup/compose/compose.h"
#include "sim/scenario/hash.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 32 };

void frs_trials_init(struct frs_trials *trials, const struct frs_sweep_request *request,
    const struct frs_axes *besides, const struct frs_scenario *scenario) {
    *trials = (struct frs_trials){.request = request, .besides = besides};
    frs_scenario_hash(scenario, trials->hash);
}

bool frs_trial_push(struct frs_trial_sets *sets, const struct frs_level *level, size_t skip) {
    if (sets->n + level->n > FRS_TRIAL_SETS)
        return false;
    for (size_t i = skip; i < level->n; i++)
        sets->list[sets->n++] = level->sets[i];
    return true;
}

/* All sets of a cell of what is varied besides, and these; freed with free(). */
static const char **sets_of(
    const struct frs_trials *trials, size_t cell, const struct frs_trial_sets *own, size_t *n) {
    const struct frs_sweep_request *request = trials->request;
    const struct frs_axes *axes = trials->besides;
    *n = request->n_sets + own->n;
    for (size_t a = 0; a < axes->n; a++)
        *n += axes->axes[a].levels[frs_axes_level(axes, cell, a)].n;
    const char **sets = frs_alloc(*n + 1, sizeof *sets);
    *n = 0;
    for (size_t i = 0; i < request->n_sets; i++)
        sets[(*n)++] = request->sets[i];
    for (size_t a = 0; a < axes->n; a++) {
        const struct frs_level *level = &axes->axes[a].levels[frs_axes_level(axes, cell, a)];
        for (size_t i = 0; i < level->n; i++)
            sets[(*n)++] = level->sets[i];
    }
    for (size_t i = 0; i < own->n; i++)
        sets[(*n)++] = own->list[i];
    return sets;
}

static bool works_in(
    const struct frs_trials *trials, size_t cell, const struct frs_trial_sets *own, char **reason) {
    const struct frs_sweep_request *request = trials->request;
    size_t n;
    const char **sets = sets_of(trials, cell, own, &n);
    struct frs_errors found = {0};
    struct frs_scenario *scenario = NULL;
    struct frs_setup setup;
    bool good = frs_scenario_load(request->sections, request->file, sets, n, &scenario, &found) == FRS_OK &&
                frs_compose(scenario, &setup, &found) == FRS_OK;
    if (good)
        frs_setup_fini(&setup);
    else if (reason) {
        char *name = frs_axes_describe(trials->besides, cell);
        *reason = frs_format("%s%s%s%s", found.n > 0 ? found.lines[0] : "cannot be set", *name ? " (" : "",
            name, *name ? ")" : "");
        free(name);
    }
    frs_scenario_destroy(scenario);
    frs_errors_clear(&found);
    free(sets);
    return good;
}

bool frs_trials_work(const struct frs_trials *trials, const struct frs_trial_sets *own, char **reason) {
    size_t n = frs_axes_cells(trials->besides);
    for (size_t cell = 0; cell < n && cell < MOST_CELLS; cell++)
        if (!works_in(trials, cell, own, reason))
            return false;
    return true;
}

bool frs_trials_same(const struct frs_trials *trials, const struct frs_level *level) {
    const struct frs_sweep_request *request = trials->request;
    struct frs_errors found = {0};
    struct frs_scenario *scenario = NULL;
    size_t n = request->n_sets;
    const char **sets = frs_alloc(n + level->n + 1, sizeof *sets);
    for (size_t i = 0; i < n; i++)
        sets[i] = request->sets[i];
    for (size_t i = 0; i < level->n; i++)
        sets[n++] = level->sets[i];
    char hash[FRS_DIGEST_TEXT] = "";
    if (frs_scenario_load(request->sections, request->file, sets, n, &scenario, &found) == FRS_OK)
        frs_scenario_hash(scenario, hash);
    frs_scenario_destroy(scenario);
    frs_errors_clear(&found);
    free(sets);
    return strcmp(hash, trials->hash) == 0;
}
