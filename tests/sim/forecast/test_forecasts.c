/* Labels: slow */
/* The predictions of check against what then happens: random scenarios of many rounds on small data.
 * Simulated time has to lie in the range for nine out of ten; the range has to be narrow enough to be
 * useful; memory and disk have to be right within a quarter; and check has to be quick. With little
 * patience only a part of the rounds is simulated beforehand.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=17 test_forecasts     repeats number 17 */
#include "sim/base/order.h"
#include "sim/base/settings/units.h"
#include "tests/sim/run/random_scenario.h"

#include <sys/resource.h>
#include <time.h>

#ifndef DEFAULT_FORECASTS
#define DEFAULT_FORECASTS 12
#define SCALES 1
#endif

#define SHARE_RIGHT 0.9
#define SHARE_RIGHT_HASTY 0.8 /* some leave the path of their first rounds */
#define MOST_WIDE 1.5
#define MOST_WIDE_LOST 2.5
#define MOST_OFF 0.25

/* Scales: by how much there are more users and rounds. */
static const uint32_t more_users[] = {1, 2, 4}, more_rounds[] = {1, 8, 40};

static void draw_users(struct draw *d, uint32_t scale) {
    d->users = (30 + below(d, 50)) * more_users[scale];
    fprintf(d->out,
        "evaluation = { negatives = 20; every = %u; };\n"
        "data = { synthetic = \"custom\"; users = %u; items = %u; interactions = %u; activity_ceiling = 0.4;"
        " synthetic_seed = %u; };\n",
        more_rounds[scale], d->users, 150 + below(d, 100), 20 * d->users, below(d, 1000));
}

static void draw_many_rounds(struct draw *d, uint32_t scale) {
    uint32_t cohort = 5 + below(d, d->users < 40 ? d->users - 5 : 35);
    uint32_t count = more_rounds[scale] * (40 + below(d, 200));
    fprintf(d->out, "rounds = { count = %u; cohort = %u;", count, cohort);
    draw_policy(d, cohort);
    draw_selection(d, cohort);
    fputs(" };\n", d->out);
}

/* As random_scenario, of as many rounds as runs have. */
static void draw_long_run(uint64_t seed) {
    struct draw draw = {.rng = frs_rng_stream(seed, 2, 0, 0, FRS_RNG_TEST), .out = folder_open("s.cfg", "w")};
    struct draw *d = &draw;
    uint32_t scale = (uint32_t)(seed % SCALES);
    d->trains = true;
    fprintf(d->out, "seed = %llu;\n", (unsigned long long)seed);
    draw_users(d, scale);
    draw_method(d);
    draw_network(d, false);
    draw_devices(d);
    d->reachable = true;
    if (one_in(d, 3)) {
        draw_availability(d);
        draw_failures(d, seed);
    } else if (one_in(d, 2))
        fprintf(d->out, "failures = { up = %s; compute = %s; detect = \"%u s\"; };\n",
            ONE_OF(d, "0.05", "0.3"), ONE_OF(d, "0", "0.1"), below(d, 30));
    draw_many_rounds(d, scale);
    fclose(d->out);
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct told {
    bool known;
    double low_s, high_s, memory_bytes, disk_bytes; /* disk NaN: not known */
};

/* A quantity, "1.25 MB", at the beginning of the text. */
static double quantity(const char *text, enum frs_dimension dimension) {
    char word[64];
    double value;
    size_t n = strcspn(text, " ");
    n += 1 + strcspn(text + n + 1, " ,;\n");
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    ck_assert_msg(frs_units_parse(word, dimension, &value) == FRS_OK, "\"%s\" is no quantity", word);
    return value;
}

static struct told predict(const char *patience) {
    struct told told = {0};
    /* Started anew, as the run is: both tell of the memory of a whole program. */
    const char *build = getenv("FRS_BUILD_DIR");
    int code = shell("'%s/fedrecsim' check s.cfg %s </dev/null >said 2>&1", build ? build : ".", patience);
    char *said = read_text("said");
    snprintf(frs_said, sizeof frs_said, "%s", said);
    free(said);
    ck_assert_msg(code == 0, "check: exit code %d: %s", code, frs_said);
    const char *between = strstr(frs_said, ", between "), *memory = strstr(frs_said, "\n  memory");
    ck_assert_ptr_nonnull(memory);
    told.memory_bytes = quantity(strstr(memory, "about ") + 6, FRS_BYTES);
    told.disk_bytes = NAN;
    const char *disk = strstr(frs_said, "\n  disk         about ");
    if (disk)
        told.disk_bytes = quantity(strstr(disk, "about ") + 6, FRS_BYTES);
    told.known = between;
    if (between) {
        told.low_s = quantity(between + 10, FRS_TIME);
        told.high_s = quantity(strstr(between, " and ") + 5, FRS_TIME);
    }
    return told;
}

/* Returns the most that was resident. */
static double run_it(void) {
    const char *build = getenv("FRS_BUILD_DIR");
    char *program = frs_format("%s/fedrecsim", build ? build : ".");
    struct rusage usage;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (chdir(frs_folder) != 0 || !freopen("said", "w", stdout) || dup2(1, 2) < 0)
            _exit(99);
        execl(program, program, "run", "s.cfg", "--quiet", "--out", "out", (char *)NULL);
        _exit(99);
    }
    ck_assert_int_eq(wait4(pid, &status, 0, &usage), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "a run ends with %d", status);
    free(program);
    return (double)usage.ru_maxrss * 1024;
}

