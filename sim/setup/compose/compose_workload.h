/* The workload of a declared method: the sizes of its messages and its work, from the scenario. */
#ifndef FRS_SETUP_COMPOSE_WORKLOAD_H
#define FRS_SETUP_COMPOSE_WORKLOAD_H

#include "sim/base/status.h"
#include "sim/setup/setup.h"

/* Whether the method of this run is declared, and not trained. */
bool frs_compose_is_declared(const struct frs_setup *setup);

/* The number of its clients: method.clients, or the rows of a table, or 1,000. */
uint32_t frs_compose_declared_clients(const struct frs_setup *setup);

/* Reads the workload, once classes are known, and refuses settings that make no sense without training:
 * codecs, privacy mechanisms, and compute models that depend on the training itself. */
void frs_compose_workload(struct frs_setup *setup, struct frs_errors *errors);

/* Refuses to be asked for a figure of quality (`option`: "--until hr@10") where the method is declared. */
enum frs_status frs_refuse_declared_quality(const struct frs_scenario *scenario, const char *option,
    const char *metric, struct frs_errors *errors) FRS_MUST_CHECK;

/* Says of keys about data, training and quality why they have no effect. */
void frs_compose_declared_idle(const struct frs_setup *setup);

#endif
