/* States of devices, from a file, and what follows from them at a time. */
#include "checks.h"
#include "states_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool leaves(const struct run *run, size_t client, double from_s, double to_s) {
    for (double at_s = from_s; at_s < to_s + slack_s(to_s); at_s = next_line_s(run, client, at_s))
        if (!is_eligible(run, client, at_s))
            return true;
    return false;
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

/* A phase during which the link changes has what the transfers have been played to. */
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
    if (part->delivery) {
        double of_least, of_most;
        metered_of(run, part->delivery, up, &of_least, &of_most);
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