#define MOST_FORECASTS 1000u

/* Figures of which the median and the extremes are of interest. */
struct figures {
    const char *what;
    size_t n;
    double values[MOST_FORECASTS];
};

static void add(struct figures *figures, double value) {
    ck_assert_uint_lt(figures->n, MOST_FORECASTS);
    figures->values[figures->n++] = value;
}

static void print_figures(struct figures *figures) {
    size_t n = figures->n;
    qsort(figures->values, n, sizeof *figures->values, frs_compare_doubles);
    if (n > 0)
        printf("  %-44s median %.3g, least %.3g, most %.3g (%zu)\n", figures->what, figures->values[n / 2],
            figures->values[0], figures->values[n - 1], n);
}

struct tally {
    const char *patience;
    bool may_not_know; /* there may be no time for a single round */
    size_t n, right, too_wide;
    struct figures widths[2]; /* without and with losses */
};

static void judge(struct tally *tally, const struct told *told, double simulated_s, bool lost) {
    bool in_range = told->low_s * (1 - 1e-2) <= simulated_s && simulated_s <= told->high_s * (1 + 1e-2);
    bool right = told->known ? in_range : isnan(simulated_s) || tally->may_not_know;
    double width = told->known ? told->high_s / told->low_s : 1;
    bool wide = width > 1.02 * (lost ? MOST_WIDE_LOST : MOST_WIDE);
    tally->n++;
    tally->right += right;
    tally->too_wide += wide;
    if (told->known)
        add(&tally->widths[lost], width);
    printf("  %-20s %s%s: %.6g s, predicted %.6g to %.6g s\n", tally->patience, right ? "right" : "WRONG",
        wide ? ", WIDE" : "", simulated_s, told->low_s, told->high_s);
}

static struct tally usual = {.patience = "",
                        .widths = {{.what = "range, nothing lost: most over least"},
                            {.what = "range, losses: most over least"}}},
                    hasty = {.patience = "--patience '60 ms'",
                        .may_not_know = true,
                        .widths = {{.what = "range, 60 ms, nothing lost"}, {.what = "range, 60 ms, losses"}}};
static struct figures disk = {.what = "disk, predicted over what files take"};
static struct figures memory = {.what = "memory, predicted over most resident"},
                      seconds = {.what = "check, s"}, runs = {.what = "the run, s"},
                      share = {.what = "check, over the longer of 3 s and 2 % of the run"};
static size_t memory_wrong, disk_wrong;

