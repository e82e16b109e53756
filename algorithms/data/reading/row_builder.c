#include "algorithms/data/reading/row_builder.h"
#include "algorithms/data/reading/guessed_values.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ERRORS 5
#define MAX_ROWS (UINT32_MAX - 1)

void frs_row_builder_init(struct frs_row_builder *builder, struct frs_rows *rows, struct frs_errors *errors) {
    *rows = (struct frs_rows){0};
    *builder = (struct frs_row_builder){
        .rows = rows, .errors = errors, .path = "", .least_value = INFINITY, .most_value = -INFINITY};
}

bool frs_row_fail(struct frs_row_builder *builder, const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)!frs_errors_add(builder->errors, FRS_ERR_INPUT, "%s:%zu: %s", builder->path, builder->line, text);
    if (++builder->n_errors == MAX_ERRORS && !builder->hopeless) {
        builder->hopeless = true;
        (void)!frs_errors_add(builder->errors, FRS_ERR_INPUT,
            "%s:%zu: too many errors in this file; the rest was not read", builder->path, builder->line);
    }
    return false;
}

bool frs_row_wanted(const struct frs_row_builder *builder) {
    return !builder->hopeless;
}

void frs_row_rules(struct frs_row_builder *builder, const struct frs_row_rules *rules) {
    const struct frs_row_rules *before = &builder->rules;
    if (builder->begun && rules->timed != before->timed)
        frs_row_fail(builder, "this file has %s, and the first one has %s; expected times in all or in none",
            rules->timed ? "times" : "no times", before->timed ? "times" : "none");
    if (builder->begun && rules->valued != before->valued)
        frs_row_fail(builder, "this file has %s, and the first one has %s; expected values in all or in none",
            rules->valued ? "values" : "no values", before->valued ? "values" : "none");
    builder->hopeless |= builder->begun && builder->n_errors > 0;
    builder->rules = *rules;
    builder->begun = true;
    builder->rows->rated = rules->valued;
}

static bool fail_field(
    struct frs_row_builder *builder, const char *what, struct frs_field field, const char *problem) {
    char shown[48];
    return frs_row_fail(builder, "%s \"%s\" %s", what, frs_field_show(field, shown), problem);
}

static bool check_id(struct frs_row_builder *builder, const char *what, struct frs_field field) {
    int64_t ignored;
    if (field.n == 0)
        return fail_field(builder, what, field,
            "is empty; every line needs one (data.empty_ids = \"leave_out\" leaves such lines out)");
    if (builder->rules.ids_are_numbers && !frs_ids_is_number(field.text, field.n, &ignored))
        return fail_field(
            builder, what, field, "is not an integer; expected up to 18 digits without leading zeros");
    return true;
}

static const char *value_range(const struct frs_row_rules *rules, char text[64]) {
    if (isinf(rules->min_value))
        strcpy(text, "a decimal number");
    else if (isinf(rules->max_value))
        snprintf(text, 64, "a number of at least %g", rules->min_value);
    else
        snprintf(text, 64, "a number from %g to %g", rules->min_value, rules->max_value);
    return text;
}

static bool read_value(struct frs_row_builder *builder, struct frs_field field, double *value) {
    const struct frs_row_rules *rules = &builder->rules;
    bool number = frs_field_number(field, value);
    if (number && *value >= rules->min_value && *value <= rules->max_value && isfinite((float)*value)) {
        if (rules->guessed_value) {
            builder->least_value = fmin(builder->least_value, *value);
            builder->most_value = fmax(builder->most_value, *value);
        }
        return true;
    }
    char range[64], problem[224];
    snprintf(problem, sizeof problem, "is %s; expected %s%s", number ? "out of range" : "not a finite number",
        value_range(rules, range),
        rules->guessed ? " (data.csv_value = \"\" reads the file without values)" : "");
    return fail_field(builder, "rating", field, problem);
}

