/* When rounds open: at their times, for enough clients, and none before it has rested. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S 86400.0
#define GIVES_UP_S (30 * DAY_S)

struct session {
    size_t client;
    double from_s, to_s;
};

struct rules {
    double every_s, cool_down_s, per_day, day_start_s, wait_s;
    bool has_window;                   /* that rounds open in */
    bool has_own_windows;              /* of each client, by its own clock */
    double window_from_s, window_to_s; /* times of the day */
    double zones_s;                    /* over which clients' clocks are spread */
    double at_least, minimum;          /* NaN: not told by the manifest */
    bool all_known;                    /* who is online when */
    bool always;
    struct session *sessions;
    size_t n_sessions, n_clients;
    double period_s;
};

static double slack_s(double time_s) {
    return 1e-9 * fmax(1, fabs(time_s));
}

/* "25 %" of the cohort, or a count. */
static double read_at_least(const struct scenario *s, bool follows_time) {
    const char *text = scenario_text(s, "rounds.selection.at_least");
    if (strcmp(text, "auto") == 0)
        return follows_time ? NAN : 1;
    return strchr(text, '%') ? fmax(1, floor(strtod(text, NULL) / 100 * (double)s->cohort + 0.5))
                             : strtod(text, NULL);
}

static void read_window(struct rules *rules, const char *text, const char *clock) {
    unsigned from[2], to[2];
    rules->has_window = sscanf(text, "%u:%u-%u:%u", &from[0], &from[1], &to[0], &to[1]) == 4;
    if (!rules->has_window)
        return;
    rules->has_own_windows = strcmp(clock, "client") == 0;
    rules->has_window = !rules->has_own_windows;
    rules->window_from_s = from[0] % 24 * 3600.0 + from[1] * 60.0;
    rules->window_to_s = to[0] % 24 * 3600.0 + to[1] * 60.0;
}

/* Sessions of the file beside the run's folder, where client i of the run is client i of the file, or of the
 * fleet whose ids the file has. Dates count from the first of them. */
static bool read_sessions(struct rules *rules, const struct scenario *s, const char *folder) {
    char path[8192], line[256], id[64], from[64], to[64];
    const char *file_of_fleet = scenario_text(s, "network.fleet");
    struct table fleet;
    double begin_s = INFINITY;
    snprintf(path, sizeof path, "%s/../%s", folder, scenario_text(s, "availability.file"));
    FILE *file = fopen(path, "r");
    bool has_fleet = *file_of_fleet && read_beside(folder, file_of_fleet, &fleet);
    bool good =
        file && strcmp(scenario_text(s, "availability.clients"), "exact") == 0 &&
        !*scenario_text(s, "availability.begin") && !*scenario_text(s, "devices.fleet") &&
        (!*file_of_fleet || (has_fleet && strcmp(scenario_text(s, "network.fleet_assignment"), "rows") == 0));
    while (good && fgets(line, sizeof line, file)) {
        struct session session;
        if (sscanf(line, "%63[^,],%63[^,],%63[^,\n]", id, from, to) != 3 ||
            (!is_number(from) && !has_date(from)))
            continue;
        session = (struct session){client_called(has_fleet ? &fleet : NULL, id), time_of(from), time_of(to)};
        begin_s = fmin(begin_s, has_date(from) ? session.from_s : 0);
        rules->sessions = realloc(rules->sessions, (rules->n_sessions + 1) * sizeof session);
        if (!rules->sessions)
            abort();
        rules->sessions[rules->n_sessions++] = session;
    }
    for (size_t i = 0; i < rules->n_sessions; i++) {
        rules->sessions[i].from_s = round((rules->sessions[i].from_s - begin_s) * 1e6) / 1e6;
        rules->sessions[i].to_s = round((rules->sessions[i].to_s - begin_s) * 1e6) / 1e6;
    }
    if (file)
        fclose(file);
    if (has_fleet)
        table_free(&fleet);
    rules->period_s = scenario_number(s, "availability.period");
    return good;
}

/* Where devices have states: the times in which a client is eligible by them. */
static bool read_states(struct rules *rules, const struct run *run) {
    const struct scenario *s = &run->scenario;
    rules->period_s = scenario_number(s, "availability.period");
    double end_s = rules->period_s > 0 ? rules->period_s : 1e9;
    for (size_t client = 0; client < run->clients.n_rows; client++)
        for (double at_s = 0, next_s; at_s < end_s - 1e-6; at_s = next_s) {
            next_s = fmin(next_line_s(run, client, at_s), end_s);
            if (!is_eligible(run, client, at_s))
                continue;
            rules->sessions = realloc(rules->sessions, (rules->n_sessions + 1) * sizeof *rules->sessions);
            if (!rules->sessions)
                abort();
            rules->sessions[rules->n_sessions++] = (struct session){client, at_s, next_s};
        }
    return !*scenario_text(s, "network.fleet") && !*scenario_text(s, "devices.fleet");
}

