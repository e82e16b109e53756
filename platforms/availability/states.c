/* Devices that are on Wi-Fi, on a metered network or off, charging or not, in use or not, in the course of
 * the day: four chains that each follow a curve (platforms/chains/day_chain.h) and are independent of
 * each other at a given time of the day, or states from a file.
 *
 * Where the time at which all chains are in the states that are asked for is looked up, each step goes to the
 * time until which one of them is known not to be. */
#include "platforms/availability/availability.h"
#include "platforms/chains/day_chain.h"
#include "platforms/availability/day_clock.h"
#include "platforms/availability/session_trace.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A client that is in none of the states for so long counts as never in them. */
#define NEVER_S (366 * 86400.0)

enum dimension { ONLINE, WIFI, CHARGING, IN_USE, N_DIMENSIONS };

struct states {
    bool traced;
    struct frs_eligible eligible;
    struct frs_session_trace trace; /* traced */
    struct frs_day_clock clock;
    double share[N_DIMENSIONS][FRS_DAY_HOURS];
    struct frs_day_chain chains[N_DIMENSIONS];
};

/* Assumed: a phone is nearly always reachable; at night it is at home, on its charger and not in use. With
 * all three required, 48 % of the devices are eligible at 3:00 and 4 % at noon, 18 % on average.
 * FedScale's devices are eligible under the same rule 19 % of the time. */
static const double assumed[N_DIMENSIONS][FRS_DAY_HOURS] = {
    [ONLINE] = {.97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97, .97,
        .97, .97, .97, .97, .97},
    [WIFI] = {.80, .82, .82, .82, .82, .80, .74, .64, .52, .46, .44, .44, .44, .44, .44, .44, .46, .52, .60,
        .68, .72, .75, .78, .80},
    [CHARGING] = {.50, .58, .62, .64, .64, .60, .48, .32, .20, .15, .14, .14, .14, .14, .14, .14, .14, .15,
        .17, .18, .20, .25, .32, .42},
    [IN_USE] = {.10, .07, .05, .05, .05, .06, .12, .20, .25, .26, .27, .28, .30, .28, .27, .27, .28, .30, .33,
        .35, .36, .35, .30, .20},
};

static const struct {
    const char *curve, *session;
    struct frs_two_state_streams streams;
} keys[N_DIMENSIONS] = {
    [ONLINE] = {"online", "online_session",
        {FRS_RNG_GOES_ONLINE, FRS_RNG_GOES_OFFLINE, FRS_RNG_STARTS_ONLINE}},
    [WIFI] = {"wifi", "wifi_session", {FRS_RNG_GETS_WIFI, FRS_RNG_LEAVES_WIFI, FRS_RNG_STARTS_WIFI}},
    [CHARGING] = {"charging", "charging_session",
        {FRS_RNG_PLUGGED_IN, FRS_RNG_UNPLUGGED, FRS_RNG_STARTS_CHARGING}},
    [IN_USE] = {"in_use", "in_use_session", {FRS_RNG_TAKEN_UP, FRS_RNG_LAID_DOWN, FRS_RNG_STARTS_IN_USE}},
};

#define CURVE(name, what)                                                                                    \
    {                                                                                                        \
        .key = name, .type = FRS_TEXT, .by_class = true, .initial = "assumed",                               \
        .help = "without file: shares of the devices " what " at 0:00, 1:00, …, 23:00 (24 numbers from 0 " \
                "to 1 or percentages, commas), or \"assumed\" (docs/device-states.md)"                       \
    }

#define SESSION(name, initially, what)                                                                       \
    {                                                                                                        \
        .key = name, .type = FRS_QUANTITY, .by_class = true, .dimension = FRS_TIME, .initial = initially,    \
        .min = 1, .max = 1e9,                                                                                \
        .help = "without file: mean time for which a device " what                                           \
                " (assumed); shorter only where the curve falls faster than that"                            \
    }

