/* States of devices, from a file, and participations that go by them. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    size_t client;
    double from_s, to_s;
    struct state state;
};

struct states {
    struct line *lines;
    size_t n;
    bool curves;     /* and no file */
    double period_s; /* INFINITY: the file does not repeat */
    bool wifi, charging, idle;
    double rate[3], latency[3]; /* factors, by link */
    const char *preset[3];      /* by link; "": none */
    /* [clients] by link, and down, up: what a client has on it under a preset, as its first transfer has it
     */
    double *own[3][2], *own_latency_s[3];
    bool breaks, plain; /* plain: nothing else takes clients away */
    double in_use;
};

static double slack_s(double time_s) {
    return 1e-9 * fmax(1, fabs(time_s));
}

bool has_states(const struct run *run) {
    return run->states;
}

bool knows_states(const struct run *run) {
    return run->states && !run->states->curves;
}

double rate_factor_of(const struct run *run, enum link_state link) {
    return run->states->rate[link];
}

double latency_factor_of(const struct run *run, enum link_state link) {
    return run->states->latency[link];
}

bool breaks_with_link(const struct run *run) {
    return run->states->breaks;
}

bool asks_for_wifi(const struct run *run) {
    return run->states->wifi;
}

double speed_in_use(const struct run *run) {
    return run->states ? run->states->in_use : 1;
}

static double factor(const struct scenario *s, const char *key) {
    return *scenario_text(s, key) ? scenario_number(s, key) : 1;
}

static void read_rules(struct states *states, const struct scenario *s) {
    const char *eligible = scenario_text(s, "rounds.eligible");
    states->wifi = strstr(eligible, "wifi");
    states->charging = strstr(eligible, "charging");
    states->idle = strstr(eligible, "idle");
    states->rate[OFF] = states->latency[OFF] = 1;
    states->rate[METERED] = factor(s, "network.by_state.metered_factor");
    states->rate[WIFI] = factor(s, "network.by_state.wifi_factor");
    states->latency[METERED] = factor(s, "network.by_state.metered_latency_factor");
    states->latency[WIFI] = factor(s, "network.by_state.wifi_latency_factor");
    states->preset[OFF] = "";
    states->preset[METERED] = scenario_text(s, "network.by_state.metered");
    states->preset[WIFI] = scenario_text(s, "network.by_state.wifi");
    states->breaks = strcmp(scenario_text(s, "network.by_state.on_change"), "go_on") != 0;
    states->in_use = states->idle || strcmp(s->compute, "none") == 0 ? 1 : factor(s, "devices.in_use");
    states->plain = is_plain(s);
    states->period_s = scenario_number(s, "availability.period");
    if (!(states->period_s > 0))
        states->period_s = INFINITY;
}

static double *unknown(size_t n) {
    double *values = calloc(n + 1, sizeof *values);
    if (!values)
        abort();
    for (size_t i = 0; i < n; i++)
        values[i] = NAN;
    return values;
}

static void read_lines(struct states *states, FILE *file) {
    char text[256], link[32];
    while (fgets(text, sizeof text, file)) {
        struct line line;
        int charging, in_use;
        if (sscanf(text, "%zu,%lf,%lf,%31[a-z],%d,%d", &line.client, &line.from_s, &line.to_s, link,
                &charging, &in_use) != 6)
            continue;
        line.state = (struct state){strcmp(link, "wifi") == 0      ? WIFI
                                    : strcmp(link, "metered") == 0 ? METERED
                                                                   : OFF,
            charging != 0, in_use != 0};
        states->lines = realloc(states->lines, (states->n + 1) * sizeof line);
        if (!states->lines)
            abort();
        states->lines[states->n++] = line;
    }
}

