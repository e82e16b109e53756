/* A text that has to be known before its scenario can be loaded, because the scenario chooses from
 * registries to which this text adds. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

/* What is wrong with the file is reported when it is loaded. */
static void read(struct frs_scenario *scenario, const char *path, const char *const *sets, size_t n_sets) {
    struct frs_errors ignored = {0};
    scenario->source = frs_strdup(path);
    scenario->path = frs_strdup(frs_source_is_stream(path) ? "<stdin>" : path);
    if (frs_scenario_read_file(scenario, true, &ignored) == FRS_OK)
        frs_scenario_read_sets(scenario, sets, n_sets);
    frs_errors_clear(&ignored);
}

/* What is neither text nor a list of texts is a mistake that loading reports. */
static bool is_text(const struct frs_assignment *assignment) {
    enum frs_written written = assignment->written;
    return (written == FRS_WRITTEN_PLAIN || written == FRS_WRITTEN_TEXT || written == FRS_WRITTEN_LIST) &&
           !assignment->mixed_list;
}

char *frs_scenario_early_text(const struct frs_section *sections, const char *path, const char *const *sets,
    size_t n_sets, const char *section, const char *key, char **where) {
    struct frs_scenario *scenario = frs_states_create(sections);
    char *text = NULL;
    size_t wanted = frs_states_find(scenario, section, strlen(section));
    *where = NULL;
    read(scenario, path, sets, n_sets);
    for (size_t i = 0; i < scenario->assignments.n; i++) {
        const struct frs_assignment *assignment = &scenario->assignments.assignments[i];
        if (assignment->section != wanted || strcmp(assignment->key, key) != 0 || !is_text(assignment))
            continue;
        free(text);
        free(*where);
        text = frs_strdup(assignment->text);
        *where = frs_strdup(assignment->where);
    }
    frs_scenario_destroy(scenario);
    return text;
}
