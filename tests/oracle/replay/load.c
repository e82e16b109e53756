/* The server's load: connections, bytes by hour and energy by phase, added up from the events; hours.csv, and
 * `load` and `modelled` of summary.json. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>

/* Times are written with 15 digits: what lasts for less than this may be a rounding. */
#define MOMENT_S 1e-9

struct stretch {
    double from_s, to_s;
};

struct stretches {
    struct stretch *list;
    size_t n;
};

static void add(struct stretches *stretches, double from_s, double to_s) {
    if (to_s > from_s)
        stretches->list[stretches->n++] = (struct stretch){from_s, to_s};
}

/* A client that cannot be reached, or is refused, is never connected. */
static bool connects(const struct part *part) {
    return part->outcome != REFUSED && !part_phase(part, CONTACT) && last_phase(part)->kind != ENCODE;
}

/* From its first message on, without the waits for another connection. *from_s: since when there is one; NAN:
 * there is none. */
static void add_phases(struct stretches *stretches, const struct part *part, double *from_s) {
    for (size_t k = 0; k < part->n_phases; k++) {
        const struct phase *phase = part->phases + k;
        if (phase->kind == RETRY) {
            add(stretches, *from_s, phase->t0_s);
            *from_s = NAN;
        } else if (phase->kind != ENCODE && isnan(*from_s)) {
            *from_s = phase->t0_s;
        }
    }
}

static struct stretches connections(const struct run *run) {
    struct stretches stretches = {0};
    size_t n = 1;
    for (size_t i = 0; i < n_all_parts(run); i++)
        n += any_part(run, i)->n_phases;
    stretches.list = calloc(n, sizeof *stretches.list);
    if (!stretches.list)
        abort();
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i, *delivery = part->delivery;
        double from_s = NAN;
        if (connects(part))
            add_phases(&stretches, part, &from_s);
        if (delivery && connects(delivery)) {
            if (delivery->phases[0].kind == SETUP) { /* the connection of the upload has gone */
                add(&stretches, from_s, part_end_s(part));
                from_s = NAN;
            }
            add_phases(&stretches, delivery, &from_s);
            part = delivery;
        }
        add(&stretches, from_s, part_end_s(part));
    }
    return stretches;
}

static double within_s(double from_s, double to_s, double start_s, double end_s) {
    double s = fmin(to_s, end_s) - fmax(from_s, start_s);
    return s > 0 ? s : 0;
}

/* The most that are open at once between two times, if each lasts so much longer, or shorter, than it does.
 */
static double most(const struct stretches *all, double start_s, double end_s, double longer_s) {
    double most = 0;
    for (size_t i = 0; i < all->n; i++) {
        double at_s = fmax(all->list[i].from_s - longer_s / 2, start_s), n = 0;
        if (all->list[i].to_s + longer_s / 2 <= start_s || at_s >= end_s)
            continue;
        for (size_t k = 0; k < all->n; k++)
            n += all->list[k].from_s - longer_s / 2 <= at_s && all->list[k].to_s + longer_s / 2 > at_s &&
                 all->list[k].to_s - all->list[k].from_s + longer_s > 0;
        most = fmax(most, n);
    }
    return most;
}

static void same_most(
    struct report *report, const struct stretches *all, double start_s, double end_s, double got) {
    report->amounts++;
    must(report, NULL,
        got >= most(all, start_s, end_s, -2 * MOMENT_S) && got <= most(all, start_s, end_s, 2 * MOMENT_S),
        "at most %g connections from %.15g to %.15g s, not %g", most(all, start_s, end_s, 0), start_s, end_s,
        got);
}

/* The part of a message whose bytes are spread over the time from its first byte on. */
static double spread(double bytes, double from_s, double to_s, double start_s, double end_s, bool last) {
    if (!(to_s > from_s))
        return from_s >= start_s && (from_s < end_s || last) ? bytes : 0;
    return bytes * within_s(from_s, to_s, start_s, end_s) / (to_s - from_s);
}

static double hour_bytes(const struct run *run, bool up, double start_s, double end_s, bool last) {
    double bytes = 0;
    for (size_t i = 0; i < n_all_parts(run); i++)
        for (size_t k = 0; k < any_part(run, i)->n_phases; k++) {
            const struct phase *phase = any_part(run, i)->phases + k;
            if (phase->kind == SETUP)
                bytes += spread(phase->setup_bytes[up], phase->t0_s, phase->t1_s, start_s, end_s, last);
            if (phase->kind == (up ? UP : DOWN))
                bytes += spread(phase->bytes, fmin(phase->t0_s + phase->latency_s, phase->t1_s), phase->t1_s,
                    start_s, end_s, last);
        }
    return bytes;
}

