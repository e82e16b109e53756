/* Units, parameters as text, and the spelling helpers, with values worked out by hand. */
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    enum frs_dimension dimension;
    const char *text;
    double expected; /* NAN: refused */
} quantities[] = {
    {FRS_RATE, "6 Mbit/s", 750000},
    {FRS_RATE, "6Mbit/s", 750000},
    {FRS_RATE, "0.75 MiB/s", 786432},
    {FRS_RATE, "0.25 MiB/s", 262144},
    {FRS_RATE, "1 kB/s", 1000},
    {FRS_RATE, "1 KiB/s", 1024},
    {FRS_RATE, "8 bit/s", 1},
    {FRS_RATE, "1e3 B/s", 1000},
    {FRS_RATE, "1 TB/s", 1e12},
    {FRS_BYTES, "1 kbit", 125},
    {FRS_BYTES, "4 kB", 4000},
    {FRS_BYTES, "1 GiB", 1073741824},
    {FRS_BYTES, "0 B", 0},
    {FRS_TIME, "40 ms", 0.04},
    {FRS_TIME, "30 min", 1800},
    {FRS_TIME, "2 h", 7200},
    {FRS_TIME, "1 d", 86400},
    {FRS_TIME, "-1 s", -1},
    {FRS_TIME, "+.5 s", 0.5},
    {FRS_SPEED, "2 Gflop/s", 2e9},
    {FRS_TIME, "5", NAN},
    {FRS_TIME, "", NAN},
    {FRS_TIME, "s", NAN},
    {FRS_TIME, "nan s", NAN},
    {FRS_TIME, "inf s", NAN},
    {FRS_TIME, "1e400 s", NAN},
    {FRS_TIME, "-1e400 s", NAN},
    {FRS_TIME, "1e308 d", NAN},
    {FRS_TIME, "1e300 s", NAN},
    {FRS_TIME, "1e9 s", 1e9},
    {FRS_TIME, "1000000001 s", NAN},
    {FRS_TIME, "-1000000001 s", NAN},
    {FRS_TIME, "11574 d", 999993600},
    {FRS_TIME, "11575 d", NAN},
    {FRS_BYTES, "1e18 B", 1e18},
    {FRS_BYTES, "1.1e18 B", NAN},
    {FRS_RATE, "1000 TB/s", 1e15},
    {FRS_RATE, "1001 TB/s", NAN},
    {FRS_SPEED, "1e21 flop/s", 1e21},
    {FRS_SPEED, "1e10 Tflop/s", NAN},
    {FRS_POWER, "1e6 kW", 1e9},
    {FRS_POWER, "1.1e6 kW", NAN},
    {FRS_ENERGY_PER_BYTE, "1000 J/B", 1000},
    {FRS_ENERGY_PER_BYTE, "1001 J/B", NAN},
    {FRS_TIME, "0x10 s", NAN},
    {FRS_TIME, " 5 s", NAN},
    {FRS_TIME, "5 s ", NAN},
    {FRS_TIME, "5 sec", NAN},
    {FRS_TIME, "5 S", NAN},
    {FRS_TIME, "5 ks", NAN},
    {FRS_TIME, "5 m", NAN},
    {FRS_TIME, "--5 s", NAN},
    {FRS_TIME, "1,5 s", NAN},
    {FRS_RATE, "6 Mb/s", NAN},
    {FRS_RATE, "6 Mbps", 750000},
    {FRS_RATE, "6 MBps", 6e6},
    {FRS_RATE, "6 bps", 0.75},
    {FRS_RATE, "6 MiBps", 6291456},
    {FRS_RATE, "6 mbps", NAN},
    {FRS_BYTES, "6 Mbps", NAN},
    {FRS_RATE, "6 mbit/s", NAN},
    {FRS_RATE, "6 Mbit", NAN},
    {FRS_BYTES, "6 Mbit/s", NAN},
    {FRS_BYTES, "1 KB", NAN},
};

START_TEST(quantities_are_read_in_si_units) {
    double value = -7;
    enum frs_status status = frs_units_parse(quantities[_i].text, quantities[_i].dimension, &value);
    if (isnan(quantities[_i].expected)) {
        ck_assert_msg(status == FRS_ERR_INPUT, "\"%s\" was taken as %g", quantities[_i].text, value);
        ck_assert(value == -7);
    } else {
        ck_assert_msg(status == FRS_OK && value == quantities[_i].expected, "\"%s\" became %.17g",
            quantities[_i].text, value);
    }
}
END_TEST

