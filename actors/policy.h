/* Policy: when a round closes (docs/rounds.md, "When a round closes"). One file in actors/policies/
 * and one line in actors/policies/policies.def. A round never hangs: every policy closes it whatever
 * happens. */
#ifndef FRS_ACTORS_POLICY_H
#define FRS_ACTORS_POLICY_H

#include "sim/base/settings/plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_round;

/* What the rest of the scenario says. */
struct frs_policy_setup {
    uint32_t n_clients, cohort;
    bool run_on; /* rounds.stragglers: a participation under way when its round closes is allowed to finish */
};

/* Settings of a policy. Every policy sets those that it uses and leaves the rest as frs_policy_read sets
 * them. */
struct frs_policy_settings {
    uint32_t n_selected; /* clients selected for a round; asynchronous: under way at any time. The cohort */
    uint32_t n_needed;   /* uploads it waits for. The cohort */
    bool run_on;
    double share; /* of the selected clients */
    double after_s, grace_s;
    uint32_t quorum;       /* with fewer uploads the round is abandoned and repeated. 0 */
    uint32_t max_attempts; /* of which all abandoned: the run ends */
    uint32_t min_uploads;  /* without which it does not close as long as they can come. 0 */
    double then_s;         /* it waits on when n_needed are there */
    bool accepts_late;     /* later rounds use uploads that are late. False */
    uint32_t late_rounds;  /* with accepts_late: how many rounds late they may be */
    bool damps_stale; /* an upload that is s versions old counts by 1/√(1+s); otherwise in full. False */
    size_t patience; /* asynchronous: after this many losses since the last aggregation, the uploads that have
                        arrived are aggregated */
};

struct frs_policy {
    struct frs_plugin plugin;
    /* Can close while clients are under way, so that rounds.stragglers matters. */
    bool leaves_stragglers;
    /* Has clients stop after the epoch they are in. */
    bool truncates;
    /* Rounds are the spans between aggregations; clients are selected one by one as others end. */
    bool asynchronous;
    /* Reads the policy's keys; NULL: it has none. */
    void (*read)(const struct frs_values *values, const struct frs_policy_setup *setup,
        struct frs_policy_settings *settings, struct frs_errors *errors);
    /* Called from the server's actor when the participants have been started; returns when the round waits
     * for nothing more, or when the server restarts. */
    void (*collect)(struct frs_round *round);
};

extern const struct frs_plugin *frs_policy_plugins[FRS_REGISTRY_ROOM];

struct frs_policy_settings frs_policy_read(const struct frs_policy *policy, const struct frs_values *values,
    const struct frs_policy_setup *setup, struct frs_errors *errors);

#endif
