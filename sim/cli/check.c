/* fedrecsim check: whether a scenario is right, and what a run of it will need. */
#include "analysis/read/json.h"
#include "platforms/presets/classes.h"
#include "sim/base/errors.h"
#include "sim/base/threads/processors.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/units.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/options/options.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/forecast/forecast.h"
#include "sim/plugins/plugins.h"
#include "sim/setup/dataset_cache.h"
#include "sim/sweep/resource_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option options_table[] = {
    {"patience", 'p', "TIME", 0,
        "How long rounds are simulated beforehand, \"10 s\" for example; more makes the range narrower "
        "(default: 2.6 s)",
        3},
    FRS_JSON_OPTION(3),
    {0},
};

#define MOST_PATIENCE_S 86400.0

/* Generating more interactions than this takes longer than `check` may. */
#define MOST_INTERACTIONS 2000000

/* Divisors of a sweep's patience: a third is for the scenario itself, a sixth for trying further cells. */
#define SCENARIO 3
#define TRYING 6

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct frs_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case FRS_KEY_JSON:
        options->run.json = true;
        return 0;
    case 'p':
        if (frs_units_parse(argument, FRS_TIME, &options->run.patience_s) != FRS_OK ||
            !(options->run.patience_s >= 0.01 && options->run.patience_s <= MOST_PATIENCE_S))
            argp_error(state, "--patience %s: allowed: a time with its unit, from 10 ms to 1 d", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Prints what levels replace; the forecast of the scenario has printed what --set does. */
static void print_replaced(const struct frs_scenario *scenario, const struct frs_sweep_plan *plan,
    const struct frs_sweep_request *request, FILE *out) {
    char *own = frs_scenario_replaced(scenario), *all = frs_sweep_plan_replaced(plan, request), *rest = all;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        if (!strstr(own, line))
            frs_print_line(out, "  %-12s %s (in a level of the sweep)", "replaced", line);
    free(all);
    free(own);
}

/* Of the sweep of a scenario; all zero: it has none. */
struct sweep_size {
    size_t n_points, n_cells, n_replicates;
};

/* The sweep is tried like the run, until the patience is used up. A scenario without a sweep is not tried. */
static enum frs_status check_sweep(const struct frs_scenario *scenario, const struct frs_options *options,
    double patience_s, FILE *out, struct sweep_size *size, struct frs_errors *errors) {
    struct frs_sweep_request request = {.sections = frs_sections,
        .file = options->file,
        .sets = (const char *const *)options->sets,
        .n_sets = options->n_sets};
    struct frs_sweep_plan *plan;
    if (!frs_section_is_given(frs_scenario_section(scenario, "sweep")))
        return FRS_OK;
    enum frs_status status = frs_sweep_plan_build(&request, &plan, errors);
    if (status != FRS_OK)
        return status;
    *size = (struct sweep_size){plan->n_points, frs_axes_cells(&plan->sweep.axes), plan->sweep.replicates};
    status = frs_sweep_plan_check(plan, &request, patience_s / TRYING, errors);
    fprintf(out, "  %-12s %zu points: %zu cells, %zu replicates\n", "sweep", plan->n_points,
        frs_axes_cells(&plan->sweep.axes), plan->sweep.replicates);
    if (status == FRS_OK)
        status = frs_sweep_tasks_print(frs_sections, plan,
            options->run.threads ? options->run.threads : frs_processors(),
            patience_s * (1 - 1.0 / SCENARIO - 1.0 / TRYING), out, errors);
    print_replaced(scenario, plan, &request, out);
    frs_sweep_plan_print_held_constant(plan, out);
    frs_sweep_plan_destroy(plan);
    return status;
}

static json_t *plugins_json(void) {
    const struct frs_loaded_plugin *loaded;
    size_t n = frs_plugins_loaded(&loaded);
    json_t *plugins = json_array();
    for (size_t i = 0; i < n; i++) {
        char digest[FRS_DIGEST_TEXT];
        json_t *plugin = json_object();
        frs_json_set(plugin, "path", json_string(loaded[i].path));
        frs_json_set(plugin, "digest", json_string(frs_digest_text(&loaded[i].digest, digest)));
        json_array_append_new(plugins, plugin);
    }
    return plugins;
}

/* The forecast as it was printed, with the scenario's name, its sweep and the plug-ins that were loaded. */
static void print_json(
    const struct frs_scenario *scenario, const char *forecast, const struct sweep_size *size) {
    json_t *root = json_loads(forecast, 0, NULL), *sweep = size->n_points > 0 ? json_object() : json_null();
    FRS_INVARIANT(root, "the forecast is no JSON");
    if (size->n_points > 0) {
        frs_json_set(sweep, "points", json_integer((json_int_t)size->n_points));
        frs_json_set(sweep, "cells", json_integer((json_int_t)size->n_cells));
        frs_json_set(sweep, "replicates", json_integer((json_int_t)size->n_replicates));
    }
    frs_json_set(root, "scenario", json_string(frs_scenario_path(scenario)));
    frs_json_set(root, "sweep", sweep);
    frs_json_set(root, "plugins", plugins_json());
    frs_cli_json_print(root);
}

/* Loaded ones, whether the scenario uses what they bring or not. */
static void print_plugins(void) {
    const struct frs_loaded_plugin *plugins;
    size_t n = frs_plugins_loaded(&plugins);
    char digest[FRS_DIGEST_TEXT];
    for (size_t i = 0; i < n; i++)
        frs_print_line(stdout, "  %-12s %s (digest %s)", "plug-in", plugins[i].path,
            frs_digest_text(&plugins[i].digest, digest));
}

/* The forecast is held back until it is certain that there is nothing to complain about. */
static enum frs_status check(
    const struct frs_scenario *scenario, const struct frs_options *options, struct frs_errors *errors) {
    char *forecast = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&forecast, &n);
    FRS_INVARIANT(out, "cannot open a stream in memory");
    struct frs_options shared = *options;
    if (!(shared.run.patience_s > 0))
        shared.run.patience_s = FRS_FORECAST_PATIENCE_S;
    double patience_s = shared.run.patience_s;
    if (frs_section_is_given(frs_scenario_section(scenario, "sweep")))
        shared.run.patience_s /= SCENARIO;
    options = &shared;
    frs_dataset_cache_open(MOST_INTERACTIONS, 0);
    enum frs_status status = frs_run_check(scenario, &options->run, out, errors);
    fflush(out);
    size_t n_forecast = n;
    struct sweep_size size = {0};
    if (status == FRS_OK)
        status = check_sweep(scenario, options, patience_s, out, &size, errors);
    frs_dataset_cache_close();
    fclose(out);
    if (status == FRS_OK && options->run.json) {
        forecast[n_forecast] = '\0';
        print_json(scenario, forecast, &size);
    } else if (status == FRS_OK) {
        frs_print_line(stdout, "%s: no problems found", frs_scenario_path(scenario));
        print_plugins();
        fputs(forecast, stdout);
    }
    free(forecast);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Says everything that is wrong with a scenario, or what running it will need.\v"
        "Exit codes: 0 no problems, 2 bad input.",
        children, NULL, NULL};
    struct frs_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    struct frs_scenario *scenario = frs_options_load(&options);
    int code = frs_exit_code(FRS_ERR_INPUT);
    if (scenario)
        code = frs_cli_finish(check(scenario, &options, &errors), &errors);
    frs_scenario_destroy(scenario);
    frs_options_fini(&options);
    return code;
}

const struct frs_command frs_command_check = {
    .name = "check",
    .usage = "check FILE [--out DIR] [--set SECTION.KEY=VALUE]... [--plugin FILE]... [--seed N] [--threads "
             "N] [--patience TIME] "
             "[--json]",
    .summary = "find every mistake in a scenario, and forecast its run",
    .run = run,
};