/* One quantity in several units is one number, to the last bit. */
static const struct {
    enum frs_dimension dimension;
    const char *texts[5];
} equals[] = {
    {FRS_TIME, {"50 ms", "50000 us", "0.05 s", "50000000 ns"}},
    {FRS_TIME, {"0.7 ms", "700 us", "0.0007 s", "7e-4 s"}},
    {FRS_TIME, {"0.1 h", "6 min", "360 s", "360000 ms"}},
    {FRS_TIME, {"1.1 min", "66 s", "66e9 ns"}},
    {FRS_TIME, {"0.29 d", "6.96 h", "417.6 min", "25056 s"}},
    {FRS_BYTES, {"0.3 kB", "300 B", "2400 bit", "2.4 kbit"}},
    {FRS_BYTES, {"0.1 MiB", "102.4 KiB", "104857.6 B"}},
    {FRS_RATE, {"1.7 Mbit/s", "1700 kbit/s", "212.5 kB/s", "1.7 Mbps"}},
    {FRS_RATE, {"0.007 kbit/s", "7 bit/s", "0.875 B/s"}},
    {FRS_SPEED, {"2.3 Gflop/s", "2300 Mflop/s", "0.0023 Tflop/s"}},
    {FRS_POWER, {"1288 mW", "1.288 W", "0.001288 kW"}},
    {FRS_ENERGY_PER_BYTE, {"245 nJ/bit", "1960 nJ/B", "1.96 uJ/B", "0.245 uJ/bit"}},
    {FRS_ENERGY_PER_BYTE, {"0.3 mJ/B", "300 uJ/B", "3e-4 J/B"}},
};

START_TEST(equal_quantities_are_the_same_number) {
    double first = NAN, value = NAN;
    for (size_t i = 0; equals[_i].texts[i]; i++) {
        ck_assert_int_eq(frs_units_parse(equals[_i].texts[i], equals[_i].dimension, &value), FRS_OK);
        first = i == 0 ? value : first;
        ck_assert_msg(value == first, "\"%s\" is %.17g, \"%s\" is %.17g", equals[_i].texts[i], value,
            equals[_i].texts[0], first);
    }
}
END_TEST

/* Values, as people read them: a link of 750,000 bytes a second is sold as one of 6 Mbit/s. */
static const struct {
    enum frs_dimension dimension;
    double value;
    const char *expected;
} shown[] = {
    {FRS_RATE, 750000, "6.00 Mbit/s"},
    {FRS_RATE, 786432, "6.29 Mbit/s"},
    {FRS_RATE, 124.5, "996 bit/s"},
    {FRS_RATE, 125, "1.00 kbit/s"},
    {FRS_RATE, 1e12, "8.00 Tbit/s"},
    {FRS_BYTES, 0, "0 B"},
    {FRS_BYTES, 999, "999 B"},
    {FRS_BYTES, 1024, "1.02 kB"},
    {FRS_BYTES, 6e6, "6.00 MB"},
    {FRS_BYTES, 2.252e9, "2.25 GB"},
    {FRS_SPEED, 2.86e9, "2.86 Gflop/s"},
    {FRS_TIME, 2935.8, "48.93 min"},
};

START_TEST(quantities_are_printed_with_units) {
    char text[64];
    ck_assert_str_eq(
        frs_units_format(shown[_i].value, shown[_i].dimension, text, sizeof text), shown[_i].expected);
}
END_TEST

static const struct frs_param integer = {.key = "i", .type = FRS_INT, .min = -5, .max = 9007199254740992.0};
static const struct frs_param real = {.key = "r", .type = FRS_REAL, .min = 0, .max = 1};
static const struct frs_param factor = {.key = "f", .type = FRS_REAL, .min = 0, .max = 2};
static const struct frs_param correlation = {.key = "k", .type = FRS_REAL, .min = -1, .max = 1};
static const struct frs_param rate = {
    .key = "q", .type = FRS_QUANTITY, .dimension = FRS_RATE, .min = 1, .max = 1e9};
static const struct frs_param time = {
    .key = "d", .type = FRS_QUANTITY, .dimension = FRS_TIME, .min = 0, .max = INFINITY};
