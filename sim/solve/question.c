#include "sim/solve/question.h"
#include "analysis/expect/amount.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without blanks around it. */
static char *trimmed(const char *text, size_t length) {
    while (length > 0 && strchr(" \t\n", *text)) {
        text++;
        length--;
    }
    while (length > 0 && strchr(" \t\n", text[length - 1]))
        length--;
    return frs_format("%.*s", (int)length, text);
}

/* ---- settings ---- */

static enum frs_status refuse_settings(const char *vary, const char *why, struct frs_errors *errors) {
    char line[80];
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--vary %s: %s; allowed: KEY = A..B with whole numbers A < B, KEY = A..B step S, or KEY = V, V, ... "
        "with 2 to %d values",
        frs_text_line(vary, line, sizeof line), why, FRS_QUESTION_MOST);
}

static void add_value(struct frs_question *question, size_t *capacity, char *value) {
    question->values = frs_grow(question->values, question->n + 1, capacity, sizeof *question->values);
    question->values[question->n++] = value;
}

/* A whole number at *text, which moves behind it. */
static bool read_whole(const char **text, long *value) {
    char *end;
    errno = 0;
    *value = strtol(*text, &end, 10);
    bool good = end != *text && errno == 0;
    *text = end;
    return good;
}

/* "A..B" and "A..B step S"; false: it is nothing of that kind. */
static bool read_range(const char *text, long *from, long *to, long *step) {
    *step = 1;
    if (!read_whole(&text, from))
        return false;
    text += strspn(text, " ");
    if (strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!read_whole(&text, to))
        return false;
    text += strspn(text, " ");
    if (strncmp(text, "step ", 5) == 0) {
        text += 5;
        if (!read_whole(&text, step))
            return false;
    }
    return !text[strspn(text, " ")];
}

static enum frs_status add_range(struct frs_question *question, const char *vary, long from, long to,
    long step, struct frs_errors *errors) {
    size_t capacity = 0;
    question->is_range = true;
    if (from >= to || step < 1)
        return refuse_settings(vary, "is no range", errors);
    if ((double)to - (double)from >= (double)FRS_QUESTION_MOST * (double)step)
        return refuse_settings(vary, "has too many values", errors);
    for (long value = from; value <= to; value += step)
        add_value(question, &capacity, frs_format("%ld", value));
    return question->n > 1 ? FRS_OK : refuse_settings(vary, "has one value", errors);
}

static enum frs_status add_list(
    struct frs_question *question, const char *vary, const char *list, struct frs_errors *errors) {
    size_t capacity = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        add_value(question, &capacity, trimmed(at, length));
        if (!*question->values[question->n - 1])
            return refuse_settings(vary, "a value is empty", errors);
        at += length;
        if (!*at)
            break;
    }
    if (question->n < 2 || question->n > FRS_QUESTION_MOST)
        return refuse_settings(vary, question->n < 2 ? "has one value" : "has too many values", errors);
    return FRS_OK;
}

static enum frs_status read_settings(
    struct frs_question *question, const char *vary, struct frs_errors *errors) {
    long from, to, step;
    const char *sign = strchr(vary, '=');
    if (!sign || strchr(vary, '|') || memchr(vary, ',', (size_t)(sign - vary)))
        return refuse_settings(vary, "is not one key and its values", errors);
    question->settings = trimmed(vary, strlen(vary));
    question->axis = trimmed(vary, (size_t)(sign - vary));
    if (!*question->axis)
        return refuse_settings(vary, "has no key", errors);
    if (read_range(sign + 1, &from, &to, &step))
        return add_range(question, vary, from, to, step, errors);
    if (strstr(sign + 1, "..") && !strchr(sign + 1, ','))
        return refuse_settings(vary, "is no range of whole numbers", errors);
    return add_list(question, vary, sign + 1, errors);
}

/* ---- the bound ---- */

static enum frs_status refuse_bound(const char *until, const char *allowed, struct frs_errors *errors) {
    char line[80];
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--until %s: allowed: METRIC <= AMOUNT or METRIC >= AMOUNT (or < and >)%s%s",
        frs_text_line(until, line, sizeof line), *allowed ? ", the amount in " : "", allowed);
}

static enum frs_status read_bound(
    struct frs_question *question, const char *until, struct frs_errors *errors) {
    size_t before = errors->n;
    const char *sign = strpbrk(until, "<>");
    if (!sign)
        return refuse_bound(until, "", errors);
    question->strict = sign[1] != '=';
    question->until = trimmed(until, strlen(until));
    question->at_most = *sign == '<';
    question->metric = trimmed(until, (size_t)(sign - until));
    if (!*question->metric || strpbrk(question->metric, "<>= "))
        return refuse_bound(until, "", errors);
    char *complaint = frs_metric_complaint(question->metric, 0);
    if (complaint)
        frs_errors_add(errors, FRS_ERR_INPUT, "--until: %s", complaint);
    free(complaint);
    if (errors->n > before)
        return FRS_ERR_INPUT;
    const char *behind = sign + (question->strict ? 1 : 2);
    char *amount = trimmed(behind, strlen(behind)), *metric = frs_amount_metric(question->metric, amount);
    free(question->metric);
    question->metric = metric;
    bool good = frs_amount_read(question->metric, amount, &question->bound);
    free(amount);
    return good ? FRS_OK : refuse_bound(until, frs_amount_units(question->metric), errors);
}

/* ---- all of it ---- */

enum frs_status frs_question_parse(const char *vary, const char *until, enum frs_wanted wanted,
    const char *best, struct frs_question *question, struct frs_errors *errors) {
    *question = (struct frs_question){.wanted = wanted, .budget = FRS_QUESTION_BUDGET, .best = best};
    enum frs_status status = read_settings(question, vary, errors);
    if (until && read_bound(question, until, errors) != FRS_OK)
        status = FRS_ERR_INPUT;
    if (status != FRS_OK)
        frs_question_fini(question);
    return status;
}

void frs_question_fini(struct frs_question *question) {
    for (size_t i = 0; i < question->n; i++)
        free(question->values[i]);
    free(question->values);
    free(question->axis);
    free(question->metric);
    free(question->settings);
    free(question->until);
    *question = (struct frs_question){0};
}

char *frs_question_axis(const struct frs_question *question, const size_t *settings, size_t n) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        frs_memory_exhausted();
    fprintf(out, "%s = ", question->axis);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i ? ", " : "", question->values[settings[i]]);
    fclose(out);
    return text;
}
