/* fedrecsim collect: a sweep's results in a few files. */
#include "analysis/plan/plan.h"
#include "analysis/report/report.h"
#include "analysis/tables/collect.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/options/options.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/join.h"
#include "sim/sweep/shard.h"

#include <stdlib.h>

struct collect_options {
    const char **folders; /* [n] */
    size_t n, capacity;
    const char *out;    /* where several are joined */
    const char *folder; /* that is collected */
    struct frs_collect_options collect;
    bool quiet, json;
};

static const struct argp_option options_table[] = {
    {"target", 'T', "TARGET", 0,
        "Bar for time and bytes to target, instead of the plan's: hr@10=0.5 or hr@10=popularity+0.03", 1},
    {"baseline", 'b', "CELL", 0,
        "What differences are to, instead of the plan's, or else the first level of every design axis: "
        "axis=label,axis=label; an axis that is not named keeps the level of the cell",
        1},
    {"all", 'a', NULL, 0,
        "The tables that do not answer by themselves, too: other qualities, bytes by direction, waste, each "
        "with differences and ratios",
        1},
    {"out", 'o', "DIR", 0,
        "Join several folders of one sweep (sweep --shard) there: a new folder, or one that has a part of "
        "this "
        "sweep",
        2},
    {"page", 'p', "FILE", 0,
        "Put the tables into a Markdown file, too: between its lines <!-- tables of NAME --> and <!-- end of "
        "tables -->",
        2},
    {"quiet", 'q', NULL, 0, "Write the files, print nothing", 2},
    FRS_JSON_OPTION(2),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct collect_options *options = state->input;
    switch (key) {
    case 'T':
        options->collect.target = argument;
        return 0;
    case 'b':
        options->collect.baseline = argument;
        return 0;
    case 'a':
        options->collect.all = true;
        return 0;
    case 'p':
        options->collect.page = argument;
        return 0;
    case FRS_KEY_JSON:
        options->json = options->quiet = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        options->folders =
            frs_grow(options->folders, options->n + 1, &options->capacity, sizeof *options->folders);
        options->folders[options->n++] = argument;
        return 0;
    case 'o':
        options->out = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->n == 0)
            argp_error(state, "needs the folder of a sweep");
        else if (options->n > 1 && !options->out)
            argp_error(state,
                "needs --out DIR: joins %zu folders of one sweep into the folder that --out DIR names",
                options->n);
        else
            options->folder = options->out ? options->out : options->folders[0];
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Writes the page of a sweep whose points were run one by one, or by jobs that were not waited for. */
static enum frs_status make_page(
    const struct collect_options *options, size_t n_lacking, struct frs_errors *errors) {
    struct frs_sweep_plan *plan;
    enum frs_status status = frs_sweep_plan_in(options->folder, &plan, errors);
    if (status == FRS_OK) {
        frs_report_renew(options->folder, options->collect.target,
            n_lacking < plan->n_points && frs_sweep_plan_wants_page(plan));
        frs_sweep_plan_destroy(plan);
    }
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "DIR...",
        "Writes the results of a sweep's finished points into sweep.sqlite, points.csv, cells.csv, "
        "differences.csv and tables.md in its folder, makes report.html (unless the sweep has output.report "
        "= "
        "false and none is there), and prints the tables.\v"
        "Exit codes: 0 done, 1 some points have no results, 2 bad input.",
        NULL, NULL, NULL};
    struct collect_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    size_t n_lacking = 0;
    json_t *object = NULL;
    options.collect.json = options.json ? &object : NULL;
    char *missing = options.out ? frs_shards_missing(options.folders, options.n) : NULL;
    enum frs_status status =
        options.out ? frs_sweep_join(options.folders, options.n, options.out, &errors) : FRS_OK;
    if (status == FRS_OK)
        status =
            frs_collect(options.folder, &options.collect, options.quiet ? NULL : stdout, &n_lacking, &errors);
    if (status == FRS_OK) {
        frs_folder_tidy_tables(options.folder);
        status = make_page(&options, n_lacking, &errors);
    }
    if (object)
        frs_cli_json_print(object);
    if (status == FRS_OK && n_lacking > 0)
        status = frs_errors_add(&errors, FRS_ERR_RUN,
            "%zu point%s of %s %s no results; tables.md there says which, and the rest was collected%s%s",
            n_lacking, n_lacking == 1 ? "" : "s", options.folder, n_lacking == 1 ? "has" : "have",
            missing ? "; shards that were not named: " : "", missing ? missing : "");
    free(missing);
    free(options.folders);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_collect = {
    .name = "collect",
    .usage = "collect DIR... [--out DIR] [--target TARGET] [--baseline CELL] [--all] [--page FILE] [--quiet] "
             "[--json]",
    .summary = "put the results of a sweep together",
    .run = run,
};
