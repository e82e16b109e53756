/* Laws fitted to public data: tests/data/test_synthetic.c holds the quantiles they have to meet. */
#include "sim/data/synthetic.h"
#include "sim/base/errors.h"

static const struct frs_synthetic_law ml_100k = {
    .name = "ml-100k",
    .users = 943,
    .items = 1682,
    .interactions = 100000,
    .min_activity = 20,
    .max_activity = 529,
    .activity_spread = 1.809,
    .popularity_exponent = 1.3,
    .popularity_offset = 56,
    .popularity_tail = 1.28,
    .tastes = 10,
    .taste_strength = 4.0,
    .taste_focus = 2.5,
    .drift = 2.2,
};

static const struct frs_synthetic_law ml_1m = {
    .name = "ml-1m",
    .users = 6040,
    .items = 3706,
    .interactions = 1000209,
    .min_activity = 20,
    .max_activity = 1574,
    .activity_spread = 1.52,
    .popularity_exponent = 1.273,
    .popularity_offset = 119.1,
    .popularity_tail = 1.392,
    .tastes = 10,
    .taste_strength = 4.0,
    .taste_focus = 2.5,
    .drift = 2.2,
};

static const struct frs_synthetic_law small = {
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
};

const struct frs_synthetic_law *frs_synthetic_preset(enum frs_synthetic which) {
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
