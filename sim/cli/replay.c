/* fedrecsim replay: a run once more, or those of a bundle, compared with what is there. */
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/threads/processors.h"
#include "sim/base/threads/scratch.h"
#include "sim/bundle/bundle.h"
#include "sim/bundle/found_files.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/output/exit_codes.h"
#include "sim/cli/replay_jobs.h"
#include "sim/cli/replay_place.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/plugins/recorded.h"
#include "sim/ledger/compare.h"
#include "sim/sweep/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct replay_options {
    const char *directory, *out, *data;
    size_t threads, jobs;
    bool resume;
    bool keeps; /* checkpoints: of a bundle with several runs, in a folder that stays */
};

enum { KEY_DATA = 256, MAX_JOBS = 1024 };

static const struct argp_option options_table[] = {
    {"data", KEY_DATA, "DIR", 0, "Look for the data there as well, by their names and digests", 1},
    {"out", 'o', "DIR", 0, "Keep the new run there; a sweep with its plan, as collect takes it", 1},
    {"resume", 'R', NULL, 0, "Go on with what an interrupted replay has left in the folder of --out", 1},
    {"jobs", 'j', "N", 0, "Runs of a bundle to repeat at the same time (default: as many as there are cores)",
        1},
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
    case KEY_DATA:
        if (!*argument)
            argp_error(state, "--data: needs the name of a folder");
        options->data = argument;
        return 0;
    case 'R':
        options->resume = true;
        return 0;
    case 'j':
        options->jobs = frs_cli_number(state, "--jobs", argument, 1, MAX_JOBS);
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
            argp_error(state, "needs a run directory or a bundle");
        if (options->resume && !options->out)
            argp_error(state, "--resume needs --out DIR, where the interrupted replay has left its runs");
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

/* What is to be repeated: the run in a folder, or one of a bundle. */
struct past {
    const char *where; /* folder, or bundle; begins messages */
    json_t *manifest, *summary;
    const json_t *results;              /* of a bundle; NULL: the folder has the files */
    const struct frs_found_files *here; /* where its files lie */
};

/* Rounds that an interrupt has left out would all be differences. */
static enum frs_status check_status(const struct past *past, struct frs_errors *errors) {
    const char *status = json_string_value(json_object_get(past->summary, "status"));
    if (!status || strcmp(status, "interrupted") == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: was interrupted; only runs that came to their end can be replayed", past->where);
    return FRS_OK;
}

/* Another version may give other figures, as the change log says. */
static const char *other_version(const struct past *past) {
    const char *version = json_string_value(json_object_get(past->manifest, "version"));
    return version && strcmp(version, FRS_VERSION) == 0 ? NULL : version ? version : "(not known)";
}

static void put_files(const struct past *past, struct frs_scenario *scenario) {
    const char *key;
    json_t *file;
    json_object_foreach(json_object_get(past->manifest, "files"), key, file) {
        const char *path = json_string_value(json_object_get(file, "path")),
                   *digest = json_string_value(json_object_get(file, "digest")),
                   *here = path && digest ? frs_found_files_get(past->here, path, digest) : NULL;
        if (here)
            frs_scenario_put_file(scenario, key, here);
    }
}

static enum frs_status load_scenario(
    const struct past *past, struct frs_scenario **scenario, struct frs_errors *errors) {
    json_t *all = json_object_get(past->manifest, "scenario"), *value;
    struct frs_setting *settings = frs_alloc(json_object_size(all) + 1, sizeof *settings);
    size_t n = 0;
    const char *key;
    char *where = past->results ? frs_strdup(past->where) : frs_format("%s/manifest.json", past->where);
    *scenario = NULL;
    json_object_foreach(all, key, value) {
        if (json_is_string(value))
            settings[n++] = (struct frs_setting){key, json_string_value(value)};
    }
    enum frs_status status =
        n > 0 ? frs_scenario_load_settings(frs_sections, where, settings, n, scenario, errors)
              : frs_errors_add(errors, FRS_ERR_INPUT, "%s: holds no scenario", where);
    if (status == FRS_OK)
        put_files(past, *scenario);
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

/* Says whether the run is repeated, after the lines for its files. */
static void say_verdict(const struct past *past, const struct frs_comparison *comparison) {
    const char *other = other_version(past);
    if (comparison->differing)
        frs_print_line(stdout, "not repeated: %zu of %zu files differ%s%s%s%s%s", comparison->differing,
            comparison->files, comparison->differing == 1 ? "s" : "", other ? "; the run is of version " : "",
            other ? other : "", other ? ", this program of " : "", other ? FRS_VERSION : "");
    else
        frs_print_line(stdout, "repeated: all %zu files are identical", comparison->files);
}

/* A stranded run is written as well, and fails again. */
static enum frs_status run_again(const struct frs_scenario *scenario, const struct replay_options *options,
    const struct past *past, const char *out, bool *same, struct frs_errors *errors) {
    struct frs_errors said = {0};
    struct frs_run_options run = {.out = out,
        .threads = options->threads,
        .quiet = true,
        .once = !options->keeps,
        .resume = options->resume,
        .what_ifs = past->results ? json_object_get(past->results, "what_if.json") != NULL
                                  : has_file(past->where, "what_if.json")};
    const struct frs_bundled_run bundled = {past->manifest, past->summary, past->results};
    struct frs_comparison comparison = {0};
    enum frs_status status = frs_run(scenario, &run, &said);
    if (status == FRS_OK || (status == FRS_ERR_RUN && has_file(out, "manifest.json"))) {
        status = past->results ? frs_run_bundled_compare(&bundled, out, &comparison, stdout, errors)
                               : frs_run_directories_compare(past->where, out, &comparison, stdout, errors);
        if (status == FRS_OK)
            say_verdict(past, &comparison);
    } else if (status != FRS_INTERRUPTED) { /* replay() says how to go on */
        for (size_t i = 0; i < said.n; i++)
            frs_errors_add(errors, status, "%s", said.lines[i]);
    }
    *same = status == FRS_OK && comparison.differing == 0;
    frs_errors_clear(&said);
    return status;
}

/* In a folder that is gone afterwards. */
static enum frs_status run_in_scratch(const struct frs_scenario *scenario,
    const struct replay_options *options, const struct past *past, bool *same, struct frs_errors *errors) {
    char *scratch = frs_scratch_create(errors);
    if (!scratch)
        return FRS_ERR_RUN;
    char *out = frs_format("%s/run", scratch);
    enum frs_status status = run_again(scenario, options, past, out, same, errors);
    free(out);
    frs_scratch_remove(scratch);
    return status;
}

static enum frs_status replay_past(const struct replay_options *options, const struct past *past,
    const char *out, bool *same, struct frs_errors *errors) {
    struct frs_scenario *scenario = NULL;
    enum frs_status status = check_status(past, errors);
    if (status == FRS_OK)
        status =
            frs_plugins_recall_of_manifest(json_object_get(past->manifest, "files"), past->where, errors);
    if (status == FRS_OK)
        status = load_scenario(past, &scenario, errors);
    if (status == FRS_OK && json_is_false(json_object_get(past->manifest, "deterministic")))
        puts(json_object_get(past->manifest, "emulation")
                 ? "This run went over the kernel's TCP, and is compared with its simulation: times differ."
                 : "This run measured the CPU time of its training: times differ from run to run.");
    if (status == FRS_OK)
        status = out ? run_again(scenario, options, past, out, same, errors)
                     : run_in_scratch(scenario, options, past, same, errors);
    frs_scenario_destroy(scenario);
    return status;
}

/* The files of a folder's run are looked for elsewhere only on request: otherwise the run that follows says
 * how they differ. */
static enum frs_status replay_folder(
    const struct replay_options *options, bool *same, struct frs_errors *errors) {
    const struct frs_places_of_files places = {.folder = options->data};
    struct frs_found_files here = {0};
    struct past past = {.where = options->directory, .here = &here};
    past.manifest = load_json(options->directory, "manifest.json", errors);
    past.summary = past.manifest ? load_json(options->directory, "summary.json", errors) : NULL;
    enum frs_status status = past.summary ? FRS_OK : FRS_ERR_INPUT;
    if (status == FRS_OK && options->data)
        status = frs_found_files_look(&here, past.manifest, &places, past.where, errors);
    if (status == FRS_OK)
        status = replay_past(options, &past, options->out, same, errors);
    json_decref(past.manifest);
    json_decref(past.summary);
    frs_found_files_fini(&here);
    return status;
}

static struct past past_of(
    const struct replay_options *options, const json_t *run, const struct frs_found_files *here) {
    return (struct past){options->directory, json_object_get(run, "manifest"),
        json_object_get(run, "summary"), json_object_get(run, "results"), here};
}

/* What the processes of a bundle's runs read. */
struct bundle_replay {
    const struct replay_options *options;
    const struct frs_bundle *bundle;
    const struct frs_found_files *here;
};

static const char *name_of(const void *context, size_t run) {
    const struct bundle_replay *replay = context;
    return json_string_value(json_object_get(json_array_get(replay->bundle->runs, run), "name"));
}

static int replay_one(void *context, size_t run) {
    const struct bundle_replay *replay = context;
    struct past past = past_of(replay->options, json_array_get(replay->bundle->runs, run), replay->here);
    struct frs_errors errors = {0};
    bool same = false;
    char *out = replay->options->out ? frs_folder_point(replay->options->out, run) : NULL;
    enum frs_status status = replay_past(replay->options, &past, out, &same, &errors);
    free(out);
    return frs_cli_finish(status == FRS_OK && !same ? FRS_ERR_RUN : status, &errors);
}

static enum frs_status tell_runs(const int *codes, size_t n, bool *same) {
    size_t differing = 0;
    for (size_t i = 0; i < n; i++)
        differing += codes[i] == 1;
    *same = differing == 0;
    for (size_t i = 0; i < n; i++)
        if (codes[i] < 0 || codes[i] > 1)
            return codes[i] == FRS_EXIT_INPUT ? FRS_ERR_INPUT : FRS_ERR_RUN;
    if (*same)
        frs_print_line(stdout, "repeated: all %zu runs are identical", n);
    else
        frs_print_line(
            stdout, "not repeated: %zu of %zu runs differ%s", differing, n, differing == 1 ? "s" : "");
    return FRS_OK;
}

static enum frs_status replay_runs(const struct replay_options *options, const struct frs_bundle *bundle,
    const struct frs_found_files *here, bool held, bool *same, struct frs_errors *errors) {
    size_t n = json_array_size(bundle->runs), asked = options->jobs ? options->jobs : frs_processors(),
           n_jobs = asked < n ? asked : n, share = frs_processors() / n_jobs;
    const json_t *plan = json_object_get(bundle->root, "plan");
    struct replay_options of_one = *options;
    of_one.keeps = options->out != NULL;
    of_one.threads = options->threads ? options->threads : share > 0 ? share : 1;
    struct bundle_replay replay = {&of_one, bundle, here};
    const struct frs_replay_jobs jobs = {n, n_jobs, &replay, name_of, replay_one};
    int *codes = frs_alloc(n, sizeof *codes);
    enum frs_status status = FRS_OK;
    if (plan && options->out && !held)
        status = frs_replay_place_open(plan, options->out, errors);
    if (status == FRS_OK)
        status = frs_replay_jobs_run(&jobs, codes, errors);
    if (status == FRS_OK)
        status = tell_runs(codes, n, same);
    if (status == FRS_ERR_INPUT && plan && options->out && !held)
        frs_replay_place_discard(options->out);
    free(codes);
    return status;
}

/* Finds the files of all runs before the first one begins. */
static enum frs_status find_files(const struct replay_options *options, const struct frs_bundle *bundle,
    struct frs_found_files *here, struct frs_errors *errors) {
    const struct frs_places_of_files places = {bundle->data, options->data};
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < json_array_size(bundle->runs) && status == FRS_OK; i++) {
        const json_t *manifest = json_object_get(json_array_get(bundle->runs, i), "manifest");
        status = frs_found_files_look(here, manifest, &places, options->directory, errors);
    }
    return status;
}

static enum frs_status replay_bundle(
    const struct replay_options *options, bool *same, struct frs_errors *errors) {
    struct frs_bundle bundle;
    struct frs_found_files here = {0};
    bool held = false;
    enum frs_status status = frs_bundle_read(options->directory, &bundle, errors);
    if (status == FRS_OK && options->out)
        status =
            frs_replay_place_check(&bundle, options->directory, options->out, options->resume, &held, errors);
    if (status == FRS_OK)
        status = find_files(options, &bundle, &here, errors);
    if (status == FRS_OK) {
        struct past first = past_of(options, json_array_get(bundle.runs, 0), &here);
        const char *other = other_version(&first);
        if (other)
            frs_print_line(stdout,
                "This bundle is of version %s, and this program of version " FRS_VERSION
                ": figures differ where the change log says so.",
                other);
        status = json_object_get(bundle.root, "plan") || json_array_size(bundle.runs) > 1
                     ? replay_runs(options, &bundle, &here, held, same, errors)
                     : replay_past(options, &first, options->out, same, errors);
    }
    frs_found_files_fini(&here);
    frs_bundle_fini(&bundle);
    return status;
}

static enum frs_status replay(const struct replay_options *options, struct frs_errors *errors) {
    bool same = false;
    struct stat what;
    enum frs_status status = stat(options->directory, &what) == 0 && !S_ISDIR(what.st_mode)
                                 ? replay_bundle(options, &same, errors)
                                 : replay_folder(options, &same, errors);
    if (status == FRS_INTERRUPTED)
        frs_errors_add(errors, status, "interrupted; %s",
            options->out ? "the same command with --resume goes on, with the first run that is not finished"
                         : "nothing is kept: only a replay with --out DIR can go on, with --resume");
    return status == FRS_OK && !same ? FRS_ERR_RUN : status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "DIR|BUNDLE",
        "Runs again what is in a run directory or in a bundle, from the manifest, and compares every file.\v"
        "The files that a run has read are known by their digests. Those of a bundle may lie elsewhere: they "
        "are "
        "looked for at the path of the run, below --data and below $FEDRECSIM_DATA. "
        "Exit codes: 0 all the same, 1 something differs or the run failed, 2 bad input, 130 interrupted.",
        NULL, NULL, NULL};
    struct replay_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    return frs_cli_finish(replay(&options, &errors), &errors);
}

const struct frs_command frs_command_replay = {
    .name = "replay",
    .usage =
        "replay DIR|BUNDLE [--data DIR] [--out DIR [--resume]] [--jobs N] [--threads N] [--plugin FILE]...",
    .summary = "run a run directory or a bundle again, and compare",
    .run = run,
};
