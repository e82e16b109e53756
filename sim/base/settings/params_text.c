/* Parameters and text: reading, describing and writing values. */
#include "sim/base/settings/by_class.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/settings/integers.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool frs_type_is_text(enum frs_type type) {
    return type == FRS_TEXT || type == FRS_TEXTS;
}

bool frs_param_takes_percentage(const struct frs_param *param) {
    bool is_share = param->min >= 0 && param->max <= 1 && param->min < param->max;
    return param->type == FRS_REAL && (is_share || param->by_class);
}

bool frs_percentage_read(const char *text, double *share) {
    char *end;
    double value = frs_decimal_read(text, 1, -2, &end);
    if (end == text || strcmp(end + strspn(end, " "), "%") != 0)
        return false;
    *share = value;
    return true;
}

/* A quantity is at least 0 unless its own bounds say otherwise, and at most what its unit allows. */
static bool bounded(const struct frs_param *param) {
    return param->min != param->max || param->type == FRS_QUANTITY;
}

static double largest(const struct frs_param *param) {
    if (param->type != FRS_QUANTITY)
        return param->max;
    double most = frs_units_most(param->dimension);
    return param->min != param->max && param->max < most ? param->max : most;
}

static void append(char *text, size_t size, const char *format, ...) FRS_PRINTF(3, 4);

static void append(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void append_range(const struct frs_param *param, char *text, size_t size) {
    if (!bounded(param))
        return;
    const char *unit = param->type == FRS_QUANTITY ? frs_units_si(param->dimension) : "";
    const char *space = *unit ? " " : "";
    char min[32], max[32];
    frs_text_number(param->min, min, sizeof min);
    frs_text_number(largest(param), max, sizeof max);
    if (isinf(param->max) && isinf(param->min))
        return;
    if (isinf(largest(param)))
        append(text, size, ", at least %s%s%s", min, space, unit);
    else if (isinf(param->min))
        append(text, size, ", at most %s%s%s", max, space, unit);
    else
        append(text, size, " from %s to %s%s%s", min, max, space, unit);
}

static void append_choices(const struct frs_param *param, char *text, size_t size) {
    for (size_t i = 0; param->choices[i]; i++)
        append(text, size, "%s%s", i ? " | " : "", param->choices[i]);
}

/* A unit as one would write it. */
static const char *example_unit(enum frs_dimension dimension) {
    return dimension == FRS_BYTES ? "MB" : frs_units_si(dimension);
}

char *frs_param_allowed(const struct frs_param *param, char *text, size_t size) {
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
        if (frs_param_takes_percentage(param))
            append(text, size, ", or a percentage such as \"10 %%\"");
        if (param->none)
            append(text, size, ", or \"none\"");
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
    case FRS_TEXTS:
        append(text, size, "a list of texts in double quotes");
        break;
    case FRS_QUANTITY:
        append(text, size, "text with a number and a unit (%s)", frs_units_allowed(param->dimension));
        append_range(param, text, size);
        if (param->unlimited)
            append(text, size, ", or \"unlimited\"");
        break;
    case FRS_SHARE:
        append(text, size, "a count (integer of at least 1) or a share such as \"60 %%\"");
        if (param->automatic)
            append(text, size, ", or \"auto\"");
        break;
    case FRS_INTS:
        append(text, size, "an integer");
        append_range(param, text, size);
        append(text, size, ", or a list of up to %d different ones", FRS_INTS_MOST);
        break;
    }
    if (param->by_class && param->type == FRS_REAL)
        append(text, size, ", or one for each %s: \"a 30 %%, others 5 %%\"", frs_divided_by(param));
    if (param->by_class && param->type == FRS_QUANTITY)
        append(text, size, ", or one for each %s: \"a 1 %s, others 5 %s\"", frs_divided_by(param),
            example_unit(param->dimension), example_unit(param->dimension));
    return text;
}

static bool in_range(const struct frs_param *param, double value) {
    return !bounded(param) || (value >= param->min && value <= largest(param));
}

/* Compares as integers, because a double cannot tell 2^53 from 2^53 + 1. */
static bool integer_in_range(const struct frs_param *param, long long value) {
    if (!bounded(param))
        return true;
    bool too_small = param->min > -0x1p63 && value < (long long)ceil(param->min);
    bool too_large = param->max < 0x1p63 && value > (long long)floor(param->max);
    return !too_small && !too_large;
}

/* strtoll would also take leading space. */
static bool is_decimal(const char *text) {
    return *text && strchr("0123456789+-", *text);
}

/* However large: what is out of range is told apart from what is no number. */
static bool is_decimal_number(const char *text, double *number) {
    char *end;
    *number = frs_decimal_read(text, 1, 0, &end);
    return end != text && !*end;
}

