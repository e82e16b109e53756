/* The sections `availability`, with the files it reads, and `failures` of a drawn scenario. */
#include "draw_internal.h"

#include <math.h>
#include <string.h>

/* As numbers, or as dates of New Year's Eve. */
static void put_session(FILE *file, bool dates, const char *id, unsigned client, double from_s, double to_s) {
    fprintf(file, "%s%u", id, client);
    for (int end = 0; end < 2; end++) {
        double t_s = round(1000 * (end ? to_s : from_s)) / 1000, day_s = t_s + 86000;
        if (dates)
            fprintf(file, ",%s %02d:%02d:%06.3fZ", day_s < 86400 ? "1999-12-31" : "2000-01-01",
                (int)(day_s / 3600) % 24, (int)(day_s / 60) % 60, fmod(day_s, 60));
        else
            fprintf(file, ",%.3f", t_s);
    }
    fputs("\n", file);
}

/* Sessions that begin and end while rounds are under way. */
static void write_sessions(struct draw *d) {
    FILE *file = open_in(d, "sessions.csv");
    struct draw aside = draw_aside(d);
    bool dates = d->newer && one_in(&aside, 2);
    const char *id = d->texts ? "dev_" : "";
    if (dates || *id)
        fputs("client,start,end\n", file);
    for (unsigned client = 0; client < d->users; client++) {
        double t_s = scale(d, 0.1, 30) - 1;
        for (int i = 0; i < 5 && !one_in(d, 8); i++) {
            double end_s = fmax(t_s, 0) + scale(d, 2, 100);
            put_session(file, dates, id, client, fmax(t_s, 0), end_s);
            t_s = end_s + scale(d, 1, 60);
        }
    }
    if (dates || *id)
        put_session(file, dates, id, 0, 0, 50);
    else
        fputs("0,0,50\n", file);
    fclose(file);
}

static void draw_time_zones(struct draw *d) {
    struct draw aside = draw_aside(d);
    d->zones = d->newer && one_in(&aside, 2);
    if (d->zones)
        fprintf(d->out, " time_zones = \"%u h\";", 1 + below(&aside, 12));
}

/* States that begin and end while rounds are under way, often at whole seconds; after some a device is off.
 */
static void write_states(struct draw *d, double period_s) {
    FILE *file = open_in(d, "states.csv");
    fputs("client,start_s,end_s,link,charging,in_use\n", file);
    for (unsigned client = 0; client < d->users; client++) {
        double t_s = one_in(d, 2) ? 0 : floor(scale(d, 1, 30));
        for (int i = 0; i < 40 && t_s < period_s; i++) {
            double end_s = fmin(t_s + (one_in(d, 2) ? 1 + below(d, 40) : scale(d, 0.5, 120)), period_s);
            end_s = floor(1000 * end_s) / 1000;
            if (!(end_s > t_s))
                break;
            if (!one_in(d, 8))
                fprintf(file, "%u,%.3f,%.3f,%s,%u,%u\n", client, t_s, end_s,
                    ONE_OF(d, "wifi", "wifi", "wifi", "metered", "metered", "off"), !one_in(d, 3),
                    one_in(d, 3));
            t_s = end_s;
        }
    }
    fclose(file);
}

/* Devices change their states within a few rounds. */
static void draw_curve(struct draw *d, const char *key, unsigned least) {
    fprintf(d->out, " %s_session = \"%.0f s\"; %s = \"", key, scale(d, 10, 400), key);
    for (int part = 0, n = d->fleet && one_in(d, 2) ? 2 : 1; part < n; part++) {
        fputs(n == 1 ? "" : part == 0 ? "old " : "; others ", d->out);
        for (int hour = 0; hour < 24; hour++)
            fprintf(d->out, "%s0.%02u", hour > 0 ? "," : "", least + below(d, 98 - least));
    }
    fputs("\";", d->out);
}

static void draw_curves(struct draw *d) {
    fprintf(d->out, "availability = { model = \"states\"; start = \"%u s\";",
        3600 * (1 + below(d, 22)) - below(d, 100));
    draw_curve(d, "online", 40);
    draw_curve(d, "wifi", 20);
    draw_curve(d, "charging", 30);
    draw_curve(d, "in_use", 1);
    d->vanish = true;
    if (one_in(d, 12))
        fputs(" outages = \"all from 10 s to 25 s\";", d->out);
    fputs(" };\n", d->out);
}

static void draw_states(struct draw *d) {
    bool period = !one_in(d, 4);
    write_states(d, period ? 900 : 5000);
    fprintf(d->out, "availability = { model = \"states\"; file = \"states.csv\";%s",
        period ? " period = \"900 s\";" : "");
    d->vanish = true;
    if (one_in(d, 12))
        fputs(" outages = \"all from 10 s to 25 s\";", d->out);
    fputs(" };\n", d->out);
}

