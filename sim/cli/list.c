/* fedrecsim list: plug-ins and presets by kind, and the metrics. */
#include "sim/base/errors.h"
#include "sim/cli/commands.h"
#include "sim/cli/list_tables.h"
#include "sim/cli/options.h"
#include "sim/cli/sections.h"
#include "sim/scenario/explain.h"

#include <string.h>

static error_t parse(int key, char *argument, struct argp_state *state) {
    const char **kind = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*kind)
        argp_error(state, "one kind at a time, found %s and %s", *kind, argument);
    *kind = argument;
    return 0;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {NULL, parse, "[KIND]",
        "Prints the plug-ins and presets of a kind (default: of all), one line each. KIND metrics prints "
        "every "
        "figure that a run can have, columns every column of the files of results.",
        NULL, NULL, NULL};
    const char *kind = NULL;
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &kind);
    if (kind && strcmp(kind, "metrics") == 0) {
        frs_list_metrics(stdout);
        return 0;
    }
    if (kind && strcmp(kind, "columns") == 0) {
        frs_list_columns(stdout);
        return 0;
    }
    return frs_cli_finish(frs_list(frs_sections, kind, stdout, &errors), &errors);
}

const struct frs_command frs_command_list = {
    .name = "list",
    .usage = "list [KIND]",
    .summary = "plug-ins, presets and metrics",
    .run = run,
};
