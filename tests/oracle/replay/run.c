/* Reading a run's folder. */
#include "run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const phase_names[N_PHASES] = {
    "encode", "contact", "setup", "down", "queue", "compute", "up", "retry"};
const char *const outcome_names[N_OUTCOMES] = {
    "delivered", "late", "cut", "unavailable", "dropped_down", "dropped_compute", "dropped_up", "refused"};
const char *const post_names[N_POST_OUTCOMES] = {"ended", "dropped_post", "cut"};
const char *const cause_names[N_CAUSES] = {"none", "offline", "ineligible", "device", "connection",
    "server_restart", "round_closed", "void_round", "end_of_run", "resent"};

static _Noreturn void give_up(const char *folder, const char *file, const char *why) {
    fprintf(stderr, "replay: %s/%s: %s\n", folder, file, why);
    exit(2);
}

static void *grown(void *array, size_t n, size_t size) {
    if ((n & (n - 1)) != 0)
        return array;
    array = realloc(array, (n ? 2 * n : 1) * size);
    if (!array)
        abort();
    return array;
}

int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static FILE *open_file(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        give_up(folder, name, "cannot be opened");
    return file;
}

static json_t *read_json(const char *folder, const char *name) {
    FILE *file = open_file(folder, name);
    json_t *json = json_loadf(file, 0, NULL);
    fclose(file);
    if (!json)
        give_up(folder, name, "is not JSON");
    return json;
}

/* ------------------------------------------------------------------ CSV */

static size_t split(char *line, char ***fields, size_t n) {
    line[strcspn(line, "\n")] = '\0';
    for (char *at; (at = strsep(&line, ",")); n++) {
        *fields = grown(*fields, n, sizeof **fields);
        (*fields)[n] = strdup(at);
    }
    return n;
}

struct table table_read(const char *folder, const char *name) {
    struct table table = {0};
    FILE *file = open_file(folder, name);
    char *line = NULL;
    size_t size = 0, n = 0;
    if (getline(&line, &size, file) <= 0)
        give_up(folder, name, "is empty");
    table.n_columns = split(line, &table.names, 0);
    while (getline(&line, &size, file) > 0) {
        n = split(line, &table.fields, n);
        if (n != ++table.n_rows * table.n_columns)
            give_up(folder, name, "has lines of different lengths");
    }
    free(line);
    fclose(file);
    return table;
}

void table_free(struct table *table) {
    for (size_t i = 0; i < table->n_columns; i++)
        free(table->names[i]);
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++)
        free(table->fields[i]);
    free(table->names);
    free(table->fields);
}

static size_t column_of(const struct table *table, const char *name) {
    size_t i = 0;
    while (i < table->n_columns && strcmp(table->names[i], name) != 0)
        i++;
    return i;
}

const char *field_text(const struct table *table, size_t row, const char *column) {
    size_t i = column_of(table, column);
    if (i == table->n_columns || row >= table->n_rows) {
        fprintf(stderr, "replay: no column %s\n", column);
        exit(2);
    }
    return table->fields[row * table->n_columns + i];
}

double field(const struct table *table, size_t row, const char *column) {
    const char *text = field_text(table, row, column);
    return strcmp(text, "unlimited") == 0 ? INFINITY : *text ? strtod(text, NULL) : NAN;
}

/* ------------------------------------------------------------- scenario */

const char *scenario_text(const struct scenario *scenario, const char *key) {
    const char *text = json_string_value(json_object_get(scenario->keys, key));
    return text ? text : "";
}

double scenario_number(const struct scenario *scenario, const char *key) {
    const char *text = scenario_text(scenario, key);
    return strcmp(text, "unlimited") == 0 ? INFINITY : strtod(text, NULL);
}

bool scenario_jitters(const struct scenario *scenario, const char *key) {
    return scenario_number(scenario, key) > 0 || *scenario_text(scenario, "network.classes");
}

static const struct connection connections[] = {
    {"tls", 3, 2, {3966, 932}}, {"tcp", 2, 1, {66, 206}}, {"kept", 0, 0, {0, 0}}};

