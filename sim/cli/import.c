/* fedrecsim import: files of others as the CSV files that scenarios take. */
#include "platforms/imports/import.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_DIRECTION = 256, KEY_STEP };

struct import_options {
    const char *kind, *out;
    char **files;
    size_t n_files, capacity;
    bool up, has_direction, has_step;
    double step_s;
};

static const struct argp_option options_table[] = {
    {"out", 'o', "FILE", 0, "Where to write (default: standard output); a file that is there is not replaced",
        1},
    {"direction", KEY_DIRECTION, "DIRECTION", 0, "Of a log of one direction: down (default) or up", 1},
    {"step", KEY_STEP, "TIME", 0,
        "mahimahi: width of the parts in which packets are counted (default: 1 s; 10 ms or more)", 1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct import_options *options = state->input;
    switch (key) {
    case 'o':
        options->out = argument;
        return 0;
    case KEY_DIRECTION:
        options->has_direction = true;
        options->up = strcmp(argument, "up") == 0;
        if (!options->up && strcmp(argument, "down") != 0)
            argp_error(state, "--direction: \"%s\" is none; allowed: down, up", argument);
        return 0;
    case KEY_STEP:
        options->has_step = true;
        if (frs_units_parse(argument, FRS_TIME, &options->step_s) != FRS_OK || options->step_s < 0.01)
            argp_error(state,
                "--step: \"%s\" is no time of 10 ms or more; allowed: a number with a unit (%s)", argument,
                frs_units_allowed(FRS_TIME));
        return 0;
    case ARGP_KEY_ARG:
        if (!options->kind) {
            options->kind = argument;
            return 0;
        }
        options->files =
            frs_grow(options->files, options->n_files + 1, &options->capacity, sizeof *options->files);
        options->files[options->n_files++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void list(void) {
    for (size_t i = 0; frs_import_kinds[i]; i++)
        printf("%-10s  %s\n", frs_import_kinds[i]->name, frs_import_kinds[i]->summary);
}

static enum frs_status unknown(const char *name, struct frs_errors *errors) {
    char line[80], *kinds = frs_strdup("");
    for (size_t i = 0; frs_import_kinds[i]; i++) {
        char *longer = frs_format("%s%s%s", kinds, i ? ", " : "", frs_import_kinds[i]->name);
        free(kinds);
        kinds = longer;
    }
    frs_errors_add(errors, FRS_ERR_INPUT, "import: there is no \"%s\"; allowed: %s",
        frs_text_line(name, line, sizeof line), kinds);
    free(kinds);
    return FRS_ERR_INPUT;
}

static enum frs_status check(
    const struct import_options *options, const struct frs_import_kind *kind, struct frs_errors *errors) {
    bool is_trace = kind->target == FRS_IMPORT_TRACE && !kind->columns;
    if (options->n_files == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "import %s: needs a file", kind->name);
    if (options->n_files > 1 && !is_trace)
        return frs_errors_add(errors, FRS_ERR_INPUT, "import %s: one file at a time", kind->name);
    if (options->has_direction && !is_trace)
        return frs_errors_add(errors, FRS_ERR_INPUT, "import %s: has no --direction", kind->name);
    if (options->has_step && strcmp(kind->name, "mahimahi") != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "import %s: has no --step", kind->name);
    return FRS_OK;
}

/* Made as a whole before any of it is written. */
static enum frs_status import_files(
    const struct import_options *options, const struct frs_import_kind *kind, struct frs_errors *errors) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    enum frs_status status = FRS_OK;
    if (!out)
        return frs_errors_add(errors, FRS_ERR_RUN, "import: %s", strerror(errno));
    bool ok =
        frs_import_write(kind, options->files, options->n_files, options->up, options->step_s, out, errors);
    if (fclose(out) != 0 || !ok)
        status = ok ? FRS_ERR_RUN : FRS_ERR_INPUT;
    else if (options->out && strcmp(options->out, "-") != 0)
        status = frs_create_whole(options->out, text, n, "another name", errors);
    else
        fwrite(text, 1, n, stdout);
    free(text);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[KIND FILE...]",
        "Turns logs of links, tables of clients and traces of sessions, as others publish them, into the CSV "
        "files that "
        "scenarios take. Its first lines say what it was made of. Several logs of links become the traces of "
        "clients 0, 1, ... Without a kind: prints the kinds.\v"
        "Exit codes: 0 done, 1 the file could not be written, 2 bad input.",
        NULL, NULL, NULL};
    struct import_options options = {.step_s = 1};
    struct frs_errors errors = {0};
    enum frs_status status = FRS_OK;
    frs_cli_parse(&argp, argc, argv, &options);
    const struct frs_import_kind *kind = options.kind ? frs_import_kind_of(options.kind) : NULL;
    if (!options.kind)
        list();
    else if (!kind)
        status = unknown(options.kind, &errors);
    else if ((status = check(&options, kind, &errors)) == FRS_OK)
        status = import_files(&options, kind, &errors);
    free(options.files);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_import = {
    .name = "import",
    .usage = "import [KIND FILE...] [--direction down | up] [--step TIME] [--out FILE]",
    .summary = "make a trace, a fleet or sessions of files of others",
    .run = run,
};
