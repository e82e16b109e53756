#include "sim/results/report/load_report.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/results/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DAY_S 86400.0

static const struct frs_totals *totals_of(const struct frs_outputs *outputs) {
    return frs_ledger_totals(outputs->ledger);
}

/* ---- load ------------------------------------------------------------------------------------ */

static void add(struct frs_load_spread *sum, const struct frs_load_spread *more) {
    if (more->n == 0)
        return;
    sum->least = sum->n == 0 ? more->least : fmin(sum->least, more->least);
    sum->most = sum->n == 0 ? more->most : fmax(sum->most, more->most);
    sum->sum += more->sum;
    sum->n += more->n;
}

static void set_spread(json_t *object, const char *name, const struct frs_load_spread *spread) {
    const struct {
        const char *kind;
        double value;
    } kinds[] = {{"mean", frs_load_mean(spread)}, {"least", spread->least}, {"most", spread->most}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && spread->n > 0; i++) {
        char *key = frs_format("%s_%s", kinds[i].kind, name);
        frs_json_set_real(object, key, kinds[i].value);
        free(key);
    }
}

static json_t *hour_object(size_t hour, const struct frs_load_hours *of) {
    json_t *object = json_object();
    frs_json_set_count(object, "clock_hour", hour);
    frs_json_set_real(object, "seconds", of->seconds);
    set_spread(object, "online", &of->online);
    set_spread(object, "eligible", &of->eligible);
    set_spread(object, "selected", &of->selected);
    frs_json_set_real(object, "rounds", of->rounds);
    frs_json_set_real(object, "mean_connections", of->seconds > 0 ? of->connected_s / of->seconds : 0);
    frs_json_set_real(object, "most_connections", of->most_connections);
    frs_json_set_real(object, "down_bytes", of->bytes[0]);
    frs_json_set_real(object, "up_bytes", of->bytes[1]);
    frs_json_set_real(object, "down_most_bytes_per_s", of->most_bytes_per_s[0]);
    frs_json_set_real(object, "up_most_bytes_per_s", of->most_bytes_per_s[1]);
    return object;
}

/* A rate over a part of a day says nothing of a day. */
static void set_participations(json_t *object, const struct frs_outputs *outputs, double days) {
    uint32_t n = outputs->setup->training.data->population.n_clients, most = 0;
    if (days < 1)
        return;
    for (uint32_t client = 0; client < n; client++) {
        uint32_t of_client = frs_ledger_client(outputs->ledger, client)->participations;
        most = of_client > most ? of_client : most;
    }
    frs_json_set_real(
        object, "mean_participations_a_day", (double)totals_of(outputs)->participations / n / days);
    frs_json_set_real(object, "most_participations_a_day", most / days);
}

void frs_load_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_load *load = frs_ledger_load(outputs->ledger);
    if (!load)
        return;
    const struct frs_load_figures figures = frs_load_figures(load);
    const struct frs_load_hours *by_hour = frs_load_by_hour(load);
    struct frs_load_spread online = {0}, eligible = {0};
    json_t *object = frs_json_add_object(root, "load"), *hours = json_array();
    frs_json_set_real(object, "mean_connections", figures.mean);
    frs_json_set_real(object, "median_connections", figures.median);
    frs_json_set_real(object, "p95_connections", figures.p95);
    frs_json_set_real(object, "peak_connections", figures.peak);
    frs_json_set_real(object, "connected_share", figures.end_s > 0 ? figures.some_s / figures.end_s : 0);
    frs_json_set_real(object, "median_while_connected", figures.median_of_some);
    frs_json_set_real(object, "connected_s", figures.connected_s);
    frs_json_set_real(object, "down_peak_bytes_per_s", figures.peak_bytes_per_s[0]);
    frs_json_set_real(object, "up_peak_bytes_per_s", figures.peak_bytes_per_s[1]);
    set_participations(object, outputs, figures.end_s / DAY_S);
    for (size_t hour = 0; hour < FRS_LOAD_HOURS; hour++) {
        add(&online, &by_hour[hour].online);
        add(&eligible, &by_hour[hour].eligible);
        if (by_hour[hour].n > 0)
            json_array_append_new(hours, hour_object(hour, &by_hour[hour]));
    }
    set_spread(object, "online", &online);
    set_spread(object, "eligible", &eligible);
    json_object_set_new(object, "by_hour", hours);
}