static const struct connection *connection_named(const char *name) {
    for (size_t i = 0; i < sizeof connections / sizeof *connections; i++)
        if (strcmp(connections[i].name, name) == 0)
            return connections + i;
    return NULL;
}

static struct step *new_steps(size_t n) {
    struct step *steps = calloc(n, sizeof *steps);
    if (!steps)
        abort();
    return steps;
}

/* Shares of packets that are payload make every capacity smaller. */
static struct capacity server_link(const struct scenario *s, const char *key) {
    double share = scenario_number(s, "network.payload_share"), rate = scenario_number(s, key);
    struct capacity capacity = {.steps = new_steps(1), .n = 1};
    capacity.steps[0] =
        (struct step){-INFINITY, isinf(rate) || !(share > 0) ? rate : fmax(1, round(share * rate))};
    return capacity;
}

/* "2 s, 5 s" */
static void read_restarts(struct scenario *scenario) {
    const char *at = scenario_text(scenario, "failures.server_restarts");
    for (char *end; *at; at = *end ? end + 1 : end) {
        double time_s = strtod(at, &end);
        scenario->restarts_s = grown(scenario->restarts_s, scenario->n_restarts, sizeof(double));
        scenario->restarts_s[scenario->n_restarts++] = time_s;
        end += strcspn(end, ",");
    }
}

/* A count, or "80 %" of the cohort. */
static size_t of_cohort(const struct scenario *s, const char *key) {
    double number = scenario_number(s, key);
    return (
        size_t)(strchr(scenario_text(s, key), '%') ? ceil(number / 100 * (double)s->cohort - 1e-9) : number);
}

static struct scenario read_scenario(const json_t *manifest) {
    struct scenario s = {.keys = json_object_get(manifest, "scenario")};
    s.policy = scenario_text(&s, "rounds.policy.name");
    s.compute = scenario_text(&s, "devices.compute");
    s.backend = json_string_value(json_object_get(json_object_get(manifest, "engine"), "backend"));
    s.overhead_s = scenario_number(&s, "devices.overhead");
    s.slowdown = scenario_number(&s, "devices.slowdown");
    s.server_overhead_s = scenario_number(&s, "server.overhead");
    s.server_speed = scenario_number(&s, "server.speed");
    s.server_link[0] = server_link(&s, "network.server_downlink");
    s.server_link[1] = server_link(&s, "network.server_uplink");
    s.detect_s = scenario_number(&s, "failures.detect");
    s.restart_s = scenario_number(&s, "failures.restart");
    s.contact_timeout_s = scenario_number(&s, "rounds.selection.contact_timeout");
    s.after_s = scenario_number(&s, "rounds.policy.after");
    s.grace_s = scenario_number(&s, "rounds.policy.grace");
    s.then_s = scenario_number(&s, "rounds.policy.then");
    s.share = scenario_number(&s, "rounds.policy.share");
    s.quorum = scenario_number(&s, "rounds.policy.quorum");
    s.patience = scenario_number(&s, "rounds.policy.patience");
    s.cohort = (size_t)scenario_number(&s, "rounds.cohort");
    s.arrivals = (size_t)scenario_number(&s, "rounds.policy.arrivals");
    s.uploads = of_cohort(&s, "rounds.policy.uploads");
    s.min_uploads = (size_t)scenario_number(&s, "rounds.policy.min_uploads");
    s.late_rounds = (size_t)scenario_number(&s, "rounds.policy.late_rounds");
    s.runs_on = strcmp(scenario_text(&s, "rounds.stragglers"), "run_on") == 0;
    s.accepts_late = strcmp(scenario_text(&s, "rounds.policy.late"), "accept") == 0;
    s.asynchronous = strcmp(s.policy, "buffered_async") == 0;
    s.lv08 = strcmp(scenario_text(&s, "network.model"), "lv08") == 0;
    s.tcp = strcmp(scenario_text(&s, "network.model"), "tcp") == 0;
    s.delivers = strcmp(scenario_text(&s, "method.server.correction.name"), "fedawe") == 0;
    s.connection = s.tcp ? connection_named(scenario_text(&s, "network.connection")) : NULL;
    s.connection_anew = s.connection && s.connection->up_latencies > 0 ? s.connection : connections;
    s.retries = (size_t)scenario_number(&s, "failures.retry.times");
    s.retry_after_s = scenario_number(&s, "failures.retry.after");
    s.retry_backoff = scenario_number(&s, "failures.retry.backoff");
    s.retry_longest_s = scenario_number(&s, "failures.retry.longest");
    s.resumes = strcmp(scenario_text(&s, "failures.retry.resume"), "true") == 0;
    read_restarts(&s);
    return s;
}

