/* The server's link in one direction under network.model = "tcp". A message in slow start crosses in
 * windows, each of which starts when the one before has crossed, and not before its start and `wait`. When
 * that is depends on the messages that share the link, so the link is simulated step by step. Messages
 * begin and end at their recorded times; the error of its end is reported for each message separately.
 *
 * The client's part of connecting crosses first, and then the server answers. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are written with 15 digits: what lasts for less than this may be a rounding. */
#define MOMENT_S 1e-9

static const double SEGMENT_BYTES = 1448, QUICK_SEGMENTS = 16, DELAY_S = 0.04;

struct slow_start {
    bool on;
    double window, round_trip_s, rate, quick; /* segments that are acknowledged one by one */
    const struct told_window *told;           /* [n_told] instead of these */
    size_t n_told;
};

struct flow {
    const struct part *part;
    const char *name;
    const struct capacity *capacity;
    struct slow_start slow_start;
    double start_s, end_s; /* as recorded, or INFINITY where that is not */
    bool broken;           /* at end_s, by when it had carried told_bytes */
    double told_bytes;
    double whole;    /* INFINITY: not known */
    double *ends_at; /* where to leave the time at which all had crossed; may be NULL */
    bool begun, over;
    double sent, window; /* by the windows before, and under way; window 0: the next one has to wait */
    long double crossed; /* of the window */
    double next_s, rate;
    struct meter *meter; /* NULL: devices have no states */
    double changes_s;    /* when the client's state does next */
};

struct link {
    const struct run *run;
    bool up;
    const struct capacity *capacity;
    struct flow *flows;
    size_t n;
    double *rates;
    double peak; /* rate of all flows together, for longer than times are uncertain */
};

static struct slow_start slow_start_of(const struct phase *phase) {
    return (struct slow_start){.on = phase->in_slow_start,
        .window = phase->first_window,
        .told = phase->windows,
        .n_told = phase->n_windows,
        .round_trip_s = phase->round_trip_s,
        .rate = phase->slow_start_rate,
        .quick = phase->answered ? 0 : QUICK_SEGMENTS};
}

static double next_told(struct slow_start *slow_start, double left, double *wait_s) {
    double bytes = slow_start->told->bytes;
    *wait_s = 0;
    if (slow_start->n_told == 1 || left <= bytes)
        return left;
    *wait_s = slow_start->told->wait_s;
    slow_start->told++;
    slow_start->n_told--;
    return bytes;
}

/* How much of what is left goes next; *wait_s: how long until the rest may. */
static double next_window(struct slow_start *slow_start, double left, double *wait_s) {
    double window = slow_start->window,
           segment_s = SEGMENT_BYTES / slow_start->rate, /* the second one is waited for, but not for long */
        heard_s =
            slow_start->round_trip_s + segment_s + (slow_start->quick > 0 ? 0 : fmin(segment_s, DELAY_S));
    if (slow_start->n_told > 0)
        return next_told(slow_start, left, wait_s);
    *wait_s = 0;
    if (!slow_start->on || left <= window || window / slow_start->rate >= heard_s)
        return left;
    *wait_s = heard_s;
    slow_start->window *= 2;
    slow_start->quick -= window / SEGMENT_BYTES;
    return window;
}

double slow_start_alone_s(const struct phase *phase, double from_s) {
    struct slow_start slow_start = slow_start_of(phase);
    double at_s = from_s, left = phase->bytes, wait_s;
    while (left > 0) {
        double window = next_window(&slow_start, left, &wait_s),
               crossed_s = carried_s(&phase->capacity, at_s, window);
        left -= window;
        at_s = left > 0 ? fmax(crossed_s, at_s + wait_s) : crossed_s;
    }
    return at_s;
}

/* ------------------------------------------------------------------ playing */

static void start_window(struct flow *flow, double now_s) {
    double wait_s;
    flow->window = next_window(&flow->slow_start, flow->whole - flow->sent, &wait_s);
    flow->crossed = 0;
    flow->next_s = now_s + wait_s;
    flow->begun = true;
}

