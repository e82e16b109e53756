/* fedrecsim run: one run of a scenario. */
#include "sim/base/errors.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/progress.h"

static const struct argp_option options_table[] = {
    {"force", 'f', NULL, 0, "Replace the files of an earlier run, and forget its checkpoint", 2},
    {"resume", 'r', NULL, 0, "Go on from the checkpoint of a run that was killed or interrupted", 2},
    {"cache", 'c', "DIR", 0, "Folder in which runs share what training came to", 2},
    {"quiet", 'q', NULL, 0, "Neither progress nor summary", 2},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct frs_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case 'f':
        options->run.force = true;
        return 0;
    case 'r':
        options->run.resume = true;
        return 0;
    case 'c':
        if (!*argument)
            argp_error(state, "--cache: needs the name of a folder");
        options->run.cache = frs_cli_path(state, "--cache", argument, &options->paths[1]);
        return 0;
    case 'q':
        options->run.quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Simulates a scenario and writes its results into a folder.\v"
        "Exit codes: 0 done, 1 the run failed, 2 bad input, 130 interrupted.",
        children, NULL, NULL};
    struct frs_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    struct frs_progress *progress = NULL;
    const struct frs_watcher watcher = frs_progress_watcher(&progress);
    options.run.page = options.run.what_ifs = true;
    options.run.watcher = options.run.quiet ? NULL : &watcher;
    struct frs_scenario *scenario = frs_options_load(&options);
    int code = frs_exit_code(FRS_ERR_INPUT);
    if (scenario)
        code = frs_cli_finish(frs_run(scenario, &options.run, &errors), &errors);
    frs_scenario_destroy(scenario);
    frs_options_fini(&options);
    return code;
}

const struct frs_command frs_command_run = {
    .name = "run",
    .usage = "run FILE [--out DIR] [--set SECTION.KEY=VALUE]... [--seed N] [--threads N] [--resume | "
             "--force] [--cache DIR]\n"
             "                    [--quiet]",
    .summary = "simulate a scenario",
    .run = run,
};
