#include "actors/policy.h"

struct frs_policy_settings frs_policy_read(const struct frs_policy *policy, const struct frs_values *values,
    const struct frs_policy_setup *setup, struct frs_errors *errors) {
    struct frs_policy_settings settings = {
        .n_selected = setup->cohort, .n_needed = setup->cohort, .run_on = setup->run_on};
    if (policy->read)
        policy->read(values, setup, &settings, errors);
    return settings;
}
