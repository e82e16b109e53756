/* The section `devices` from a log of rounds. */
#include "analysis/calibration/calibrate_internal.h"
#include "analysis/calibration/rounds.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Operations of a participation where nobody says how many. */
#define ANY_FLOP 1e9

static size_t medians_of(
    const struct frs_log *logged, const struct frs_round_times *times, size_t class, double *values) {
    size_t n = 0;
    for (size_t client = 0; client < logged->n_clients; client++)
        if (class == SIZE_MAX || logged->class_of[client] == class)
            values[n++] = times->median_s[client];
    return n;
}

static void say_errors(FILE *out, const struct frs_log *logged) {
    struct frs_round_errors errors = frs_rounds_held_out(logged);
    if (errors.n_rounds == 0) {
        frs_calibration_say(out, "Rounds that were not fitted: too few to hold some out.");
        return;
    }
    frs_calibration_say(out,
        "Slowest of %.0f clients in %zu rounds, fitted on those before: %.4g s in the median, foretold %.4g "
        "s (%+.1f %%)",
        errors.clients, errors.n_rounds, errors.slowest_s, errors.foretold_s,
        100 * (errors.foretold_s / errors.slowest_s - 1));
    frs_calibration_say(out, "  %.0f %% in intervals of 80 %% (%.0f %% below, %.0f %% above)",
        100 * errors.within, 100 * errors.below, 100 * errors.above);
    if (!isnan(errors.drift))
        frs_calibration_say(
            out, "  a client takes %+.1f %% longer in these than in those before", 100 * errors.drift);
    if (fabs(errors.correlation) > errors.chance)
        frs_calibration_say(out,
            "  deviations within a round are correlated, by %.2f (chance: %.2f): clients have something in "
            "common that a scenario, which draws each client by itself, has not; the slowest of a round is "
            "foretold too %s",
            errors.correlation, errors.chance, errors.correlation > 0 ? "slow, and too alike" : "fast");
}

static void write_devices(const struct frs_log *logged, const struct frs_round_times *times,
    const struct frs_calibrate_options *options) {
    double flop = options->flop > 0 ? options->flop : ANY_FLOP,
           effective = flop * (times->sigma > 0 ? exp(-times->sigma * times->sigma / 2) : 1);
    FILE *out = options->out;
    fputs("network = { preset = \"ideal\"; }; # a round's time is all computing's\ndevices = {\n", out);
    if (options->table) {
        fprintf(options->table, "%sspeed_flop_per_s\n", logged->n_classes > 1 ? "class," : "");
        for (size_t client = 0; client < logged->n_clients; client++) {
            if (logged->n_classes > 1)
                fprintf(options->table, "%s,", logged->classes[logged->class_of[client]]);
            fprintf(options->table, "%.6g\n", fmax(1, effective / times->median_s[client]));
        }
        fputs("    table = ", out);
        frs_calibration_text(out, options->table_path);
        fputs(";\n    fleet = \"sample\"; # every client is one of the log's\n", out);
    } else {
        double *logs = frs_alloc(logged->n_clients, sizeof *logs);
        size_t n = medians_of(logged, times, SIZE_MAX, logs);
        for (size_t i = 0; i < n; i++)
            logs[i] = log(effective / logs[i]);
        double sigma = frs_transfer_sigma(logs, n, 1), median = exp(frs_median_of(logs, n));
        if (sigma > 0)
            fprintf(out,
                "    speed = { distribution = \"lognormal\"; median = \"%.6g flop/s\"; sigma = %.4g; };\n",
                median, fmin(sigma, 5));
        else
            fprintf(out, "    speed = \"%.6g flop/s\";\n", median);
        free(logs);
    }
    if (times->sigma > 0)
        fprintf(out, "    jitter = %.4g;\n", fmin(times->sigma, 5));
    fputs("};\n", out);
}

void frs_calibrate_rounds(const struct frs_log *logged, const struct frs_calibrate_options *options) {
    FILE *out = options->out;
    struct frs_round_times times;
    frs_round_times_fit(&times, logged, 0, logged->n_rounds);
    double *values = frs_alloc(logged->n_clients, sizeof *values);
    for (size_t class = 0; class < logged->n_classes; class ++) {
        size_t n = medians_of(logged, &times, class, values);
        fputs("//\n", out);
        frs_calibration_say(out, "class %s, %zu client%s", logged->classes[class], n, n == 1 ? "" : "s");
        frs_calibration_quantiles(out, "duration", values, n, "s");
    }
    free(values);
    fputs("//\n", out);
    say_errors(out, logged);
    fputs("//\n", out);
    frs_calibration_say(out, "The log cannot tell computing from transfers: all of a duration is taken for "
                             "computing, in proportion to operations.");
    if (options->flop > 0)
        frs_calibration_say(out, "Speeds are for participations of %.6g operations.", options->flop);
    else
        frs_calibration_say(out,
            "It does not say how many operations a participation was: speeds are for %g; devices.slowdown, "
            "or --flop, scales them.",
            ANY_FLOP);
    if (logged->n_clients < 5)
        frs_calibration_say(out, "Only %zu client%s: the log cannot tell how clients differ.",
            logged->n_clients, logged->n_clients == 1 ? "" : "s");
    if (!(times.sigma > 0))
        frs_calibration_say(
            out, "Too few rounds: the log cannot tell how a client differs from round to round.");
    write_devices(logged, &times, options);
    frs_round_times_fini(&times);
}
