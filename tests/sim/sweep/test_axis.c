/* The grammar of axes, by hand: what is read, and what is refused in which words. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/sweep/axis.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

static void append(char **text, const char *separator, const char *more) {
    char *longer = frs_format("%s%s%s", *text, separator, more);
    free(*text);
    *text = longer;
}

/* "name [label: set & set | label" of every axis, so that a whole result is one text. */
static char *written(const struct frs_axes *axes) {
    char *text = frs_strdup("");
    for (size_t a = 0; a < axes->n; a++) {
        append(&text, a ? " ; " : "", axes->axes[a].name);
        for (size_t i = 0; i < axes->axes[a].n; i++) {
            const struct frs_level *level = &axes->axes[a].levels[i];
            append(&text, i ? " | " : " [", level->label);
            for (size_t k = 0; k < level->n; k++)
                append(&text, k ? " & " : ": ", level->sets[k]);
        }
    }
    return text;
}

static void expect(const char *const *texts, const char *expected) {
    struct frs_axes axes = {0};
    struct frs_errors errors = {0};
    for (; *texts; texts++)
        ck_assert_msg(frs_axes_add(&axes, *texts, "s.cfg:1", false, &errors) == FRS_OK, "%s: %s", *texts,
            errors.n ? errors.lines[0] : "");
    char *text = written(&axes);
    ck_assert_str_eq(text, expected);
    free(text);
    frs_axes_fini(&axes);
}

#define EXPECT(expected, ...) expect((const char *const[]){__VA_ARGS__, NULL}, expected)

START_TEST(values_become_levels) {
    EXPECT("a.b [1: a.b=1 | 2: a.b=2 | 3: a.b=3", "a.b = 1, 2 ,3");
    EXPECT("a.b [1: a.b=1", "a.b=1");
    EXPECT("path [x=1: path=x=1 | y z: path=y z", "path = x=1, y z");
    EXPECT("k [hr,ndcg: k=hr,ndcg | hr: k=hr", "k = hr\\,ndcg, hr");
    EXPECT("k [a|b: k=a|b | c\\d: k=c\\d", "k = a\\|b, c\\d");
    EXPECT("k [a,b: k=a,b | c: k=c", "k = a\\,b | c");
    EXPECT("t [30 min: t=30 min | 1 h: t=1 h", "t = 30 min, 1 h");
    EXPECT("t [6:30: t=6:30", "t = 6:30");
}
END_TEST

START_TEST(test_keys_in_step) {
    EXPECT("a,b.c [1,x: a=1 & b.c=x | 2,y: a=2 & b.c=y", "a, b.c = 1, x | 2, y");
    EXPECT("a,b [1,2: a=1 & b=2", "a,b=1,2");
    EXPECT("a,b [1,x,y: a=1 & b=x,y", "a,b = 1,x\\,y");
}
END_TEST

START_TEST(named_levels_are_parsed) {
    EXPECT("loss [none | heavy: failures.up=0.3 & failures.down=0.1",
        "loss | none | heavy: failures.up=0.3 & failures.down = 0.1");
    EXPECT(
        "the net [slow 4G: network.preset=4g | as it is", "the net | slow 4G: network.preset=4g | as it is");
    EXPECT("n [a:b: k=v", "n | a\\:b: k=v");
    EXPECT("n [a: k=v&w=x", "n | a: k=v\\&w=x");
    EXPECT("n [a", "n | a");
}
END_TEST

START_TEST(several_axes_are_kept) {
    EXPECT("a [1: a=1 | 2: a=2 ; b [x: b=x", "a = 1, 2", "b = x");
}
END_TEST

