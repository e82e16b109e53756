/* fedrecsim manual: the sources of the manual pages, from the tables that the help is made of. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/roff.h"
#include "sim/base/text.h"
#include "analysis/columns/columns.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/explain.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "fedrecsim-"

enum { KEY_LIST = 256 };

struct manual_options {
    const char *page;
    bool list;
};

static const struct argp_option options_table[] = {
    {"list", KEY_LIST, NULL, 0, "Print the names of all pages, each with its section", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct manual_options *options = state->input;
    if (key == KEY_LIST) {
        options->list = true;
        return 0;
    }
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (options->page)
        argp_error(state, "one page at a time, found %s and %s", options->page, argument);
    options->page = argument;
    return 0;
}

/* ---- a command ---- */

static const struct frs_command *described; /* the command whose page is printed */

/* Copies `text` with each run of blanks as one. */
static char *squeezed(const char *text, size_t n) {
    char *copy = frs_format("%.*s", (int)n, text);
    size_t to = 0;
    for (size_t from = 0; copy[from]; from++)
        if (!isspace((unsigned char)copy[from]))
            copy[to++] = copy[from];
        else if (to > 0 && copy[to - 1] != ' ')
            copy[to++] = ' ';
    copy[to] = '\0';
    return copy;
}

static bool has_letter(const struct argp_option *option) {
    return option->key > ' ' && option->key < 127;
}

static void put_option(const struct argp_option *option) {
    char letter[8] = "";
    if (has_letter(option))
        snprintf(letter, sizeof letter, "-%c%s", option->key, option->name ? ", " : "");
    char *tag = frs_format("%s%s%s%s%s", letter, option->name ? "--" : "", option->name ? option->name : "",
        option->arg ? (option->name ? "=" : " ") : "", option->arg ? option->arg : "");
    frs_roff_entry(stdout, tag, option->doc ? option->doc : "");
    free(tag);
}

static void put_options(const struct argp *argp) {
    for (const struct argp_option *option = argp->options;
         option && (option->name || option->key || option->doc); option++)
        if ((option->name || has_letter(option)) && !(option->flags & (OPTION_HIDDEN | OPTION_ALIAS)))
            put_option(option);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        put_options(child->argp);
}

/* What stands behind the options in the help: the exit codes, and notes before them. */
static void put_end(const char *text) {
    const char *codes = strstr(text, "Exit codes: ");
    if (codes != text) {
        frs_roff_heading(stdout, "NOTES");
        char *notes = frs_format("%.*s", (int)(codes ? (size_t)(codes - text) : strlen(text)), text);
        frs_roff_paragraphs(stdout, notes);
        free(notes);
    }
    if (!codes)
        return;
    frs_roff_heading(stdout, "EXIT STATUS");
    frs_roff_paragraphs(stdout, codes + strlen("Exit codes: "));
}

static void put_see_also(void) {
    frs_roff_heading(stdout, "SEE ALSO");
    fputs(".BR fedrecsim (1),\n.BR fedrecsim\\-scenario (5),\n.BR fedrecsim\\-results (5)\n", stdout);
}

static void put_command(const struct argp *argp) {
    char *name = frs_format(PREFIX "%s", described->name),
         *usage = squeezed(described->usage, strlen(described->usage)),
         *synopsis = frs_format("fedrecsim %s", usage);
    const char *end = strchr(argp->doc, '\v');
    char *doc = frs_format("%.*s", (int)(end ? (size_t)(end - argp->doc) : strlen(argp->doc)), argp->doc);
    frs_roff_title(stdout, name, 1);
    frs_roff_heading(stdout, "NAME");
    printf("fedrecsim\\-%s \\- ", described->name);
    frs_roff_paragraphs(stdout, described->summary);
    frs_roff_heading(stdout, "SYNOPSIS");
    frs_roff_paragraphs(stdout, synopsis);
    frs_roff_heading(stdout, "DESCRIPTION");
    frs_roff_paragraphs(stdout, doc);
    frs_roff_heading(stdout, "OPTIONS");
    put_options(argp);
    frs_roff_entry(stdout, "-h, --help", "Print the help of the command");
    frs_roff_entry(stdout, "-V, --version", "Print the version of the program");
    if (end)
        put_end(end + 1);
    put_see_also();
    free(doc);
    free(synopsis);
    free(usage);
    free(name);
}

/* ---- the program, its results ---- */