static struct rules read_rules(const struct run *run, const char *folder) {
    const struct scenario *s = &run->scenario;
    const char *model = scenario_text(s, "availability.model");
    bool sees = strcmp(scenario_text(s, "rounds.selection.sees_availability"), "false") != 0,
         all = strcmp(model, "always") == 0, trace = strcmp(model, "trace") == 0, plain = is_plain(s);
    struct rules rules = {.every_s = scenario_number(s, "rounds.every"),
        .cool_down_s = scenario_number(s, "rounds.cool_down"),
        .per_day = scenario_number(s, "rounds.per_day"),
        .day_start_s = strcmp(model, "diurnal") == 0 || has_states(run)
                           ? scenario_number(s, "availability.start")
                           : scenario_number(s, "rounds.start"),
        .wait_s = scenario_number(s, "rounds.selection.wait"),
        .minimum = scenario_number(s, "rounds.selection.minimum"),
        .at_least = read_at_least(s, sees && !all && strcmp(model, "bernoulli") != 0),
        .n_clients = run->clients.n_rows,
        .always = !sees || all};
    read_window(&rules, scenario_text(s, "rounds.window"), scenario_text(s, "rounds.window_clock"));
    if (rules.has_own_windows)
        rules.zones_s = scenario_number(s, "availability.time_zones");
    bool metered = isfinite(scenario_number(s, "caps.metered_bytes")), /* which is no matter of time alone */
        listed = (trace && read_sessions(&rules, s, folder)) ||
                 (knows_states(run) && read_states(&rules, run) && !metered);
    rules.all_known = !rules.has_own_windows && (!sees || (plain && (all || listed)));
    return rules;
}

/* ---- one client ------------------------------------------------------------------------------ */

static bool counts(const struct part *part) {
    return part->outcome != UNAVAILABLE && part->outcome != REFUSED;
}

static double day_of(const struct rules *rules, double time_s) {
    return floor((time_s + rules->day_start_s) / DAY_S + 1e-13);
}

/* When the server may select its client again, apart from its rest: a restart forgets a client that has
 * vanished, whatever row it belongs to, and a round that stops its stragglers does not wait until vanished
 * clients are detected. */
static double over_s(const struct run *run, const struct part *part) {
    double known_s = noticed_s(run, part), end_s = part_end_s(part);
    double closed_s = collected_s(run, part->row);
    if (!run->scenario.runs_on && !run->scenario.asynchronous && !isnan(closed_s))
        known_s = fmin(known_s, fmax(closed_s, end_s));
    for (size_t i = 0; i < run->scenario.n_restarts; i++)
        if (run->scenario.restarts_s[i] >= end_s - slack_s(end_s))
            known_s = fmin(known_s, fmax(run->scenario.restarts_s[i], end_s));
    return known_s;
}

/* A participation begins when its client is selected, with its first phase. */
static double selected_s(const struct run *run, const struct part *part) {
    return run->scenario.asynchronous ? part_start_s(part) : field(&run->rounds, part->row, "start_s");
}

static bool is_online(const struct rules *rules, size_t client, double time_s) {
    double in_period_s = rules->period_s > 0 ? fmod(time_s + slack_s(time_s), rules->period_s) : time_s;
    for (size_t i = 0; i < rules->n_sessions && !rules->always; i++) {
        const struct session *session = rules->sessions + i;
        if (session->client == client && in_period_s >= session->from_s - slack_s(time_s) &&
            in_period_s < session->to_s - slack_s(time_s))
            return true;
    }
    return rules->always;
}

/* As far as participations of rows before this one go. */
static bool is_free(
    const struct run *run, const struct rules *rules, size_t row, size_t client, double time_s) {
    double n_today = 0;
    for (size_t i = 0; i < run->first_part[row]; i++) {
        const struct part *part = run->parts + i;
        if (part->client != client)
            continue;
        double ready_s = over_s(run, part) + (counts(part) ? rules->cool_down_s : 0);
        if (ready_s > time_s + slack_s(time_s))
            return false;
        n_today += counts(part) && day_of(rules, selected_s(run, part)) == day_of(rules, time_s);
    }
    return !(rules->per_day > 0) || n_today < rules->per_day;
}

/* ---- a round --------------------------------------------------------------------------------- */

static bool is_between(const struct rules *rules, double of_day_s) {
    return rules->window_from_s < rules->window_to_s
               ? of_day_s >= rules->window_from_s && of_day_s < rules->window_to_s
               : of_day_s >= rules->window_from_s || of_day_s < rules->window_to_s;
}

