#include "platforms/networks/client_trace.h"
#include "platforms/distributions/quantile.h"
#include "platforms/fleet/fleet.h"
#include "platforms/imports/import.h"
#include "sim/base/date.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As network.bandwidth_factor is bounded. */
#define MOST_FACTOR 1e6

/* Columns of a file. */
enum { DOWN, UP, FACTOR, TIME, CLIENT, CLASS, KINDS };

struct reading {
    struct frs_csv csv;
    struct frs_client_trace *trace;
    size_t columns[KINDS]; /* where they stand; SIZE_MAX: nowhere */
    size_t id;             /* the column of clients or classes; SIZE_MAX: none */
    double units[2];
    size_t last_line;
};

#define ALLOWED                                                                                              \
    "allowed: t_s and factor, or t_s and down_Mbit_s, up_Mbit_s or both, in any unit of rates; and client "  \
    "or class"

static size_t kind_of(const char *name, double *unit) {
    static const char *const names[] = {
        [FACTOR] = "factor", [TIME] = "t_s", [CLIENT] = "client", [CLASS] = "class"};
    enum frs_fleet_figure figure;
    char text[FRS_FLEET_UNIT], one[FRS_FLEET_UNIT + 2];
    for (size_t kind = FACTOR; kind < KINDS; kind++)
        if (strcmp(name, names[kind]) == 0)
            return kind;
    if (strcmp(name, "t") == 0)
        return TIME;
    if (!frs_fleet_column(name, &figure, text) || (figure != FRS_FLEET_DOWN && figure != FRS_FLEET_UP))
        return KINDS;
    snprintf(one, sizeof one, "1 %s", text);
    bool ok = frs_units_parse(one, FRS_RATE, unit) == FRS_OK;
    FRS_INVARIANT(ok, "%s is no unit", text);
    return figure == FRS_FLEET_DOWN ? DOWN : UP;
}

static bool read_header(struct reading *reading, struct frs_errors *errors) {
    char line[48];
    for (size_t kind = 0; kind < KINDS; kind++)
        reading->columns[kind] = SIZE_MAX;
    for (size_t i = 0; i < reading->csv.n_columns; i++) {
        const char *name = reading->csv.names[i];
        double unit = 1;
        if (strchr("0123456789-+.", *name))
            return frs_csv_error(&reading->csv, errors,
                "begins with numbers; the first line has to name the columns; " ALLOWED);
        size_t kind = kind_of(name, &unit);
        if (kind == KINDS)
            return frs_csv_error(&reading->csv, errors, "column %zu: \"%s\" is not known; " ALLOWED, i + 1,
                frs_text_line(name, line, sizeof line));
        if (reading->columns[kind] != SIZE_MAX)
            return frs_csv_error(&reading->csv, errors,
                "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them", i + 1, name,
                reading->columns[kind] + 1, reading->csv.names[reading->columns[kind]]);
        reading->columns[kind] = i;
        if (kind <= UP)
            reading->units[kind] = unit;
    }
    bool has_factor = reading->columns[FACTOR] != SIZE_MAX, has_down = reading->columns[DOWN] != SIZE_MAX,
         has_up = reading->columns[UP] != SIZE_MAX;
    if (reading->columns[TIME] == SIZE_MAX || has_factor == (has_down || has_up))
        return frs_csv_error(&reading->csv, errors, "does not name the columns that are needed; " ALLOWED);
    reading->trace->has_rates = !has_factor;
    reading->trace->has[DOWN] = has_factor || has_down;
    reading->trace->has[UP] = has_factor || has_up;
    bool by_class = reading->columns[CLASS] != SIZE_MAX;
    if (by_class && reading->columns[CLIENT] != SIZE_MAX)
        return frs_csv_error(&reading->csv, errors, "has columns client and class; allowed: one of them");
    reading->trace->by_class = by_class;
    reading->id = by_class ? reading->columns[CLASS] : reading->columns[CLIENT];
    for (size_t i = 0; i < 2; i++)
        reading->trace->series[i].by_client = reading->id != SIZE_MAX;
    return true;
}

