#include "actors/observations.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

static const char *const unmeasured_names[] = {[FRS_UNMEASURED_OPTIMISTIC] = "optimistic",
    [FRS_UNMEASURED_MEAN] = "mean",
    [FRS_UNMEASURED_SMALLEST] = "smallest",
    NULL};

const struct frs_param frs_observations_params[] = {
    {.key = "weight",
        .type = FRS_REAL,
        .initial = "0.3",
        .min = 0.001,
        .max = 1,
        .help = "weight of the newest observation in a client's moving averages"},
    {.key = "prior_downlink",
        .type = FRS_QUANTITY,
        .dimension = FRS_RATE,
        .initial = "0.75 MiB/s",
        .min = 1,
        .max = 1e15,
        .help = "what a client's downlink is taken for before any client has been measured"},
    {.key = "prior_uplink",
        .type = FRS_QUANTITY,
        .dimension = FRS_RATE,
        .initial = "0.25 MiB/s",
        .min = 1,
        .max = 1e15,
        .help = "the same for the uplink"},
    {.key = "prior_compute",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0.1 s",
        .min = 0,
        .max = 1e9,
        .help = "the same for the time a client computes in one participation"},
    {.key = "unmeasured",
        .type = FRS_CHOICE,
        .initial = "optimistic",
        .choices = unmeasured_names,
        .help =
            "what a client is taken for that has neither delivered nor been cut off: optimistic, the mean "
            "of those of which something is known, as far as it is; mean, the same, longer by the time in "
            "which others were waited for in vain; smallest, as optimistic, and deadline and proportional "
            "grant it the smallest budget"},
    {0},
};

struct frs_observations {
    struct frs_observations_settings settings;
    struct frs_seen *clients;
    struct frs_pace sum; /* over clients that know the part */
    uint32_t n_known[FRS_N_PACE_PARTS];
    uint32_t n_measured;
    double durations_s; /* sum over measured clients, */
    double waited_s;    /* and over those of which nothing has arrived */
};

struct frs_observations_settings frs_observations_read(const struct frs_values *values) {
    return (struct frs_observations_settings){.weight = frs_values_real(values, "weight"),
        .prior = {.down_s_per_byte = 1 / frs_values_real(values, "prior_downlink"),
            .up_s_per_byte = 1 / frs_values_real(values, "prior_uplink"),
            .compute_s_per_work = frs_values_real(values, "prior_compute"),
            .size_share = 1},
        .unmeasured = (enum frs_unmeasured)frs_values_choice(values, "unmeasured")};
}

struct frs_observations *frs_observations_create(
    uint32_t n_clients, const struct frs_observations_settings *settings) {
    struct frs_observations *observations = frs_alloc(1, sizeof *observations);
    observations->settings = *settings;
    observations->clients = frs_alloc(n_clients, sizeof *observations->clients);
    for (uint32_t client = 0; client < n_clients; client++)
        observations->clients[client].backoff = 1;
    return observations;
}

void frs_observations_destroy(struct frs_observations *observations) {
    if (!observations)
        return;
    free(observations->clients);
    free(observations);
}

void frs_observations_selected(struct frs_observations *observations, uint32_t client, uint32_t round) {
    observations->clients[client].times_selected++;
    observations->clients[client].last_round = round;
}

/* The running sum over clients follows the change; subtracting may leave a rounding below 0. */
static void follow(double *average, double *sum, double value, double weight) {
    double before = *average;
    *average = before + weight * (value - before);
    *sum += *average - before;
    if (*sum < 0)
        *sum = 0;
}

static double per(double amount, double units) {
    return units > 0 ? amount / units : 0;
}

/* The weight of a new value of this part, which is known from now on. */
static double learn(
    struct frs_observations *o, struct frs_seen *seen, enum frs_pace_part part, double weight) {
    if (seen->knows[part])
        return weight;
    seen->knows[part] = true;
    o->n_known[part]++;
    return 1;
}

static void learn_download(
    struct frs_observations *o, struct frs_seen *seen, const struct frs_observation *new, double weight) {
    struct frs_pace *pace = &seen->pace, *sum = &o->sum;
    weight = learn(o, seen, FRS_PACE_DOWN, weight);
    follow(&pace->latency_s, &sum->latency_s, new->latency_s, weight);
    follow(&pace->round_trip_s, &sum->round_trip_s, new->round_trip_s, weight);
    follow(&pace->down_bytes, &sum->down_bytes, new->down_bytes, weight);
    follow(&pace->down_s_per_byte, &sum->down_s_per_byte,
        frs_slow_start_s_per_byte(new->down_bytes, new->down_s, new->round_trip_s, new->slow_start.down),
        weight);
}