static const struct frs_param unbounded = {.key = "u", .type = FRS_QUANTITY, .dimension = FRS_POWER};
static const struct frs_param share = {.key = "s", .type = FRS_SHARE};
static const struct frs_param truth = {.key = "b", .type = FRS_BOOL};
static const struct frs_param choice = {
    .key = "c", .type = FRS_CHOICE, .choices = (const char *const[]){"uniform", "lognormal", NULL}};
static const struct frs_param list = {
    .key = "l", .type = FRS_LIST, .choices = (const char *const[]){"hr", "ndcg", "mae", NULL}};
static const struct frs_param words = {.key = "t", .type = FRS_TEXT};

/* Text in, canonical text out, or NULL and the reason. */
static const struct {
    const struct frs_param *param;
    const char *text, *expected, *reason;
} texts[] = {
    {&integer, "7", "7", NULL},
    {&integer, "-5", "-5", NULL},
    {&integer, "+7", "7", NULL},
    {&integer, "9007199254740992", "9007199254740992", NULL},
    {&integer, "9007199254740993", NULL,
        "\"9007199254740993\" is out of range; allowed: an integer from -5 to 9007199254740992"},
    {&integer, "-6", NULL, "\"-6\" is out of range; allowed: an integer from -5 to 9007199254740992"},
    {&integer, "1e3", NULL, "\"1e3\" is not an integer; allowed: an integer from -5 to 9007199254740992"},
    {&integer, "0x10", NULL, "\"0x10\" is not a number; allowed: an integer from -5 to 9007199254740992"},
    {&integer, " 7", NULL, "\" 7\" is not a number; allowed: an integer from -5 to 9007199254740992"},
    {&integer, "", NULL, "\"\" is not a number; allowed: an integer from -5 to 9007199254740992"},
    {&integer, "99999999999999999999", NULL,
        "\"99999999999999999999\" is out of range; allowed: an integer from -5 to 9007199254740992"},
    {&real, "0.1", "0.1", NULL},
    {&real, "10 %", "0.1", NULL},
    {&real, "33.3%", "0.333", NULL},
    {&real, "0 %", "0", NULL},
    {&real, "100 %", "1", NULL},
    {&real, "101 %", NULL,
        "\"101 %\" is out of range; allowed: a number from 0 to 1, or a percentage such as \"10 %\""},
    {&real, "10 %%", NULL,
        "\"10 %%\" is not a number; allowed: a number from 0 to 1, or a percentage such as \"10 %\""},
    {&factor, "10 %", NULL, "\"10 %\" is not a number; allowed: a number from 0 to 2"},
    {&correlation, "10 %", NULL, "\"10 %\" is not a number; allowed: a number from -1 to 1"},
    {&real, "1", "1", NULL},
    {&real, "0.30000000000000004", "0.30000000000000004", NULL},
    {&real, "nan", NULL,
        "\"nan\" is not a number; allowed: a number from 0 to 1, or a percentage such as \"10 %\""},
    {&real, "1e400", NULL,
        "\"1e400\" is out of range; allowed: a number from 0 to 1, or a percentage such as \"10 %\""},
    {&real, "1.5", NULL,
        "\"1.5\" is out of range; allowed: a number from 0 to 1, or a percentage such as \"10 %\""},
    {&rate, "6 Mbit/s", "750000 B/s", NULL},
    {&rate, "0.1 kB/s", "100 B/s", NULL},
    {&rate, "1 bit/s", NULL,
        "\"1 bit/s\" is out of range; allowed: text with a number and a unit (bit/s, kbit/s, Mbit/s, Gbit/s, "
        "B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000 bytes/s"},
    {&time, "1e9 s", "1000000000 s", NULL},
    {&time, "1e300 s", NULL,
        "\"1e300 s\" is out of range; allowed: text with a number and a unit (ns, us, ms, s, min, h, d) from "
        "0 to 1000000000 s"},
    {&unbounded, "0 W", "0 W", NULL},
    {&unbounded, "-1 W", NULL,
        "\"-1 W\" is out of range; allowed: text with a number and a unit (mW, W, kW) from 0 to 1000000000 "
        "W"},
    {&share, "1", "1", NULL},
    {&share, "60 %", "60 %", NULL},
    {&share, "60%", "60 %", NULL},
    {&share, "0.1 %", "0.1 %", NULL},
    {&share, "33.3 %", "33.3 %", NULL},
    {&share, "100 %", "100 %", NULL},
    {&share, "0", NULL,
        "\"0\" is out of range; allowed: a count (integer of at least 1) or a share such as \"60 %\""},
    {&share, "60 %%", NULL,
        "\"60 %%\" is not allowed; allowed: a count (integer of at least 1) or a share such as \"60 %\""},
    {&share, "nan %", NULL,
        "\"nan %\" is not allowed; allowed: a count (integer of at least 1) or a share such as \"60 %\""},
    {&truth, "true", "true", NULL},
    {&truth, "yes", NULL, "\"yes\" is not allowed; allowed: true or false"},
    {&choice, "lognormal", "lognormal", NULL},
    {&choice, "log-normal", NULL,
        "\"log-normal\" is not allowed; did you mean \"lognormal\"?; allowed: uniform | lognormal"},
    {&list, "mae,hr", "hr,mae", NULL},
    {&list, "", "", NULL},
    {&list, "hr, rmse", NULL, "\"rmse\" is not allowed; allowed: a list of: hr | ndcg | mae"},
    {&words, "any text, = too", "any text, = too", NULL},
    {&words, "", "", NULL},
};

