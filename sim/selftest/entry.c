#include "sim/selftest/entry.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* A value of a key that has no default; NULL: only the user can know one. */
static char *guess(const struct frs_param *param) {
    double least = param->min == param->max ? 1
                   : param->min > 1         ? param->min
                   : param->max < 1         ? param->max
                                            : 1;
    switch (param->type) {
    case FRS_BOOL:
        return frs_strdup("true");
    case FRS_INT:
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
    for (size_t i = 0; i < values.n; i++) {
        const struct frs_param *param = values.values[i].param;
        char *text = values.values[i].set ? NULL : guess(param);
        if (!values.values[i].set && !text)
            frs_check_impossible(
                check, "its key %s has no default; --set %s=… gives it a value", param->key, param->key);
        if (text)
            set(check, &values, param->key, text);
        free(text);
    }
    return values;
}

void frs_check_keys_read(struct frs_check *check, const char *where, const struct frs_values *values) {
    frs_clause(check, where, "every key of the entry is read");
    for (size_t i = 0; i < values->n; i++)
        FRS_HOLDS(check, values->values[i].read, "%s is not", values->values[i].param->key);
}
