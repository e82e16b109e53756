/* fedrecsim selftest: whether plug-ins keep to the contract of their headers. */
#include "sim/selftest/selftest.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/external/external.h"
#include "sim/plugins/plugins.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SET = 256, KEY_LIMIT, MOST_LIMIT_S = 1000000, MOST_KINDS = 32, MOST_NAMES = 256 };

struct selftest_options {
    const char *kind, *name;
    bool json, has_plugins;
    unsigned most_s;                  /* 0: as a rule */
    const struct frs_plugin *program; /* that --set command names, in place of `external`; NULL: none */
    const char **settings;            /* pairs ended by NULL */
    size_t n_settings, capacity;
};

static const struct argp_option options_table[] = {
    {"set", KEY_SET, "KEY=VALUE", 0,
        "Check the entry with this setting of its own key; repeatable, needs KIND and NAME", 0},
    {"limit", KEY_LIMIT, "TIME", 0,
        "Real time that each entry may take (default: 2 min; 20 min for a program behind learner external)",
        0},
    FRS_JSON_OPTION(0),
    FRS_PLUGIN_ARGP,
    FRS_CONSENT_ARGP,
    {0},
};

/* "key=value": two texts. */
static void add_setting(struct selftest_options *options, struct argp_state *state, char *argument) {
    char *equals = strchr(argument, '=');
    if (!equals || equals == argument)
        argp_error(state, "--set: \"%s\" is no KEY=VALUE", argument);
    *equals = '\0';
    options->settings =
        frs_grow(options->settings, options->n_settings + 3, &options->capacity, sizeof *options->settings);
    options->settings[options->n_settings++] = argument;
    options->settings[options->n_settings++] = equals + 1;
    options->settings[options->n_settings] = NULL;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct selftest_options *options = state->input;
    double limit_s;
    switch (key) {
    case KEY_SET:
        add_setting(options, state, argument);
        return 0;
    case KEY_LIMIT:
        if (frs_units_parse(argument, FRS_TIME, &limit_s) != FRS_OK ||
            !(limit_s >= 1 && limit_s <= MOST_LIMIT_S))
            argp_error(
                state, "--limit %s: allowed: a time with its unit, from 1 s to %d s", argument, MOST_LIMIT_S);
        options->most_s = (unsigned)ceil(limit_s);
        return 0;
    case FRS_KEY_ALLOW_COMMANDS:
        frs_consent_give();
        return 0;
    case FRS_KEY_JSON:
        options->json = true;
        return 0;
    case FRS_KEY_PLUGIN:
        frs_cli_plugin(argument);
        options->has_plugins = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->name)
            argp_error(state, "one KIND and one NAME at most, found %s", argument);
        *(options->kind ? &options->name : &options->kind) = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->n_settings > 0 && !options->name)
            argp_error(state, "--set needs KIND and NAME");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- which entries ---------------------------------------------------------------------------- */

/* With --plugin those of plug-ins, unless one is named. */
static bool is_wanted(const struct selftest_options *options, const struct frs_selftest_kind *kind,
    const struct frs_plugin *plugin) {
    return (!options->kind || strcmp(kind->kind, options->kind) == 0) &&
           (options->name ? strcmp(plugin->name, options->name) == 0
                          : !options->has_plugins || frs_plugins_of(plugin));
}

static enum frs_status refuse(
    const char *what, const char *name, const char *const *names, struct frs_errors *errors) {
    const char *nearest = frs_text_nearest(name, names);
    char line[80];
    return frs_errors_add(errors, FRS_ERR_INPUT, "selftest: there is no %s \"%s\"%s%s%s", what,
        frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "");
}

static enum frs_status find(const struct selftest_options *options, struct frs_errors *errors) {
    const char *names[MOST_NAMES + 1] = {NULL};
    if (!options->kind)
        return FRS_OK;
    const struct frs_selftest_kind *kind = frs_selftest_kind(options->kind);
    if (!kind) {
        for (size_t i = 0; i < MOST_NAMES && frs_selftest_kinds[i].kind; i++)
            names[i] = frs_selftest_kinds[i].kind;
        return refuse("kind", options->kind, names, errors);
    }
    const struct frs_plugin *const *entries = frs_selftest_entries(kind);
    bool found = false;
    for (size_t i = 0; entries[i]; i++) {
        found |= is_wanted(options, kind, entries[i]);
        if (i < MOST_NAMES)
            names[i] = entries[i]->name;
    }
    if (!found && !options->name)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "selftest: no plug-in that was loaded has a %s", kind->kind);
    return found ? FRS_OK : refuse(kind->kind, options->name, names, errors);
}

static bool is_allowed(
    const struct frs_plugin *plugin, const char *key, const char *text, struct frs_errors *errors) {
    char reason[256], line[80];
    for (const struct frs_param *param = plugin->params; param && param->key; param++) {
        if (strcmp(param->key, key) != 0)
            continue;
        struct frs_values values = frs_values_of(NULL, NULL);
        frs_values_add(&values, param);
        bool allowed = frs_value_set(frs_values_find(&values, key), text, reason, sizeof reason) == FRS_OK;
        if (!allowed)
            frs_errors_add(errors, FRS_ERR_INPUT, "selftest: --set %s: %s", key, reason);
        frs_values_fini(&values);
        return allowed;
    }
    frs_errors_add(errors, FRS_ERR_INPUT, "selftest: --set: %s has no key \"%s\"", plugin->name,
        frs_text_line(key, line, sizeof line));
    return false;
}