/* --------------------------------------------------------------- events */

static size_t index_of(const char *const *names, size_t n, const char *name) {
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static double number(const json_t *line, const char *key) {
    return json_number_value(json_object_get(line, key));
}

static const char *text(const json_t *line, const char *key) {
    const char *value = json_string_value(json_object_get(line, key));
    return value ? value : "none";
}

static double rate_of(const json_t *rate) {
    return json_is_number(rate) ? json_number_value(rate) : INFINITY;
}

/* A number, null for an unlimited one, or an array of [from_s, bytes_per_s]. */
static struct capacity read_capacity(const json_t *json) {
    struct capacity capacity = {.n = json_is_array(json) ? json_array_size(json) : 1};
    capacity.steps = new_steps(capacity.n);
    capacity.steps[0] = (struct step){-INFINITY, rate_of(json)};
    for (size_t i = 0; json_is_array(json) && i < capacity.n; i++) {
        const json_t *pair = json_array_get(json, i);
        capacity.steps[i] =
            (struct step){json_number_value(json_array_get(pair, 0)), rate_of(json_array_get(pair, 1))};
    }
    return capacity;
}

static void read_windows(struct phase *phase, const json_t *windows) {
    phase->n_windows = json_array_size(windows);
    phase->windows = calloc(phase->n_windows + 1, sizeof *phase->windows);
    if (!phase->windows)
        abort();
    for (size_t i = 0; i < phase->n_windows; i++) {
        const json_t *pair = json_array_get(windows, i);
        phase->windows[i] = (struct told_window){
            json_number_value(json_array_get(pair, 0)), json_number_value(json_array_get(pair, 1))};
    }
}

static void read_message(struct phase *phase, const json_t *line) {
    const json_t *capacity = json_object_get(line, "capacity_bytes_per_s"),
                 *drawn = json_object_get(line, "slow_start_bytes_per_s");
    phase->latency_s = number(line, "latency_s");
    phase->capacity = read_capacity(capacity);
    phase->in_slow_start = json_object_get(line, "round_trip_s") != NULL;
    phase->round_trip_s = number(line, "round_trip_s");
    phase->slow_start_rate = rate_of(drawn ? drawn : capacity);
    phase->first_window = json_object_get(line, "window_bytes") ? number(line, "window_bytes") : 14480;
    read_windows(phase, json_object_get(line, "windows"));
}

static void read_setup(struct phase *phase, const json_t *line) {
    phase->setup_latency_s = number(line, "latency_s");
    phase->setup_bytes[0] = number(line, "down_bytes");
    phase->setup_bytes[1] = number(line, "up_bytes");
    phase->setup_capacity[0] = read_capacity(json_object_get(line, "down_capacity_bytes_per_s"));
    phase->setup_capacity[1] = read_capacity(json_object_get(line, "up_capacity_bytes_per_s"));
}

static struct phase read_phase(const json_t *line) {
    struct phase phase = {.bytes = number(line, "bytes"), .flop = number(line, "flop")};
    bool receives = strcmp(text(line, "phase"), "receive") == 0;
    phase.kind = receives ? DOWN : index_of(phase_names, N_PHASES, text(line, "phase"));
    phase.t0_s = number(line, "t0_s");
    phase.t1_s = number(line, "t1_s");
    phase.broke = json_is_true(json_object_get(line, "broke"));
    if (phase.kind == DOWN || phase.kind == UP)
        read_message(&phase, line);
    if (phase.kind == SETUP)
        read_setup(&phase, line);
    return phase;
}

static size_t row_of(const struct table *rounds, size_t row, const json_t *line) {
    while (row < rounds->n_rows && (field(rounds, row, "round") != number(line, "round") ||
                                       field(rounds, row, "attempt") != number(line, "attempt")))
        row++;
    return row;
}

static void add_phase(struct part *part, const struct phase *phase) {
    part->phases = grown(part->phases, part->n_phases, sizeof *part->phases);
    part->phases[part->n_phases++] = *phase;
}

/* What follows a whole upload is the download after the aggregation. */
static bool has_uploaded(const struct part *part) {
    return part->n_phases > 0 && last_phase(part)->kind == UP && !last_phase(part)->broke;
}

/* `open`: the line is of the same download as the one before. */
static void read_delivery(
    struct run *run, struct part *part, const struct phase *phase, const json_t *line, bool open) {
    if (!open) {
        run->deliveries = grown(run->deliveries, run->n_deliveries, sizeof *run->deliveries);
        run->deliveries[run->n_deliveries++] =
            (struct part){.client = part->client, .row = part->row, .loss = NAN, .group = NAN};
    }
    struct part *delivery = run->deliveries + run->n_deliveries - 1;
    add_phase(delivery, phase);
    if (!json_object_get(line, "outcome"))
        return;
    delivery->cause = index_of(cause_names, N_CAUSES, text(line, "lost"));
    delivery->outcome = delivery->cause == NO_CAUSE         ? DELIVERED
                        : delivery->cause == SERVER_RESTART ? CUT
                        : phase->kind == CONTACT            ? UNAVAILABLE
                                                            : DROPPED_DOWN;
}

/* Both are in the order of rows, and within one by client. */
static void link_deliveries(struct run *run) {
    size_t at = 0;
    for (size_t i = 0; i < run->n_deliveries; i++) {
        struct part *delivery = run->deliveries + i;
        while (run->parts[at].row != delivery->row || run->parts[at].client != delivery->client)
            at++;
        delivery->of = run->parts + at;
        run->parts[at].delivery = delivery;
    }
}

/* Lines of one participation follow each other, its work after the upload last. */
static void read_events(struct run *run, const char *folder) {
    FILE *file = open_file(folder, "events.ndjson");
    bool open = false, delivers = false;
    size_t row = 0;
    for (json_t *line; (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)); json_decref(line)) {
        size_t client = (size_t)number(line, "client");
        bool post = strcmp(text(line, "phase"), "post") == 0;
        struct phase phase = read_phase(line);
        row = row_of(&run->rounds, row, line);
        if (row == run->rounds.n_rows)
            give_up(folder, "events.ndjson", "names a round that rounds.csv has not, or out of order");
        if (!open && !post) {
            run->parts = grown(run->parts, run->n_parts, sizeof *run->parts);
            run->parts[run->n_parts++] = (struct part){.client = client,
                .row = row,
                .budget = (unsigned)number(line, "budget"),
                .predicted_s = number(line, "predicted_s"),
                .worth = number(line, "worth"),
                .group = json_object_get(line, "group") ? number(line, "group") : NAN,
                .loss = NAN};
            open = true;
            delivers = false;
        }
        struct part *part = run->parts + run->n_parts - 1;
        if (run->n_parts == 0 || part->client != client || part->row != row || (post && open))
            give_up(folder, "events.ndjson", "has a participation without an end");
        if (post) {
            part->works_on = true;
            part->post = phase;
            part->post_outcome = index_of(post_names, N_POST_OUTCOMES, text(line, "outcome"));
            part->post_cause = index_of(cause_names, N_CAUSES, text(line, "cause"));
            continue;
        }
        if (phase.kind == N_PHASES)
            give_up(folder, "events.ndjson", "has an unknown phase");
        bool nothing = run->scenario.delivers && phase.kind == DOWN && !has_uploaded(part);
        if (nothing && (phase.bytes > 0 || phase.t1_s != phase.t0_s))
            give_up(
                folder, "events.ndjson", "has a download at the start, where they follow the aggregation");
        if (has_uploaded(part)) {
            read_delivery(run, part, &phase, line, delivers);
            delivers = true;
        } else if (nothing) {
            free(phase.capacity.steps);
            free(phase.windows);
        } else {
            add_phase(part, &phase);
        }
        if (json_object_get(line, "outcome")) {
            part->outcome = index_of(outcome_names, N_OUTCOMES, text(line, "outcome"));
            part->cause = index_of(cause_names, N_CAUSES, text(line, "cause"));
            part->staleness = number(line, "staleness");
            if (json_object_get(line, "loss"))
                part->loss = number(line, "loss");
            open = false;
        }
    }
    fclose(file);
    if (open)
        give_up(folder, "events.ndjson", "ends in the middle of a participation");
    link_deliveries(run);
}