static bool in_window(const struct rules *rules, double time_s) {
    return !rules->has_window || is_between(rules, fmod(time_s + rules->day_start_s + 1e-7, DAY_S));
}

static double opening_of_window_s(const struct rules *rules, double from_s) {
    double day = floor((from_s + rules->day_start_s - rules->window_from_s) / DAY_S),
           time_s = day * DAY_S + rules->window_from_s - rules->day_start_s;
    while (time_s < from_s - slack_s(from_s))
        time_s += DAY_S;
    return time_s;
}

/* What times are written to, with 15 digits: a round may end in less than slack_s. */
static double digits_s(double time_s) {
    return 1e-13 * fmax(1, fabs(time_s));
}

/* The first multiple that is in the window. */
static double paced_s(const struct rules *rules, double from_s) {
    double time_s = from_s;
    for (int i = 0; i < 100000; i++) {
        if (rules->every_s > 0)
            time_s = fmax(ceil((time_s - digits_s(time_s)) / rules->every_s) * rules->every_s, from_s);
        if (in_window(rules, time_s))
            return time_s;
        time_s = opening_of_window_s(rules, time_s);
    }
    return INFINITY;
}

static size_t count_eligible(const struct run *run, const struct rules *rules, size_t row, double time_s) {
    size_t n = 0;
    for (size_t client = 0; client < rules->n_clients; client++)
        n += is_online(rules, client, time_s) && is_free(run, rules, row, client, time_s);
    return n;
}

/* The wait for at_least counts from the pacing on, and within one window. */
static bool opens_at(
    const struct run *run, const struct rules *rules, size_t row, double paced_since_s, double time_s) {
    double since_s = paced_since_s;
    if (!in_window(rules, time_s) || time_s < paced_since_s - slack_s(time_s))
        return false;
    if (rules->has_window)
        since_s = fmax(since_s, opening_of_window_s(rules, time_s - DAY_S + 60 * slack_s(time_s)));
    bool patient = time_s - since_s < rules->wait_s - slack_s(time_s);
    return (double)count_eligible(run, rules, row, time_s) >= (patient ? rules->at_least : rules->minimum);
}

struct times {
    double *at;
    size_t n;
};

static void add_time(struct times *times, double time_s, double from_s, double to_s) {
    if (!(time_s > from_s && time_s < to_s))
        return;
    times->at = realloc(times->at, (times->n + 1) * sizeof *times->at);
    if (!times->at)
        abort();
    times->at[times->n++] = time_s;
}

/* Times at which a client may become eligible, or fewer be needed. */
static struct times list_times(
    const struct run *run, const struct rules *rules, size_t row, double from_s, double to_s) {
    struct times times = {0};
    for (size_t i = 0; i < run->first_part[row]; i++) {
        double known_s = over_s(run, run->parts + i);
        add_time(&times, known_s, from_s, to_s);
        add_time(&times, known_s + rules->cool_down_s, from_s, to_s);
    }
    double step_s = rules->period_s > 0 ? rules->period_s : INFINITY;
    for (size_t i = 0; i < rules->n_sessions; i++)
        for (double k = rules->period_s > 0 ? floor(from_s / step_s) : 0;
             rules->sessions[i].from_s + (k > 0 ? k * step_s : 0) < to_s && k<1e5; k += rules->period_s> 0
                 ? 1
                 : 1e6)
            add_time(&times, rules->sessions[i].from_s + (k > 0 ? k * step_s : 0), from_s, to_s);
    for (double day = day_of(rules, from_s); day * DAY_S - rules->day_start_s < to_s; day++) {
        double opens_s = day * DAY_S + rules->window_from_s - rules->day_start_s;
        add_time(&times, day * DAY_S - rules->day_start_s, from_s, to_s);
        if (rules->has_window) {
            add_time(&times, opens_s, from_s, to_s);
            add_time(&times, opens_s + rules->wait_s, from_s, to_s);
        }
    }
    add_time(&times, from_s + rules->wait_s, from_s, to_s);
    return times;
}

/* That it opens when it does, and not before; under caps, which clients may have been held back is not told.
 */
static void check_time(
    struct report *report, const struct run *run, const struct rules *rules, size_t row, double free_s) {
    double start_s = field(&run->rounds, row, "start_s"), paced = paced_s(rules, free_s);
    must(report, NULL, opens_at(run, rules, row, paced, start_s),
        "row %zu: opens at %.15g with %zu eligible clients, paced from %.15g on", row + 1, start_s,
        count_eligible(run, rules, row, start_s), paced);
    must(report, NULL, start_s - paced <= GIVES_UP_S + 1, "row %zu: has waited more than 30 days", row + 1);
    if (close_times(paced, start_s) || has_caps(run))
        return;
    must(report, NULL, !opens_at(run, rules, row, paced, paced), "row %zu: could open at %.15g, not %.15g",
        row + 1, paced, start_s);
    struct times times = list_times(run, rules, row, paced, start_s - 10 * slack_s(start_s));
    for (size_t i = 0; i < times.n; i++)
        must(report, NULL, !opens_at(run, rules, row, paced, times.at[i]),
            "row %zu: could open at %.15g, not %.15g", row + 1, times.at[i], start_s);
    free(times.at);
}

