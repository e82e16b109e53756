/* fedrecsim run: one run of a scenario. */
#include "analysis/expect/expect.h"
#include "sim/base/errors.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/exit_codes.h"
#include "sim/cli/options/expectations.h"
#include "sim/cli/options/live_option.h"
#include "sim/cli/options/options.h"
#include "sim/base/settings/params.h"
#include "sim/base/memory.h"
#include "sim/cli/output/progress.h"
#include "sim/setup/compose/compose_workload.h"

#include <stdlib.h>

struct run_options {
    struct frs_options options;
    struct frs_expectations expectations;
    struct frs_live_option live;
};

static const struct argp_option options_table[] = {
    {"force", 'f', NULL, 0, "Replace the files of an earlier run, and forget its checkpoint", 2},
    {"resume", 'r', NULL, 0, "Go on from the checkpoint of a run that was killed or interrupted", 2},
    {"cache", 'c', "DIR", 0, "Folder in which runs share what training came to", 2},
    FRS_LIVE_OPTION,
    {"quiet", 'q', NULL, 0, "Neither progress nor summary", 2},
    FRS_EXPECT_OPTION("of the run", 2),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct run_options *all = state->input;
    struct frs_options *options = &all->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case FRS_KEY_EXPECT:
        frs_expectations_add(&all->expectations, argument);
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
    case FRS_KEY_LIVE:
        frs_live_option_parse(&all->live, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum frs_status check_quality(const struct frs_scenario *scenario,
    const struct frs_expectations *expectations, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < expectations->n && status == FRS_OK; i++) {
        const char *metric = frs_expectation_quality(expectations->list[i]);
        char *option = frs_format("--expect %s", expectations->texts[i]);
        status = metric ? frs_refuse_declared_quality(scenario, option, metric, errors) : FRS_OK;
        free(option);
    }
    return status;
}

/* The scenario is run, and judged by what it has left. */
static int run_and_judge(
    const struct frs_scenario *scenario, struct run_options *all, struct frs_errors *errors) {
    const struct frs_value *k = frs_values_find(frs_scenario_section(scenario, "evaluation"), "k");
    bool kept = true;
    char *cut_offs = frs_value_format(k);
    enum frs_status parsed = frs_expectations_parse(&all->expectations, cut_offs, NULL, errors);
    free(cut_offs);
    if (parsed != FRS_OK)
        return frs_cli_finish(FRS_ERR_INPUT, errors);
    if (check_quality(scenario, &all->expectations, errors) != FRS_OK)
        return frs_cli_finish(FRS_ERR_INPUT, errors);
    char *directory = NULL;
    all->options.run.directory = &directory;
    enum frs_status status = frs_live_option_of_run(&all->live, all->options.file, &all->options.run, errors);
    if (status == FRS_OK)
        status = frs_run(scenario, &all->options.run, errors);
    if (status == FRS_OK)
        status = frs_expectations_of_run(&all->expectations, directory, &kept, errors);
    free(directory);
    return frs_expectations_finish(
        &all->expectations, frs_exit_code(status), kept, all->options.run.quiet, errors);
}

static int run(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Simulates a scenario and writes its results into a folder.\v"
        "Exit codes: 0 done, 1 the run failed, 2 bad input, 3 --expect does not hold, 130 interrupted.",
        children, NULL, NULL};
    struct run_options all = {0};
    struct frs_options *options = &all.options;
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &all);
    struct frs_progress *progress = NULL;
    const struct frs_watcher watcher = frs_progress_watcher(&progress);
    options->run.page = options->run.what_ifs = true;
    options->run.watcher = options->run.quiet ? NULL : &watcher;
    struct frs_scenario *scenario = frs_options_load(options);
    int code = scenario ? run_and_judge(scenario, &all, &errors) : FRS_EXIT_INPUT;
    frs_scenario_destroy(scenario);
    frs_expectations_fini(&all.expectations);
    frs_options_fini(options);
    return frs_live_option_end(&all.live, code);
}

const struct frs_command frs_command_run = {
    .name = "run",
    .usage = "run FILE [--out DIR] [--set SECTION.KEY=VALUE]... [--plugin FILE]... [--seed N] [--threads N] "
             "[--resume | "
             "--force] [--cache DIR]\n"
             "                    [--expect EXPECTATION]... [--live[=PORT]] [--quiet]",
    .summary = "simulate a scenario",
    .run = run,
};
