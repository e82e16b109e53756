/* The server's links over time (server.trace): each line holds until the time of the next one, and the
 * trace begins again at the last. A manifest names the file relative to the run's working directory: it is
 * sought there, then beside the run. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "down_Mbit_s": of the side "down" 1e6/8 bytes/s, 0 if it is another column. */
static double unit_of(const char *column, const char *side) {
    static const struct {
        const char *name;
        double factor;
    } prefixes[] = {
        {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"", 1}};
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"bytes_per_s", 1}, {"B_per_s", 1}, {"B_s", 1}, {"bit_per_s", 0.125}, {"bit_s", 0.125}};
    size_t n = strlen(side);
    if (strncmp(column, side, n) != 0 || column[n] != '_')
        return 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        for (size_t j = 0; j < sizeof units / sizeof *units; j++) {
            size_t m = strlen(prefixes[i].name);
            if (strncmp(column + n + 1, prefixes[i].name, m) == 0 &&
                strcmp(column + n + 1 + m, units[j].name) == 0)
                return prefixes[i].factor * units[j].bytes;
        }
    return 0;
}

static const char *column_of_side(const struct table *table, const char *side, double *unit) {
    for (size_t i = 0; i < table->n_columns; i++)
        if ((*unit = unit_of(table->names[i], side)) > 0)
            return table->names[i];
    return NULL;
}

/* Rates are whole numbers of at least 1, but for 0. */
static double whole(double rate) {
    return rate > 0 ? fmax(1, round(rate)) : 0;
}

/* Until `until_s`, however often it begins again. Rates are shares of the largest one. */
static struct capacity unroll(
    const struct table *table, const char *column, double unit, double payload_share, double until_s) {
    size_t n = table->n_rows - 1;
    double period_s = field(table, n, "t_s"), most = 0;
    size_t cycles = (size_t)fmax(1, ceil(until_s / period_s) + 1);
    struct capacity capacity = {.steps = calloc(cycles * n, sizeof *capacity.steps)};
    if (!capacity.steps)
        abort();
    for (size_t i = 0; i <= n; i++)
        most = fmax(most, field(table, i, column));
    for (size_t cycle = 0; cycle < cycles; cycle++)
        for (size_t i = 0; i < n; i++)
            capacity.steps[capacity.n++] = (struct step){(double)cycle * period_s + field(table, i, "t_s"),
                whole(whole(most * unit * payload_share) * (field(table, i, column) / most))};
    return capacity;
}

static double last_time_s(const struct run *run) {
    double last_s = 0;
    for (size_t i = 0; i < n_all_parts(run); i++)
        last_s = fmax(last_s, part_end_s(any_part(run, i)));
    return last_s;
}

/* The folder the file is below; NULL: it is nowhere. */
static const char *folder_of(const char *folder, const char *file, char path[4096]) {
    snprintf(path, 4096, "%s/../%s", folder, file);
    if (*file == '/' || access(file, R_OK) == 0)
        return *file == '/' ? "" : ".";
    if (access(path, R_OK) != 0)
        return NULL;
    snprintf(path, 4096, "%s/..", folder);
    return path;
}

const char *follow_server_trace(struct run *run, const char *folder) {
    struct scenario *s = &run->scenario;
    static const char *const sides[] = {"down", "up"};
    const char *file = scenario_text(s, "server.trace"), *column;
    char path[4096];
    double unit;
    if (!*file)
        return NULL;
    if (!folder_of(folder, file, path))
        return "names a server.trace that is neither here nor beside the run";
    struct table table = table_read(folder_of(folder, file, path), file);
    bool varies = false;
    for (size_t i = 0; i < table.n_columns; i++)
        varies |= strncmp(table.names[i], "speed_", 6) == 0;
    for (int up = 0; up < 2 && !varies; up++) {
        if (!(column = column_of_side(&table, sides[up], &unit)))
            continue;
        free(s->server_link[up].steps);
        s->server_link[up] =
            unroll(&table, column, unit, scenario_number(s, "network.payload_share"), last_time_s(run));
    }
    table_free(&table);
    return varies ? "runs whose server.trace has a speed are not replayed" : NULL;
}
