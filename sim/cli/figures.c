/* fedrecsim figures: a run or a sweep as figures of a paper. */
#include "analysis/figures/figures.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"

#include <stdlib.h>
#include <string.h>

struct figures_options {
    const char *folder, *out;
    enum frs_figures_format format;
};

static const struct argp_option options_table[] = {{"format", 'f', "FORMAT", 0, "svg (default) or pdf", 1},
    {"out", 'o', "DIR", 0, "Where to (default: beside the folder, DIR-figures)", 1}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct figures_options *options = state->input;
    switch (key) {
    case 'f':
        if (strcmp(argument, "svg") != 0 && strcmp(argument, "pdf") != 0)
            argp_error(state, "--format %s: allowed: svg, pdf", argument);
        options->format = strcmp(argument, "pdf") == 0 ? FRS_FIGURES_PDF : FRS_FIGURES_SVG;
        return 0;
    case 'o':
        options->out = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->folder)
            argp_error(state, "one folder at a time, found %s and %s", options->folder, argument);
        options->folder = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->folder)
            argp_error(state, "needs a run directory, or the folder of a sweep");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *folder_for(const char *folder) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return frs_format("%.*s-figures", (int)length, folder);
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "DIR",
        "Draws quality against time and bytes, time to the target and, of a run, what rounds waited for, in "
        "the width of a "
        "paper's column, with gnuplot (package gnuplot-nox); the data and the script of each stand beside "
        "it.\v"
        "Exit codes: 0 done, 1 gnuplot is missing or failed, 2 bad input.",
        NULL, NULL, NULL};
    struct figures_options options = {0};
    struct frs_errors errors = {0};
    struct frs_figures figures;
    frs_cli_parse(&argp, argc, argv, &options);
    char *out = options.out ? frs_strdup(options.out) : folder_for(options.folder);
    enum frs_status status = frs_figures_write(options.folder, out, options.format, &figures, &errors);
    if (status == FRS_OK)
        frs_print_line(stdout, "%zu figure%s in %s", figures.n, figures.n == 1 ? "" : "s", out);
    if (status == FRS_OK && figures.n_left_out > 0)
        frs_print_line(stdout,
            "%zu more circumstance%s without figures: twelve have some; sweep fewer levels, or draw single "
            "runs "
            "(figures %s/points/NNNN)",
            figures.n_left_out, figures.n_left_out == 1 ? " is" : "s are", options.folder);
    free(out);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_figures = {
    .name = "figures",
    .usage = "figures DIR [--format svg|pdf] [--out DIR]",
    .summary = "figures for a paper, with their data",
    .run = run,
};
