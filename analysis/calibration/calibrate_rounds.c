/* The sections `devices` and `rounds` from a log of rounds. Either clients take the logged times, or,
 * where the number of operations of a participation is known, they get the speeds that lead to these
 * times. */
#include "analysis/calibration/calibrate_internal.h"
#include "analysis/calibration/rounds.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

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
        "Slowest of %.0f clients in %zu rounds, fitted on those before: %.4g s in the median, predicted %.4g "
        "s (%+.1f %%)",
        errors.clients, errors.n_rounds, errors.slowest_s, errors.predicted_s,
        100 * (errors.predicted_s / errors.slowest_s - 1));
    frs_calibration_say(out, "  %.0f %% in intervals of 80 %% (%.0f %% below, %.0f %% above)",
        100 * errors.within, 100 * errors.below, 100 * errors.above);
    if (!isnan(errors.drift))
        frs_calibration_say(
            out, "  a client takes %+.1f %% longer in these than in those before", 100 * errors.drift);
    if (fabs(errors.correlation) > errors.chance)
        frs_calibration_say(out,
            "  deviations within a round are correlated, by %.2f (chance: %.2f): clients have something in "
            "common that a scenario, which draws each client by itself, has not; the slowest of a round is "
            "predicted too %s",
            errors.correlation, errors.chance, errors.correlation > 0 ? "slow, and too alike" : "fast");
}

static double at_most_5(double sigma) {
    return fmin(sigma, 5);
}

/* Writes a row for each client: its class, where there are several, and what follows for one participation
 * from its median. Times and speeds vary by a factor with mean 1, so the mean is set. */
static void write_table(const struct frs_log *logged, const struct frs_round_times *times,
    const struct frs_calibrate_options *options) {
    double mean_over_median = times->sigma > 0 ? exp(times->sigma * times->sigma / 2) : 1;
    bool by_class = logged->n_classes > 1;
    fprintf(options->table, "%s%s\n", by_class ? "class," : "",
        options->flop > 0 ? "speed_flop_per_s" : "overhead_s");
    for (size_t client = 0; client < logged->n_clients; client++) {
        double mean_s = times->median_s[client] * mean_over_median;
        if (by_class)
            fprintf(options->table, "%s,", logged->classes[logged->class_of[client]]);
        fprintf(options->table, "%.6g\n", options->flop > 0 ? fmax(1, options->flop / mean_s) : mean_s);
    }
}

static void write_distribution_of_speeds(
    const struct frs_log *logged, const struct frs_round_times *times, double flop, FILE *out) {
    double *logs = frs_alloc(logged->n_clients, sizeof *logs),
           mean_over_median = times->sigma > 0 ? exp(times->sigma * times->sigma / 2) : 1;
    size_t n = medians_of(logged, times, SIZE_MAX, logs);
    for (size_t i = 0; i < n; i++)
        logs[i] = log(flop / (logs[i] * mean_over_median));
    double sigma = frs_transfer_sigma(logs, n, 1), median = exp(frs_median_of(logs, n));
    if (sigma > 0)
        fprintf(out,
            "    speed = { distribution = \"lognormal\"; median = \"%.6g flop/s\"; sigma = %.4g; };\n",
            median, at_most_5(sigma));
    else
        fprintf(out, "    speed = \"%.6g flop/s\";\n", median);
    free(logs);
}

/* One time for all, which varies by as much as clients and their rounds do together. */
static double write_one_time(const struct frs_log *logged, const struct frs_round_times *times, FILE *out) {
    double *medians = frs_alloc(logged->n_clients, sizeof *medians),
           sigma = at_most_5(frs_round_spread(times));
    size_t n = medians_of(logged, times, SIZE_MAX, medians);
    fprintf(out, "    overhead = \"%.6g s\";\n", frs_median_of(medians, n) * exp(sigma * sigma / 2));
    free(medians);
    return sigma;
}