static bool read_time(struct frs_row_builder *builder, struct frs_field field, double *time) {
    enum frs_time_kind kind = frs_time_read(field, time);
    if (kind == FRS_TIME_NONE)
        return fail_field(builder, "time", field,
            builder->rules.guessed ? "is not a finite number and no date; expected " FRS_TIME_EXPECTED
                                     " (data.csv_time = \"\" reads the file without times)"
                                   : "is not a finite number and no date; expected " FRS_TIME_EXPECTED);
    if (kind != builder->time_kind && builder->time_kind != FRS_TIME_NONE)
        return fail_field(builder, "time", field,
            kind == FRS_TIME_NUMBER ? "is a number, and the lines before it have dates"
                                    : "is a date, and the lines before it have numbers");
    builder->time_kind = kind;
    if (kind != FRS_TIME_NUMBER)
        return true;
    if (*time >= 1e8 && *time < 1e10 && builder->time_scale.n[FRS_TIME_S] > 0)
        builder->time_scale.n[FRS_TIME_S]++; /* nearly all */
    else
        frs_time_scale_add(&builder->time_scale, *time, (struct frs_row_place){builder->path, builder->line});
    return true;
}

/* A NUL byte is the one character that no id can have. */
static bool intern(struct frs_row_builder *builder, struct frs_ids *ids, const char *what,
    struct frs_field field, uint32_t *index) {
    size_t before = ids->n;
    if (!check_id(builder, what, field))
        return false;
    *index = frs_ids_intern(ids, field.text, field.n);
    if (ids->n > before && memchr(field.text, '\0', field.n))
        return fail_field(builder, what, field, "contains a NUL byte; expected text");
    return true;
}

void frs_row_add(struct frs_row_builder *builder, struct frs_field user, struct frs_field item,
    struct frs_field value, struct frs_field time) {
    struct frs_rows *rows = builder->rows;
    bool timed = builder->rules.timed;
    uint32_t user_index, item_index;
    double number = 1, when = 0;
    if (builder->leaves_out_empty && (user.n == 0 || item.n == 0)) {
        if (builder->n_empty++ == 0)
            builder->first_empty = (struct frs_row_place){builder->path, builder->line};
        return;
    }
    if (!intern(builder, &builder->users, "user id", user, &user_index) ||
        !intern(builder, &builder->items, "item id", item, &item_index) ||
        (builder->rules.valued && !read_value(builder, value, &number)) ||
        (timed && !read_time(builder, time, &when)))
        return;
    if (rows->n == MAX_ROWS) {
        builder->hopeless = true;
        frs_row_fail(builder, "more than 4,294,967,294 interactions; expected fewer");
        return;
    }
    if (rows->n == rows->capacity)
        frs_rows_reserve(rows, rows->n + 1, timed);
    if (rows->n == 0) {
        rows->first_user = frs_format("%.*s", user.n < 60 ? (int)user.n : 60, user.text);
        rows->first_item = frs_format("%.*s", item.n < 60 ? (int)item.n : 60, item.text);
    }
    rows->users[rows->n] = user_index;
    rows->items[rows->n] = item_index;
    rows->values[rows->n] = (float)number;
    if (timed)
        rows->times[rows->n] = when;
    rows->n++;
}

static uint32_t *make_dense(const struct frs_ids *ids, uint32_t *indices, size_t n, uint32_t *count) {
    uint32_t *dense = frs_ids_order(ids);
    for (size_t i = 0; i < n; i++)
        indices[i] = dense[indices[i]];
    *count = (uint32_t)ids->n;
    return dense;
}

void frs_row_note(struct frs_row_builder *builder, char *text) {
    char **notes = &builder->rows->notes;
    char *longer = frs_format("%s%s", *notes ? *notes : "", text);
    free(*notes);
    free(text);
    *notes = longer;
}

static void note_near(struct frs_row_builder *builder, const struct frs_ids *ids, const char *what) {
    char first[48], second[48];
    size_t n = frs_ids_near(ids, first, second);
    if (n > 0)
        frs_row_note(
            builder, frs_format("; %zu %s id%s written almost like another (\"%s\" and \"%s\"), kept apart",
                         n, what, n == 1 ? " is" : "s are", first, second));
}

