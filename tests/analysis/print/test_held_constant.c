/* What differs beside what was varied: tables worked out by hand. */
#include "analysis/print/held_constant.h"
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
    bool any = frs_held_constant_print(sides, n, varied, n_varied, out);
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
START_TEST(differing_settings_are_listed) {
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

START_TEST(equal_settings_are_not_listed) {
    const struct frs_side sides[] = {SIDE("a", fedmf), SIDE("b", fedmf)};
    char *text = print(sides, 2, NULL, 0);
    ck_assert_str_eq(text, "");
    free(text);
    text = print(sides, 1, NULL, 0);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

/* What a file holds, how a sweep is evaluated and what is written is no setting of the entries compared. */
START_TEST(what_is_no_setting) {
    static const struct frs_setting one[] = {{"file", "seed = 1;"}, {"seed", "1"},
        {"sweep.vary", "method.dim = 2, 4"}, {"sweep.replicates", "3"}, {"output.events", "true"},
        {"given", "failures.up"}},
                                    other[] = {{"file", "seed = 2;"}, {"seed", "2"}, {"sweep.vary", ""},
                                        {"output.events", "false"}};
    const struct frs_side sides[] = {SIDE("a", one), SIDE("b", other)};
    char *text = print(sides, 2, NULL, 0);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

/* Two methods on two networks. A group has as many columns as differ in it, named by what their sides
 * share; the shorter group comes first; settings of the links' preset were varied with it. */
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

/* A policy brings its own patience and waiting. But the weight of stale uploads concerns learning, so it
 * is shown for a policy that has such a rule, unless it was varied itself. */
START_TEST(staleness_beside_a_policy) {
    static const struct frs_setting waits[] = {{"rounds.policy.name", "wait_all"}},
                                    late[] = {{"rounds.policy.name", "deadline"},
                                        {"rounds.policy.after", "2 s"}, {"rounds.policy.staleness", "none"}},
                                    async[] = {{"rounds.policy.name", "buffered_async"},
                                        {"rounds.policy.arrivals", "10"},
                                        {"rounds.policy.staleness", "inverse_sqrt"}};
    static const char *const policy[] = {"rounds.policy"};
    static const char *const both[] = {"rounds.policy", "rounds.policy.staleness"};
    const struct frs_side sides[] = {SIDE("a", waits), SIDE("b", late), SIDE("c", async)};
    char *text = print(sides, 3, policy, 1);
    ck_assert_str_eq(text, "\n**Settings that differ without having been varied**\n\n"
                           "| training                | a | b    | c            |\n"
                           "|-------------------------|---|------|--------------|\n"
                           "| rounds.policy.staleness | – | none | inverse_sqrt |\n");
    free(text);
    text = print(sides, 3, both, 2);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

#define CELL(labels_, settings_)                                                                             \
    { .labels = labels_, .n_labels = 2, .settings = settings_, .n = 1 }

static const struct frs_setting few[] = {{"method.dim", "2"}}, many[] = {{"method.dim", "4"}};

static void expect_heads(const struct frs_side *sides, size_t n, const char *heads, const char *dims) {
    char *text = print(sides, n, NULL, 0), *line = strstr(text, "| training");
    ck_assert_ptr_nonnull(line);
    size_t length = strcspn(line, "\n");
    ck_assert_msg(length == strlen(heads) && strncmp(line, heads, length) == 0, "%s", text);
    line = strstr(text, "| method.dim");
    ck_assert_ptr_nonnull(line);
    ck_assert_msg(strncmp(line, dims, strlen(dims)) == 0, "%s", text);
    free(text);
}

/* A column that several labels share has their names, three at most; a label that all columns have names
 * none. */
START_TEST(columns_of_several_labels) {
    static const char *const labels[10][2] = {{"fedmf", "4g"}, {"fedmf", "wifi"}, {"colr", "4g"},
        {"colr", "wifi"}, {"scolr", "4g"}, {"scolr", "wifi"}, {"topk", "4g"}, {"topk", "wifi"}, {"svd", "4g"},
        {"svd", "wifi"}};
    struct frs_side sides[10];
    for (size_t i = 0; i < 10; i++)
        sides[i] = i < 2 ? (struct frs_side)CELL(labels[i], few) : (struct frs_side)CELL(labels[i], many);
    expect_heads(sides, 6, "| training   | fedmf | colr; scolr |", "| method.dim | 2     | 4           |");
    expect_heads(
        sides, 8, "| training   | fedmf | colr; scolr; topk |", "| method.dim | 2     | 4                 |");
    expect_heads(sides, 10, "| training   | fedmf | colr; scolr; topk; and 1 more |",
        "| method.dim | 2     | 4                             |");
}
END_TEST

/* fedmf on 4g like colr on wifi, and the other way round: the labels of a column do not say which cells it
 * has. */
START_TEST(columns_of_scattered_cells) {
    static const char *const labels[4][2] = {
        {"fedmf", "4g"}, {"fedmf", "wifi"}, {"colr", "4g"}, {"colr", "wifi"}};
    const struct frs_side sides[] = {
        CELL(labels[0], few), CELL(labels[1], many), CELL(labels[2], many), CELL(labels[3], few)};
    expect_heads(sides, 4, "| training   | fedmf, 4g; colr, wifi | fedmf, wifi; colr, 4g |",
        "| method.dim | 2                     | 4                     |");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("unvaried");
    TCase *tests = tcase_create("unvaried");
    tcase_add_test(tests, differing_settings_are_listed);
    tcase_add_test(tests, equal_settings_are_not_listed);
    tcase_add_test(tests, staleness_beside_a_policy);
    tcase_add_test(tests, what_is_no_setting);
    tcase_add_test(tests, cells_of_a_sweep);
    tcase_add_test(tests, columns_of_several_labels);
    tcase_add_test(tests, columns_of_scattered_cells);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
