/* States of devices that follow curves of the day: no file records a device's states. Its links show in
 * their rates, and the numbers of devices that are online and eligible are near the curves. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOURS 24
#define HOUR_S 3600.0
#define COUNT_S 900.0

/* Standard deviations that a count of independent devices is off at most. */
#define DEVIATIONS 6

enum curve { ONLINE, ON_WIFI, CHARGING, IN_USE, N_CURVES };
static const char *const keys[N_CURVES] = {
    "availability.online", "availability.wifi", "availability.charging", "availability.in_use"};

/* ---- links ----------------------------------------------------------------------------------- */

static bool is_link(const struct run *run, size_t client, bool up, enum link_state link, double rate) {
    double own = field(&run->clients, client, up ? "up_bytes_per_s" : "down_bytes_per_s"),
           by = rate_factor_of(run, link);
    return isinf(own) ? isinf(rate) : fabs(rate - fmax(1, own * by)) <= .5 + .5 * by + 1e-9 * rate;
}

/* Rates tell which link it is where they are a client's own times a factor. */
static bool rates_tell(const struct run *run) {
    const struct scenario *s = &run->scenario;
    return !*preset_on(run, METERED) && !*preset_on(run, WIFI) && !scenario_jitters(s, "network.jitter") &&
           !*scenario_text(s, "network.trace");
}

enum link_state told_link(const struct run *run, size_t client, bool up, double rate) {
    if (asks_for_wifi(run))
        return WIFI;
    if (!rates_tell(run))
        return OFF;
    bool metered = is_link(run, client, up, METERED, rate), wifi = is_link(run, client, up, WIFI, rate);
    return metered == wifi ? OFF : metered ? METERED : WIFI;
}

static void check_message(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    bool up = phase->kind == UP;
    double own_s = field(&run->clients, part->client, "latency_s"), first_s = phase->t0_s + phase->latency_s;
    if (!rates_tell(run) || phase->t1_s <= phase->t0_s) /* its client has left before */
        return;
    for (size_t i = 0; i < phase->capacity.n; i++) {
        double rate = phase->capacity.steps[i].rate;
        must(report, part,
            is_link(run, part->client, up, WIFI, rate) ||
                (!asks_for_wifi(run) && is_link(run, part->client, up, METERED, rate)),
            "a rate of %.15g, which is that of no link it may have", rate);
        bool crosses = phase->bytes > 0 && phase->capacity.steps[i].from_s > first_s + 1e-9 * (1 + first_s);
        must(report, part,
            !breaks_with_link(run) || !crosses || i == 0 || rate == phase->capacity.steps[i - 1].rate,
            "a message outlasts its link");
    }
    if (scenario_jitters(&run->scenario, "network.latency_jitter"))
        return;
    double wifi_s = own_s * latency_factor_of(run, WIFI), metered_s = own_s * latency_factor_of(run, METERED);
    must(report, part,
        fabs(phase->latency_s - wifi_s) <= 1e-12 * wifi_s ||
            fabs(phase->latency_s - metered_s) <= 1e-12 * metered_s,
        "a latency of %.15g s, its own being %.15g", phase->latency_s, own_s);
}

/* ---- how many -------------------------------------------------------------------------------- */

/* Shares by hour of the clients of this class: "0.5,…", or by class "old 0.5,…; others 0.9,…". */
static bool read_curve(const char *text, const char *class, double share[HOURS]) {
    const char *named = strstr(text, class), *others = strstr(text, "others ");
    if (strchr(text, ';')) {
        if (!*class || !named)
            named = others;
        if (!named)
            return false;
        text = named + strcspn(named, " ");
    }
    for (size_t i = 0; i < HOURS; i++) {
        char *end;
        share[i] = strtod(text, &end);
        if (end == text) /* "assumed" */
            return false;
        text = end + strspn(end, ", ");
    }
    return true;
}