char *frs_load_line(const struct frs_outputs *outputs) {
    const struct frs_load *load = frs_ledger_load(outputs->ledger);
    if (!load)
        return NULL;
    const struct frs_load_figures figures = frs_load_figures(load);
    char down[32], up[32];
    return frs_format(
        "%.3g connections on average while there are any (%.3g %% of the time), %.0f at most; at "
        "most %s down and %s up",
        figures.some_s > 0 ? figures.connected_s / figures.some_s : 0,
        figures.end_s > 0 ? 100 * figures.some_s / figures.end_s : 0, figures.peak,
        frs_units_format(figures.peak_bytes_per_s[0], FRS_RATE, down, sizeof down),
        frs_units_format(figures.peak_bytes_per_s[1], FRS_RATE, up, sizeof up));
}

/* ---- energy ---------------------------------------------------------------------------------- */

/* NAN: nothing is said of it. */
struct server_energy {
    double idle_j, busy_j, compute_j, connecting_j, down_j, up_j;
};

static struct server_energy server_energy(const struct frs_outputs *outputs) {
    const struct frs_server_power *power = &outputs->setup->server.power;
    const struct frs_load_figures figures = frs_load_figures(frs_ledger_load(outputs->ledger));
    const struct frs_totals *t = totals_of(outputs);
    const struct frs_server_traffic server = frs_totals_at_server(t);
    return (struct server_energy){.idle_j = power->idle_w * figures.end_s,
        .busy_j = power->busy_w * figures.busy_s,
        .compute_j = power->compute_w * figures.work_s,
        .connecting_j = power->per_byte_j * (double)(t->setup_down_bytes + t->setup_up_bytes),
        .down_j = power->per_byte_j * (server.down_bytes - (double)t->setup_down_bytes),
        .up_j = power->per_byte_j * (server.up_bytes - (double)t->setup_up_bytes)};
}

static double or_nothing(double value) {
    return isnan(value) ? 0 : value;
}

static double sum_of(const struct server_energy *energy) {
    return or_nothing(energy->idle_j) + or_nothing(energy->busy_j) + or_nothing(energy->compute_j) +
           or_nothing(energy->connecting_j) + or_nothing(energy->down_j) + or_nothing(energy->up_j);
}

static bool charges_server(const struct frs_outputs *outputs) {
    return frs_server_charges(&outputs->setup->server) && frs_ledger_load(outputs->ledger);
}

static bool charges_waiting(const struct frs_setup *setup) {
    return setup->network.has_tails || frs_devices_charge_waiting(&setup->devices);
}

/* What the whole leaves out, and the keys that would charge it. */
static json_t *left_out(const struct frs_outputs *outputs) {
    json_t *list = json_array();
    if (!charges_waiting(outputs->setup))
        json_array_append_new(
            list, json_string("clients that wait awake (devices.power_awake, network.radio_tail)"));
    if (!charges_server(outputs))
        json_array_append_new(
            list, json_string("the server (server.power_idle, power_busy, power_compute, energy_per_byte)"));
    return list;
}

void frs_energy_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_totals *t = totals_of(outputs);
    json_t *object = frs_json_add_object(root, "modelled"), *phases;
    frs_json_set_real(object, "energy_j", t->energy_j);
    phases = frs_json_add_object(object, "by_phase");
    frs_json_set_real(phases, "compute_j", t->compute_j);
    frs_json_set_real(phases, "connecting_j", t->connecting_j);
    frs_json_set_real(phases, "down_j", t->down_j);
    frs_json_set_real(phases, "up_j", t->up_j);
    if (charges_waiting(outputs->setup))
        frs_json_set_real(phases, "awake_j", t->awake_j);
    if (charges_server(outputs)) {
        const struct server_energy energy = server_energy(outputs);
        json_t *server = frs_json_add_object(object, "server");
        frs_json_set_real(server, "energy_j", sum_of(&energy));
        frs_json_set_real(server, "idle_j", energy.idle_j);
        frs_json_set_real(server, "busy_j", energy.busy_j);
        frs_json_set_real(server, "compute_j", energy.compute_j);
        frs_json_set_real(server, "connecting_j", energy.connecting_j);
        frs_json_set_real(server, "down_j", energy.down_j);
        frs_json_set_real(server, "up_j", energy.up_j);
    }
    json_object_set_new(object, "not_charged", left_out(outputs));
}

