/* Laws fitted to public data: tests/data/test_synthetic.c holds the quantiles they have to meet. */
#include "sim/data/synthetic.h"
#include "sim/base/errors.h"

static const struct frs_synthetic_law ml_100k = {
    .name = "ml-100k",
    .users = 943,
    .items = 1682,
    .interactions = 100000,
    .min_activity = 20,
    .max_activity = 520,
    .activity_spread = 1.7,
    .popularity_exponent = 3.0,
    .popularity_offset = 500,
    .tastes = 12,
    .taste_strength = 1.2,
    .taste_focus = 1.5,
    .drift = 0.3,
};

static const struct frs_synthetic_law ml_1m = {
    .name = "ml-1m",
    .users = 6040,
    .items = 3706,
    .interactions = 1000209,
    .min_activity = 20,
    .max_activity = 1500,
    .activity_spread = 1.5,
    .popularity_exponent = 3.0,
    .popularity_offset = 1500,
    .tastes = 12,
    .taste_strength = 1.2,
    .taste_focus = 1.5,
    .drift = 0.3,
};

static const struct frs_synthetic_law small = {
    .name = "small",
    .users = 200,
    .items = 300,
    .interactions = 8000,
    .min_activity = 12,
    .max_activity = 120,
    .activity_spread = 1.2,
    .popularity_exponent = 1.5,
    .popularity_offset = 60,
    .tastes = 6,
    .taste_strength = 1.5,
    .taste_focus = 2.0,
    .drift = 0.3,
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
