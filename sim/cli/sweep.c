/* fedrecsim sweep: every run of a scenario with axes. */
#include "sim/base/errors.h"
#include "sim/sweep/sweep.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/units.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/expectations.h"
#include "sim/cli/options/live_option.h"
#include "sim/cli/options/sweep_options.h"
#include "sim/sweep/cluster.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_LAUNCHER = 256,
    KEY_WAIT,
    KEY_DRY_RUN,
    KEY_LAUNCHER_OPTION,
    KEY_SLURM_OPTION,
    KEY_SUBMIT,
    KEY_TASK_TIME,
    KEY_TASK_PROCESSORS,
    KEY_EXTEND,
    KEY_SHARD
};

struct sweep_options {
    struct frs_options options;
    struct frs_sweep_options sweep;
    const char **vary;
    size_t capacity;
    struct frs_cluster cluster;
    const char **launcher_options;
    size_t launcher_capacity;
    struct frs_expectations expectations;
    const char *for_cluster; /* an option that means nothing elsewhere, or NULL */
    struct frs_live_option live;
};

static const struct argp_option options_table[] = {
    {"vary", 'v', "AXIS", 0,
        "Something to vary: 'KEY = V, V', 'KEY, KEY = V, W | V, W' or 'NAME | LABEL: KEY=V & KEY=V | "
        "LABEL'; may be repeated; comes after the axes of sweep.vary, or takes the place of that with the "
        "same name. 'design: AXIS' or 'environment: AXIS' says which it is where its keys do not",
        1},
    {"replicates", 'r', "N", 0, "The same as --set sweep.replicates=N", 1},
    {"jobs", 'j', "N", 0, "Points to run at the same time (default: as many as there are cores)", 2},
    {"resume", 'R', NULL, 0, "Go on with what is in the folder", 2},
    {"extend", KEY_EXTEND, NULL, 0,
        "Add levels of axes and replicates to the sweep in the folder; points that are there stay as they "
        "are",
        2},
    {"shard", KEY_SHARD, "I/N", 0,
        "Run the I-th of N parts of the points, in a folder that stands alone; 'fedrecsim collect' joins the "
        "folders",
        2},
    {"no-reuse", FRS_KEY_NO_REUSE, NULL, 0, "Let every point learn, even if another one has learnt the same",
        2},
    {"all", 'a', NULL, 0,
        "Show the tables that do not answer by themselves, too: other qualities, bytes by direction, waste, "
        "each with differences and ratios",
        2},
    {"page", 'p', "FILE", 0,
        "A Markdown file to put the tables into, between its lines <!-- tables of NAME --> and <!-- end of "
        "tables -->",
        2},
    FRS_LIVE_OPTION,
    {"quiet", 'q', NULL, 0, "Neither progress nor tables", 2},
    FRS_EXPECT_OPTION("of every cell (means of its replicates), or of those named in front, as in "
                      "'codec=topk: hr@10 >= 0.5',",
        2),
    {"launcher", KEY_LAUNCHER, "LAUNCHER", 0,
        "local: processes on this machine (default); slurm: a job array, and a job that collects the "
        "results; "
        "parallel: GNU parallel, here or by ssh; oar: an array of OAR's; command: the one that --submit "
        "names",
        3},
    {"launcher-option", KEY_LAUNCHER_OPTION, "TEXT", 0,
        "For the launcher's own program: partition=short or time=30 for sbatch, --sshlogin=8/node1 for "
        "parallel; may be repeated",
        3},
    {"slurm-option", KEY_SLURM_OPTION, "TEXT", OPTION_HIDDEN, NULL, 3},
    {"submit", KEY_SUBMIT, "COMMAND", 0,
        "command: what submits tasks, such as 'qsub -J {first}-{last} -- {run}'", 3},
    {"task-time", KEY_TASK_TIME, "TIME", 0,
        "Fill tasks with as many points as take this long by the forecast of check, such as '10 min' "
        "(default: "
        "a task is one point)",
        3},
    {"task-processors", KEY_TASK_PROCESSORS, "N", 0,
        "Points of a task that run at the same time (default: 1); all: one per processor of the machine", 3},
    {"wait", KEY_WAIT, NULL, 0, "With a launcher: wait until all tasks have ended", 3},
    {"dry-run", KEY_DRY_RUN, NULL, 0, "With a launcher: write the scripts only", 3},
    {0},
};

static void add_launcher_option(struct sweep_options *options, const char *text) {
    struct frs_cluster *cluster = &options->cluster;
    options->launcher_options = frs_grow(options->launcher_options, cluster->n_options + 1,
        &options->launcher_capacity, sizeof *options->launcher_options);
    options->launcher_options[cluster->n_options++] = text;
    cluster->options = options->launcher_options;
}