const char *states_read(struct run *run, const char *folder) {
    const struct scenario *s = &run->scenario;
    const char *name = scenario_text(s, "availability.file");
    char path[8192];
    if (strcmp(scenario_text(s, "availability.model"), "states") != 0)
        return NULL;
    if (*name && strcmp(scenario_text(s, "availability.clients"), "exact") != 0)
        return "has states that are not those of a file for each client";
    snprintf(path, sizeof path, "%s/../%s", folder, name);
    FILE *file = *name ? fopen(path, "r") : NULL;
    if (*name && !file)
        return "names a file of states that is not beside the run";
    struct states *states = calloc(1, sizeof *states);
    if (!states)
        abort();
    states->curves = !file;
    if (file) {
        read_lines(states, file);
        fclose(file);
    }
    read_rules(states, s);
    for (size_t i = 0; i < 9; i++)
        *(i < 6 ? &states->own[i / 2][i % 2] : &states->own_latency_s[i - 6]) = unknown(run->clients.n_rows);
    run->states = states;
    return NULL;
}

void states_free(struct run *run) {
    for (size_t i = 0; run->states && i < 9; i++)
        free(i < 6 ? run->states->own[i / 2][i % 2] : run->states->own_latency_s[i - 6]);
    if (run->states)
        free(run->states->lines);
    free(run->states);
    run->states = NULL;
}

/* ---- one device ------------------------------------------------------------------------------ */

/* A time of the run as one of the file, moved beyond a change that is a rounding away. */
static double in_file_s(const struct states *states, double time_s) {
    double moved_s = time_s + slack_s(time_s);
    return isinf(states->period_s) ? moved_s : moved_s - states->period_s * floor(moved_s / states->period_s);
}

struct state state_at(const struct run *run, size_t client, double time_s) {
    const struct states *states = run->states;
    double at_s = in_file_s(states, time_s);
    for (size_t i = 0; i < states->n; i++) {
        const struct line *line = states->lines + i;
        if (line->client == client && at_s >= line->from_s && at_s < line->to_s)
            return line->state;
    }
    return (struct state){OFF, false, false};
}

double next_line_s(const struct run *run, size_t client, double time_s) {
    const struct states *states = run->states;
    double at_s = in_file_s(states, time_s), next_s = INFINITY;
    for (int turn = 0; turn < (isinf(states->period_s) ? 1 : 2); turn++)
        for (size_t i = 0; i < states->n; i++) {
            const struct line *line = states->lines + i;
            const double times[] = {line->from_s, line->to_s};
            for (int k = 0; k < 2 && line->client == client; k++) {
                double change_s = times[k] + (turn > 0 ? states->period_s : 0);
                if (change_s > at_s + slack_s(time_s) && change_s - at_s < next_s)
                    next_s = change_s - at_s;
            }
        }
    return time_s + slack_s(time_s) + next_s;
}

static bool meets(const struct states *states, const struct state *state) {
    return state->link != OFF && (!states->wifi || state->link == WIFI) &&
           (!states->charging || state->charging) && (!states->idle || !state->in_use);
}

bool is_eligible(const struct run *run, size_t client, double time_s) {
    struct state state = state_at(run, client, time_s);
    return meets(run->states, &state);
}

const char *preset_on(const struct run *run, enum link_state link) {
    return run->states->preset[link];
}

double rate_factor(const struct run *run, size_t client, double time_s) {
    return run->states->rate[state_at(run, client, time_s).link];
}

bool changes_link(const struct run *run, size_t client, double from_s, double to_s) {
    enum link_state link = state_at(run, client, from_s).link;
    for (double at_s = next_line_s(run, client, from_s); at_s < to_s - slack_s(to_s);
         at_s = next_line_s(run, client, at_s))
        if (state_at(run, client, at_s).link != link)
            return true;
    return false;
}

static double speed_at(const struct run *run, size_t client, double time_s) {
    return run->states && run->states->in_use != 1 && state_at(run, client, time_s).in_use
               ? run->states->in_use
               : 1;
}

