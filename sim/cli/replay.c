/* fedrecsim replay: a run once more, compared with what is there. */
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/threads/scratch.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/plugins/recorded.h"
#include "sim/ledger/compare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct replay_options {
    const char *directory, *out;
    size_t threads;
};

static const struct argp_option options_table[] = {
    {"out", 'o', "DIR", 0, "Keep the new run there", 1},
    {"threads", 't', "N", 0, "Threads to compute with (default: all cores); results do not depend on it", 1},
    FRS_CONSENT_ARGP,
    FRS_PLUGIN_ARGP,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct replay_options *options = state->input;
    switch (key) {
    case 'o':
        if (!*argument)
            argp_error(state, "--out: needs the name of a folder");
        options->out = argument;
        return 0;
    case 't':
        options->threads = frs_cli_number(state, "--threads", argument, 1, FRS_MAX_THREADS);
        return 0;
    case FRS_KEY_ALLOW_COMMANDS:
        frs_consent_give();
        return 0;
    case FRS_KEY_PLUGIN:
        frs_cli_plugin(argument);
        return 0;
    case ARGP_KEY_ARG:
        if (options->directory)
            argp_error(state, "one run directory at a time, found %s and %s", options->directory, argument);
        options->directory = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->directory)
            argp_error(state, "needs a run directory");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static json_t *load_json(const char *directory, const char *name, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", directory, name);
    json_t *root = NULL;
    if (access(path, R_OK) == 0)
        root = frs_json_read(path, errors);
    else
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: is no run directory: %s cannot be read", directory, name);
    free(path);
    return root;
}

/* Rounds that an interrupt has left out would all be differences. */
static enum frs_status check_status(const char *directory, struct frs_errors *errors) {
    json_t *summary = load_json(directory, "summary.json", errors);
    if (!summary)
        return FRS_ERR_INPUT;
    const char *status = json_string_value(json_object_get(summary, "status"));
    enum frs_status result = FRS_OK;
    if (!status || strcmp(status, "interrupted") == 0)
        result = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: was interrupted; only runs that came to their end can be replayed", directory);
    json_decref(summary);
    return result;
}

static enum frs_status load_scenario(const char *directory, const json_t *manifest,
    struct frs_scenario **scenario, struct frs_errors *errors) {
    json_t *all = json_object_get(manifest, "scenario"), *value;
    struct frs_setting *settings = frs_alloc(json_object_size(all) + 1, sizeof *settings);
    size_t n = 0;
    const char *key;
    char *where = frs_format("%s/manifest.json", directory);
    *scenario = NULL;
    json_object_foreach(all, key, value) {
        if (json_is_string(value))
            settings[n++] = (struct frs_setting){key, json_string_value(value)};
    }
    enum frs_status status =
        n > 0 ? frs_scenario_load_settings(frs_sections, where, settings, n, scenario, errors)
              : frs_errors_add(errors, FRS_ERR_INPUT, "%s: holds no scenario", where);
    free(where);
    free(settings);
    return status;
}

static bool has_file(const char *directory, const char *name) {
    char *path = frs_format("%s/%s", directory, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* A stranded run is written as well, and fails again. */
static enum frs_status run_again(const struct frs_scenario *scenario, const struct replay_options *options,
    const char *out, bool *same, struct frs_errors *errors) {
    struct frs_errors said = {0};
    struct frs_run_options run = {.out = out,
        .threads = options->threads,
        .quiet = true,
        .what_ifs = has_file(options->directory, "what_if.json")};
    enum frs_status status = frs_run(scenario, &run, &said);
    if (status == FRS_OK || (status == FRS_ERR_RUN && has_file(out, "manifest.json")))
        status = frs_run_directories_compare(options->directory, out, same, stdout, errors);
    else
        for (size_t i = 0; i < said.n; i++)
            frs_errors_add(errors, status, "%s", said.lines[i]);
    frs_errors_clear(&said);
    return status;
}

/* In a folder that is gone afterwards. */
static enum frs_status run_in_scratch(const struct frs_scenario *scenario,
    const struct replay_options *options, bool *same, struct frs_errors *errors) {
    char *scratch = frs_scratch_create(errors);
    if (!scratch)
        return FRS_ERR_RUN;
    char *out = frs_format("%s/run", scratch);
    enum frs_status status = run_again(scenario, options, out, same, errors);
    free(out);
    frs_scratch_remove(scratch);
    return status;
}

static enum frs_status replay(const struct replay_options *options, struct frs_errors *errors) {
    struct frs_scenario *scenario = NULL;
    bool same = false;
    json_t *manifest = load_json(options->directory, "manifest.json", errors);
    enum frs_status status = manifest ? check_status(options->directory, errors) : FRS_ERR_INPUT;
    if (status == FRS_OK)
        status =
            frs_plugins_recall_of_manifest(json_object_get(manifest, "files"), options->directory, errors);
    if (status == FRS_OK)
        status = load_scenario(options->directory, manifest, &scenario, errors);
    if (status == FRS_OK && json_is_false(json_object_get(manifest, "deterministic")))
        puts(json_object_get(manifest, "emulation")
                 ? "This run went over the kernel's TCP, and is compared with its simulation: times differ."
                 : "This run measured the CPU time of its training: times differ from run to run.");
    if (status == FRS_OK)
        status = options->out ? run_again(scenario, options, options->out, &same, errors)
                              : run_in_scratch(scenario, options, &same, errors);
    frs_scenario_destroy(scenario);
    json_decref(manifest);
    return status == FRS_OK && !same ? FRS_ERR_RUN : status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "DIR",
        "Runs again what is in a run directory, from its manifest, and compares every file.\v"
        "Exit codes: 0 all the same, 1 something differs or the run failed, 2 bad input, 130 interrupted.",
        NULL, NULL, NULL};
    struct replay_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    return frs_cli_finish(replay(&options, &errors), &errors);
}

const struct frs_command frs_command_replay = {
    .name = "replay",
    .usage = "replay DIR [--out DIR] [--threads N] [--plugin FILE]...",
    .summary = "run again what a run directory holds, and compare",
    .run = run,
};
