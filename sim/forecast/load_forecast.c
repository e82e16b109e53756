#include "sim/forecast/load_forecast.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/units.h"
#include "sim/forecast/state_hours.h"

#include <math.h>
#include <stdlib.h>

/* ---- amounts --------------------------------------------------------------------------------- */

static double down_bytes(const struct frs_pilot_round *round) {
    return round->load.down_bytes;
}

static double up_bytes(const struct frs_pilot_round *round) {
    return round->load.up_bytes;
}

static double metered_bytes(const struct frs_pilot_round *round) {
    return round->load.metered_bytes;
}

static double connected_s(const struct frs_pilot_round *round) {
    return round->load.connected_s;
}

static double busy_s(const struct frs_pilot_round *round) {
    return round->load.busy_s;
}

static double work_s(const struct frs_pilot_round *round) {
    return round->load.work_s;
}

static double energy_j(const struct frs_pilot_round *round) {
    return round->load.energy_j;
}

static struct frs_amount amount_of(const struct frs_amount_request *of,
    double (*value)(const struct frs_pilot_round *round), double end, double factor) {
    struct frs_amount_request request = *of;
    request.value = value;
    request.end = of->end > 0 ? end : 0;
    request.slack = of->slack + fabs(factor - 1);
    request.factor = of->factor * factor;
    return frs_amount_of(&request);
}

/* Time of the server, which is not so many times longer where so many times more clients are selected. */
static struct frs_amount time_of(const struct frs_amount_request *of,
    double (*value)(const struct frs_pilot_round *round), double end_s, double time_factor) {
    struct frs_amount_request request = *of;
    request.factor = 1;
    return amount_of(&request, value, end_s, time_factor);
}

static double more_than(double seen, double amount, double factor) {
    return seen + fmax(amount - seen, 0) * factor;
}

/* What the rounds left take of the device, where it computes for so many times as long. */
static void widen_computing(struct frs_amount *amount, double seen, const struct frs_state_hours *hours) {
    amount->low = fmin(amount->low, more_than(seen, amount->low, hours->computing_low));
    amount->high = fmax(amount->high, more_than(seen, amount->high, hours->computing_high));
}

/* Hours of the day that the rounds played do not show: then devices can be in other states. */
static void widen_states(const struct frs_amount_request *of, struct frs_load_forecast *load) {
    const struct frs_pilot_load *seen = &of->played->rounds[of->played->n - 1].load;
    if (of->end > 0 || !(of->unseen->cycle_s > 0))
        return;
    struct frs_state_hours hours = frs_state_hours_of(of->setup, of->played);
    if (!hours.known)
        return;
    double bytes = of->factor * (seen->down_bytes + seen->up_bytes),
           metered = of->factor * seen->metered_bytes;
    load->metered_bytes.low = fmin(load->metered_bytes.low,
        metered + fmax(load->down_bytes.low + load->up_bytes.low - bytes, 0) * hours.metered_low);
    load->metered_bytes.high = fmax(load->metered_bytes.high,
        metered + fmax(load->down_bytes.high + load->up_bytes.high - bytes, 0) * hours.metered_high);
    widen_computing(&load->energy_j, of->factor * seen->energy_j, &hours);
    widen_computing(&load->connected_s, of->factor * seen->connected_s, &hours);
    widen_computing(&load->busy_s, seen->busy_s, &hours);
}

struct frs_load_forecast frs_load_forecast_of(const struct frs_amount_request *of, double time_factor) {
    const struct frs_pilot_load *end = &of->played->end_load;
    struct frs_load_forecast load = {.down_bytes = amount_of(of, down_bytes, end->down_bytes, 1),
        .up_bytes = amount_of(of, up_bytes, end->up_bytes, 1),
        .metered_bytes = amount_of(of, metered_bytes, end->metered_bytes, 1),
        .connected_s = amount_of(of, connected_s, end->connected_s, time_factor),
        .busy_s = time_of(of, busy_s, end->busy_s, time_factor),
        .work_s = time_of(of, work_s, end->work_s, time_factor),
        .energy_j = amount_of(of, energy_j, end->energy_j, time_factor),
        .all_simulated = of->end > 0};
    for (size_t hour = 0; hour < FRS_LOAD_HOURS; hour++)
        load.by_hour[hour] = of->played->by_hour[hour];
    widen_states(of, &load);
    return load;
}

