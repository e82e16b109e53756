/* Synthetic: interactions from a law with the figures of public data sets, so that every example runs
 * without one.
 *
 * - Activity: a user has min + (max - min) logistic(location + spread z) interactions, z standard normal:
 *   log-normal for the many, bent at a ceiling. The location is solved for the wanted total.
 * - Popularity: the item of rank r among m is drawn with weight (r + offset)^-exponent (1 - r/(m + 1))^tail:
 *   Zipf-Mandelbrot, bent down at the end of the catalogue (Martinez-Mekler et al., PLoS ONE 4(3), 2009).
 * - Preference: there are `tastes`; taste k draws item j with that weight times exp(strength g_kj), g normal.
 *   A user mixes the tastes with shares softmax(focus normal), so the table of probabilities has rank
 *   `tastes`. Items are drawn without repetition.
 * - Time: one session per user. Of what is left, the newest is drawn with weight exp(drift r/m): well-known
 *   items tend to come first, so that what is held out is less popular than what is trained on, as it is in
 *   MovieLens.
 * - Rating: mean + item quality (higher for popular items) + user offset + fit to the user's tastes + noise,
 *   rounded to 1 ... 5.
 *
 * The presets were fitted to quantiles of MovieLens data; no row of it went in. */
#ifndef FRS_DATA_SYNTHETIC_H
#define FRS_DATA_SYNTHETIC_H

#include "sim/data/interactions.h"
#include "sim/data/settings.h"

struct frs_synthetic_law {
    const char *name;
    uint32_t users, items;
    size_t interactions;
    size_t min_activity, max_activity; /* interactions of one user */
    double activity_spread;
    double popularity_exponent, popularity_offset; /* offset in ranks */
    double popularity_tail;
    uint32_t tastes;
    double taste_strength, taste_focus;
    double drift; /* 0: time knows nothing of popularity; larger: the less popular later */
};

/* The law of a preset; `which` is not FRS_SYNTHETIC_CUSTOM. */
const struct frs_synthetic_law *frs_synthetic_preset(enum frs_synthetic which);

/* Generates exactly law->interactions distinct pairs with times; every item occurs and every user has at
 * least min_activity. Needs users · min ≤ interactions ≤ users · max, items ≤ interactions, max ≤ items. Rows
 * come user by user, oldest first. */
void frs_synthetic_generate(const struct frs_synthetic_law *law, uint64_t seed, struct frs_rows *rows);

/* Only how many interactions each user has, as frs_synthetic_generate would give them: those of user u are
 * [start[u], start[u + 1]). The caller frees it. */
size_t *frs_synthetic_starts(const struct frs_synthetic_law *law, uint64_t seed);

#endif