static bool is_under_way(const struct flow *flow) {
    return flow->begun && !flow->over;
}

static bool moves(const struct flow *flow) {
    return is_under_way(flow) && flow->window > 0;
}

static void share(struct link *link, double now_s) {
    size_t n = 0;
    for (size_t i = 0; i < link->n; i++)
        if (moves(link->flows + i))
            link->rates[n++] = capacity_at(link->flows[i].capacity, now_s);
    qsort(link->rates, n, sizeof *link->rates, ascending);
    double level = water_level(link->rates, n, capacity_at(link->capacity, now_s));
    for (size_t i = 0; i < link->n; i++)
        if (moves(link->flows + i))
            link->flows[i].rate = fmin(capacity_at(link->flows[i].capacity, now_s), level);
}

/* At the rates of now. */
static double window_ends_s(const struct flow *flow, double now_s) {
    if (!(flow->rate > 0) || isinf(flow->window))
        return INFINITY;
    return (double)(now_s + (flow->window - flow->crossed) / flow->rate);
}

static double next_step_s(const struct capacity *capacity, double now_s) {
    for (size_t i = 0; i < capacity->n; i++)
        if (capacity->steps[i].from_s > now_s)
            return capacity->steps[i].from_s;
    return INFINITY;
}

/* When something changes next. */
static double next_time_s(const struct link *link, double now_s) {
    double next_s = INFINITY;
    bool busy = false;
    for (size_t i = 0; i < link->n; i++) {
        const struct flow *flow = link->flows + i;
        if (flow->over)
            continue;
        next_s = fmin(next_s, flow->begun ? flow->end_s : flow->start_s);
        if (flow->begun)
            next_s = fmin(next_s, moves(flow) ? window_ends_s(flow, now_s) : flow->next_s);
        if (flow->begun)
            next_s = fmin(next_s, fmin(next_step_s(flow->capacity, now_s), flow->changes_s));
        busy |= flow->begun;
    }
    return busy ? fmin(next_s, next_step_s(link->capacity, now_s)) : next_s;
}

/* Times are written with 15 digits: what crosses within the last one is not known from the files. */
static void compare_bytes(struct report *report, const struct flow *flow) {
    double crossed = flow->sent + (double)flow->crossed, told = flow->told_bytes,
           slack = flow->rate * (2e-14 * fabs(flow->end_s) + 1e-12) + 1e-11 * crossed;
    report->amounts++;
    must(report, flow->part,
        told == floor(crossed + slack) ||
            (slack > 1e-7 && told >= floor(crossed - slack) && told <= floor(crossed + slack)),
        "%s that broke off: %.15g bytes crossed, not %.15g", flow->name, crossed, told);
}

static void end_message(struct report *report, struct flow *flow, double now_s) {
    flow->over = true;
    if (flow->ends_at)
        *flow->ends_at = now_s;
    if (flow->broken)
        compare_bytes(report, flow);
    else if (isfinite(flow->end_s))
        same_time(report, flow->part, flow->name, now_s, flow->end_s);
}

/* It was over before all had crossed. */
static void leave(struct report *report, struct flow *flow) {
    double rate = flow->rate > 0 ? flow->rate : capacity_at(flow->capacity, flow->end_s),
           from_s = flow->window > 0 ? flow->end_s : flow->next_s,
           left = flow->whole - flow->sent - (double)flow->crossed;
    flow->over = true;
    if (flow->broken)
        compare_bytes(report, flow);
    else
        same_time(report, flow->part, flow->name, from_s + (isinf(rate) ? 0 : left / rate), flow->end_s);
}

static void end_window(struct report *report, struct flow *flow, double now_s) {
    flow->sent += flow->window;
    flow->window = 0;
    flow->crossed = 0;
    if (flow->sent == flow->whole)
        end_message(report, flow, now_s);
}

