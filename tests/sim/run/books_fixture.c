#include "tests/sim/run/books_fixture.h"
#include "tests/sim/run/audit.h"

#define SAME 1e-9

/* Times are written with 15 digits: each is off by up to 5e-15 of itself, and two of them by twice as much.
 */
#define TIME_SLACK(time_s) (1e-9 + 1.1e-14 * fabs(time_s))

const char *const books_outcomes[N_WAYS] = {"delivered", "late", "cut", "unavailable", "dropped_down",
    "dropped_compute", "dropped_up", "refused", "ended", "dropped_post"};
const char *const books_phases[N_PHASES] = {
    "encode", "contact", "setup", "down", "queue", "compute", "up", "post"};
const char *const books_causes[N_CAUSES] = {
    "none", "offline", "device", "connection", "server_restart", "round_closed", "void_round", "end_of_run"};

size_t books_index(const char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (name && strcmp(names[i], name) == 0)
            return i;
    ck_abort_msg("unknown name \"%s\"", name ? name : "");
    return n;
}

/* Everything a run has left behind. */
struct open_rows {
    struct table rounds, clients;
    json_t *summary;
    struct books_rules rules;
};

/* Sums over lines of events.ndjson, as columns of rounds.csv; of the first ones there is a column of what was
 * wasted, too. */
enum {
    SETUP_DOWN_B,
    SETUP_UP_B,
    DOWN_B,
    UP_B,
    FLOP,
    N_WASTED,
    RESENT_DOWN_B = N_WASTED,
    RESENT_UP_B,
    RETRIES,
    N_FIGURES
};
static const char *const figures[N_FIGURES] = {"setup_down_bytes", "setup_up_bytes", "down_bytes", "up_bytes",
    "flop", "resent_down_bytes", "resent_up_bytes", "retries"};

/* What events.ndjson says of one row. */
struct row {
    double outcomes[N_OUTCOMES], n, sums[N_FIGURES], wasted[N_WASTED], post_ended, post_lost;
};

/* A participation while its lines are read. */
struct part {
    double client, began_s, ended_s, computed_s, figures[N_FIGURES];
    size_t phase;
    bool open, broke, waits,
        connects;       /* its connection, as the last line says; it waited for the next, or opened it */
    double since_break; /* of a message that broke, the bytes that were not sent again yet */
    struct {            /* a download after the aggregation, as the figures above */
        double bytes, resent, since_break;
        bool begun, broke, waits;
    } receive;
    double lost_down; /* of one that did not arrive, what was not sent again */
};

enum { MAX_CLIENTS = 100 };

/* Until when a device is at work after an upload. */
static double busy_until_s[MAX_CLIENTS];

/* And how long it was waited for, as the lines say. */
static double queued_s[MAX_CLIENTS];

/* How long each client took to be connected, as the lines say. */
static double connected_s[MAX_CLIENTS];

/* What a client has moved in the period of its last participation, and in its fullest one. */
static struct { double period, spent, most; } moved[MAX_CLIENTS];

size_t books_capped, books_above;

static void agree(const char *what, double a, double b) {
    ck_assert_msg(close_to(a, b, SAME), "%s: %.15g and %.15g", what, a, b);
}

/* Durations of phases until last_s, from times that are written with 15 digits. */
static void agree_s(const char *what, double a_s, double b_s, double last_s) {
    ck_assert_msg(
        close_to(a_s, b_s, SAME) || fabs(a_s - b_s) <= 1e-13 * last_s, "%s: %.15g and %.15g", what, a_s, b_s);
}

