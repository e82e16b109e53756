/* Labels: slow */
/* The predictions of check for plans against what then happens: random scenarios with windows, pacing,
 * rests, caps, check-in, states of devices and availability that follows time. Rounds, simulated time,
 * clients of a round, and what a client moves in a period have to lie in the stated ranges for nine out of
 * ten; also with little patience, where only a part of the rounds is simulated beforehand.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=17 test_plan_forecasts     repeats number 17 */
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "tests/sim/forecast/random_states.h"
#include "tests/sim/run/random_scenario.h"

#include <math.h>

#ifndef DEFAULT_PLANS
#define DEFAULT_PLANS 3
#endif
#ifndef ALWAYS_STATES
#define ALWAYS_STATES false
#endif

#define SHARE_RIGHT 0.9

/* Figures are predicted to their last digit where all rounds are simulated, and compared with what was added
 * up in another order. */
#define SLACK 1e-6

/* ---- a plan ---------------------------------------------------------------------------------- */

static void draw_night(struct draw *d) {
    fprintf(d->out, " curve = \"%s\"; session = \"%u min\"; start = \"%u h\";",
        ONE_OF(d, "fedscale", "0.5,0.5,0.5,0.5,0.4,0.2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.3,0.5",
            "0.9,0.9,0.9,0.9,0.9,0.8,0.6,0.4,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.3,0.3,0.4,0.5,0.6,0.7,0.8,0."
            "9"),
        20 + below(d, 200), below(d, 24));
    if (one_in(d, 3))
        fprintf(d->out, " time_zones = \"%u h\";", d->zones_h = 1 + below(d, 8));
}

/* Sessions of a week, which comes again. */
static void write_week(struct draw *d) {
    FILE *file = folder_open("week.csv", "w");
    fputs("client,start_s,end_s\n", file);
    for (uint32_t client = 0; client < d->users; client++)
        for (double t_s = draw_scale(d, 60, 86400); t_s < 7 * 86400;) {
            double end_s = fmin(t_s + draw_scale(d, 600, 6 * 3600), 7 * 86400);
            if (end_s - t_s > 1)
                fprintf(file, "%u,%.0f,%.0f\n", client, t_s, end_s);
            t_s = end_s + draw_scale(d, 3600, 20 * 3600);
        }
    fclose(file);
}

static void draw_presence(struct draw *d) {
    fputs("availability = {", d->out);
    switch (below(d, 4)) {
    case 0:
        fputs(" model = \"always\";", d->out);
        d->reachable = true;
        break;
    case 1:
        fprintf(d->out, " model = \"markov\"; on = \"%u min\"; off = \"%u min\";", 10 + below(d, 300),
            10 + below(d, 600));
        break;
    case 2:
        fputs(" model = \"diurnal\";", d->out);
        d->diurnal = true;
        draw_night(d);
        break;
    default:
        write_week(d);
        fputs(" model = \"trace\"; file = \"week.csv\"; clients = \"exact\"; period = \"7 d\";", d->out);
    }
    fputs(" };\n", d->out);
}

static void draw_times(struct draw *d) {
    bool window = one_in(d, 3), per_day = one_in(d, 4);
    if (window && d->zones_h > 0 && one_in(d, 2))
        fputs(" window_clock = \"client\";", d->out);
    if (window)
        fprintf(d->out, " window = \"%s\";", ONE_OF(d, "22:00-06:00", "00:00-12:00", "17:30-18:45"));
    if (per_day)
        fprintf(d->out, " per_day = %u;", 1 + below(d, 4));
    if ((window || per_day) && !d->diurnal)
        fprintf(d->out, " start = \"%u h\";", below(d, 24));
    if (one_in(d, 2))
        fprintf(d->out, " every = \"%u min\";", 5 * (1 + below(d, 24)));
    if (one_in(d, 3))
        fprintf(d->out, " cool_down = \"%u min\";", 10 + below(d, 600));
}

static void draw_closing(struct draw *d, uint32_t cohort) {
    switch (below(d, 4)) {
    case 0:
        fprintf(d->out, " policy = { name = \"deadline\"; after = \"%u s\"; min_uploads = %u; };",
            5 + below(d, 60), 1 + below(d, cohort / 2));
        break;
    case 1:
        fprintf(d->out, " policy = { name = \"quorum_then_wait\"; uploads = \"%u %%\"; then = \"%u s\"; };",
            50 + below(d, 50), below(d, 30));
        break;
    case 2:
        fputs(" policy = { name = \"over_select\"; };", d->out);
        break;
    default:
        break;
    }
}