/* At a time from which the client's state does not change before to_s. */
static void meter(const struct link *link, struct flow *flow, double from_s, double to_s) {
    double crossed = flow->sent + (double)flow->crossed, middle_s = from_s + (to_s - from_s) / 2;
    if (flow->meter)
        meter_goes_on(link->run, flow->meter, flow->part->client, link->up,
            capacity_at(flow->capacity, middle_s), middle_s, crossed,
            flow->rate * (2e-14 * fabs(from_s) + 1e-12) + 1e-11 * crossed);
}

static void carry(struct report *report, struct link *link, double from_s, double to_s) {
    for (size_t i = 0; i < link->n; i++) {
        struct flow *flow = link->flows + i;
        if (!moves(flow))
            continue;
        if (to_s > from_s)
            meter(link, flow, from_s, to_s);
        if (window_ends_s(flow, from_s) <= to_s)
            end_window(report, flow, to_s);
        else if (to_s > from_s)
            flow->crossed += (long double)flow->rate * ((long double)to_s - (long double)from_s);
    }
}

static void begin(struct report *report, struct link *link, double now_s) {
    for (size_t i = 0; i < link->n; i++) {
        struct flow *flow = link->flows + i;
        bool changes = flow->meter && (flow->begun ? flow->changes_s : flow->start_s) <= now_s;
        if (changes && !flow->over)
            flow->changes_s = next_line_s(link->run, flow->part->client, now_s);
        if (is_under_way(flow) && flow->end_s <= now_s)
            leave(report, flow);
        else if (flow->begun ? !flow->over && flow->window == 0 && flow->next_s <= now_s
                             : flow->start_s <= now_s)
            start_window(flow, now_s);
    }
}

static double rate_of_all(const struct link *link) {
    double sum = 0;
    for (size_t i = 0; i < link->n; i++)
        sum += moves(link->flows + i) ? link->flows[i].rate : 0;
    return sum;
}

static void play(struct report *report, struct link *link) {
    double now_s = -INFINITY, next_s;
    while ((next_s = next_time_s(link, now_s)) < INFINITY) {
        if (next_s - now_s > MOMENT_S * (1 + next_s))
            link->peak = fmax(link->peak, rate_of_all(link));
        carry(report, link, now_s, next_s);
        now_s = next_s;
        begin(report, link, now_s);
        share(link, now_s);
    }
}

/* ------------------------------------------------------------------ who uses the link */

static size_t count_phases(const struct run *run) {
    size_t n = 0;
    for (size_t i = 0; i < n_all_parts(run); i++)
        n += any_part(run, i)->n_phases;
    return n;
}

static struct link new_link(const struct run *run, bool up) {
    struct link link = {.run = run, .up = up, .capacity = &run->scenario.server_link[up]};
    size_t n = count_phases(run);
    link.flows = calloc(n + 1, sizeof *link.flows);
    link.rates = calloc(n + 1, sizeof *link.rates);
    if (!link.flows || !link.rates)
        abort();
    return link;
}

static void add(struct link *link, struct flow flow) {
    flow.changes_s = INFINITY;
    flow.start_s = fmin(flow.start_s, flow.end_s); /* it may have ended before its first byte */
    link->flows[link->n++] = flow;
}

static struct meter *meter_in(const struct link *link, struct phase *phase, bool up) {
    return has_states(link->run) ? &phase->meters[up] : NULL;
}

static void add_message(struct link *link, const struct part *part, struct phase *phase) {
    bool whole = message_is_complete(part, phase);
    if (whole && phase->bytes == 0)
        return;
    add(link, (struct flow){.part = part,
                  .name = phase->kind == UP ? "upload" : "download",
                  .capacity = &phase->capacity,
                  .slow_start = slow_start_of(phase),
                  .start_s = phase->t0_s + phase->latency_s,
                  .end_s = phase->t1_s,
                  .broken = !whole,
                  .told_bytes = phase->bytes,
                  .whole = whole ? phase->bytes : INFINITY,
                  .meter = meter_in(link, phase, phase->kind == UP)});
}