static void check_row_times(const struct table *rounds, size_t i, double *end_s) {
    static const char *const parts[] = {"path_setup_s", "path_retry_s", "path_down_s", "path_compute_s",
        "path_up_s", "path_latency_s", "path_server_s", "path_wait_s", "path_edge_down_s", "path_edge_up_s",
        "path_edge_rounds_s"};
    double path_s = 0, start_s = cell(rounds, i, "start_s"), idle_s = cell(rounds, i, "idle_s"),
           restart_s = cell(rounds, i, "restart_s");
    for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
        ck_assert_double_ge(cell(rounds, i, parts[j]), 0);
        path_s += cell(rounds, i, parts[j]);
    }
    ck_assert_double_ge(idle_s, 0);
    ck_assert_double_ge(restart_s, 0);
    ck_assert_double_eq_tol(start_s, *end_s + idle_s + restart_s, TIME_SLACK(start_s));
    *end_s = cell(rounds, i, "end_s");
    ck_assert_double_ge(*end_s, start_s);
    ck_assert_double_eq_tol(cell(rounds, i, "duration_s"), *end_s - start_s, TIME_SLACK(*end_s));
    ck_assert_double_eq_tol(path_s, *end_s - start_s, 10 * TIME_SLACK(*end_s));
}

/* An attempt that was lost is followed by the next one at the same round. */
static void check_rounds(const struct open_rows *open_rows) {
    const struct table *rounds = &open_rows->rounds;
    double end_s = 0, round = 1, attempt = -1, kept = 0;
    for (size_t i = 0; i < rounds->n_rows; i++) {
        check_row_times(rounds, i, &end_s);
        ck_assert_double_eq(cell(rounds, i, "round"), round);
        ck_assert_double_gt(cell(rounds, i, "attempt"), attempt);
        attempt = cell(rounds, i, "attempt");
        if (!isnan(cell(rounds, i, "lost")))
            continue;
        round++;
        kept++;
        attempt = -1;
    }
    ck_assert_double_eq(json_path(open_rows->summary, "rounds", NULL), kept);
    agree("simulated_s", json_path(open_rows->summary, "simulated_s", NULL), end_s);
    agree("idle_s", json_path(open_rows->summary, "idle_s", NULL), column_sum(rounds, "idle_s"));
    agree("restart_s", json_path(open_rows->summary, "restart_s", NULL), column_sum(rounds, "restart_s"));
}

static void check_totals(const struct open_rows *open_rows) {
    static const struct {
        const char *first, *second, *column, *client_column;
    } sums[] = {{"participations", NULL, "selected", "participations"},
        {"bytes", "setup_down", "setup_down_bytes", "setup_down_bytes"},
        {"bytes", "setup_up", "setup_up_bytes", "setup_up_bytes"},
        {"bytes", "down", "down_bytes", "down_bytes"}, {"bytes", "up", "up_bytes", "up_bytes"},
        {"critical_path", "setup_s", "path_setup_s", NULL},
        {"nominal_bytes", "down", "nominal_down_bytes", NULL},
        {"nominal_bytes", "up", "nominal_up_bytes", NULL},
        {"bytes", "resent_down", "resent_down_bytes", "resent_down_bytes"},
        {"bytes", "resent_up", "resent_up_bytes", "resent_up_bytes"}, {"flop", NULL, "flop", "flop"},
        {"wasted_flop", NULL, "wasted_flop", NULL}, {"critical_path", "down_s", "path_down_s", NULL},
        {"critical_path", "up_s", "path_up_s", NULL}, {"critical_path", "retry_s", "path_retry_s", NULL},
        {"critical_path", "wait_s", "path_wait_s", NULL},
        {"critical_path", "edge_down_s", "path_edge_down_s", NULL},
        {"critical_path", "edge_up_s", "path_edge_up_s", NULL},
        {"critical_path", "edge_rounds_s", "path_edge_rounds_s", NULL}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        double total = json_path(open_rows->summary, sums[i].first, sums[i].second);
        agree(sums[i].column, total, column_sum(&open_rows->rounds, sums[i].column));
        if (sums[i].client_column)
            agree(sums[i].client_column, total, column_sum(&open_rows->clients, sums[i].client_column));
    }
    for (size_t i = 0; i < N_OUTCOMES; i++)
        agree(books_outcomes[i], json_path(open_rows->summary, "outcomes", books_outcomes[i]),
            column_sum(&open_rows->rounds, books_outcomes[i]));
    agree("wasted bytes", json_path(open_rows->summary, "bytes", "wasted"),
        column_sum(&open_rows->rounds, "wasted_down_bytes") +
            column_sum(&open_rows->rounds, "wasted_up_bytes"));
    agree("wasted bytes of connecting", json_path(open_rows->summary, "bytes", "setup_wasted"),
        column_sum(&open_rows->rounds, "wasted_setup_down_bytes") +
            column_sum(&open_rows->rounds, "wasted_setup_up_bytes"));
    double wasted = 0, setup_wasted = 0;
    const char *cause;
    json_t *waste;
    json_object_foreach(json_object_get(open_rows->summary, "waste_by_cause"), cause, waste) {
        wasted += json_of(waste, "down_bytes") + json_of(waste, "up_bytes");
        setup_wasted += json_of(waste, "setup_down_bytes") + json_of(waste, "setup_up_bytes");
    }
    agree("wasted by cause", json_path(open_rows->summary, "bytes", "wasted"), wasted);
    agree("connecting wasted by cause", json_path(open_rows->summary, "bytes", "setup_wasted"), setup_wasted);
}

