/* A random scenario of few clients and few rounds, drawn from a seed: every kind of network, device,
 * availability, failure, round policy, selection and engine there is, on a scale on which phases, sessions
 * and failures last about the same, so that they meet. */
#ifndef FRS_TESTS_SIM_RUN_RANDOM_SCENARIO_H
#define FRS_TESTS_SIM_RUN_RANDOM_SCENARIO_H

#include "tests/sim/run/random_draw.h"

static inline void draw_data(struct draw *d) {
    d->users = 30 + below(d, 50);
    fprintf(d->out,
        "evaluation = { negatives = 20; };\n"
        "data = { synthetic = \"custom\"; users = %u; items = %u; interactions = %u; activity_ceiling = 0.4;"
        " synthetic_seed = %u; };\n",
        d->users, 150 + below(d, 100), 20 * d->users, below(d, 1000));
}

/* A third of those that can adapt do so to a cap. */
static inline const char *adaptation_of(struct draw *d, const char *otherwise) {
    struct draw aside = draw_aside(d, 3);
    d->to_caps = d->plans && one_in(&aside, 3);
    return d->to_caps ? "cap" : otherwise;
}

/* One in six has a correction of its aggregate: of all, or of those that keep nothing of earlier rounds. A
 * correction takes no uploads of an older version. */
static inline const char *correction_of(struct draw *d, bool of_all, bool weighs_by_data) {
    static char text[128];
    struct draw aside = draw_aside(d, 7);
    bool corrects = one_in(&aside, 6);
    const char *name = of_all ? ONE_OF(&aside, "\"fedau\"", "\"mifa\"", "\"fedvarp\"", "\"fedawe\"")
                              : "\"fedau\"; cutoff = 3";
    d->in_time = d->in_time || corrects;
    snprintf(text, sizeof text, "%s server = { correction = { name = %s; }; };",
        weighs_by_data ? " aggregation = \"uniform\";" : "", name);
    return corrects ? text : "";
}

static inline void draw_method(struct draw *d) {
    const char *catchup = ONE_OF(d, "ideal", "replay", "full", "cheapest");
    bool keeps_updates = strcmp(catchup, "replay") == 0 || strcmp(catchup, "cheapest") == 0;
    if (one_in(d, 5))
        fprintf(d->out, "method = { name = \"fedrap\"; dim = %u; epochs = 2; variant = \"%s\"; };\n",
            sized(d, 2 + below(d, 6)), ONE_OF(d, "paper", "published_code"));
    else if (one_in(d, 5))
        fprintf(d->out, "method = { name = \"fedncf\"; dim = %u; epochs = 2; layers = \"4\";%s };\n",
            sized(d, 2 + below(d, 6)), correction_of(d, true, false));
    else if ((d->post_uploads = one_in(d, 2)))
        fprintf(d->out, "method = { name = \"pfedclr\"; dim = %u; epochs = %u; epsilon = \"%s\";%s%s };\n",
            sized(d, 2 + below(d, 6)), 1 + below(d, 5), ONE_OF(d, "absolute", "relative"),
            ONE_OF(d, " rank = 1;", " ablation = \"cf\";"), correction_of(d, true, true));
    else if (one_in(d, 8))
        fprintf(d->out, "method = { name = \"pfedrec\"; dim = %u; epochs = %u; };\n",
            sized(d, 2 + below(d, 6)), 1 + below(d, 5));
    else if (one_in(d, 2))
        fprintf(d->out, "method = { name = \"fedmf\"; dim = %u; epochs = %u;%s };\n",
            sized(d, 2 + below(d, 6)), 1 + below(d, 5), correction_of(d, true, false));
    else if (one_in(d, 4))
        fprintf(d->out,
            "method = { name = \"scolr\"; dim = %u; rank = %u; catchup = \"%s\"; };\n"
            "adaptation = { name = \"%s\"; };\n",
            sized(d, 6), 2 + below(d, 4), catchup,
            adaptation_of(d, ONE_OF(d, "fixed", "uniform", "proportional", "deadline")));
    else
        fprintf(d->out, "method = { name = \"%s; dim = %u; rank = %u; catchup = \"%s\";%s%s };\n",
            ONE_OF(d, "colr\"", "colr_ncf\"; layers = \"4\""), sized(d, 6), 1 + below(d, 4), catchup,
            keeps_updates && one_in(d, 2) ? " init = \"seed\";" : "", correction_of(d, false, false));
    if (d->trains && one_in(d, 2))
        fprintf(d->out, "codec = { uplink = \"%s\"; downlink = \"%s\"; };\n",
            ONE_OF(d, "dense", "touched_rows", "sparse"), ONE_OF(d, "dense", "touched_rows", "sparse"));
}

