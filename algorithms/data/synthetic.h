/* Synthetic data: interactions from a distribution with the figures of public data sets, so that every
 * example runs without one.
 *
 * - Activity: a user has min + (max - min) logistic(location + spread z) interactions, z standard
 *   normal: log-normal for the many, bent at a ceiling. The location is solved for the wanted total.
 * - Popularity: the item of rank r among m is drawn with weight (r + offset)^-exponent (1 - r/(m +
 *   1))^tail: Zipf-Mandelbrot, bent down at the end of the catalogue (Martinez-Mekler et al., PLoS ONE
 *   4(3), 2009).
 * - Preference: there are `tastes`; taste k draws item j with that weight p_j times exp(strength g_kj +
 *   mainstream m_k (ln p_j − mean)), m normal. The appeals g_kj = Σ_f λ_f a_kf b_jf have
 *   `taste_factors` factors, a and b normal, λ_f ~ f^-taste_decay, so that a few directions matter
 *   most; without factors g is normal for each pair. A user mixes the tastes with shares softmax(focus
 *   normal). Items are drawn without repetition.
 * - Calendar: users' sessions are spread over it. An item's weight moves from 2p / (1 + e^2h) at its
 *   beginning to 2p / (1 + e^-2h) at its end, h normal with the standard deviation calendar_drift.
 * - Time: one session per user, in which a share `tied` of interactions has the time of the one before.
 *   The newest of the remaining items is drawn with weight exp(drift r/m): well-known items tend to
 *   come first, so that held-out items are less popular than trained ones, as in MovieLens.
 * - Rating: item quality (higher for popular items) + user offset + fit to the user's tastes + noise,
 *   cut into 1 ... 5.
 *
 * The presets were fitted to figures of MovieLens data (docs/built-in-data.md); no row of it went in. */
#ifndef FRS_ALGORITHMS_DATA_SYNTHETIC_H
#define FRS_ALGORITHMS_DATA_SYNTHETIC_H

#include "algorithms/data/interactions.h"
#include "algorithms/data/settings.h"

#define FRS_SYNTHETIC_MOST_FACTORS 64 /* taste_factors, at most */

struct frs_synthetic_distribution {
    const char *name;
    uint32_t users, items;
    size_t interactions;
    size_t min_activity, max_activity; /* interactions of one user */
    double activity_spread;
    double popularity_exponent, popularity_offset; /* offset in ranks */
    double popularity_tail;
    uint32_t tastes, taste_factors; /* 0 factors: as many as tastes, all alike */
    double taste_strength, taste_decay, mainstream, taste_focus, breadth;
    double calendar_drift;
    double drift, drift_growth; /* 0: a session knows nothing of popularity; larger: the less popular later */
    double quality_spread, quality_growth; /* between items of one popularity; per e-fold of popularity */
    double tied;                           /* below 1 */
};

/* The distribution of a preset; `which` is not FRS_SYNTHETIC_CUSTOM. */
const struct frs_synthetic_distribution *frs_synthetic_preset(enum frs_synthetic which);

/* Generates exactly distribution->interactions distinct pairs with times; every item occurs and every user
 * has at least min_activity. Needs users · min ≤ interactions ≤ users · max, items ≤ interactions, max ≤
 * items. Rows come user by user, oldest first. */
void frs_synthetic_generate(
    const struct frs_synthetic_distribution *distribution, uint64_t seed, struct frs_rows *rows);

/* The taste that draws each item most often into taste[items]. */
void frs_synthetic_tastes(
    const struct frs_synthetic_distribution *distribution, uint64_t seed, uint32_t *taste);

/* Stream of that draw; those of items follow. */
#define FRS_SYNTHETIC_STREAM_ACTIVITY 0

/* Only how many interactions each user has, as frs_synthetic_generate would give them: those of user u are
 * [start[u], start[u + 1]). The caller frees it. */
size_t *frs_synthetic_starts(const struct frs_synthetic_distribution *distribution, uint64_t seed);

/* Inverse of the normal distribution function on (0, 1), relative error below 1.2e-9 (Acklam): data sets of
 * all versions rest on these digits. */
double frs_synthetic_normal_quantile(double p);

#endif