static void check_row(const struct open_rows *open_rows, size_t i, const struct row *row) {
    agree("participations", row->n, cell(&open_rows->rounds, i, "selected"));
    for (size_t j = 0; j < N_OUTCOMES; j++)
        agree(books_outcomes[j], row->outcomes[j], cell(&open_rows->rounds, i, books_outcomes[j]));
    for (size_t j = 0; j < N_FIGURES; j++)
        agree(figures[j], row->sums[j], cell(&open_rows->rounds, i, figures[j]));
    for (size_t j = 0; j < N_WASTED; j++) {
        char *column = frs_format("wasted_%s", figures[j]);
        agree(column, row->wasted[j], cell(&open_rows->rounds, i, column));
        free(column);
    }
    agree("post_ended", row->post_ended, cell(&open_rows->rounds, i, "post_ended"));
    agree("post_lost", row->post_lost, cell(&open_rows->rounds, i, "post_lost"));
}

/* What crosses belongs to no message. */
static void read_setup(struct part *part, json_t *line) {
    double down = json_of(line, "down_bytes"), up = json_of(line, "up_bytes");
    ck_assert_double_eq(down + up, json_of(line, "bytes"));
    ck_assert(down == 0 || up == 932 || up == 206); /* the server answers */
    part->figures[SETUP_DOWN_B] += down;
    part->figures[SETUP_UP_B] += up;
    connected_s[(size_t)part->client] += json_of(line, "t1_s") - json_of(line, "t0_s");
}

/* A message whose connection broke is followed by the wait, then a connection, if opening one takes
 * anything, and another try: bytes that had crossed are kept, or sent again. */
static bool read_retry(struct part *part, json_t *line) {
    bool waits = strcmp(json_string_value(json_object_get(line, "phase")), "retry") == 0;
    ck_assert((part->open && part->broke) == waits);
    if (waits) {
        ck_assert_double_eq(json_of(line, "client"), part->client);
        ck_assert_double_eq(json_of(line, "t0_s"), part->ended_s);
        part->ended_s = json_of(line, "t1_s");
    }
    part->broke = json_is_true(json_object_get(line, "broke"));
    part->waits = waits;
    return waits;
}

static void read_try(struct part *part, size_t phase, const struct open_rows *open_rows) {
    if (!open_rows->rules.resumes)
        part->figures[phase == UP ? RESENT_UP_B : RESENT_DOWN_B] += part->since_break;
    part->since_break = 0;
}

