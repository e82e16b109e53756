/* fedrecsim sensitivity: which assumption of a scenario its answer rests on. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/sweep_options.h"
#include "sim/sensitivity/sensitivity_design.h"
#include "sim/sweep/sweep.h"

#include <stdlib.h>

enum { KEY_WITHOUT = 256, KEY_ONLY, KEY_NO_DESIGN };

/* Texts borrowed from the command line. */
struct texts {
    const char **list;
    size_t n, capacity;
};

struct sensitivity_options {
    struct frs_options options;
    struct frs_sweep_options sweep;
    struct texts vary, assume, without, only;
    const char *answer;
    bool no_design;
};

static const struct argp_option options_table[] = {
    {"answer", 'a', "METRIC", 0,
        "What is asked (a name as in points.csv; default: the time to the target if all runs reach it, "
        "otherwise the simulated time)",
        1},
    {"assume", 'A', "ASSUMPTION", 0,
        "An assumption with one or two other values: 'NAME | LABEL: KEY=V & KEY=V | LABEL: KEY=V'; takes the "
        "place of that with the same name, such as bandwidth; may be repeated",
        1},
    {"without", KEY_WITHOUT, "NAME", 0, "Leave this assumption as it is; may be repeated", 1},
    {"only", KEY_ONLY, "NAME", 0, "Vary this assumption and no other one that is not named; may be repeated",
        1},
    {"no-design", KEY_NO_DESIGN, NULL, 0, "Vary one assumption at a time only", 1},
    {"vary", 'v', "AXIS", 0,
        "Beside the assumptions, as for `sweep`: design factors, for example; may be repeated", 1},
    {"replicates", 'r', "N", 0, "The same as --set sweep.replicates=N", 1},
    {"jobs", 'j', "N", 0, "Points to run at the same time (default: as many as there are cores)", 2},
    {"resume", 'R', NULL, 0, "Go on with what is in the folder", 2},
    {"quiet", 'q', NULL, 0, "Neither progress nor tables", 2},
    {0},
};

static void append(struct texts *texts, const char *text) {
    texts->list = frs_grow(texts->list, texts->n + 1, &texts->capacity, sizeof *texts->list);
    texts->list[texts->n++] = text;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct sensitivity_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->options;
        return 0;
    case 'a':
        options->answer = argument;
        return 0;
    case 'A':
        append(&options->assume, argument);
        return 0;
    case KEY_WITHOUT:
        append(&options->without, argument);
        return 0;
    case KEY_ONLY:
        append(&options->only, argument);
        return 0;
    case KEY_NO_DESIGN:
        options->no_design = true;
        return 0;
    case 'v':
        append(&options->vary, argument);
        return 0;
    default:
        return frs_cli_parse_sweep(key, argument, state, &options->options, &options->sweep);
    }
}

/* The sweep's own tables are in its folder; this function prints the answer, and the page has a picture of
 * it. */
static enum frs_status finish(const struct sensitivity_options *options,
    const struct frs_sweep_session *session, const struct frs_sensitivity_design *assumptions,
    enum frs_status status, struct frs_errors *errors) {
    struct frs_sweep_options quietly = options->sweep;
    quietly.quiet = quietly.report_later = true;
    status = frs_sweep_finish(&quietly, session, status, errors);
    if (status == FRS_INTERRUPTED)
        return status;
    const struct frs_sensitivity what = {.assumptions = assumptions->list,
        .n = assumptions->axes.n,
        .left_out = assumptions->left_out,
        .n_left_out = assumptions->n_left_out,
        .n_runs = assumptions->n_runs,
        .answer = options->answer};
    enum frs_status written =
        frs_sensitivity_write(session->folder, &what, options->sweep.quiet ? NULL : stdout, errors);
    if (written == FRS_OK)
        written = frs_sweep_report(session, errors);
    return status != FRS_OK ? status : written;
}

static enum frs_status sensitivity(struct sensitivity_options *options, struct frs_errors *errors) {
    struct frs_sensitivity_design_request request = {.sweep = options->sweep.request,
        .assume = options->assume.list,
        .n_assume = options->assume.n,
        .without = options->without.list,
        .n_without = options->without.n,
        .only = options->only.list,
        .n_only = options->only.n,
        .no_design = options->no_design};
    request.sweep.vary = options->vary.list;
    request.sweep.n_vary = options->vary.n;
    struct frs_sensitivity_design assumptions;
    struct frs_sweep_session session;
    enum frs_status status = frs_sensitivity_design_find(&request, &assumptions, errors);
    if (status != FRS_OK)
        return status;
    append(&options->vary, assumptions.axis); /* the last axis */
    options->sweep.request.vary = options->vary.list;
    options->sweep.request.n_vary = options->vary.n;
    options->sweep.request.asked[0] = (struct frs_selected){"--answer", options->answer};
    char *folder = frs_format("results/%s-sensitivity", assumptions.name);
    if (!options->sweep.folder)
        options->sweep.folder = folder;
    status = frs_sweep_open(&options->sweep, &session, errors);
    if (status == FRS_OK) {
        status = frs_sweep_run_local(&options->sweep, &session, errors);
        status = finish(options, &session, &assumptions, status, errors);
        frs_sweep_close(&session);
    }
    free(folder);
    frs_sensitivity_design_fini(&assumptions);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_sweep_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Varies what a scenario takes for granted (availability, losses, links, the server's link, "
        "computing, cohort, "
        "data, seeds and more, docs/sensitivity.md), one at a time and all in a small design, and says which "
        "of it moves the "
        "answer "
        "most, and whether another design would be the best. The result is the folder of a sweep, with "
        "sensitivity.md, sensitivity.json, and a tornado on report.html.\v"
        "Exit codes: 0 done, 1 points failed, 2 bad input, 130 interrupted.",
        children, NULL, NULL};
    struct sensitivity_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    frs_cli_sweep_of(&options.options, &options.sweep);
    int code = frs_cli_finish(sensitivity(&options, &errors), &errors);
    frs_options_fini(&options.options);
    free(options.vary.list);
    free(options.assume.list);
    free(options.without.list);
    free(options.only.list);
    return code;
}

const struct frs_command frs_command_sensitivity = {
    .name = "sensitivity",
    .usage =
        "sensitivity FILE [--answer METRIC] [--assume ASSUMPTION]... [--without NAME]... [--only NAME]... "
        "[--no-design] "
        "[--vary AXIS]... [--replicates N] [--set SECTION.KEY=VALUE]... [--plugin FILE]... [--jobs N] [--out "
        "DIR] [--resume]",
    .summary = "which assumption an answer rests on",
    .run = run,
};
