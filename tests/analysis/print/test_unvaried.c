/* What differs beside what was varied: tables worked out by hand. */
#include "analysis/print/unvaried.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#define SIDE(name_, settings_)                                                                               \
    { .name = name_, .settings = settings_, .n = sizeof settings_ / sizeof *settings_ }

static char *print(const struct frs_side *sides, size_t n, const char *const *varied, size_t n_varied) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool any = frs_unvaried_print(sides, n, varied, n_varied, out);
    fclose(out);
    ck_assert_int_eq(any, size > 0);
    return text;
}

static const struct frs_setting fedmf[] = {{"seed", "1"}, {"method.name", "fedmf"},
    {"method.learning_rate", "0.5"}, {"method.dim", "16"}, {"codec.uplink.name", "dense"}},
                                colr[] = {{"seed", "2"}, {"method.name", "colr"},
                                    {"method.learning_rate", "0.5"}, {"method.dim", "64"},
                                    {"method.rank", "4"}, {"codec.uplink.name", "dense"}};

/* The seed is a replicate's, the rate is the same, a rank one method alone has. */
START_TEST(two_methods) {
    const struct frs_side sides[] = {SIDE("a", fedmf), SIDE("b", colr)};
    const char *const varied[] = {"method.name"};
    char *text = print(sides, 2, varied, 1);
    ck_assert_str_eq(text, "\n**Settings that differ without having been varied**\n\n"
                           "| training    | a  | b  |\n"
                           "|-------------|----|----|\n"
                           "| method.dim  | 16 | 64 |\n"
                           "| method.rank | –  | 4  |\n");
    free(text);
}
END_TEST

START_TEST(nothing_differs) {
    const struct frs_side sides[] = {SIDE("a", fedmf), SIDE("b", fedmf)};
    char *text = print(sides, 2, NULL, 0);
    ck_assert_str_eq(text, "");
    free(text);
    text = print(sides, 1, NULL, 0);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

/* Two methods on two networks: columns of a group are as many as differ in it, named by what their sides share;
 * the shorter group comes first; what the preset of the links says was varied with it. */
START_TEST(cells_of_a_sweep) {
    static const struct frs_setting settings[4][4] = {
        {{"network.latency.value", "1 s"}, {"method.epochs", "2"}, {"method.dim", "16"},
            {"codec.uplink.name", "dense"}},
        {{"network.latency.value", "2 s"}, {"method.epochs", "2"}, {"method.dim", "16"},
            {"codec.uplink.name", "dense"}},
        {{"network.latency.value", "1 s"}, {"method.epochs", "10"}, {"method.dim", "64"},
            {"codec.uplink.name", ""}},
        {{"network.latency.value", "2 s"}, {"method.epochs", "10"}, {"method.dim", "64"},
            {"codec.uplink.name", ""}}};
    static const char *const labels[4][2] = {
        {"fedmf", "4g"}, {"fedmf", "fibre"}, {"colr", "4g"}, {"colr", "fibre"}};
    static const char *const varied[] = {"method.name", "network.preset"};
    struct frs_side sides[4];
    for (size_t i = 0; i < 4; i++)
        sides[i] = (struct frs_side){
            .name = "cell", .labels = labels[i], .n_labels = 2, .settings = settings[i], .n = 4};
    char *text = print(sides, 4, varied, 2);
    ck_assert_str_eq(text, "\n**Settings that differ without having been varied**\n\n"
                           "| messages          | fedmf | colr |\n"
                           "|-------------------|-------|------|\n"
                           "| codec.uplink.name | dense | none |\n\n"
                           "| training      | fedmf | colr |\n"
                           "|---------------|-------|------|\n"
                           "| method.epochs | 2     | 10   |\n"
                           "| method.dim    | 16    | 64   |\n");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("unvaried");
    TCase *tests = tcase_create("unvaried");
    tcase_add_test(tests, two_methods);
    tcase_add_test(tests, nothing_differs);
    tcase_add_test(tests, cells_of_a_sweep);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