static bool read_time(struct reading *reading, double *t_s, struct frs_errors *errors) {
    const char *field = reading->csv.fields[reading->columns[TIME]];
    return frs_date_read(field, strlen(field), t_s) ||
           frs_csv_number(&reading->csv, reading->columns[TIME], "t_s", t_s, errors);
}

static bool is_in_bounds(struct reading *reading, size_t kind, double value, struct frs_errors *errors) {
    char line[48];
    const char *field = reading->csv.fields[reading->columns[kind]];
    if (kind == FACTOR)
        return value <= MOST_FACTOR || frs_csv_error(&reading->csv, errors, "factor %s is above %g",
                                           frs_text_number(value, line, sizeof line), MOST_FACTOR);
    double most = frs_units_most(FRS_RATE);
    return value == 0 || (value >= 1 && value <= most) ||
           frs_csv_error(&reading->csv, errors,
               "column %zu (%s): \"%s\" is out of bounds; allowed: 0, or what comes to 1 to %g bytes/s",
               reading->columns[kind] + 1, reading->csv.names[reading->columns[kind]],
               frs_text_line(field, line, sizeof line), most);
}

static bool read_line(struct reading *reading, struct frs_errors *errors) {
    uint32_t client = 0;
    double t_s, value;
    if ((reading->id != SIZE_MAX &&
            !frs_client_ids_read(&reading->trace->ids, &reading->csv, reading->id, &client, errors)) ||
        !read_time(reading, &t_s, errors))
        return false;
    for (size_t kind = DOWN; kind <= FACTOR; kind++) {
        size_t at = reading->columns[kind];
        if (at == SIZE_MAX)
            continue;
        const char *name = reading->csv.names[at];
        if (!frs_csv_number(&reading->csv, at, name, &value, errors))
            return false;
        value *= kind == FACTOR ? 1 : reading->units[kind];
        if (!frs_trace_put(&reading->csv, &reading->trace->series[kind == FACTOR ? 0 : kind], name, client,
                t_s, value, reading->last_line, errors) ||
            !is_in_bounds(reading, kind, value, errors))
            return false;
    }
    reading->last_line = reading->csv.line;
    return true;
}

static void sort_largest(struct frs_client_trace *trace, size_t i) {
    const struct frs_trace *series = &trace->series[i];
    trace->largest[i] = frs_alloc(series->n_cycles, sizeof *trace->largest[i]);
    for (size_t k = 0; k < series->n_cycles; k++)
        trace->largest[i][k] = series->cycles[k].most;
    qsort(trace->largest[i], series->n_cycles, sizeof *trace->largest[i], frs_compare_doubles);
}

static bool end(struct reading *reading, struct frs_errors *errors) {
    struct frs_client_trace *trace = reading->trace;
    for (size_t kind = DOWN; kind <= FACTOR; kind++) {
        if (reading->columns[kind] == SIZE_MAX)
            continue;
        struct frs_trace *series = &trace->series[kind == FACTOR ? 0 : kind];
        if (series->n == 0) {
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no lines behind the first", reading->csv.path);
            return false;
        }
        if (!frs_trace_end(&reading->csv, series, reading->csv.names[reading->columns[kind]],
                reading->last_line, errors))
            return false;
        if (kind != FACTOR)
            sort_largest(trace, kind);
    }
    return true;
}

