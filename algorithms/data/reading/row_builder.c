#include "algorithms/data/reading/row_builder.h"
#include "algorithms/data/reading/guessed_values.h"
#include "sim/base/errors.h"
#include "sim/base/files/cells.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (++builder->n_errors == FRS_LIMIT_FAULTS && !builder->hopeless) {
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

static bool lacks_id(const struct frs_row_builder *builder, struct frs_field field) {
    return field.n == 0 || (!builder->keeps_words && frs_cell_is_absent(field.text, field.n));
}

/* "" of no column that has a name or a number. */
static const char *column_text(const struct frs_row_builder *builder, enum frs_column column, char text[96]) {
    const char *named = builder->columns[column];
    snprintf(text, 96, "%s%s%s", *named ? " (" : "", named, *named ? ")" : "");
    return text;
}

static bool fail_absent(struct frs_row_builder *builder, enum frs_column column, struct frs_field field) {
    static const char *const keys[FRS_COLUMNS] = {"data.csv_user", "data.csv_item"};
    char shown[48], place[96];
    bool word = field.n > 0, may_be_other = builder->rules.guessed;
    return frs_row_fail(builder,
        "%s%s%s%s %s%s; every line needs one (data.empty_ids = \"leave_out\" leaves such lines out%s%s%s)",
        frs_column_text(column), word ? " \"" : "", word ? frs_field_show(field, shown) : "",
        word ? "\"" : "", word ? "stands for no value" : "is empty", column_text(builder, column, place),
        word ? ", \"keep_words\" takes it for an id" : "", may_be_other ? "; another column: " : "",
        may_be_other ? keys[column] : "");
}

static bool check_id(struct frs_row_builder *builder, enum frs_column column, struct frs_field field) {
    const char *what = frs_column_text(column);
    int64_t ignored;
    if (lacks_id(builder, field))
        return fail_absent(builder, column, field);
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
    if (!number || (field.n > 2 && builder->marks.point_line == 0 && memchr(field.text, '.', field.n)))
        number = frs_decimal_marks_take(&builder->marks, field.text, field.n, builder->line) == SIZE_MAX
                     ? number
                     : frs_field_decimal(field, value);
    if (number && *value >= rules->min_value && *value <= rules->max_value && isfinite((float)*value)) {
        if (rules->guessed_value) {
            builder->least_value = fmin(builder->least_value, *value);
            builder->most_value = fmax(builder->most_value, *value);
        }
        return true;
    }
    char range[64], problem[224];
    if (frs_cell_is_absent(field.text, field.n))
        return fail_field(builder, "rating", field,
            rules->guessed ? "is none; every line needs one (data.empty_ratings = \"leave_out\" leaves such "
                             "lines out, data.csv_value = \"\" reads the file without values)"
                           : "is none; every line needs one (data.empty_ratings = \"leave_out\" leaves such "
                             "lines out)");
    snprintf(problem, sizeof problem, "is %s; expected %s%s", number ? "out of range" : "not a finite number",
        value_range(rules, range),
        rules->guessed ? " (data.csv_value = \"\" reads the file without values)" : "");
    return fail_field(builder, "rating", field, problem);
}

static const char *order_text(enum frs_slashed order) {
    return order == FRS_SLASHED_DAY_FIRST ? "the day first" : "the month first";
}

/* A date that can be read in both ways is read with the month first until another one of the file says. */
static bool read_slashed(struct frs_row_builder *builder, struct frs_field field, double *time) {
    enum frs_slashed said = frs_date_slashed(field.text, field.n), known = builder->slashed;
    bool decides = said != FRS_SLASHED_EITHER, decided = known > FRS_SLASHED_EITHER;
    if (decides && decided && said != known) {
        char problem[160];
        snprintf(problem, sizeof problem, "has %s, and line %zu has %s; expected one way, such as 2001-01-31",
            order_text(said), builder->slashed_line, order_text(known));
        return fail_field(builder, "time", field, problem);
    }
    if ((decides && !decided) || known == FRS_SLASHED_NONE) {
        builder->slashed = said;
        builder->slashed_line = builder->line;
        builder->n_either = builder->rows->n;
    }
    return frs_date_read_slashed(field.text, field.n,
        builder->slashed == FRS_SLASHED_EITHER ? FRS_SLASHED_MONTH_FIRST : builder->slashed, time);
}