/* Receivers that have already answered on the connection: with TLS while they connect, and the server by
 * the download. A download after the aggregation begins on the connection of its upload, or with one. */
static void note_answers(const struct scenario *scenario, struct part *part) {
    const struct connection *connection = scenario->connection;
    bool first = true;
    if (part->of && part->phases[0].kind != SETUP) {
        first = false;
        for (size_t i = 0; i < part->of->n_phases; i++)
            if (part->of->phases[i].kind == RETRY || is_anew(part->of, part->of->phases + i))
                connection = scenario->connection_anew;
    }
    for (size_t i = 0; i < part->n_phases; i++) {
        struct phase *phase = part->phases + i;
        if (phase->kind == RETRY || (phase->kind == SETUP && is_anew(part, phase))) {
            connection = scenario->connection_anew;
            first = true;
        }
        if (phase->kind != DOWN && phase->kind != UP)
            continue;
        phase->answered =
            strcmp(connection->name, "tls") == 0 || (strcmp(connection->name, "tcp") == 0 && !first);
        first = false;
    }
}

static void index_rows(struct run *run) {
    run->first_part = calloc(run->rounds.n_rows + 1, sizeof *run->first_part);
    if (!run->first_part)
        abort();
    for (size_t i = 0, row = 0; row <= run->rounds.n_rows; row++) {
        while (i < run->n_parts && run->parts[i].row < row)
            i++;
        run->first_part[row] = i;
    }
}