double work_s(const struct run *run, size_t client, double from_s, double to_s) {
    double work = 0;
    if (!run->states || run->states->in_use == 1)
        return to_s - from_s;
    while (from_s < to_s) {
        double end_s = fmin(next_line_s(run, client, from_s), to_s);
        work += speed_at(run, client, from_s) * (end_s - from_s);
        from_s = end_s;
    }
    return work;
}

double done_s(const struct run *run, size_t client, double from_s, double work) {
    if (!run->states || run->states->in_use == 1)
        return from_s + work;
    for (;;) {
        double end_s = next_line_s(run, client, from_s), speed = speed_at(run, client, from_s);
        if (work <= speed * (end_s - from_s) || isinf(end_s))
            return from_s + work / speed;
        work -= speed * (end_s - from_s);
        from_s = end_s;
    }
}

/* ---- metered bytes --------------------------------------------------------------------------- */

static void meter_changes(struct meter *meter, bool metered, double crossed, double slack) {
    if (meter->begun && meter->on != metered) {
        double whole = floor(crossed + slack);
        meter->unsure += whole != floor(crossed - slack);
        meter->bytes += meter->on ? whole - meter->noted : 0;
        meter->noted = whole;
    }
    meter->begun = true;
    meter->on = metered;
}

void meter_goes_on(const struct run *run, struct meter *meter, size_t client, bool up, double rate,
    double time_s, double crossed, double slack) {
    enum link_state link =
        knows_states(run) ? state_at(run, client, time_s).link : told_link(run, client, up, rate);
    if (link == OFF && !knows_states(run))
        meter->unsure = INFINITY;
    else
        meter_changes(meter, link == METERED, crossed, slack);
}

void meter_ends(struct meter *meter, double bytes) {
    meter->bytes += meter->on ? bytes - meter->noted : 0;
}

/* Of a phase during which the link changes, what the transfers have been played to. */
static void add_changing(
    const struct run *run, const struct meter *meter, double bytes, double *least, double *most) {
    bool played = !run->scenario.lv08;
    *least = played ? fmax(meter->bytes - meter->unsure, 0) : 0;
    *most = played ? fmin(meter->bytes + meter->unsure, bytes) : bytes;
}

void metered_of_phase(const struct run *run, const struct part *part, const struct phase *phase, int up,
    double *least, double *most) {
    bool message = phase->kind == UP || phase->kind == DOWN;
    double bytes = phase->kind == SETUP              ? phase->setup_bytes[up]
                   : phase->kind == (up ? UP : DOWN) ? phase->bytes
                                                     : 0,
           from_s = phase->t0_s + (message ? fmin(phase->latency_s, phase->t1_s - phase->t0_s) : 0);
    *least = *most = 0;
    if (bytes == 0 || (!knows_states(run) && asks_for_wifi(run)))
        return;
    if (!knows_states(run) && !phase->meters[up].begun)
        *most = bytes;
    else if (!knows_states(run) || changes_link(run, part->client, from_s, phase->t1_s))
        add_changing(run, &phase->meters[up], bytes, least, most);
    else if (state_at(run, part->client, from_s).link == METERED)
        *least = *most = bytes;
}

void metered_of(const struct run *run, const struct part *part, int up, double *least, double *most) {
    *least = *most = 0;
    for (size_t i = 0; run->states && i < part->n_phases; i++) {
        double of_least, of_most;
        metered_of_phase(run, part, part->phases + i, up, &of_least, &of_most);
        *least += of_least;
        *most += of_most;
    }
}

double seconds_on_wifi(const struct run *run, size_t client, double from_s, double to_s) {
    double sum_s = 0;
    if (!knows_states(run))
        return asks_for_wifi(run) ? to_s - from_s : NAN;
    while (from_s < to_s) {
        double end_s = fmin(next_line_s(run, client, from_s), to_s);
        sum_s += state_at(run, client, from_s).link == WIFI ? end_s - from_s : 0;
        from_s = end_s;
    }
    return sum_s;
}