static double up_s_per_byte(const struct frs_observation *new) {
    return frs_slow_start_s_per_byte(new->up_bytes, new->up_s, new->round_trip_s, new->slow_start.up);
}

/* The parts of its pace that were seen. */
static void learn_pace(struct frs_observations *o, struct frs_seen *seen, const struct frs_observation *new) {
    struct frs_pace *pace = &seen->pace, *sum = &o->sum;
    bool whole = new->sight == FRS_SAW_UPLOAD;
    double weight = whole && seen->cuts > 0 ? 1 : o->settings.weight;
    if (new->sight >= FRS_SAW_RECEIPT)
        learn_download(o, seen, new, weight);
    if (new->sight >= FRS_SAW_PART) {
        follow(&pace->compute_s_per_work, &sum->compute_s_per_work, per(new->compute_s, new->work),
            learn(o, seen, FRS_PACE_COMPUTE, weight));
        follow(&pace->up_s_per_byte, &sum->up_s_per_byte, up_s_per_byte(new),
            learn(o, seen, FRS_PACE_UP, weight));
    }
    if (whole)
        follow(&pace->size_share, &sum->size_share, per(new->up_bytes, new->predicted_up_bytes),
            learn(o, seen, FRS_PACE_SIZE, weight));
}

static void arrive(struct frs_observations *o, struct frs_seen *seen, const struct frs_observation *new) {
    double ignored = 0, weight = seen->measured > 0 ? o->settings.weight : 1;
    follow(&seen->spent_s, &ignored, new->waited_s, weight);
    follow(&seen->share, &ignored, 1, weight);
    follow(&seen->duration_s, &o->durations_s, new->waited_s, seen->cuts > 0 ? 1 : weight);
    follow(&seen->waited_s, &o->waited_s, 0, 1);
    seen->samples = new->samples;
    seen->loss = new->loss;
    seen->backoff = 1;
    seen->cuts = 0;
    seen->vain_s = 0;
    seen->lost = 0;
    seen->most = 0;
    o->n_measured += seen->measured == 0;
    seen->measured++;
}

static void miss(const struct frs_observations *o, struct frs_seen *seen, const struct frs_observation *new) {
    double ignored = 0, weight = o->settings.weight;
    seen->vain_s += new->lost ? 0 : new->waited_s;
    seen->lost += new->lost;
    if (seen->measured == 0)
        return;
    if (!new->lost)
        follow(&seen->spent_s, &ignored, new->waited_s, weight);
    follow(&seen->share, &ignored, 0, weight);
}

/* The client took longer than the server waited. The excess is the time for the rest of its upload at the
 * rate so far, or, if nothing of it had arrived, the whole time once more. A client that is aborted again
 * although this is known is assumed to need twice as long as before, as long as it can be assigned less. */
static void back_off(struct frs_observations *o, struct frs_seen *seen, const struct frs_observation *new) {
    struct frs_pace pace = frs_observations_pace(o, new->client);
    double predicted_s = frs_pace_duration_s(&pace, &new->slow_start, new->work, new->predicted_up_bytes),
           left = frs_larger(new->predicted_up_bytes *pace.size_share - new->kept_up_bytes, 0),
           least_s =
               new->sight == FRS_SAW_PART ? new->waited_s + left *up_s_per_byte(new) : 2 * new->waited_s;
    if (seen->cuts > 0 && new->reducible > 0) {
        seen->backoff *= 2;
        seen->most = new->reducible > 1 ? new->reducible / 2 : 1;
    }
    if (predicted_s > 0)
        seen->backoff = frs_larger(seen->backoff, least_s / predicted_s);
    seen->cuts++;
    if (seen->measured == 0)
        follow(&seen->waited_s, &o->waited_s, frs_larger(seen->waited_s, new->waited_s), 1);
}

void frs_observations_add(struct frs_observations *observations, const struct frs_observation *new) {
    struct frs_seen *seen = &observations->clients[new->client];
    seen->ended++;
    learn_pace(observations, seen, new);
    if (new->sight == FRS_SAW_UPLOAD) {
        arrive(observations, seen, new);
        return;
    }
    miss(observations, seen, new);
    if (!new->lost)
        back_off(observations, seen, new);
}

const struct frs_seen *frs_observations_client(const struct frs_observations *observations, uint32_t client) {
    return &observations->clients[client];
}

static double mean(const struct frs_observations *o, double sum, enum frs_pace_part part, double prior) {
    return o->n_known[part] > 0 ? sum / o->n_known[part] : prior;
}

