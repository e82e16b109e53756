#include "sim/run/begun.h"
#include "sim/setup/setup.h"

#include <math.h>

struct frs_run_begun frs_run_begun(const struct frs_setup *setup, const char *growing) {
    return (struct frs_run_begun){.growing = growing,
        .place = setup->directory,
        .method = setup->training.learner->plugin.name,
        .n_rounds = setup->n_rounds,
        .may_end_early = setup->stop_tolerance > 0 || isfinite(setup->stop_s) || setup->stop_at_target};
}