/* ---- participations -------------------------------------------------------------------------- */

/* When its client was selected, whose state was looked up then. */
static double selected_s(const struct part *part) {
    return part->phases[0].t0_s;
}

/* The first time after its selection at which the client is not eligible, if that is before its end. */
static double leaves_s(const struct run *run, const struct part *part) {
    double end_s = part_end_s(part), at_s = selected_s(part);
    while (at_s <= end_s + slack_s(end_s) && is_eligible(run, part->client, at_s))
        at_s = next_line_s(run, part->client, at_s);
    return at_s <= end_s + slack_s(end_s) ? at_s : INFINITY;
}

/* The client is eligible when it is selected and as long as it takes part. The server encodes first, so it
 * learns that a client has left only when its messages leave. */
static void check_stay(struct report *report, const struct run *run, const struct part *part) {
    const struct phase *first = part->phases + (part->phases[0].kind == ENCODE && part->n_phases > 1);
    bool vain = part_phase(part, CONTACT), plain = run->states->plain;
    double end_s = part_end_s(part), gone_s = leaves_s(run, part);
    if (last_phase(part)->kind == ENCODE) /* whom the server would have asked in vain is not told */
        return;
    if (vain) {
        must(report, part, !plain || !is_eligible(run, part->client, selected_s(part)),
            "in vain, though its device was eligible");
        return;
    }
    /* A round may open within a rounding before a change; state_at moves by one of them. */
    double at_s = selected_s(part), before_s = fmax(0, at_s - 2 * slack_s(at_s));
    must(report, part, is_eligible(run, part->client, at_s) || is_eligible(run, part->client, before_s),
        "selected while its device was not eligible");
    must(report, part, gone_s >= end_s - slack_s(end_s) || end_s <= first->t0_s + slack_s(end_s),
        "goes on until %.15g, and is not eligible from %.15g on", end_s, gone_s);
    if (!dropped(part) || part->cause > INELIGIBLE || (part->cause == OFFLINE && !plain))
        return;
    must(report, part, isfinite(gone_s), "dropped as %s, and eligible", cause_names[part->cause]);
    must(report, part,
        isinf(gone_s) || (state_at(run, part->client, gone_s).link != OFF) == (part->cause == INELIGIBLE),
        "dropped as %s, and the other at %.15g", cause_names[part->cause], gone_s);
}

static bool is_close(double a, double b) {
    return a == b || fabs(a - b) <= 1e-12 * fabs(b);
}

/* Under a preset no file tells what is the client's own: the same in all of its transfers. */
static void check_same(
    struct report *report, const struct part *part, const char *what, double *own, double value) {
    if (isnan(own[part->client]))
        own[part->client] = value;
    must(report, part, is_close(value, own[part->client]),
        "a %s of %.15g under a preset, and of %.15g before", what, value, own[part->client]);
}

static void check_latency(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    enum link_state link = state_at(run, part->client, phase->t0_s).link;
    double own_s = field(&run->clients, part->client, "latency_s") * run->states->latency[link];
    if (scenario_jitters(&run->scenario, "network.latency_jitter") ||
        link == OFF) /* or it has gone by then */
        return;
    if (*run->states->preset[link])
        check_same(report, part, "latency", run->states->own_latency_s[link], phase->latency_s);
    else
        must(report, part, is_close(own_s, phase->latency_s), "a latency of %.15g s, its own being %.15g",
            phase->latency_s, own_s);
}