/* A download after the aggregation, behind the upload: connecting, if that takes anything, and its tries. */
static bool read_receive(struct part *part, json_t *line, const struct open_rows *open_rows, size_t i) {
    const char *name = json_string_value(json_object_get(line, "phase"));
    double t0 = json_of(line, "t0_s"), t1 = json_of(line, "t1_s"), bytes = json_of(line, "bytes");
    if (!part->open || part->phase != UP || part->broke || part->waits || part->connects)
        return false;
    ck_assert_double_eq(json_of(line, "client"), part->client);
    ck_assert(part->receive.begun ? t0 == part->ended_s : t0 >= part->ended_s);
    ck_assert_double_ge(t1, t0);
    ck_assert(t1 <= cell(&open_rows->rounds, i, "end_s") + TIME_SLACK(t1));
    ck_assert((strcmp(name, "retry") == 0) == part->receive.broke);
    part->receive.begun = true;
    part->ended_s = t1;
    part->figures[RETRIES] += part->receive.waits;
    part->receive.waits = strcmp(name, "retry") == 0;
    part->receive.broke = json_is_true(json_object_get(line, "broke"));
    if (strcmp(name, "setup") == 0)
        read_setup(part, line);
    if (strcmp(name, "receive") == 0) {
        part->receive.resent += open_rows->rules.resumes ? 0 : part->receive.since_break;
        part->receive.since_break = part->receive.broke ? bytes : 0;
        part->receive.bytes += bytes;
        if (json_object_get(line, "capacity_bytes_per_s"))
            audit_message(line);
    }
    if (json_object_get(line, "outcome")) {
        part->figures[DOWN_B] += part->receive.bytes;
        part->figures[RESENT_DOWN_B] += part->receive.resent;
        part->lost_down = json_object_get(line, "lost") ? part->receive.bytes - part->receive.resent : 0;
    }
    return true;
}

/* The first phase begins with the row; each later one where the last one ended. */
static void read_phase(struct part *part, json_t *line, const struct open_rows *open_rows, size_t i) {
    bool waited = part->open && part->waits, again = waited || (part->open && part->connects);
    if (read_receive(part, line, open_rows, i) || read_retry(part, line))
        return;
    double t0 = json_of(line, "t0_s"), t1 = json_of(line, "t1_s");
    size_t phase = books_index(books_phases, N_PHASES, json_string_value(json_object_get(line, "phase")));
    bool connects = waited && phase == SETUP;
    part->connects = connects;
    part->figures[RETRIES] += waited;
    if (part->open) {
        ck_assert_double_eq(json_of(line, "client"), part->client);
        ck_assert(again ? phase == part->phase || connects
                        : phase == part->phase + 1 || (part->phase == DOWN && phase == COMPUTE) ||
                              (part->phase == ENCODE && (phase == SETUP || phase == DOWN)));
        ck_assert_uint_ne(part->phase, CONTACT);
        ck_assert_double_eq(t0, part->ended_s);
    } else {
        ck_assert_msg(json_of(line, "client") > part->client ||
                          (open_rows->rules.asynchronous && json_of(line, "client") == part->client),
            "clients are not in order");
        *part = (struct part){
            .client = json_of(line, "client"), .began_s = t0, .open = true, .broke = part->broke};
        ck_assert_uint_le(phase, DOWN);
        ck_assert(open_rows->rules.asynchronous || t0 >= cell(&open_rows->rounds, i, "start_s"));
    }
    ck_assert_double_ge(t1, t0);
    ck_assert(open_rows->rules.runs_on || t1 <= cell(&open_rows->rounds, i, "end_s") + TIME_SLACK(t1));
    if (phase == QUEUE || phase == COMPUTE) { /* a device computes one thing at a time, and waits no longer */
        double busy_s = busy_until_s[(size_t)part->client];
        ck_assert(
            phase == QUEUE ? t0 < busy_s && t1 <= busy_s + TIME_SLACK(t1) : t0 >= busy_s - TIME_SLACK(t0));
    }
    queued_s[(size_t)part->client] += phase == QUEUE ? t1 - t0 : 0;
    if (json_object_get(line, "capacity_bytes_per_s"))
        audit_message(line);
    if (phase == SETUP)
        read_setup(part, line);
    if (!connects)
        part->phase = phase;
    part->ended_s = t1;
    if (phase == COMPUTE)
        part->computed_s = t1;
    if (again && !connects)
        read_try(part, phase, open_rows);
    part->since_break += part->broke ? json_of(line, "bytes") : 0;
    if (phase != SETUP)
        part->figures[phase == UP ? UP_B : DOWN_B] += json_of(line, "bytes");
    part->figures[FLOP] += json_of(line, "flop");
}