struct run run_read(const char *folder) {
    struct run run = {.manifest = read_json(folder, "manifest.json"),
        .summary = read_json(folder, "summary.json"),
        .rounds = table_read(folder, "rounds.csv"),
        .clients = table_read(folder, "clients.csv")};
    run.scenario = read_scenario(run.manifest);
    if (run.scenario.tcp && !run.scenario.connection)
        give_up(folder, "manifest.json", "has an unknown network.connection");
    if (scenario_number(&run.scenario, "output.events_every") > 1)
        give_up(folder, "manifest.json",
            "runs that wrote events of some rounds (output.events_every) are not replayed");
    read_events(&run, folder);
    index_rows(&run);
    for (size_t i = 0; run.scenario.tcp && i < n_all_parts(&run); i++)
        note_answers(&run.scenario, any_part(&run, i));
    const char *wrong = follow_server_trace(&run, folder);
    if (wrong)
        give_up(folder, "manifest.json", wrong);
    return run;
}

static void phase_free(struct phase *phase) {
    free(phase->windows);
    free(phase->capacity.steps);
    free(phase->setup_capacity[0].steps);
    free(phase->setup_capacity[1].steps);
}

void run_free(struct run *run) {
    for (size_t i = 0; i < n_all_parts(run); i++) {
        struct part *part = any_part(run, i);
        for (size_t j = 0; j < part->n_phases; j++)
            phase_free(part->phases + j);
        free(part->phases);
    }
    free(run->parts);
    free(run->deliveries);
    free(run->first_part);
    free(run->scenario.restarts_s);
    free(run->scenario.server_link[0].steps);
    free(run->scenario.server_link[1].steps);
    table_free(&run->rounds);
    table_free(&run->clients);
    json_decref(run->manifest);
    json_decref(run->summary);
}
