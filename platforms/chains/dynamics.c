#include "platforms/chains/dynamics.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const frs_dynamics_names[] = {[FRS_DYNAMICS_STATIONARY] = "stationary",
    [FRS_DYNAMICS_STAIRCASE] = "staircase",
    [FRS_DYNAMICS_SINE] = "sine",
    [FRS_DYNAMICS_INTERLEAVED_SINE] = "interleaved_sine",
    NULL};

enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 1000000 };

/* "20 rounds". */
static bool read_rounds(const char *text, double *rounds) {
    size_t digits = strspn(text, "0123456789"), blanks = strspn(text + digits, " ");
    if (digits == 0 || digits > 7 || strcmp(text + digits + blanks, "rounds") != 0)
        return false;
    *rounds = strtod(text, NULL);
    return *rounds >= LEAST_ROUNDS && *rounds <= MOST_ROUNDS;
}

static bool read_period(
    struct frs_dynamics *dynamics, const struct frs_values *values, struct frs_errors *errors) {
    const struct frs_value *value = frs_values_find(values, "dynamics_period");
    if (value->param->type != FRS_TEXT) {
        dynamics->period = frs_values_real(values, "dynamics_period");
        return true;
    }
    const char *text = frs_values_text(values, "dynamics_period");
    dynamics->in_rounds = read_rounds(text, &dynamics->period);
    if (dynamics->in_rounds)
        return true;
    if (frs_units_parse(text, FRS_TIME, &dynamics->period) == FRS_OK && dynamics->period >= 1)
        return true;
    frs_values_error(values, "dynamics_period", errors,
        "\"%s\" is no period; allowed: from %d to %d rounds, such as \"20 rounds\", or a time of at least 1 "
        "s "
        "with its unit, such as \"1 h\"",
        text, LEAST_ROUNDS, MOST_ROUNDS);
    return false;
}

bool frs_dynamics_read(
    struct frs_dynamics *dynamics, const struct frs_values *values, struct frs_errors *errors) {
    *dynamics = (struct frs_dynamics){.kind = (enum frs_dynamics_kind)frs_values_choice(values, "dynamics")};
    /* Stationary dynamics that were written are one point of a series; then the other keys belong to it. */
    if (dynamics->kind == FRS_DYNAMICS_STATIONARY && !frs_values_find(values, "dynamics")->given)
        return true;
    double amplitude = frs_values_real(values, "amplitude");
    if (dynamics->kind == FRS_DYNAMICS_SINE || dynamics->kind == FRS_DYNAMICS_INTERLEAVED_SINE)
        dynamics->amplitude = amplitude;
    if (read_period(dynamics, values, errors))
        return true;
    *dynamics = (struct frs_dynamics){0};
    return false;
}

double frs_dynamics_share(const struct frs_dynamics *dynamics, double p, double periods) {
    double at = periods - floor(periods), share = p;
    if (dynamics->kind == FRS_DYNAMICS_STAIRCASE && at >= 0.5)
        share = FRS_DYNAMICS_LOW * p;
    if (dynamics->kind == FRS_DYNAMICS_SINE || dynamics->kind == FRS_DYNAMICS_INTERLEAVED_SINE)
        share = (dynamics->amplitude * sin(2 * M_PI * at) + 1 - dynamics->amplitude) * p;
    if (dynamics->kind == FRS_DYNAMICS_INTERLEAVED_SINE && share < FRS_DYNAMICS_CUT_OFF)
        return 0;
    return fmin(fmax(share, 0), 1);
}

double frs_dynamics_periods(const struct frs_dynamics *dynamics, unsigned round, double t_s) {
    if (dynamics->kind == FRS_DYNAMICS_STATIONARY)
        return 0;
    double at = dynamics->in_rounds ? round : t_s;
    return fmod(at, dynamics->period) / dynamics->period;
}
