/* States of devices for random plans: curves of the day, or the lines of a week; the states that rounds
 * require, and the links and devices in each state. */
#ifndef FRS_TESTS_SIM_FORECAST_RANDOM_STATES_H
#define FRS_TESTS_SIM_FORECAST_RANDOM_STATES_H

#include "tests/sim/run/random_draw.h"

/* Parts of a plan that are drawn together and written in their sections. */
struct plan_states {
    bool drawn;
    const char *eligible;        /* rounds.eligible */
    char by_state[256];          /* in the section network */
    char in_use[32];             /* in the section devices */
    char availability[16 * 256]; /* the section */
};

/* A week that comes again: each device goes from state to state, and is off in between at times. */
static inline void write_states_of_week(struct draw *d) {
    FILE *file = folder_open("states.csv", "w");
    fputs("client,start_s,end_s,link,charging,in_use\n", file);
    for (uint32_t client = 0; client < d->users; client++)
        for (double t_s = 0; t_s < 7 * 86400;) {
            double end_s = fmin(floor(t_s + draw_scale(d, 600, 6 * 3600)), 7 * 86400);
            if (!one_in(d, 5))
                fprintf(file, "%u,%.0f,%.0f,%s,%u,%u\n", client, t_s, end_s,
                    ONE_OF(d, "wifi", "wifi", "metered"), !one_in(d, 3), one_in(d, 3));
            t_s = end_s;
        }
    fclose(file);
}

static inline void draw_curves(struct draw *d, FILE *out) {
    static const char *const online[] = {"",
        " online = \"0.9,0.9,0.9,0.9,0.9,0.8,0.7,0.6,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.6,0.6,0.7,0.7,0.8,0.8,"
        "0.9,0.9\";"};
    static const char *const charging[] = {
        "", " charging = \"0.8,0.8,0.8,0.8,0.8,0.6,0.4,0.2,0.1,0,0,0,0,0,0,0,0,0,0.1,0.2,0.3,0.4,0.5,0.7\";"};
    fputs(online[below(d, 2)], out);
    fputs(charging[below(d, 2)], out);
    if (one_in(d, 2))
        fprintf(out, " wifi_session = \"%u min\"; in_use_session = \"%u min\";", 20 + below(d, 300),
            2 + below(d, 30));
    if (one_in(d, 3))
        fprintf(out, " time_zones = \"%u h\";", d->zones_h = 1 + below(d, 8));
}

/* Plans without states are not changed by this: it draws from a stream of its own. */
static inline struct plan_states draw_plan_states(struct draw *plan, bool always) {
    struct draw aside = draw_aside(plan, 9), *d = &aside;
    struct plan_states states = {.eligible = "any"};
    if (!one_in(d, 3) && !always)
        return states;
    states.drawn = true;
    states.eligible =
        ONE_OF(d, "any", "wifi", "wifi", "wifi, idle", "wifi, charging", "wifi, charging, idle");
    snprintf(states.by_state, sizeof states.by_state, " by_state = {%s on_change = \"%s\"; };",
        ONE_OF(d, "", " wifi = \"wifi\"; metered = \"4g\";", " metered_factor = 0.2;",
            " wifi = \"wifi\"; metered_factor = 0.5; metered_latency_factor = 2;"),
        ONE_OF(d, "break", "go_on"));
    if (!strstr(states.eligible, "idle") && one_in(d, 2))
        snprintf(states.in_use, sizeof states.in_use, " in_use = %s;", ONE_OF(d, "0.5", "0.2"));
    FILE *out = fmemopen(states.availability, sizeof states.availability, "w");
    fprintf(out, "availability = { model = \"states\"; start = \"%u h\";", below(d, 24));
    if (one_in(d, 4)) {
        write_states_of_week(d);
        fputs(" file = \"states.csv\"; clients = \"exact\"; period = \"7 d\";", out);
    } else {
        draw_curves(d, out);
    }
    fputs(" };\n", out);
    fclose(out);
    plan->diurnal = true; /* availability.start is there */
    plan->zones_h = aside.zones_h;
    return states;
}

#endif
