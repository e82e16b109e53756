#include "sim/cli/options/options.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"
#include "sim/cli/output/exit_codes.h"
#include "sim/cli/scenarios/named_scenarios.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/scenarios/sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SEED 9007199254740992 /* 2^53, as in the section table */

#define OPTIONS(of_out, of_threads)                                                                          \
    {"set", 's', "SECTION.KEY=VALUE", 0, "Set a value, whatever the file says; may be repeated", 1},         \
        {"seed", 'S', "N", 0, "The same as --set seed=N", 1}, {"out", 'o', "DIR", 0, of_out, 2},             \
        {"threads", 't', "N", 0, "Threads " of_threads "; results do not depend on it", 2},                  \
        FRS_CONSENT_ARGP, FRS_PLUGIN_ARGP, {0},

static const struct argp_option options_of_runs[] = {
    OPTIONS("Folder for the results, instead of the scenario's output.directory",
        "to compute with (default: all cores)")};

static const struct argp_option options_of_sweeps[] = {
    OPTIONS("Folder for the points and their tables (default: one below results, by the scenario's name)",
        "of each point (default: the cores divided by the points at a time)")};

/* Digits only: "1e3", " 7" and "0x10" are more likely mistakes than wishes. */
unsigned long long frs_cli_number(const struct argp_state *state, const char *option, const char *text,
    unsigned long long min, unsigned long long max) {
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    bool digits = *text && strspn(text, "0123456789") == strlen(text);
    if (!digits || errno || number < min || number > max)
        argp_error(state, "%s %s: allowed: an integer from %llu to %llu", option, text, min, max);
    return number;
}

const char *frs_cli_path(const struct argp_state *state, const char *option, const char *text, char **kept) {
    if (*text != '~' || (text[1] != '/' && text[1] != '\0'))
        return text;
    char reason[160], *home = frs_path_expand("~", reason, sizeof reason);
    if (!home)
        argp_error(state, "%s %s %s", option, text, reason);
    free(*kept);
    *kept = frs_format("%s%s", home, text + 1);
    free(home);
    return *kept;
}

static error_t parse_help(int key, char *argument, struct argp_state *state) {
    (void)argument;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    else if (key == 'h')
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

void (*frs_cli_instead)(const struct argp *table);

void frs_cli_parse(const struct argp *argp, int argc, char **argv, void *input) {
    if (frs_cli_instead) {
        frs_cli_instead(argp);
        exit(frs_cli_finish_output(0));
    }
    static const struct argp_option help[] = {{NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0}, {0}};
    const struct argp_child children[] = {{.argp = argp}, {0}};
    const struct argp whole = {.options = help, .parser = parse_help, .children = children};
    argp_parse(&whole, argc, argv, 0, NULL, input);
}

void frs_options_set(struct frs_options *options, char *text) {
    options->sets = frs_grow(options->sets, options->n_sets + 1, &options->capacity, sizeof *options->sets);
    options->sets[options->n_sets++] = text;
}

/* Ends the process with 2 where it is unclear which scenario is meant. */
static void name_file(struct frs_options *options, const char *given) {
    struct frs_errors errors = {0};
    if (frs_named_scenario(given, &options->paths[2], &errors) != FRS_OK)
        exit(frs_cli_finish(FRS_ERR_INPUT, &errors));
    options->file = options->paths[2];
}

/* A workload that is declared needs no file: what it needs is said with --set. */
static bool declares(const struct frs_options *options) {
    for (size_t i = 0; i < options->n_sets; i++)
        if (strcmp(options->sets[i], "method.name=declared") == 0 ||
            strcmp(options->sets[i], "method=declared") == 0)
            return true;
    return false;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct frs_options *options = state->input;
    switch (key) {
    case 's':
        frs_options_set(options, frs_strdup(argument));
        return 0;
    case 'S':
        frs_options_set(
            options, frs_format("seed=%llu", frs_cli_number(state, "--seed", argument, 0, MAX_SEED)));
        return 0;
    case 'o':
        if (!*argument)
            argp_error(state, "--out: needs the name of a folder");
        options->run.out = frs_cli_path(state, "--out", argument, &options->paths[0]);
        return 0;
    case 't':
        options->run.threads = frs_cli_number(state, "--threads", argument, 1, FRS_MAX_THREADS);
        return 0;
    case FRS_KEY_ALLOW_COMMANDS:
        frs_consent_give();
        return 0;
    case FRS_KEY_PLUGIN:
        frs_cli_plugin(argument);
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            argp_error(state, "one scenario file at a time, found %s and %s", options->file, argument);
        name_file(options, argument);
        return 0;
    case ARGP_KEY_END:
        if (!options->file && declares(options))
            options->file = FRS_SCENARIO_NO_FILE;
        if (!options->file)
            argp_error(state,
                "needs a scenario: its file, its name (fedrecsim list scenarios), or - for standard input; "
                "none with --set method.name=declared");
        frs_cli_plugins_of_scenario(options->file, (const char *const *)options->sets, options->n_sets);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp frs_options_argp = {.options = options_of_runs, .parser = parse};
const struct argp frs_options_sweep_argp = {.options = options_of_sweeps, .parser = parse};

void frs_options_fini(struct frs_options *options) {
    for (size_t i = 0; i < options->n_sets; i++)
        free(options->sets[i]);
    free(options->sets);
    free(options->paths[0]);
    free(options->paths[1]);
    free(options->paths[2]);
}

int frs_cli_finish(enum frs_status status, struct frs_errors *errors) {
    frs_errors_print(errors, stderr);
    frs_errors_clear(errors);
    return frs_exit_code(status);
}

struct frs_scenario *frs_options_load(const struct frs_options *options) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    if (frs_scenario_load(frs_sections, options->file, (const char *const *)options->sets, options->n_sets,
            &scenario, &errors) != FRS_OK)
        frs_cli_finish(FRS_ERR_INPUT, &errors);
    return scenario;
}
