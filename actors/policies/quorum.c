#include "actors/policies/quorum.h"
#include "sim/base/settings/params.h"

/* 0.7 of 10 is 7, whatever rounding says. */
uint32_t frs_share_of(double share, uint32_t n) {
    double exact = share * n - 1e-9;
    uint32_t whole = exact > 0 ? (uint32_t)exact : 0;
    return exact > whole ? whole + 1 : whole;
}

void frs_quorum_read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings) {
    settings->quorum = frs_share_of(frs_values_real(values, "quorum"), setup->cohort);
    if (settings->quorum > 0)
        settings->max_attempts = (uint32_t)frs_values_int(values, "max_attempts");
}