static void check_hour(struct report *report, const struct run *run, const struct table *hours, size_t row,
    const struct stretches *open) {
    double start_s = field(hours, row, "start_s"), end_s = field(hours, row, "end_s"), open_s = 0,
           selected = 0, rounds = 0;
    bool last = row + 1 == hours->n_rows;
    for (size_t i = 0; i < open->n; i++)
        open_s += within_s(open->list[i].from_s, open->list[i].to_s, start_s, end_s);
    for (size_t i = 0; i < run->n_parts; i++) {
        double at_s = part_start_s(run->parts + i);
        selected += at_s >= start_s && (at_s < end_s || last);
    }
    for (size_t i = 0; i < run->rounds.n_rows; i++) {
        double at_s = field(&run->rounds, i, "end_s");
        rounds += at_s >= start_s && (at_s < end_s || last) && !*lost_to(run, i);
    }
    same_amount(report, "hours: hour", (double)row, field(hours, row, "hour"));
    same_amount(report, "hours: selected", selected, field(hours, row, "selected"));
    same_amount(report, "hours: rounds", rounds, field(hours, row, "rounds"));
    double mean = field(hours, row, "connections_mean");
    must(report, NULL, fabs(open_s - mean * (end_s - start_s)) <= 1e-6 * (1 + open_s),
        "hour %zu: %.15g s of connections, not %.15g s", row, open_s, mean * (end_s - start_s));
    same_most(report, open, start_s, last ? INFINITY : end_s, field(hours, row, "connections_most"));
    for (int up = 0; up < 2 && !run->scenario.lv08; up++) {
        double bytes = hour_bytes(run, up, start_s, end_s, last),
               got = field(hours, row, up ? "up_bytes" : "down_bytes");
        must(report, NULL, fabs(bytes - got) <= 1e-2 + 1e-6 * bytes, "hour %zu: %.15g bytes %s, not %.15g",
            row, bytes, up ? "up" : "down", got);
    }
}

/* Clients may run on after the last round. */
static double all_s(const struct run *run) {
    double end_s = json_number_value(json_object_get(run->summary, "simulated_s"));
    for (size_t i = 0; i < run->n_parts; i++)
        end_s = fmax(end_s, connects(run->parts + i) ? part_end_s(run->parts + i) : 0);
    return end_s;
}

static void check_hours(
    struct report *report, const struct run *run, const char *folder, const struct stretches *open) {
    struct table hours = table_read(folder, "hours.csv");
    double until_s = 0, end_s = all_s(run);
    for (size_t row = 0; row < hours.n_rows; row++) {
        must(report, NULL, close_times(field(&hours, row, "start_s"), until_s), "hour %zu begins at %.15g s",
            row, field(&hours, row, "start_s"));
        until_s = field(&hours, row, "end_s");
        check_hour(report, run, &hours, row, open);
    }
    must(report, NULL, close_times(until_s, end_s), "the hours end at %.15g s, not at %.15g", until_s, end_s);
    table_free(&hours);
}

#define MOST_RADIO_W 1.288 /* sums.c */

static void check_phase(
    struct report *report, const json_t *phases, const char *key, double expected_j, double slack_j) {
    double got_j = json_number_value(json_object_get(phases, key));
    report->amounts++;
    must(report, NULL, isnan(expected_j) || fabs(got_j - expected_j) <= slack_j, "%s: %.15g and not %.15g",
        key, expected_j, got_j);
}

static void check_energy(struct report *report, const struct run *run) {
    const json_t *phases = json_object_get(json_object_get(run->summary, "modelled"), "by_phase");
    struct energy sum = {0};
    size_t n_phases = 0;
    for (size_t i = 0; i < run->n_parts; i++) {
        struct energy energy = energy_by_phase(run, run->parts + i);
        n_phases += run->parts[i].n_phases + (run->parts[i].delivery ? run->parts[i].delivery->n_phases : 0);
        sum.compute_j += energy.compute_j;
        sum.connecting_j += energy.connecting_j;
        sum.down_j += energy.down_j;
        sum.up_j += energy.up_j;
        sum.awake_j += energy.awake_j;
    }
    double all_j = json_number_value(json_object_get(json_object_get(run->summary, "modelled"), "energy_j"));
    /* Both ends of a phase are written with 15 digits. */
    double most_w = fmax(scenario_number(&run->scenario, "devices.power_compute"), MOST_RADIO_W),
           slack_j = 1e-9 * (all_j + 1e-3) + 2e-14 * report->last_s * (double)n_phases * most_w;
    check_phase(report, phases, "compute_j", sum.compute_j, slack_j);
    check_phase(report, phases, "connecting_j", sum.connecting_j, slack_j);
    check_phase(report, phases, "down_j", sum.down_j, slack_j);
    check_phase(report, phases, "up_j", sum.up_j, slack_j);
    check_phase(report, phases, "awake_j", sum.awake_j, slack_j);
}

void check_load(struct report *report, const struct run *run, const char *folder) {
    const json_t *load = json_object_get(run->summary, "load");
    if (!load) /* of a program that does not count it */
        return;
    struct stretches open = connections(run);
    double open_s = 0, end_s = all_s(run);
    for (size_t i = 0; i < open.n; i++)
        open_s += open.list[i].to_s - open.list[i].from_s;
    double got_s = json_number_value(json_object_get(load, "connected_s")),
           mean = json_number_value(json_object_get(load, "mean_connections"));
    must(report, NULL,
        fabs(got_s - open_s) <= 1e-6 * (1 + open_s) && fabs(mean * end_s - got_s) <= 1e-6 * (1 + got_s),
        "%.15g s of connections, not %.15g s", open_s, got_s);
    same_most(report, &open, 0, INFINITY, json_number_value(json_object_get(load, "peak_connections")));
    check_hours(report, run, folder, &open);
    check_energy(report, run);
    free(open.list);
}
