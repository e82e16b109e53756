/* The section `network` from a log of transfers. */
#include "analysis/calibration/calibrate_internal.h"
#include "analysis/calibration/transfers.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

static const char *const directions[] = {[FRS_LOG_DOWN] = "down", [FRS_LOG_UP] = "up"};
static const char *const links_keys[] = {[FRS_LOG_DOWN] = "downlink", [FRS_LOG_UP] = "uplink"};
#define MBIT_S 125000.0

struct fits {
    const struct frs_log *log;
    const struct frs_calibrate_options *options;
    struct frs_links links[FRS_LOG_DIRECTIONS];
    bool has[FRS_LOG_DIRECTIONS];
    /* For both directions; NaN: too few transfers to tell. */
    struct frs_transfer_jitters jitters;
};

/* Capacities and latencies vary by a factor with mean 1. Their means exceed the fitted medians by this
 * factor. */
static double mean_over_median(double sigma) {
    return isnan(sigma) ? 1 : exp(sigma * sigma / 2);
}

static size_t count_of(const struct frs_links *links, size_t client) {
    return links->starts ? links->starts[client + 1] - links->starts[client] : 0;
}

/* Clients of a class (SIZE_MAX: of all) with transfers in this direction. */
static size_t members(
    const struct fits *fits, size_t class, enum frs_log_direction direction, size_t *clients) {
    size_t n = 0;
    for (size_t client = 0; client < fits->log->n_clients; client++)
        if ((class == SIZE_MAX || fits->log->class_of[client] == class) &&
            count_of(&fits->links[direction], client) > 0)
            clients[n++] = client;
    return n;
}

static double capacity_of(const struct fits *fits, enum frs_log_direction direction, size_t client) {
    double bytes_per_s =
        mean_over_median(fits->jitters.rate) / fits->links[direction].distributions[client].s_per_byte;
    return fmax(1, bytes_per_s);
}