void draw_availability(struct draw *d) {
    if (d->states) {
        d->curves ? draw_curves(d) : draw_states(d);
        return;
    }
    fputs("availability = {", d->out);
    unsigned model = below(d, 8);
    const char *propensity;
    switch (model) {
    case 0:
        fprintf(d->out, " model = \"bernoulli\"; p = %s;", ONE_OF(d, "0.1", "0.5", "0.9"));
        draw_dynamics(d, "bernoulli", true);
        break;
    case 1:
        fprintf(d->out, " model = \"markov\"; on = \"%.2f s\"; off = \"%.2f s\";", scale(d, 10, 300),
            scale(d, 1, 300));
        draw_dynamics(d, "markov", true);
        break;
    case 2:
        propensity = ONE_OF(d, "equal", "fedscale");
        fprintf(d->out, " model = \"diurnal\"; session = \"%.2f s\";", scale(d, 5, 3000));
        fprintf(d->out, " propensity = \"%s\";", propensity);
        draw_time_zones(d);
        draw_dynamics(d, "diurnal", strcmp(propensity, "equal") == 0);
        break;
    case 3:
        write_sessions(d);
        fprintf(d->out, " model = \"trace\"; file = \"sessions.csv\"; clients = \"%s\"; period = \"1 h\";",
            d->texts ? "exact" : ONE_OF(d, "exact", "cycle"));
        break;
    default:
        fputs(" model = \"always\";", d->out);
        d->reachable = true;
    }
    d->diurnal = model == 2;
    d->vanish = model > 0 && model < 4;
    if (one_in(d, 8)) {
        d->reachable = false;
        d->vanish = true;
        fprintf(d->out, " outages = \"%s\";",
            ONE_OF(d, "50 % from 3 s to 20 s", "all from 10 s to 25 s", "all from 0 s to 30 s",
                "region 1 of 2 from 5 s to 1 min; region 2 of 2 from 40 s to 90 s"));
    }
    draw_random_outages(d);
    fputs(" };\n", d->out);
}

static void draw_restarts(struct draw *d) {
    double t_s = 0;
    fputs(" server_restarts = \"", d->out);
    for (unsigned i = 0, n = 1 + below(d, 4); i < n; i++) {
        t_s += one_in(d, 2) ? 1 + below(d, 20) : scale(d, 0.5, 60);
        fprintf(d->out, "%s%.3f s", i ? ", " : "", t_s);
    }
    fprintf(d->out, "\"; restart = \"%u s\";", below(d, 3) * (1 + below(d, 15)));
}

/* Only where a probability is set. */
static void draw_who_is_lost(struct draw *d) {
    if (one_in(d, 2))
        fprintf(d->out, " per = \"%.2f s\";", scale(d, 2, 300));
    if (one_in(d, 2))
        fprintf(d->out, " follows = \"%s\"; correlation = %s; concentration = %s;",
            d->newer && (d->state >> 20) % 3 == 0 ? "taste" : "activity", ONE_OF(d, "1", "0", "0.7"),
            ONE_OF(d, "0", "2", "50"));
}

/* What a connection that breaks leads to, drawn apart so that it shifts nothing else. */
static void draw_retry(struct draw *d) {
    uint64_t state = d->state;
    unsigned times = below(d, 4);
    if (!one_in(d, 3)) {
        fprintf(d->out, " retry = { times = %u; after = \"%s\"; resume = %s;", times,
            ONE_OF(d, "0 s", "1 s", "250 ms", "4 s"), ONE_OF(d, "true", "false"));
        if (times != 1)
            fprintf(d->out, " backoff = %s;", ONE_OF(d, "1", "1.6", "3"));
        if (times != 1 && d->newer)
            fprintf(d->out, " longest = \"%s\";", ONE_OF(d, "0 s", "2 s", "5 s"));
        fputs(" };", d->out);
    }
    d->state = state;
}

void draw_failures(struct draw *d) {
    static const char *const shares[] = {"down", "compute", "up", "connection_down", "connection_up"};
    static const char *const rates[] = {"device_mtbf", "connection_mtbf"};
    unsigned usual = 2 + below(d, 8);
    bool chances = false, breaks = false;
    fputs("failures = {", d->out);
    for (int i = 0; i < 5; i++)
        if (one_in(d, usual)) {
            fprintf(d->out, " %s = %s;", shares[i],
                d->fleet ? ONE_OF(d, "0.2", "\"old 60 %, others 5 %\"") : ONE_OF(d, "0.05", "0.3", "0.1"));
            chances = d->vanish = true;
            breaks |= i > 2;
        }
    if (d->newer && chances)
        draw_who_is_lost(d);
    for (int i = 0; i < 2; i++)
        if (one_in(d, 6)) {
            fprintf(d->out, " %s = \"%.2f s\";", rates[i], scale(d, 5, 300));
            d->vanish = true;
            breaks |= i > 0;
        }
    if (breaks || (d->breaks && !strstr(d->eligible, "wifi")))
        draw_retry(d);
    if (one_in(d, 8)) {
        fprintf(d->out, " late_share = 0.%u; join_over = \"%u s\";", 1 + below(d, 9), 1 + below(d, 60));
        d->reachable = false;
    }
    if (one_in(d, 8)) {
        fprintf(d->out, " mean_lifetime = \"%.1f s\";", scale(d, 50, 1000));
        d->reachable = false;
        d->vanish = true;
    }
    draw_absent(d);
    if (d->vanish && one_in(d, 3))
        fprintf(d->out, " detect = \"%u s\";", 1 + below(d, 15));
    if (one_in(d, 3))
        draw_restarts(d);
    fputs(" };\n", d->out);
}
