/* Whatever is written into a scenario, a run ends: by itself, in time, with books that agree. Every scenario
 * is drawn from its number; the program checks its own invariants while it runs, and what it leaves behind is
 * checked here once more by a stranger.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=817 test_random_scenarios     repeats number 817
 *
 * At the end a table shows how often each outcome came about, in which phase and why; none may be missing. */
#include "tests/run/audit.h"
#include "tests/run/random_scenario.h"

#include <signal.h>
#include <time.h>

#ifndef DEFAULT_SCENARIOS
#define DEFAULT_SCENARIOS FRS_TEST_CASES(100)
#endif

#define SAME 1e-9

/* Dates are written with 15 digits. */
#define DATE_SLACK(date_s) (1e-9 + 4e-15 * fabs(date_s))

static const char *const outcomes[] = {
    "delivered", "late", "cut", "unavailable", "dropped_down", "dropped_compute", "dropped_up", "refused"};
static const char *const phases[] = {"encode", "contact", "setup", "down", "queue", "compute", "up"};
static const char *const posts[] = {"ended", "dropped_post", "cut"};
static const char *const causes[] = {
    "none", "offline", "device", "connection", "server_restart", "round_closed", "void_round", "end_of_run"};
enum { N_OUTCOMES = 8, N_PHASES = 7, N_POSTS = 3, N_CAUSES = 8, DELIVERED = 0, LATE = 1, ENDED = 0 };
enum { ENCODE, CONTACT, SETUP, DOWN, QUEUE, COMPUTE, UP };

static const char *const policies[] = {
    "wait_all", "deadline", "over_select", "quantile", "partial_work", "buffered_async"};
enum { N_POLICIES = 6, COMPLETE = 0, UNREACHABLE, VOID, N_ENDS };
static const char *const ends[] = {"complete", "unreachable", "void"};

/* Runs by policy, whether stragglers run on, and end. */
static size_t runs[N_POLICIES][2][N_ENDS];

static size_t seen[N_OUTCOMES][N_PHASES][N_CAUSES], seen_posts[N_POSTS][N_CAUSES];

static size_t index_in(const char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (name && strcmp(names[i], name) == 0)
            return i;
    ck_abort_msg("unknown name \"%s\"", name ? name : "");
    return n;
}

/* Everything a run has left behind. */
struct books {
    struct table rounds, clients;
    json_t *summary;
    bool runs_on, asynchronous, resumes;
};

/* What events.ndjson says of one row of rounds.csv. */
struct row {
    double setup_down, setup_up, wasted_setup_down, wasted_setup_up;
    double outcomes[N_OUTCOMES], n, down, up, wasted_down, wasted_up, resent_down, resent_up, retries, flop,
        wasted_flop, post_ended, post_lost;
};

/* A participation while its lines are read. */
struct part {
    double client, round, attempt;
    size_t phase;
    double ended_s, computed_s, down, up, setup_down, setup_up, flop;
    bool open;
    bool broke, waits,
        connects; /* its connection, as the last line says; it waited for the next, or opened it */
    double retries, resent[2]; /* down, up */
    double since_break;        /* of a message that broke, the bytes that were not sent again yet */
};

enum { MAX_CLIENTS = 100 };

/* Until when a device is at work after an upload. */
static double busy_until_s[MAX_CLIENTS];

/* And how long it was waited for, as the lines say. */
static double queued_s[MAX_CLIENTS];

/* How long each client took to be connected, as the lines say. */
static double connected_s[MAX_CLIENTS];

static void agree(const char *what, double a, double b) {
    ck_assert_msg(close_to(a, b, SAME), "%s: %.15g and %.15g", what, a, b);
}

static void check_row_times(const struct table *rounds, size_t i, double *end_s) {
    static const char *const parts[] = {"path_setup_s", "path_retry_s", "path_down_s", "path_compute_s",
        "path_up_s", "path_latency_s", "path_server_s", "path_wait_s"};
    double path_s = 0, start_s = cell(rounds, i, "start_s"), idle_s = cell(rounds, i, "idle_s"),
           restart_s = cell(rounds, i, "restart_s");
    for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
        ck_assert_double_ge(cell(rounds, i, parts[j]), 0);
        path_s += cell(rounds, i, parts[j]);
    }
    ck_assert_double_ge(idle_s, 0);
    ck_assert_double_ge(restart_s, 0);
    ck_assert_double_eq_tol(start_s, *end_s + idle_s + restart_s, DATE_SLACK(start_s));
    *end_s = cell(rounds, i, "end_s");
    ck_assert_double_ge(*end_s, start_s);
    ck_assert_double_eq_tol(cell(rounds, i, "duration_s"), *end_s - start_s, DATE_SLACK(*end_s));
    ck_assert_double_eq_tol(path_s, *end_s - start_s, 10 * DATE_SLACK(*end_s));
}

