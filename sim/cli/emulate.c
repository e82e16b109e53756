/* fedrecsim emulate: one run of a scenario over the kernel's TCP. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"
#include "sim/cli/output/progress.h"

#include <string.h>

#define LIMIT_S 3600.0
#define MOST_SPEED_UP 1000

struct emulate_options {
    struct frs_options common;
    struct frs_emulation_wish wish;
};

static const struct argp_option options_table[] = {
    {"force", 'f', NULL, 0, "Replace the files of an earlier run", 2},
    {"quiet", 'q', NULL, 0, "Neither progress nor summary", 2},
    {"limit", 'l', "TIME", 0, "Give up after so much real time (default: 1 h)", 3},
    {"speed-up", 'u', "N", 0,
        "Divide all times by N: links are N times as fast, latencies and computing as short", 3},
    {"compute", 'm', "modelled|real", 0,
        "Clients compute for as long as the scenario says (modelled, the default), or as their training "
        "takes here",
        3},
    {0},
};

static double read_limit(struct argp_state *state, const char *text) {
    double limit_s;
    if (frs_units_parse(text, FRS_TIME, &limit_s) != FRS_OK || !(limit_s > 0))
        argp_error(
            state, "--limit %s: allowed: a time, such as \"90 s\" (%s)", text, frs_units_allowed(FRS_TIME));
    return limit_s;
}

static void read_compute(struct argp_state *state, struct frs_options *options, const char *text) {
    if (strcmp(text, "real") == 0)
        frs_options_set(options, frs_strdup("devices.compute=measured"));
    else if (strcmp(text, "modelled") != 0)
        argp_error(state, "--compute %s: allowed: modelled | real", text);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct emulate_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case 'f':
        options->common.run.force = true;
        return 0;
    case 'q':
        options->common.run.quiet = true;
        return 0;
    case 'l':
        options->wish.limit_s = read_limit(state, argument);
        return 0;
    case 'u':
        options->wish.speed_up = (double)frs_cli_number(state, "--speed-up", argument, 1, MOST_SPEED_UP);
        return 0;
    case 'm':
        read_compute(state, &options->common, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int emulate(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Plays a scenario over the kernel's TCP, with processes and emulated links, and writes its results "
        "into a "
        "folder.\v"
        "Needs the rights of root, or a kernel that gives users namespaces of their own.\n"
        "Exit codes: 0 done, 1 the run failed, 2 bad input, 130 interrupted.",
        children, NULL, NULL};
    struct emulate_options options = {.wish = {.speed_up = 1, .limit_s = LIMIT_S}};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    struct frs_run_options *run = &options.common.run;
    struct frs_progress *progress = NULL;
    const struct frs_watcher watcher = frs_progress_watcher(&progress);
    run->watcher = run->quiet ? NULL : &watcher;
    run->page = true;
    run->emulation = &options.wish;
    struct frs_scenario *scenario = frs_options_load(&options.common);
    int code = frs_exit_code(FRS_ERR_INPUT);
    if (scenario)
        code = frs_cli_finish(frs_run(scenario, run, &errors), &errors);
    frs_scenario_destroy(scenario);
    frs_options_fini(&options.common);
    return code;
}

const struct frs_command frs_command_emulate = {
    .name = "emulate",
    .usage = "emulate FILE [--out DIR] [--set SECTION.KEY=VALUE]... [--plugin FILE]... [--seed N] "
             "[--speed-up N] [--limit TIME]\n"
             "                    [--compute modelled|real] [--threads N] [--force] [--quiet]",
    .summary = "carry out a scenario over the kernel's TCP",
    .run = emulate,
};