bool frs_client_trace_read(
    const char *path, enum frs_trace_end ends, struct frs_client_trace *trace, struct frs_errors *errors) {
    struct reading reading = {.trace = trace};
    static const char advice[] = "; allowed with network.trace_end = \"repeat\" or \"hold\": any";
    *trace = (struct frs_client_trace){
        .series = {{.ends = ends, .advice = advice}, {.ends = ends, .advice = advice}}};
    bool ok = !frs_import_refuses(path, errors) && frs_csv_open_table(&reading.csv, path, errors) &&
              read_header(&reading, errors);
    if (ok && trace->by_class)
        trace->ids.are_texts = true;
    else if (ok && reading.id != SIZE_MAX)
        frs_client_ids_begin(&trace->ids, path, reading.id);
    while (ok && frs_csv_next(&reading.csv, errors))
        ok = read_line(&reading, errors);
    ok = ok && !reading.csv.failed && end(&reading, errors);
    frs_csv_close(&reading.csv);
    if (!ok)
        frs_client_trace_fini(trace);
    return ok;
}

void frs_client_trace_fini(struct frs_client_trace *trace) {
    for (size_t i = 0; i < 2; i++) {
        frs_trace_fini(&trace->series[i]);
        free(trace->largest[i]);
    }
    frs_client_ids_fini(&trace->ids);
    *trace = (struct frs_client_trace){0};
}

bool frs_client_trace_varies(const struct frs_client_trace *trace) {
    return trace->has[0] || trace->has[1];
}

bool frs_client_trace_has_rate(const struct frs_client_trace *trace, bool up) {
    return trace->has_rates && trace->has[up];
}

static const struct frs_trace *series_of(const struct frs_client_trace *trace, bool up) {
    return &trace->series[trace->has_rates ? up : 0];
}

static const struct frs_trace_cycle *cycle_of(
    const struct frs_client_trace *trace, bool up, uint64_t seed, uint32_t client, uint32_t number) {
    const struct frs_trace *series = series_of(trace, up);
    if (!trace->has[up])
        return NULL;
    if (!trace->drawn)
        return frs_trace_cycle_of(series, number);
    size_t k = (size_t)(frs_quantile_draw(seed, client, FRS_RNG_TRACE) * (double)series->n_cycles);
    return &series->cycles[k < series->n_cycles ? k : series->n_cycles - 1];
}

double frs_client_trace_rate(
    const struct frs_client_trace *trace, bool up, uint64_t seed, uint32_t client, uint32_t number) {
    const struct frs_trace_cycle *cycle = cycle_of(trace, up, seed, client, number);
    return trace->has_rates && cycle ? cycle->most : NAN;
}

double frs_client_trace_rate_at(const struct frs_client_trace *trace, bool up, double u) {
    size_t n = trace->series[up].n_cycles, k = (size_t)(u * (double)n);
    return trace->largest[up][k < n ? k : n - 1];
}

double frs_client_trace_factor(const struct frs_client_trace *trace, bool up, uint64_t seed, uint32_t client,
    uint32_t number, double t_s, double *until_s) {
    const struct frs_trace *series = series_of(trace, up);
    const struct frs_trace_cycle *cycle = cycle_of(trace, up, seed, client, number);
    double value = frs_trace_value(series, cycle, seed, client, t_s, until_s);
    return trace->has_rates && cycle ? value / cycle->most : value;
}

static int by_client(const void *a, const void *b) {
    const struct frs_trace_cycle *x = a, *y = b;
    return (x->client > y->client) - (x->client < y->client);
}

void frs_client_trace_renumber(struct frs_client_trace *trace, const uint32_t *numbers) {
    for (size_t i = 0; i < 2; i++) {
        struct frs_trace *series = &trace->series[i];
        for (size_t k = 0; k < series->n_cycles; k++)
            series->cycles[k].client = numbers[series->cycles[k].client];
        if (series->n_cycles > 0)
            qsort(series->cycles, series->n_cycles, sizeof *series->cycles, by_client);
    }
}

uint32_t frs_client_trace_last(const struct frs_client_trace *trace, size_t *n) {
    const struct frs_trace *series = series_of(trace, !trace->has[0]);
    *n = trace->drawn || trace->by_class || !series->by_client ? 0 : series->n_cycles;
    return *n > 0 ? series->cycles[*n - 1].client : 0;
}
