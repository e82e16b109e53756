/* The links of clients over time (network.trace): what a message could have at every moment is what the file
 * says. Not looked into: traces and phases that are drawn, links with jitter, and devices with states. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct series {
    size_t *rows, n; /* of the table */
    double from_s, period_s;
    double most[2];
};

struct trace {
    struct table table;
    const char *time, *columns[2]; /* of values; NULL: as without a trace */
    bool has_rates, holds;
    struct series *clients;
};

static double value_of(const struct trace *trace, size_t row, int up) {
    return field(&trace->table, row, trace->columns[up]);
}

static double row_time_s(const struct trace *trace, const struct series *series, size_t i) {
    return round((time_of(field_text(&trace->table, series->rows[i], trace->time)) - series->from_s) * 1e6) /
           1e6;
}

/* Whether a client has the trace of this row, by the row's id. */
static bool is_of(
    const struct trace *trace, const struct run *run, const struct table *fleet, size_t row, size_t client) {
    if (column_named(&trace->table, "class"))
        return strcmp(field_text(&trace->table, row, "class"),
                   field_text(&run->clients, client, "network_class")) == 0;
    return !column_named(&trace->table, "client") ||
           client_called(fleet, field_text(&trace->table, row, "client")) == client;
}

static void gather(struct trace *trace, const struct run *run, const struct table *fleet) {
    trace->clients = calloc(run->clients.n_rows, sizeof *trace->clients);
    for (size_t client = 0; client < run->clients.n_rows; client++) {
        struct series *series = trace->clients + client;
        series->rows = calloc(trace->table.n_rows + 1, sizeof *series->rows);
        if (!series->rows)
            abort();
        for (size_t row = 0; row < trace->table.n_rows; row++)
            if (is_of(trace, run, fleet, row, client))
                series->rows[series->n++] = row;
        if (series->n == 0)
            continue;
        series->from_s = row_time_s(trace, series, 0);
        series->period_s = row_time_s(trace, series, series->n - 1);
        for (int up = 0; up < 2; up++)
            for (size_t i = 0; trace->columns[up] && i + !trace->holds < series->n; i++)
                series->most[up] = fmax(series->most[up], value_of(trace, series->rows[i], up));
    }
}

/* "up_kbit_s" is of the uplink; units do not matter, for the largest capacity stands in clients.csv. */
static bool find_columns(struct trace *trace) {
    static const char *const sides[] = {"down_", "up_"};
    trace->time = column_named(&trace->table, "t_s");
    if (!trace->time)
        trace->time = column_named(&trace->table, "t");
    trace->columns[0] = trace->columns[1] = column_named(&trace->table, "factor");
    trace->has_rates = !trace->columns[0];
    for (size_t i = 0; i < trace->table.n_columns && trace->has_rates; i++)
        for (int up = 0; up < 2; up++)
            if (strncmp(trace->table.names[i], sides[up], strlen(sides[up])) == 0)
                trace->columns[up] = trace->table.names[i];
    return trace->time && (trace->columns[0] || trace->columns[1]);
}

static double whole(double rate) {
    return rate > 0 ? fmax(1, round(rate)) : 0;
}

/* At a time that is none of a change. */
static double rate_at(const struct trace *trace, size_t client, int up, double own, double time_s) {
    const struct series *series = trace->clients + client;
    size_t i = 0, last = series->n - !trace->holds;
    if (series->n == 0 || !trace->columns[up])
        return own;
    if (!trace->holds)
        time_s -= floor(time_s / series->period_s) * series->period_s;
    while (i + 1 < last && row_time_s(trace, series, i + 1) <= time_s)
        i++;
    double value = value_of(trace, series->rows[i], up);
    return whole(own * (trace->has_rates ? value / series->most[up] : value));
}

/* The first change of the file after a time. */
static double next_change_s(const struct trace *trace, size_t client, double time_s) {
    const struct series *series = trace->clients + client;
    double next_s = INFINITY, turn = trace->holds || series->n == 0 ? 0 : floor(time_s / series->period_s);
    for (int ahead = 0; ahead < (trace->holds ? 1 : 2); ahead++)
        for (size_t i = 0; i < series->n; i++) {
            double at_s = (turn + ahead) * series->period_s * !trace->holds + row_time_s(trace, series, i);
            next_s = at_s > time_s + 1e-9 * (1 + time_s) ? fmin(next_s, at_s) : next_s;
        }
    return next_s;
}

static void check_message(struct report *report, const struct run *run, const struct trace *trace,
    const struct part *part, const struct phase *phase) {
    int up = phase->kind == UP;
    double own = field(&run->clients, part->client, up ? "up_bytes_per_s" : "down_bytes_per_s");
    double end_s = phase->t1_s, next_s;
    for (double at_s = phase->capacity.steps[0].from_s; at_s < end_s; at_s = next_s) {
        next_s = fmin(end_s, next_change_s(trace, part->client, at_s));
        for (size_t i = 0; i < phase->capacity.n; i++)
            if (phase->capacity.steps[i].from_s > at_s + 1e-9 * (1 + at_s))
                next_s = fmin(next_s, phase->capacity.steps[i].from_s);
        if (next_s - at_s < 4e-9 * (1 + at_s))
            continue;
        double middle_s = at_s + (next_s - at_s) / 2, told = capacity_at(&phase->capacity, middle_s),
               expected = rate_at(trace, part->client, up, own, middle_s);
        must(report, part, fabs(told - expected) <= (trace->has_rates ? 1 : 0),
            "%s at %.15g bytes/s at %.15g s, where the trace has %.15g", phase_names[phase->kind], told,
            middle_s, expected);
    }
}

static bool is_followed(const struct run *run) {
    const struct scenario *s = &run->scenario;
    return *scenario_text(s, "network.trace") && !has_states(run) && !scenario_jitters(s, "network.jitter") &&
           strcmp(scenario_text(s, "network.trace_phase"), "random") != 0 &&
           strcmp(scenario_text(s, "network.trace_clients"), "random") != 0 &&
           !*scenario_text(s, "devices.fleet") &&
           (!*scenario_text(s, "network.fleet") ||
               strcmp(scenario_text(s, "network.fleet_assignment"), "rows") == 0);
}

void check_traces(struct report *report, const struct run *run, const char *folder) {
    const struct scenario *s = &run->scenario;
    const char *ends = scenario_text(s, "network.trace_end"), *file = scenario_text(s, "network.fleet");
    struct trace trace = {.holds = strcmp(ends, "hold") == 0};
    struct table fleet;
    if (!is_followed(run) || !read_beside(folder, scenario_text(s, "network.trace"), &trace.table))
        return;
    bool has_fleet = *file && read_beside(folder, file, &fleet);
    must(report, NULL, find_columns(&trace), "a trace without times or values");
    gather(&trace, run, has_fleet ? &fleet : NULL);
    for (size_t i = 0; i < run->n_parts; i++)
        for (size_t j = 0; j < run->parts[i].n_phases; j++) {
            const struct phase *phase = run->parts[i].phases + j;
            if ((phase->kind == DOWN || phase->kind == UP) && phase->capacity.n > 0)
                check_message(report, run, &trace, run->parts + i, phase);
        }
    for (size_t client = 0; client < run->clients.n_rows; client++)
        free(trace.clients[client].rows);
    free(trace.clients);
    table_free(&trace.table);
    if (has_fleet)
        table_free(&fleet);
}
