#include "sim/base/params.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool bounded(const struct frs_param *param)
{
    return param->min != param->max;
}

static void append(char *text, size_t size, const char *format, ...) FRS_PRINTF(3, 4);

static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void append_range(const struct frs_param *param, char *text, size_t size)
{
    if (!bounded(param))
        return;
    const char *unit = param->type == FRS_QUANTITY ? frs_units_si(param->dimension) : "";
    const char *space = *unit ? " " : "";
    if (isinf(param->max))
        append(text, size, ", at least %.15g%s%s", param->min, space, unit);
    else if (isinf(param->min))
        append(text, size, ", at most %.15g%s%s", param->max, space, unit);
    else
        append(text, size, " from %.15g to %.15g%s%s", param->min, param->max, space, unit);
}

static void append_choices(const struct frs_param *param, char *text, size_t size)
{
    for (size_t i = 0; param->choices[i]; i++)
        append(text, size, "%s%s", i ? " | " : "", param->choices[i]);
}

char *frs_param_allowed(const struct frs_param *param, char *text, size_t size)
{
    *text = '\0';
    switch (param->type) {
    case FRS_BOOL:
        append(text, size, "true or false");
        break;
    case FRS_INT:
        append(text, size, "an integer");
        append_range(param, text, size);
        break;
    case FRS_REAL:
        append(text, size, "a number");
        append_range(param, text, size);
        break;
    case FRS_TEXT:
        append(text, size, "text in double quotes");
        break;
    case FRS_CHOICE:
        append_choices(param, text, size);
        break;
    case FRS_LIST:
        append(text, size, "a list of: ");
        append_choices(param, text, size);
        break;
    case FRS_QUANTITY:
        append(text, size, "text with a number and a unit (%s)", frs_units_allowed(param->dimension));
        append_range(param, text, size);
        break;
    case FRS_SHARE:
        append(text, size, "a count (integer of at least 1) or a share such as \"60 %%\"");
        break;
    }
    return text;
}

static bool in_range(const struct frs_param *param, double value)
{
    return !bounded(param) || (value >= param->min && value <= param->max);
}

static enum frs_status parse_number(const struct frs_param *param, const char *text, struct frs_value *value)
{
    char *end;
    errno = 0;
    if (param->type == FRS_INT) {
        long long integer = strtoll(text, &end, 10);
        if (end == text || *end || errno || !in_range(param, (double)integer))
            return FRS_ERR_INPUT;
        value->integer = integer;
        return FRS_OK;
    }
    double real = strtod(text, &end);
    if (end == text || *end || !isfinite(real) || !in_range(param, real))
        return FRS_ERR_INPUT;
    value->real = real;
    return FRS_OK;
}

static enum frs_status parse_share(const char *text, struct frs_value *value)
{
    char *end;
    errno = 0;
    if (!strchr(text, '%')) {
        long long count = strtoll(text, &end, 10);
        if (end == text || *end || errno || count < 1)
            return FRS_ERR_INPUT;
        value->share = (struct frs_share){.is_count = true, .count = (uint64_t)count};
        return FRS_OK;
    }
    double percent = strtod(text, &end);
    if (end == text)
        return FRS_ERR_INPUT;
    while (*end == ' ')
        end++;
    if (strcmp(end, "%") != 0 || !(percent > 0) || percent > 100)
        return FRS_ERR_INPUT;
    value->share = (struct frs_share){.fraction = percent / 100};
    return FRS_OK;
}

static bool find_choice(const struct frs_param *param, const char *text, size_t length, size_t *choice)
{
    for (size_t i = 0; param->choices[i]; i++) {
        if (strlen(param->choices[i]) == length && strncmp(param->choices[i], text, length) == 0) {
            *choice = i;
            return true;
        }
    }
    return false;
}

static enum frs_status parse_list(const struct frs_param *param, const char *text, struct frs_value *value)
{
    uint64_t list = 0;
    while (*text) {
        text += strspn(text, ", ");
        size_t length = strcspn(text, ", "), choice;
        if (length == 0)
            break;
        if (!find_choice(param, text, length, &choice))
            return FRS_ERR_INPUT;
        list |= UINT64_C(1) << choice;
        text += length;
    }
    value->list = list;
    return FRS_OK;
}

static enum frs_status parse(const struct frs_param *param, const char *text, struct frs_value *value)
{
    switch (param->type) {
    case FRS_BOOL:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            return FRS_ERR_INPUT;
        value->boolean = *text == 't';
        return FRS_OK;
    case FRS_INT:
    case FRS_REAL:
        return parse_number(param, text, value);
    case FRS_TEXT:
        value->text = frs_strdup(text);
        return FRS_OK;
    case FRS_CHOICE:
        return find_choice(param, text, strlen(text), &value->choice) ? FRS_OK : FRS_ERR_INPUT;
    case FRS_LIST:
        return parse_list(param, text, value);
    case FRS_QUANTITY: {
        double real;
        if (frs_units_parse(text, param->dimension, &real) != FRS_OK || !in_range(param, real))
            return FRS_ERR_INPUT;
        value->real = real;
        return FRS_OK;
    }
    case FRS_SHARE:
        return parse_share(text, value);
    }
    return FRS_ERR_INPUT;
}