START_TEST(texts_are_checked) {
    struct frs_value value = {.param = texts[_i].param};
    char reason[1024] = "";
    enum frs_status status = frs_value_set(&value, texts[_i].text, reason, sizeof reason);
    if (!texts[_i].expected) {
        ck_assert_int_eq(status, FRS_ERR_INPUT);
        ck_assert_str_eq(reason, texts[_i].reason);
        ck_assert(!value.set);
        return;
    }
    ck_assert_int_eq(status, FRS_OK);
    char *text = frs_value_format(&value);
    ck_assert_str_eq(text, texts[_i].expected);
    free(text);
    if (value.param->type == FRS_TEXT)
        free(value.text);
}
END_TEST

START_TEST(distance_counts_edits) {
    ck_assert_uint_eq(frs_text_distance("rank", "rank"), 0);
    ck_assert_uint_eq(frs_text_distance("Rank", "rANK"), 0);
    ck_assert_uint_eq(frs_text_distance("rnak", "rank"), 1);
    ck_assert_uint_eq(frs_text_distance("rak", "rank"), 1);
    ck_assert_uint_eq(frs_text_distance("rankk", "rank"), 1);
    ck_assert_uint_eq(frs_text_distance("kitten", "sitting"), 3);
    ck_assert_uint_eq(frs_text_distance("", "rank"), 4);
    char *longer = frs_format("%0100d", 0);
    ck_assert_uint_eq(frs_text_distance(longer, "rank"), SIZE_MAX);
    free(longer);
    const char *const names[] = {"uplink", "downlink", "rank", NULL};
    ck_assert_str_eq(frs_text_nearest("donwlink", names), "downlink");
    ck_assert_str_eq(frs_text_nearest("Rank", names), "rank");
    ck_assert_ptr_null(frs_text_nearest("x", names));
    ck_assert_ptr_null(frs_text_nearest("momentum", names));
}
END_TEST

START_TEST(a_text_becomes_one_line) {
    char out[12];
    ck_assert_str_eq(frs_text_line("a\nb\tc", out, sizeof out), "a b c");
    ck_assert_str_eq(frs_text_line("01234567890", out, sizeof out), "01234567890");
    ck_assert_str_eq(frs_text_line("012345678901", out, sizeof out), "01234567...");
    ck_assert_str_eq(frs_text_line("0123456\u00e4 and so on", out, sizeof out), "0123456...");
    ck_assert_str_eq(frs_text_line("a\xe9z\xc3\xa9\xff", out, sizeof out), "a?z\u00e9?");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("units");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, quantities_are_printed_with_units, 0, sizeof shown / sizeof *shown);
    tcase_add_loop_test(tests, quantities_are_read_in_si_units, 0, sizeof quantities / sizeof *quantities);
    tcase_add_loop_test(tests, equal_quantities_are_the_same_number, 0, sizeof equals / sizeof *equals);
    tcase_add_loop_test(tests, texts_are_checked, 0, sizeof texts / sizeof *texts);
    tcase_add_test(tests, distance_counts_edits);
    tcase_add_test(tests, a_text_becomes_one_line);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
