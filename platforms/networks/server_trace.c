#include "platforms/networks/server_trace.h"
#include "platforms/imports/import.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a file. */
enum { TIME = FRS_SERVER_FIGURES, KINDS };

static const struct {
    enum frs_fleet_figure figure;
    enum frs_dimension dimension;
} figures[FRS_SERVER_FIGURES] = {
    [FRS_SERVER_DOWN] = {FRS_FLEET_DOWN, FRS_RATE},
    [FRS_SERVER_UP] = {FRS_FLEET_UP, FRS_RATE},
    [FRS_SERVER_SPEED] = {FRS_FLEET_SPEED, FRS_SPEED},
};

struct reading {
    struct frs_csv csv;
    struct frs_server_trace *trace;
    size_t columns[KINDS]; /* where the figure stands; SIZE_MAX: nowhere */
    double units[FRS_SERVER_FIGURES];
    size_t last_line;
};

static bool read_column(struct reading *reading, size_t i, struct frs_errors *errors) {
    const char *name = reading->csv.names[i];
    enum frs_fleet_figure figure;
    char unit[FRS_FLEET_UNIT], one[FRS_FLEET_UNIT + 2], line[48];
    size_t kind = strcmp(name, "t_s") == 0 ? TIME : KINDS;
    if (frs_fleet_column(name, &figure, unit))
        for (size_t server = 0; server < FRS_SERVER_FIGURES; server++)
            if (figures[server].figure == figure)
                kind = server;
    if (kind == KINDS)
        return frs_csv_error(&reading->csv, errors,
            "column %zu: \"%s\" is not known; allowed: t_s, down_bytes_per_s, up_bytes_per_s, "
            "speed_flop_per_s, or other units, such as down_Mbit_s",
            i + 1, frs_text_line(name, line, sizeof line));
    if (reading->columns[kind] != SIZE_MAX)
        return frs_csv_error(&reading->csv, errors,
            "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them", i + 1, name,
            reading->columns[kind] + 1, reading->csv.names[reading->columns[kind]]);
    reading->columns[kind] = i;
    if (kind == TIME)
        return true;
    reading->trace->has[kind] = true;
    snprintf(one, sizeof one, "1 %s", unit);
    bool ok = frs_units_parse(one, figures[kind].dimension, &reading->units[kind]) == FRS_OK;
    FRS_INVARIANT(ok, "%s is no unit", unit);
    return true;
}

static bool read_header(struct reading *reading, struct frs_errors *errors) {
    for (size_t kind = 0; kind < KINDS; kind++)
        reading->columns[kind] = SIZE_MAX;
    for (size_t i = 0; i < reading->csv.n_columns; i++)
        if (!read_column(reading, i, errors))
            return false;
    if (reading->columns[TIME] == SIZE_MAX || reading->csv.n_columns < 2)
        return frs_csv_error(&reading->csv, errors,
            "has no column t_s, or no other; allowed: t_s and one of down_bytes_per_s, up_bytes_per_s and "
            "speed_flop_per_s, or in other units");
    return true;
}

static bool read_line(struct reading *reading, struct frs_errors *errors) {
    double t_s, value;
    char line[48];
    if (!frs_csv_number(&reading->csv, reading->columns[TIME], "t_s", &t_s, errors))
        return false;
    for (size_t kind = 0; kind < FRS_SERVER_FIGURES; kind++) {
        size_t at = reading->columns[kind];
        if (at == SIZE_MAX)
            continue;
        const char *name = reading->csv.names[at];
        if (!frs_csv_number(&reading->csv, at, name, &value, errors) ||
            !frs_trace_put(&reading->csv, &reading->trace->factors[kind], name, 0, t_s, value,
                reading->last_line, errors))
            return false;
        double si = value * reading->units[kind], most = frs_units_most(figures[kind].dimension);
        if (si > most || (si > 0 && si < 1))
            return frs_csv_error(&reading->csv, errors,
                "column %zu (%s): \"%s\" is out of bounds; allowed: 0, or what comes to 1 to %g %s", at + 1,
                name, frs_text_line(reading->csv.fields[at], line, sizeof line), most,
                frs_units_si(figures[kind].dimension));
    }
    reading->last_line = reading->csv.line;
    return true;
}

static bool end(struct reading *reading, struct frs_errors *errors) {
    struct frs_server_trace *trace = reading->trace;
    for (size_t kind = 0; kind < FRS_SERVER_FIGURES; kind++) {
        struct frs_trace *factors = &trace->factors[kind];
        if (!trace->has[kind])
            continue;
        if (factors->n == 0) {
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no lines behind the first", reading->csv.path);
            return false;
        }
        if (!frs_trace_end(&reading->csv, factors, reading->csv.names[reading->columns[kind]],
                reading->last_line, errors))
            return false;
        double most = frs_trace_most(factors);
        trace->most[kind] = most * reading->units[kind];
        for (size_t i = 0; i < factors->n; i++)
            factors->factors[i] /= most;
        for (size_t k = 0; k < factors->n_cycles; k++)
            factors->cycles[k].most /= most;
    }
    return true;
}

bool frs_server_trace_read(const char *path, struct frs_server_trace *trace, struct frs_errors *errors) {
    struct reading reading = {.trace = trace};
    *trace = (struct frs_server_trace){.path = frs_strdup(path)};
    bool ok = frs_fleet_digest(path, &trace->digest, errors);
    ok = ok && !frs_import_refuses(path, errors) && frs_csv_open_table(&reading.csv, path, errors) &&
         read_header(&reading, errors);
    while (ok && frs_csv_next(&reading.csv, errors))
        ok = read_line(&reading, errors);
    ok = ok && !reading.csv.failed && end(&reading, errors);
    frs_csv_close(&reading.csv);
    if (!ok)
        frs_server_trace_fini(trace);
    return ok;
}

void frs_server_trace_fini(struct frs_server_trace *trace) {
    for (size_t kind = 0; kind < FRS_SERVER_FIGURES; kind++)
        frs_trace_fini(&trace->factors[kind]);
    free(trace->path);
    *trace = (struct frs_server_trace){0};
}

double frs_server_trace_factor(
    const struct frs_server_trace *trace, enum frs_server_figure figure, double t_s, double *until_s) {
    const struct frs_trace *series = &trace->factors[figure];
    return frs_trace_value(series, frs_trace_cycle_of(series, 0), 0, 0, t_s, until_s);
}