/* Of a few to many participations; half of the plans have one that clients reach. */
static void draw_spending(struct draw *d, double bytes) {
    fprintf(d->out, "caps = { period = \"%s\";", ONE_OF(d, "1 d", "3 d", "7 d", "30 d"));
    if (!one_in(d, 4))
        fprintf(d->out, " bytes = \"%.0f B\";", bytes * draw_scale(d, 2, 100));
    if (one_in(d, 6))
        fprintf(d->out, " energy = \"%.0f J\";", draw_scale(d, 20, 2000));
    fputs(" };\n", d->out);
}

static void draw_plan(uint64_t number) {
    struct draw draw = {.rng = frs_rng_stream(number, 7, 0, 0, FRS_RNG_TEST),
        .out = folder_open("s.cfg", "w"),
        .seed = number};
    struct draw *d = &draw;
    d->users = 60 + below(d, 200);
    uint32_t items = 100 + below(d, 100), dim = 4 + below(d, 12), cohort = 5 + below(d, d->users / 4);
    fprintf(d->out,
        "seed = %llu;\ndata = { synthetic = \"custom\"; users = %u; items = %u; interactions = %u; "
        "activity_ceiling = 0.4; };\nevaluation = { negatives = 20; every = 100; };\n",
        (unsigned long long)number, d->users, items, 15 * d->users);
    if (one_in(d, 3))
        fprintf(d->out, "method = { name = \"scolr\"; dim = %u; rank = %u; };\n", 2 * dim, dim / 2 + 1);
    else
        fprintf(d->out, "method = { name = \"%s\"; dim = %u; };\n", ONE_OF(d, "fedmf", "fedmf_update"), dim);
    const char *devices = ONE_OF(d, "phones", "mixed", "fieldguide"),
               *network = ONE_OF(d, "wifi", "4g", "mixed-mobile", "fedscale");
    struct plan_states states = draw_plan_states(d, ALWAYS_STATES);
    fprintf(d->out, "network = { preset = \"%s\";%s };\ndevices = { preset = \"%s\";%s };\n", network,
        states.by_state, devices, states.in_use);
    if (states.drawn)
        fputs(states.availability, d->out);
    else
        draw_presence(d);
    if (one_in(d, 3))
        fprintf(d->out, "failures = { up = 0.05; detect = \"%u s\"; };\n", 5 + below(d, 60));
    fprintf(d->out, "rounds = { count = %.0f; cohort = %u;", draw_scale(d, 40, 1500), cohort);
    if (states.drawn)
        fprintf(d->out, " eligible = \"%s\";", states.eligible);
    draw_closing(d, cohort);
    draw_times(d);
    if (one_in(d, 3))
        fprintf(d->out, " selection = { at_least = %u; wait = \"%u min\"; minimum = 1; };",
            2 + below(d, cohort - 1), 10 + below(d, 600));
    fputs(" };\n", d->out);
    draw_spending(d, 10000 + 2.0 * 4 * dim * items * 2);
    fclose(d->out);
}

/* ---- what was told, and what happened -------------------------------------------------------- */

enum { ROUNDS, TIME, COHORT, BYTES, N_LINES };
static const char *const lines[N_LINES] = {"rounds", "simulated_s", "cohort", "per_client.average_bytes"};

struct told {
    bool known;
    double low[N_LINES], high[N_LINES], held_back, p95_bytes;
    size_t simulated;
};

static double real_of(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    ck_assert_msg(value, "no %s", key);
    return json_is_null(value) ? NAN : json_number_value(value);
}

static void read_range(struct told *told, size_t line, json_t *range) {
    told->low[line] = real_of(range, "low");
    told->high[line] = real_of(range, "high");
}

