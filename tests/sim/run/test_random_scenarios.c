/* Every run of a valid scenario ends: by itself, in time, with books that agree. Every scenario is drawn
 * from its number; the program checks its own invariants while it runs, and its results are checked here
 * once more independently.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=817 test_random_scenarios     repeats number 817
 *
 * At the end a table shows how often each outcome occurred, in which phase and why; none may be missing. */
#include "tests/sim/run/books_fixture.h"
#include "tests/sim/run/random_scenario.h"

#include <signal.h>
#include <time.h>

#ifndef DEFAULT_SCENARIOS
#define DEFAULT_SCENARIOS FRS_TEST_CASES(50)
#endif

static const char *const policies[] = {
    "wait_all", "deadline", "over_select", "quantile", "quorum_then_wait", "partial_work", "buffered_async"};
enum { N_POLICIES = 7, COMPLETE = 0, UNREACHABLE, VOID, NOT_OPENED, N_ENDS };
static const char *const ends[] = {"complete", "unreachable", "void", "not opened"};

/* Runs by policy, whether stragglers run on, and end. */
static size_t runs[N_POLICIES][2][N_ENDS];

static books_seen seen;

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
    ck_assert_int_eq(run_with("actors", "--set engine.backend=actors"), code);
    ck_assert_int_eq(run_with("calendar", "--set engine.backend=calendar"), code);
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(shell("test ! -e out || cmp -s actors/%s calendar/%s", files[i], files[i]) == 0,
            "%s depends on the backend", files[i]);
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
                 : strstr(frs_said, " eligible ")                 ? NOT_OPENED
                                                                  : COMPLETE;
    bool stranded = end != COMPLETE;
    ck_assert_msg(code == 0 || stranded, "exit code %d: %s", code, frs_said);
    runs[books_index(policies, N_POLICIES, draw.policy)][draw.runs_on][end]++;
    /* Without a single round there are attempts to keep, if a client was selected. */
    bool is_first = stranded && strstr(frs_said, "round 1: ");
    if (!is_first || end == VOID || shell("test -e out") == 0)
        books_check("out",
            (struct books_rules){
                .runs_on = draw.runs_on, .asynchronous = draw.asynchronous, .resumes = draw.resumes},
            is_first   ? "incomplete"
            : stranded ? "stranded"
                       : "complete",
            seen);
    if (!draw.simgrid && number % 5 == 0)
        check_other_player(code);
    if (code == 0 && number % 3 == 0)
        check_resumed(number, whole_s);
    shell("rm -rf out");
}

/* What can happen; everything else must not. A usual cause (U) has to occur among 100 scenarios, a rare
 * one (R) only among 1000, a possible one (P) need not. */
static const struct {
    size_t outcome, phase;
    const char
        *causes; /* none, offline, device, connection; server restart, round closed, void round, end of run */
} ways[] = {
    {DELIVERED, UP, "U...U.RR"},
    {LATE, UP, "R...PURP"},
    {CUT, ENCODE, "....U..."},
    {CUT, CONTACT, "....RRPR"},
    {CUT, SETUP, "....RRPR"},
    {CUT, DOWN, "....UUPU"},
    {CUT, QUEUE, "....PPPP"},
    {CUT, COMPUTE, "....URPR"},
    {CUT, UP, "....UUPU"},
    {CUT, POST, ".......U"},
    {UNAVAILABLE, CONTACT, ".U......"},
    {DROPPED_DOWN, SETUP, ".UPP...."},
    {DROPPED_DOWN, DOWN, ".UUU...."},
    {DROPPED_COMPUTE, QUEUE, ".PP....."},
    {DROPPED_COMPUTE, COMPUTE, ".UU....."},
    {DROPPED_UP, UP, ".UUU...."},
    {REFUSED, CONTACT, "U......."},
    {ENDED, POST, "U......."},
    {DROPPED_POST, POST, ".RU....."},
};

/* How often a way to end is due: as above. */
static char due(size_t outcome, size_t phase, size_t cause) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i].outcome == outcome && ways[i].phase == phase)
            return ways[i].causes[cause];
    return '.';
}

static void print_runs(void) {
    printf("%-16s %-8s", "policy", "run_on");
    for (size_t end = 0; end < N_ENDS; end++)
        printf(" %11s", ends[end]);
    for (size_t i = 0; i < 2 * N_POLICIES; i++) {
        const size_t *row = runs[i / 2][i % 2];
        if (row[COMPLETE] + row[UNREACHABLE] + row[VOID] + row[NOT_OPENED] > 0)
            printf("\n%-16s %-8s %11zu %11zu %11zu %11zu", policies[i / 2], i % 2 ? "yes" : "no",
                row[COMPLETE], row[UNREACHABLE], row[VOID], row[NOT_OPENED]);
    }
    printf("\n\n");
}

static void check_seen(size_t n_scenarios) {
    size_t unknown = 0, missing = 0;
    printf("%-16s %-8s %-15s %8s\n", "outcome", "phase", "cause", "count");
    for (size_t i = 0; i < sizeof seen / sizeof ***seen; i++) {
        size_t cause = i % N_CAUSES, phase = i / N_CAUSES % N_PHASES, outcome = i / N_CAUSES / N_PHASES;
        size_t count = seen[outcome][phase][cause];
        char how = due(outcome, phase, cause);
        unknown += count > 0 && how == '.';
        missing += count == 0 && ((how == 'U' && n_scenarios >= 100) || (how == 'R' && n_scenarios >= 1000));
        if (count > 0 || how != '.')
            printf("%-16s %-8s %-15s %8zu%s\n", books_outcomes[outcome], books_phases[phase],
                books_causes[cause], count, how == '.' ? "  must not happen" : "");
    }
    ck_assert_msg(unknown == 0, "%zu ways to end are not in the table", unknown);
    ck_assert_msg(missing == 0, "%zu of the ways to end never came about", missing);
}

static uint64_t number;

START_TEST(random_scenarios_add_up) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", DEFAULT_SCENARIOS),
           first = number_from("FRS_RANDOM_FIRST", 1);
    frs_most_s = 60;
    for (number = first; number < first + n; number++)
        check_scenario(number);
    number = 0;
    print_runs();
    printf(
        "%zu caps, %zu of them exceeded, by the one error that is told at most\n", books_capped, books_above);
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
    tcase_add_test(tests, random_scenarios_add_up);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
