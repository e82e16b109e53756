/* Every key is used: for each key that `fedrecsim explain` knows, some scenario that comes with the
 * program sets it, in the file, by a preset, or by the level of an axis. A setting without a use is one
 * too many.
 *
 * A key is its name within its section of the top level: method.learning_rate is the same for all methods,
 * network.low the same for all links. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/sweep/settings.h"
#include "tests/support.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* What no scenario has a reason to set. */
static const struct {
    const char *key, *why;
} exceptions[] = {
    {"plugins.files", "a plug-in is code of one's own, and runs with consent only (docs/plug-ins.md)"},
    {"engine.actors_limit",
        "decides how fast a run is and nothing else: for measurements (docs/backends.md)"},
    {"engine.actors_limit_messages", "the same"},
    {"method.external.command",
        "runs a program of the user, which no scenario that comes with this one does"},
    {"method.external.patience", "is how long to wait for that program"},
};

enum { MAX_KEYS = 1024 };

static char *known[MAX_KEYS];
static bool is_used[MAX_KEYS];
static size_t n_known;

/* "codec.downlink.svd.rank" → "codec.rank" */
static char *short_name(const char *key) {
    const char *last = strrchr(key, '.');
    return last ? frs_format("%.*s%s", (int)strcspn(key, "."), key, last) : frs_strdup(key);
}

static size_t find(const char *key) {
    char *name = short_name(key);
    size_t i = 0;
    while (i < n_known && strcmp(known[i], name) != 0)
        i++;
    free(name);
    return i;
}

static void add_known(void *context, const char *key) {
    (void)context;
    ck_assert_uint_lt(n_known, MAX_KEYS);
    if (find(key) == n_known)
        known[n_known++] = short_name(key);
}

static void add_used(void *context, const char *key) {
    (void)context;
    size_t i = find(key); /* what chooses a preset or a plug-in is none of them */
    if (i < n_known)
        is_used[i] = true;
}

static struct frs_scenario *load(const char *file, const char *const *sets, size_t n) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    enum frs_status status = frs_scenario_load(frs_sections, file, sets, n, &scenario, &errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", file, errors.n ? errors.lines[0] : "");
    frs_scenario_each_used(scenario, add_used, NULL);
    return scenario;
}

static void use_cell(const char *file, const struct frs_axes *axes, size_t cell) {
    const char *sets[64];
    size_t n = 0;
    for (size_t a = 0; a < axes->n; a++) {
        const struct frs_level *level = &axes->axes[a].levels[frs_axes_level(axes, cell, a)];
        for (size_t i = 0; i < level->n; i++)
            sets[n++] = level->sets[i];
    }
    ck_assert_uint_le(n, 64);
    frs_scenario_destroy(load(file, sets, n));
}

static void use(const char *file) {
    struct frs_errors errors = {0};
    struct frs_sweep sweep;
    struct frs_scenario *scenario = load(file, NULL, 0);
    enum frs_status status = frs_sweep_read(scenario, &(struct frs_sweep_request){0}, &sweep, &errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", file, errors.n ? errors.lines[0] : "");
    for (size_t cell = 0; sweep.axes.n > 0 && cell < frs_axes_cells(&sweep.axes); cell++)
        use_cell(file, &sweep.axes, cell);
    frs_sweep_fini(&sweep);
    frs_scenario_destroy(scenario);
}

START_TEST(every_key_is_used) {
    glob_t files;
    char *folder = frs_format("%s/scenarios", frs_test_source_dir());
    char *pattern = frs_format("%s/*.cfg", folder), *deeper = frs_format("%s/*/*.cfg", folder);
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    ck_assert_int_eq(glob(deeper, GLOB_APPEND, NULL, &files), 0);
    ck_assert_uint_gt(files.gl_pathc, 40);
    frs_scenario_each_known(frs_sections, add_known, NULL);
    ck_assert_uint_gt(n_known, 200);
    for (size_t i = 0; i < files.gl_pathc; i++)
        use(files.gl_pathv[i]);
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        size_t at = find(exceptions[i].key);
        ck_assert_msg(at < n_known && !is_used[at], "%s is an exception no more: take it out of this test",
            exceptions[i].key);
        is_used[at] = true;
    }
    char unused[4096] = "";
    for (size_t i = 0; i < n_known; i++)
        if (!is_used[i] && strlen(unused) + strlen(known[i]) + 2 < sizeof unused)
            strcat(strcat(unused, " "), known[i]);
    ck_assert_msg(!*unused,
        "no scenario below scenarios/ sets%s: set each in one where it is of use (a level of an axis in "
        "scenarios/what-if will do), remove it, or give this test a reason why nobody sets it",
        unused);
    for (size_t i = 0; i < n_known; i++)
        free(known[i]);
    globfree(&files);
    free(folder);
    free(pattern);
    free(deeper);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every key is used");
    TCase *tests = tcase_create("every key is used");
    tcase_add_test(tests, every_key_is_used);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
