/* What is expected of a client's first participation, where there are caps and nothing has been seen yet. */
#ifndef FRS_SETUP_CAPS_FIRST_H
#define FRS_SETUP_CAPS_FIRST_H

#include "actors/accounts.h"
#include "sim/setup/setup.h"

/* What a client's first participation is expected to spend: connecting, a download of the whole state, and
 * an upload as predicted. The upload is that of the smallest budget where an adaptation respects the caps,
 * else of the largest; 0 where uploads have no fixed size. Energy is not known in advance. */
struct frs_spending frs_caps_first(const struct frs_setup *setup);

#endif