static double share_at(const double share[HOURS], double of_day_s) {
    double hours = fmod(of_day_s, HOURS * HOUR_S) / HOUR_S;
    size_t hour = (size_t)hours % HOURS;
    return share[hour] + (share[(hour + 1) % HOURS] - share[hour]) * (hours - floor(hours));
}

struct day {
    double share[N_CURVES][HOURS];
};

/* NaN: the curve is not in the manifest in numbers. */
static void read_day(const struct run *run, size_t client, struct day *day) {
    const char *class = field_text(&run->clients, client, "network_class");
    for (int i = 0; i < N_CURVES; i++)
        if (!read_curve(scenario_text(&run->scenario, keys[i]), class, day->share[i]))
            for (size_t hour = 0; hour < HOURS; hour++)
                day->share[i][hour] = NAN;
}

static double eligible_share(const struct run *run, const struct day *day, double of_day_s) {
    const char *eligible = scenario_text(&run->scenario, "rounds.eligible");
    double share = share_at(day->share[ONLINE], of_day_s);
    if (strstr(eligible, "wifi"))
        share *= share_at(day->share[ON_WIFI], of_day_s);
    if (strstr(eligible, "charging"))
        share *= share_at(day->share[CHARGING], of_day_s);
    if (strstr(eligible, "idle"))
        share *= 1 - share_at(day->share[IN_USE], of_day_s);
    return share;
}

/* Counts at quarter hours; clients that take part, rest, or have been refused are not eligible, besides. */
static void check_hour(struct report *report, const struct run *run, const struct day *days,
    const struct table *hours, size_t row) {
    double clock_s = scenario_number(&run->scenario, "availability.start"),
           first = ceil(field(hours, row, "start_s") / COUNT_S - 1e-9), online = 0, eligible = 0,
           variance = 0, n = 0, told_online = field(hours, row, "online_mean"),
           told_eligible = field(hours, row, "eligible_mean");
    bool plain = is_plain(&run->scenario);
    for (double i = first; i * COUNT_S < field(hours, row, "end_s") || i == first; i++, n++)
        for (size_t client = 0; client < run->clients.n_rows; client++) {
            double at_s = clock_s + i * COUNT_S, share = share_at(days[client].share[ONLINE], at_s);
            online += share;
            variance += share * (1 - share);
            eligible += eligible_share(run, &days[client], at_s);
        }
    online /= n;
    eligible /= n;
    double off = DEVIATIONS * sqrt(variance / n) + .5;
    report->amounts += 2;
    if (!isnan(told_online) && !isnan(online))
        must(report, NULL, told_online <= online + off && (!plain || told_online >= online - off),
            "hour %zu: %.6g clients online, where the curves have %.6g", row, told_online, online);
    if (!isnan(told_eligible) && !isnan(eligible))
        must(report, NULL,
            told_eligible <= eligible + DEVIATIONS * sqrt(fmax(eligible, 1)) ||
                *scenario_text(&run->scenario, "rounds.selection.sees_availability") == 'f',
            "hour %zu: %.6g clients eligible, where the curves have %.6g", row, told_eligible, eligible);
}

void check_curves(struct report *report, const struct run *run, const char *folder) {
    struct table hours = table_read(folder, "hours.csv");
    struct day *days = calloc(run->clients.n_rows + 1, sizeof *days);
    bool one_clock = scenario_number(&run->scenario, "availability.time_zones") == 0;
    if (!days)
        abort();
    for (size_t i = 0; i < n_all_parts(run); i++) {
        struct part *part = any_part(run, i);
        for (size_t k = 0; k < part->n_phases; k++)
            if (part->phases[k].kind == DOWN || part->phases[k].kind == UP)
                check_message(report, run, part, part->phases + k);
    }
    for (size_t client = 0; client < run->clients.n_rows; client++)
        read_day(run, client, &days[client]);
    for (size_t row = 0; one_clock && row < hours.n_rows; row++)
        check_hour(report, run, days, &hours, row);
    free(days);
    table_free(&hours);
}