struct frs_pace frs_observations_mean_pace(const struct frs_observations *o) {
    const struct frs_pace *sum = &o->sum, *prior = &o->settings.prior;
    return (struct frs_pace){.latency_s = mean(o, sum->latency_s, FRS_PACE_DOWN, prior->latency_s),
        .round_trip_s = mean(o, sum->round_trip_s, FRS_PACE_DOWN, prior->round_trip_s),
        .down_bytes = mean(o, sum->down_bytes, FRS_PACE_DOWN, prior->down_bytes),
        .down_s_per_byte = mean(o, sum->down_s_per_byte, FRS_PACE_DOWN, prior->down_s_per_byte),
        .up_s_per_byte = mean(o, sum->up_s_per_byte, FRS_PACE_UP, prior->up_s_per_byte),
        .compute_s_per_work = mean(o, sum->compute_s_per_work, FRS_PACE_COMPUTE, prior->compute_s_per_work),
        .size_share = mean(o, sum->size_share, FRS_PACE_SIZE, prior->size_share)};
}

struct frs_pace frs_observations_pace(const struct frs_observations *observations, uint32_t client) {
    const struct frs_seen *seen = &observations->clients[client];
    const struct frs_pace *own = &seen->pace;
    struct frs_pace pace = frs_observations_mean_pace(observations);
    if (seen->knows[FRS_PACE_DOWN]) {
        pace.latency_s = own->latency_s;
        pace.round_trip_s = own->round_trip_s;
        pace.down_bytes = own->down_bytes;
        pace.down_s_per_byte = own->down_s_per_byte;
    }
    if (seen->knows[FRS_PACE_COMPUTE])
        pace.compute_s_per_work = own->compute_s_per_work;
    if (seen->knows[FRS_PACE_UP])
        pace.up_s_per_byte = own->up_s_per_byte;
    if (seen->knows[FRS_PACE_SIZE])
        pace.size_share = own->size_share;
    return pace;
}

/* It has neither delivered nor been cut off. */
static bool is_unmeasured(const struct frs_seen *seen) {
    return seen->measured == 0 && seen->waited_s == 0;
}

/* A client's duration is assumed to be exponential. For some durations only a lower bound is known. The
 * likeliest mean is then all the time observed, divided by the number of ends that were seen (Epstein and
 * Sobel 1953). */
static double in_vain(const struct frs_observations *o) {
    return 1 + per(o->waited_s, o->durations_s);
}

double frs_observations_factor(const struct frs_observations *observations, uint32_t client) {
    const struct frs_seen *seen = &observations->clients[client];
    bool counts = observations->settings.unmeasured == FRS_UNMEASURED_MEAN && is_unmeasured(seen);
    return counts ? in_vain(observations) : seen->backoff;
}

bool frs_observations_begins_small(const struct frs_observations *observations, uint32_t client) {
    return observations->settings.unmeasured == FRS_UNMEASURED_SMALLEST &&
           is_unmeasured(&observations->clients[client]);
}

uint32_t frs_observations_most(
    const struct frs_observations *observations, uint32_t client, uint32_t smallest, uint32_t largest) {
    uint32_t most = observations->clients[client].most;
    if (frs_observations_begins_small(observations, client) || (most > 0 && most < smallest))
        return smallest;
    return most > 0 && most < largest ? most : largest;
}

double frs_observations_delivery_s(const struct frs_observations *observations, uint32_t client) {
    const struct frs_seen *seen = &observations->clients[client];
    bool delivers = seen->measured > 0, fails = seen->lost > 0 || seen->cuts > 0;
    double once_s = delivers ? seen->duration_s : per(observations->durations_s, observations->n_measured),
           next_s = once_s * (1 + seen->lost) + seen->vain_s;
    if (!delivers || seen->share <= 0)
        return next_s;
    double average_s = seen->spent_s / seen->share;
    return fails ? frs_smaller(average_s, next_s) : average_s;
}

double frs_pace_duration_s(const struct frs_pace *pace, const struct frs_slow_start_kinds *slow_start,
    double work, double predicted_up_bytes) {
    return pace->latency_s +
           frs_slow_start_duration_s(
               pace->down_bytes, 1 / pace->down_s_per_byte, pace->round_trip_s, slow_start->down) +
           work * pace->compute_s_per_work +
           frs_slow_start_duration_s(predicted_up_bytes * pace->size_share, 1 / pace->up_s_per_byte,
               pace->round_trip_s, slow_start->up);
}
