/* The tables of all that stand in this folder. */
#include "actors/policy.h"

#define POLICY(name) extern const struct frs_policy frs_policy_##name;
#include "actors/policies/policies.def"
#undef POLICY

#define POLICY(name) &frs_policy_##name.plugin,
const struct frs_plugin *frs_policy_plugins[FRS_REGISTRY_ROOM] = {
#include "actors/policies/policies.def"
    NULL,
};