/* A number, or a percentage where the key takes one. */
static bool is_real(const struct frs_param *param, const char *text, double *real) {
    return (frs_param_takes_percentage(param) && frs_percentage_read(text, real)) ||
           is_decimal_number(text, real);
}

static bool read_integer(const char *text, long long *integer) {
    char *end;
    errno = 0;
    *integer = strtoll(text, &end, 10);
    return end != text && !*end && !errno && is_decimal(text);
}

static enum frs_status parse_number(
    const struct frs_param *param, const char *text, struct frs_value *value) {
    if (param->type == FRS_INT) {
        long long integer;
        if (!read_integer(text, &integer) || !integer_in_range(param, integer))
            return FRS_ERR_INPUT;
        value->integer = integer;
        return FRS_OK;
    }
    double real;
    if (param->none && strcmp(text, "none") == 0) {
        value->real = NAN;
        return FRS_OK;
    }
    if (!is_real(param, text, &real) || !isfinite(real) || !in_range(param, real))
        return FRS_ERR_INPUT;
    value->real = real;
    return FRS_OK;
}

static enum frs_status parse_share(const char *text, struct frs_value *value) {
    if (!strchr(text, '%')) {
        long long count;
        if (!read_integer(text, &count) || count < 1)
            return FRS_ERR_INPUT;
        value->share = (struct frs_share){.is_count = true, .count = (uint64_t)count};
        return FRS_OK;
    }
    double fraction;
    if (!frs_percentage_read(text, &fraction) || !(fraction > 0) || fraction > 1)
        return FRS_ERR_INPUT;
    value->share = (struct frs_share){.fraction = fraction};
    return FRS_OK;
}

static bool find_choice(const struct frs_param *param, const char *text, size_t length, size_t *choice) {
    for (size_t i = 0; param->choices[i]; i++) {
        if (strlen(param->choices[i]) == length && strncmp(param->choices[i], text, length) == 0) {
            *choice = i;
            return true;
        }
    }
    return false;
}

/* On failure `wrong` (64 bytes) receives the first element that is not a choice. */
static enum frs_status parse_list(
    const struct frs_param *param, const char *text, uint64_t *list, char *wrong) {
    *list = 0;
    if (strcmp(text, "[]") == 0) /* as the file has it */
        return FRS_OK;
    while (*(text += strspn(text, ", "))) {
        size_t length = strcspn(text, ", "), choice;
        if (!find_choice(param, text, length, &choice)) {
            snprintf(wrong, 64, "%.*s", (int)length, text);
            return FRS_ERR_INPUT;
        }
        *list |= UINT64_C(1) << choice;
        text += length;
    }
    return FRS_OK;
}

static enum frs_status parse(const struct frs_param *param, const char *text, struct frs_value *value) {
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
    case FRS_TEXTS:
        value->text = frs_strdup(text);
        return FRS_OK;
    case FRS_CHOICE: {
        size_t choice;
        if (!find_choice(param, text, strlen(text), &choice))
            return FRS_ERR_INPUT;
        value->choice = choice;
        return FRS_OK;
    }
    case FRS_LIST: {
        uint64_t list;
        char wrong[64];
        if (parse_list(param, text, &list, wrong) != FRS_OK)
            return FRS_ERR_INPUT;
        value->list = list;
        return FRS_OK;
    }
    case FRS_QUANTITY: {
        double real;
        if (param->unlimited && strcmp(text, "unlimited") == 0) {
            value->real = INFINITY;
            return FRS_OK;
        }
        if (frs_units_parse(text, param->dimension, &real) != FRS_OK || !in_range(param, real))
            return FRS_ERR_INPUT;
        value->real = real;
        return FRS_OK;
    }
    case FRS_SHARE:
        if (param->automatic && strcmp(text, "auto") == 0) {
            value->share = (struct frs_share){.is_count = true};
            return FRS_OK;
        }
        return parse_share(text, value);
    case FRS_INTS:
        return frs_integers_parse(text, param->min, param->max, &value->ints);
    }
    return FRS_ERR_INPUT;
}

/* A bare number, or a number with a unit of another dimension, deserves its own words. */
static const char *quantity_problem(const struct frs_param *param, const char *text) {
    double number;
    if (is_decimal_number(text, &number))
        return "has no unit";
    if (frs_units_fit(text, param->dimension))
        return "is out of range";
    for (int other = FRS_TIME; other < FRS_DIMENSIONS; other++)
        if (frs_units_fit(text, other))
            return "has the wrong unit";
    return "is not a finite number with a known unit";
}

static const char *number_problem(const struct frs_param *param, const char *text) {
    double number;
    if (!is_real(param, text, &number))
        return "is not a number";
    return param->type != FRS_REAL && strpbrk(text, ".eE") ? "is not an integer" : "is out of range";
}

