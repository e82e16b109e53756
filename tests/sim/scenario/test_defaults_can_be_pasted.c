/* Every default, as `fedrecsim explain` and the reference show it, can be copied into a scenario file. */
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/explain.h"
#include "tests/sim/scenario/fixture.h"
#include "tests/support.h"

#include <ctype.h>

static char *pages; /* docs/reference as one text */

static void add_page(void *context, const char *name, const char *text) {
    (void)context, (void)name;
    char *longer = frs_format("%s%s", pages, text);
    free(pages);
    pages = longer;
}

/* What stands behind "default: " in the answer about one key; NULL: it has none. */
static char *shown(const char *key) {
    struct frs_errors errors = {0};
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    ck_assert_int_eq(frs_explain(frs_sections, key, out, &errors), FRS_OK);
    fclose(out);
    char *at = strstr(text, "; default: ");
    char *initial = at ? frs_strdup(at + strlen("; default: ")) : NULL;
    if (initial)
        initial[strcspn(initial, "\n")] = '\0';
    free(text);
    return initial;
}

/* `settings` within the groups of a path; a number is a place in a list. */
static char *within(const char *path, const char *settings) {
    char *text = frs_strdup(settings);
    const char *end = path + strlen(path);
    while (end > path) {
        const char *at = end;
        while (at > path && at[-1] != '.')
            at--;
        char *more;
        if (isdigit((unsigned char)*at)) {
            more = frs_strdup("");
            for (int before = 1; before < atoi(at); before++) {
                char *longer = frs_format("%s{ }, ", more);
                free(more);
                more = longer;
            }
            char *list = frs_format("( %s{ %s } )", more, text);
            free(more);
            more = list;
        } else {
            bool is_list = *text == '(';
            more = frs_format(
                "%.*s = %s%s%s;", (int)(end - at), at, is_list ? "" : "{ ", text, is_list ? "" : " }");
        }
        free(text);
        text = more;
        end = at > path ? at - 1 : path;
    }
    return text;
}

static size_t n_pasted;

static void paste(
    const struct frs_section *section, const struct frs_plugin *plugin, const struct frs_param *param) {
    char *group = plugin ? frs_scenario_join(section->path, plugin->name) : frs_strdup(section->path);
    char *key = frs_scenario_join(group, param->key), *initial = shown(key);
    ck_assert_msg(!initial == !param->initial, "%s", key);
    if (initial) {
        char *cell = frs_format("| `%s` |", initial);
        ck_assert_msg(strstr(pages, cell) != NULL, "%s: the reference does not show %s", key, initial);
        free(cell);
        char *setting =
            plugin ? frs_format("%s = \"%s\"; %s = %s;", section->selector, plugin->name, param->key, initial)
                   : frs_format("%s = %s;", param->key, initial);
        char *text = within(section->path, setting);
        struct frs_scenario *scenario;
        struct frs_errors errors = {0};
        frs_scenario_destroy(
            fixture_load(frs_sections, text, NULL, &scenario, &errors) == FRS_OK ? scenario : NULL);
        for (size_t i = 0; i < errors.n; i++) /* other keys have to be given besides */
            ck_assert_msg(strncmp(errors.lines[i], "s.cfg:", 6) != 0 ||
                              strstr(errors.lines[i], ": has to be given;") != NULL,
                "%s\n%s", text, errors.lines[i]);
        frs_errors_clear(&errors);
        free(text);
        free(setting);
        n_pasted++;
    }
    free(initial);
    free(key);
    free(group);
}

START_TEST(every_default_can_be_pasted) {
    pages = frs_strdup("");
    frs_explain_pages(frs_sections, add_page, NULL);
    struct frs_scenario *all = frs_states_create(frs_sections);
    for (size_t k = 0; k < all->n; k++) {
        const struct frs_state *state = &all->states[k];
        const struct frs_section *section = state->section;
        if (state->selector.key)
            paste(section, NULL, &state->selector);
        if (state->preset.key)
            paste(section, NULL, &state->preset);
        for (const struct frs_param *param = frs_section_params(section); param && param->key; param++)
            paste(section, NULL, param);
        for (size_t i = 0; section->family && section->family->plugins[i]; i++)
            for (const struct frs_param *param = section->family->plugins[i]->params; param && param->key;
                 param++)
                paste(section, section->family->plugins[i], param);
    }
    frs_scenario_destroy(all);
    ck_assert_uint_gt(n_pasted, 400);
    free(pages);
}
END_TEST

static void expect(const struct frs_param *param, const char *text, const char *written) {
    char *found = frs_param_in_file(param, text);
    ck_assert_str_eq(found, written);
    free(found);
}

START_TEST(types_as_they_are_written) {
    expect(&(struct frs_param){.type = FRS_BOOL}, "true", "true");
    expect(&(struct frs_param){.type = FRS_INT}, "-3", "-3");
    expect(&(struct frs_param){.type = FRS_REAL}, "1e-5", "1e-5");
    expect(&(struct frs_param){.type = FRS_REAL, .max = 1}, "10 %", "\"10 %\"");
    expect(&(struct frs_param){.type = FRS_REAL, .by_class = true}, "a 1, others 2", "\"a 1, others 2\"");
    expect(&(struct frs_param){.type = FRS_SHARE}, "7", "7");
    expect(&(struct frs_param){.type = FRS_SHARE}, "60 %", "\"60 %\"");
    expect(&(struct frs_param){.type = FRS_QUANTITY}, "6 Mbit/s", "\"6 Mbit/s\"");
    expect(&(struct frs_param){.type = FRS_CHOICE}, "dense", "\"dense\"");
    expect(&(struct frs_param){.type = FRS_TEXT}, "", "\"\"");
    expect(&(struct frs_param){.type = FRS_TEXT}, "a\"b\\c", "\"a\\\"b\\\\c\"");
    expect(&(struct frs_param){.type = FRS_LIST}, "a,b", "[\"a\", \"b\"]");
    expect(&(struct frs_param){.type = FRS_LIST}, "", "[]");
    expect(&(struct frs_param){.type = FRS_TEXTS}, "a b; c\\;d", "[\"a b\", \"c;d\"]");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("defaults can be pasted");
    TCase *tests = tcase_create("all");
    tcase_add_unchecked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_test(tests, types_as_they_are_written);
    tcase_add_test(tests, every_default_can_be_pasted);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
