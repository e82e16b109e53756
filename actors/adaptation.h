/* Adaptation: how large an upload the server assigns to each client of a round, where a method's uploads
 * can be smaller or larger (SCoLR's rank). One file in actors/adaptation/ and one line in
 * actors/adaptation/adaptations.def.
 *
 * Budgets are opaque numbers of the method's range. Predictions are based on observations, never on a
 * client's true links and speed (docs/server-decisions.md, "What the server decides"). */
#ifndef FRS_ACTORS_ADAPTATION_H
#define FRS_ACTORS_ADAPTATION_H

#include "actors/observations.h"
#include "sim/base/settings/plugin.h"

#include <stddef.h>

struct frs_accounts; /* actors/accounts.h */

struct frs_budget_range {
    uint32_t min, max; /* 1 ≤ min ≤ max */
};

struct frs_adaptation_request {
    uint64_t seed;
    uint32_t round, attempt;
    struct frs_budget_range range;
    const void *settings;
    const struct frs_observations *observations; /* of plug-ins that observe */
    const uint32_t *clients;                     /* [n] to be served; a single one where rounds overlap */
    size_t n;
    const struct frs_slow_start_kinds *slow_start; /* [n] of their messages; NULL: there is no slow start */
    const struct frs_accounts *accounts;           /* NULL: there are no caps */
    double now_s;
    /* Return the predicted bytes of an upload under a budget, and its work relative to the largest budget
     * (1). Both grow with the budget. */
    double (*up_bytes)(void *context, uint32_t budget);
    double (*work)(void *context, uint32_t budget);
    void *context;
};

struct frs_adaptation {
    struct frs_plugin plugin;
    bool observes;    /* goes by observations */
    bool within_caps; /* goes by what clients have spent of their caps */
    /* Reads and checks the plug-in's keys; freed with free(), NULL after an error. */
    void *(*create)(
        const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors);
    void (*choose)(const struct frs_adaptation_request *request, uint32_t *budgets);
};

/* Return the predicted duration of client i's participation under a budget; the second function leaves out
 * its back-off and uses only what is known of its pace. */
double frs_adaptation_predict_s(const struct frs_adaptation_request *request, size_t i, uint32_t budget);
double frs_adaptation_known_s(const struct frs_adaptation_request *request, size_t i, uint32_t budget);

/* The largest budget that client i may be assigned by what was observed of it. */
uint32_t frs_adaptation_most(const struct frs_adaptation_request *request, size_t i);

/* A budget that was set by the user; 0: `initial`. Adds an error when it is outside of the range. */
uint32_t frs_adaptation_budget(const struct frs_values *values, const char *key,
    const struct frs_budget_range *range, uint32_t initial, struct frs_errors *errors);

/* All adaptations that are built in, ended by NULL; and the registry that scenarios choose from. */
extern const struct frs_adaptation *const frs_adaptations[];
extern const struct frs_plugin *frs_adaptation_plugins[FRS_REGISTRY_ROOM];

#endif