/* What one side says: the client up, the server down. When the client is through is recorded nowhere. */
static void add_greeting(struct link *link, const struct run *run, const struct part *part,
    struct phase *setup, bool up, double *said_s) {
    const struct scenario *s = &run->scenario;
    bool broken = setup == last_phase(part), anew = is_anew(part, setup);
    add(link, (struct flow){.part = part,
                  .name = up ? "what the client says to be connected" : "end of connecting",
                  .capacity = &setup->setup_capacity[up],
                  .start_s = up ? setup->t0_s + setup->setup_latency_s : *said_s,
                  .end_s = up && !broken ? INFINITY : setup->t1_s,
                  .broken = broken,
                  .told_bytes = setup->setup_bytes[up],
                  .whole = (anew ? s->connection_anew : s->connection)->bytes[up],
                  .ends_at = up ? said_s : NULL,
                  .meter = meter_in(link, setup, up)});
}

/* said_s [phases of a part]: when the client is through with connecting; NAN: never. */
static void add_part(struct report *report, struct link *link, const struct run *run, const struct part *part,
    bool up, double *said_s) {
    for (size_t i = 0; i < part->n_phases; i++) {
        struct phase *phase = part->phases + i;
        if (phase->kind == (up ? UP : DOWN))
            add_message(link, part, phase);
        if (phase->kind != SETUP)
            continue;
        if (up || !isnan(said_s[i]))
            add_greeting(link, run, part, phase, up, said_s + i);
        else
            must(report, part, phase->setup_bytes[0] == 0, "the server answers before the client has spoken");
    }
}

/* A message over links that are as good as unlimited: how many of these were under way at once is not in the
 * files. */
static bool has_moments(const struct link *link) {
    for (size_t i = 0; i < link->n; i++) {
        double end_s = isfinite(link->flows[i].end_s) ? link->flows[i].end_s : link->flows[i].start_s,
               lasts_s = end_s - link->flows[i].start_s;
        if (lasts_s > 0 && lasts_s < 1e3 * MOMENT_S * (1 + end_s))
            return true;
    }
    return false;
}

/* Where the server's link is shared; otherwise the program takes messages at their mean rates. */
static void check_peak(struct report *report, const struct link *link) {
    const json_t *load = json_object_get(link->run->summary, "load"),
                 *told = json_object_get(load, link->up ? "up_peak_bytes_per_s" : "down_peak_bytes_per_s");
    if (!told || isinf(capacity_at(link->capacity, 0)) || has_moments(link))
        return;
    report->amounts++;
    must(report, NULL, fabs(json_number_value(told) - link->peak) <= 1e-6 * link->peak,
        "the peak %s is %.15g bytes/s, not %.15g", link->up ? "up" : "down", link->peak,
        json_number_value(told));
}

/* said_s [phases]: as above, part by part. */
static void check_link(struct report *report, const struct run *run, bool up, double *said_s) {
    struct link link = new_link(run, up);
    for (size_t i = 0; i < n_all_parts(run); said_s += any_part(run, i++)->n_phases)
        add_part(report, &link, run, any_part(run, i), up, said_s);
    play(report, &link);
    check_peak(report, &link);
    for (size_t i = 0; i < link.n; i++)
        if (link.flows[i].meter)
            meter_ends(link.flows[i].meter, link.flows[i].told_bytes);
    free(link.flows);
    free(link.rates);
}

void check_tcp_transfers(struct report *report, const struct run *run) {
    size_t n = count_phases(run);
    double *said_s = calloc(n + 1, sizeof *said_s);
    if (!said_s)
        abort();
    for (size_t i = 0; i < n; i++)
        said_s[i] = NAN;
    check_link(report, run, true, said_s);
    check_link(report, run, false, said_s);
    free(said_s);
}
