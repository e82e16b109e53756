/* fedrecsim figures: a run or a sweep as figures of a paper. */
#include "analysis/figures/figures.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"

#include <stdlib.h>
#include <string.h>

static const struct argp_option options_table[] = {{"format", 'f', "FORMAT", 0, "svg (default) or pdf", 1},
    {"only", 'O', "CIRCUMSTANCES", 0,
        "Of a sweep: those with these levels, 'AXIS=LABEL' or 'AXIS=LABEL,AXIS=LABEL' (default: the first "
        "12)",
        1},
    {"out", 'o', "DIR", 0, "Where to (default: beside the folder, DIR-figures)", 1}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct frs_figures_request *options = state->input;
    switch (key) {
    case 'f':
        if (strcmp(argument, "svg") != 0 && strcmp(argument, "pdf") != 0)
            argp_error(state, "--format %s: allowed: svg, pdf", argument);
        options->format = strcmp(argument, "pdf") == 0 ? FRS_FIGURES_PDF : FRS_FIGURES_SVG;
        return 0;
    case 'O':
        options->only = argument;
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

/* Not a word of them would look like all there is. */
static void say_what_is_left_out(const struct frs_figures_drawn *drawn) {
    if (drawn->n_environments > FRS_FIGURES_MOST)
        frs_print_line(stderr,
            "fedrecsim: figures are of %d of %zu environments; of others: --only 'AXIS=LABEL', with --out "
            "DIR",
            FRS_FIGURES_MOST, drawn->n_environments);
    if (drawn->n_variants > FRS_FIGURES_MOST)
        frs_print_line(stderr,
            "fedrecsim: tornados are of %d of %zu variants; sensitivity.md has the figures of all",
            FRS_FIGURES_MOST, drawn->n_variants);
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "DIR",
        "Draws quality against time and bytes, time to the target and, of a run, what rounds waited for, in "
        "the width of a paper's column, with gnuplot (package gnuplot-nox); the data and the script of each "
        "stand beside it.\v"
        "Exit codes: 0 done, 1 gnuplot is missing or failed, 2 bad input.",
        NULL, NULL, NULL};
    struct frs_figures_request options = {0};
    struct frs_figures_drawn drawn;
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    char *out = options.out ? frs_strdup(options.out) : folder_for(options.folder);
    options.out = out;
    enum frs_status status = frs_figures_write(&options, &drawn, &errors);
    if (status == FRS_OK)
        frs_print_line(stdout, "%zu figure%s in %s", drawn.n, drawn.n == 1 ? "" : "s", out);
    if (status == FRS_OK)
        say_what_is_left_out(&drawn);
    free(out);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_figures = {
    .name = "figures",
    .usage = "figures DIR [--format svg|pdf] [--only CIRCUMSTANCES] [--out DIR]",
    .summary = "figures for a paper, with their data",
    .run = run,
};