static void take_launcher(struct sweep_options *options, const char *name, const struct argp_state *state) {
    options->cluster.launcher = frs_launcher_find(name);
    if (options->cluster.launcher || strcmp(name, "local") == 0)
        return;
    char *names = frs_launcher_names();
    argp_error(state, "--launcher %s: allowed: %s", name, names);
    free(names);
}

static void take_task_time(struct sweep_options *options, const char *text, const struct argp_state *state) {
    if (frs_units_parse(text, FRS_TIME, &options->cluster.task_s) != FRS_OK || !(options->cluster.task_s > 0))
        argp_error(state, "--task-time %s: allowed: a time above 0, such as '10 min'", text);
}

static void take_task_processors(
    struct sweep_options *options, const char *text, const struct argp_state *state) {
    options->cluster.processors = strcmp(text, "all") == 0
                                      ? SIZE_MAX
                                      : frs_cli_number(state, "--task-processors", text, 1, FRS_MAX_THREADS);
}

/* What is said of tasks, where there are none or the launcher takes no such thing. */
static void check_cluster(const struct sweep_options *options, const struct argp_state *state) {
    const struct frs_cluster *cluster = &options->cluster;
    const struct frs_launcher *launcher = cluster->launcher;
    bool ends_later = launcher && !cluster->wait && !launcher->runs_here;
    if (options->for_cluster && !launcher)
        argp_error(state, "%s needs --launcher NAME", options->for_cluster);
    if (launcher && cluster->n_options > 0 && !launcher->takes_options)
        argp_error(state, "--launcher %s takes no --launcher-option", launcher->name);
    if (launcher && cluster->submit && strcmp(launcher->name, "command") != 0)
        argp_error(state, "--submit needs --launcher command");
    if (options->sweep.page && ends_later)
        argp_error(state, "--page needs --wait: before the jobs have ended there are no tables");
    if (options->expectations.n > 0 && ends_later)
        argp_error(state, "--expect needs --wait: before the jobs have ended there are no results");
    if (options->live.wanted && ends_later)
        argp_error(state, "--live needs --wait: the page ends with the command");
}

/* What needs the results of the whole sweep. */
static void check_shard(const struct sweep_options *options, const struct argp_state *state) {
    const char *needs_all = options->cluster.launcher     ? "--launcher"
                            : options->sweep.page         ? "--page"
                            : options->sweep.all          ? "--all"
                            : options->expectations.n > 0 ? "--expect"
                            : options->live.wanted        ? "--live"
                                                          : NULL;
    if (needs_all)
        argp_error(state,
            "--shard does not go with %s, which needs all points; 'fedrecsim collect' joins shards",
            needs_all);
}

/* The options of a sweep on a cluster. */
static error_t parse_cluster(int key, char *argument, struct argp_state *state) {
    struct sweep_options *options = state->input;
    switch (key) {
    case KEY_LAUNCHER:
        take_launcher(options, argument, state);
        return 0;
    case KEY_WAIT:
        options->cluster.wait = true;
        options->for_cluster = "--wait";
        return 0;
    case KEY_DRY_RUN:
        options->cluster.dry_run = true;
        options->for_cluster = "--dry-run";
        return 0;
    case KEY_LAUNCHER_OPTION:
        add_launcher_option(options, argument);
        options->for_cluster = "--launcher-option";
        return 0;
    case KEY_SLURM_OPTION:
        argp_error(state, "--slurm-option is called --launcher-option");
        return 0;
    case KEY_SUBMIT:
        options->cluster.submit = argument;
        options->for_cluster = "--submit";
        return 0;
    case KEY_TASK_TIME:
        take_task_time(options, argument, state);
        options->for_cluster = "--task-time";
        return 0;
    case KEY_TASK_PROCESSORS:
        take_task_processors(options, argument, state);
        options->for_cluster = "--task-processors";
        return 0;
    case ARGP_KEY_END:
        if (options->sweep.shard.n > 0)
            check_shard(options, state);
        check_cluster(options, state);
        options->sweep.cluster = options->cluster.launcher ? &options->cluster : NULL;
        return 0;
    default:
        return frs_cli_parse_sweep(key, argument, state, &options->options, &options->sweep);
    }
}