static inline void draw_link(struct draw *d, const char *name) {
    double middle = sized(d, 1) * draw_scale(d, 300, 20000);
    switch (below(d, 3)) {
    case 0:
        fprintf(d->out, " %s = \"%.4f B/s\";", name, middle);
        break;
    case 1:
        fprintf(d->out, " %s = { distribution = \"uniform\"; low = \"%.4f B/s\"; high = \"%.4f B/s\"; };",
            name, middle / 3, 2 * middle);
        break;
    default:
        fprintf(d->out, " %s = { distribution = \"lognormal\"; median = \"%.4f B/s\"; sigma = 0.8; };", name,
            middle);
    }
}

static inline void draw_links(struct draw *d) {
    fputs(" preset = \"none\";", d->out);
    draw_link(d, "downlink");
    draw_link(d, "uplink");
    fputs(ONE_OF(d, " latency = \"0 s\";", " latency = \"300 ms\";",
              " latency = { distribution = \"lognormal\"; median = \"200 ms\"; };",
              " latency = { distribution = \"uniform\"; low = \"0 s\"; high = \"3 s\"; };"),
        d->out);
}

static inline void draw_connections(struct draw *d) {
    const char *connection = ONE_OF(d, "tls", "tls", "tcp", "kept");
    fprintf(d->out, " model = \"tcp\"; connection = \"%s\";", connection);
    if (strcmp(connection, "kept") == 0)
        fprintf(d->out, " idle_windows = \"%s\";", ONE_OF(d, "reset", "kept"));
}

static inline void draw_network(struct draw *d, bool lv08) {
    bool has_preset = one_in(d, 4);
    fputs("network = {", d->out);
    if (has_preset)
        fprintf(d->out, " preset = \"%s\";",
            ONE_OF(d, "fieldguide", "ideal", "fedscale", "flash-wifi", "3g", "4g", "5g", "wifi", "fibre",
                "mixed-mobile"));
    else
        draw_links(d);
    if (d->tcp)
        draw_connections(d);
    else
        fprintf(d->out, " model = \"%s\";", lv08 ? "lv08" : "exact");
    if (one_in(d, 2))
        fprintf(d->out, " server_downlink = \"%.3f kB/s\";", sized(d, 1) * draw_scale(d, 1, 100));
    if (one_in(d, 2))
        fprintf(d->out, " server_uplink = \"%.3f kB/s\";", sized(d, 1) * draw_scale(d, 1, 100));
    if (one_in(d, 3))
        fputs(" jitter = 0.5; latency_jitter = 0.5;", d->out);
    if (!d->simgrid && one_in(d, 3))
        fprintf(d->out, " trace = \"trace.csv\"; trace_phase = \"%s\";", ONE_OF(d, "shared", "random"));
    else if (!d->simgrid && has_preset && one_in(d, 2))
        fprintf(d->out,
            " trace = \"rates.csv\"; trace_phase = \"%s\"; trace_end = \"%s\"; trace_clients = \"random\";",
            ONE_OF(d, "shared", "random"), ONE_OF(d, "repeat", "hold"));
    fputs(" };\n", d->out);
    write_text("rates.csv", "client,t_s,down_Mbit_s,up_kB_s\n0,100,4,20\n0,107,0,50\n0,111,8,100\n0,120,1,"
                            "9\n5,0,1,8\n5,13.5,2,0\n5,20,2,40\n");
    write_text("trace.csv", "t_s,factor\n0,1\n7,0.3\n11,2.5\n30,0\n42,1\n");
}

