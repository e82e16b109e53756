/* Compose: builds the parts of a run from a scenario and refuses combinations that do not go together. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_H
#define FRS_SETUP_COMPOSE_COMPOSE_H

#include "sim/setup/setup.h"

/* Collects every problem, those of unread settings included. On failure the setup is empty. */
enum frs_status frs_compose(
    const struct frs_scenario *scenario, struct frs_setup *setup, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same for a scenario that was put on top of a file. A key of the file that has no effect there, nor
 * in the scenario, is also a problem. `file`: frs_scenario_load_alone, or NULL. */
enum frs_status frs_compose_on(const struct frs_scenario *scenario, const struct frs_scenario *file,
    struct frs_setup *setup, struct frs_errors *errors) FRS_MUST_CHECK;

/* The steps of frs_compose: what needs no data, the data, all else. A caller may stop after any step that
 * adds errors; it always frees the setup. */
void frs_compose_begin(
    const struct frs_scenario *scenario, struct frs_setup *setup, struct frs_errors *errors);
enum frs_status frs_compose_data(struct frs_setup *setup, struct frs_errors *errors) FRS_MUST_CHECK;
void frs_compose_rest(struct frs_setup *setup, struct frs_errors *errors);

/* Loads the data of a scenario and draws the initial values of its tables for a composition that follows,
 * as long as the data-set cache has room. No-op while the cache is closed. Reports no errors, because the
 * composition will report them. */
void frs_compose_ahead(const struct frs_scenario *scenario);

#endif
