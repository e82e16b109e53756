/* Memory fit: which clients have memory for the method, devices.memory against the tables of a client. */
#ifndef FRS_SETUP_MEMORY_FIT_H
#define FRS_SETUP_MEMORY_FIT_H

#include "sim/setup/setup.h"

/* Size of the tables that a client has to hold; of a declared workload, of what it downloads. */
double frs_memory_needed_bytes(const struct frs_setup *setup, uint32_t client);

/* Clients that are refused whenever they are selected. */
uint32_t frs_memory_too_small(const struct frs_setup *setup);

/* Fails, and adds an error, when every client is refused: such a run would learn nothing. */
enum frs_status frs_memory_check(const struct frs_setup *setup, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