static void add_vary(struct sweep_options *options, const char *axis) {
    struct frs_sweep_request *request = &options->sweep.request;
    options->vary = frs_grow(options->vary, request->n_vary + 1, &options->capacity, sizeof *options->vary);
    options->vary[request->n_vary++] = axis;
    request->vary = options->vary;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct sweep_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->options;
        return 0;
    case 'v':
        add_vary(options, argument);
        return 0;
    case 'a':
        options->sweep.all = true;
        return 0;
    case 'p':
        options->sweep.page = argument;
        return 0;
    case KEY_EXTEND:
        options->sweep.extend = true;
        return 0;
    case KEY_SHARD:
        if (!frs_shard_parse(argument, &options->sweep.shard))
            argp_error(state, "--shard %s: allowed: I/N with 1 <= I <= N <= %d, such as 3/8", argument,
                FRS_MAX_SHARDS);
        return 0;
    case FRS_KEY_EXPECT:
        frs_expectations_add(&options->expectations, argument);
        return 0;
    case FRS_KEY_LIVE:
        frs_live_option_parse(&options->live, argument, state);
        return 0;
    default:
        return parse_cluster(key, argument, state);
    }
}

/* Before the first point, so that there is time to think again. */
static void print_replaced(const struct frs_sweep_options *options, const struct frs_sweep_session *session) {
    char *all = frs_sweep_plan_replaced(session->plan, &options->request), *rest = all;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        frs_print_line(stdout, "Note: %s (by --set, or in a level of the sweep).", line);
    free(all);
}

/* The K that all points have; NULL: they differ. */
static const char *common_cut_offs(const struct frs_sweep_plan *plan) {
    for (size_t i = 0; i < plan->n_common; i++)
        if (strcmp(plan->common[i].key, "evaluation.k") == 0)
            return plan->common[i].text;
    return NULL;
}

/* Before anything is written. */
static enum frs_status check_expectations(const struct frs_sweep_options *options,
    struct frs_expectations *expectations, struct frs_errors *errors) {
    struct frs_sweep_plan *plan;
    if (expectations->n == 0)
        return FRS_OK;
    enum frs_status status = frs_sweep_plan_build(&options->request, &plan, errors);
    if (status == FRS_OK)
        status = frs_expectations_parse(expectations, common_cut_offs(plan), plan, errors);
    frs_sweep_plan_destroy(plan);
    return status;
}

static enum frs_status sweep(const struct frs_sweep_options *options, struct frs_expectations *expectations,
    bool *kept, struct frs_errors *errors) {
    struct frs_sweep_session session;
    enum frs_status status = check_expectations(options, expectations, errors);
    if (status == FRS_OK)
        status = frs_sweep_open(options, &session, errors);
    if (status != FRS_OK)
        return status;
    if (!options->quiet)
        print_replaced(options, &session);
    bool ended = true;
    if (options->cluster)
        status = frs_cluster_run(options, &session, &ended, errors);
    else
        status = frs_sweep_run_local(options, &session, errors);
    bool interrupted = status == FRS_INTERRUPTED;
    if (ended)
        status = frs_sweep_finish(options, &session, status, errors);
    if (ended && !interrupted) {
        enum frs_status judged = frs_expectations_of_sweep(expectations, session.folder, NULL, kept, errors);
        status = status == FRS_OK ? judged : status;
    }
    frs_sweep_close(&session);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_sweep_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Runs a scenario many times, with other settings and other seeds, and compares the results.\v"
        "Exit codes: 0 done, 1 points failed, 2 bad input, 3 --expect does not hold, 130 interrupted.",
        children, NULL, NULL};
    struct sweep_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    frs_cli_sweep_of(&options.options, &options.sweep);
    bool kept = true;
    options.live.elsewhere = options.cluster.launcher != NULL;
    enum frs_status status = frs_live_option_of_sweep(&options.live, "sweep", &options.sweep, &errors);
    if (status == FRS_OK)
        status = sweep(&options.sweep, &options.expectations, &kept, &errors);
    int code = frs_expectations_finish(
        &options.expectations, frs_exit_code(status), kept, options.sweep.quiet, &errors);
    frs_expectations_fini(&options.expectations);
    frs_options_fini(&options.options);
    free(options.vary);
    free(options.launcher_options);
    return frs_live_option_end(&options.live, code);
}

const struct frs_command frs_command_sweep = {
    .name = "sweep",
    .usage = "sweep FILE [--vary AXIS]... [--replicates N] [--set SECTION.KEY=VALUE]... [--plugin FILE]... "
             "[--jobs N] [--out DIR] "
             "[--resume | --extend] [--shard I/N] [--all] [--expect EXPECTATION]... [--launcher NAME] "
             "[--live[=PORT]]",
    .summary = "run a scenario with other settings and seeds, and compare",
    .run = run,
};