static struct told predict(const char *patience) {
    struct told told = {0};
    ck_assert_msg(shell("\"$FRS_BUILD_DIR\"/fedrecsim check s.cfg --json %s </dev/null >check.json 2>said",
                      patience) == 0,
        "check: %s", read_text("said"));
    json_t *root = load_json(".", "check.json"), *client = json_object_get(root, "per_client");
    told.known = json_is_true(json_object_get(root, "known"));
    read_range(&told, ROUNDS, json_object_get(root, "rounds"));
    read_range(&told, TIME, json_object_get(root, "simulated_s"));
    read_range(&told, COHORT, json_object_get(root, "cohort"));
    read_range(&told, BYTES, json_object_get(client, "average_bytes"));
    told.held_back = real_of(client, "held_back");
    told.p95_bytes = real_of(client, "p95_bytes");
    told.simulated = (size_t)json_of(json_object_get(root, "rounds"), "simulated_beforehand");
    json_decref(root);
    return told;
}

struct happened {
    double values[N_LINES], held_back, p95_bytes;
};

static struct happened run_plan(void) {
    struct happened happened = {.values = {NAN, NAN, NAN, NAN}};
    int code = run_program("run s.cfg --quiet --out out --set output.report=false --set output.what_if=none");
    ck_assert_msg(code == 0 || code == 1, "exit code %d: %s", code, frs_said);
    if (shell("test -e out/summary.json") != 0) /* no round was closed */
        return happened;
    json_t *summary = load_json("out", "summary.json"), *caps = json_object_get(summary, "caps");
    struct table rounds = table_load("out", "rounds.csv");
    struct table clients = table_load("out", "clients.csv");
    double n = 0, took_part = 0;
    for (size_t i = 0; i < rounds.n_rows; i++) {
        bool kept = isnan(cell(&rounds, i, "lost"));
        n += kept;
        took_part += kept ? cell(&rounds, i, "selected") - cell(&rounds, i, "unavailable") -
                                cell(&rounds, i, "refused")
                          : 0;
    }
    double simulated_s = json_path(summary, "simulated_s", NULL),
           period_s = json_path(summary, "per_client", "period_s"),
           bytes = json_path(summary, "bytes", "down") + json_path(summary, "bytes", "up") +
                   json_path(summary, "bytes", "setup_down") + json_path(summary, "bytes", "setup_up");
    happened.values[ROUNDS] = n;
    happened.values[TIME] = simulated_s;
    happened.values[COHORT] = n > 0 ? took_part / n : NAN;
    happened.values[BYTES] = bytes / (double)clients.n_rows * fmin(1, period_s / simulated_s);
    happened.held_back = caps ? json_of(caps, "clients_held_back") : 0;
    happened.p95_bytes = json_path(summary, "per_client", "p95_bytes");
    table_fini(&rounds);
    table_fini(&clients);
    json_decref(summary);
    return happened;
}

/* ---- tallies --------------------------------------------------------------------------------- */

#define MOST_PLANS 1000

static struct tally {
    const char *patience;
    size_t n, known, whole, right[N_LINES], held, held_told;
    double widths[N_LINES][MOST_PLANS];
} patient = {.patience = ""}, hasty = {.patience = "--patience '60 ms'"};

static void judge(
    struct tally *tally, const struct told *told, const struct happened *happened, uint32_t count) {
    bool whole = told->simulated == count;
    tally->n++;
    if (!told->known)
        return;
    tally->whole += whole;
    for (size_t i = 0; i < N_LINES; i++) {
        double value = happened->values[i];
        bool right = isnan(told->low[i]) ||
                     (value >= told->low[i] * (1 - SLACK) && value <= told->high[i] * (1 + SLACK));
        tally->right[i] += right;
        tally->widths[i][tally->known] = told->low[i] > 0 ? told->high[i] / told->low[i] : 1;
        printf("  %-8s %-22s %s: %.6g, told %.6g to %.6g%s\n", *tally->patience ? "hasty" : "", lines[i],
            right ? "right" : "WRONG", value, told->low[i], told->high[i], whole ? " (all simulated)" : "");
    }
    tally->known++;
    if (!isnan(told->held_back)) {
        tally->held_told++;
        tally->held += told->held_back == happened->held_back &&
                       fabs(told->p95_bytes - happened->p95_bytes) <= 0.02 * happened->p95_bytes;
        if (told->held_back != happened->held_back ||
            fabs(told->p95_bytes - happened->p95_bytes) > 0.02 * happened->p95_bytes)
            printf("  held back: %g, told %g; p95 of bytes %.6g, told %.6g\n", happened->held_back,
                told->held_back, happened->p95_bytes, told->p95_bytes);
    }
}