/* What its keys are, unless it says something else. */
START_TEST(roles_follow_keys_or_what_is_said) {
    static const struct {
        const char *text, *name;
        enum frs_role role;
    } cases[] = {{"method.name = fedmf, colr", "method.name", FRS_ROLE_DESIGN},
        {"network.preset = 4g, fibre", "network.preset", FRS_ROLE_ENVIRONMENT},
        {"design: network.preset = 4g, fibre", "network.preset", FRS_ROLE_DESIGN},
        {" environment : rounds.cohort = 1, 2", "rounds.cohort", FRS_ROLE_ENVIRONMENT},
        {"rounds.cohort, codec.uplink.k = 1, 2 | 3, 4", "rounds.cohort,codec.uplink.k", FRS_ROLE_DESIGN},
        {"method | a | b: evaluation.target=none & method.dim=2", "method", FRS_ROLE_DESIGN},
        {"design: loss | none | some: failures.up=0.1 & rounds.cohort=2", "loss", FRS_ROLE_DESIGN},
        {"environment: loss | none | some: failures.up=0.1 & rounds.cohort=2", "loss", FRS_ROLE_ENVIRONMENT},
        {"choice | a: failures.up=0.1", "choice", FRS_ROLE_ENVIRONMENT}};
    struct frs_errors errors = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_axes axes = {0};
        ck_assert_msg(frs_axes_add(&axes, cases[i].text, "s.cfg:1", false, &errors) == FRS_OK, "%s",
            errors.n ? errors.lines[0] : "");
        ck_assert_str_eq(axes.axes[0].name, cases[i].name);
        ck_assert_msg(axes.axes[0].role == cases[i].role, "%s", cases[i].text);
        frs_axes_fini(&axes);
    }
    struct frs_axes axes = {0}; /* another axis of the same name is judged by itself */
    ck_assert_int_eq(
        frs_axes_add(&axes, "design: loss | a: failures.up=0.1", "s.cfg:1", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "loss | a: failures.up=0.2", "--vary", true, &errors), FRS_OK);
    ck_assert_int_eq(axes.axes[0].role, FRS_ROLE_ENVIRONMENT);
    frs_axes_fini(&axes);
}
END_TEST

static void expect_error(const char *before, const char *text, const char *expected) {
    struct frs_axes axes = {0};
    struct frs_errors errors = {0};
    if (before)
        ck_assert_int_eq(frs_axes_add(&axes, before, "--vary", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, text, "--vary", false, &errors), FRS_ERR_INPUT);
    ck_assert_uint_eq(errors.n, 1);
    char *whole = frs_format("--vary: \"%s\": %s", text, expected);
    ck_assert_str_eq(errors.lines[0], whole);
    ck_assert_uint_eq(axes.n, before ? 1 : 0);
    free(whole);
    frs_errors_clear(&errors);
    frs_axes_fini(&axes);
}

START_TEST(malformed_axes_are_refused) {
    static const char forms[] =
        "allowed: KEY = V, V   or   KEY, KEY = V, W | V, W   or   NAME | LABEL: KEY=V & KEY=V | LABEL ...";
    char *nothing = frs_format("is not an axis; %s", forms),
         *no_key = frs_format("\"a b\" is not a key; %s", forms);
    expect_error(NULL, "", nothing);
    expect_error(NULL, "rounds.count", nothing);
    expect_error(NULL, "a b = 1", no_key);
    expect_error(NULL, "a = ", "a level is empty");
    expect_error(NULL, "a = 1,,2", "a level is empty");
    expect_error(NULL, "a = 1, 2, 1", "level \"1\" is there twice");
    expect_error(NULL, "a, b = 1, 2, 3", "level \"1,2,3\" has 3 values for 2 keys");
    expect_error(NULL, "a, b = 1, 2 | 3", "level \"3\" has 1 value for 2 keys");
    expect_error(NULL, "a, b = 1, | 3, 4", "b has no value in level \"1,\"");
    expect_error(NULL, "a, a = 1, 2", "a is there twice in level \"1,2\"");
    expect_error(NULL, "| a: k=v", "the axis has no name");
    expect_error(NULL, "n | a: k", "\"k\" in level \"a\" has to look like section.key=value");
    expect_error(NULL, "n | a: k=", "k has no value in level \"a\"");
    expect_error(
        NULL, "a = 4..8", "4..8 is a range, which solve takes; allowed here: a list, such as 4, 5, 6");
    expect_error(NULL, "n | a | a: k=1", "level \"a\" is there twice");
    expect_error(NULL, "seed = 1, 2", "the seed is not an axis: replicates differ in it (sweep.replicates)");
    expect_error(NULL, "sweep.replicates = 1, 2", "sweep.replicates does not change a run");
    expect_error(NULL, "n | a: output.events=true", "output.events does not change a run");
    expect_error("a = 1, 2", "n | x: a=3", "a is also set by the axis a");
    expect_error("a = 1, 2", "a = 3", "there are two axes of this name");
    expect_error(NULL, "loss | none | some: failures.up=0.1 & rounds.cohort=2 & network.jitter=0.1",
        "sets design factors (rounds.cohort) and environment factors (failures.up, network.jitter); say "
        "which of them it "
        "is with \"design: \" or \"environment: \" in front");
    expect_error(NULL, "choices: loss | none | some: failures.up=0.1",
        "\"choices: loss\" begins with no role; allowed: design:, environment:, or \\: in a name");
    struct frs_axes axes = {0};
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_axes_add(&axes, "a = caf\xe9", "--vary", true, &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "--vary: \"a = caf?\": is not UTF-8 text");
    frs_errors_clear(&errors);
    frs_axes_fini(&axes);
    free(nothing);
    free(no_key);
}
END_TEST