static inline void draw_devices(struct draw *d) {
    fputs("devices = {", d->out);
    if (d->trains && one_in(d, 4))
        fprintf(d->out, " preset = \"%s\"; overhead = \"%u s\";",
            ONE_OF(d, "fieldguide", "fedscale", "phone-low", "tablet", "pc", "phones", "mixed"), below(d, 5));
    else if (d->trains && d->post_uploads && !one_in(d, 3))
        fprintf(d->out, " compute = \"flops\"; overhead = \"%u s\"; speed = %s;", below(d, 5),
            ONE_OF(d, "\"20 kflop/s\"", "{ distribution = \"lognormal\"; median = \"40 kflop/s\"; }",
                "{ distribution = \"uniform\"; low = \"2 kflop/s\"; high = \"100 kflop/s\"; }"));
    else if (d->trains && !d->post_uploads && !one_in(d, 3))
        fprintf(d->out, " compute = \"flops\"; overhead = \"%u s\"; speed = %s;", below(d, 5),
            ONE_OF(d, "\"20 Mflop/s\"", "{ distribution = \"lognormal\"; median = \"5 Mflop/s\"; }",
                "{ distribution = \"uniform\"; low = \"1 Mflop/s\"; high = \"50 Mflop/s\"; }"));
    else
        fputs(ONE_OF(d, " compute = \"fixed\"; overhead = \"4 s\";", " compute = \"none\";"), d->out);
    if (one_in(d, 5))
        fprintf(d->out, " memory = { distribution = \"uniform\"; low = \"%u kB\"; high = \"%u kB\"; };",
            sized(d, 1), sized(d, 8));
    fputs(" };\n", d->out);
    if (one_in(d, 2))
        fprintf(d->out, "server = { speed = \"%s\"; overhead = \"%u s\"; };\n",
            ONE_OF(d, "0.1 Mflop/s", "200 flop/s", "unlimited"), below(d, 4));
}

/* Sessions that start and end while rounds are under way; some clients have none. */
static inline void write_sessions(struct draw *d) {
    FILE *file = folder_open("sessions.csv", "w");
    for (uint32_t client = 0; client < d->users; client++) {
        double t_s = draw_scale(d, 0.1, 30) - 1;
        for (int i = 0; i < 5 && !one_in(d, 8); i++) {
            double end_s = t_s + draw_scale(d, 2, 100);
            fprintf(file, "%u,%.3f,%.3f\n", client, t_s < 0 ? 0 : t_s, end_s);
            t_s = end_s + draw_scale(d, 1, 60);
        }
    }
    fprintf(file, "0,0,50\n");
    fclose(file);
}

/* How availability changes over the run, and whom it leaves out; drawn apart, so that it shifts nothing else.
 */
static inline void draw_dynamics(struct draw *d, const char *period, bool alike) {
    struct draw aside = draw_aside(d, 7);
    if (one_in(&aside, 3))
        fprintf(d->out, " dynamics = \"%s\"; dynamics_period = \"%s\";",
            ONE_OF(&aside, "staircase", "sine", "interleaved_sine"), period);
    if (alike && one_in(&aside, 4))
        fprintf(d->out, " follows = \"%s\"; correlation = %s; concentration = %s;",
            ONE_OF(&aside, "activity", "taste"), ONE_OF(&aside, "1", "0", "-0.5", "0.7"),
            ONE_OF(&aside, "0", "2", "0.3", "50"));
}

static inline void draw_model(struct draw *d) {
    const char *propensity;
    d->sessions = true;
    switch (below(d, 5)) {
    case 0:
        fputs(" model = \"always\";", d->out);
        d->sessions = false;
        break;
    case 1:
        fprintf(d->out, " model = \"bernoulli\"; p = %s;", ONE_OF(d, "0", "0.02", "0.5", "0.9", "1"));
        draw_dynamics(d, d->seed % 2 ? "3 rounds" : "20 s", true);
        d->sessions = false;
        d->reachable = false;
        break;
    case 2:
        fprintf(d->out, " model = \"markov\"; on = \"%.2f s\"; off = \"%.2f s\";", draw_scale(d, 5, 300),
            draw_scale(d, 1, 1000));
        draw_dynamics(d, "40 s", true);
        break;
    case 3:
        d->diurnal = true;
        d->zones_h = below(d, 20);
        fprintf(d->out,
            " model = \"diurnal\"; session = \"%.2f s\"; propensity = \"%s\"; time_zones = \"%u h\";",
            draw_scale(d, 5, 3000), propensity = ONE_OF(d, "equal", "fedscale"), d->zones_h);
        draw_dynamics(d, "1 d", strcmp(propensity, "equal") == 0);
        break;
    default:
        write_sessions(d);
        fprintf(d->out, " model = \"trace\"; file = \"sessions.csv\"; clients = \"%s\";%s",
            ONE_OF(d, "exact", "cycle"), one_in(d, 2) ? " period = \"1 h\";" : "");
    }
}

