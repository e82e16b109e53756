/* Labels: slow */
/* The predictions of `check` for time and messages from few rounds, where the remaining rounds differ from
 * the played ones: rare waits behind over-selection, clients that leave for good, runs that end by a rule
 * or by time, downloads of clients that meet the server again. 30 small scenarios, of which a part of the
 * rounds is played: the truth lies within the stated ranges.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=17 test_hasty_forecasts     repeats number 17 */
#include "sim/base/settings/units.h"
#include "tests/sim/run/random_scenario.h"

#define FORECASTS 30
#define PROMISED 0.95

static void draw_run(uint64_t number) {
    struct draw draw = {
        .rng = frs_rng_stream(number, 3, 0, 0, FRS_RNG_TEST), .out = folder_open("s.cfg", "w")};
    struct draw *d = &draw;
    uint32_t kind = (uint32_t)(number % 5), cohort = 4 + below(d, 8), count = 60 + below(d, 140);
    const char *catchup = ONE_OF(d, "replay", "full", "cheapest");
    fprintf(d->out,
        "seed = %u; evaluation = { negatives = 20; every = 50; };\noutput = { events = false; };\n"
        "data = { synthetic = \"custom\"; users = %u; items = %u; interactions = 1600; activity_ceiling = "
        "0.4; };\n"
        "network = { downlink = { distribution = \"lognormal\"; median = \"20 kB/s\"; sigma = 0.8; }; "
        "uplink = \"10 kB/s\"; latency = \"100 ms\"; };\ndevices = { compute = \"fixed\"; overhead = \"1 "
        "s\"; };\n",
        (unsigned)number, 60 + below(d, 60), 150 + below(d, 100));
    if (kind == 4 || one_in(d, 3))
        fprintf(d->out, "method = { name = \"colr\"; dim = 8; rank = %u; epochs = 1; catchup = \"%s\"; };\n",
            1 + below(d, 3), catchup);
    else
        fputs("method = { name = \"fedmf\"; dim = 4; epochs = 1; };\n", d->out);
    if (kind == 0)
        fprintf(d->out, "failures = { up = %s; detect = \"%u s\"; };\n", ONE_OF(d, "0.05", "0.1", "0.2"),
            30 + below(d, 60));
    if (kind == 1)
        fprintf(d->out, "failures = { mean_lifetime = \"%u s\"; detect = \"5 s\"; };\n",
            (1 + below(d, 5)) * count);
    fprintf(d->out, "rounds = { count = %u; cohort = %u;", count, cohort);
    if (kind == 0)
        fprintf(
            d->out, " policy = { name = \"over_select\"; factor = %s; };", ONE_OF(d, "1.3", "1.5", "2.0"));
    if (kind == 2)
        fprintf(d->out, " stop_tolerance = %s; stop_min_rounds = %u;", ONE_OF(d, "0.02", "0.05", "0.1"),
            1 + below(d, 30));
    if (kind == 3)
        fprintf(d->out, " stop_time = \"%u s\";", count);
    fputs(" };\n", d->out);
    fclose(d->out);
}

struct range {
    double low, high;
};

/* "between 3 s and 4 s" behind `line`. */
static struct range range_of(const char *line, enum frs_dimension dimension) {
    struct range range = {NAN, NAN};
    const char *at = strstr(frs_said, line), *end = at ? strchr(at + 1, '\n') : NULL;
    const char *between = at ? strstr(at, "between ") : NULL;
    char low[64], unit[64], high[64], high_unit[64], text[160];
    if (!between || between > end ||
        sscanf(between, "between %63s %63s and %63s %63[^ ,)\n]", low, unit, high, high_unit) != 4)
        return range;
    snprintf(text, sizeof text, "%s %s", low, unit);
    ck_assert_int_eq(frs_units_parse(text, dimension, &range.low), FRS_OK);
    snprintf(text, sizeof text, "%s %s", high, high_unit);
    ck_assert_int_eq(frs_units_parse(text, dimension, &range.high), FRS_OK);
    return range;
}

/* Figures are printed with two places behind the point. */
static bool holds(struct range range, double value) {
    return range.low * (1 - 5e-3) <= value && value <= range.high * (1 + 5e-3);
}

static size_t number_from(const char *variable, size_t otherwise) {
    const char *text = getenv(variable);
    return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

START_TEST(ranges_hold_the_truth) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", FORECASTS), first = number_from("FRS_RANDOM_FIRST", 1),
           time_right = 0, bytes_right = 0;
    for (uint64_t number = first; number < first + n; number++) {
        draw_run(number);
        ck_assert_msg(
            run_program("check s.cfg --threads 1 --patience '%u ms'", 10 + (unsigned)(number % 4) * 10) == 0,
            "%s", frs_said);
        struct range time = range_of("\n  the run ", FRS_TIME), bytes = range_of("\n  messages ", FRS_BYTES);
        const char *how = strstr(frs_said, "\n  the run ");
        unsigned played = 0;
        how = how ? strchr(how, '(') : NULL;
        if (how)
            sscanf(how, "(%u", &played);
        ck_assert_msg(run_program("run s.cfg --force --threads 1 --out out") <= 1, "%s", frs_said);
        json_t *summary = load_json("out", "summary.json");
        struct table rounds = table_load("out", "rounds.csv");
        double simulated_s = json_path(summary, "simulated_s", NULL),
               sent = column_sum(&rounds, "down_bytes") + column_sum(&rounds, "up_bytes");
        time_right += holds(time, simulated_s);
        bytes_right += holds(bytes, sent);
        printf("%3llu: %u rounds of %zu; %.4g s in %.4g to %.4g: %s; %.4g B in %.4g to %.4g: %s\n",
            (unsigned long long)number, played, rounds.n_rows, simulated_s, time.low, time.high,
            holds(time, simulated_s) ? "right" : "WRONG", sent, bytes.low, bytes.high,
            holds(bytes, sent) ? "right" : "WRONG");
        table_fini(&rounds);
        json_decref(summary);
    }
    printf("time right: %zu, bytes right: %zu of %zu\n", time_right, bytes_right, n);
    ck_assert_double_ge((double)time_right, PROMISED * (double)n);
    ck_assert_double_ge((double)bytes_right, PROMISED * (double)n);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hasty forecasts");
    TCase *tests = tcase_create("against what happens");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, ranges_hold_the_truth);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
