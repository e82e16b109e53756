#include "sim/base/settings/params.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum frs_status frs_value_set(struct frs_value *value, const char *text, char *reason, size_t size) {
    char *old = frs_type_is_text(value->param->type) ? value->text : NULL, *old_classes = value->by_class;
    value->by_class = NULL;
    enum frs_status status = frs_param_parse(value->param, text, value, reason, size);
    if (status != FRS_OK) {
        value->by_class = old_classes;
        return status;
    }
    free(old);
    free(old_classes);
    free(value->path);
    value->path = NULL;
    value->set = true;
    return FRS_OK;
}

void frs_values_add(struct frs_values *values, const struct frs_param *param) {
    FRS_INVARIANT(
        !frs_values_find(values, param->key), "key %s.%s is described twice", values->section, param->key);
    struct frs_value value = {.param = param};
    if (param->initial) {
        char reason[1024];
        if (frs_value_set(&value, param->initial, reason, sizeof reason) != FRS_OK)
            frs_panic(__FILE__, __LINE__, "default of %s: %s", param->key, reason);
    }
    values->values = frs_grow(values->values, values->n + 1, &values->capacity, sizeof value);
    values->values[values->n++] = value;
}

struct frs_value *frs_values_find(const struct frs_values *values, const char *key) {
    for (size_t i = 0; i < values->n; i++)
        if (strcmp(values->values[i].param->key, key) == 0)
            return &values->values[i];
    return NULL;
}

void frs_values_fini(struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++) {
        if (frs_type_is_text(values->values[i].param->type))
            free(values->values[i].text);
        free(values->values[i].by_class);
        free(values->values[i].path);
        free(values->values[i].said);
        free(values->values[i].where);
        free(values->values[i].idle);
    }
    free(values->values);
    free(values->section);
    *values = (struct frs_values){0};
}

struct frs_values frs_values_of(const struct frs_param *params, const char *const *settings) {
    struct frs_values values = {.section = frs_strdup("test")};
    for (; params && params->key; params++)
        frs_values_add(&values, params);
    for (; settings && *settings; settings += 2) {
        struct frs_value *value = frs_values_find(&values, settings[0]);
        FRS_INVARIANT(value, "no key %s", settings[0]);
        char reason[1024];
        if (frs_value_set(value, settings[1], reason, sizeof reason) != FRS_OK)
            frs_panic(__FILE__, __LINE__, "%s: %s", settings[0], reason);
        value->given = true;
    }
    return values;
}

void frs_values_claim(const struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++)
        values->values[i].read = true;
}

static const struct frs_value *get(const struct frs_values *values, const char *key, unsigned types) {
    struct frs_value *value = frs_values_find(values, key);
    FRS_INVARIANT(value, "section %s has no key %s", values->section, key);
    FRS_INVARIANT(
        types & 1u << value->param->type, "key %s.%s is read as another type", values->section, key);
    value->read = true;
    return value;
}

bool frs_values_bool(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_BOOL)->boolean;
}

int64_t frs_values_int(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_INT)->integer;
}

double frs_values_real(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_REAL | 1u << FRS_QUANTITY)->real;
}

const char *frs_values_text(const struct frs_values *values, const char *key) {
    const struct frs_value *value = get(values, key, 1u << FRS_TEXT | 1u << FRS_TEXTS | 1u << FRS_CHOICE);
    return frs_type_is_text(value->param->type) ? value->text : value->param->choices[value->choice];
}

size_t frs_values_choice(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_CHOICE)->choice;
}

uint64_t frs_values_list(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_LIST)->list;
}

struct frs_share frs_values_share(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_SHARE)->share;
}

struct frs_ints frs_values_ints(const struct frs_values *values, const char *key) {
    return get(values, key, 1u << FRS_INTS)->ints;
}

void frs_values_idle(const struct frs_values *values, const char *key, const char *format, ...) {
    struct frs_value *value = frs_values_find(values, key);
    FRS_INVARIANT(value, "section %s has no key %s", values->section, key);
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    free(value->idle);
    value->idle = frs_strdup(text);
    value->read = false;
}

enum frs_status frs_values_error(
    const struct frs_values *values, const char *key, struct frs_errors *errors, const char *format, ...) {
    const struct frs_value *value = frs_values_find(values, key);
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *where = value && value->where ? value->where : NULL;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s%s%s%s%s: %s", where ? where : "", where ? ": " : "",
        values->section, *values->section ? "." : "", key, text);
}

bool frs_value_is_initial(const struct frs_value *value) {
    char reason[8];
    struct frs_value initial = {.param = value->param};
    if (!value->set || !value->param->initial)
        return !value->set;
    if (frs_param_parse(value->param, value->param->initial, &initial, reason, sizeof reason) != FRS_OK)
        return false;
    char *text = frs_value_format(value), *by_default = frs_value_format(&initial);
    bool same = strcmp(text, by_default) == 0;
    free(text);
    free(by_default);
    if (frs_type_is_text(value->param->type))
        free(initial.text);
    return same;
}