char *frs_energy_line(const struct frs_outputs *outputs) {
    const struct frs_totals *t = totals_of(outputs);
    char all[32], compute[32], connecting[32], down[32], up[32], awake[32] = "not charged";
    if (charges_waiting(outputs->setup))
        frs_units_format(t->awake_j, FRS_ENERGY, awake, sizeof awake);
    return frs_format("%s: computing %s, connecting %s, down %s, up %s, waiting awake %s",
        frs_units_format(t->energy_j, FRS_ENERGY, all, sizeof all),
        frs_units_format(t->compute_j, FRS_ENERGY, compute, sizeof compute),
        frs_units_format(t->connecting_j, FRS_ENERGY, connecting, sizeof connecting),
        frs_units_format(t->down_j, FRS_ENERGY, down, sizeof down),
        frs_units_format(t->up_j, FRS_ENERGY, up, sizeof up), awake);
}

char *frs_server_energy_line(const struct frs_outputs *outputs) {
    if (!charges_server(outputs))
        return NULL;
    const struct server_energy energy = server_energy(outputs);
    char all[32], idle[32], busy[32], compute[32], bytes[32];
    return frs_format("%s: idle %s, busy %s, computing %s, bytes %s",
        frs_units_format(sum_of(&energy), FRS_ENERGY, all, sizeof all),
        frs_units_format(or_nothing(energy.idle_j), FRS_ENERGY, idle, sizeof idle),
        frs_units_format(or_nothing(energy.busy_j), FRS_ENERGY, busy, sizeof busy),
        frs_units_format(or_nothing(energy.compute_j), FRS_ENERGY, compute, sizeof compute),
        frs_units_format(
            or_nothing(energy.connecting_j + energy.down_j + energy.up_j), FRS_ENERGY, bytes, sizeof bytes));
}

/* ---- costs ----------------------------------------------------------------------------------- */

static double metered(const struct frs_totals *totals) {
    return (double)(totals->metered_down_bytes + totals->metered_up_bytes);
}

void frs_costs_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_costs *costs = &outputs->setup->costs;
    const struct frs_totals *t = totals_of(outputs);
    if (!frs_costs_known(costs))
        return;
    const struct frs_server_traffic server = frs_totals_at_server(t);
    double down_bytes = server.down_bytes, up_bytes = server.up_bytes, metered_bytes = metered(t);
    json_t *object = frs_json_add_object(root, "costs");
    if (*costs->currency)
        frs_json_set_text(object, "currency", costs->currency);
    frs_json_set_real(object, "total", frs_costs_of(costs, down_bytes, up_bytes, metered_bytes));
    frs_json_set_real(object, "server_down", costs->server_down * down_bytes);
    frs_json_set_real(object, "server_up", costs->server_up * up_bytes);
    frs_json_set_real(object, "metered", costs->metered * metered_bytes);
}

static char *part(const struct frs_costs *costs, double price, double bytes) {
    return isnan(price) ? frs_strdup("not charged") : frs_costs_text(costs, price * bytes);
}

char *frs_costs_line(const struct frs_outputs *outputs) {
    const struct frs_costs *costs = &outputs->setup->costs;
    const struct frs_totals *t = totals_of(outputs);
    if (!frs_costs_known(costs))
        return NULL;
    const struct frs_server_traffic server = frs_totals_at_server(t);
    double down_bytes = server.down_bytes, up_bytes = server.up_bytes, metered_bytes = metered(t);
    char *all = frs_costs_text(costs, frs_costs_of(costs, down_bytes, up_bytes, metered_bytes)),
         *down = part(costs, costs->server_down, down_bytes), *up = part(costs, costs->server_up, up_bytes),
         *of_clients = part(costs, costs->metered, metered_bytes),
         *more = isnan(costs->metered) ? frs_strdup("") : frs_format("; metered at clients %s", of_clients),
         *line = frs_format("%s for bytes: at the server down %s, up %s%s", all, down, up, more);
    free(all);
    free(down);
    free(up);
    free(of_clients);
    free(more);
    return line;
}
