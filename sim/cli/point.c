/* fedrecsim point: one run of a sweep. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/sweep/point.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"

enum { KEY_INDEX = 256, KEY_CACHE };

struct point_options {
    const char *plan;
    size_t index;
    bool has_index;
    struct frs_point_options point;
};

static const struct argp_option options_table[] = {
    {"index", KEY_INDEX, "K", 0, "Number of the point, from 0", 1},
    {"threads", 't', "N", 0, "Threads to compute with (default: all cores); results do not depend on it", 2},
    {"cache", KEY_CACHE, "DIR", 0, "Folder for what is learnt, shared by points that learn the same", 2},
    FRS_CONSENT_ARGP,
    FRS_PLUGIN_ARGP,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct point_options *options = state->input;
    switch (key) {
    case KEY_INDEX:
        options->index = frs_cli_number(state, "--index", argument, 0, FRS_MAX_POINT);
        options->has_index = true;
        return 0;
    case 't':
        options->point.threads = frs_cli_number(state, "--threads", argument, 1, FRS_MAX_THREADS);
        return 0;
    case KEY_CACHE:
        options->point.cache = argument;
        return 0;
    case FRS_KEY_ALLOW_COMMANDS:
        frs_consent_give();
        return 0;
    case FRS_KEY_PLUGIN:
        frs_cli_plugin(argument);
        return 0;
    case ARGP_KEY_ARG:
        if (options->plan)
            argp_error(state, "one plan at a time, found %s and %s", options->plan, argument);
        options->plan = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->plan || !options->has_index)
            argp_error(state, "needs a plan.json and --index K");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "PLAN",
        "Runs one point of a sweep, unless it is finished already. The results are in points/ beside the "
        "plan.\v"
        "Exit codes: 0 finished, 1 the run failed, 2 bad input, 130 interrupted (nothing is left of it).",
        NULL, NULL, NULL};
    struct point_options options = {.point.sections = frs_sections};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    return frs_cli_finish(frs_point_run(options.plan, options.index, &options.point, &errors), &errors);
}

const struct frs_command frs_command_point = {
    .name = "point",
    .usage = "point PLAN --index K [--threads N] [--cache DIR] [--plugin FILE]...",
    .summary = "run one point of a sweep",
    .run = run,
};
