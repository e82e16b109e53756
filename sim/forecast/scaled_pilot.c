#include "sim/forecast/scaled_pilot.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How many rounds are played at most. */
#define ROUNDS 8u
#define THINNER_ROUNDS 32u

/* The share of the growth that is expected to go on, and by how much of it that may be off either way. */
#define GOES_ON 0.85
#define GOES_ON_SLACK 0.5

/* By what share a range is wide at least, either way. */
#define SLACK 0.03

static uint32_t part_of(uint32_t n, uint32_t k) {
    return n > k ? (n + k / 2) / k : n > 0;
}

/* As many rounds as tell enough, whatever ends the scenario's. */
static struct frs_setup thin(const struct frs_setup *setup, uint32_t k, uint32_t n_rounds) {
    struct frs_setup copy = *setup;
    copy.cohort = part_of(setup->cohort, k);
    copy.probability = setup->probability / k;
    if (!setup->selection->varies)
        copy.policy_settings.n_selected = part_of(setup->policy_settings.n_selected, k);
    copy.policy_settings.n_needed = part_of(setup->policy_settings.n_needed, k);
    copy.policy_settings.min_uploads = part_of(setup->policy_settings.min_uploads, k);
    copy.policy_settings.quorum = part_of(setup->policy_settings.quorum, k);
    copy.policy_settings.patience = part_of((uint32_t)setup->policy_settings.patience, k);
    copy.network.server_down_bytes_per_s /= k;
    copy.network.server_up_bytes_per_s /= k;
    copy.server.flop_per_s /= k;
    copy.n_rounds = n_rounds;
    copy.stop_s = INFINITY;
    copy.stop_tolerance = 0;
    copy.stop_at_target = false;
    frs_setup_settle(&copy);
    return copy;
}

static struct frs_pilot play(const struct frs_setup *setup, const struct frs_training_estimate *estimate,
    uint32_t k, uint32_t n_rounds, double ceiling_s) {
    struct frs_setup scaled = thin(setup, k, n_rounds);
    struct frs_pilot_request request = {.setup = &scaled,
        .estimate = estimate,
        .threads = 1,
        .most_rounds = n_rounds,
        .ceiling_s = ceiling_s};
    return frs_pilot_play(&request);
}

struct frs_scaled_pilot frs_scaled_pilot_play(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, double n_asked, double ceiling_s) {
    struct frs_scaled_pilot scaled = {.k = (uint32_t)ceil(frs_setup_selected(setup) / n_asked)};
    scaled.rounds = play(setup, estimate, scaled.k, ROUNDS, ceiling_s);
    scaled.thinner = play(setup, estimate, scaled.k * FRS_SCALED_PILOT_STEP, THINNER_ROUNDS, ceiling_s);
    return scaled;
}

void frs_scaled_pilot_fini(struct frs_scaled_pilot *scaled) {
    free(scaled->rounds.rounds);
    free(scaled->thinner.rounds);
    *scaled = (struct frs_scaled_pilot){0};
}

bool frs_scaled_pilot_is_known(const struct frs_scaled_pilot *scaled) {
    return scaled->rounds.n > 1 && scaled->thinner.n > 1;
}

struct lengths {
    double mean_s;
    double deviation, error; /* relative; error: of the mean, half of its 95 % range */
};

static struct lengths lengths_of(const struct frs_pilot *played) {
    double n = (double)played->n, mean_s = played->rounds[played->n - 1].simulated_s / n, before_s = 0,
           sum = 0;
    for (size_t i = 0; i < played->n; i++) {
        double off = played->rounds[i].simulated_s - before_s - mean_s;
        sum += off * off;
        before_s = played->rounds[i].simulated_s;
    }
    double deviation = mean_s > 0 ? sqrt(sum / (n - 1)) / mean_s : 0;
    return (struct lengths){.mean_s = mean_s,
        .deviation = deviation,
        .error = frs_student_t_quantile(0.975, n - 1) * deviation / sqrt(n)};
}

/* The exponent of the length of rounds, as a power of the number of clients. */
static double power(const struct lengths *more, const struct lengths *fewer) {
    return fewer->mean_s > 0 && more->mean_s > 0
               ? fmax(log(more->mean_s / fewer->mean_s) / log(FRS_SCALED_PILOT_STEP), 0)
               : 0;
}

double frs_scaled_pilot_growth(const struct frs_scaled_pilot *scaled) {
    struct lengths more = lengths_of(&scaled->rounds), fewer = lengths_of(&scaled->thinner);
    return pow(scaled->k, GOES_ON * power(&more, &fewer));
}

struct frs_extrapolation frs_scaled_pilot_outlook(
    const struct frs_scaled_pilot *scaled, double n_rounds, double stop_s) {
    struct lengths more = lengths_of(&scaled->rounds), fewer = lengths_of(&scaled->thinner);
    double steps = log(scaled->k), round_s = more.mean_s * frs_scaled_pilot_growth(scaled);
    if (n_rounds * round_s > stop_s) /* ends with the round under way at that time */
        n_rounds = ceil(stop_s / round_s);
    double chance = hypot(hypot(more.error, fewer.error) * GOES_ON * steps / log(FRS_SCALED_PILOT_STEP),
        hypot(more.error, 2 * more.deviation / sqrt(n_rounds)));
    double off = exp(SLACK + GOES_ON_SLACK * power(&more, &fewer) * steps + chance);
    return (struct frs_extrapolation){.low_s = n_rounds * round_s / off,
        .middle_s = n_rounds * round_s,
        .high_s = n_rounds * round_s * off,
        .n_rounds = n_rounds,
        .n_low = isfinite(stop_s) ? n_rounds / off : n_rounds,
        .n_high = isfinite(stop_s) ? n_rounds * off : n_rounds};
}