/* One for both directions: the mean of what was found in each. */
static double latency_of(const struct fits *fits, size_t client) {
    double sum_s = 0, n = 0;
    for (size_t direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
        if (fits->has[direction] && count_of(&fits->links[direction], client) > 0) {
            sum_s += fits->links[direction].distributions[client].latency_s;
            n++;
        }
    return sum_s / n * mean_over_median(fits->jitters.latency);
}

/* Whether it has transfers of each direction that the log has. */
static bool is_whole(const struct fits *fits, size_t client) {
    for (size_t direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
        if (fits->has[direction] && count_of(&fits->links[direction], client) == 0)
            return false;
    return true;
}

/* ---- what is printed ---------------------------------------------------------------------------- */

static void say_errors(FILE *out, const struct frs_links_errors *errors) {
    if (!isnan(errors->second_half))
        frs_calibration_say(out,
            "  second half of each client's transfers, fitted on the first: %.1f %% off in the median (least "
            "squares: %.1f %%)",
            100 * errors->second_half, 100 * errors->second_half_least_squares);
    if (errors->n_transfers == 0) {
        frs_calibration_say(out, "  clients that were not fitted: too few to hold some out");
        return;
    }
    frs_calibration_say(out,
        "  transfers of clients that were not fitted: %.1f %% in intervals of 80 %% (%.1f %% below, %.1f %% "
        "above)",
        100 * errors->within, 100 * errors->below, 100 * errors->above);
    for (size_t i = 0; i < errors->n_sizes && errors->n_sizes > 1; i++)
        frs_calibration_say(out, "    of %.4g to %.4g kB: %.1f %% (%.1f %% below, %.1f %% above)",
            errors->sizes[i].least / 1e3, errors->sizes[i].most / 1e3, 100 * errors->sizes[i].within,
            100 * errors->sizes[i].below, 100 * errors->sizes[i].above);
    if (errors->n_groups > 0)
        frs_calibration_say(out,
            "  slowest of %zu such clients: %.1f %% in intervals of 80 %% (%.1f %% below, %.1f %% above)",
            errors->group, 100 * errors->slowest_within, 100 * errors->slowest_below,
            100 * errors->slowest_above);
}

static void say_class(const struct fits *fits, size_t class, enum frs_log_direction direction) {
    FILE *out = fits->options->out;
    size_t *clients = frs_alloc(fits->log->n_clients, sizeof *clients),
           n = members(fits, class, direction, clients);
    double *values = frs_alloc(n + 1, sizeof *values);
    if (n > 0) {
        fputs("//\n", out);
        frs_calibration_say(out, "class %s, %s, %zu client%s", fits->log->classes[class],
            directions[direction], n, n == 1 ? "" : "s");
        for (size_t i = 0; i < n; i++)
            values[i] = capacity_of(fits, direction, clients[i]) / MBIT_S;
        frs_calibration_quantiles(out, "capacity", values, n, "Mbit/s");
        for (size_t i = 0; i < n; i++)
            values[i] = latency_of(fits, clients[i]) * 1e3;
        frs_calibration_quantiles(out, "latency", values, n, "ms");
        struct frs_links_errors errors = frs_links_held_out(&fits->links[direction], fits->log, class,
            fits->options->table ? FRS_UNSEEN_ROWS : FRS_UNSEEN_DISTRIBUTIONS);
        if (fits->links[direction].jitters.rate > 0)
            frs_calibration_say(out, "  jitter     %.3g of the latency, %.3g of the capacity (all classes)",
                fits->links[direction].jitters.latency, fits->links[direction].jitters.rate);
        say_errors(out, &errors);
    }
    free(values);
    free(clients);
}

/* What another cause would have left the same in the log. */
static void say_limits(const struct fits *fits) {
    FILE *out = fits->options->out;
    fputs("//\n", out);
    frs_calibration_say(out, "Latency is whatever does not grow with the bytes: the log cannot tell the way "
                             "from requests, connections and slow start, so the model is exact.");
    for (size_t direction = 0; direction < FRS_LOG_DIRECTIONS; direction++) {
        const struct frs_links *links = &fits->links[direction];
        if (!fits->has[direction])
            frs_calibration_say(out, "The log has no transfers %s: give network.%s yourself.",
                directions[direction], links_keys[direction]);
        else if (links->n_told_apart < links->n_measured)
            frs_calibration_say(out,
                "%s: of %zu of %zu clients the log cannot tell latency from capacity (few transfers, or of "
                "sizes that are alike)%s.",
                directions[direction], links->n_measured - links->n_told_apart, links->n_measured,
                2 * links->n_told_apart < links->n_measured
                    ? ": do not use the latency without another source"
                    : "");
    }
    if (fits->jitters.rate > 0 && !fits->jitters.told_apart)
        frs_calibration_say(out,
            "The log cannot tell how much latencies vary from how much capacities do (few "
            "transfers, or of sizes that are alike): both have one jitter.");
    if (isnan(fits->jitters.rate))
        frs_calibration_say(out,
            "Too few transfers of each client: the log cannot tell what differs from transfer to "
            "transfer from what differs from client to client; all of it is taken for the latter.");
    if (fits->log->n_clients < 5)
        frs_calibration_say(out, "Only %zu client%s: the log cannot tell how clients differ.",
            fits->log->n_clients, fits->log->n_clients == 1 ? "" : "s");
}

/* ---- what is set ----------------------------------------------------------------------------- */

static size_t write_table(const struct fits *fits) {
    FILE *table = fits->options->table;
    size_t n_left_out = 0;
    fprintf(table, "%s%s%slatency_s\n", fits->log->n_classes > 1 ? "class," : "",
        fits->has[FRS_LOG_DOWN] ? "down_bytes_per_s," : "", fits->has[FRS_LOG_UP] ? "up_bytes_per_s," : "");
    for (size_t client = 0; client < fits->log->n_clients; client++) {
        bool whole = is_whole(fits, client);
        n_left_out += !whole;
        if (!whole)
            continue;
        if (fits->log->n_classes > 1)
            fprintf(table, "%s,", fits->log->classes[fits->log->class_of[client]]);
        for (enum frs_log_direction direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
            if (fits->has[direction])
                fprintf(table, "%.0f,", capacity_of(fits, direction, client));
        fprintf(table, "%.6g\n", latency_of(fits, client));
    }
    return n_left_out;
}

static void write_distribution(FILE *out, const char *key, double median, double sigma, const char *unit) {
    if (sigma > 0)
        fprintf(out, "    %s = { distribution = \"lognormal\"; median = \"%.6g %s\"; sigma = %.4g; };\n", key,
            median, unit, fmin(sigma, 5));
    else
        fprintf(out, "    %s = \"%.6g %s\";\n", key, median, unit);
}

static void write_distributions(const struct fits *fits) {
    FILE *out = fits->options->out;
    size_t *clients = frs_alloc(fits->log->n_clients, sizeof *clients);
    double latency_s = 0, latency_sigma = 0, n = 0;
    for (enum frs_log_direction direction = 0; direction < FRS_LOG_DIRECTIONS; direction++) {
        if (!fits->has[direction])
            continue;
        size_t n_clients = members(fits, SIZE_MAX, direction, clients);
        struct frs_links_distributions distributions =
            frs_links_distributions(&fits->links[direction], clients, n_clients);
        write_distribution(out, links_keys[direction],
            distributions.bytes_per_s * mean_over_median(fits->jitters.rate) / MBIT_S,
            distributions.rate_sigma, "Mbit/s");
        latency_s += distributions.latency_s;
        latency_sigma += distributions.latency_sigma;
        n++;
    }
    write_distribution(out, "latency", latency_s / n * mean_over_median(fits->jitters.latency) * 1e3,
        latency_s > 0 ? latency_sigma / n : 0, "ms");
    free(clients);
}

static void write_section(const struct fits *fits) {
    FILE *out = fits->options->out;
    size_t n_left_out = fits->options->table ? write_table(fits) : 0;
    if (n_left_out > 0)
        frs_calibration_say(out, "%zu clients have transfers in one direction only, and no row.", n_left_out);
    fputs("network = {\n    model = \"exact\";\n", out);
    if (fits->options->table) {
        fputs("    fleet = ", out);
        frs_calibration_text(out, fits->options->table_path);
        fputs(";\n    fleet_assignment = \"sample\"; # every client is one of the log's\n", out);
    } else
        write_distributions(fits);
    if (fits->jitters.rate > 0)
        fprintf(out, "    jitter = %.4g;\n    latency_jitter = %.4g;\n", fmin(fits->jitters.rate, 5),
            fmin(fits->jitters.latency, 5));
    fputs("};\n", out);
}

/* The mean of the squares, for a scenario has them of both directions together. */
static struct frs_transfer_jitters both_directions(const struct fits *fits) {
    struct frs_transfer_jitters both = {.told_apart = true};
    double n = 0;
    for (size_t direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
        if (fits->has[direction] && isfinite(fits->links[direction].jitters.rate)) {
            const struct frs_transfer_jitters *of = &fits->links[direction].jitters;
            both.latency += of->latency * of->latency;
            both.rate += of->rate * of->rate;
            both.told_apart &= of->told_apart;
            n++;
        }
    both.latency = sqrt(both.latency / n);
    both.rate = sqrt(both.rate / n);
    return both;
}

/* A row needs all that the table has columns for. */
static bool has_rows(const struct fits *fits) {
    for (size_t client = 0; client < fits->log->n_clients; client++)
        if (is_whole(fits, client))
            return true;
    return false;
}

enum frs_status frs_calibrate_transfers(
    const struct frs_log *log, const struct frs_calibrate_options *options, struct frs_errors *errors) {
    struct fits fits = {.log = log, .options = options};
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < log->n; i++)
        fits.has[log->rows[i].direction] = true;
    for (enum frs_log_direction direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
        if (fits.has[direction])
            frs_links_fit(&fits.links[direction], log, direction);
    if (options->table && !has_rows(&fits)) {
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: no client has transfers of both directions, so the table would have no row; allowed: a log "
            "of "
            "one direction, or distributions of each (without --table)",
            options->log);
    } else {
        fits.jitters = both_directions(&fits);
        for (size_t class = 0; class < log->n_classes; class ++)
            for (enum frs_log_direction direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
                if (fits.has[direction])
                    say_class(&fits, class, direction);
        say_limits(&fits);
        write_section(&fits);
    }
    for (size_t direction = 0; direction < FRS_LOG_DIRECTIONS; direction++)
        if (fits.has[direction])
            frs_links_fini(&fits.links[direction]);
    return status;
}