static inline void draw_availability(struct draw *d) {
    d->reachable = true;
    fputs("availability = {", d->out);
    draw_model(d);
    if (one_in(d, 3)) {
        fprintf(d->out, " outages = \"%s\";",
            ONE_OF(d, "50 % from 3 s to 20 s",
                "region 1 of 2 from 5 s to 1 min; region 2 of 2 from 40 s to 90 s", "all from 10 s to 25 s",
                "20 % from 1 s to 3 s; 30 % from 2 s to 1 h"));
        d->sessions = true;
    }
    struct draw aside = draw_aside(d, 8);
    if (one_in(&aside, 6)) {
        fputs(" random_outages = \"3 regions every 40 s for 10 s\";", d->out);
        d->sessions = true;
    }
    fputs(" };\n", d->out);
    d->reachable = d->reachable && !d->sessions;
}

static inline void draw_restarts(struct draw *d) {
    fputs(" server_restarts = \"", d->out);
    double t_s = 0;
    for (uint32_t i = 0, n = 1 + below(d, 5); i < n; i++) {
        t_s += draw_scale(d, 0.5, 60);
        fprintf(d->out, "%s%.3f s", i ? ", " : "", t_s);
    }
    fprintf(d->out, "\"; restart = \"%u s\";", below(d, 2) * below(d, 30));
}

/* Half of those whose connections can break say what they do then; drawn apart, so that it shifts nothing
 * else. */
static inline void draw_retry(struct draw *d, uint64_t seed) {
    struct frs_rng drawn = d->rng;
    d->rng = frs_rng_stream(seed, 2, 0, 0, FRS_RNG_TEST);
    if (one_in(d, 2)) {
        uint32_t times = below(d, 4);
        d->resumes = one_in(d, 2);
        fprintf(d->out, " retry = { times = %u; after = \"%u s\"; resume = %s;", times, below(d, 4),
            d->resumes ? "true" : "false");
        if (times != 1)
            fprintf(d->out, " backoff = %u; longest = \"%u s\";", 1 + below(d, 2), below(d, 3));
        fputs(" };", d->out);
    }
    d->rng = drawn;
}

/* Each key on its own, or several together. Returns whether all clients are always there. */
static inline void draw_failures(struct draw *d, uint64_t seed) {
    static const char *const probabilities[] = {"down", "compute", "up", "connection_down", "connection_up"};
    bool vanish = d->sessions, chances = false, breaks = false;
    fputs("failures = {", d->out);
    uint32_t usual = 1 + below(d, 6);
    for (size_t i = 0; i < 5; i++)
        if (one_in(d, usual)) {
            fprintf(d->out, " %s = %s;", probabilities[i],
                ONE_OF(d, "0.05", "0.3", "1", "0.1", "\"others 20 %\""));
            chances = vanish = true;
            breaks |= i > 2;
        }
    if (chances && one_in(d, 3))
        fprintf(d->out, " per = \"%.2f s\";", draw_scale(d, 1, 300));
    if (chances && one_in(d, 3))
        fprintf(d->out, " follows = \"activity\"; correlation = %s; concentration = %s;",
            ONE_OF(d, "1", "0", "-0.5", "0.7"), ONE_OF(d, "0", "2", "0.3", "50"));
    static const char *const rates[] = {"device_mtbf", "connection_mtbf"};
    for (size_t i = 0; i < 2; i++)
        if (one_in(d, 4)) {
            fprintf(d->out, " %s = \"%.2f s\";", rates[i], draw_scale(d, 3, 300));
            vanish = true;
            breaks |= i > 0;
        }
    if (breaks)
        draw_retry(d, seed);
    if (one_in(d, 5)) {
        fprintf(d->out, " late_share = 0.%u; join_over = \"%u s\";", 1 + below(d, 9), 1 + below(d, 100));
        d->reachable = false;
    }
    if (one_in(d, 5)) {
        fprintf(d->out, " mean_lifetime = \"%.1f s\";", draw_scale(d, 20, 1000));
        vanish = true;
        d->reachable = false;
    }
    struct draw aside = draw_aside(d, 9);
    if (one_in(&aside, 6)) {
        fputs(" absent_share = 0.3;", d->out);
        d->reachable = false;
    }
    if (vanish && one_in(d, 3))
        fprintf(d->out, " detect = \"%u s\";", 1 + below(d, 20));
    if (one_in(d, 3))
        draw_restarts(d);
    fputs(" };\n", d->out);
}

