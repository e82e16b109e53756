/* Empirical: a measured distribution, from a built-in table or a file. */
#include "platforms/data/tables.h"
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/path.h"

enum { NO_TABLE }; /* the first of each */
static const char *const time_tables[] = {"none", "fedscale-compute", NULL};
static const char *const rate_tables[] = {"none", "fedscale-bandwidth", "flash-wifi-down", "flash-wifi-up",
    "lumos-4g-down", "lumos-4g-up", "lumos-wifi-down", "lumos-wifi-up", NULL};
static const char *const no_tables[] = {"none", NULL};

static bool read(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    bool knows_tables = frs_values_find(values, "table");
    const char *table = knows_tables ? frs_values_text(values, "table") : "none",
               *file = frs_values_text(values, "file");
    bool has_table = knows_tables && frs_values_choice(values, "table") != NO_TABLE;
    if (!knows_tables && !*file) {
        frs_values_error(values, "distribution", errors, "\"empirical\" needs a file");
        return false;
    }
    if (has_table == (*file != '\0')) {
        frs_values_error(
            values, "distribution", errors, "\"empirical\" needs a table or a file, and only one of them");
        return false;
    }
    if (!has_table && !(file = frs_values_file(values, "file", errors)))
        return false;
    if (!has_table)
        return frs_cdf_read(file, distribution->distribution->dimension, distribution->distribution->least,
            &distribution->cdf, errors);
    const struct frs_table *measured = frs_table_find(table);
    FRS_INVARIANT(
        measured && measured->dimension == distribution->distribution->dimension, "no table %s", table);
    frs_cdf_of_table(measured, &distribution->cdf);
    return true;
}

static double quantile(const struct frs_distribution *distribution, double u) {
    return frs_cdf_quantile(&distribution->cdf, u);
}

#define FILE_PARAM                                                                                           \
    {                                                                                                        \
        .key = "file", .is_path = true, .type = FRS_TEXT, .initial = "",                                     \
        .help = "CSV file, relative to the scenario: columns value,share (SI units) "                        \
                "or value,unit,share; share is that of the clients at or below the value"                    \
    }

/* Of what no table was measured. */
#define EMPIRICAL_FILE(unit, smallest)                                                                       \
    {                                                                                                        \
        .plugin = {.name = "empirical",                                                                      \
            .summary = "a measured distribution, interpolated linearly",                                     \
            .params = (const struct frs_param[]){FILE_PARAM, {0}}},                                          \
        .dimension = unit, .least = smallest, .read = read, .quantile = quantile,                            \
    }

#define EMPIRICAL(unit, smallest, tables)                                                                    \
    {                                                                                                        \
        .plugin = {.name = "empirical",                                                                      \
            .summary = "a measured distribution, interpolated linearly",                                     \
            .source = "docs/networks.md names the measurements behind the tables",                           \
            .params = (const struct frs_param[]){{.key = "table",                                            \
                                                     .type = FRS_CHOICE,                                     \
                                                     .initial = "none",                                      \
                                                     .choices = tables,                                      \
                                                     .help = "built-in measurement"},                        \
                FILE_PARAM, {0}}},                                                                           \
        .dimension = unit, .least = smallest, .read = read, .quantile = quantile,                            \
    }

const struct frs_distribution_kind frs_distribution_empirical[] = {EMPIRICAL(FRS_TIME, 0, time_tables),
    EMPIRICAL(FRS_RATE, 1, rate_tables), EMPIRICAL(FRS_SPEED, 1, no_tables),
    EMPIRICAL(FRS_BYTES, 1, no_tables), EMPIRICAL_FILE(FRS_BYTES, 0), EMPIRICAL_FILE(FRS_FLOP, 0)};
