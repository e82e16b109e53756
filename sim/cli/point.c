/* fedrecsim point: one run of a sweep, or several. */
#include "sim/base/errors.h"
#include "sim/base/settings/index_list.h"
#include "sim/base/memory.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/sweep/point.h"
#include "sim/sweep/points.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/options/sweep_options.h"

#include <stdlib.h>
#include <unistd.h>

enum { KEY_INDEX = 256, KEY_CACHE, KEY_NEEDED };

struct point_options {
    const char *plan;
    size_t *points, n; /* [n]; NULL: none is named yet */
    size_t jobs;
    bool needed;
    char *cache; /* from the root, because a point may run elsewhere than where it is asked for */
    struct frs_point_options point;
};

static const struct argp_option options_table[] = {
    {"index", KEY_INDEX, "LIST", 0,
        "Number of the point, from 0; or of several, such as 0-19,25, which run beside each other and share "
        "data and what they learn",
        1},
    {"jobs", 'j', "N", 0,
        "Run them as processes, so many at the same time, each with a log of its own (default for several "
        "points: one per core)",
        2},
    {"threads", 't', "N", 0, "Threads to compute with (default: all cores); results do not depend on it", 2},
    {"cache", KEY_CACHE, "DIR", 0,
        "Folder for what is learnt, shared by points that learn the same (default: cache beside the plan)",
        2},
    {"no-reuse", FRS_KEY_NO_REUSE, NULL, 0, "Let every point learn, even if another one has learnt the same",
        2},
    {"needed", KEY_NEEDED, NULL, 0,
        "Leave out replicates that sweep.stop_metric makes needless; the others run in their order, each "
        "when "
        "the earlier ones of its cell have results",
        2},
    FRS_CONSENT_ARGP,
    FRS_PLUGIN_ARGP,
    {0},
};

static void take_cache(struct point_options *options, const char *argument) {
    char *here = *argument == '/' ? NULL : getcwd(NULL, 0);
    free(options->cache);
    options->cache = here ? frs_format("%s/%s", here, argument) : frs_strdup(argument);
    options->point.cache = options->cache;
    free(here);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct point_options *options = state->input;
    switch (key) {
    case KEY_INDEX:
        free(options->points);
        if (!frs_index_list_parse(argument, FRS_MAX_POINT, &options->points, &options->n))
            argp_error(state, "--index %s: allowed: a number from 0 to %d, or several, such as 0-19,25",
                argument, FRS_MAX_POINT);
        return 0;
    case 'j':
        options->jobs = frs_cli_number(state, "--jobs", argument, 1, FRS_MAX_THREADS);
        return 0;
    case 't':
        options->point.threads = frs_cli_number(state, "--threads", argument, 1, FRS_MAX_THREADS);
        return 0;
    case KEY_CACHE:
        take_cache(options, argument);
        return 0;
    case FRS_KEY_NO_REUSE:
        options->point.no_reuse = true;
        return 0;
    case KEY_NEEDED:
        options->needed = true;
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
        if (!options->plan || !options->points)
            argp_error(state, "needs a plan.json and --index LIST");
        if (options->point.cache && options->point.no_reuse)
            argp_error(state, "--cache and --no-reuse exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "PLAN",
        "Runs one point of a sweep, or several, unless they are finished already. The results are in points/ "
        "beside the plan.\v"
        "Exit codes: 0 finished, 1 a run failed, 2 bad input, 130 interrupted (nothing is left of it).",
        NULL, NULL, NULL};
    struct point_options options = {.point.sections = frs_sections};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    const struct frs_points_options several = {.sections = frs_sections,
        .jobs = options.jobs,
        .threads = options.point.threads,
        .cache = options.point.cache,
        .no_reuse = options.point.no_reuse,
        .needed = options.needed};
    enum frs_status status = options.n == 1 && options.jobs == 0 && !options.needed
                                 ? frs_point_run(options.plan, options.points[0], &options.point, &errors)
                                 : frs_points_run(options.plan, options.points, options.n, &several, &errors);
    free(options.points);
    free(options.cache);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_point = {
    .name = "point",
    .usage = "point PLAN --index LIST [--jobs N] [--threads N] [--cache DIR | --no-reuse] [--needed] "
             "[--plugin FILE]...",
    .summary = "run one point of a sweep, or several",
    .run = run,
};
