#include "sim/base/settings/by_class.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *frs_divided_by(const struct frs_param *param) {
    return param->divided_by ? param->divided_by : "class";
}

static bool has_letter(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (isalpha((unsigned char)text[i]))
            return true;
    return false;
}

/* True for "4g 10 %" and "phone-low 2 h", but not for "10 min", "1e3 s" or "unlimited". */
bool frs_is_by_class(const struct frs_param *param, const char *text) {
    if (!param->by_class)
        return false;
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t,;");
    char *end;
    (void)frs_decimal_read(text, 1, 0, &end);
    bool is_number = end == text + length;
    return !is_number && has_letter(text, length) && strchr(" \t", text[length]) &&
           text[length + strspn(text + length, " \t")] != '\0';
}

static enum frs_status parse_part(
    const struct frs_param *param, const char *text, struct frs_value *value, char *reason, size_t size) {
    struct frs_param plain = *param;
    plain.by_class = false;
    return frs_param_parse(&plain, text, value, reason, size);
}

static char *trimmed(const char *text, size_t length) {
    while (length > 0 && strchr(" \t\n", *text))
        text++, length--;
    while (length > 0 && strchr(" \t\n", text[length - 1]))
        length--;
    return frs_format("%.*s", (int)length, text);
}

size_t frs_class_parts(const struct frs_param *param, const char *text, struct frs_class_part **parts) {
    const char *separator = frs_type_is_text(param->type) ? ";" : ",";
    size_t n = 0, capacity = 0;
    *parts = NULL;
    for (const char *at = text; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, separator);
        char *part = trimmed(at, length);
        size_t name = strcspn(part, " \t");
        *parts = frs_grow(*parts, n + 1, &capacity, sizeof **parts);
        (*parts)[n++] = (struct frs_class_part){
            .name = frs_format("%.*s", (int)name, part), .text = trimmed(part + name, strlen(part + name))};
        free(part);
        at += length;
    }
    return n;
}

void frs_class_parts_free(struct frs_class_part *parts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(parts[i].name);
        free(parts[i].text);
    }
    free(parts);
}

/* Into *value, whose earlier text, if it is one, is freed. */
static void take_part(const struct frs_param *param, const char *text, struct frs_value *value) {
    char reason[1024], *old = frs_type_is_text(param->type) ? value->text : NULL;
    if (parse_part(param, text, value, reason, sizeof reason) != FRS_OK)
        frs_panic(__FILE__, __LINE__, "%s: %s", param->key, reason);
    free(old);
}

static bool check_parts(
    const struct frs_param *param, const struct frs_class_part *parts, size_t n, char *reason, size_t size) {
    char line[80], why[1024], allowed[512];
    for (size_t i = 0; i < n; i++) {
        struct frs_value scratch = {.param = param};
        for (size_t j = 0; j < i; j++)
            if (strcmp(parts[i].name, parts[j].name) == 0) {
                snprintf(reason, size, "%s \"%s\" is there twice", frs_divided_by(param),
                    frs_text_line(parts[i].name, line, sizeof line));
                return false;
            }
        if (!*parts[i].text) {
            snprintf(reason, size, "%s \"%s\" has no value; allowed: %s", frs_divided_by(param),
                frs_text_line(parts[i].name, line, sizeof line),
                frs_param_allowed(param, allowed, sizeof allowed));
            return false;
        }
        if (parse_part(param, parts[i].text, &scratch, why, sizeof why) != FRS_OK) {
            snprintf(reason, size, "%s \"%s\": %s", frs_divided_by(param),
                frs_text_line(parts[i].name, line, sizeof line), why);
            return false;
        }
        if (frs_type_is_text(param->type))
            free(scratch.text);
    }
    return true;
}

enum frs_status frs_parse_by_class(
    const struct frs_param *param, const char *text, struct frs_value *value, char *reason, size_t size) {
    struct frs_class_part *parts;
    size_t n = frs_class_parts(param, text, &parts);
    bool good = check_parts(param, parts, n, reason, size);
    if (good) {
        struct frs_value first = {.param = param};
        take_part(param, parts[0].text, &first);
        first.by_class = frs_strdup(text);
        value->real = first.real;
        if (frs_type_is_text(param->type))
            value->text = first.text;
        value->by_class = first.by_class;
    }
    frs_class_parts_free(parts, n);
    return good ? FRS_OK : FRS_ERR_INPUT;
}

bool frs_values_are_divided(const struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++)
        if (values->values[i].by_class)
            return true;
    return false;
}

static bool is_one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static const char *choose(
    const struct frs_class_part *parts, size_t n_parts, const char *const *names, size_t n) {
    const char *others = NULL;
    for (size_t i = 0; i < n_parts; i++) {
        if (is_one_of(parts[i].name, names, n))
            return parts[i].text;
        if (strcmp(parts[i].name, FRS_OTHER_CLASSES) == 0)
            others = parts[i].text;
    }
    return others;
}

void frs_values_look_at(const struct frs_values *values, const char *const *names, size_t n) {
    for (size_t i = 0; i < values->n; i++) {
        struct frs_value *value = &values->values[i];
        struct frs_class_part *parts;
        if (!value->by_class)
            continue;
        size_t n_parts = frs_class_parts(value->param, value->by_class, &parts);
        const char *text = choose(parts, n_parts, names, n);
        FRS_INVARIANT(text, "%s.%s has no value for a class", values->section, value->param->key);
        take_part(value->param, text, value);
        frs_class_parts_free(parts, n_parts);
    }
}
