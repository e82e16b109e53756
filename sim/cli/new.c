/* fedrecsim new: a scenario to begin with. The kinds are the scenarios below scenarios/templates. */
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/files/own_folders.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/cli/commands.h"
#include "sim/cli/scenarios/named_scenarios.h"
#include "sim/cli/options/options.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "templates"

struct new_options {
    const char *kind, *file;
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct new_options *options = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (options->file)
        argp_error(state, "one file at a time, found %s and %s", options->file, argument);
    *(options->kind ? &options->file : &options->kind) = argument;
    return 0;
}

/* planner of templates/planner. */
static const char *kind_of(const char *name) {
    return name + sizeof FOLDER;
}

static void list(char **names) {
    for (size_t i = 0; names[i]; i++) {
        char *summary = frs_named_scenario_summary(names[i]);
        printf("%-10s  %s\n", kind_of(names[i]), summary);
        free(summary);
    }
}

static enum frs_status unknown(const char *kind, char **names, struct frs_errors *errors) {
    char line[80], *kinds = frs_strdup("");
    for (size_t i = 0; names[i]; i++) {
        char *longer = frs_format("%s%s%s", kinds, i ? ", " : "", kind_of(names[i]));
        free(kinds);
        kinds = longer;
    }
    frs_errors_add(errors, FRS_ERR_INPUT, "new: there is no \"%s\"; allowed: %s",
        frs_text_line(kind, line, sizeof line), *kinds ? kinds : "nothing: the templates are not installed");
    free(kinds);
    return FRS_ERR_INPUT;
}

static enum frs_status write_template(const struct new_options *options, struct frs_errors *errors) {
    char *root = frs_folder_of_scenarios(), *text = NULL,
         *source = frs_format("%s/" FOLDER "/%s.cfg", root ? root : "", options->kind),
         *path = options->file ? frs_strdup(options->file) : frs_format("%s.cfg", options->kind),
         *advice = frs_format("another name, fedrecsim new %s FILE", options->kind);
    size_t n;
    const char *reason = frs_input_read(source, FRS_INPUT_SCENARIO, &text, &n);
    enum frs_status status = FRS_OK;
    if (reason)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", source, reason);
    else if (strcmp(path, "-") == 0)
        fwrite(text, 1, n, stdout);
    else
        status = frs_create_whole(path, text, n, advice, errors);
    if (status == FRS_OK && strcmp(path, "-") != 0)
        printf("%s is written. Its first lines say what to do with it.\n", path);
    free(advice);
    free(path);
    free(source);
    free(text);
    free(root);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {NULL, parse, "[KIND] [FILE]",
        "Writes a scenario with comments, to be changed: for who plans a deployment, for who compares "
        "methods, "
        "or one with the fewest keys. FILE is KIND.cfg unless it is named, - is standard output, and a file "
        "that "
        "is there is never replaced. Without a kind: prints the kinds.\v"
        "Exit codes: 0 done, 1 the file could not be written, 2 bad input.",
        NULL, NULL, NULL};
    struct new_options options = {0};
    struct frs_errors errors = {0};
    enum frs_status status = FRS_OK;
    frs_cli_parse(&argp, argc, argv, &options);
    char **names = frs_named_scenarios(FOLDER);
    size_t i = 0;
    while (options.kind && names[i] && strcmp(kind_of(names[i]), options.kind) != 0)
        i++;
    if (names[0] && !options.kind)
        list(names);
    else
        status = names[i] ? write_template(&options, &errors)
                          : unknown(options.kind ? options.kind : "", names, &errors);
    frs_named_scenarios_free(names);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_new = {
    .name = "new",
    .usage = "new [KIND] [FILE]",
    .summary = "write a scenario to begin with",
    .run = run,
};
