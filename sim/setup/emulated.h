/* Emulated: a setup whose rounds go over the kernel's TCP (docs/emulation.md). */
#ifndef FRS_SETUP_EMULATED_H
#define FRS_SETUP_EMULATED_H

#include "actors/emulation/emulation.h"
#include "sim/setup/setup.h"

/* Settings of the command line. */
struct frs_emulation_wish {
    double speed_up; /* at least 1: all times are divided by it */
    double limit_s;  /* of real time */
};

/* Prepares the setup for emulation, and says what that takes. Adds an error for everything in the scenario
 * that cannot be emulated: FRS_ERR_INPUT. */
enum frs_status frs_emulated_prepare(struct frs_setup *setup, const struct frs_emulation_wish *wish,
    struct frs_emulation_settings *settings, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
