/* fedrecsim explain */
#include "sim/cli/sections.h"
#include "sim/scenario/explain.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"

enum { KEY_MARKDOWN = 256 };

struct explain_options {
    const char *section;
    bool markdown;
};

static const struct argp_option options_table[] = {
    {"markdown", KEY_MARKDOWN, NULL, OPTION_HIDDEN, "Write docs/scenario-reference.md to stdout", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct explain_options *options = state->input;
    switch (key) {
    case KEY_MARKDOWN:
        options->markdown = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->section)
            argp_error(state, "one section at a time, found %s and %s", options->section, argument);
        options->section = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[SECTION|KEY|PLUG-IN]",
        "Prints every key of a section of the scenario file and of those below it (default: of all), with "
        "what is allowed, its default and its meaning; or one of them: rounds.cohort, method.colr, "
        "method.colr.rank.",
        NULL, NULL, NULL};
    struct explain_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    if (options.markdown) {
        frs_explain_markdown(frs_sections, stdout);
        return 0;
    }
    return frs_cli_finish(frs_explain(frs_sections, options.section, stdout, &errors), &errors);
}

const struct frs_command frs_command_explain = {
    .name = "explain",
    .usage = "explain [SECTION | KEY | PLUG-IN]",
    .summary = "what can be written into a scenario",
    .run = run,
};