START_TEST(test_command_line_replaces) {
    struct frs_axes axes = {0};
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_axes_add(&axes, "a = 1, 2", "s.cfg:1", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "b = 1, 2", "s.cfg:1", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "c = 5", "--vary", true, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "a = 3", "--vary", true, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "c = 6", "--vary", true, &errors), FRS_ERR_INPUT);
    char *text = written(&axes);
    ck_assert_str_eq(text, "a [3: a=3 ; b [1: b=1 | 2: b=2 ; c [5: c=5");
    free(text);
    frs_errors_clear(&errors);
    frs_axes_fini(&axes);
}
END_TEST

/* The last axis runs fastest. */
START_TEST(the_last_axis_runs_fastest) {
    struct frs_axes axes = {0};
    struct frs_errors errors = {0};
    ck_assert_uint_eq(frs_axes_cells(&axes), 1);
    ck_assert_int_eq(frs_axes_add(&axes, "a = 1, 2", "", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "b, c = x, y | z, w | u, v", "", false, &errors), FRS_OK);
    ck_assert_uint_eq(frs_axes_cells(&axes), 6);
    static const size_t levels[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
    for (size_t cell = 0; cell < 6; cell++)
        for (size_t a = 0; a < 2; a++)
            ck_assert_uint_eq(frs_axes_level(&axes, cell, a), levels[cell][a]);
    char *text = frs_axes_describe(&axes, 4);
    ck_assert_str_eq(text, "a = 2, b,c = z,w");
    free(text);
    frs_axes_fini(&axes);
}
END_TEST

START_TEST(test_cell_by_labels) {
    struct frs_axes axes = {0};
    struct frs_errors errors = {0};
    char *normal;
    ck_assert_int_eq(frs_axes_add(&axes, "a = 1, 1\\,2", "", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_add(&axes, "a2, b = x, y | z, w", "", false, &errors), FRS_OK);
    ck_assert_int_eq(frs_axes_check_cell(&axes, "a2,b = z,w, a = 1,2", "where", &normal, &errors), FRS_OK);
    ck_assert_str_eq(normal, "a2,b=z,w,a=1,2");
    free(normal);
    ck_assert_int_eq(frs_axes_check_cell(&axes, "a=1 ", "where", &normal, &errors), FRS_OK);
    ck_assert_str_eq(normal, "a=1");
    free(normal);
    ck_assert_int_eq(frs_axes_check_cell(&axes, "a=3", "where", &normal, &errors), FRS_ERR_INPUT);
    ck_assert_int_eq(frs_axes_check_cell(&axes, "a=1, c=3", "where", &normal, &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "where: \"3\" names no level of a; allowed: 1 | 1,2");
    ck_assert_str_eq(errors.lines[1], "where: \"c=3\" names no axis; allowed: a | a2,b");
    frs_errors_clear(&errors);
    frs_axes_fini(&axes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("axis");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, values_become_levels);
    tcase_add_test(tests, test_keys_in_step);
    tcase_add_test(tests, named_levels_are_parsed);
    tcase_add_test(tests, several_axes_are_kept);
    tcase_add_test(tests, roles_follow_keys_or_what_is_said);
    tcase_add_test(tests, malformed_axes_are_refused);
    tcase_add_test(tests, test_command_line_replaces);
    tcase_add_test(tests, the_last_axis_runs_fastest);
    tcase_add_test(tests, test_cell_by_labels);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
