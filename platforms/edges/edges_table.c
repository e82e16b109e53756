/* The table of edges: a line for each, whose columns name their units. */
#include "platforms/edges/edges.h"
#include "platforms/fleet/fleet.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { DOWN, UP, LATENCY, ACCESS_DOWN, ACCESS_UP, SPEED, MEMORY, SHARE, CLASS, REGION, NAME, KINDS };

#define ALLOWED                                                                                              \
    "allowed: name, down_Mbit_s, up_Mbit_s, latency_ms, access_down_Mbit_s, access_up_Mbit_s, "              \
    "speed_Gflop_s, memory_MiB, in any unit, share, class, region"

struct reading {
    struct frs_csv csv;
    size_t columns[KINDS]; /* SIZE_MAX: nowhere */
    double units[KINDS];
};

static enum frs_dimension dimension_of(enum kind kind) {
    return kind == LATENCY ? FRS_TIME : kind == SPEED ? FRS_SPEED : kind == MEMORY ? FRS_BYTES : FRS_RATE;
}

/* KINDS: the column is not known. */
static enum kind kind_of(const char *name, double *unit) {
    static const char access[] = "access_";
    static const char *const texts[] = {
        [SHARE] = "share", [CLASS] = "class", [REGION] = "region", [NAME] = "name"};
    bool of_clients = strncmp(name, access, strlen(access)) == 0;
    enum frs_fleet_figure figure;
    char text[FRS_FLEET_UNIT], one[FRS_FLEET_UNIT + 2];
    for (enum kind kind = SHARE; kind < KINDS; kind++)
        if (strcmp(name, texts[kind]) == 0)
            return kind;
    if (!frs_fleet_column(of_clients ? name + strlen(access) : name, &figure, text))
        return KINDS;
    enum kind kind = figure == FRS_FLEET_DOWN                     ? (of_clients ? ACCESS_DOWN : DOWN)
                     : figure == FRS_FLEET_UP                     ? (of_clients ? ACCESS_UP : UP)
                     : figure == FRS_FLEET_LATENCY && !of_clients ? LATENCY
                     : figure == FRS_FLEET_SPEED && !of_clients   ? SPEED
                     : figure == FRS_FLEET_MEMORY && !of_clients  ? MEMORY
                                                                  : KINDS;
    if (kind == KINDS)
        return KINDS;
    snprintf(one, sizeof one, "1 %s", text);
    bool ok = frs_units_parse(one, dimension_of(kind), unit) == FRS_OK;
    FRS_INVARIANT(ok, "%s is no unit", text);
    return kind;
}

static bool read_header(struct reading *reading, struct frs_errors *errors) {
    char line[48];
    for (size_t kind = 0; kind < KINDS; kind++)
        reading->columns[kind] = SIZE_MAX;
    for (size_t i = 0; i < reading->csv.n_columns; i++) {
        const char *name = reading->csv.names[i];
        double unit = 1;
        enum kind kind = kind_of(name, &unit);
        if (kind == KINDS)
            return frs_csv_error(&reading->csv, errors, "column %zu: \"%s\" is not known; " ALLOWED, i + 1,
                frs_text_line(name, line, sizeof line));
        if (reading->columns[kind] != SIZE_MAX)
            return frs_csv_error(&reading->csv, errors,
                "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them", i + 1, name,
                reading->columns[kind] + 1, reading->csv.names[reading->columns[kind]]);
        reading->columns[kind] = i;
        reading->units[kind] = unit;
    }
    return true;
}

/* Capacities become whole bytes per second. */
static bool read_number(
    struct reading *reading, enum kind kind, double least, double *value, struct frs_errors *errors) {
    size_t at = reading->columns[kind];
    char line[48];
    double number;
    if (at == SIZE_MAX)
        return true;
    const char *name = reading->csv.names[at];
    if (!frs_csv_number(&reading->csv, at, name, &number, errors))
        return false;
    double si = number * reading->units[kind],
           most = kind == SHARE || kind == REGION ? 1e9 : frs_units_most(dimension_of(kind));
    if (!(si >= least && si <= most))
        return frs_csv_error(&reading->csv, errors,
            "column %zu (%s): \"%s\" is out of bounds; allowed: %g to %g%s", at + 1, name,
            frs_text_line(reading->csv.fields[at], line, sizeof line), least / reading->units[kind],
            most / reading->units[kind], kind == SHARE || kind == REGION ? "" : ", in its unit");
    *value = kind == SHARE || kind == LATENCY ? si : floor(si + 0.5);
    return true;
}

static bool read_line(struct reading *reading, struct frs_edge *edge, struct frs_errors *errors) {
    const struct frs_csv *csv = &reading->csv;
    double region = 0;
    const struct {
        enum kind kind;
        double least, *value;
    } numbers[] = {{DOWN, 1, &edge->backhaul_bytes_per_s[0]}, {UP, 1, &edge->backhaul_bytes_per_s[1]},
        {LATENCY, 0, &edge->latency_s}, {ACCESS_DOWN, 1, &edge->access_bytes_per_s[0]},
        {ACCESS_UP, 1, &edge->access_bytes_per_s[1]}, {SPEED, 1, &edge->flop_per_s},
        {MEMORY, 1, &edge->memory_bytes}, {SHARE, 1e-9, &edge->share}, {REGION, 1, &region}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!read_number(reading, numbers[i].kind, numbers[i].least, numbers[i].value, errors))
            return false;
    edge->line = csv->line;
    edge->region = (uint32_t)region;
    if (reading->columns[NAME] != SIZE_MAX)
        edge->name = frs_strdup(csv->fields[reading->columns[NAME]]);
    if (reading->columns[CLASS] != SIZE_MAX)
        edge->class = frs_strdup(csv->fields[reading->columns[CLASS]]);
    return true;
}

bool frs_edges_read_table(
    struct frs_edges *edges, const char *path, const struct frs_edge *like, struct frs_errors *errors) {
    struct reading reading = {0};
    size_t capacity = 0;
    bool ok = frs_csv_open_any(&reading.csv, path, errors) && read_header(&reading, errors);
    while (ok && frs_csv_next(&reading.csv, errors)) {
        edges->list = frs_grow(edges->list, (size_t)edges->n + 1, &capacity, sizeof *edges->list);
        edges->list[edges->n] = *like;
        ok = read_line(&reading, &edges->list[edges->n++], errors);
    }
    ok = ok && !reading.csv.failed;
    if (ok && edges->n == 0) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no lines behind the first", path);
        ok = false;
    }
    frs_csv_close(&reading.csv);
    return ok;
}
