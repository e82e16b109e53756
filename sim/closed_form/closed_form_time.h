/* Closed-form time: the duration of one participation, phase by phase (docs/simulation.md):
 *
 *   set-up + latency + download + computing + latency + upload
 *
 * The scenario's network model (exact, tcp) gives this time if nothing is lost, no other client shares the
 * link, the client has taken part before, and there is no trace. */
#ifndef FRS_CLOSED_FORM_CLOSED_FORM_TIME_H
#define FRS_CLOSED_FORM_CLOSED_FORM_TIME_H

#include "sim/base/usage.h"
#include "sim/setup/setup.h"

struct frs_closed_form_time {
    uint32_t client;
    double setup_s, latency_s, down_s, compute_s, up_latency_s, up_s, post_s,
        whole_s; /* whole: without post */
};

/* In place of a round: links and computing of the client as they were drawn for it, without jitter. */
#define FRS_NO_ROUND UINT32_MAX

/* `usage` is that of messages and computing; `round` says whose jitter applies, that of its first attempt.
 * Not for a platform of the user's own. */
struct frs_closed_form_time frs_closed_form_time(
    const struct frs_setup *setup, uint32_t client, uint32_t round, const struct frs_usage *usage);

#endif
