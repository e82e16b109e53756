/* The server's link in one direction. The files record which transfers share it at every moment; the
 * max-min fair rates follow, and the bytes that cross at these rates. A transfer that ended has carried
 * its message exactly at its end, and one that broke off the whole bytes of what had crossed. Every
 * transfer is judged by the recorded times of the others, so that no deviation is passed on to the next. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct flow {
    const struct part *part;
    const struct phase *phase;
    bool complete;
    double start_s, end_s;
    long double crossed;
    double rate;         /* the last one it had */
    double fastest;      /* the greatest one it had */
    struct meter *meter; /* NULL: devices have no states */
};

struct link {
    const struct capacity *capacity;
    struct flow *flows;
    size_t n_flows;
    double *times;
    size_t n_times, most_times;
    double peak;      /* rate of all flows together, for longer than times are uncertain */
    double mean_peak; /* the same with each flow at its mean rate throughout */
};

/* Times are written with 15 digits: what lasts for less than this may be a rounding. */
#define MOMENT_S 1e-9

bool message_is_complete(const struct part *part, const struct phase *phase) {
    enum phase_kind last = part->of ? DOWN : UP;
    return !phase->broke && (phase != last_phase(part) || (phase->kind == last && arrived(part)));
}

static void add_time(struct link *link, double time_s) {
    if (link->n_times == link->most_times) {
        link->most_times = 2 * link->most_times + 64;
        link->times = realloc(link->times, link->most_times * sizeof *link->times);
        if (!link->times)
            abort();
    }
    link->times[link->n_times++] = time_s;
}

static void add_flow(struct link *link, const struct run *run, const struct part *part, struct phase *phase) {
    struct flow *flow = link->flows + link->n_flows++;
    *flow = (struct flow){part, phase, message_is_complete(part, phase), phase->t0_s + phase->latency_s,
        phase->t1_s, 0, 0, 0, NULL};
    flow->start_s = fmin(flow->start_s, flow->end_s); /* it may have ended before its first byte */
    add_time(link, flow->start_s);
    add_time(link, flow->end_s);
    for (size_t i = 0; i < phase->capacity.n; i++) {
        double time_s = phase->capacity.steps[i].from_s;
        if (time_s > flow->start_s && time_s < flow->end_s)
            add_time(link, time_s);
    }
    if (!has_states(run))
        return;
    flow->meter = &phase->meters[phase->kind == UP];
    for (double at_s = next_line_s(run, part->client, flow->start_s); at_s < flow->end_s;
         at_s = next_line_s(run, part->client, at_s))
        add_time(link, at_s);
}

static struct link read_link(const struct run *run, enum phase_kind kind) {
    struct link link = {.capacity = &run->scenario.server_link[kind == UP]};
    size_t n_phases = 0;
    for (size_t i = 0; i < n_all_parts(run); i++)
        n_phases += any_part(run, i)->n_phases;
    link.flows = calloc(n_phases + 1, sizeof *link.flows);
    if (!link.flows)
        abort();
    for (size_t i = 0; i < n_all_parts(run); i++) {
        struct part *part = any_part(run, i);
        for (size_t j = 0; j < part->n_phases; j++)
            if (part->phases[j].kind == kind)
                add_flow(&link, run, part, part->phases + j);
    }
    for (size_t i = 0; i < link.capacity->n && link.capacity->n > 1; i++)
        add_time(&link, link.capacity->steps[i].from_s);
    qsort(link.times, link.n_times, sizeof *link.times, ascending);
    return link;
}

double water_level(const double *rates, size_t n, double capacity) {
    for (size_t i = 0; i < n; i++) {
        double fair = capacity / (double)(n - i);
        if (rates[i] > fair)
            return fair;
        capacity -= rates[i];
    }
    return INFINITY;
}

/* A message that broke off has known whole bytes. */
static double mean_rate(const struct flow *flow) {
    return flow->phase->bytes / (flow->end_s - flow->start_s);
}

/* Times are written with 15 digits, so the files do not show what crosses within the last digit, whether the
 * transfer breaks off at that time or its rate changes. SimGrid's clock passes the nanosecond in which the
 * server checks for arrivals at a deadline. */
static double unknown_bytes(const struct run *run, const struct flow *flow, double at_s) {
    bool simgrid = strcmp(scenario_text(&run->scenario, "engine.backend"), "simgrid") == 0;
    return flow->fastest * (2e-14 * fabs(at_s) + (simgrid ? 1e-9 : 1e-12)) + 1e-11 * (double)flow->crossed;
}

