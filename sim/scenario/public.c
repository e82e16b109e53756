/* The public functions: those of internal.h, on the program's own section table. */
#include "sim/base/memory.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/internal.h"

#include <stdlib.h>

enum frs_status frs_scenario_load(const char *path, const char *const *sets, size_t n_sets,
    struct frs_scenario **out, struct frs_errors *errors) {
    return frs_scenario_load_with(frs_sections, path, sets, n_sets, out, errors);
}

enum frs_status frs_scenario_load_settings(const char *name, const struct frs_setting *settings,
    size_t n_settings, struct frs_scenario **out, struct frs_errors *errors) {
    return frs_scenario_load_settings_with(frs_sections, name, settings, n_settings, out, errors);
}

struct frs_scenario *frs_scenario_load_alone(const struct frs_scenario *scenario) {
    if (!scenario->what_if || !scenario->source)
        return NULL;
    struct frs_errors ignored = {0};
    struct frs_scenario *alone;
    const struct frs_values *top = frs_scenario_section(scenario, "");
    char *seed = frs_format("seed=%lld", (long long)frs_values_find(top, "seed")->integer);
    if (frs_scenario_load(scenario->source, (const char *const[]){seed}, 1, &alone, &ignored) != FRS_OK)
        frs_errors_clear(&ignored);
    free(seed);
    return alone;
}

void frs_scenario_each_known(void (*each)(void *context, const char *key), void *context) {
    frs_scenario_each_known_with(frs_sections, each, context);
}

enum frs_status frs_explain(const char *section, FILE *out, struct frs_errors *errors) {
    return frs_explain_with(frs_sections, section, out, errors);
}

enum frs_status frs_list(const char *kind, FILE *out, struct frs_errors *errors) {
    return frs_list_with(frs_sections, kind, out, errors);
}

void frs_explain_pages(frs_page_sink *sink, void *context) {
    frs_explain_pages_with(frs_sections, sink, context);
}
