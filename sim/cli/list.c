/* fedrecsim list: plug-ins and presets by kind, and the metrics. */
#include "sim/base/errors.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/list_tables.h"
#include "sim/cli/scenarios/named_scenarios.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/plugins/plugins.h"
#include "sim/scenario/explain.h"

#include <stdbool.h>
#include <string.h>

struct list_options {
    const char *kind;
    bool json;
};

static const struct argp_option options_table[] = {FRS_JSON_OPTION(0), FRS_PLUGIN_ARGP, {0}};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct list_options *options = state->input;
    if (key == FRS_KEY_JSON) {
        options->json = true;
        return 0;
    }
    if (key == FRS_KEY_PLUGIN) {
        frs_cli_plugin(argument);
        return 0;
    }
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (options->kind)
        argp_error(state, "one kind at a time, found %s and %s", options->kind, argument);
    options->kind = argument;
    return 0;
}

static bool is_scenarios(const char *kind) {
    return kind && (strcmp(kind, "scenario") == 0 || strcmp(kind, "scenarios") == 0);
}

/* What is no kind of plug-in: tables of figures and columns. */
static const struct {
    const char *kind;
    void (*print)(FILE *out);
    json_t *(*json)(void);
} tables[] = {{"metrics", frs_list_metrics, frs_list_metrics_json},
    {"columns", frs_list_columns, frs_list_columns_json}};

static const char *origin(const struct frs_plugin *plugin) {
    const struct frs_loaded_plugin *loaded = frs_plugins_of(plugin);
    return loaded ? loaded->path : NULL;
}

static enum frs_status list(const struct list_options *options, struct frs_errors *errors) {
    for (size_t i = 0; options->kind && i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(options->kind, tables[i].kind) != 0)
            continue;
        if (options->json)
            frs_cli_json_print(tables[i].json());
        else
            tables[i].print(stdout);
        return FRS_OK;
    }
    bool scenarios = is_scenarios(options->kind);
    if (!options->json)
        return scenarios ? frs_named_scenarios_list(stdout, errors)
                         : frs_list(frs_sections, options->kind, origin, stdout, errors);
    json_t *object = scenarios ? frs_named_scenarios_json(errors)
                               : frs_list_json(frs_sections, options->kind, origin, errors);
    if (object)
        frs_cli_json_print(object);
    return object ? FRS_OK : FRS_ERR_INPUT;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[KIND]",
        "Prints the plug-ins and presets of a kind (default: of all), one line each. KIND metrics prints "
        "every "
        "figure that a run can have, columns every column of the files of results, scenarios those "
        "that come with the program.",
        NULL, NULL, NULL};
    struct list_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    return frs_cli_finish(list(&options, &errors), &errors);
}

const struct frs_command frs_command_list = {
    .name = "list",
    .usage = "list [KIND] [--plugin FILE]... [--json]",
    .summary = "plug-ins, presets, scenarios and metrics",
    .run = run,
};