static void cross(struct link *link, const struct run *run, double from_s, double to_s, double *rates) {
    size_t n = 0;
    double middle_s = from_s + (to_s - from_s) / 2;
    for (size_t i = 0; i < link->n_flows; i++)
        if (link->flows[i].start_s <= from_s && link->flows[i].end_s >= to_s)
            rates[n++] = capacity_at(&link->flows[i].phase->capacity, middle_s);
    qsort(rates, n, sizeof *rates, ascending);
    double level = water_level(rates, n, capacity_at(link->capacity, middle_s)), sum = 0, mean = 0;
    for (size_t i = 0; i < link->n_flows; i++) {
        struct flow *flow = link->flows + i;
        if (flow->start_s > from_s || flow->end_s < to_s)
            continue;
        if (flow->meter)
            meter_goes_on(run, flow->meter, flow->part->client, flow->phase->kind == UP,
                capacity_at(&flow->phase->capacity, middle_s), middle_s, (double)flow->crossed,
                unknown_bytes(run, flow, from_s));
        flow->rate = fmin(capacity_at(&flow->phase->capacity, middle_s), level);
        flow->fastest = fmax(flow->fastest, flow->rate);
        flow->crossed += (long double)flow->rate * ((long double)to_s - (long double)from_s);
        sum += flow->rate;
        mean += mean_rate(flow);
    }
    if (to_s - from_s > MOMENT_S * (1 + to_s)) {
        link->peak = fmax(link->peak, sum);
        link->mean_peak = fmax(link->mean_peak, mean);
    }
}

static void compare_flow(struct report *report, const struct run *run, const struct flow *flow) {
    const struct part *part = flow->part;
    double bytes = flow->phase->bytes, crossed = (double)flow->crossed;
    const char *name = flow->phase->kind == UP ? "upload" : "download";
    if (flow->complete) {
        double rate = flow->rate > 0 ? flow->rate : capacity_at(&flow->phase->capacity, flow->end_s);
        same_time(report, part, name,
            flow->end_s + (isinf(rate) ? 0 : (double)((long double)bytes - flow->crossed) / rate),
            flow->end_s);
        return;
    }
    double slack = unknown_bytes(run, flow, flow->end_s);
    report->amounts++;
    must(report, part,
        bytes == floor(crossed + slack) ||
            (slack > 1e-7 && bytes >= floor(crossed - slack) && bytes <= floor(crossed + slack)),
        "%s that broke off: %.15g bytes crossed, not %.15g", name, crossed, bytes);
}

/* A message over links that are as good as unlimited. */
static bool is_moment(const struct flow *flow) {
    return flow->end_s > flow->start_s && flow->end_s - flow->start_s < 1e3 * MOMENT_S * (1 + flow->end_s);
}

static bool is_peak(const json_t *told, double peak) {
    return fabs(json_number_value(told) - peak) <= 1e-6 * peak;
}

static void check_link(struct report *report, const struct run *run, enum phase_kind kind) {
    struct link link = read_link(run, kind);
    double *rates = calloc(link.n_flows + 1, sizeof *rates);
    if (!rates)
        abort();
    for (size_t i = 0; i + 1 < link.n_times; i++)
        if (link.times[i + 1] > link.times[i])
            cross(&link, run, link.times[i], link.times[i + 1], rates);
    for (size_t i = 0; i < link.n_flows; i++) {
        compare_flow(report, run, link.flows + i);
        if (link.flows[i].meter)
            meter_ends(link.flows[i].meter, link.flows[i].phase->bytes);
    }
    bool counted = strcmp(scenario_text(&run->scenario, "engine.backend"), "simgrid") != 0;
    const json_t *told = json_object_get(
        json_object_get(run->summary, "load"), kind == UP ? "up_peak_bytes_per_s" : "down_peak_bytes_per_s");
    told = counted ? told : NULL;
    for (size_t i = 0; i < link.n_flows; i++)
        if (is_moment(link.flows + i)) /* how many of these were under way at once is not in the files */
            told = NULL;
    /* Without a server's link, where no rate changes, the program takes messages at their mean rates. */
    bool unlimited = isinf(
        scenario_number(&run->scenario, kind == UP ? "network.server_uplink" : "network.server_downlink"));
    report->amounts += told != NULL;
    must(report, NULL, !told || is_peak(told, link.peak) || (unlimited && is_peak(told, link.mean_peak)),
        "the peak is %.15g bytes/s, not %.15g", link.peak, json_number_value(told));
    free(rates);
    free(link.flows);
    free(link.times);
}

void check_transfers(struct report *report, const struct run *run) {
    if (run->scenario.lv08)
        return;
    if (run->scenario.tcp) {
        check_tcp_transfers(report, run);
        return;
    }
    check_link(report, run, DOWN);
    check_link(report, run, UP);
}

double carried_s(const struct capacity *capacity, double from_s, double bytes) {
    double at_s = from_s;
    for (size_t i = 0; i < capacity->n; i++) {
        double until_s = i + 1 < capacity->n ? capacity->steps[i + 1].from_s : INFINITY;
        if (until_s <= at_s)
            continue;
        double rate = capacity->steps[i].rate, needed_s = bytes / rate;
        if (at_s + needed_s <= until_s)
            return at_s + needed_s;
        bytes -= rate * (until_s - at_s);
        at_s = until_s;
    }
    return at_s;
}

double alone_s(const struct phase *phase) {
    double starts_s = phase->t0_s + phase->latency_s;
    return phase->in_slow_start ? slow_start_alone_s(phase, starts_s)
                                : carried_s(&phase->capacity, starts_s, phase->bytes);
}
