/* Policy: when a round closes (simulation.md, section 4). One file in actors/policies/ and one line in
 * actors/policies.def. A round never hangs: every policy closes whatever happens. */
#ifndef FRS_ACTORS_POLICY_H
#define FRS_ACTORS_POLICY_H

#include "sim/base/params.h"

struct frs_round;

struct frs_policy {
    struct frs_plugin plugin;
    /* Called from the server's actor when all participants have been started; returns when the round is
     * closed. */
    void (*collect)(struct frs_round *round);
};

extern const struct frs_plugin *const frs_policy_plugins[]; /* ended by NULL */

#endif