/* Of a guessed value that is none every row counts as 1. */
static void settle_values(struct frs_row_builder *builder) {
    struct frs_rows *rows = builder->rows;
    size_t column = builder->rules.guessed_value;
    char *refused = column == 0 ? NULL
                                : frs_guessed_values_refused(rows->values, rows->n, builder->least_value,
                                      builder->most_value, column - 1);
    if (!refused)
        return;
    frs_row_note(builder, refused);
    for (size_t i = 0; i < rows->n; i++)
        rows->values[i] = 1;
    rows->rated = false;
    *builder->columns[FRS_COLUMN_VALUE] = *builder->settings[FRS_COLUMN_VALUE] = '\0';
}

static void settle_times(struct frs_row_builder *builder) {
    struct frs_rows *rows = builder->rows;
    if (builder->time_kind == FRS_TIME_NUMBER)
        frs_row_note(
            builder, frs_time_scale_apply(&builder->time_scale, rows->times, rows->n, builder->path));
}

/* What was left out while reading, or may be read otherwise than it is meant. */
static void note_lines(struct frs_row_builder *builder) {
    const struct frs_rows *rows = builder->rows;
    size_t n_empty = builder->n_empty, n_elsewhere = builder->n_elsewhere;
    if (builder->where)
        frs_row_note(
            builder, frs_format("; %zu of %zu lines are interactions, those with \"%.100s\" (data.csv_where)",
                         rows->n + n_empty, rows->n + n_empty + n_elsewhere, builder->where));
    if (builder->n_broken > 0)
        frs_row_note(builder, frs_format("; %zu row%s a text over several lines (%sline %zu)",
                                  builder->n_broken, builder->n_broken == 1 ? " has" : "s have",
                                  builder->n_broken == 1 ? "" : "the first is ", builder->first_broken.line));
    if (n_empty > 0)
        frs_row_note(builder,
            frs_format("; %zu line%s without a user or item id left out (%sline %zu, data.empty_ids)",
                n_empty, n_empty == 1 ? "" : "s", n_empty == 1 ? "" : "the first is ",
                builder->first_empty.line));
}

static char *join(const char *texts, size_t size, const char *between) {
    char *all = frs_strdup("");
    for (int column = 0; column < FRS_COLUMNS; column++) {
        const char *text = texts + (size_t)column * size;
        if (!*text)
            continue;
        char *longer = frs_format("%s%s%s", all, *all ? between : "", text);
        free(all);
        all = longer;
    }
    return all;
}

char *frs_row_builder_columns(const struct frs_row_builder *builder) {
    return join(*builder->columns, sizeof *builder->columns, ", ");
}

char *frs_row_builder_settings(const struct frs_row_builder *builder) {
    return join(*builder->settings, sizeof *builder->settings, " ");
}

enum frs_status frs_row_builder_finish(
    struct frs_row_builder *builder, uint32_t **dense_users, uint32_t **dense_items) {
    struct frs_rows *rows = builder->rows;
    if (dense_users)
        *dense_users = NULL;
    if (dense_items)
        *dense_items = NULL;
    if (builder->n_errors == 0 && rows->n == 0)
        frs_row_fail(builder, "the file ends without an interaction; expected one per line");
    if (builder->n_errors > 0) {
        frs_rows_fini(rows);
        return FRS_ERR_INPUT;
    }
    uint32_t *users = make_dense(&builder->users, rows->users, rows->n, &rows->n_users);
    uint32_t *items = make_dense(&builder->items, rows->items, rows->n, &rows->n_items);
    settle_values(builder);
    settle_times(builder);
    note_lines(builder);
    note_near(builder, &builder->users, "user");
    note_near(builder, &builder->items, "item");
    if (dense_users)
        *dense_users = users;
    else
        free(users);
    if (dense_items)
        *dense_items = items;
    else
        free(items);
    return FRS_OK;
}

void frs_row_builder_fini(struct frs_row_builder *builder) {
    frs_ids_fini(&builder->users);
    frs_ids_fini(&builder->items);
}