static size_t number_from(const char *variable, size_t otherwise) {
    const char *text = getenv(variable);
    return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

static double size_of_results(void) {
    ck_assert_int_eq(
        shell("find out -type f -printf '%%s\\n' | awk '{ n += $1 } END { print n + 0 }' >size"), 0);
    char *text = read_text("size");
    double bytes = strtod(text, NULL);
    free(text);
    return bytes;
}

static void check_disk(const struct told *told) {
    double bytes = size_of_results();
    disk_wrong += !(fabs(told->disk_bytes - bytes) <= MOST_OFF * bytes);
    add(&disk, told->disk_bytes / bytes);
}

static void check_forecast(uint64_t number) {
    draw_long_run(number);
    double began_s = now_s();
    struct told patient = predict(usual.patience);
    double took_s = now_s() - began_s;
    struct told quick = {0};
    if (number % SCALES == 0)
        quick = predict(hasty.patience);
    began_s = now_s();
    double peak_bytes = run_it(), run_s = now_s() - began_s, simulated_s = NAN;
    bool lost = true;
    if (shell("test -e out/summary.json") == 0) {
        json_t *summary = load_json("out", "summary.json");
        struct table rounds = table_load("out", "rounds.csv");
        simulated_s = json_path(summary, "simulated_s", NULL);
        lost = column_sum(&rounds, "delivered") < column_sum(&rounds, "selected");
        table_fini(&rounds);
        json_decref(summary);
        if (patient.known)
            check_disk(&patient);
    }
    printf("scenario %llu: check %.2f s, run %.2f s, memory %.1f MiB, predicted %.1f\n",
        (unsigned long long)number, took_s, run_s, peak_bytes / (1 << 20), patient.memory_bytes / (1 << 20));
    judge(&usual, &patient, simulated_s, lost);
    if (number % SCALES == 0)
        judge(&hasty, &quick, simulated_s, lost);
    memory_wrong += fabs(patient.memory_bytes - peak_bytes) > MOST_OFF * peak_bytes;
    add(&memory, patient.memory_bytes / peak_bytes);
    add(&seconds, took_s);
    add(&runs, run_s);
    add(&share, took_s / fmax(3, 0.02 * run_s));
    fflush(stdout);
    shell("rm -rf out");
}

/* No client ever answers, so that no round has messages. */
START_TEST(test_messages_that_nobody_knows) {
    FILE *out = folder_open("s.cfg", "w");
    fputs("data = { synthetic = \"small\"; };\navailability = { model = \"bernoulli\"; p = 0; };\n", out);
    fclose(out);
    ck_assert_int_eq(run_program("check s.cfg --patience '10 ms'"), 0);
    ck_assert_msg(strstr(frs_said, "\n  messages     not known\n"), "%s", frs_said);
}
END_TEST

/* Where few of many clients are selected, most memory is that of their page. */
START_TEST(test_page_of_many_clients) {
    FILE *out = folder_open("s.cfg", "w");
    fputs("data = { synthetic = \"custom\"; users = 300000; items = 500; interactions = 3600000; };\n"
          "training = { enabled = false; };\ndevices = { compute = \"none\"; };\nrounds = { count = 20; "
          "cohort = 100; };\n",
        out);
    fclose(out);
    struct told told = predict("");
    double peak_bytes = run_it();
    printf("a page of 300,000 clients: %.1f MiB, predicted %.1f\n", peak_bytes / (1 << 20),
        told.memory_bytes / (1 << 20));
    ck_assert_double_le(fabs(told.memory_bytes - peak_bytes), MOST_OFF * peak_bytes);
    check_disk(&told);
    ck_assert_uint_eq(disk_wrong, 0);
}
END_TEST

/* More than any file system has. */
START_TEST(too_little_disk_is_told) {
    FILE *out = folder_open("s.cfg", "w");
    fputs("data = { synthetic = \"small\"; };\nrounds = { count = 1000000000; cohort = \"100 %\"; };\n", out);
    fclose(out);
    ck_assert_int_eq(run_program("check s.cfg --patience '100 ms'"), 0);
    ck_assert_msg(strstr(frs_said, "\n  disk is full  only "), "%s", frs_said);
    ck_assert_int_eq(run_program("check s.cfg --patience '100 ms' --set rounds.count=2"), 0);
    ck_assert_msg(!strstr(frs_said, "disk is full"), "%s", frs_said);
}
END_TEST

START_TEST(forecasts_hold_in_random_scenarios) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", DEFAULT_FORECASTS),
           first = number_from("FRS_RANDOM_FIRST", 1);
    for (uint64_t number = first; number < first + n; number++)
        check_forecast(number);
    printf("right: %zu of %zu, and with little patience %zu of %zu; too wide: %zu and %zu; memory wrong: "
           "%zu; disk "
           "wrong: %zu\n",
        usual.right, usual.n, hasty.right, hasty.n, usual.too_wide, hasty.too_wide, memory_wrong, disk_wrong);
    struct figures *all[] = {&usual.widths[0], &usual.widths[1], &hasty.widths[0], &hasty.widths[1], &memory,
        &disk, &seconds, &runs, &share};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        print_figures(all[i]);
    ck_assert_double_ge((double)usual.right, SHARE_RIGHT * (double)usual.n);
    ck_assert_uint_eq(usual.too_wide, 0);
    ck_assert_uint_eq(memory_wrong, 0);
    ck_assert_uint_eq(disk_wrong, 0);
#ifdef MOST_CHECK /* what can be played in 60 ms depends on who else uses the machine */
    ck_assert_double_ge((double)hasty.right, SHARE_RIGHT_HASTY * (double)hasty.n);
    ck_assert_double_le(share.values[share.n - 1], MOST_CHECK);
#endif
}
END_TEST

int main(void) {
    Suite *suite = suite_create("forecasts");
    TCase *tests = tcase_create("against what happens");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, test_messages_that_nobody_knows);
    tcase_add_test(tests, test_page_of_many_clients);
    tcase_add_test(tests, too_little_disk_is_told);
    tcase_add_test(tests, forecasts_hold_in_random_scenarios);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
