/* Distributions fitted to public data: tests/algorithms/data/test_synthetic.c holds the quantiles they have
 * to meet.
 */
#include "algorithms/data/synthetic.h"
#include "sim/base/errors.h"

static const struct frs_synthetic_distribution ml_100k = {
    .name = "ml-100k",
    .users = 943,
    .items = 1682,
    .interactions = 100000,
    .min_activity = 20,
    .max_activity = 529,
    .activity_spread = 1.809,
    .popularity_exponent = 1.1838,
    .popularity_offset = 93.597,
    .popularity_tail = 1.0573,
    .tastes = 22,
    .taste_factors = 8,
    .taste_strength = 3.565,
    .taste_decay = 1.0384,
    .mainstream = 1.0063,
    .taste_focus = 4.2794,
    .breadth = 0.10325,
    .calendar_drift = 1.2443,
    .drift = 2.2185,
    .drift_growth = 0.58306,
    .tied = 0.45,
    .quality_spread = 0.48,
    .quality_growth = 0.32,
};

static const struct frs_synthetic_distribution ml_1m = {
    .name = "ml-1m",
    .users = 6040,
    .items = 3706,
    .interactions = 1000209,
    .min_activity = 20,
    .max_activity = 1574,
    .activity_spread = 1.52,
    .popularity_exponent = 0.95,
    .popularity_offset = 160,
    .popularity_tail = 1.25,
    .tastes = 22,
    .taste_factors = 8,
    .taste_strength = 3.565,
    .taste_decay = 1.0384,
    .mainstream = 0.8,
    .taste_focus = 4.2794,
    .breadth = 0.10325,
    .calendar_drift = 0.23,
    .drift = 1.6,
    .drift_growth = 0.58306,
    .tied = 0.22,
    .quality_spread = 0.6,
    .quality_growth = 0.2,
};

static const struct frs_synthetic_distribution small = {
    .name = "small",
    .users = 200,
    .items = 300,
    .interactions = 8000,
    .min_activity = 12,
    .max_activity = 120,
    .activity_spread = 1.5,
    .popularity_exponent = 1.0,
    .popularity_offset = 15,
    .popularity_tail = 1.0,
    .tastes = 6,
    .taste_strength = 3.0,
    .taste_focus = 3.0,
    .drift = 0.5,
    .quality_spread = 0.48,
    .quality_growth = 0.32,
};

const struct frs_synthetic_distribution *frs_synthetic_preset(enum frs_synthetic which) {
    switch (which) {
    case FRS_SYNTHETIC_ML_100K:
        return &ml_100k;
    case FRS_SYNTHETIC_ML_1M:
        return &ml_1m;
    case FRS_SYNTHETIC_SMALL:
        return &small;
    case FRS_SYNTHETIC_CUSTOM:
        break;
    }
    frs_panic(__FILE__, __LINE__, "custom data has no preset");
}