/* What only a whole file says of numbers and dates. */
static void check_marks(struct frs_row_builder *builder) {
    char text[224];
    const char *wrong = frs_decimal_marks_wrong(&builder->marks, text);
    if (wrong) {
        builder->line = builder->marks.comma_line;
        frs_row_fail(builder, "%s", wrong);
    }
    if (builder->slashed == FRS_SLASHED_EITHER) {
        builder->line = builder->slashed_line;
        frs_row_fail(builder,
            "the time can have the day first or the month, and so can those of all lines; expected one of "
            "more "
            "than 12 somewhere, or dates such as 2001-01-31%s",
            builder->rules.guessed ? " (data.csv_time = \"\" reads the file without times)" : "");
    }
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
            : builder->time_kind == FRS_TIME_NUMBER
                ? "is a date, and the lines before it have numbers"
                : "is a date, and the lines before it write dates in another way");
    builder->time_kind = kind;
    if (kind == FRS_TIME_SLASHED)
        return read_slashed(builder, field, time);
    if (kind != FRS_TIME_NUMBER)
        return true;
    if (*time >= 1e8 && *time < 1e10 && builder->time_scale.n[FRS_TIME_S] > 0)
        builder->time_scale.n[FRS_TIME_S]++; /* nearly all */
    else
        frs_time_scale_add(&builder->time_scale, *time, (struct frs_row_place){builder->path, builder->line});
    return true;
}

/* A NUL byte is the one character that no id can have. */
static bool intern(struct frs_row_builder *builder, struct frs_ids *ids, enum frs_column column,
    struct frs_field field, uint32_t *index) {
    size_t before = ids->n;
    if (!check_id(builder, column, field))
        return false;
    *index = frs_ids_intern(ids, field.text, field.n);
    if (ids->n > before && memchr(field.text, '\0', field.n))
        return fail_field(builder, frs_column_text(column), field, "contains a NUL byte; expected text");
    return true;
}

void frs_row_add(struct frs_row_builder *builder, struct frs_field user, struct frs_field item,
    struct frs_field value, struct frs_field time) {
    struct frs_rows *rows = builder->rows;
    bool timed = builder->rules.timed;
    uint32_t user_index, item_index;
    double number = 1, when = 0;
    if (builder->hopeless) /* its rules may not be those for which the rows have room */
        return;
    if (builder->leaves_out_empty && (lacks_id(builder, user) || lacks_id(builder, item))) {
        if (builder->n_empty++ == 0)
            builder->first_empty = (struct frs_row_place){builder->path, builder->line};
        return;
    }
    if (builder->rules.valued && builder->leaves_out_unrated && frs_cell_is_absent(value.text, value.n)) {
        if (builder->n_unrated++ == 0)
            builder->first_unrated = (struct frs_row_place){builder->path, builder->line};
        return;
    }
    if (!intern(builder, &builder->users, FRS_COLUMN_USER, user, &user_index) ||
        !intern(builder, &builder->items, FRS_COLUMN_ITEM, item, &item_index) ||
        (builder->rules.valued && !read_value(builder, value, &number)) ||
        (timed && !read_time(builder, time, &when)))
        return;
    if (rows->n == FRS_LIMIT_INTERACTIONS) {
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

/* A last line of sums, as spreadsheets and reports have. */
static void note_total(struct frs_row_builder *builder) {
    const struct frs_id *user = &builder->users.ids[builder->rows->users[builder->rows->n - 1]];
    char shown[48];
    if (user->text && frs_cell_is_total(user->text, (size_t)user->number))
        frs_row_note(builder,
            frs_format("; the last line has the user \"%s\", as a line of sums: it counts as an interaction",
                frs_field_show((struct frs_field){user->text, (size_t)user->number}, shown)));
}

static void note_near(struct frs_row_builder *builder, const struct frs_ids *ids, const char *what) {
    char first[48], second[48];
    size_t n = frs_ids_near(ids, first, second);
    if (n > 0)
        frs_row_note(
            builder, frs_format("; %zu %s id%s written almost like another (\"%s\" and \"%s\"), kept apart",
                         n, what, n == 1 ? " is" : "s are", first, second));
}

/* Where a guessed value is none, every row counts as 1. */
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
    for (size_t i = 0; builder->slashed == FRS_SLASHED_DAY_FIRST && i < builder->n_either; i++)
        rows->times[i] = frs_date_swapped(rows->times[i]);
    if (builder->slashed != FRS_SLASHED_NONE)
        frs_row_note(builder, frs_format("; dates have %s, as line %zu says", order_text(builder->slashed),
                                  builder->slashed_line));
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
    if (builder->marks.comma_line > 0)
        frs_row_note(builder, frs_strdup("; ratings have decimal commas"));
    if (builder->n_broken > 0)
        frs_row_note(builder, frs_format("; %zu row%s a text over several lines (%sline %zu)",
                                  builder->n_broken, builder->n_broken == 1 ? " has" : "s have",
                                  builder->n_broken == 1 ? "" : "the first is ", builder->first_broken.line));
    if (builder->n_unrated > 0)
        frs_row_note(
            builder, frs_format("; %zu line%s without a rating left out (%sline %zu, data.empty_ratings)",
                         builder->n_unrated, builder->n_unrated == 1 ? "" : "s",
                         builder->n_unrated == 1 ? "" : "the first is ", builder->first_unrated.line));
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
    if (builder->n_errors == 0)
        check_marks(builder);
    if (builder->n_errors == 0 && rows->n == 0)
        frs_row_fail(builder, "the file ends without an interaction; expected one per line");
    if (builder->n_errors > 0) {
        frs_rows_fini(rows);
        return FRS_ERR_INPUT;
    }
    note_total(builder);
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
