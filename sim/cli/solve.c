/* fedrecsim solve: which setting keeps to a bound. */
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/output/exit_codes.h"
#include "sim/cli/options/expectations.h"
#include "sim/cli/options/live_option.h"
#include "sim/cli/options/sweep_options.h"
#include "sim/solve/solve.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_SMALLEST = 256, KEY_BEST, KEY_BUDGET };

struct solve_options {
    struct frs_options options;
    struct frs_sweep_options sweep;
    struct frs_expectations expectations;
    const char *vary, *until, *best;
    size_t budget; /* 0: not given */
    bool smallest, json;
    struct frs_live_option live;
};

static const struct argp_option options_table[] = {
    {"vary", 'v', "SETTINGS", 0,
        "The key and its settings, in an order in which the figure rises or falls: 'KEY = A..B' (whole "
        "numbers), 'KEY = A..B step S' or 'KEY = V, V, V'",
        1},
    {"until", 'u', "BOUND", 0,
        "What the mean of a figure has to keep to: 'METRIC <= AMOUNT', or >=, < or >, such as "
        "'time_to_target_s <= 1 h', 'bytes.total <= 2 GB', 'hr@10 >= 0.5' or 'outcomes.cut < 10 %' (of all "
        "participations); a name as in points.csv",
        1},
    {"smallest", KEY_SMALLEST, NULL, 0, "The first setting that keeps to the bound (default: the last one)",
        1},
    {"best", KEY_BEST, "METRIC", 0,
        "Of those that keep to the bound, or of all, the one with the best figure: the largest quality, the "
        "smallest of all else; runs all settings",
        1},
    {"budget", KEY_BUDGET, "N", 0,
        "Settings to run at most (default: 64), where the figure does not rise or fall all the way or none "
        "keeps to the bound",
        1},
    {"replicates", 'r', "N", 0, "The same as --set sweep.replicates=N", 1},
    {"jobs", 'j', "N", 0, "Points to run at the same time (default: as many as there are cores)", 2},
    {"resume", 'R', NULL, 0, "Go on with what is in the folder", 2},
    {"no-reuse", FRS_KEY_NO_REUSE, NULL, 0, "Let every point learn, even if another one has learnt the same",
        2},
    FRS_LIVE_OPTION,
    {"quiet", 'q', NULL, 0, "Neither progress nor tables nor the answer, which is in answer.json", 2},
    FRS_JSON_OPTION(2),
    FRS_EXPECT_OPTION("of the setting that is the answer (means of its replicates)", 2),
    {0},
};

static void check(const struct solve_options *options, const struct argp_state *state) {
    if (!options->vary)
        argp_error(state, "needs --vary 'KEY = A..B'");
    if (!options->until && !options->best)
        argp_error(state, "needs --until 'METRIC <= AMOUNT', or --best METRIC");
    if (options->smallest && options->best)
        argp_error(state, "--smallest and --best: one of them");
    if (options->budget && options->best)
        argp_error(state, "--budget and --best: one of them, because --best runs all settings");
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct solve_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->options;
        return 0;
    case 'v':
        if (options->vary)
            argp_error(state, "--vary: one thing at a time");
        options->vary = argument;
        return 0;
    case 'u':
        if (options->until)
            argp_error(state, "--until: one bound at a time");
        options->until = argument;
        return 0;
    case KEY_SMALLEST:
        options->smallest = true;
        return 0;
    case FRS_KEY_LIVE:
        frs_live_option_parse(&options->live, argument, state);
        return 0;
    case KEY_BEST:
        options->best = argument;
        return 0;
    case KEY_BUDGET:
        options->budget = frs_cli_number(state, "--budget", argument, 2, FRS_QUESTION_MOST);
        return 0;
    case FRS_KEY_JSON:
        options->json = options->sweep.quiet = true;
        return 0;
    case FRS_KEY_EXPECT:
        frs_expectations_add(&options->expectations, argument);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return frs_cli_parse_sweep(key, argument, state, &options->options, &options->sweep);
    }
}

/* "results/quickstart-solve" for "scenarios/quickstart.cfg". */
static char *folder_for(const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return frs_format("results/%.*s-solve", (int)length, name);
}

/* answer.json of the folder. */
static enum frs_status print_answer(const char *folder, struct frs_errors *errors) {
    char *path = frs_format("%s/answer.json", folder);
    json_t *object = frs_json_read(path, errors);
    if (object)
        frs_cli_json_print(object);
    free(path);
    return object ? FRS_OK : FRS_ERR_RUN;
}

/* *kept: there is an answer, and its figures are as expected. */
static enum frs_status solve(struct solve_options *options, bool *kept, struct frs_errors *errors) {
    struct frs_question question;
    enum frs_wanted wanted = options->best ? FRS_BEST : options->smallest ? FRS_SMALLEST : FRS_LARGEST;
    enum frs_status status =
        frs_question_parse(options->vary, options->until, wanted, options->best, &question, errors);
    if (status != FRS_OK)
        return status;
    if (frs_expectations_parse(&options->expectations, 0, NULL, errors) != FRS_OK) {
        frs_question_fini(&question);
        return FRS_ERR_INPUT;
    }
    char *answer = NULL, *folder = options->options.run.out ? frs_strdup(options->options.run.out)
                                                            : folder_for(options->options.file);
    options->sweep.folder = folder;
    question.budget = options->budget ? options->budget : question.budget;
    options->live.searches = true;
    status = frs_live_option_of_sweep(&options->live, "solve", &options->sweep, errors);
    if (status == FRS_OK)
        status = frs_solve(&question, &options->sweep, &answer, errors);
    *kept = answer;
    if (status == FRS_OK && options->json)
        status = print_answer(folder, errors);
    if (status == FRS_OK && answer)
        status = frs_expectations_of_sweep(&options->expectations, folder, answer, kept, errors);
    free(answer);
    free(folder);
    frs_question_fini(&question);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp_child children[] = {{.argp = &frs_options_sweep_argp}, {0}};
    static const struct argp argp = {options_table, parse, "FILE",
        "Finds the setting of one key that keeps to a bound on time, bytes, energy or quality, by as few "
        "runs as that takes, "
        "and says how sure it is; leaves the folder of a sweep.\v"
        "Exit codes: 0 done, 1 points failed, 2 bad input, 3 no setting that was run keeps to the bound, or "
        "--expect "
        "does not hold, 130 interrupted. A run that diverges is no point that failed: its setting does not "
        "keep to the bound.",
        children, NULL, NULL};
    struct solve_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    frs_cli_sweep_of(&options.options, &options.sweep);
    bool kept = true;
    enum frs_status status = solve(&options, &kept, &errors);
    int code = frs_expectations_finish(
        &options.expectations, frs_exit_code(status), kept, options.sweep.quiet, &errors);
    frs_expectations_fini(&options.expectations);
    frs_options_fini(&options.options);
    return frs_live_option_end(&options.live, code);
}

const struct frs_command frs_command_solve = {
    .name = "solve",
    .usage = "solve FILE --vary SETTINGS --until BOUND [--smallest | --best METRIC] [--replicates N]\n"
             "                    [--budget N] [--set SECTION.KEY=VALUE]... [--plugin FILE]... [--jobs N] "
             "[--out DIR] [--resume]\n"
             "                    [--expect EXPECTATION]... [--json] [--live[=PORT]]",
    .summary = "find the setting that keeps to a bound",
    .run = run,
};
