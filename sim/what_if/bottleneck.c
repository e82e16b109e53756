#include "sim/what_if/bottleneck.h"

const struct frs_what_if *frs_what_ifs_bottleneck(const struct frs_what_ifs *what_ifs) {
    const struct frs_what_if *best = NULL;
    double change = -FRS_WHAT_IF_LEAST_SAVING;
    for (size_t i = 0; i < what_ifs->n; i++)
        if (!what_ifs->list[i].variation.is_remedy && frs_what_if_change(&what_ifs->list[i]) <= change) {
            best = &what_ifs->list[i];
            change = frs_what_if_change(best);
        }
    return best;
}
