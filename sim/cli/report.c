/* fedrecsim report: one page about a run, a sweep, or several of them. */
#include "analysis/report/report.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_OPEN = 256, KEY_ROUNDS };

struct report_options {
    const char **folders; /* borrowed from the command line */
    size_t n, capacity;
    struct frs_report_options report;
    char *out;
    bool open, quiet;
};

static const struct argp_option options_table[] = {
    {"out", 'o', "FILE", 0, "The page (default: report.html in the folder; of several folders, here)", 1},
    {"rounds", KEY_ROUNDS, "LIST", 0,
        "Of a run: timelines of these rounds, too, as in 10-12,40 (always there: the first, the median, the "
        "slowest, the one that lost most)",
        1},
    {"target", 'T', "TARGET", 0,
        "Of a comparison: bar for time and bytes to target: hr@10=0.5 or hr@10=popularity+0.03", 1},
    {"open", KEY_OPEN, NULL, 0, "Open the page in a browser (xdg-open)", 2},
    {"quiet", 'q', NULL, 0, "Say nothing", 2},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct report_options *options = state->input;
    switch (key) {
    case 'o':
        if (!*argument)
            argp_error(state, "--out: needs the name of a file");
        options->report.out = frs_cli_path(state, "--out", argument, &options->out);
        return 0;
    case KEY_ROUNDS:
        options->report.rounds = argument;
        return 0;
    case 'T':
        options->report.target = argument;
        return 0;
    case KEY_OPEN:
        options->open = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        options->folders =
            frs_grow(options->folders, options->n + 1, &options->capacity, sizeof *options->folders);
        options->folders[options->n++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->n == 0)
            argp_error(state, "needs run directories, or folders of sweeps");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum frs_status show(const char *page, struct frs_errors *errors) {
    char opener[] = "xdg-open", *path = frs_format("%s%s", *page == '/' ? "" : "./", page);
    char *const arguments[] = {opener, path, NULL};
    pid_t child;
    int ended = -1;
    if (posix_spawnp(&child, opener, NULL, NULL, arguments, environ) == 0)
        waitpid(child, &ended, 0);
    free(path);
    return ended == 0 ? FRS_OK
                      : frs_errors_add(
                            errors, FRS_ERR_RUN, "--open: xdg-open cannot show %s: open it by hand", page);
}

static enum frs_status report(const struct report_options *options, struct frs_errors *errors) {
    char *page = NULL;
    enum frs_status status = frs_report_write(options->folders, options->n, &options->report, &page, errors);
    if (status == FRS_OK && !options->quiet)
        frs_print_line(stdout, "%s%s", page,
            frs_report_has_charts()
                ? ""
                : " (without charts: libjs-chart.js was not there when the program was built)");
    if (status == FRS_OK && options->open)
        status = show(page, errors);
    free(page);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "RUN|SWEEP|SWEEP:AXIS=LABEL,... ...",
        "Writes a page that any browser shows without a network: of one run, or of runs and sweeps side by "
        "side.\v"
        "Exit codes: 0 done, 1 the page could not be written or shown, 2 bad input.",
        NULL, NULL, NULL};
    struct report_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    int code = frs_cli_finish(report(&options, &errors), &errors);
    free(options.folders);
    free(options.out);
    return code;
}

const struct frs_command frs_command_report = {
    .name = "report",
    .usage = "report RUN|SWEEP... [--out FILE] [--rounds LIST] [--target TARGET] [--open]",
    .summary = "a page to look at results",
    .run = run,
};
