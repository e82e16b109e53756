#include "platforms/failures/failures.h"
#include "platforms/availability/churn.h"
#include "platforms/distributions/personal.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const frs_loss_correlation_names[] = {[FRS_FOLLOWS_NOTHING] = "none",
    [FRS_FOLLOWS_UPLINK] = "uplink",
    [FRS_FOLLOWS_DOWNLINK] = "downlink",
    [FRS_FOLLOWS_SPEED] = "speed",
    [FRS_FOLLOWS_ACTIVITY] = "activity",
    [FRS_FOLLOWS_TASTE] = "taste",
    NULL};

#define PROBABILITY(key_, help_)                                                                             \
    { .key = key_, .type = FRS_REAL, .by_class = true, .initial = "0", .min = 0, .max = 1, .help = help_ }
#define MEAN_TIME(key_, help_)                                                                               \
    {                                                                                                        \
        .key = key_, .type = FRS_QUANTITY, .by_class = true, .dimension = FRS_TIME, .initial = "0 s",        \
        .min = 0, .max = INFINITY, .help = help_                                                             \
    }
#define DURATION(key_, initial_, help_)                                                                      \
    {                                                                                                        \
        .key = key_, .type = FRS_QUANTITY, .dimension = FRS_TIME, .initial = initial_, .min = 0,             \
        .max = INFINITY, .help = help_                                                                       \
    }