static void write_rounds(
    const struct frs_calibrate_options *options, const struct frs_round_cohorts *cohorts) {
    fprintf(options->out, "rounds = { cohort = %zu; ", cohorts->n);
    if (options->table && cohorts->distinct)
        fputs("selection = \"by_device\"; ", options->out);
    fputs("};\n", options->out);
}

static void write_sections(const struct frs_log *logged, const struct frs_round_times *times,
    const struct frs_round_cohorts *cohorts, const struct frs_calibrate_options *options) {
    FILE *out = options->out;
    double sigma = times->sigma;
    bool fixed = !(options->flop > 0);
    fputs("network = { preset = \"ideal\"; model = \"exact\"; }; # a round's time is all computing's\n", out);
    if (fixed)
        write_rounds(options, cohorts);
    fprintf(out, "devices = {\n%s", fixed ? "    compute = \"fixed\";\n" : "");
    if (options->table) {
        write_table(logged, times, options);
        fputs("    fleet = ", out);
        frs_calibration_text(out, options->table_path);
        fputs(fixed ? ";\n    fleet_assignment = \"in_turn\"; # clients of the log in turn\n"
                    : ";\n    fleet_assignment = \"sample\"; # every client is one of the log's\n",
            out);
    } else if (fixed) {
        sigma = write_one_time(logged, times, out);
    } else {
        write_distribution_of_speeds(logged, times, options->flop, out);
    }
    if (sigma > 0)
        fprintf(out, "    jitter = %.4g;\n", at_most_5(sigma));
    fputs("};\n", out);
}

static void say_cohorts(FILE *out, const struct frs_round_cohorts *cohorts) {
    frs_calibration_say(out, "Slowest of a round: %.4g, %.4g, %.4g s (10 %%, 50 %%, 90 %% of the rounds)",
        cohorts->slowest_s[0], cohorts->slowest_s[1], cohorts->slowest_s[2]);
    if (cohorts->least < cohorts->most)
        frs_calibration_say(out,
            "Rounds have %zu to %zu participations; the scenario's have the median, %zu.", cohorts->least,
            cohorts->most, cohorts->n);
    if (cohorts->uneven)
        frs_calibration_say(out,
            "Clients are in %zu to %zu rounds, more unequally than at random: the scenario asks each as "
            "often "
            "as the others.",
            cohorts->least_often, cohorts->most_often);
}

static void say_what_is_set(
    const struct frs_calibrate_options *options, const struct frs_round_cohorts *cohorts) {
    FILE *out = options->out;
    frs_calibration_say(out,
        "The log cannot tell computing from transfers: all of a duration is taken for "
        "computing%s.",
        options->flop > 0 ? ", in proportion to operations" : ", whatever it computes");
    if (options->flop > 0)
        frs_calibration_say(out, "Speeds are for participations of %.6g operations.", options->flop);
    else if (!options->table)
        frs_calibration_say(out,
            "No client is slower than another throughout: what differs between clients is "
            "part of the jitter. --table keeps it.");
    else if (cohorts->distinct)
        frs_calibration_say(out,
            "Rounds are the log's where every client is in reach and rounds wait for all: "
            "clients of the scenario are the log's in turn, and no two of one are in a round.");
}

void frs_calibrate_rounds(const struct frs_log *logged, const struct frs_calibrate_options *options) {
    FILE *out = options->out;
    struct frs_round_times times;
    struct frs_round_cohorts cohorts = frs_round_cohorts(logged);
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
    say_cohorts(out, &cohorts);
    say_errors(out, logged);
    fputs("//\n", out);
    say_what_is_set(options, &cohorts);
    if (logged->n_clients < 5)
        frs_calibration_say(out, "Only %zu client%s: the log cannot tell how clients differ.",
            logged->n_clients, logged->n_clients == 1 ? "" : "s");
    if (!(times.sigma > 0))
        frs_calibration_say(
            out, "Too few rounds: the log cannot tell how a client differs from round to round.");
    write_sections(logged, &times, &cohorts, options);
    frs_round_times_fini(&times);
}
