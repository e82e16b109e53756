/* Catch-up: what a client that holds an old version, or none, is sent where the downlink carries updates. */
#ifndef FRS_ALGORITHMS_CATCHUP_H
#define FRS_ALGORITHMS_CATCHUP_H

#include "algorithms/downlink/update_log.h"

#define FRS_NO_VERSION UINT32_MAX

/* What a client's message consists of: the whole state, or the updates from a version on. */
struct frs_catchup_plan {
    bool state;
    size_t from;
};

/* For a client that holds version `held` (FRS_NO_VERSION: none), a whole state weighing so much. */
struct frs_catchup_plan frs_catchup_plan(const struct frs_downlink_settings *settings,
    const struct frs_update_log *log, uint32_t held, size_t state_bytes);

/* The first version whose update somebody may still replay. */
size_t frs_catchup_needs(
    const struct frs_downlink_settings *settings, const struct frs_update_log *log, size_t state_bytes);

#endif