static void multiply(struct frs_load_forecast *load, double low, double middle, double high) {
    struct frs_amount *const amounts[] = {&load->down_bytes, &load->up_bytes, &load->metered_bytes,
        &load->connected_s, &load->busy_s, &load->work_s, &load->energy_j};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        amounts[i]->low *= low;
        amounts[i]->middle *= middle;
        amounts[i]->high *= high;
    }
}

void frs_load_forecast_widen(struct frs_load_forecast *load, double low, double high) {
    multiply(load, low, 1, high);
}

void frs_load_forecast_scale(struct frs_load_forecast *load, double factor) {
    multiply(load, factor, factor, factor);
}

static bool follows_clock(const struct frs_setup *setup) {
    const struct frs_pacing *pacing = &setup->pacing;
    bool comes_and_goes = !frs_reachability_is_trivial(&setup->reachability) &&
                          frs_reachability_goes_by_time(&setup->reachability);
    return comes_and_goes || pacing->every_s > 0 || pacing->window.given || pacing->cool_down_s > 0 ||
           pacing->per_day > 0;
}

/* The share of the clock's hours that are known. */
static double seen_share(const struct frs_load_forecast *load) {
    double seen_s = 0;
    for (size_t hour = 0; hour < FRS_LOAD_HOURS; hour++)
        seen_s += fmin(load->by_hour[hour].seconds, 3600);
    return load->all_simulated ? 1 : fmax(seen_s / (3600.0 * FRS_LOAD_HOURS), 1.0 / FRS_LOAD_HOURS);
}

/* By Little's law, the longer the run takes, the fewer clients are connected at once. Where clients or
 * rounds follow the clock, hours that were not simulated may be idle or busier. */
static struct frs_amount connections(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run) {
    const struct frs_amount *connected = &load->connected_s;
    double seen = follows_clock(setup) && run->high_s > 3600 ? seen_share(load) : 1;
    return (struct frs_amount){seen * connected->low / fmax(run->high_s, 1e-300),
        connected->middle / fmax(run->middle_s, 1e-300),
        fmin(connected->high / fmax(run->low_s, 1e-300) / seen, frs_load_most_connections(setup))};
}

/* On other days than those that were simulated each client is online by itself. */
static struct frs_amount range_of(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_load_spread *spread) {
    double mean = frs_load_mean(spread), n = setup->training.data->population.n_clients,
           off = load->all_simulated ? 0 : 2 * sqrt(fmax(mean * (1 - mean / n), 1));
    return (struct frs_amount){
        fmax(fmin(spread->least, mean - off), 0), mean, fmin(fmax(spread->most, mean + off), n)};
}

static struct frs_amount costs_of(const struct frs_setup *setup, const struct frs_load_forecast *load) {
    return (struct frs_amount){
        frs_costs_of(&setup->costs, load->down_bytes.low, load->up_bytes.low, load->metered_bytes.low),
        frs_costs_of(
            &setup->costs, load->down_bytes.middle, load->up_bytes.middle, load->metered_bytes.middle),
        frs_costs_of(&setup->costs, load->down_bytes.high, load->up_bytes.high, load->metered_bytes.high)};
}

/* A key that is not given charges nothing. */
static double server_energy_j(
    const struct frs_server_power *power, double run_s, double busy_s, double work_s, double bytes) {
    const double parts_j[] = {power->idle_w * run_s, power->busy_w * fmin(busy_s, run_s),
        power->compute_w * fmin(work_s, run_s), power->per_byte_j * bytes};
    double sum_j = 0;
    for (size_t i = 0; i < sizeof parts_j / sizeof *parts_j; i++)
        sum_j += isnan(parts_j[i]) ? 0 : parts_j[i];
    return sum_j;
}

