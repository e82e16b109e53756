/* Random changes to valid files: the loader always ends, with a scenario or with one-line errors. The scan
 * accepts nothing that libconfig would refuse (apart from numbers of two kinds in one array), and a text
 * that libconfig accepts alone gives the same scenario with the scan. */
#include "sim/base/numbers/rng.h"
#include "tests/sim/scenario/fixture.h"
#include "tests/support.h"

enum { TRIALS = 4000, LONGEST = 4096 };

/* libconfig 1.5 loses one byte-sized block for every text it gives up on. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libconfig_yylex\nleak:config_read";
}

static const char *const valid[] = {
    "seed = 5;\n# c\nmethod = {\n  name = \"colr\"; // x\n  rank = 4;\n  lr = 1e-3;\n  fedmf = { dim = 0x10; "
    "};\n};\n"
    "network : {\n preset = \"fieldguide\"\n downlink = \"6 Mbit/s\";\n uplink = { distribution = "
    "\"lognormal\"; sigma = "
    ".5 };\n};\n",
    "rounds = { cohort = \"60 %\"; metrics = [\"hr\", \"ndcg\"]; count = 3000000000L, };\n/* long */ devices "
    "= { note = "
    "\"a\\\"b\" \"c\"; strict = TRUE; overhead = \"5 s\"; };\n",
    "codec = { uplink = { bits = 5; }; }; \n@include \"part.cfg\"\n seed = -5; l = (1.5, -2, +3e4, true, "
    "FALSE, (), {});\n",
    "seed = 4294967295L; method = { name = \"fedmf\"; dim = 010; momentum = 0.10; lr = 1e-3; }\n"
    "rounds : { count = +5, cohort = \"60 %\"; metrics = (\"hr\"); }; codec = { uplink = { bits = 0x8 } };\n",
};

static const char *const pieces[] = {"true", "0x", "@include \"part.cfg\"", "\n@include \"part.cfg\"\n", "/*",
    "*/", "\"", "name = ", "= {", "};", "1e5", "3000000000", "\\x4", "L", "-", "#", "\n", "(", ")", "[", "]",
    "%", "\xff", "@", "0", "10", "000000", ".", "1e100", "0xFF", "-0", "e"};

static void insert(char *text, size_t at, const char *piece) {
    size_t n = strlen(piece);
    memmove(text + at + n, text + at, strlen(text + at) + 1);
    memcpy(text + at, piece, n);
}

static void change(char *text, struct frs_rng *rng) {
    size_t length = strlen(text), at = frs_rng_below(rng, (uint32_t)length + 1);
    size_t cut = frs_rng_below(rng, 12);
    if (frs_rng_below(rng, 2) && at + cut < length)
        memmove(text + at, text + at + cut, length - at - cut + 1);
    else
        insert(text, at, pieces[frs_rng_below(rng, sizeof pieces / sizeof *pieces)]);
}

static void write_value(void *context, const char *key, const char *text) {
    fprintf(context, "%s = %s\n", key, text);
}

/* All values of a scenario; freed by the caller. */
static char *values_of(const struct frs_scenario *scenario) {
    char *values;
    size_t n;
    FILE *out = open_memstream(&values, &n);
    frs_scenario_each(scenario, write_value, out);
    fclose(out);
    return values;
}

/* A comment of this kind has a text scanned. */
static void check_scanned(const char *text, const struct frs_scenario *scenario) {
    struct frs_errors errors = {0};
    struct frs_scenario *scanned;
    char *longer = frs_format("%s\n/* */\n", text);
    ck_assert(frs_scenario_may_be_misread(longer));
    enum frs_status status = fixture_load(fixture, longer, NULL, &scanned, &errors);
    ck_assert_msg(status == FRS_OK, "%s\n%s", errors.lines[0], text);
    char *values = values_of(scenario), *same = values_of(scanned);
    ck_assert_str_eq(values, same);
    free(values);
    free(same);
    free(longer);
    frs_scenario_destroy(scanned);
}

START_TEST(damaged_files_are_read_or_refused) {
    struct frs_rng rng = frs_rng_stream(1, FRS_RNG_SERVER, 0, 0, FRS_RNG_TEST);
    fixture_write("part.cfg", "devices = { strict = false; };\n");
    size_t loaded = 0, unscanned = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        char text[LONGEST];
        strcpy(text, valid[frs_rng_below(&rng, sizeof valid / sizeof *valid)]);
        for (uint32_t changes = frs_rng_below(&rng, 4); changes > 0; changes--)
            change(text, &rng);
        struct frs_errors errors = {0};
        struct frs_scenario *scenario;
        enum frs_status status = fixture_load(fixture, text, NULL, &scenario, &errors);
        ck_assert_msg(
            (status == FRS_OK) == (errors.n == 0) && (status == FRS_OK) == (scenario != NULL), "%s", text);
        for (size_t i = 0; i < errors.n; i++) {
            ck_assert_msg(!strpbrk(errors.lines[i], "\n\r"), "%s", errors.lines[i]);
            ck_assert_msg(!strstr(errors.lines[i], "syntax error"), "%s\n%s", errors.lines[i], text);
        }
        loaded += status == FRS_OK;
        if (status == FRS_OK && !frs_scenario_may_be_misread(text)) {
            check_scanned(text, scenario);
            unscanned++;
        }
        frs_errors_clear(&errors);
        frs_scenario_destroy(scenario);
    }
    ck_assert_uint_gt(loaded, TRIALS / 20);
    ck_assert_uint_gt(unscanned, TRIALS / 20);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scenario fuzz");
    TCase *tests = tcase_create("all");
    (void)fixture_strict;
    tcase_set_timeout(tests, 300);
    tcase_add_unchecked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_test(tests, damaged_files_are_read_or_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