static void put_program(void) {
    frs_roff_title(stdout, "fedrecsim", 1);
    frs_roff_heading(stdout, "NAME");
    fputs("fedrecsim \\- simulator of federated recommendation over real networks\n", stdout);
    frs_roff_heading(stdout, "SYNOPSIS");
    frs_roff_paragraphs(stdout, "fedrecsim COMMAND [ARGUMENT...]");
    frs_roff_heading(stdout, "DESCRIPTION");
    frs_roff_paragraphs(stdout,
        "Trains a federated recommender as its paper says, and simulates when every byte of it arrives: slow "
        "uplinks, stragglers, lost clients. A run shows how good the recommendations are after how many "
        "seconds "
        "and how many bytes, and where the time went.\n"
        "Each command has a page of its own, fedrecsim-run(1) and so on.");
    frs_roff_heading(stdout, "COMMANDS");
    for (const struct frs_command *const *command = frs_cli_commands(); *command; command++)
        frs_roff_entry(stdout, (*command)->name, (*command)->summary);
    frs_roff_heading(stdout, "OPTIONS");
    frs_roff_entry(stdout, "-h, --help", "Print the commands; behind a command, its own help");
    frs_roff_entry(stdout, "-V, --version", "Print the version, and the commit that was built");
    frs_roff_heading(stdout, "ENVIRONMENT");
    frs_roff_entry(stdout, "FEDRECSIM_DATA",
        "Folder of data sets, $FEDRECSIM_DATA in a path of a scenario. Not set: fedrecsim below "
        "XDG_DATA_HOME "
        "(~/.local/share).");
    frs_roff_entry(stdout, "FEDRECSIM_CACHE",
        "Folder in which runs keep data that they have read; empty: nothing is kept. Not set: fedrecsim "
        "below "
        "XDG_CACHE_HOME (~/.cache), if it is there.");
    frs_roff_entry(stdout, "FEDRECSIM_SCENARIOS",
        "Folder of the scenarios that come with the program. Not set: where they were installed.");
    frs_roff_heading(stdout, "EXIT STATUS");
    frs_roff_paragraphs(
        stdout, "0 done, 1 the run failed, 2 bad input, 3 what was expected does not hold, 130 interrupted.");
    frs_roff_heading(stdout, "EXAMPLES");
    frs_roff_example(stdout,
        "fedrecsim run quickstart\nfedrecsim new planner\nfedrecsim check planner.cfg\n"
        "fedrecsim run planner.cfg --out results/first\nfedrecsim report results/first --open");
    put_see_also();
}

static void put_results(void) {
    frs_roff_title(stdout, "fedrecsim-results", 5);
    frs_roff_heading(stdout, "NAME");
    fputs("fedrecsim\\-results \\- files and columns of the results of fedrecsim\n", stdout);
    frs_roff_heading(stdout, "DESCRIPTION");
    frs_roff_paragraphs(stdout,
        "A run leaves a folder with report.html, manifest.json, summary.json, rounds.csv, clients.csv, "
        "events.ndjson and what_if.json; a sweep one with report.html, plan.json, points.csv, cells.csv, "
        "differences.csv, tables.md and sweep.sqlite.\n"
        "Numbers are in SI units, which the names of columns end in. New columns may come at any place: read "
        "them by name. `fedrecsim list metrics` says what each figure means.");
    frs_roff_heading(stdout, "FILES");
    for (const struct frs_result_column *column = frs_result_columns; column->file; column++) {
        if (!column->name) {
            frs_roff_subheading(stdout, column->file);
            frs_roff_paragraphs(stdout, column->meaning);
            continue;
        }
        char *shown = frs_result_column_shown(column),
             *text = frs_format("%s%s%s", column->unit, *column->unit ? ": " : "", column->meaning);
        frs_roff_entry(stdout, shown, text);
        free(text);
        free(shown);
    }
    frs_roff_heading(stdout, "SEE ALSO");
    fputs(".BR fedrecsim (1),\n.BR fedrecsim\\-run (1),\n.BR fedrecsim\\-collect (1)\n", stdout);
}

/* ---- which page ---- */

static void put_scenario(void) {
    frs_explain_manual(frs_sections, stdout);
}

static const struct {
    const char *name;
    int section;
    void (*put)(void);
} pages[] = {
    {"fedrecsim", 1, put_program}, {PREFIX "scenario", 5, put_scenario}, {PREFIX "results", 5, put_results}};

static void list(void) {
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        printf("%s.%d\n", pages[i].name, pages[i].section);
    for (const struct frs_command *const *command = frs_cli_commands(); *command; command++)
        printf(PREFIX "%s.1\n", (*command)->name);
}

/* Whether `given` is `name`, also without what all names begin with, or with its section behind it. */
static bool names(const char *given, const char *name, int section) {
    char *with = frs_format("%s.%d", name, section);
    const char *rest = strncmp(name, PREFIX, strlen(PREFIX)) == 0 ? name + strlen(PREFIX) : name;
    bool found = strcmp(given, name) == 0 || strcmp(given, rest) == 0 || strcmp(given, with) == 0;
    free(with);
    return found;
}

static enum frs_status print(const char *page, struct frs_errors *errors) {
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (names(page, pages[i].name, pages[i].section)) {
            pages[i].put();
            return FRS_OK;
        }
    for (const struct frs_command *const *command = frs_cli_commands(); *command; command++) {
        char *name = frs_format(PREFIX "%s", (*command)->name);
        bool found = names(page, name, 1);
        free(name);
        if (found) {
            described = *command;
            frs_cli_describe(described, put_command);
        }
    }
    char line[80];
    return frs_errors_add(errors, FRS_ERR_INPUT, "manual: there is no page \"%s\" (fedrecsim manual --list)",
        frs_text_line(page, line, sizeof line));
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[PAGE]",
        "Prints the source of a manual page (default: of fedrecsim.1): fedrecsim manual run | man -l -\v"
        "Exit codes: 0 done, 2 bad input.",
        NULL, NULL, NULL};
    struct manual_options options = {0};
    struct frs_errors errors = {0};
    enum frs_status status = FRS_OK;
    frs_cli_parse(&argp, argc, argv, &options);
    if (options.list)
        list();
    else
        status = print(options.page ? options.page : "fedrecsim", &errors);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_manual = {
    .name = "manual",
    .usage = "manual [PAGE] [--list]",
    .summary = "the manual pages",
    .run = run,
};