static void print_tally(struct tally *tally) {
    printf("%s: %zu plans, %zu of them known, all rounds simulated of %zu; clients held back as told: %zu of "
           "%zu\n",
        *tally->patience ? tally->patience : "usual patience", tally->n, tally->known, tally->whole,
        tally->held, tally->held_told);
    for (size_t i = 0; i < N_LINES && tally->known > 0; i++) {
        qsort(tally->widths[i], tally->known, sizeof(double), frs_compare_doubles);
        printf("  %-22s within the range told: %zu of %zu; most over least of the range: median %.3g, most "
               "%.3g\n",
            lines[i], tally->right[i], tally->known, tally->widths[i][tally->known / 2],
            tally->widths[i][tally->known - 1]);
    }
}

static size_t number_from(const char *variable, size_t otherwise) {
    const char *text = getenv(variable);
    return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

static void check_plan(uint64_t number) {
    draw_plan(number);
    struct told usual = predict(patient.patience), quick = predict(hasty.patience);
    struct happened happened = run_plan();
    json_t *root = load_json(".", "check.json");
    uint32_t count = (uint32_t)json_of(json_object_get(root, "rounds"), "requested");
    json_decref(root);
    printf("plan %llu: %u rounds, %zu and %zu of them simulated beforehand\n", (unsigned long long)number,
        count, usual.simulated, quick.simulated);
    judge(&patient, &usual, &happened, count);
    judge(&hasty, &quick, &happened, count);
    fflush(stdout);
    shell("rm -rf out");
}

START_TEST(plans_are_as_check_says) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", DEFAULT_PLANS), first = number_from("FRS_RANDOM_FIRST", 1);
    frs_most_s = 120;
    for (uint64_t number = first; number < first + n; number++)
        check_plan(number);
    print_tally(&patient);
    print_tally(&hasty);
    for (size_t i = 0; i < N_LINES; i++) {
        ck_assert_double_ge((double)patient.right[i], SHARE_RIGHT * (double)patient.known);
        ck_assert_double_ge((double)hasty.right[i], SHARE_RIGHT * (double)hasty.known);
    }
    ck_assert_double_ge((double)patient.held, SHARE_RIGHT * (double)patient.held_told);
}
END_TEST

/* A round of 20,000 clients takes longer than the patience. In eight rounds half of the clients are
 * selected each time, which shows what a client moves on average, but not how much the busiest do. */
START_TEST(rounds_of_fewer_clients_stand_for_all) {
    static const unsigned counts[] = {2, 10}; /* fewer than eight, and, in the long test, more */
    for (size_t i = 0; i < (DEFAULT_PLANS > 3 ? 2 : 1); i++) {
        FILE *out = folder_open("s.cfg", "w");
        fprintf(out,
            "data = { synthetic = \"custom\"; users = 20000; items = 30; interactions = 80000; "
            "min_interactions = 3; };\ntraining = { enabled = false; };\nevaluation = { negatives = 20; };\n"
            "network = { preset = \"wifi\"; };\ndevices = { compute = \"none\"; };\nrounds = { count = %u; "
            "cohort = \"100 %%\"; };\ncaps = { period = \"1 d\"; bytes = \"10 MB\"; };\n"
            "output = { events = false; };\n",
            counts[i]);
        fclose(out);
        struct told told = predict("--patience '10 ms'");
        struct happened happened = run_plan();
        ck_assert_uint_eq(told.simulated, 8);
        ck_assert_msg(told.low[BYTES] <= happened.values[BYTES] && happened.values[BYTES] <= told.high[BYTES],
            "%u rounds: %g bytes, told %g to %g", counts[i], happened.values[BYTES], told.low[BYTES],
            told.high[BYTES]);
        ck_assert_double_le(told.high[BYTES], 1.5 * told.low[BYTES]);
        ck_assert_double_nan(told.p95_bytes);
        ck_assert_double_nan(told.held_back);
        shell("rm -rf out");
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("forecasts of plans");
    TCase *tests = tcase_create("against what happens");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, rounds_of_fewer_clients_stand_for_all);
    tcase_add_test(tests, plans_are_as_check_says);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