static const char *share_problem(const char *text) {
    char *end;
    double number = frs_decimal_read(text, 1, 0, &end);
    if (end == text)
        return "is not allowed";
    end += strspn(end, " ");
    if (strcmp(end, "%") == 0)
        return number == 0 ? "is nobody" : "is out of range";
    if (*end)
        return "is not allowed";
    return number > 0 && number < 1 ? "is neither a count nor a percentage" : "is out of range";
}

/* A misspelt choice gets the nearest one. */
static void explain_choice(const struct frs_param *param, const char *text, char *reason, size_t size) {
    const char *nearest = frs_text_nearest(text, param->choices);
    char line[80], allowed[512];
    snprintf(reason, size, "\"%s\" is not allowed", frs_text_line(text, line, sizeof line));
    if (nearest)
        append(reason, size, "; did you mean \"%s\"?", nearest);
    append(reason, size, "; allowed: %s", frs_param_allowed(param, allowed, sizeof allowed));
}

static void explain_problem(const struct frs_param *param, const char *text, char *reason, size_t size) {
    const char *problem = "is not allowed";
    if (param->type == FRS_QUANTITY)
        problem = quantity_problem(param, text);
    else if (param->type == FRS_INT || param->type == FRS_REAL)
        problem = number_problem(param, text);
    else if (param->type == FRS_SHARE)
        problem = share_problem(text);
    else if (param->type == FRS_INTS)
        problem = strchr(text, ',') ? frs_integers_problem(text) : number_problem(param, text);
    char line[80], allowed[512];
    snprintf(reason, size, "\"%s\" %s; allowed: %s", frs_text_line(text, line, sizeof line), problem,
        frs_param_allowed(param, allowed, sizeof allowed));
}

enum frs_status frs_param_parse(
    const struct frs_param *param, const char *text, struct frs_value *value, char *reason, size_t size) {
    if (frs_is_by_class(param, text))
        return frs_parse_by_class(param, text, value, reason, size);
    enum frs_status status = parse(param, text, value);
    if (status == FRS_OK)
        return FRS_OK;
    char wrong[64];
    uint64_t ignored;
    if (param->type == FRS_CHOICE)
        explain_choice(param, text, reason, size);
    else if (param->type == FRS_LIST && parse_list(param, text, &ignored, wrong) != FRS_OK)
        explain_choice(param, wrong, reason, size);
    else
        explain_problem(param, text, reason, size);
    return status;
}

static char *format_quantity(const struct frs_value *value) {
    static const char *const units[] = {[FRS_TIME] = "s",
        [FRS_BYTES] = "B",
        [FRS_RATE] = "B/s",
        [FRS_SPEED] = "flop/s",
        [FRS_POWER] = "W",
        [FRS_ENERGY_PER_BYTE] = "J/B",
        [FRS_ENERGY] = "J",
        [FRS_FLOP] = "flop"};
    char number[32];
    if (isinf(value->real))
        return frs_strdup("unlimited");
    frs_text_number(value->real, number, sizeof number);
    return frs_format("%s %s", number, units[value->param->dimension]);
}

/* The shortest percentage that reads back as exactly this fraction. */
static char *format_share(struct frs_share share) {
    if (share.is_count && share.count == 0)
        return frs_strdup("auto");
    if (share.is_count)
        return frs_format("%" PRIu64, share.count);
    char percent[32];
    for (int digits = 3; digits <= 17; digits++) {
        double read;
        snprintf(percent, sizeof percent, "%.*g %%", digits, share.fraction * 100);
        if (frs_percentage_read(percent, &read) && read == share.fraction)
            break;
    }
    return frs_strdup(percent);
}

static char *format_list(const struct frs_value *value) {
    char text[1024] = "";
    for (size_t i = 0; value->param->choices[i]; i++)
        if (value->list >> i & 1)
            append(text, sizeof text, "%s%s", *text ? "," : "", value->param->choices[i]);
    return frs_strdup(text);
}

char *frs_value_format(const struct frs_value *value) {
    char number[32];
    if (value->by_class)
        return frs_strdup(value->by_class);
    switch (value->param->type) {
    case FRS_BOOL:
        return frs_strdup(value->boolean ? "true" : "false");
    case FRS_INT:
        return frs_format("%" PRId64, value->integer);
    case FRS_REAL:
        return frs_strdup(isnan(value->real) ? "none" : frs_text_number(value->real, number, sizeof number));
    case FRS_TEXT:
    case FRS_TEXTS:
        return frs_strdup(value->text ? value->text : "");
    case FRS_CHOICE:
        return frs_strdup(value->param->choices[value->choice]);
    case FRS_LIST:
        return format_list(value);
    case FRS_QUANTITY:
        return format_quantity(value);
    case FRS_SHARE:
        return format_share(value->share);
    case FRS_INTS:
        return frs_integers_format(&value->ints);
    }
    return frs_strdup("");
}
