/* fedrecsim figures: a run or a sweep as figures of a paper. */
#include "analysis/figures/figures.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 256, LIST, METRIC, AGAINST, AND, SCALE };

static const struct argp_option options_table[] = {
    {"format", 'f', "FORMAT", 0, "svg (default), pdf, png (300 points an inch) or pgf (LaTeX sets the texts)",
        1},
    {"columns", WIDTH, "N", 0, "As wide as 1 (default, 8.9 cm) or 2 columns of a page (18.2 cm)", 1},
    {"list", LIST, NULL, 0, "Say what can be drawn of this folder, and draw nothing", 1},
    {"only", 'O', "CIRCUMSTANCES", 0,
        "Of a sweep: those with these levels, 'AXIS=LABEL' or 'AXIS=LABEL,AXIS=LABEL' (default: the first "
        "12)",
        1},
    {"out", 'o', "DIR", 0, "Where to (default: beside the folder, DIR-figures)", 1},
    {"metric", METRIC, "METRIC", 0,
        "Of a sweep, and no other figures: this metric, a column of points.csv, against the axes; may be "
        "given "
        "several times",
        2},
    {"against", AGAINST, "AXIS", 0, "The same: against this axis", 2},
    {"and", AND, "AXIS", 0, "With --against: this axis upwards, as a heat map", 2},
    {"scale", SCALE, "SCALE", 0, "Of the axis: linear, log or categories (default: what its levels are)", 2},
    {0}};

struct arguments {
    struct frs_figures_request request;
    const char **metrics; /* [request.n_metrics] */
    size_t capacity;
    bool list;
};

/* The place of `name` among `names`, which NULL ends. */
static int choice(struct argp_state *state, const char *option, const char *name, const char *const *names,
    const char *allowed) {
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    argp_error(state, "--%s %s: allowed: %s", option, name, allowed);
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    static const char *const formats[] = {"svg", "pdf", "png", "pgf", NULL},
                             *const columns[] = {"1", "2", NULL},
                             *const scales[] = {"linear", "log", "categories", NULL};
    struct arguments *arguments = state->input;
    struct frs_figures_request *request = &arguments->request;
    switch (key) {
    case 'f':
        request->format =
            (enum frs_figures_format)choice(state, "format", argument, formats, "svg, pdf, png, pgf");
        return 0;
    case WIDTH:
        request->wide = choice(state, "columns", argument, columns, "1, 2") == 1;
        return 0;
    case LIST:
        arguments->list = true;
        return 0;
    case 'O':
        request->only = argument;
        return 0;
    case 'o':
        request->out = argument;
        return 0;
    case METRIC:
        arguments->metrics = frs_grow(
            arguments->metrics, request->n_metrics + 1, &arguments->capacity, sizeof *arguments->metrics);
        arguments->metrics[request->n_metrics++] = argument;
        return 0;
    case AGAINST:
        request->against = argument;
        return 0;
    case AND:
        request->upwards = argument;
        return 0;
    case SCALE:
        request->scale = (enum frs_scale)(
            FRS_SCALE_LINEAR + choice(state, "scale", argument, scales, "linear, log, categories"));
        return 0;
    case ARGP_KEY_ARG:
        if (request->folder)
            argp_error(state, "one folder at a time, found %s and %s", request->folder, argument);
        request->folder = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->folder)
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

static void say_what_is_there(const struct frs_figures_drawn *drawn, const char *out) {
    char *tables = drawn->n_tables == 0
                       ? frs_strdup("")
                       : frs_format(" and %zu table%s", drawn->n_tables, drawn->n_tables == 1 ? "" : "s");
    frs_print_line(stdout, "%zu figure%s%s in %s", drawn->n, drawn->n == 1 ? "" : "s", tables, out);
    free(tables);
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
        "Draws quality against rounds, time and bytes, time to the target, of a sweep what its axes do to "
        "quality, "
        "time and bytes and, of a run, what rounds waited for, in the width of a paper's column, with "
        "gnuplot "
        "(package gnuplot-nox); the data and the script of each stand beside it.\v"
        "Exit codes: 0 done, 1 gnuplot is missing or failed, 2 bad input.",
        NULL, NULL, NULL};
    struct arguments arguments = {0};
    struct frs_figures_request *request = &arguments.request;
    struct frs_figures_drawn drawn;
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &arguments);
    char *out = request->out ? frs_strdup(request->out) : folder_for(request->folder);
    request->out = out;
    request->metrics = arguments.metrics;
    request->list = arguments.list ? stdout : NULL;
    enum frs_status status = frs_figures_write(request, &drawn, &errors);
    if (status == FRS_OK && !arguments.list)
        say_what_is_there(&drawn, out);
    if (status == FRS_OK)
        say_what_is_left_out(&drawn);
    free(arguments.metrics);
    free(out);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_figures = {
    .name = "figures",
    .usage = "figures DIR [--format svg|pdf|png|pgf] [--list] [--metric METRIC --against AXIS] [--out DIR]",
    .summary = "figures for a paper, with their data",
    .run = run,
};