/* An attempt that was lost is followed by the next one at the same round. */
static void check_rounds(const struct books *books) {
    const struct table *rounds = &books->rounds;
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
    ck_assert_double_eq(json_path(books->summary, "rounds", NULL), kept);
    agree("simulated_s", json_path(books->summary, "simulated_s", NULL), end_s);
    agree("idle_s", json_path(books->summary, "idle_s", NULL), column_sum(rounds, "idle_s"));
    agree("restart_s", json_path(books->summary, "restart_s", NULL), column_sum(rounds, "restart_s"));
}

static void check_totals(const struct books *books) {
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
        {"critical_path", "wait_s", "path_wait_s", NULL}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        double total = json_path(books->summary, sums[i].first, sums[i].second);
        agree(sums[i].column, total, column_sum(&books->rounds, sums[i].column));
        if (sums[i].client_column)
            agree(sums[i].client_column, total, column_sum(&books->clients, sums[i].client_column));
    }
    for (size_t i = 0; i < N_OUTCOMES; i++)
        agree(outcomes[i], json_path(books->summary, "outcomes", outcomes[i]),
            column_sum(&books->rounds, outcomes[i]));
    agree("wasted bytes", json_path(books->summary, "bytes", "wasted"),
        column_sum(&books->rounds, "wasted_down_bytes") + column_sum(&books->rounds, "wasted_up_bytes"));
    agree("wasted bytes of connecting", json_path(books->summary, "bytes", "setup_wasted"),
        column_sum(&books->rounds, "wasted_setup_down_bytes") +
            column_sum(&books->rounds, "wasted_setup_up_bytes"));
    double wasted = 0, setup_wasted = 0;
    const char *cause;
    json_t *waste;
    json_object_foreach(json_object_get(books->summary, "waste_by_cause"), cause, waste) {
        wasted += json_of(waste, "down_bytes") + json_of(waste, "up_bytes");
        setup_wasted += json_of(waste, "setup_down_bytes") + json_of(waste, "setup_up_bytes");
    }
    agree("wasted by cause", json_path(books->summary, "bytes", "wasted"), wasted);
    agree("connecting wasted by cause", json_path(books->summary, "bytes", "setup_wasted"), setup_wasted);
}

static void check_row(const struct books *books, size_t i, const struct row *row) {
    const struct table *rounds = &books->rounds;
    agree("participations", row->n, cell(rounds, i, "selected"));
    for (size_t j = 0; j < N_OUTCOMES; j++)
        agree(outcomes[j], row->outcomes[j], cell(rounds, i, outcomes[j]));
    agree("setup_down_bytes", row->setup_down, cell(rounds, i, "setup_down_bytes"));
    agree("setup_up_bytes", row->setup_up, cell(rounds, i, "setup_up_bytes"));
    agree("wasted_setup_down_bytes", row->wasted_setup_down, cell(rounds, i, "wasted_setup_down_bytes"));
    agree("wasted_setup_up_bytes", row->wasted_setup_up, cell(rounds, i, "wasted_setup_up_bytes"));
    agree("down_bytes", row->down, cell(rounds, i, "down_bytes"));
    agree("up_bytes", row->up, cell(rounds, i, "up_bytes"));
    agree("wasted_down_bytes", row->wasted_down, cell(rounds, i, "wasted_down_bytes"));
    agree("wasted_up_bytes", row->wasted_up, cell(rounds, i, "wasted_up_bytes"));
    agree("resent_down_bytes", row->resent_down, cell(rounds, i, "resent_down_bytes"));
    agree("resent_up_bytes", row->resent_up, cell(rounds, i, "resent_up_bytes"));
    agree("retries", row->retries, cell(rounds, i, "retries"));
    agree("flop", row->flop, cell(rounds, i, "flop"));
    agree("post_ended", row->post_ended, cell(rounds, i, "post_ended"));
    agree("post_lost", row->post_lost, cell(rounds, i, "post_lost"));
    agree("wasted_flop", row->wasted_flop, cell(rounds, i, "wasted_flop"));
}

