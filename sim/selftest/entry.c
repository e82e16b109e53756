#include "sim/selftest/entry.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char here[] = "sim/base/settings/plugin.h";

/* Letters, digits and underscores, as a scenario writes names. */
static bool is_name(const char *name) {
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return *name != '\0';
}

static size_t count_of(const struct frs_selftest_kind *kind, const char *name) {
    size_t n = 0;
    for (size_t i = 0; kind->entries[i]; i++)
        n += strcmp(kind->entries[i]->name, name) == 0;
    return n;
}

static void check_param(
    struct frs_check *check, const struct frs_param *params, const struct frs_param *param) {
    struct frs_value value = {.param = param};
    char reason[256] = "";
    frs_clause(check, "sim/base/settings/param.h, key", "keys differ, and each has its help");
    FRS_HOLDS(check, is_name(param->key), "a key is \"%s\"", param->key);
    FRS_HOLDS(check, param->help && *param->help, "%s has no help", param->key);
    for (const struct frs_param *other = params; other != param; other++)
        FRS_HOLDS(check, strcmp(other->key, param->key) != 0, "%s is there twice", param->key);
    frs_clause(check, "sim/base/settings/param.h, type", "a key has a type, and a quantity its dimension");
    FRS_HOLDS(check, (unsigned)param->type <= FRS_INTS, "the type of %s is %d", param->key, (int)param->type);
    FRS_HOLDS(check, param->type != FRS_QUANTITY || (unsigned)param->dimension < FRS_DIMENSIONS,
        "the dimension of %s is %d", param->key, (int)param->dimension);
    frs_clause(check, "sim/base/settings/param.h, choices", "a key of choices has some");
    if (param->type == FRS_CHOICE || param->type == FRS_LIST)
        FRS_HOLDS(check, param->choices && param->choices[0], "%s has none", param->key);
    frs_clause(check, "sim/base/settings/param.h, initial", "a default is a text that its key allows");
    if (!param->initial)
        return;
    enum frs_status status = frs_param_parse(param, param->initial, &value, reason, sizeof reason);
    FRS_HOLDS(check, status == FRS_OK, "%s = %s: %s", param->key, param->initial, reason);
    if (frs_type_is_text(param->type))
        free(value.text);
    free(value.by_class);
}

void frs_check_plugin(
    struct frs_check *check, const struct frs_selftest_kind *kind, const struct frs_plugin *plugin) {
    frs_clause(check, here, "the name is one word, and the only one of its kind");
    FRS_HOLDS(check, is_name(plugin->name), "the name is \"%s\"", plugin->name);
    FRS_HOLDS(check, count_of(kind, plugin->name) <= 1, "%zu entries are called %s",
        count_of(kind, plugin->name), plugin->name);
    frs_clause(check, here, "the summary is one line");
    FRS_HOLDS(check, *plugin->summary && !strchr(plugin->summary, '\n'), "it is \"%s\"", plugin->summary);
    frs_clause(check, here, "the source, where there is one, says where it comes from");
    FRS_HOLDS(check, !plugin->source || *plugin->source, "it is empty");
    for (const struct frs_param *p = plugin->params; p && p->key; p++)
        check_param(check, plugin->params, p);
}

bool frs_has_key(const struct frs_plugin *plugin, const char *key) {
    for (const struct frs_param *p = plugin->params; p && p->key; p++)
        if (strcmp(p->key, key) == 0)
            return true;
    return false;
}

/* A value of the n-th key that has no default, larger than those before; NULL: only the user can know one. */
static char *guess(const struct frs_param *param, size_t n) {
    double usual = (param->type == FRS_QUANTITY && param->dimension == FRS_TIME ? 20 : 1) * (double)n;
    double least = param->min == param->max ? usual : fmin(fmax(usual, param->min), param->max);
    switch (param->type) {
    case FRS_BOOL:
        return frs_strdup("true");
    case FRS_INT:
    case FRS_INTS:
    case FRS_REAL:
        return frs_format("%.17g", least);
    case FRS_QUANTITY: {
        char text[64];
        return frs_strdup(frs_units_format(least, param->dimension, text, sizeof text));
    }
    case FRS_CHOICE:
    case FRS_LIST:
        return frs_strdup(param->choices[0]);
    case FRS_SHARE:
        return frs_strdup("50 %");
    case FRS_TEXT:
    case FRS_TEXTS:
        break;
    }
    return NULL;
}