static struct frs_amount server_energy_of(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run) {
    const struct frs_server_power *power = &setup->server.power;
    return (struct frs_amount){server_energy_j(power, run->low_s, load->busy_s.low, load->work_s.low,
                                   load->down_bytes.low + load->up_bytes.low),
        server_energy_j(power, run->middle_s, load->busy_s.middle, load->work_s.middle,
            load->down_bytes.middle + load->up_bytes.middle),
        server_energy_j(power, run->high_s, load->busy_s.high, load->work_s.high,
            load->down_bytes.high + load->up_bytes.high)};
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Clients that run on after their round are beside those of the next. */
double frs_load_most_connections(const struct frs_setup *setup) {
    double n_clients = setup->training.data->population.n_clients;
    double by_edges = setup->edges.n > 0 ? 2.0 * setup->edges.n : INFINITY; /* one each way */
    if (setup->policy_settings.run_on || setup->selection->varies)
        return fmin(n_clients, by_edges);
    return fmin(by_edges, fmin(setup->policy_settings.n_selected, n_clients));
}

#define MOST_SORTED 1000000u

/* Links that vary from transfer to transfer, or over time, have no largest rate here. */
static bool has_steady_links(const struct frs_setup *setup) {
    const struct frs_network *network = &setup->network;
    return !setup->platform.file && !frs_client_trace_varies(&network->trace) && !network->by_state.differs &&
           frs_network_jitter(network, FRS_JITTER_RATE) == 0;
}

/* The fastest links of so many clients. */
static double fastest(const struct frs_setup *setup, bool up, size_t n) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    double *rates = frs_alloc(n_clients, sizeof *rates), sum = 0;
    for (uint32_t client = 0; client < n_clients; client++) {
        struct frs_client_link link = frs_network_client(&setup->network, setup->training.seed, client);
        rates[client] = up ? link.up_bytes_per_s : link.down_bytes_per_s;
    }
    qsort(rates, n_clients, sizeof *rates, frs_compare_doubles);
    for (size_t i = 0; i < n && i < n_clients; i++)
        sum += rates[n_clients - 1 - i];
    free(rates);
    return sum;
}

/* What all backhauls of edges carry together. */
static double backhauls(const struct frs_setup *setup, bool up) {
    double sum = 0;
    for (uint32_t i = 0; i < setup->edges.n; i++)
        sum += setup->edges.list[i].backhaul_bytes_per_s[up];
    return sum;
}

