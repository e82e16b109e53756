/* Scenarios: files of libconfig, from which every section of the table is read. A scenario is refused in
 * lines, or what it says in texts, as a manifest has them, makes a scenario that says the same.
 *
 *   the file · behind a line "--", a --set a line */
#include "sim/base/memory.h"
#include "sim/base/settings/param.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdlib.h>

enum { MOST_SETS = 8 };

struct settings {
    struct frs_setting *list;
    size_t n, capacity;
};

/* All but the content of the file, which does not come back. */
static void take(void *context, const char *key, const char *text) {
    struct settings *settings = context;
    if (strcmp(key, FRS_SCENARIO_FILE) == 0)
        return;
    settings->list = frs_grow(settings->list, settings->n + 1, &settings->capacity, sizeof *settings->list);
    settings->list[settings->n++] = (struct frs_setting){frs_strdup(key), frs_strdup(text)};
}

static void settings_fini(struct settings *settings) {
    for (size_t i = 0; i < settings->n; i++) {
        free((char *)settings->list[i].key);
        free((char *)settings->list[i].text);
    }
    free(settings->list);
}

static void check_scenario(const struct frs_scenario *scenario) {
    struct settings said = {0}, again = {0};
    struct frs_scenario *copy;
    struct frs_errors errors = {0};
    frs_scenario_each(scenario, take, &said);
    enum frs_status status =
        frs_scenario_load_settings(frs_sections, "again", said.list, said.n, &copy, &errors);
    FRS_INVARIANT(status == FRS_OK, "refused what it said itself: %s", errors.n > 0 ? errors.lines[0] : "");
    frs_scenario_each(copy, take, &again);
    FRS_INVARIANT(again.n == said.n, "%zu settings became %zu", said.n, again.n);
    for (size_t i = 0; i < said.n; i++)
        FRS_INVARIANT(strcmp(said.list[i].key, again.list[i].key) == 0 &&
                          strcmp(said.list[i].text, again.list[i].text) == 0,
            "%s = \"%s\" became %s = \"%s\"", said.list[i].key, said.list[i].text, again.list[i].key,
            again.list[i].text);
    settings_fini(&said);
    settings_fini(&again);
    frs_errors_clear(&errors);
    frs_scenario_destroy(copy);
}

/* Cuts the text at its line "--" and returns the lines behind. */
static size_t take_sets(char *text, const char **sets) {
    char *rest = strstr(text, "\n--\n"), *state = NULL;
    size_t n = 0;
    if (!rest)
        return 0;
    rest[1] = '\0';
    for (char *line = strtok_r(rest + 4, "\n", &state); line && n < MOST_SETS;
         line = strtok_r(NULL, "\n", &state))
        sets[n++] = line;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fuzz_file file;
    const char *sets[MOST_SETS];
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    char *text = frs_alloc(size + 1, 1);
    memcpy(text, data, size);
    size_t n_sets = take_sets(text, sets), n = n_sets > 0 ? strlen(text) : size;
    enum frs_status status =
        frs_scenario_load(frs_sections, fuzz_file_write(&file, text, n), sets, n_sets, &scenario, &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    if (status == FRS_OK)
        check_scenario(scenario);
    frs_scenario_destroy(scenario);
    frs_errors_clear(&errors);
    free(text);
    return 0;
}