/* Its link at every time is its own times the factor of its state. */
static void check_rates(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    const struct scenario *s = &run->scenario;
    const struct states *states = run->states;
    double own =
        field(&run->clients, part->client, phase->kind == DOWN ? "down_bytes_per_s" : "up_bytes_per_s");
    check_latency(report, run, part, phase);
    if (scenario_jitters(s, "network.jitter") || *scenario_text(s, "network.trace"))
        return;
    for (double at_s = phase->t0_s; at_s < phase->t1_s - slack_s(phase->t1_s);) {
        double end_s = fmin(next_line_s(run, part->client, at_s), phase->t1_s);
        for (size_t i = 0; i < phase->capacity.n; i++)
            if (phase->capacity.steps[i].from_s > at_s + slack_s(at_s))
                end_s = fmin(end_s, phase->capacity.steps[i].from_s);
        enum link_state link = state_at(run, part->client, at_s).link;
        double rate = capacity_at(&phase->capacity, at_s + (end_s - at_s) / 2), by = states->rate[link];
        at_s = end_s;
        if (*states->preset[link]) {
            check_same(report, part, "rate", states->own[link][phase->kind == UP], rate);
            continue;
        }
        must(report, part,
            isinf(own) ? isinf(rate) : fabs(rate - fmax(1, own * by)) <= .5 + .5 * by + 1e-9 * rate,
            "a rate of %.15g before %.15g, its own being %.15g times %g", rate, at_s, own, by);
    }
}

/* A client has the same place among all clients on both links of a pair: the two links of the section
 * network, or the two of a preset. */
static void check_places(struct report *report, const struct run *run) {
    static const char *const columns[] = {"down_bytes_per_s", "up_bytes_per_s"};
    const struct scenario *s = &run->scenario;
    if (*scenario_text(s, "network.classes") || *scenario_text(s, "network.fleet"))
        return;
    for (int link = METERED; link <= WIFI; link++)
        for (int up = 0; up < 2; up++)
            for (size_t i = 0; i < run->clients.n_rows; i++)
                for (size_t k = 0; k < run->clients.n_rows; k++) {
                    const double *own = run->states->own[link][up];
                    must(report, NULL,
                        !(own[i] < own[k]) ||
                            field(&run->clients, i, columns[up]) <= field(&run->clients, k, columns[up]),
                        "client %zu has a slower link than client %zu under a preset alone", i, k);
                }
}

double latency_in_state_s(const struct run *run, size_t client, double time_s) {
    enum link_state link = state_at(run, client, time_s).link;
    return *run->states->preset[link]
               ? run->states->own_latency_s[link][client]
               : field(&run->clients, client, "latency_s") * run->states->latency[link];
}

double rate_in_state(const struct run *run, size_t client, bool up, double time_s) {
    enum link_state link = state_at(run, client, time_s).link;
    return *run->states->preset[link]
               ? run->states->own[link][up][client]
               : field(&run->clients, client, up ? "up_bytes_per_s" : "down_bytes_per_s") *
                     run->states->rate[link];
}

/* Where a connection breaks with its link, no message is under way across a change, and each message has a
 * connection that was opened on its link. */
static void check_breaks(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    double first_s = phase->t0_s + phase->latency_s;
    if (!run->states->breaks || first_s >= phase->t1_s || is_gone(part, phase))
        return;
    must(report, part, !changes_link(run, part->client, first_s, phase->t1_s), "a message outlasts its link");
    for (const struct phase *before = phase; run->scenario.tcp && before-- > part->phases;)
        if (before->kind == SETUP) {
            must(report, part, !changes_link(run, part->client, before->t0_s, first_s + 2 * slack_s(first_s)),
                "a message goes over a connection that went with its link");
            return;
        }
}

void check_states(struct report *report, const struct run *run) {
    if (!knows_states(run))
        return;
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        if (part->outcome == REFUSED)
            continue;
        check_stay(report, run, part);
        for (size_t j = 0; j < part->n_phases; j++) {
            const struct phase *phase = part->phases + j;
            if (phase->kind != DOWN && phase->kind != UP)
                continue;
            check_rates(report, run, part, phase);
            check_breaks(report, run, part, phase);
        }
    }
    check_places(report, run);
}
