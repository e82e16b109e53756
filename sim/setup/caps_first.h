/* What is expected of a client's first participation, where there are caps and nothing has been seen yet. */
#ifndef FRS_SETUP_CAPS_FIRST_H
#define FRS_SETUP_CAPS_FIRST_H

#include "actors/accounts.h"
#include "sim/setup/setup.h"

/* Connecting, a download of the whole state, and an upload as predicted: under the smallest budget where an
 * adaptation keeps to the caps, else under the largest; nothing where uploads have no fixed size. Energy is
 * not known before. */
struct frs_spending frs_caps_first(const struct frs_setup *setup);

#endif
