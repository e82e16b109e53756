#include "sim/forecast/state_hours.h"

#include <math.h>

#define HOUR_S 3600.0
#define DAY_S 86400.0

/* Devices that stand for all, at even places. */
#define MOST_DEVICES 200u
#define TIMES_OF_HOUR 2u

/* Eligible clients of an hour; n = 0: none was found. */
struct hour {
    double n, metered, in_use;
};

/* The first time of the run at which the server's clock shows this. */
static double first_s(const struct frs_setup *setup, double of_day_s) {
    double time_s = fmod(of_day_s - setup->clock_s, DAY_S);
    return time_s < 0 ? time_s + DAY_S : time_s;
}

static bool may_open(const struct frs_pacing *pacing, double of_day_s) {
    double until_s;
    return !pacing->window.given || pacing->window_clock == FRS_WINDOW_CLIENT ||
           frs_day_window_at(&pacing->window, of_day_s, &until_s);
}

static void add_devices(const struct frs_setup *setup, double time_s, struct hour *hour) {
    const struct frs_reachability *reachability = &setup->reachability;
    uint32_t n = reachability->n_clients, n_taken = n < MOST_DEVICES ? n : MOST_DEVICES;
    for (uint32_t i = 0; i < n_taken; i++) {
        struct frs_device_state device =
            frs_reachability_device(reachability, (uint32_t)((uint64_t)i * n / n_taken), time_s);
        if (!frs_is_eligible(&device, &reachability->eligible))
            continue;
        hour->n++;
        hour->metered += device.link == FRS_LINK_METERED;
        hour->in_use += device.in_use;
    }
}

/* How many times as long as on devices that all lie idle. */
static double computing(const struct frs_setup *setup, const struct hour *hour) {
    return 1 + hour->in_use / hour->n * (1 / setup->devices.in_use - 1);
}

/* In the rounds played, by the hours in which they selected their clients. */
static double computing_played(
    const struct frs_setup *setup, const struct frs_pilot *played, const struct hour hours[FRS_LOAD_HOURS]) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < FRS_LOAD_HOURS; i++) {
        double selected = hours[i].n > 0 ? played->by_hour[i].selected.sum : 0;
        sum += selected > 0 ? selected * computing(setup, &hours[i]) : 0;
        n += selected;
    }
    return n > 0 ? sum / n : NAN;
}

struct frs_state_hours frs_state_hours_of(const struct frs_setup *setup, const struct frs_pilot *played) {
    struct frs_state_hours range = {.metered_low = INFINITY, .computing_low = INFINITY};
    struct hour hours[FRS_LOAD_HOURS] = {0};
    if (!frs_reachability_has_states(&setup->reachability))
        return range;
    for (size_t i = 0; i < FRS_LOAD_HOURS * TIMES_OF_HOUR; i++) {
        double of_day_s = ((double)i + 0.5) / TIMES_OF_HOUR * HOUR_S;
        if (may_open(&setup->pacing, of_day_s))
            add_devices(setup, first_s(setup, of_day_s), &hours[i / TIMES_OF_HOUR]);
    }
    double as_played = computing_played(setup, played, hours);
    for (size_t i = 0; i < FRS_LOAD_HOURS; i++) {
        if (hours[i].n == 0)
            continue;
        double metered = hours[i].metered / hours[i].n, longer = computing(setup, &hours[i]) / as_played;
        range.metered_low = fmin(range.metered_low, metered);
        range.metered_high = fmax(range.metered_high, metered);
        range.computing_low = fmin(range.computing_low, longer);
        range.computing_high = fmax(range.computing_high, longer);
    }
    range.known = isfinite(range.computing_low) && !isnan(as_played);
    return range;
}
