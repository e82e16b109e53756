/* Small scenarios in which everything that takes time lasts about equally long, so that ends of phases,
 * failures, restarts and ends of rounds meet. Equal values (equal links, whole seconds) are drawn often,
 * because then events happen in the same instant. */
#include "draw_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scenarios up to this number stay as they are, for programs of any age (compare_commits.sh). */
#define FIRST_NEWER 1000

/* Steele, Lea and Flood 2014 (SplitMix64) */
static uint64_t next(struct draw *d) {
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

unsigned below(struct draw *d, unsigned n) {
    return (unsigned)(next(d) % n);
}

bool one_in(struct draw *d, unsigned n) {
    return below(d, n) == 0;
}

double scale(struct draw *d, double low, double high) {
    return low * pow(high / low, (double)(next(d) >> 11) * 0x1p-53);
}

const char *one_of(struct draw *d, const char *const *texts) {
    unsigned n = 0;
    while (texts[n])
        n++;
    return texts[below(d, n)];
}

struct draw draw_aside(const struct draw *d) {
    struct draw aside = *d;
    aside.state = ~d->state;
    return aside;
}

FILE *open_in(const struct draw *d, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", d->folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

static void draw_data(struct draw *d) {
    d->users = 20 + below(d, 40);
    fprintf(d->out,
        "data = { synthetic = \"custom\"; users = %u; items = %u; interactions = %u; activity_ceiling = 0.4; "
        "synthetic_seed = %u; };\nevaluation = { negatives = 20; every = 1000; };\n",
        d->users, 120 + below(d, 100), 14 * d->users, below(d, 1000));
}

static void draw_codec(struct draw *d) {
    if (one_in(d, 2))
        fprintf(d->out, "codec = { uplink = %s; };\n",
            ONE_OF(d, "{ name = \"topk\"; k = 2; }", "{ name = \"svd\"; rank = 2; }",
                "{ name = \"quantise\"; bits = \"8\"; }", "\"touched_rows\"", "\"sparse\""));
}

/* Half of the newer ones adapt to a cap instead. */
static const char *adaptation_of(struct draw *d, const char *otherwise) {
    struct draw aside = draw_aside(d);
    d->to_caps = d->newer && one_in(&aside, 2);
    return d->to_caps ? "cap" : otherwise;
}

/* What a method is, for the corrections that it can have. */
enum messages {
    TABLES,
    TABLES_BY_DATA, /* which weighs uploads by their data, unless it is told otherwise */
    UPDATES,        /* of the server's tables, so that clients have none of their own */
    PROJECTIONS     /* another one in each round, so that nothing of earlier rounds can be kept */
};

/* One in four of the newer ones has a correction of its aggregate. */
static const char *correction_of(struct draw *d, enum messages messages) {
    static char text[128];
    struct draw aside = draw_aside(d);
    bool weighs_by_data = messages == TABLES_BY_DATA;
    d->corrects = d->newer && one_in(&aside, 4);
    const char *name = messages == PROJECTIONS ? "fedau"
                       : messages == UPDATES   ? ONE_OF(&aside, "fedau", "mifa", "mifa", "fedvarp")
                                             : ONE_OF(&aside, "fedau", "mifa", "fedvarp", "fedawe", "fedawe");
    snprintf(text, sizeof text, "%s server = { correction = \"%s\"; };",
        weighs_by_data ? " aggregation = \"uniform\";" : "", name);
    return d->corrects ? text : "";
}

static void draw_method(struct draw *d) {
    switch (d->trains ? below(d, 7) : 2 * below(d, 2)) {
    case 0:
        fprintf(d->out, "method = { name = \"fedmf\"; dim = %u; epochs = %u;%s };\n",
            d->size * (2 + below(d, 6)), 1 + below(d, 5), correction_of(d, TABLES));
        if (d->trains && one_in(d, 2))
            fprintf(d->out, "codec = { uplink = \"%s\"; downlink = \"%s\"; };\n",
                ONE_OF(d, "dense", "touched_rows", "sparse"), ONE_OF(d, "dense", "touched_rows", "sparse"));
        break;
    case 1:
        fprintf(d->out, "method = { name = \"fedncf\"; dim = %u; epochs = 2; layers = \"4\";%s };\n",
            d->size * (2 + below(d, 6)), correction_of(d, TABLES));
        break;
    case 2:
    case 3:
        fprintf(d->out, "method = { name = \"pfedclr\"; dim = %u; epochs = %u;%s%s };\n",
            d->size * (2 + below(d, 6)), 1 + below(d, 4), ONE_OF(d, " rank = 1;", " ablation = \"cf\";"),
            correction_of(d, TABLES_BY_DATA));
        break;
    case 4:
        fprintf(d->out,
            "method = { name = \"scolr\"; dim = %u; rank = %u; epochs = 2; catchup = \"%s\"; };\nadaptation "
            "= "
            "{ name = \"%s\"; };\n",
            6 * d->size, 2 + below(d, 4), ONE_OF(d, "ideal", "replay", "full", "cheapest"),
            adaptation_of(d, ONE_OF(d, "fixed", "uniform", "proportional", "deadline")));
        break;
    case 5:
        fprintf(d->out, "method = { name = \"fedmf_update\"; dim = %u; epochs = %u; catchup = \"%s\";%s };\n",
            4 * d->size, 1 + below(d, 4), ONE_OF(d, "ideal", "full", "cheapest"), correction_of(d, UPDATES));
        draw_codec(d);
        break;
    default:
        fprintf(d->out,
            "method = { name = \"colr\"; dim = %u; rank = %u; epochs = 3; catchup = \"%s\";%s };\n",
            6 * d->size, 1 + below(d, 4), ONE_OF(d, "ideal", "replay", "full", "cheapest"),
            correction_of(d, PROJECTIONS));
    }
}

static void draw_link(struct draw *d, const char *name) {
    double middle = d->size * scale(d, 300, 20000);
    switch (below(d, 4)) {
    case 0:
        fprintf(d->out, " %s = \"%u kB/s\";", name, d->size * (1 + below(d, 6)));
        break;
    case 1:
        fprintf(d->out, " %s = { distribution = \"uniform\"; low = \"%.3f B/s\"; high = \"%.3f B/s\"; };",
            name, middle / 3, 2 * middle);
        break;
    case 2:
        fprintf(d->out, " %s = \"%.3f B/s\";", name, middle);
        break;
    default:
        fprintf(d->out, " %s = { distribution = \"lognormal\"; median = \"%.3f B/s\"; sigma = 0.8; };", name,
            middle);
    }
}

/* Connections, slow start, and what a rate is. */
static void draw_model(struct draw *d) {
    if (d->tcp) {
        const char *connection = ONE_OF(d, "tls", "tls", "tcp", "kept");
        d->kept = strcmp(connection, "kept") == 0;
        fprintf(d->out, " model = \"tcp\"; connection = \"%s\";", connection);
        if (strcmp(connection, "kept") == 0)
            fprintf(d->out, " idle_windows = \"%s\";", ONE_OF(d, "reset", "kept"));
    } else {
        fputs(" model = \"exact\";", d->out);
    }
    if (one_in(d, 4))
        fprintf(d->out, " payload_share = %s;", ONE_OF(d, "0.949", "0.5", "1"));
}

/* A row for each client, in any order, or a few of which each is one by chance. */
static void draw_fleet(struct draw *d) {
    bool sampled = one_in(d, 2);
    struct draw aside = draw_aside(d);
    d->texts = !sampled && one_in(&aside, 2);
    d->sampled = sampled;
    unsigned n = sampled ? 2 + below(d, 10) : d->users;
    FILE *table = open_in(d, "fleet.csv");
    fputs("up_bytes_per_s,client,class,down_kbit_s,latency_ms\n", table);
    for (unsigned i = n; i-- > 0;)
        fprintf(table, "%.3f,%s%u,%s,%.3f,%u\n", d->size * scale(d, 300, 20000), d->texts ? "dev_" : "", i,
            i < 2 ? (i ? "new" : "old") : ONE_OF(d, "old", "new"), d->size * scale(d, 3, 200),
            below(d, 3) * below(d, 1500));
    fclose(table);
    fprintf(d->out, " fleet = \"fleet.csv\"; fleet_assignment = \"%s\";", sampled ? "sample" : "rows");
}

/* Links of the server that change while messages are under way, and begin again; at times there is none. */
static void draw_server_trace(struct draw *d) {
    FILE *trace = open_in(d, "server.csv");
    fputs("t_s,up_kbit_s,down_B_s\n", trace);
    double t_s = 0, up = d->size * scale(d, 8, 800), down = d->size * scale(d, 1000, 100000);
    fprintf(trace, "0,%.3f,%.3f\n", up, down);
    for (unsigned i = 1 + below(d, 6); i-- > 0;) {
        t_s += one_in(d, 3) ? 1 + below(d, 8) : scale(d, 0.5, 20);
        fprintf(trace, "%.3f,%.3f,%.3f\n", t_s, one_in(d, 4) ? 0 : up * scale(d, 0.3, 3),
            one_in(d, 4) ? 0 : down * scale(d, 0.3, 3));
    }
    fprintf(trace, "%.3f,%.3f,%.3f\n", t_s + 1 + below(d, 8), up, down);
    fclose(trace);
}

/* Factors on links, or presets with factors, and what a change does. */
static void draw_by_state(struct draw *d) {
    struct draw aside = draw_aside(d);
    bool metered = one_in(&aside, 4), wifi = one_in(&aside, 4);
    fputs(" by_state = {", d->out);
    if (metered)
        fprintf(
            d->out, " metered = \"%s\"; metered_factor = %g;", ONE_OF(&aside, "4g", "3g"), .004 * d->size);
    if (!one_in(d, 4)) {
        const char *factor = ONE_OF(d, "0.5", "0.3", "0.25"), *latency = ONE_OF(d, "1", "2");
        if (!metered)
            fprintf(d->out, " metered_factor = %s;", factor);
        fprintf(d->out, " metered_latency_factor = %s;", latency);
    }
    if (wifi)
        fprintf(d->out, " wifi = \"%s\"; wifi_factor = %g;", ONE_OF(&aside, "wifi", "fibre"), .001 * d->size);
    if (one_in(d, 4) && !wifi)
        fputs(" wifi_factor = 2;", d->out);
    d->breaks = !d->kept && !one_in(d, 3);
    if (!d->breaks || one_in(d, 2))
        fprintf(d->out, " on_change = \"%s\";", d->breaks ? "break" : "go_on");
    fputs(" };", d->out);
}

/* When a log has its line: seconds, or dates of a leap day. */
static void put_time(FILE *trace, double t_s, bool dates) {
    t_s = round(1000 * t_s) / 1000;
    if (dates)
        fprintf(trace, "2028-02-29T%02d:%02d:%06.3fZ", (int)(t_s / 3600) + 22, (int)(t_s / 60) % 60,
            fmod(t_s, 60));
    else
        fprintf(trace, "%.3f", t_s);
}

/* One trace: of capacities down and up, or of factors. */
static void put_series(struct draw *d, FILE *trace, const char *id, const char *ends, bool dates) {
    bool closed = strcmp(ends, "closed") == 0;
    double t_s = closed ? 0 : below(d, 3000) / 1000.0, first[2] = {0};
    for (unsigned i = 0, n = 3 + below(d, 6); i < n; i++) {
        double value[2] = {d->size * scale(d, 300, 20000), d->size * scale(d, 3, 160)};
        if (!d->recorded)
            value[0] = value[1] = scale(d, 0.2, 3);
        for (int up = 0; up < 2; up++) {
            value[up] = i > 0 && i + 1 < n && one_in(d, 6) ? 0 : round(1000 * value[up]) / 1000;
            first[up] = i == 0 ? value[up] : first[up];
            value[up] = closed && i + 1 == n ? first[up] : value[up];
        }
        fprintf(trace, "%s%s", id, *id ? "," : "");
        put_time(trace, t_s, dates);
        if (d->recorded)
            fprintf(trace, ",%.3f,%.3f\n", value[0], value[1]);
        else
            fprintf(trace, ",%.3f\n", value[0]);
        t_s += one_in(d, 3) ? 1 + below(d, 10) : round(1000 * scale(d, 0.5, 20)) / 1000;
    }
}

/* Traces as they circulate: of capacities or factors, one for all, each client or each class, with any first
 * time and dates. */
static void draw_client_traces(struct draw *d) {
    const char *ends = ONE_OF(d, "closed", "repeat", "hold");
    bool dates = strcmp(ends, "closed") != 0 && one_in(d, 2), by_class = d->fleet && one_in(d, 2),
         by_client = !by_class && !d->sampled && one_in(d, 2);
    FILE *trace = open_in(d, "trace.csv");
    fprintf(trace, "%s%s,%s\n",
        by_class    ? "class,"
        : by_client ? "client,"
                    : "",
        dates ? "t" : "t_s", d->recorded ? "down_B_s,up_kbit_s" : "factor");
    char id[32] = "";
    if (by_class) {
        put_series(d, trace, "new", ends, dates);
        put_series(d, trace, "old", ends, dates);
    }
    for (unsigned i = 0; by_client && i < d->users; i++) {
        snprintf(id, sizeof id, "%s%u", d->texts ? "dev_" : "", i);
        if (d->recorded || !one_in(d, 4))
            put_series(d, trace, id, ends, dates);
    }
    if (!by_class && !by_client)
        put_series(d, trace, "", ends, dates);
    fclose(trace);
    fprintf(d->out, " trace = \"trace.csv\"; trace_end = \"%s\";", ends);
    if (by_class)
        fputs(" trace_clients = \"class\";", d->out);
}

static void draw_network(struct draw *d) {
    struct draw aside = draw_aside(d);
    bool newer_trace = d->newer && !d->simgrid && one_in(&aside, 3);
    d->traced = d->newer && !d->simgrid && one_in(d, 4);
    d->fleet = d->newer && (!d->states || d->curves) && one_in(d, 4);
    d->recorded = newer_trace && !d->fleet && !d->states && one_in(&aside, 2);
    fputs("network = {", d->out);
    draw_model(d);
    if (d->fleet) {
        draw_fleet(d);
    } else if (one_in(d, 8)) {
        fprintf(d->out, " preset = \"%s\";",
            ONE_OF(d, "fieldguide", "ideal", "fedscale", "3g", "4g", "wifi", "fibre", "mixed-mobile"));
    } else {
        if (!d->recorded) {
            fputs(" preset = \"none\";", d->out);
            draw_link(d, "downlink");
            draw_link(d, "uplink");
        }
        fprintf(d->out, " latency = %s;",
            ONE_OF(d, "\"0 s\"", "\"250 ms\"",
                "{ distribution = \"uniform\"; low = \"0 s\"; high = \"3 s\"; }"));
    }
    static const char *const sides[] = {"server_downlink", "server_uplink"};
    if (d->traced)
        draw_server_trace(d);
    for (int i = 0; i < 2 && !d->traced; i++)
        if (one_in(d, 2))
            fprintf(d->out, " %s = \"%.3f kB/s\";", sides[i], d->size * scale(d, 1, 100));
        else if (one_in(d, 3))
            fprintf(d->out, " %s = \"%u kB/s\";", sides[i], d->size * (4 + below(d, 20)));
    if (one_in(d, 3))
        fprintf(d->out, " jitter = 0.5;%s", one_in(d, 2) ? " latency_jitter = 0.5;" : "");
    if (newer_trace) {
        draw_client_traces(d);
    } else if (!d->simgrid && one_in(d, 3)) {
        FILE *trace = open_in(d, "trace.csv");
        fprintf(trace, "t_s,factor\n0,1\n%u,0.3\n11,2.5\n30,%s\n42,1\n", 5 + below(d, 5),
            ONE_OF(d, "0", "0.1", "1.5"));
        fclose(trace);
        fprintf(d->out, " trace = \"trace.csv\"; trace_phase = \"%s\";", ONE_OF(d, "shared", "random"));
    }
    if (d->states)
        draw_by_state(d);
    fputs(" };\n", d->out);
}

static void draw_speed(struct draw *d) {
    fprintf(d->out, " compute = \"flops\"; overhead = \"%u s\"; slowdown = %s; speed = ", below(d, 4),
        ONE_OF(d, "1", "2.5"));
    switch (below(d, 3)) {
    case 0:
        fprintf(d->out, "\"%u kflop/s\";", 20 * d->size);
        break;
    case 1:
        fprintf(
            d->out, "{ distribution = \"lognormal\"; median = \"%u kflop/s\"; sigma = 0.7; };", 40 * d->size);
        break;
    default:
        fprintf(d->out, "{ distribution = \"uniform\"; low = \"%u kflop/s\"; high = \"%u kflop/s\"; };",
            4 * d->size, 100 * d->size);
    }
}

static void draw_devices(struct draw *d) {
    fputs("devices = {", d->out);
    bool none = false;
    if (!d->trains || one_in(d, 4)) {
        const char *compute = ONE_OF(d, " compute = \"fixed\"; overhead = \"4 s\";", " compute = \"none\";");
        none = strstr(compute, "none") != NULL;
        fputs(compute, d->out);
    } else {
        draw_speed(d);
    }
    if (d->states && !none && !strstr(d->eligible, "idle") && !one_in(d, 3))
        fprintf(d->out, " in_use = %s;", ONE_OF(d, "0.5", "0.25", "1"));
    if (one_in(d, 6))
        fprintf(d->out, " memory = { distribution = \"uniform\"; low = \"%u kB\"; high = \"%u kB\"; };",
            d->size, 8 * d->size);
    if (d->newer && (d->state >> 20) % 3 == 0) /* all else stays as it was drawn without this */
        fputs(" power_awake = \"0.5 W\";", d->out);
    fputs(" };\n", d->out);
    if (d->traced)
        fputs("server = { trace = \"server.csv\"; };\n", d->out);
    else if (one_in(d, 2))
        fprintf(d->out, "server = {%s overhead = \"%u s\"; };\n",
            ONE_OF(d, " speed = \"1 kflop/s\";", " speed = \"0.1 Mflop/s\";", ""), below(d, 5));
}

void draw_scenario(uint64_t number, const char *folder) {
    struct draw draw = {.state = number, .folder = folder, .newer = number > FIRST_NEWER}, *d = &draw;
    d->out = open_in(d, "s.cfg");
    const char *backend = ONE_OF(d, "actors", "calendar", "simgrid");
    d->simgrid = strcmp(backend, "simgrid") == 0;
    d->trains = !one_in(d, 4);
    d->tcp = !d->simgrid && !one_in(d, 3);
    d->size = d->tcp ? 16 : 1;
    d->states = d->newer && one_in(d, 3);
    if (d->states && d->simgrid)
        d->eligible = ONE_OF(d, "wifi", "wifi, charging");
    else if (d->states)
        d->eligible =
            ONE_OF(d, "any", "any", "wifi", "charging", "idle", "wifi, charging, idle", "wifi, idle");
    struct draw aside = draw_aside(d);
    d->curves = d->states && one_in(&aside, 3);
    fprintf(d->out, "seed = %llu;\nengine = { backend = \"%s\"; };\ntraining = { enabled = %s; };\n",
        (unsigned long long)number, backend, d->trains ? "true" : "false");
    draw_data(d);
    draw_method(d);
    draw_network(d);
    draw_devices(d);
    draw_availability(d);
    draw_failures(d);
    draw_rounds(d);
    if (d->newer && (!one_in(d, 4) || d->to_caps))
        draw_caps(d);
    fclose(d->out);
}
