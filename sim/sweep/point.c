#include "sim/sweep/point.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/plugins/recorded.h"
#include "sim/run/run.h"
#include "sim/sweep/folder.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folder of a sweep by its plan; freed by the caller. */
static char *folder_of(const char *plan) {
    char *copy = frs_strdup(plan), *folder = frs_strdup(dirname(copy));
    free(copy);
    return folder;
}

enum frs_status frs_point_read(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    const char *folder, size_t index, struct frs_scenario **out, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    enum frs_status status = frs_sweep_plan_scenario(sections, plan, index, path, out, errors);
    free(path);
    return status == FRS_OK ? FRS_OK : FRS_ERR_INPUT;
}

enum frs_status frs_point_run_of(const struct frs_sweep_plan *plan, const char *folder, size_t index,
    const struct frs_scenario *scenario, const struct frs_point_options *options, struct frs_errors *errors) {
    char *directory = frs_folder_point(folder, index);
    struct frs_run_options run_options = {.out = directory,
        .threads = options->threads,
        .cache = options->cache,
        .resume = true,
        .force = true,
        .whole = true,
        .quiet = true};
    enum frs_status status = frs_run(scenario, &run_options, errors);
    if (status != FRS_OK && status != FRS_INTERRUPTED && frs_folder_finished(folder, plan, index))
        status = FRS_OK;
    free(directory);
    return status;
}

/* Reads and runs it. */
static enum frs_status run_point(const struct frs_sweep_plan *plan, const char *folder, size_t index,
    const struct frs_point_options *options, struct frs_errors *errors) {
    struct frs_scenario *scenario;
    enum frs_status status = frs_point_read(options->sections, plan, folder, index, &scenario, errors);
    if (status == FRS_OK)
        status = frs_point_run_of(plan, folder, index, scenario, options, errors);
    frs_scenario_destroy(scenario);
    return status;
}

/* Those that the sweep was planned with. */
static enum frs_status recall_plugins(
    const struct frs_sweep_plan *plan, const char *path, struct frs_errors *errors) {
    struct frs_recorded_plugin *recorded = frs_alloc(plan->n_plugins + 1, sizeof *recorded);
    for (size_t i = 0; i < plan->n_plugins; i++)
        recorded[i] = (struct frs_recorded_plugin){plan->plugins[i].path, plan->plugins[i].digest};
    enum frs_status status = frs_plugins_recall(recorded, plan->n_plugins, path, errors);
    free(recorded);
    return status;
}

/* Without the folder, on another machine for example, relative paths begin where the process is. */
static void enter_working_folder(const struct frs_sweep_plan *plan, char **folder) {
    char *here = getcwd(NULL, 0), *whole = realpath(*folder, NULL);
    bool is_elsewhere = plan->working_folder && here && strcmp(here, plan->working_folder) != 0;
    if (is_elsewhere && whole && chdir(plan->working_folder) == 0) {
        free(*folder);
        *folder = whole;
        whole = NULL;
    }
    free(here);
    free(whole);
}

enum frs_status frs_point_open_plan(
    const char *path, struct frs_sweep_plan **plan, char **folder, struct frs_errors *errors) {
    *folder = NULL;
    enum frs_status status = frs_sweep_plan_read(path, plan, errors);
    if (status != FRS_OK)
        return status;
    *folder = folder_of(path);
    enter_working_folder(*plan, folder);
    status = recall_plugins(*plan, path, errors);
    if (status == FRS_OK)
        return FRS_OK;
    free(*folder);
    *folder = NULL;
    frs_sweep_plan_destroy(*plan);
    *plan = NULL;
    return status;
}

enum frs_status frs_point_check_index(
    const char *path, const struct frs_sweep_plan *plan, size_t index, struct frs_errors *errors) {
    if (index < plan->n_points)
        return FRS_OK;
    return frs_errors_add(
        errors, FRS_ERR_INPUT, "--index %zu: %s has points 0 to %zu", index, path, plan->n_points - 1);
}

enum frs_status frs_point_run(
    const char *path, size_t index, const struct frs_point_options *options, struct frs_errors *errors) {
    struct frs_sweep_plan *plan;
    char *folder;
    enum frs_status status = frs_point_open_plan(path, &plan, &folder, errors);
    if (status != FRS_OK)
        return status;
    status = frs_point_check_index(path, plan, index, errors);
    if (status == FRS_OK && !frs_folder_finished(folder, plan, index)) {
        struct frs_point_options own = *options;
        char *cache = options->cache || options->no_reuse ? NULL : frs_folder_cache(folder);
        own.cache = cache ? cache : options->cache;
        status = frs_folder_check_files(folder, plan, errors);
        if (status == FRS_OK)
            status = run_point(plan, folder, index, &own, errors);
        free(cache);
    }
    free(folder);
    frs_sweep_plan_destroy(plan);
    return status;
}
