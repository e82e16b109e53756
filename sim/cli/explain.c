/* fedrecsim explain: what can be written into a scenario. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/explain.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/scenarios/reference.h"

#include <stdlib.h>

enum { KEY_MARKDOWN = 256 };

struct explain_options {
    const char *section;
    const char *markdown;
    bool json;
    char *path; /* behind markdown */
};

static const struct argp_option options_table[] = {
    {"markdown", KEY_MARKDOWN, "FOLDER", 0,
        "Write every key of every section into the folder, as Markdown pages with an index (docs/reference)",
        0},
    FRS_JSON_OPTION(0),
    FRS_PLUGIN_ARGP,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct explain_options *options = state->input;
    switch (key) {
    case KEY_MARKDOWN:
        options->markdown = frs_cli_path(state, "markdown", argument, &options->path);
        return 0;
    case FRS_KEY_PLUGIN:
        frs_cli_plugin(argument);
        return 0;
    case FRS_KEY_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->section)
            argp_error(state, "one section at a time, found %s and %s", options->section, argument);
        options->section = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->json && options->markdown)
            argp_error(state, "--json and --markdown: one of them");
        if (options->section && options->markdown)
            argp_error(state, "--markdown writes all sections, and takes none (found %s)", options->section);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What frs_explain knows; what it prints is for people. */
static enum frs_status explain_json(const char *section, struct frs_errors *errors) {
    char *text = NULL;
    size_t n = 0;
    FILE *ignored = open_memstream(&text, &n);
    FRS_INVARIANT(ignored, "cannot open a stream in memory");
    enum frs_status status = frs_explain(frs_sections, section, ignored, errors);
    fclose(ignored);
    free(text);
    if (status == FRS_OK)
        frs_cli_json_print(frs_explain_json(frs_sections, section));
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[SECTION|KEY|PLUG-IN]",
        "Prints every key of a section of the scenario file and of those below it (default: of all), with "
        "what is allowed, its default and its meaning; or one of them: rounds.cohort, method.colr, "
        "method.colr.rank; or, by its name alone, a plug-in or key of any section: colr, rank.",
        NULL, NULL, NULL};
    struct explain_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    enum frs_status status = options.markdown ? frs_reference_write(options.markdown, &errors)
                             : options.json   ? explain_json(options.section, &errors)
                                              : frs_explain(frs_sections, options.section, stdout, &errors);
    free(options.path);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_explain = {
    .name = "explain",
    .usage = "explain [SECTION | KEY | PLUG-IN] [--plugin FILE]... [--json]",
    .summary = "what can be written into a scenario",
    .run = run,
};