static const struct frs_param params[] = {
    FRS_SESSION_TRACE_PARAMS("path of a CSV file with lines client,start_s,end_s,link,charging,in_use (link: "
                             "wifi, metered or off; 0 or 1); "
                             "a device is off, neither charging nor in use, at times without a line; empty: "
                             "curves",
        "file: "),
    CURVE("online", "that are online"),
    SESSION("online_session", "12 h", "stays online"),
    CURVE("wifi", "that, if online, are on Wi-Fi and not on a metered network"),
    SESSION("wifi_session", "3 h", "stays on Wi-Fi"),
    CURVE("charging", "that are charging"),
    SESSION("charging_session", "2 h", "stays on its charger"),
    CURVE("in_use", "that are in use"),
    SESSION("in_use_session", "10 min", "is in use"),
    FRS_DAY_CLOCK_PARAMS,
    {0},
};

static bool read_curves(
    struct states *states, const struct frs_values *values, uint64_t seed, struct frs_errors *errors) {
    bool good = true;
    states->clock = frs_day_clock_read(values, seed);
    for (enum dimension i = 0; i < N_DIMENSIONS; i++)
        good = frs_curve_read(values, keys[i].curve, "assumed", assumed[i], states->share[i], errors) && good;
    for (enum dimension i = 0; good && i < N_DIMENSIONS; i++)
        frs_day_chain_fill(&states->chains[i], states->share[i], frs_values_real(values, keys[i].session),
            seed, keys[i].streams);
    return good;
}

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    struct states *states = frs_alloc(1, sizeof *states);
    (void)n_clients;
    states->traced = *frs_values_text(values, "file") != '\0';
    if (states->traced)
        states->clock = (struct frs_day_clock){.start_s = frs_values_real(values, "start")};
    bool good = states->traced ? frs_session_trace_read(&states->trace, values, seed, true, errors)
                               : read_curves(states, values, seed, errors);
    *state = good ? states : NULL;
    if (!good)
        free(states);
    return good;
}

static void destroy(void *state) {
    frs_session_trace_fini(&((struct states *)state)->trace);
    free(state);
}

static void require(void *state, const struct frs_eligible *eligible) {
    ((struct states *)state)->eligible = *eligible;
}

static void tie_to_fleet(
    void *state, uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client), const void *fleet) {
    struct states *states = state;
    states->trace.number = number;
    states->trace.fleet = fleet;
}

static double clock_s(const void *state, uint32_t client) {
    return frs_day_clock_s(&((const struct states *)state)->clock, client);
}

/* As bits of frs_session_trace_at. */
static uint32_t eligible_states(const struct frs_eligible *eligible) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < FRS_SESSION_STATES; i++) {
        struct frs_device_state device = frs_session_device(i);
        bits |= (uint32_t)(device.link < FRS_N_DEVICE_LINKS && frs_is_eligible(&device, eligible)) << i;
    }
    return bits;
}

static bool matters(const struct frs_eligible *eligible, enum dimension i) {
    return i == ONLINE || (i == WIFI && eligible->wifi) || (i == CHARGING && eligible->charging) ||
           (i == IN_USE && eligible->idle);
}

/* Whether the chains that matter are in the required states; *until_s: how long that is known to last. The
 * first chain that is not decides. Chains that are rarely as required are asked first. */
static bool fits(const struct states *states, const struct frs_eligible *eligible, uint32_t client,
    double clock_s, double t_s, double *until_s) {
    static const enum dimension order[] = {CHARGING, WIFI, IN_USE, ONLINE};
    *until_s = INFINITY;
    for (size_t k = 0; k < N_DIMENSIONS; k++) {
        enum dimension i = order[k];
        double changes_s;
        if (!matters(eligible, i))
            continue;
        if (frs_two_state_at(&states->chains[i].chain, client, clock_s, t_s, &changes_s) == (i == IN_USE)) {
            *until_s = changes_s;
            return false;
        }
        *until_s = fmin(*until_s, changes_s);
    }
    return true;
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    const struct states *states = state;
    (void)round, (void)attempt;
    if (states->traced) {
        bool in;
        frs_session_trace_at(&states->trace, client, eligible_states(&states->eligible), t_s, &in, until_s);
        return in;
    }
    double clock = clock_s(state, client), later_s;
    if (fits(states, &states->eligible, client, clock, t_s, until_s))
        return true;
    while (*until_s < t_s + NEVER_S && !fits(states, &states->eligible, client, clock, *until_s, &later_s))
        *until_s = later_s;
    if (*until_s >= t_s + NEVER_S)
        *until_s = INFINITY;
    return false;
}

