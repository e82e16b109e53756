/* The predictions of check for a plan's load, energy and costs against the run: random plans whose clients
 * come and go by the clock or have states, and whose rounds have their times. Nine of ten figures of each
 * kind lie in their range, no peak is above its bound, and in nine of ten hours the mean number of clients
 * lies in the range of that hour.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=17 test_load_forecasts     repeats number 17
 *
 * Labels: slow */
#include "tests/sim/forecast/random_states.h"
#include "tests/sim/run/random_scenario.h"

#ifndef DEFAULT_PLANS
#define DEFAULT_PLANS 3
#endif
#ifndef ALWAYS_STATES
#define ALWAYS_STATES false
#endif

#define SHARE_RIGHT 0.9

static size_t number_from(const char *variable, size_t otherwise) {
    const char *text = getenv(variable);
    return text && *text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

static void draw_coming(struct draw *d) {
    static const char *const models[] = {
        "availability = { model = \"diurnal\"; start = \"%u h\"; session = \"%u min\"; curve = "
        "\"0.7,0.7,0.7,0.7,0.6,0.5,0.4,0.3,0.3,0.2,0.2,0.2,0.2,0.2,0.3,0.3,0.3,0.3,0.3,0.4,0.4,0.5,0.6,0.7\";"
        " };\n",
        "availability = { model = \"markov\"; on = \"%u h\"; off = \"%u min\"; };\n",
    };
    if (one_in(d, 5))
        return; /* always online: rounds alone go by the clock */
    fprintf(d->out, models[below(d, 2)], 1 + below(d, 20), 30 + below(d, 200));
}

/* Drawn from a stream of its own: a plan is the same without. */
static void draw_server(struct draw *plan) {
    static const char *const keys[] = {"power_idle = \"60 W\"", "power_busy = \"20 W\"",
        "power_compute = \"40 W\"", "energy_per_byte = \"1 uJ/B\""};
    struct draw aside = draw_aside(plan, 10), *d = &aside;
    fprintf(d->out, "server = { overhead = \"%u s\";", below(d, 5));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (one_in(d, 2))
            fprintf(d->out, " %s;", keys[i]);
    fputs(" };\n", d->out);
}

static void draw_plan(uint64_t seed) {
    struct draw draw = {
        .rng = frs_rng_stream(seed, 3, 0, 0, FRS_RNG_TEST), .out = folder_open("s.cfg", "w"), .seed = seed};
    struct draw *d = &draw;
    uint32_t users = d->users = 60 + below(d, 140), cohort = 5 + below(d, 20);
    struct plan_states states = draw_plan_states(d, ALWAYS_STATES);
    fprintf(d->out,
        "seed = %llu;\ntraining = { enabled = false; };\noutput = { events = false; report = false; };\n"
        "data = { synthetic = \"custom\"; users = %u; items = 100; interactions = %u; activity_ceiling = "
        "0.4; };\n"
        "method = { name = \"fedmf\"; dim = %u; };\n"
        "network = { preset = \"%s\"; server_uplink = \"%s\";%s };\n"
        "devices = { compute = \"fixed\"; overhead = \"%u s\";%s };\n"
        "costs = { server_down_per_gb = 0.09; server_up_per_gb = 0.01;%s };\n",
        (unsigned long long)seed, users, 12 * users, 4 + below(d, 28),
        ONE_OF(d, "4g", "wifi", "mixed-mobile"), ONE_OF(d, "unlimited", "20 Mbit/s", "200 Mbit/s"),
        states.by_state, 1 + below(d, 90), states.in_use, states.drawn ? " metered_per_gb = 5.0;" : "");
    if (states.drawn)
        fputs(states.availability, d->out);
    else
        draw_coming(d);
    if (one_in(d, 2))
        fprintf(d->out, "failures = { up = %s; detect = \"%u s\"; };\n", ONE_OF(d, "0.02", "0.1"),
            1 + below(d, 20));
    if (states.drawn && one_in(d, 2))
        fputs("caps = { metered_bytes = \"2 MB\"; };\n", d->out);
    fprintf(d->out, "rounds = { count = %u; cohort = %u; every = \"%s\"; %s%s", 40 + below(d, 200), cohort,
        ONE_OF(d, "2 min", "5 min", "15 min"), one_in(d, 3) ? "window = \"20:00-08:00\"; " : "",
        one_in(d, 2) ? "cool_down = \"30 min\"; " : "");
    if (states.drawn)
        fprintf(d->out, "eligible = \"%s\"; ", states.eligible);
    fputs("};\n", d->out);
    draw_server(d);
    fclose(d->out);
}

static json_t *read_json(const char *name) {
    char *path = frs_format("%s/%s", frs_folder, name);
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    ck_assert_msg(root != NULL, "%s: %s", path, error.text);
    free(path);
    return root;
}

/* "a.b.c" of an object; NaN: it is not there, or null. */
static double at(const json_t *object, const char *name) {
    char word[64];
    for (size_t n; object && *name; name += n + (name[n] == '.')) {
        n = strcspn(name, ".");
        snprintf(word, sizeof word, "%.*s", (int)n, name);
        object = json_object_get(object, word);
    }
    return json_is_number(object) ? json_number_value(object) : NAN;
}

struct score {
    size_t right, all;
};

static void judge(struct score *score, const json_t *told, const char *name, double is) {
    char *low = frs_format("%s.low", name), *high = frs_format("%s.high", name);
    bool right = is >= at(told, low) * (1 - 1e-9) && is <= at(told, high) * (1 + 1e-9);
    score->all++;
    score->right += right;
    if (!right)
        printf("  %s: %g, not between %g and %g\n", name, is, at(told, low), at(told, high));
    free(low);
    free(high);
}

static void judge_hours(struct score *score, const json_t *told, const json_t *run) {
    json_t *hours = json_object_get(json_object_get(told, "load"), "by_hour"), *hour, *of;
    size_t i, k;
    json_array_foreach(json_object_get(json_object_get(run, "load"), "by_hour"), i, of) {
        json_array_foreach(hours, k, hour) {
            if (at(hour, "clock_hour") != at(of, "clock_hour") || isnan(at(of, "mean_online")))
                continue;
            judge(score, hour, "online", at(of, "mean_online"));
            judge(score, hour, "eligible", at(of, "mean_eligible"));
        }
    }
}

enum { CONNECTIONS, ENERGY, COSTS, HOURS, N_SCORES };
static const char *const names[] = {"connections", "energy", "costs", "hours"};
static struct score scores[N_SCORES];

static void check_bound(const json_t *told, const char *bound, const json_t *run, const char *peak) {
    if (!isnan(at(told, bound)))
        ck_assert_msg(at(run, peak) <= at(told, bound) * (1 + 1e-9), "%s is %g, above %g", peak,
            at(run, peak), at(told, bound));
}

static void compare_plan(uint64_t seed) {
    const char *build = getenv("FRS_BUILD_DIR");
    draw_plan(seed);
    printf("plan %llu\n", (unsigned long long)seed);
    int code = shell("'%s/fedrecsim' check s.cfg --json %s </dev/null >told.json 2>said", build ? build : ".",
        seed % 2 ? "--patience '500 ms'" : "--patience '20 ms'");
    char *said = read_text("said");
    ck_assert_msg(code == 0, "check: exit code %d: %s", code, said);
    free(said);
    code = shell(
        "rm -rf run; '%s/fedrecsim' run s.cfg --quiet --out run </dev/null >said 2>&1", build ? build : ".");
    ck_assert_msg(code == 0 || code == 1, "run: exit code %d", code);
    if (code == 1) /* rounds that cannot open, which check says, too */
        return;
    json_t *told = read_json("told.json"), *run = read_json("run/summary.json");
    if (json_is_true(json_object_get(told, "known"))) {
        judge(&scores[CONNECTIONS], told, "load.connections", at(run, "load.mean_connections"));
        judge(&scores[ENERGY], told, "energy_j", at(run, "modelled.energy_j"));
        if (!isnan(at(run, "modelled.server.energy_j")))
            judge(&scores[ENERGY], told, "server_energy_j", at(run, "modelled.server.energy_j"));
        judge(&scores[COSTS], told, "costs.total", at(run, "costs.total"));
        judge_hours(&scores[HOURS], told, run);
        check_bound(told, "load.most_connections", run, "load.peak_connections");
        check_bound(told, "load.most_down_bytes_per_s", run, "load.down_peak_bytes_per_s");
        check_bound(told, "load.most_up_bytes_per_s", run, "load.up_peak_bytes_per_s");
    }
    json_decref(told);
    json_decref(run);
}

START_TEST(loads_are_as_foretold) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", DEFAULT_PLANS), first = number_from("FRS_RANDOM_FIRST", 1);
    for (uint64_t seed = first; seed < first + n; seed++)
        compare_plan(seed);
    for (size_t i = 0; i < N_SCORES; i++) {
        printf("%s: %zu of %zu in their range\n", names[i], scores[i].right, scores[i].all);
        double least = SHARE_RIGHT * (double)scores[i].all - (i == HOURS || n >= 20 ? 0 : 1);
        ck_assert_msg((double)scores[i].right >= least, "%s: %zu of %zu in their range", names[i],
            scores[i].right, scores[i].all);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("load forecasts");
    TCase *tests = tcase_create("load forecasts");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, loads_are_as_foretold);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