static bool restarts_between(const struct scenario *s, double from_s, double to_s) {
    for (size_t i = 0; i < s->n_restarts; i++)
        if (s->restarts_s[i] > from_s - 1e-6 && s->restarts_s[i] + s->restart_s < to_s - 1e-6)
            return true;
    return false;
}

/* What holds for any clients online. */
static void check_row(
    struct report *report, const struct run *run, const struct rules *rules, size_t row, double free_s) {
    double start_s = field(&run->rounds, row, "start_s"), selected = field(&run->rounds, row, "selected"),
           paced = paced_s(rules, free_s);
    must(report, NULL, in_window(rules, start_s), "row %zu: opens at %.15g, out of its window", row + 1,
        start_s);
    must(report, NULL, start_s >= paced - slack_s(paced), "row %zu: opens at %.15g, before %.15g", row + 1,
        start_s, paced);
    if (isinf(rules->wait_s) && !isnan(rules->at_least))
        must(report, NULL, selected >= fmin(rules->at_least, (double)run->scenario.cohort),
            "row %zu: %g clients, who were to be at least %g", row + 1, selected, rules->at_least);
}

static void check_rests(struct report *report, const struct run *run, const struct rules *rules) {
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        double from_s = selected_s(run, part), n_today = 1;
        for (size_t k = 0; k < run->n_parts; k++) {
            const struct part *other = run->parts + k;
            if (k == i || other->client != part->client || !counts(other) ||
                selected_s(run, other) > from_s + slack_s(from_s) ||
                (k > i && close_times(selected_s(run, other), from_s)))
                continue;
            n_today += day_of(rules, selected_s(run, other)) == day_of(rules, from_s);
            must(report, part, from_s >= over_s(run, other) + rules->cool_down_s - slack_s(from_s),
                "begins at %.15g, without having rested since %.15g", from_s, over_s(run, other));
        }
        must(report, part, !(rules->per_day > 0) || n_today <= rules->per_day, "is the %g. of its day",
            n_today);
    }
}

/* Whether a client whose clock shows this when the run starts has been selected within its window alone. */
static bool fits_clock(const struct run *run, const struct rules *rules, size_t client, double clock_s) {
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        double of_day_s = fmod(selected_s(run, part) + clock_s + DAY_S + 1e-7, DAY_S);
        if (part->client == client && !is_between(rules, of_day_s))
            return false;
    }
    return true;
}

/* No file records a client's clock, so there has to be one that fits everything: it shows that the window
 * opens at the first time, or at one of the times at which the client was selected. */
static void check_own_window(
    struct report *report, const struct run *run, const struct rules *rules, size_t client) {
    bool fits = fits_clock(run, rules, client, rules->day_start_s);
    for (size_t i = 0; i < run->n_parts && !fits; i++) {
        double clock_s = fmod(rules->window_from_s - selected_s(run, run->parts + i), DAY_S) + DAY_S,
               off_s = fmod(clock_s - rules->day_start_s + DAY_S + 1e-6, DAY_S);
        if (run->parts[i].client == client && off_s <= rules->zones_s + 2e-6)
            fits = fits_clock(run, rules, client, clock_s);
    }
    must(report, NULL, fits, "client %zu is selected at times that no clock has in its window", client);
}

void check_openings(struct report *report, const struct run *run, const char *folder) {
    struct rules rules = read_rules(run, folder);
    double free_s = 0;
    bool knows = rules.all_known && !isnan(rules.at_least);
    for (size_t row = 0; row < run->rounds.n_rows && !run->scenario.asynchronous; row++) {
        double start_s = field(&run->rounds, row, "start_s"), away_s = field(&run->rounds, row, "restart_s");
        bool from_restart = away_s > 0;
        check_row(report, run, &rules, row, free_s);
        if (knows && !from_restart && !restarts_between(&run->scenario, free_s, start_s))
            check_time(report, run, &rules, row, free_s);
        free_s = field(&run->rounds, row, "end_s");
    }
    check_rests(report, run, &rules);
    for (size_t client = 0; client < rules.n_clients && rules.has_own_windows; client++)
        check_own_window(report, run, &rules, client);
    free(rules.sessions);
}