/* On the scale on which phases last. */
static inline void draw_quorum(struct draw *d) {
    bool by_time = strcmp(d->policy, "deadline") == 0 || strcmp(d->policy, "partial_work") == 0;
    if (one_in(d, by_time ? 2 : 4))
        fprintf(d->out, " quorum = %s; max_attempts = %u;", ONE_OF(d, "0.05", "0.2", "0.5", "0.9"),
            2 + below(d, 8));
}

static inline void draw_late(struct draw *d) {
    if (!d->runs_on || d->in_time || one_in(d, 4))
        return;
    fputs(" late = \"accept\";", d->out);
    if (one_in(d, 2))
        fprintf(d->out, " late_rounds = %u;", 1 + below(d, 4));
}

static inline bool draw_least(struct draw *d, uint32_t cohort) {
    struct draw aside = draw_aside(d, 4);
    bool least = d->plans && one_in(&aside, 3);
    if (least)
        fprintf(d->out, " min_uploads = %u;", 1 + below(&aside, cohort));
    return least;
}

static inline void draw_policy(struct draw *d, uint32_t cohort) {
    bool least = false;
    bool run_on = one_in(d, 2);
    const char *name = d->policy = ONE_OF(d, "wait_all", "deadline", "over_select", "quantile",
        "quorum_then_wait", "partial_work", "buffered_async");
    if (d->in_time)
        name = d->policy = ONE_OF(d, "wait_all", "deadline", "over_select", "quantile", "quorum_then_wait");
    d->asynchronous = strcmp(name, "buffered_async") == 0;
    d->runs_on = run_on && !d->asynchronous && strcmp(name, "wait_all") != 0;
    if (d->runs_on)
        fputs(" stragglers = \"run_on\";", d->out);
    fprintf(d->out, " policy = { name = \"%s\";", name);
    if (strcmp(name, "deadline") == 0) {
        fprintf(d->out, " after = \"%.3f s\";", draw_scale(d, 1, 60));
        draw_late(d);
        least = draw_least(d, cohort);
    }
    if (strcmp(name, "quorum_then_wait") == 0) {
        fprintf(d->out, " uploads = %u; then = \"%.3f s\";", 1 + below(d, cohort), draw_scale(d, 0.1, 60));
        draw_late(d);
    }
    if (strcmp(name, "over_select") == 0 && one_in(d, 2))
        fprintf(d->out, " select = %u;", cohort + below(d, d->users - cohort + 1));
    else if (strcmp(name, "over_select") == 0)
        fprintf(d->out, " factor = %.2f;", draw_scale(d, 1, 3));
    if (strcmp(name, "quantile") == 0)
        fprintf(d->out, " share = %.2f;", draw_scale(d, 0.1, 1));
    if (strcmp(name, "partial_work") == 0)
        fprintf(
            d->out, " after = \"%.3f s\"; grace = \"%.3f s\";", draw_scale(d, 1, 40), draw_scale(d, 1, 40));
    if (d->asynchronous)
        fprintf(d->out, " arrivals = %u; staleness = \"%s\"; patience = %u;", 1 + below(d, 12),
            ONE_OF(d, "inverse_sqrt", "none"), 1 + below(d, 5));
    else if (strcmp(name, "wait_all") != 0 && !least)
        draw_quorum(d);
    fputs(" };", d->out);
}

/* Days begin, and windows open and shut, while rounds are under way. */
static inline void draw_pacing(struct draw *d) {
    bool clients = d->zones_h > 0 && one_in(d, 2);
    bool window = (!d->asynchronous || clients) && one_in(d, clients ? 2 : 5), per_day = one_in(d, 4);
    if (window && clients)
        fputs(" window_clock = \"client\";", d->out);
    if (window)
        fprintf(d->out, " window = \"%s\";", ONE_OF(d, "23:59-00:01", "00:00-00:01", "00:01-23:58"));
    if (per_day)
        fprintf(d->out, " per_day = %u;", 1 + below(d, 3));
    if ((window || per_day) && !d->diurnal)
        fprintf(d->out, " start = \"%u s\";", 86400 - below(d, 100));
    if (!d->asynchronous && one_in(d, 4))
        fprintf(d->out, " every = \"%s\";", ONE_OF(d, "1 s", "2500 ms", "20 s", "7.3 s"));
    if (one_in(d, 3))
        fprintf(d->out, " cool_down = \"%.3f s\";", draw_scale(d, 1, 60));
}