/* With --set command=PROGRAM the learner `external` is that program. */
static enum frs_status find_program(struct selftest_options *options, struct frs_errors *errors) {
    char why[1024];
    if (!options->name || strcmp(options->kind, "learner") != 0 || strcmp(options->name, "external") != 0)
        return FRS_OK;
    for (size_t s = 0; s < options->n_settings; s += 2) {
        if (strcmp(options->settings[s], "command") != 0)
            continue;
        options->program = frs_external_plugin(options->settings[s + 1], why, sizeof why);
        if (!options->program)
            return frs_errors_add(errors, FRS_ERR_INPUT, "selftest: --set command: %s", why);
    }
    return FRS_OK;
}

/* Every --set is a key of the one entry, with a value that it allows. */
static enum frs_status check_settings(const struct selftest_options *options, struct frs_errors *errors) {
    const struct frs_selftest_kind *kind = options->n_settings > 0 ? frs_selftest_kind(options->kind) : NULL;
    const struct frs_plugin *const *entries = kind ? frs_selftest_entries(kind) : NULL;
    bool allowed = true;
    for (size_t i = 0; entries && entries[i]; i++)
        if (strcmp(entries[i]->name, options->name) == 0)
            for (size_t s = 0; s < options->n_settings; s += 2)
                allowed &= is_allowed(options->program ? options->program : entries[i], options->settings[s],
                    options->settings[s + 1], errors);
    return allowed ? FRS_OK : FRS_ERR_INPUT;
}

/* ---- results ---------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *text) {
    return text && *text ? json_string(text) : json_null();
}

static json_t *entry_json(const struct frs_selftest_kind *kind, const struct frs_plugin *plugin,
    const struct frs_selftest_result *result) {
    json_t *entry = json_object();
    char *text = frs_quoted_line(result->text);
    frs_json_set(entry, "kind", json_string(kind->kind));
    frs_json_set(entry, "name", json_string(plugin->name));
    const struct frs_loaded_plugin *loaded = frs_plugins_of(plugin);
    frs_json_set(entry, "plugin", loaded ? json_string(loaded->path) : json_null());
    frs_json_set(entry, "outcome", json_string(frs_selftest_outcome_name(result->outcome)));
    frs_json_set(entry, "clauses", json_integer((json_int_t)result->n_clauses));
    frs_json_set(entry, "checks", json_integer((json_int_t)result->n_checks));
    frs_json_set(entry, "clause", text_or_null(result->clause));
    frs_json_set(entry, "where", text_or_null(result->where));
    frs_json_set(entry, "seen", text_or_null(text));
    frs_json_set(entry, "note", text_or_null(result->note));
    free(text);
    return entry;
}

static void print_entry(const struct frs_selftest_kind *kind, const struct frs_plugin *plugin,
    const struct frs_selftest_result *result) {
    char *line = frs_selftest_line(result);
    frs_print_line(stdout, "%-13s %-15s %s", kind->kind, plugin->name, line);
    fflush(stdout);
    free(line);
}

/* Whether all entries that are wanted keep to their contract. What an entry printed is for stderr. */
static bool check_all(const struct selftest_options *options, json_t *entries) {
    bool kept = true;
    for (const struct frs_selftest_kind *kind = frs_selftest_kinds; kind->kind; kind++) {
        const struct frs_plugin *const *all = frs_selftest_entries(kind);
        for (size_t i = 0; all[i]; i++) {
            const struct frs_plugin *plugin = all[i];
            if (!is_wanted(options, kind, plugin))
                continue;
            if (options->program)
                plugin = options->program;
            unsigned most_s = options->most_s    ? options->most_s
                              : options->program ? FRS_SELFTEST_MOST_PROGRAM_S
                                                 : FRS_SELFTEST_MOST_S;
            struct frs_selftest_result result = frs_selftest_run(kind, plugin, options->settings, most_s);
            fputs(result.printed, stderr);
            if (entries)
                json_array_append_new(entries, entry_json(kind, plugin, &result));
            else
                print_entry(kind, plugin, &result);
            kept &= result.outcome == FRS_SELFTEST_KEPT;
            frs_selftest_result_fini(&result);
        }
    }
    return kept;
}

static enum frs_status selftest(struct selftest_options *options, struct frs_errors *errors) {
    enum frs_status status = find(options, errors);
    if (status == FRS_OK)
        status = find_program(options, errors);
    if (status == FRS_OK)
        status = check_settings(options, errors);
    if (status != FRS_OK)
        return status;
    json_t *object = options->json ? frs_cli_json("fedrecsim-selftest-1") : NULL;
    json_t *entries = object ? json_array() : NULL;
    bool kept = check_all(options, entries);
    if (object) {
        frs_json_set(object, "kept", json_boolean(kept));
        frs_json_set(object, "entries", entries);
        frs_cli_json_print(object);
    }
    return kept ? FRS_OK : FRS_ERR_RUN;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[KIND [NAME]]",
        "Checks whether plug-ins keep to the contract that their headers state: all of them, those of a KIND "
        "(as in "
        "`fedrecsim list`), one, or with --plugin those that the object brings. Prints one line for each: "
        "how many checks "
        "it has passed, or which clause it has broken, with which values, and the header that states it. "
        "Ends with 1 "
        "where a plug-in breaks a clause, crashes or cannot be checked.",
        NULL, NULL, NULL};
    struct selftest_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    int code = frs_cli_finish(selftest(&options, &errors), &errors);
    free(options.settings);
    return code;
}

const struct frs_command frs_command_selftest = {
    .name = "selftest",
    .usage = "selftest [KIND [NAME]] [--plugin FILE]... [--set KEY=VALUE]... [--limit TIME] [--json]",
    .summary = "whether plug-ins keep to their contract",
    .run = run,
};
