/* Whose memory holds the method: devices.memory against the tables of a client. */
#ifndef FRS_SETUP_MEMORY_FIT_H
#define FRS_SETUP_MEMORY_FIT_H

#include "sim/setup/setup.h"

/* Of the tables a client has to hold. */
double frs_memory_needed_bytes(const struct frs_setup *setup);

/* Clients that are refused whenever they are asked. */
uint32_t frs_memory_too_small(const struct frs_setup *setup);

/* A run in which everybody is refused learns nothing: false after adding an error. */
enum frs_status frs_memory_check(const struct frs_setup *setup, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