static bool is_eligible(const void *state, uint32_t client, double t_s, const struct frs_eligible *eligible) {
    const struct states *states = state;
    double until_s;
    bool in;
    if (!states->traced)
        return fits(states, eligible, client, clock_s(state, client), t_s, &until_s);
    frs_session_trace_at(&states->trace, client, eligible_states(eligible), t_s, &in, &until_s);
    return in;
}

/* As bits of frs_session_trace_at: the states that have the link of this one, or its other two parts. */
static uint32_t alike(const struct frs_device_state *device, enum dimension part) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < FRS_SESSION_STATES; i++) {
        struct frs_device_state other = frs_session_device(i);
        bool same = part == CHARGING ? other.charging == device->charging
                    : part == IN_USE ? other.in_use == device->in_use
                                     : other.link == device->link;
        bits |= (uint32_t)same << i;
    }
    return bits;
}

static struct frs_device_state traced_device(const struct states *states, uint32_t client, double t_s) {
    bool in;
    double until_s;
    const struct frs_session_trace *trace = &states->trace;
    const struct frs_session *session = frs_session_trace_at(trace, client, 1, t_s, &in, &until_s);
    struct frs_device_state state = frs_session_device(session ? session->state : 0);
    frs_session_trace_at(trace, client, alike(&state, ONLINE), t_s, &in, &state.link_until_s);
    frs_session_trace_at(trace, client, alike(&state, CHARGING), t_s, &in, &state.charging_until_s);
    frs_session_trace_at(trace, client, alike(&state, IN_USE), t_s, &in, &state.in_use_until_s);
    return state;
}

static struct frs_device_state device(const void *state, uint32_t client, double t_s) {
    const struct states *states = state;
    bool is[N_DIMENSIONS];
    double until_s[N_DIMENSIONS], clock = clock_s(state, client);
    if (states->traced)
        return traced_device(states, client, t_s);
    for (enum dimension i = 0; i < N_DIMENSIONS; i++)
        is[i] = frs_two_state_at(&states->chains[i].chain, client, clock, t_s, &until_s[i]);
    return (struct frs_device_state){.link = !is[ONLINE] ? FRS_LINK_OFF
                                             : is[WIFI]  ? FRS_LINK_WIFI
                                                         : FRS_LINK_METERED,
        .charging = is[CHARGING],
        .in_use = is[IN_USE],
        .link_until_s = is[ONLINE] ? fmin(until_s[ONLINE], until_s[WIFI]) : until_s[ONLINE],
        .charging_until_s = until_s[CHARGING],
        .in_use_until_s = until_s[IN_USE]};
}

static double share_at(const void *context, double time_of_day_s) {
    const struct states *states = context;
    double share = 1;
    for (enum dimension i = 0; i < N_DIMENSIONS; i++) {
        double own = frs_day_share_at(states->share[i], time_of_day_s);
        share *= !matters(&states->eligible, i) ? 1 : i == IN_USE ? 1 - own : own;
    }
    return share;
}

static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct states *states = state;
    if (states->traced)
        frs_session_trace_average(&states->trace, eligible_states(&states->eligible), clients, n, day);
    else
        frs_day_clock_average(&states->clock, share_at, states, n, day);
}

static bool settle(void *state, const struct frs_values *values, const struct frs_file_clients *clients,
    struct frs_errors *errors) {
    struct states *states = state;
    return !states->traced || frs_session_trace_settle(&states->trace, values, clients, errors);
}

static char *note(const void *state, uint32_t n_clients) {
    const struct states *states = state;
    return states->traced ? frs_session_trace_note(&states->trace, n_clients) : NULL;
}

const struct frs_availability_model frs_availability_states = {
    .plugin = {.name = "states",
        .summary =
            "devices on Wi-Fi, metered or off, charging, in use, by the time of the day or from a file",
        .source = "curves: assumed",
        .params = params},
    .create = create,
    .destroy = destroy,
    .at = at,
    .require = require,
    .device = device,
    .is_eligible = is_eligible,
    .tie_to_fleet = tie_to_fleet,
    .average_day = average_day,
    .clock_s = clock_s,
    .settle = settle,
    .note = note,
};
