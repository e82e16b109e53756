#include "platforms/failures/failures.h"
#include "platforms/availability/presence.h"
#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROBABILITY(key_, help_)                                                                             \
    { .key = key_, .type = FRS_REAL, .initial = "0", .min = 0, .max = 1, .help = help_ }
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
    DURATION("device_mtbf", "0 s", "mean time between failures of a device at work, in any phase; 0 s: none"),
    DURATION("connection_mtbf", "0 s", "mean time between failures of a connection in use; 0 s: none"),
    /* Real servers notice by silence: gRPC's keepalive waits 20 s for an answer, Flower's clients report every
     * 30 s and are given up after two reports, nginx waits 60 s for the next bytes of a body. */
    DURATION("detect", "30 s",
        "from the moment a client vanishes until the server knows (assumed: between the 20 s of gRPC's "
        "keepalive "
        "and the 60 s of Flower's heartbeats and of nginx; papers that lose clients assume 0 s)"),
    FRS_PRESENCE_PARAMS,
    {.key = "server_restarts",
        .type = FRS_TEXT,
        .initial = "",
        .help = "dates at which the server fails and starts again from its last closed round: \"2 h, 5 h\""},
    DURATION("restart", "1 min", "how long the server is away at each restart (assumed)"),
    {0},
};

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Reads a hazard; *matters when it is there, or when its 0 was written as one point of a series. */
static double hazard(const struct frs_values *values, const char *key, bool *matters) {
    double value = frs_values_real(values, key);
    *matters |= value > 0 || frs_values_find(values, key)->given;
    return value;
}

static int by_date(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return difference < 0 ? -1 : difference > 0;
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
        double date_s;
        good = frs_units_parse(item, FRS_TIME, &date_s) == FRS_OK && date_s > 0;
        if (!good) {
            frs_values_error(values, "server_restarts", errors,
                "\"%s\" is not a date after the start; allowed: times of at most %g s with their unit, "
                "separated by commas",
                frs_text_line(item, shown, sizeof shown), frs_units_most(FRS_TIME));
            break;
        }
        failures->server_restarts_s =
            frs_grow(failures->server_restarts_s, failures->n_server_restarts + 1, &capacity, sizeof date_s);
        failures->server_restarts_s[failures->n_server_restarts++] = date_s;
    }
    free(copy);
    if (!good)
        return false;
    if (failures->n_server_restarts > 0) {
        qsort(failures->server_restarts_s, failures->n_server_restarts, sizeof(double), by_date);
        failures->restart_s = frs_values_real(values, "restart");
    }
    return true;
}

bool frs_failures_read(struct frs_failures *failures, const struct frs_values *values, bool clients_vanish,
    struct frs_errors *errors) {
    bool vanish = clients_vanish;
    *failures = (struct frs_failures){
        .device = {[FRS_FAILS_DOWN] = hazard(values, "down", &vanish),
            [FRS_FAILS_COMPUTE] = hazard(values, "compute", &vanish),
            [FRS_FAILS_UP] = hazard(values, "up", &vanish)},
        .connection = {[FRS_FAILS_DOWN] = hazard(values, "connection_down", &vanish),
            [FRS_FAILS_UP] = hazard(values, "connection_up", &vanish)},
        .device_mtbf_s = hazard(values, "device_mtbf", &vanish),
        .connection_mtbf_s = hazard(values, "connection_mtbf", &vanish),
    };
    if (vanish)
        failures->detect_s = frs_values_real(values, "detect");
    if (read_restarts(failures, values, errors))
        return true;
    frs_failures_fini(failures);
    return false;
}

void frs_failures_fini(struct frs_failures *failures) {
    free(failures->server_restarts_s);
    *failures = (struct frs_failures){0};
}

/* ---- asking -------------------------------------------------------------------------------------------- */

bool frs_failures_can_strike(const struct frs_failures *failures) {
    for (int phase = 0; phase < FRS_FAILURE_PHASES; phase++)
        if (failures->device[phase] > 0 || failures->connection[phase] > 0)
            return true;
    return failures->device_mtbf_s > 0 || failures->connection_mtbf_s > 0;
}

bool frs_failures_break_connections(const struct frs_failures *failures) {
    return failures->connection[FRS_FAILS_DOWN] > 0 || failures->connection[FRS_FAILS_UP] > 0 ||
           failures->connection_mtbf_s > 0;
}

static double exponential(double mean_s, double uniform) {
    return mean_s > 0 ? -log1p(-uniform) * mean_s : INFINITY;
}

static struct frs_failure_plan draw_plan(const struct frs_failures *failures, struct frs_rng *rng) {
    static const bool transfers[FRS_FAILURE_PHASES] = {[FRS_FAILS_DOWN] = true, [FRS_FAILS_UP] = true};
    struct frs_failure_plan plan;
    for (int i = 0; i < FRS_FAILURE_PHASES; i++) {
        /* Six draws per phase whatever is set, so that no setting shifts the draws of another. */
        bool device = frs_rng_unit(rng) < failures->device[i];
        double device_at = frs_rng_unit(rng);
        bool connection = frs_rng_unit(rng) < failures->connection[i];
        double connection_at = frs_rng_unit(rng);
        double device_life = frs_rng_unit(rng), connection_life = frs_rng_unit(rng);
        bool device_first = device && (!connection || device_at <= connection_at);
        plan.phase[i] = (struct frs_phase_failure){
            .fraction = device_first ? device_at
                        : connection ? connection_at
                                     : NAN,
            .kind = device_first ? FRS_FAILURE_DEVICE
                    : connection ? FRS_FAILURE_CONNECTION
                                 : FRS_FAILURE_NONE,
            .device_after_s = exponential(failures->device_mtbf_s, device_life),
            .connection_after_s =
                transfers[i] ? exponential(failures->connection_mtbf_s, connection_life) : INFINITY,
        };
    }
    return plan;
}

struct frs_failure_plan frs_failures_plan(
    const struct frs_failures *failures, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt) {
    struct frs_rng rng = frs_rng_stream(seed, client, round, attempt, FRS_RNG_FAILURE);
    return draw_plan(failures, &rng);
}

struct frs_phase_failure frs_failures_again(const struct frs_failures *failures, uint64_t seed,
    uint32_t client, uint32_t round, uint32_t attempt, enum frs_failure_phase phase, size_t n) {
    struct frs_rng rng = frs_rng_stream(seed, client, round, attempt, FRS_RNG_FAILURE_AGAIN);
    struct frs_failure_plan plan = draw_plan(failures, &rng);
    while (n-- > 1)
        plan = draw_plan(failures, &rng);
    return plan.phase[phase];
}

double frs_failures_next_restart_s(const struct frs_failures *failures, double t_s) {
    for (size_t i = 0; i < failures->n_server_restarts; i++)
        if (failures->server_restarts_s[i] > t_s)
            return failures->server_restarts_s[i];
    return INFINITY;
}
