/* Random changes to valid files: the loader always ends, with a scenario or with one-line errors, and the
 * scan before libconfig takes nothing that libconfig would refuse (apart from numbers of two kinds in one
 * array). */
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
};

static const char *const pieces[] = {"true", "0x", "@include \"part.cfg\"", "\n@include \"part.cfg\"\n", "/*",
    "*/", "\"", "name = ", "= {", "};", "1e5", "3000000000", "\\x4", "L", "-", "#", "\n", "(", ")", "[", "]",
    "%", "\xff", "@"};

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

START_TEST(test_changed_files) {
    struct frs_rng rng = frs_rng_stream(1, FRS_RNG_SERVER, 0, 0, FRS_RNG_TEST);
    fixture_write("part.cfg", "devices = { strict = false; };\n");
    size_t loaded = 0;
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
        frs_errors_clear(&errors);
        frs_scenario_destroy(scenario);
    }
    ck_assert_uint_gt(loaded, TRIALS / 20);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scenario fuzz");
    TCase *tests = tcase_create("all");
    (void)fixture_strict;
    tcase_set_timeout(tests, 300);
    tcase_add_unchecked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_test(tests, test_changed_files);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