/* A bare number, or a number with a unit of another dimension, deserves its own words. */
static const char *quantity_problem(const struct frs_param *param, const char *text)
{
    char *end;
    double ignored;
    strtod(text, &end);
    if (end != text && !*end)
        return "has no unit";
    if (frs_units_parse(text, param->dimension, &ignored) == FRS_OK)
        return "is out of range";
    for (int other = FRS_TIME; other <= FRS_SPEED; other++)
        if (frs_units_parse(text, other, &ignored) == FRS_OK)
            return "has the wrong unit";
    return "is not a number with a known unit";
}

static const char *problem(const struct frs_param *param, const char *text)
{
    char *end;
    switch (param->type) {
    case FRS_QUANTITY:
        return quantity_problem(param, text);
    case FRS_INT:
    case FRS_REAL:
        strtod(text, &end);
        if (end == text || *end)
            return "is not a number";
        return param->type == FRS_INT && strpbrk(text, ".eE") ? "is not an integer" : "is out of range";
    default:
        return "is not allowed";
    }
}

enum frs_status frs_param_parse(
    const struct frs_param *param, const char *text, struct frs_value *value, char *reason, size_t size)
{
    enum frs_status status = parse(param, text, value);
    if (status != FRS_OK) {
        char allowed[512];
        snprintf(reason, size, "\"%s\" %s; allowed: %s", text, problem(param, text),
            frs_param_allowed(param, allowed, sizeof allowed));
    }
    return status;
}

void frs_values_add(struct frs_values *values, const struct frs_param *param)
{
    FRS_INVARIANT(!frs_values_find(values, param->key), "key %s.%s is described twice", values->section, param->key);
    struct frs_value value = {.param = param};
    if (param->initial) {
        char reason[1024];
        if (frs_param_parse(param, param->initial, &value, reason, sizeof reason) != FRS_OK)
            frs_panic(__FILE__, __LINE__, "default of %s: %s", param->key, reason);
    }
    values->values = frs_grow(values->values, values->n + 1, &values->capacity, sizeof value);
    values->values[values->n++] = value;
}

struct frs_value *frs_values_find(const struct frs_values *values, const char *key)
{
    for (size_t i = 0; i < values->n; i++)
        if (strcmp(values->values[i].param->key, key) == 0)
            return &values->values[i];
    return NULL;
}

void frs_values_fini(struct frs_values *values)
{
    for (size_t i = 0; i < values->n; i++) {
        if (values->values[i].param->type == FRS_TEXT)
            free(values->values[i].text);
        free(values->values[i].where);
    }
    free(values->values);
    free(values->section);
    *values = (struct frs_values){0};
}

struct frs_values frs_values_of(const struct frs_param *params, const char *const *settings)
{
    struct frs_values values = {.section = frs_strdup("test")};
    for (; params && params->key; params++)
        frs_values_add(&values, params);
    for (; settings && *settings; settings += 2) {
        struct frs_value *value = frs_values_find(&values, settings[0]);
        FRS_INVARIANT(value, "no key %s", settings[0]);
        char *old = value->param->type == FRS_TEXT ? value->text : NULL, reason[1024];
        if (frs_param_parse(value->param, settings[1], value, reason, sizeof reason) != FRS_OK)
            frs_panic(__FILE__, __LINE__, "%s: %s", settings[0], reason);
        free(old);
        value->given = true;
    }
    return values;
}

static const struct frs_value *get(const struct frs_values *values, const char *key, unsigned types)
{
    struct frs_value *value = frs_values_find(values, key);
    FRS_INVARIANT(value, "section %s has no key %s", values->section, key);
    FRS_INVARIANT(types & 1u << value->param->type, "key %s.%s is read as another type", values->section, key);
    value->read = true;
    return value;
}

bool frs_values_bool(const struct frs_values *values, const char *key)
{
    return get(values, key, 1u << FRS_BOOL)->boolean;
}

int64_t frs_values_int(const struct frs_values *values, const char *key)
{
    return get(values, key, 1u << FRS_INT)->integer;
}

double frs_values_real(const struct frs_values *values, const char *key)
{
    return get(values, key, 1u << FRS_REAL | 1u << FRS_QUANTITY)->real;
}

const char *frs_values_text(const struct frs_values *values, const char *key)
{
    const struct frs_value *value = get(values, key, 1u << FRS_TEXT | 1u << FRS_CHOICE);
    return value->param->type == FRS_TEXT ? value->text : value->param->choices[value->choice];
}

size_t frs_values_choice(const struct frs_values *values, const char *key)
{
    return get(values, key, 1u << FRS_CHOICE)->choice;
}

uint64_t frs_values_list(const struct frs_values *values, const char *key)
{
    return get(values, key, 1u << FRS_LIST)->list;
}

struct frs_share frs_values_share(const struct frs_values *values, const char *key)
{
    return get(values, key, 1u << FRS_SHARE)->share;
}

enum frs_status frs_values_error(
    const struct frs_values *values, const char *key, struct frs_errors *errors, const char *format, ...)
{
    const struct frs_value *value = frs_values_find(values, key);
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *where = value && value->where ? value->where : NULL;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s%s%s.%s: %s", where ? where : "", where ? ": " : "",
        values->section, key, text);
}