const struct frs_param frs_failures_params[] = {
    PROBABILITY("down", "probability that the device fails while it downloads"),
    PROBABILITY("compute", "probability that the device fails while it computes"),
    PROBABILITY("up", "probability that the device fails while it uploads"),
    PROBABILITY("connection_down", "probability that the connection breaks during the download"),
    PROBABILITY("connection_up", "probability that the connection breaks during the upload"),
    DURATION("per", "0 s",
        "exposure that the five probabilities are for: 0 s: the phase, however long it lasts; \"1 h\": so "
        "many are lost within an hour of the phase, and fewer the shorter it is"),
    MEAN_TIME("device_mtbf", "mean time between failures of a device at work, in any phase; 0 s: none"),
    MEAN_TIME("connection_mtbf", "mean time between failures of a connection in use; 0 s: none"),
    {.key = "follows",
        .type = FRS_CHOICE,
        .choices = frs_loss_correlation_names,
        .initial = "none",
        .help =
            "who is lost more often than others: those with slow uplinks, slow downlinks, slow devices, or "
            "with few training interactions (activity: who uses the service little is seldom in reach of "
            "it; assumed), or who like what few like (taste); the mean over all clients stays what the five "
            "probabilities say; none: all "
            "alike"},
    {.key = "correlation",
        .type = FRS_REAL,
        .initial = "1",
        .min = -1,
        .max = 1,
        .help =
            "rank correlation (Spearman) between a client's probability and how slow or inactive it is; "
            "1: strictly in that order, the largest effect there can be (assumed); 0: by chance; below 0: "
            "the fast ones are lost more often"},
    {.key = "concentration",
        .type = FRS_REAL,
        .initial = "2",
        .min = 0,
        .max = FRS_CONCENTRATION_MOST,
        .help =
            "how alike clients are with `follows`: their probabilities of mean m are spread as Beta(κm, "
            "κ(1 − m)), and two participations of one client are lost together with correlation 1/(1 + κ); "
            "2: at m = 50 % all are equally likely (assumed); 0: some are always lost, others never"},
    /* Real servers notice lost clients by silence: gRPC's keepalive waits 20 s for an answer; Flower's
     * clients report every 30 s and are given up after two missing reports; nginx waits 60 s for the next
     * bytes of a body. */
    DURATION("detect", "30 s",
        "from the moment a client vanishes until the server knows (assumed: between the 20 s of gRPC's "
        "keepalive and the 60 s of Flower's heartbeats and of nginx; papers that lose clients assume 0 s)"),
    FRS_CHURN_PARAMS,
    {.key = "server_restarts",
        .type = FRS_TEXT,
        .initial = "",
        .help = "times at which the server fails and starts again from its last closed round: \"2 h, 5 h\""},
    DURATION("restart", "1 min", "how long the server is away at each restart (assumed)"),
    {0},
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads a probability or mean time. *matters when it is present, or when its 0 was written as one point of
 * a series. */
static double hazard(const struct frs_values *values, const char *key, bool *matters) {
    double value = frs_values_real(values, key);
    *matters |= value > 0 || frs_values_find(values, key)->given;
    return value;
}

static bool read_restarts(
    struct frs_failures *failures, const struct frs_values *values, struct frs_errors *errors) {
    char *copy = frs_strdup(frs_values_text(values, "server_restarts")), *rest = copy, *item, shown[48];
    size_t capacity = 0;
    bool good = true;
    if (copy[strspn(copy, " ")] == '\0')
        rest = NULL;
    while (good && (item = strsep(&rest, ","))) {
        item += strspn(item, " ");
        for (size_t length = strlen(item); length > 0 && item[length - 1] == ' '; length--)
            item[length - 1] = '\0';
        double time_s;
        good = frs_units_parse(item, FRS_TIME, &time_s) == FRS_OK && time_s > 0;
        if (!good) {
            frs_values_error(values, "server_restarts", errors,
                "\"%s\" is not a time after the start; allowed: times of at most %g s with their unit, "
                "separated by commas",
                frs_text_line(item, shown, sizeof shown), frs_units_most(FRS_TIME));
            break;
        }
        failures->server_restarts_s =
            frs_grow(failures->server_restarts_s, failures->n_server_restarts + 1, &capacity, sizeof time_s);
        failures->server_restarts_s[failures->n_server_restarts++] = time_s;
    }
    free(copy);
    if (!good)
        return false;
    if (failures->n_server_restarts > 0) {
        qsort(failures->server_restarts_s, failures->n_server_restarts, sizeof(double), frs_compare_doubles);
        failures->restart_s = frs_values_real(values, "restart");
    }
    return true;
}

static struct frs_hazards read_hazards(const struct frs_values *values, bool *chances, bool *rates) {
    return (struct frs_hazards){
        .device = {[FRS_FAILS_DOWN] = hazard(values, "down", chances),
            [FRS_FAILS_COMPUTE] = hazard(values, "compute", chances),
            [FRS_FAILS_UP] = hazard(values, "up", chances)},
        .connection = {[FRS_FAILS_DOWN] = hazard(values, "connection_down", chances),
            [FRS_FAILS_UP] = hazard(values, "connection_up", chances)},
        .device_mtbf_s = hazard(values, "device_mtbf", rates),
        .connection_mtbf_s = hazard(values, "connection_mtbf", rates),
    };
}

static void read_chances(struct frs_failures *failures, const struct frs_values *values) {
    failures->per_s = frs_values_real(values, "per");
    failures->follows = (enum frs_loss_correlation)frs_values_choice(values, "follows");
    if (failures->follows == FRS_FOLLOWS_NOTHING)
        return;
    failures->correlation = frs_values_real(values, "correlation");
    failures->concentration = frs_values_real(values, "concentration");
}

bool frs_failures_read(struct frs_failures *failures, const struct frs_values *values,
    const struct frs_strata *strata, bool clients_vanish, struct frs_errors *errors) {
    bool chances = false, rates = false;
    *failures = (struct frs_failures){0};
    if (!frs_kinds_read(&failures->kinds, values, strata, errors))
        return false;
    failures->hazards = frs_alloc(failures->kinds.n, sizeof *failures->hazards);
    for (size_t kind = 0; kind < failures->kinds.n; kind++) {
        frs_kinds_look_at(&failures->kinds, values, kind);
        failures->hazards[kind] = read_hazards(values, &chances, &rates);
    }
    if (chances)
        read_chances(failures, values);
    if (clients_vanish || chances || rates)
        failures->detect_s = frs_values_real(values, "detect");
    if (read_restarts(failures, values, errors))
        return true;
    frs_failures_fini(failures);
    return false;
}

void frs_failures_fini(struct frs_failures *failures) {
    for (int phase = 0; phase < FRS_FAILURE_PHASES; phase++) {
        free(failures->personal_device[phase]);
        free(failures->personal_connection[phase]);
    }
    free(failures->place);
    free(failures->hazards);
    free(failures->server_restarts_s);
    *failures = (struct frs_failures){0};
}

/* ---- who is lost ----------------------------------------------------------------------------- */

/* The hazards of one sort in one phase, by kind. */
static double chance_of_kind(const struct frs_failures *failures, size_t kind, bool device, int phase) {
    const struct frs_hazards *hazards = &failures->hazards[kind];
    return device ? hazards->device[phase] : hazards->connection[phase];
}

/* Personal probabilities within every kind, whose mean stays unchanged, in the order of all clients. NULL:
 * no client is lost in this way. */
static double *personal(const struct frs_failures *failures, const uint32_t *order, const size_t *kind_of,
    uint32_t n, bool device, int phase) {
    double *result = frs_alloc(n, sizeof *result), *chances = frs_alloc(n, sizeof *chances);
    bool any = false;
    for (size_t kind = 0; kind < failures->kinds.n; kind++) {
        double mean = chance_of_kind(failures, kind, device, phase);
        size_t n_kind = 0, place = 0;
        for (uint32_t i = 0; i < n; i++)
            n_kind += kind_of[i] == kind;
        any = any || mean > 0;
        frs_personal_chances(mean, failures->concentration, n_kind, chances);
        for (uint32_t i = 0; i < n; i++)
            if (kind_of[order[i]] == kind)
                result[order[i]] = chances[place++];
    }
    free(chances);
    if (any)
        return result;
    free(result);
    return NULL;
}

bool frs_failures_follow(struct frs_failures *failures, const double *burden, uint32_t n, uint64_t seed) {
    uint32_t *order = frs_alloc(n, sizeof *order);
    size_t *kind_of = frs_alloc(n, sizeof *kind_of);
    bool differ = frs_personal_order(burden, n, failures->correlation, seed, FRS_RNG_LOSS, order);
    failures->place = frs_alloc(n, sizeof *failures->place);
    for (uint32_t i = 0; i < n; i++) {
        failures->place[order[i]] = i;
        kind_of[i] = frs_kind_of(&failures->kinds, i);
    }
    for (int phase = 0; phase < FRS_FAILURE_PHASES; phase++) {
        failures->personal_device[phase] = personal(failures, order, kind_of, n, true, phase);
        failures->personal_connection[phase] = personal(failures, order, kind_of, n, false, phase);
    }
    free(order);
    free(kind_of);
    return differ;
}

/* ---- asking ---------------------------------------------------------------------------------- */

bool frs_failures_can_strike(const struct frs_failures *failures) {
    return frs_failures_have_chances(failures) || frs_failures_have_rates(failures);
}

bool frs_failures_have_chances(const struct frs_failures *failures) {
    for (size_t kind = 0; kind < failures->kinds.n; kind++)
        for (int phase = 0; phase < FRS_FAILURE_PHASES; phase++)
            if (failures->hazards[kind].device[phase] > 0 || failures->hazards[kind].connection[phase] > 0)
                return true;
    return false;
}

bool frs_failures_have_rates(const struct frs_failures *failures) {
    for (size_t kind = 0; kind < failures->kinds.n; kind++)
        if (failures->hazards[kind].device_mtbf_s > 0 || failures->hazards[kind].connection_mtbf_s > 0)
            return true;
    return failures->per_s > 0 && frs_failures_have_chances(failures);
}

bool frs_failures_differ(const struct frs_failures *failures) {
    return failures->follows != FRS_FOLLOWS_NOTHING ||
           (failures->kinds.n > 1 && frs_failures_have_chances(failures));
}

uint32_t frs_failures_place(const struct frs_failures *failures, uint32_t client) {
    return failures->place ? failures->place[client] : 0;
}

static double chance(
    const struct frs_failures *failures, uint32_t client, size_t kind, bool device, int phase) {
    const double *own = device ? failures->personal_device[phase] : failures->personal_connection[phase];
    return own ? own[client] : chance_of_kind(failures, kind, device, phase);
}

static double survives(double mean_s, double seconds) {
    return mean_s > 0 ? exp(-seconds / mean_s) : 1;
}

static double loss_from(const struct frs_failures *failures, uint32_t client, int first,
    const double seconds[FRS_FAILURE_PHASES]) {
    size_t kind = frs_kind_of(&failures->kinds, client);
    const struct frs_hazards *hazards = &failures->hazards[kind];
    double kept = 1;
    for (int i = first; i < FRS_FAILS_POST; i++) {
        double whole =
            (1 - chance(failures, client, kind, true, i)) * (1 - chance(failures, client, kind, false, i));
        bool exposed = seconds && failures->per_s > 0;
        kept *= exposed ? pow(whole, seconds[i] / failures->per_s) : whole;
        if (seconds)
            kept *= survives(hazards->device_mtbf_s, seconds[i]) *
                    (i == FRS_FAILS_COMPUTE ? 1 : survives(hazards->connection_mtbf_s, seconds[i]));
    }
    return 1 - kept;
}

double frs_failures_loss(
    const struct frs_failures *failures, uint32_t client, const double seconds[FRS_FAILURE_PHASES]) {
    return loss_from(failures, client, 0, seconds);
}

double frs_failures_loss_after_download(const struct frs_failures *failures, uint32_t client) {
    return loss_from(failures, client, FRS_FAILS_DOWN + 1, NULL);
}

bool frs_failures_break_connections(const struct frs_failures *failures) {
    for (size_t kind = 0; kind < failures->kinds.n; kind++) {
        const struct frs_hazards *hazards = &failures->hazards[kind];
        if (hazards->connection[FRS_FAILS_DOWN] > 0 || hazards->connection[FRS_FAILS_UP] > 0 ||
            hazards->connection_mtbf_s > 0)
            return true;
    }
    return false;
}

static double exponential(double mean_s, double uniform) {
    return mean_s > 0 ? -log1p(-uniform) * mean_s : INFINITY;
}

/* The time after which a share `uniform` is lost, if a share `chance` is lost after per_s. A draw that
 * fails in a phase has a time below per_s. */
static double waiting_s(double per_s, double chance, double uniform) {
    return chance > 0 ? per_s * (log1p(-uniform) / log1p(-chance)) : INFINITY;
}

static struct frs_failure_plan draw_plan(
    const struct frs_failures *failures, uint32_t client, struct frs_rng *rng) {
    static const bool transfers[FRS_FAILURE_PHASES] = {[FRS_FAILS_DOWN] = true, [FRS_FAILS_UP] = true};
    struct frs_failure_plan plan;
    size_t kind = frs_kind_of(&failures->kinds, client);
    const struct frs_hazards *hazards = &failures->hazards[kind];
    for (int i = 0; i < FRS_FAILURE_PHASES; i++) {
        double device_chance = chance(failures, client, kind, true, i),
               connection_chance = chance(failures, client, kind, false, i);
        /* Six draws per phase whatever is set, so that no setting shifts the draws of another. */
        double device_draw = frs_rng_unit(rng), device_at = frs_rng_unit(rng);
        double connection_draw = frs_rng_unit(rng), connection_at = frs_rng_unit(rng);
        double device_life = frs_rng_unit(rng), connection_life = frs_rng_unit(rng);
        bool by_phase = !(failures->per_s > 0);
        bool device = by_phase && device_draw < device_chance;
        bool connection = by_phase && connection_draw < connection_chance;
        bool device_first = device && (!connection || device_at <= connection_at);
        plan.phase[i] = (struct frs_phase_failure){
            .fraction = device_first ? device_at
                        : connection ? connection_at
                                     : NAN,
            .kind = device_first ? FRS_FAILURE_DEVICE
                    : connection ? FRS_FAILURE_CONNECTION
                                 : FRS_FAILURE_NONE,
            .exposed_device_after_s =
                by_phase ? INFINITY : waiting_s(failures->per_s, device_chance, device_draw),
            .exposed_connection_after_s =
                by_phase ? INFINITY : waiting_s(failures->per_s, connection_chance, connection_draw),
            .device_after_s = exponential(hazards->device_mtbf_s, device_life),
            .connection_after_s =
                transfers[i] ? exponential(hazards->connection_mtbf_s, connection_life) : INFINITY,
        };
    }
    return plan;
}

struct frs_failure_plan frs_failures_plan(
    const struct frs_failures *failures, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt) {
    struct frs_rng rng = frs_rng_stream(seed, client, round, attempt, FRS_RNG_FAILURE);
    return draw_plan(failures, client, &rng);
}

static struct frs_phase_failure nth_of(const struct frs_failures *failures, uint32_t client,
    struct frs_rng rng, enum frs_failure_phase phase, size_t n) {
    struct frs_failure_plan plan = draw_plan(failures, client, &rng);
    while (n-- > 1)
        plan = draw_plan(failures, client, &rng);
    return plan.phase[phase];
}

struct frs_phase_failure frs_failures_again(const struct frs_failures *failures, uint64_t seed,
    uint32_t client, uint32_t round, uint32_t attempt, enum frs_failure_phase phase, size_t n) {
    return nth_of(
        failures, client, frs_rng_stream(seed, client, round, attempt, FRS_RNG_FAILURE_AGAIN), phase, n);
}

struct frs_phase_failure frs_failures_aside(const struct frs_failures *failures, uint64_t seed,
    uint32_t client, uint32_t round, uint32_t attempt, enum frs_failure_phase phase, size_t n) {
    return nth_of(
        failures, client, frs_rng_stream(seed, client, round, attempt, FRS_RNG_FAILURE_ASIDE), phase, n);
}

double frs_failures_next_restart_s(const struct frs_failures *failures, double t_s) {
    for (size_t i = 0; i < failures->n_server_restarts; i++)
        if (failures->server_restarts_s[i] > t_s)
            return failures->server_restarts_s[i];
    return INFINITY;
}