static void set(struct frs_check *check, struct frs_values *values, const char *key, const char *text) {
    struct frs_value *value = frs_values_find(values, key);
    char reason[256];
    if (!value)
        frs_check_impossible(check, "it has no key %s", key);
    if (frs_value_set(value, text, reason, sizeof reason) != FRS_OK)
        frs_check_impossible(check, "%s = %s: %s", key, text, reason);
    value->given = true;
}

struct frs_values frs_trial_values(
    struct frs_check *check, const struct frs_plugin *plugin, const char *const *settings) {
    struct frs_values values = frs_values_of(plugin->params, NULL);
    for (size_t i = 0; settings && settings[i]; i += 2)
        set(check, &values, settings[i], settings[i + 1]);
    for (size_t i = 0; plugin == check->plugin && check->settings && check->settings[i]; i += 2)
        set(check, &values, check->settings[i], check->settings[i + 1]);
    for (size_t i = 0, n = 0; i < values.n; i++) {
        const struct frs_param *param = values.values[i].param;
        char *text = values.values[i].set ? NULL : guess(param, ++n);
        if (!values.values[i].set && !text)
            frs_check_impossible(
                check, "its key %s has no default; --set %s=… gives it a value", param->key, param->key);
        if (text)
            set(check, &values, param->key, text);
        free(text);
    }
    return values;
}

char *frs_trial_file(struct frs_check *check, const char *text) {
    char *path = frs_strdup("/tmp/fedrecsim-selftest-XXXXXX");
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        frs_check_impossible(check, "%s cannot be written", path);
    return path;
}

/* ---- keys that are read ----------------------------------------------------------------------- */

enum { MOST_KEYS = 64 };

struct reading {
    struct frs_check *check;
    const struct frs_plugin *plugin;
    const struct frs_key_reader *reader;
    bool is_read[MOST_KEYS];
};

/* Marks the keys that are read with this setting; key NULL: by default. */
static void read_with(struct reading *reading, const char *key, const char *text) {
    const char *const settings[] = {key, text, NULL};
    struct frs_values values = frs_trial_values(reading->check, reading->plugin, settings);
    reading->reader->read(reading->reader->context, &values);
    for (size_t i = 0; i < values.n && i < MOST_KEYS; i++)
        reading->is_read[i] |= values.values[i].read;
    frs_values_fini(&values);
}

/* Other values of a key: each choice, and what is on where the default is off. */
static void read_with_others(struct reading *reading, const struct frs_param *param) {
    bool is_off = param->initial && strtod(param->initial, NULL) == 0;
    for (size_t i = 0; param->type == FRS_CHOICE && param->choices[i]; i++)
        read_with(reading, param->key, param->choices[i]);
    if (param->type == FRS_BOOL) {
        read_with(reading, param->key, "true");
        read_with(reading, param->key, "false");
    } else if (param->type == FRS_REAL && is_off && (param->min == param->max || param->max >= 0.5)) {
        read_with(reading, param->key, "0.5");
    } else if (is_off &&
               (param->type == FRS_INT || param->type == FRS_QUANTITY || param->type == FRS_SHARE)) {
        char *text = guess(param, 1);
        read_with(reading, param->key, text);
        free(text);
    }
}

void frs_check_keys(
    struct frs_check *check, const struct frs_plugin *plugin, const struct frs_key_reader *reader) {
    struct reading reading = {.check = check, .plugin = plugin, .reader = reader};
    const struct frs_param *params = plugin->params;
    frs_clause(check, reader->where, "every key is read, under some setting of the others");
    read_with(&reading, NULL, NULL);
    if (reader->file && frs_has_key(plugin, "file")) {
        char *path = frs_trial_file(check, reader->file);
        read_with(&reading, "file", path);
        unlink(path);
        free(path);
    }
    for (const struct frs_param *p = params; p && p->key; p++)
        read_with_others(&reading, p);
    for (size_t i = 0; params && params[i].key && i < MOST_KEYS; i++) {
        bool by_run = reader->is_the_runs && reader->is_the_runs(reader->context, params[i].key);
        FRS_HOLDS(check, reading.is_read[i] || by_run, "%s is not", params[i].key);
        FRS_HOLDS(check, !reading.is_read[i] || !by_run, "%s is read by the entry, and is the run's",
            params[i].key);
    }
}
