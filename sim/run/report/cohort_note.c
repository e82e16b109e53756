#include "sim/run/report/cohort_note.h"
#include "sim/base/memory.h"

#include <math.h>

bool frs_cohort_is_short(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    return !setup->policy->asynchronous && !setup->selection->varies && cohorts->n_rounds > 0 &&
           cohorts->least < frs_setup_asked(setup);
}

double frs_cohort_mean(const struct frs_cohorts *cohorts) {
    return cohorts->n_rounds > 0 ? (double)cohorts->sum / (double)cohorts->n_rounds : NAN;
}

char *frs_cohort_note(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    uint32_t asked = frs_setup_asked(setup);
    return frs_format("on average %.1f of the %u client%s asked for (least %zu, most %zu)",
        frs_cohort_mean(cohorts), asked, asked == 1 ? "" : "s", cohorts->least, cohorts->most);
}