/* For the period in which it was selected; one that begins at a time of more than 15 digits has begun. */
static void add_moved(const struct part *part, double period_s) {
    size_t client = (size_t)part->client;
    double period = floor(part->began_s / period_s * (1 + 1e-14));
    if (moved[client].period != period)
        moved[client].spent = 0;
    moved[client].period = period;
    moved[client].spent +=
        part->figures[SETUP_DOWN_B] + part->figures[SETUP_UP_B] + part->figures[DOWN_B] + part->figures[UP_B];
    moved[client].most = fmax(moved[client].most, moved[client].spent);
}

/* No client exceeds a cap by more than the stated amount, nor is that amount larger than the most by which
 * a participation took more than expected. */
static void check_cap(json_t *caps, double most, const char *cap, const char *excess, const char *error) {
    if (!json_object_get(caps, cap))
        return;
    double above = most - json_of(caps, cap);
    ck_assert_double_ge(json_of(caps, error), 0);
    agree(excess, above > 0 ? above : 0, json_of(caps, excess));
    ck_assert_msg(json_of(caps, excess) <= json_of(caps, error) * (1 + SAME), "%s: %.15g above, and %s %.15g",
        cap, above, error, json_of(caps, error));
    books_capped++;
    books_above += above > 0;
}

static void check_caps(const struct open_rows *open_rows) {
    json_t *caps = json_object_get(open_rows->summary, "caps");
    double most = 0;
    for (size_t client = 0; client < MAX_CLIENTS; client++)
        most = fmax(most, moved[client].most);
    agree("per_client.max_bytes", most, json_path(open_rows->summary, "per_client", "max_bytes"));
    if (!caps)
        return;
    check_cap(caps, most, "bytes", "most_excess_bytes", "most_error_bytes");
    check_cap(caps, json_path(open_rows->summary, "per_client", "max_energy_j"), "energy_j", "most_excess_j",
        "most_error_j");
    check_cap(caps, json_path(open_rows->summary, "per_client", "max_metered_bytes"), "metered_bytes",
        "most_excess_metered_bytes", "most_error_metered_bytes");
}

static void end_part(struct part *part, json_t *line, bool lost, struct row *row, books_seen seen) {
    json_t *named = json_object_get(line, "cause");
    size_t outcome =
        books_index(books_outcomes, N_OUTCOMES, json_string_value(json_object_get(line, "outcome")));
    size_t cause = books_index(books_causes, N_CAUSES, named ? json_string_value(named) : "none");
    bool arrived = outcome == DELIVERED || outcome == LATE, used = arrived && cause == 0 && !lost;
    ck_assert(!arrived || (part->phase == UP && !part->waits && !part->connects));
    ck_assert(!part->broke);
    ck_assert(!lost || cause != 0 || (!arrived && outcome == REFUSED));
    seen[outcome][part->phase][cause]++;
    part->open = false;
    row->outcomes[outcome]++;
    row->n++;
    for (size_t i = 0; i < N_FIGURES; i++)
        row->sums[i] += part->figures[i];
    for (size_t i = 0; i < N_WASTED; i++)
        row->wasted[i] += used ? 0 : part->figures[i];
    row->wasted[DOWN_B] += used ? part->figures[RESENT_DOWN_B] + part->lost_down : 0;
    row->wasted[UP_B] += used ? part->figures[RESENT_UP_B] : 0;
}