double frs_load_most_bytes_per_s(const struct frs_setup *setup, bool up) {
    double server = up ? setup->network.server_up_bytes_per_s : setup->network.server_down_bytes_per_s,
           clients = INFINITY;
    if (has_steady_links(setup) && setup->training.data->population.n_clients <= MOST_SORTED)
        clients = fastest(setup, up, (size_t)frs_load_most_connections(setup));
    return fmin(server, setup->edges.n > 0 ? backhauls(setup, up) : clients);
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *rate(double bytes_per_s, char text[64]) {
    if (isinf(bytes_per_s))
        return "any rate";
    return frs_units_format(bytes_per_s, FRS_RATE, text, 64);
}

static void print_spread(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_load_spread *spread, FILE *out) {
    struct frs_amount range = range_of(setup, load, spread);
    char text[64] = "-";
    if (spread->n > 0)
        snprintf(text, sizeof text, "%.4g (%.3g-%.3g)", range.middle, range.low, range.high);
    fprintf(out, " %20s", text);
}

static void print_hours(const struct frs_setup *setup, const struct frs_load_forecast *load, FILE *out) {
    fprintf(out, "  %-12s %20s %20s %12s\n", "by the clock", "online", "eligible", "selected");
    for (size_t hour = 0; hour < FRS_LOAD_HOURS; hour++) {
        const struct frs_load_hours *of = &load->by_hour[hour];
        if (!(of->seconds > 0))
            continue;
        fprintf(out, "    %02zu:00     ", hour);
        print_spread(setup, load, &of->online, out);
        print_spread(setup, load, &of->eligible, out);
        fprintf(out, " %10.4g/h\n", of->selected.sum * 3600 / of->seconds);
    }
}

static void print_amount_j(const struct frs_amount *amount, const char *whose, FILE *out) {
    char text[3][64];
    fprintf(out, "%s of %s, between %s and %s",
        frs_units_format(amount->middle, FRS_ENERGY, text[0], sizeof text[0]), whose,
        frs_units_format(amount->low, FRS_ENERGY, text[1], sizeof text[1]),
        frs_units_format(amount->high, FRS_ENERGY, text[2], sizeof text[2]));
}

static void print_energy(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run, FILE *out) {
    struct frs_amount server = server_energy_of(setup, load, run);
    fputs("  energy       ", out);
    print_amount_j(&load->energy_j, "clients", out);
    fputs("; ", out);
    if (frs_server_charges(&setup->server))
        print_amount_j(&server, "the server", out);
    else
        fputs("the server's is not charged (server.power_idle, power_busy, power_compute, energy_per_byte)",
            out);
    fputs("; modelled\n", out);
}

void frs_load_forecast_print(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run, FILE *out) {
    struct frs_amount connected = connections(setup, load, run);
    char text[3][64];
    fprintf(out,
        "  load         %.3g connections on average over the run, between %.3g and %.3g; at most %.0f at "
        "once, "
        "and %s down, %s up\n",
        connected.middle, connected.low, connected.high, frs_load_most_connections(setup),
        rate(frs_load_most_bytes_per_s(setup, false), text[0]),
        rate(frs_load_most_bytes_per_s(setup, true), text[1]));
    print_energy(setup, load, run, out);
    if (frs_costs_known(&setup->costs)) {
        struct frs_amount costs = costs_of(setup, load);
        char *low = frs_costs_text(&setup->costs, costs.low),
             *middle = frs_costs_text(&setup->costs, costs.middle),
             *high = frs_costs_text(&setup->costs, costs.high);
        frs_print_line(out, "  costs        %s for bytes, between %s and %s", middle, low, high);
        free(low);
        free(middle);
        free(high);
    }
    if (follows_clock(setup))
        print_hours(setup, load, out);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void set_real(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_range(json_t *object, const char *key, const struct frs_amount *amount) {
    json_t *range = json_object();
    set_real(range, "low", amount ? amount->low : NAN);
    set_real(range, "expected", amount ? amount->middle : NAN);
    set_real(range, "high", amount ? amount->high : NAN);
    json_object_set_new(object, key, range);
}

static void set_spread(json_t *object, const char *key, const struct frs_setup *setup,
    const struct frs_load_forecast *load, const struct frs_load_spread *spread) {
    struct frs_amount amount = range_of(setup, load, spread);
    set_range(object, key, spread->n > 0 ? &amount : NULL);
}

static json_t *hours_of(const struct frs_setup *setup, const struct frs_load_forecast *load) {
    json_t *hours = json_array();
    for (size_t hour = 0; load && hour < FRS_LOAD_HOURS; hour++) {
        const struct frs_load_hours *of = &load->by_hour[hour];
        if (!(of->seconds > 0))
            continue;
        json_t *object = json_object();
        json_object_set_new(object, "clock_hour", json_integer((json_int_t)hour));
        set_spread(object, "online", setup, load, &of->online);
        set_spread(object, "eligible", setup, load, &of->eligible);
        set_real(object, "selected_an_hour", of->selected.sum * 3600 / of->seconds);
        json_array_append_new(hours, object);
    }
    return hours;
}

void frs_load_forecast_set(json_t *root, const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run) {
    struct frs_amount connected, costs, server;
    json_t *object = json_object(), *money = json_object();
    if (load) {
        connected = connections(setup, load, run);
        costs = costs_of(setup, load);
        server = server_energy_of(setup, load, run);
    }
    set_range(object, "connections", load ? &connected : NULL);
    set_real(object, "most_connections", frs_load_most_connections(setup));
    set_real(object, "most_down_bytes_per_s", frs_load_most_bytes_per_s(setup, false));
    set_real(object, "most_up_bytes_per_s", frs_load_most_bytes_per_s(setup, true));
    json_object_set_new(object, "by_hour", hours_of(setup, load));
    json_object_set_new(root, "load", object);
    set_range(root, "energy_j", load ? &load->energy_j : NULL);
    set_range(root, "server_energy_j", load && frs_server_charges(&setup->server) ? &server : NULL);
    set_range(money, "total", load && frs_costs_known(&setup->costs) ? &costs : NULL);
    json_object_set_new(money, "currency", json_string(setup->costs.currency));
    json_object_set_new(root, "costs", money);
}