static inline void draw_check_in(struct draw *d, uint32_t cohort) {
    uint32_t at_least = 1 + below(d, cohort);
    if (one_in(d, 2))
        return;
    if (one_in(d, 3))
        fprintf(d->out, " at_least = \"%u %%\";", 10 + 10 * below(d, 9));
    else
        fprintf(d->out, " at_least = %u;", at_least);
    if (at_least > 3 && cohort > 20) /* so are shares then */
        fprintf(d->out, " wait = \"%.3f s\"; minimum = %u;", draw_scale(d, 1, 60), 1 + below(d, 2));
}

/* Who may not be selected twice in a row needs others enough. */
static inline void draw_selection(struct draw *d, uint32_t cohort) {
    const char *name =
        ONE_OF(d, "uniform", "uniform", "round_robin", "data_size", "fastest_first", "utility", "no_repeat");
    bool fits = 2 * cohort <= d->users && strcmp(d->policy, "over_select") != 0;
    if ((strcmp(name, "utility") == 0 && !d->trains) || (strcmp(name, "no_repeat") == 0 && !fits))
        name = "uniform";
    fprintf(d->out, " selection = { name = \"%s\";", name);
    if (!d->reachable && one_in(d, 2))
        fprintf(d->out, " sees_availability = false; contact_timeout = \"%u s\";", 1 + below(d, 15));
    struct draw aside = draw_aside(d, 5);
    if (d->plans)
        draw_check_in(&aside, cohort);
    fputs(" };", d->out);
}

static inline void draw_rounds(struct draw *d) {
    uint32_t cohort = 5 + below(d, d->users < 40 ? d->users - 5 : 35);
    fprintf(d->out, "rounds = { count = %u; cohort = %u;", 2 + below(d, 4), cohort);
    draw_policy(d, cohort);
    struct draw aside = draw_aside(d, 6);
    if (d->plans)
        draw_pacing(&aside);
    draw_selection(d, cohort);
    fputs(" };\n", d->out);
}

/* At least what a first participation may take, and a few times that. */
static inline void draw_caps(struct draw *d) {
    fprintf(d->out, "caps = { period = \"%.3f s\"; bytes = \"%.0f B\";", draw_scale(d, 5, 300),
        (10000 + 40000 * d->size) * draw_scale(d, 1, 4));
    if (one_in(d, 3))
        fprintf(d->out, " energy = \"%.3f J\";", draw_scale(d, 5, 500));
    fputs(" };\n", d->out);
}

/* Writes s.cfg, and what files it names, into the test's folder. */
static inline struct draw random_scenario(uint64_t seed) {
    struct draw draw = {.rng = frs_rng_stream(seed, 1, 0, 0, FRS_RNG_TEST),
        .out = folder_open("s.cfg", "w"),
        .plans = true,
        .seed = seed};
    struct draw *d = &draw;
    const char *backend = ONE_OF(d, "auto", "actors", "calendar", "simgrid");
    bool lv08 = one_in(d, 8);
    d->trains = !one_in(d, 4);
    d->simgrid = lv08 || strcmp(backend, "simgrid") == 0;
    d->tcp = !d->simgrid && seed % 2 == 0;
    d->size = d->tcp ? 16 : 1;
    fprintf(d->out, "seed = %llu;\n", (unsigned long long)seed);
    fprintf(d->out, "engine = { backend = \"%s\"; };\n", lv08 ? "auto" : backend);
    if (!d->trains)
        fputs("training = { enabled = false; };\n", d->out);
    draw_data(d);
    draw_method(d);
    draw_network(d, lv08);
    draw_devices(d);
    draw_availability(d);
    draw_failures(d, seed);
    draw_rounds(d);
    if (one_in(d, 3) || d->to_caps)
        draw_caps(d);
    fclose(d->out);
    return draw;
}

#endif