/* Begins with the upload; what ended is used, whatever became of that. */
static void read_post(const struct part *part, json_t *line, struct row *row, books_seen seen) {
    json_t *named = json_object_get(line, "cause");
    double t0 = json_of(line, "t0_s"), t1 = json_of(line, "t1_s"), flop = json_of(line, "flop");
    size_t outcome = books_index(books_outcomes, N_WAYS, json_string_value(json_object_get(line, "outcome")));
    ck_assert(outcome >= ENDED || outcome == CUT);
    ck_assert(!part->open && part->phase == UP);
    ck_assert_double_eq(json_of(line, "client"), part->client);
    ck_assert_double_eq(json_of(line, "bytes"), 0);
    ck_assert_double_eq(t0, part->computed_s);
    ck_assert_double_ge(t1, t0);
    ck_assert_double_ge(flop, 0);
    busy_until_s[(size_t)part->client] = t1;
    seen[outcome][POST][books_index(books_causes, N_CAUSES, named ? json_string_value(named) : "none")]++;
    row->sums[FLOP] += flop;
    row->wasted[FLOP] += outcome == ENDED ? 0 : flop;
    *(outcome == ENDED ? &row->post_ended : &row->post_lost) += 1;
}

/* Every participation ends once, in one outcome; the lines of a row of rounds.csv add up to it. */
static void check_events(const struct open_rows *open_rows, const char *out, books_seen seen) {
    char *path = frs_format("%s/events.ndjson", out);
    FILE *file = folder_open(path, "r");
    const struct table *rounds = &open_rows->rounds;
    struct row row = {0};
    struct part part = {.client = -1};
    double period_s = json_path(open_rows->summary, "per_client", "period_s");
    size_t i = 0;
    memset(moved, 0, sizeof moved);
    memset(busy_until_s, 0, sizeof busy_until_s);
    memset(queued_s, 0, sizeof queued_s);
    memset(connected_s, 0, sizeof connected_s);
    for (json_t *line; (line = next_line(file)); json_decref(line)) {
        ck_assert_uint_lt(i, rounds->n_rows);
        if (json_of(line, "round") != cell(rounds, i, "round") ||
            json_of(line, "attempt") != cell(rounds, i, "attempt")) {
            ck_assert(!part.open);
            check_row(open_rows, i++, &row);
            ck_assert_uint_lt(i, rounds->n_rows);
            ck_assert_double_eq(json_of(line, "round"), cell(rounds, i, "round"));
            ck_assert_double_eq(json_of(line, "attempt"), cell(rounds, i, "attempt"));
            row = (struct row){0};
            part.client = -1;
        }
        if (strcmp(json_string_value(json_object_get(line, "phase")), "post") == 0) {
            read_post(&part, line, &row, seen);
            continue;
        }
        read_phase(&part, line, open_rows, i);
        if (!json_object_get(line, "outcome"))
            continue;
        end_part(&part, line, !isnan(cell(rounds, i, "lost")), &row, seen);
        add_moved(&part, period_s);
    }
    ck_assert(!part.open);
    if (rounds->n_rows > 0)
        check_row(open_rows, i++, &row);
    ck_assert_uint_eq(i, rounds->n_rows);
    fclose(file);
    free(path);
    audit_clients(&open_rows->clients, queued_s);
    for (size_t client = 0; client < open_rows->clients.n_rows; client++)
        agree_s("setup_s", cell(&open_rows->clients, client, "setup_s"), connected_s[client],
            cell(rounds, rounds->n_rows - 1, "end_s"));
}

void books_check(const char *out, struct books_rules rules, const char *status, books_seen seen) {
    struct open_rows open_rows = {.rules = rules,
        .rounds = table_load(out, "rounds.csv"),
        .clients = table_load(out, "clients.csv"),
        .summary = load_json(out, "summary.json")};
    ck_assert_str_eq(json_string_value(json_object_get(open_rows.summary, "status")), status);
    check_rounds(&open_rows);
    check_totals(&open_rows);
    check_events(&open_rows, out, seen);
    check_caps(&open_rows);
    table_fini(&open_rows.rounds);
    table_fini(&open_rows.clients);
    json_decref(open_rows.summary);
}