/* What crosses belongs to no message. */
static void read_setup(struct part *part, json_t *line) {
    double down = json_of(line, "down_bytes"), up = json_of(line, "up_bytes");
    ck_assert_double_eq(down + up, json_of(line, "bytes"));
    ck_assert(down == 0 || up == 932 || up == 206); /* the server answers */
    part->setup_down += down;
    part->setup_up += up;
    connected_s[(size_t)part->client] += json_of(line, "t1_s") - json_of(line, "t0_s");
}

/* After a message whose connection broke comes the wait, after that a connection, where opening one takes anything, and
 * another try: what had crossed is kept, or sent again. */
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

static void read_try(struct part *part, size_t phase, const struct books *books) {
    if (!books->resumes)
        part->resent[phase == UP] += part->since_break;
    part->since_break = 0;
}

/* The first phase begins with the row; each later one where the last one ended. */
static void read_phase(struct part *part, json_t *line, const struct books *books, size_t i) {
    bool waited = part->open && part->waits, again = waited || (part->open && part->connects);
    if (read_retry(part, line))
        return;
    double t0 = json_of(line, "t0_s"), t1 = json_of(line, "t1_s");
    size_t phase = index_in(phases, N_PHASES, json_string_value(json_object_get(line, "phase")));
    bool connects = waited && phase == SETUP;
    part->connects = connects;
    part->retries += waited;
    if (part->open) {
        ck_assert_double_eq(json_of(line, "client"), part->client);
        ck_assert(again ? phase == part->phase || connects
                        : phase == part->phase + 1 || (part->phase == DOWN && phase == COMPUTE) ||
                              (part->phase == ENCODE && (phase == SETUP || phase == DOWN)));
        ck_assert_uint_ne(part->phase, CONTACT);
        ck_assert_double_eq(t0, part->ended_s);
    } else {
        ck_assert_msg(json_of(line, "client") > part->client ||
                          (books->asynchronous && json_of(line, "client") == part->client),
            "clients are not in order");
        *part = (struct part){.client = json_of(line, "client"), .open = true, .broke = part->broke};
        ck_assert_uint_le(phase, DOWN);
        ck_assert(books->asynchronous || t0 >= cell(&books->rounds, i, "start_s"));
    }
    ck_assert_double_ge(t1, t0);
    ck_assert(books->runs_on || t1 <= cell(&books->rounds, i, "end_s") + DATE_SLACK(t1));
    if (phase == QUEUE || phase == COMPUTE) { /* a device computes one thing at a time, and waits no longer */
        double busy_s = busy_until_s[(size_t)part->client];
        ck_assert(
            phase == QUEUE ? t0 < busy_s && t1 <= busy_s + DATE_SLACK(t1) : t0 >= busy_s - DATE_SLACK(t0));
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
        read_try(part, phase, books);
    part->since_break += part->broke ? json_of(line, "bytes") : 0;
    if (phase != SETUP)
        *(phase == UP ? &part->up : &part->down) += json_of(line, "bytes");
    part->flop += json_of(line, "flop");
}

static void end_part(struct part *part, json_t *line, bool lost, struct row *row) {
    json_t *named = json_object_get(line, "cause");
    size_t outcome = index_in(outcomes, N_OUTCOMES, json_string_value(json_object_get(line, "outcome")));
    size_t cause = index_in(causes, N_CAUSES, named ? json_string_value(named) : "none");
    bool arrived = outcome == DELIVERED || outcome == LATE, used = arrived && cause == 0 && !lost;
    ck_assert(!arrived || (part->phase == UP && !part->waits && !part->connects));
    ck_assert(!part->broke);
    ck_assert(!lost || cause != 0 || (!arrived && index_in(outcomes, N_OUTCOMES, "refused") == outcome));
    seen[outcome][part->phase][cause]++;
    part->open = false;
    row->outcomes[outcome]++;
    row->n++;
    row->down += part->down;
    row->up += part->up;
    row->setup_down += part->setup_down;
    row->setup_up += part->setup_up;
    row->flop += part->flop;
    row->wasted_setup_down += used ? 0 : part->setup_down;
    row->wasted_setup_up += used ? 0 : part->setup_up;
    row->wasted_down += used ? part->resent[0] : part->down;
    row->wasted_up += used ? part->resent[1] : part->up;
    row->resent_down += part->resent[0];
    row->resent_up += part->resent[1];
    row->retries += part->retries;
    row->wasted_flop += used ? 0 : part->flop;
}

/* Begins with the upload; what ended is used, whatever became of that. */
static void read_post(const struct part *part, json_t *line, struct row *row) {
    json_t *named = json_object_get(line, "cause");
    double t0 = json_of(line, "t0_s"), t1 = json_of(line, "t1_s"), flop = json_of(line, "flop");
    size_t outcome = index_in(posts, N_POSTS, json_string_value(json_object_get(line, "outcome")));
    ck_assert(!part->open && part->phase == UP);
    ck_assert_double_eq(json_of(line, "client"), part->client);
    ck_assert_double_eq(json_of(line, "bytes"), 0);
    ck_assert_double_eq(t0, part->computed_s);
    ck_assert_double_ge(t1, t0);
    ck_assert_double_ge(flop, 0);
    busy_until_s[(size_t)part->client] = t1;
    seen_posts[outcome][index_in(causes, N_CAUSES, named ? json_string_value(named) : "none")]++;
    row->flop += flop;
    row->wasted_flop += outcome == ENDED ? 0 : flop;
    *(outcome == ENDED ? &row->post_ended : &row->post_lost) += 1;
}

/* Every participation ends once, in one outcome; the lines of a row of rounds.csv add up to it. */
static void check_events(const struct books *books) {
    FILE *file = folder_open("out/events.ndjson", "r");
    const struct table *rounds = &books->rounds;
    struct row row = {0};
    struct part part = {.client = -1};
    size_t i = 0;
    memset(busy_until_s, 0, sizeof busy_until_s);
    memset(queued_s, 0, sizeof queued_s);
    memset(connected_s, 0, sizeof connected_s);
    for (json_t *line; (line = next_line(file)); json_decref(line)) {
        ck_assert_uint_lt(i, rounds->n_rows);
        if (json_of(line, "round") != cell(rounds, i, "round") ||
            json_of(line, "attempt") != cell(rounds, i, "attempt")) {
            ck_assert(!part.open);
            check_row(books, i++, &row);
            ck_assert_uint_lt(i, rounds->n_rows);
            ck_assert_double_eq(json_of(line, "round"), cell(rounds, i, "round"));
            ck_assert_double_eq(json_of(line, "attempt"), cell(rounds, i, "attempt"));
            row = (struct row){0};
            part.client = -1;
        }
        if (strcmp(json_string_value(json_object_get(line, "phase")), "post") == 0) {
            read_post(&part, line, &row);
            continue;
        }
        read_phase(&part, line, books, i);
        if (json_object_get(line, "outcome"))
            end_part(&part, line, !isnan(cell(rounds, i, "lost")), &row);
    }
    ck_assert(!part.open);
    if (rounds->n_rows > 0)
        check_row(books, i++, &row);
    ck_assert_uint_eq(i, rounds->n_rows);
    fclose(file);
    audit_clients(&books->clients, queued_s);
    for (size_t client = 0; client < books->clients.n_rows; client++)
        agree("setup_s", cell(&books->clients, client, "setup_s"), connected_s[client]);
}

static void check_books(const struct draw *draw, bool stranded) {
    struct books books = {.runs_on = draw->runs_on,
        .asynchronous = draw->asynchronous,
        .resumes = draw->resumes,
        .rounds = table_load("out", "rounds.csv"),
        .clients = table_load("out", "clients.csv"),
        .summary = load_json("out", "summary.json")};
    const char *status = json_string_value(json_object_get(books.summary, "status"));
    ck_assert_str_eq(status, stranded ? "stranded" : "complete");
    check_rounds(&books);
    check_totals(&books);
    check_events(&books);
    table_fini(&books.rounds);
    table_fini(&books.clients);
    json_decref(books.summary);
}

static size_t number_from(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static int run_with(const char *out, const char *options) {
    return run_program("run s.cfg --quiet --threads=1 --out %s %s", out, options);
}

static const char *const files[] = {"rounds.csv", "events.ndjson", "clients.csv"};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs that were ended, and resumed from a checkpoint. */
static size_t n_ended, n_resumed;

/* Actors and calendar: the same files. */
static void check_other_player(int code) {
    ck_assert_int_eq(run_with("actors", "--set engine.player=actors"), code);
    ck_assert_int_eq(run_with("calendar", "--set engine.player=calendar"), code);
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(shell("test ! -e out || cmp -s actors/%s calendar/%s", files[i], files[i]) == 0,
            "%s depends on who plays the round", files[i]);
    shell("rm -rf actors calendar");
}

/* Ended at some moments of what it takes undisturbed, and resumed until it is over: the same files. */
static void check_resumed(uint64_t number, double whole_s) {
    static const char *const options =
        "run s.cfg --quiet --threads=1 --out resumed --resume --set output.checkpoint_rounds=1";
    for (size_t i = 0; i < 3; i++) {
        pid_t pid = start_program("%s", options);
        usleep((useconds_t)(1e6 * whole_s * (0.4 + 0.2 * (double)((number + i) % 4))));
        kill(pid, i % 2 ? SIGKILL : SIGTERM);
        n_ended += end_of_program(pid) != 0;
        n_resumed += shell("test -e resumed.checkpoint") == 0;
    }
    ck_assert_int_eq(run_program("%s", options), 0);
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(shell("cmp -s out/%s resumed/%s", files[i], files[i]) == 0,
            "%s is another one when it is resumed", files[i]);
    shell("rm -rf resumed resumed.*");
}

static void check_scenario(uint64_t number) {
    struct draw draw = random_scenario(number);
    double began_s = now_s();
    int code = run_with("out", "");
    double whole_s = now_s() - began_s;
    size_t end = code != 1                                        ? COMPLETE
                 : strstr(frs_said, "no client can be reached")   ? UNREACHABLE
                 : strstr(frs_said, "uploads arrived in each of") ? VOID
                                                                  : COMPLETE;
    bool stranded = end != COMPLETE;
    ck_assert_msg(code == 0 || stranded, "exit code %d: %s", code, frs_said);
    runs[index_in(policies, N_POLICIES, draw.policy)][draw.runs_on][end]++;
    /* Without a single round there is nothing to keep. */
    if (stranded && strstr(frs_said, "round 1: "))
        ck_assert_int_ne(shell("test -e out"), 0);
    else
        check_books(&draw, stranded);
    if (!draw.simgrid && number % 5 == 0)
        check_other_player(code);
    if (code == 0 && number % 3 == 0)
        check_resumed(number, whole_s);
    shell("rm -rf out");
}

/* What can happen; everything else must not. A way to end has to come about among 100 scenarios, or only
 * among 1000, or need not. */
enum { USUAL = 100, RARE = 1000, POSSIBLE = 1 << 30 };

static const struct {
    size_t outcome, phase, cause, among;
} possible[] = {{0, UP, 0, USUAL}, {0, UP, 4, USUAL}, {0, UP, 6, RARE}, {0, UP, 7, RARE}, {1, UP, 0, RARE},
    {1, UP, 4, POSSIBLE}, {1, UP, 5, USUAL}, {1, UP, 6, RARE}, {1, UP, 7, POSSIBLE}, {2, ENCODE, 4, USUAL},
    {2, CONTACT, 4, RARE}, {2, SETUP, 4, RARE}, {2, SETUP, 5, RARE}, {2, SETUP, 6, POSSIBLE},
    {2, SETUP, 7, RARE}, {4, SETUP, 1, USUAL}, {4, SETUP, 2, POSSIBLE}, {4, SETUP, 3, POSSIBLE},
    {2, CONTACT, 5, RARE}, {2, CONTACT, 6, POSSIBLE}, {2, CONTACT, 7, RARE}, {2, DOWN, 4, USUAL},
    {2, DOWN, 5, USUAL}, {2, DOWN, 6, POSSIBLE}, {2, DOWN, 7, USUAL}, {2, COMPUTE, 4, USUAL},
    {2, COMPUTE, 5, RARE}, {2, COMPUTE, 6, POSSIBLE}, {2, COMPUTE, 7, RARE}, {2, UP, 4, USUAL},
    {2, UP, 5, USUAL}, {2, UP, 6, POSSIBLE}, {2, UP, 7, USUAL}, {3, CONTACT, 1, USUAL}, {4, DOWN, 1, USUAL},
    {4, DOWN, 2, USUAL}, {4, DOWN, 3, USUAL}, {5, COMPUTE, 1, USUAL}, {5, COMPUTE, 2, USUAL},
    {6, UP, 1, USUAL}, {6, UP, 2, USUAL}, {6, UP, 3, USUAL}, {7, CONTACT, 0, USUAL}, {2, QUEUE, 4, POSSIBLE},
    {2, QUEUE, 5, POSSIBLE}, {2, QUEUE, 6, POSSIBLE}, {2, QUEUE, 7, POSSIBLE}, {5, QUEUE, 1, POSSIBLE},
    {5, QUEUE, 2, POSSIBLE}};

/* The same of work after the upload. */
static const struct {
    size_t outcome, cause, among;
} possible_posts[] = {{0, 0, USUAL}, {1, 1, RARE}, {1, 2, USUAL}, {2, 7, USUAL}};

/* Among how many scenarios a way to end is due; 0: it must not come about. */
static size_t due_among(size_t outcome, size_t phase, size_t cause) {
    for (size_t i = 0; i < sizeof possible / sizeof *possible; i++)
        if (possible[i].outcome == outcome && possible[i].phase == phase && possible[i].cause == cause)
            return possible[i].among;
    return 0;
}

static void print_runs(void) {
    printf("%-16s %-8s", "policy", "run_on");
    for (size_t end = 0; end < N_ENDS; end++)
        printf(" %11s", ends[end]);
    for (size_t i = 0; i < 2 * N_POLICIES; i++) {
        const size_t *row = runs[i / 2][i % 2];
        if (row[COMPLETE] + row[UNREACHABLE] + row[VOID] > 0)
            printf("\n%-16s %-8s %11zu %11zu %11zu", policies[i / 2], i % 2 ? "yes" : "no", row[COMPLETE],
                row[UNREACHABLE], row[VOID]);
    }
    printf("\n\n");
}

static void check_seen(size_t n_scenarios) {
    size_t unknown = 0, missing = 0;
    printf("%-16s %-8s %-15s %8s\n", "outcome", "phase", "cause", "count");
    for (size_t outcome = 0; outcome < N_OUTCOMES; outcome++)
        for (size_t phase = 0; phase < N_PHASES; phase++)
            for (size_t cause = 0; cause < N_CAUSES; cause++) {
                size_t count = seen[outcome][phase][cause], among = due_among(outcome, phase, cause);
                unknown += count > 0 && !among;
                missing += count == 0 && among && n_scenarios >= among;
                if (count > 0 || among)
                    printf("%-16s %-8s %-15s %8zu%s\n", outcomes[outcome], phases[phase], causes[cause],
                        count, among ? "" : "  must not happen");
            }
    for (size_t outcome = 0; outcome < N_POSTS; outcome++)
        for (size_t cause = 0; cause < N_CAUSES; cause++) {
            size_t count = seen_posts[outcome][cause], among = 0;
            for (size_t i = 0; i < sizeof possible_posts / sizeof *possible_posts; i++)
                if (possible_posts[i].outcome == outcome && possible_posts[i].cause == cause)
                    among = possible_posts[i].among;
            unknown += count > 0 && !among;
            missing += count == 0 && among && n_scenarios >= among;
            if (count > 0 || among)
                printf("%-16s %-8s %-15s %8zu%s\n", posts[outcome], "post", causes[cause], count,
                    among ? "" : "  must not happen");
        }
    ck_assert_msg(unknown == 0, "%zu ways to end are not in the table", unknown);
    ck_assert_msg(missing == 0, "%zu of the ways to end never came about", missing);
}

static uint64_t number;

START_TEST(test_random_scenarios) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", DEFAULT_SCENARIOS),
           first = number_from("FRS_RANDOM_FIRST", 1);
    frs_most_s = 60;
    for (number = first; number < first + n; number++)
        check_scenario(number);
    number = 0;
    print_runs();
    printf("%zu runs ended before their time, %zu resumed from a checkpoint\n", n_ended, n_resumed);
    if (n >= 100) {
        check_seen(n);
        ck_assert_uint_gt(n_resumed, 0);
    }
}
END_TEST

static void report(void) {
    if (number > 0) {
        char *text = read_text("s.cfg");
        printf("Scenario %llu (FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=%llu repeats it):\n%s",
            (unsigned long long)number, (unsigned long long)number, text);
        free(text);
    }
    folder_teardown();
}

int main(void) {
    Suite *suite = suite_create("random scenarios");
    TCase *tests = tcase_create("end, and their books agree");
    tcase_add_checked_fixture(tests, folder_setup, report);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, test_random_scenarios);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
