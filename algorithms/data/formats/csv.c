/* Delimited text with the columns that the scenario names. Where nothing is named, and the format was not
 * asked for, separator, header and columns are guessed from the first lines. */
#include "algorithms/data/formats/headings.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMN 1000

static const char *const keys[FRS_COLUMNS] = {"csv_user", "csv_item", "csv_value", "csv_time"};

static bool is_given(const struct frs_values *data, const char *key) {
    return frs_values_find(data, key)->given;
}

/* "3" is the third column, anything else a name in the header, empty: no such column. */
static enum frs_status read_column(const struct frs_values *data, struct frs_layout *layout,
    enum frs_column column, struct frs_errors *errors) {
    const char *key = keys[column], *text = frs_values_text(data, key);
    bool optional = column == FRS_COLUMN_VALUE || column == FRS_COLUMN_TIME;
    layout->columns[column] = FRS_NO_COLUMN;
    if (!*text)
        return optional ? FRS_OK : frs_values_error(data, key, errors, "must name a column");
    char *end;
    unsigned long position = strtoul(text, &end, 10);
    if (*end || *text < '0' || *text > '9') {
        layout->names[column] = text;
        if (layout->header == FRS_HEADER_ALWAYS)
            return FRS_OK;
        return frs_values_error(data, key, errors,
            "\"%s\" is a name, but data.csv_header is false; give the position of the column, counted from 1",
            text);
    }
    if (position < 1 || position > MAX_COLUMN)
        return frs_values_error(
            data, key, errors, "\"%s\" is not a column; positions go from 1 to %d", text, MAX_COLUMN);
    layout->columns[column] = position - 1;
    return FRS_OK;
}

/* ---- guessed ------------------------------------------------------------------------------------- */

/* How well a separator fits the head: the number of fields that each line has, 0: they differ, or there is
 * one. The last line counts, too: the head ends with a whole one. */
static size_t fits(struct frs_field head, const struct frs_separator *separator) {
    struct frs_fields fields;
    struct frs_field line;
    size_t n = 0;
    while (frs_head_line(&head, &line)) {
        if (!frs_fields_split(&fields, separator, line) || (n > 0 && fields.n != n))
            return 0;
        n = fields.n;
    }
    return n > 1 ? n : 0;
}

static bool split_next(
    struct frs_field *head, const struct frs_separator *separator, struct frs_fields *fields) {
    struct frs_field line;
    return frs_head_line(head, &line) && frs_fields_split(fields, separator, line);
}

static struct frs_separator separator_of(const char *text, bool plain_quotes) {
    struct frs_separator separator = frs_separator_of(text);
    separator.plain_quotes = plain_quotes;
    return separator;
}

/* The first separator that divides all lines alike, or the first that divides the first line. Where quotes
 * hinder it, and may be part of the text, that is tried, too, unless commas or semicolons separate. */
static struct frs_separator guess_separator(struct frs_field head, bool plain, bool may_be_plain) {
    static const char *const separators[] = {"tab", "::", ";", ",", "|", "blanks"};
    enum { N = sizeof separators / sizeof *separators };
    struct frs_fields fields;
    int n_tries = may_be_plain && !plain ? 2 : 1;
    for (int quotes = 0; quotes < n_tries; quotes++)
        for (size_t i = 0; i < N; i++) {
            struct frs_separator separator = separator_of(separators[i], plain || quotes);
            bool quoting = *separator.text == ',' || *separator.text == ';'; /* files of these do */
            if (!(quotes && quoting) && fits(head, &separator) > 0)
                return separator;
        }
    for (size_t i = 0; i < N; i++) {
        struct frs_field rest = head;
        struct frs_separator separator = separator_of(separators[i], true);
        if (split_next(&rest, &separator, &fields) && fields.n > 1)
            return separator_of(separators[i], plain);
    }
    return separator_of(",", plain);
}

/* Numbers alone with both tabs and blanks between them ("1 2 5 TAB 1168799149"): runs of either separate. */
static bool mixes_blanks(struct frs_field head, const struct frs_separator *separator) {
    struct frs_separator blanks = frs_separator_of("blanks");
    struct frs_fields fields;
    double ignored;
    size_t n = fits(head, &blanks);
    if (*separator->text != '\t' || n <= fits(head, separator))
        return false;
    while (split_next(&head, &blanks, &fields))
        for (size_t i = 0; i < fields.n && i < FRS_FIELDS_MOST; i++)
            if (!frs_field_number(fields.at[i], &ignored))
                return false;
    return true;
}

static bool has_number(const struct frs_fields *fields) {
    double ignored;
    for (size_t i = 0; i < fields->n && i < FRS_FIELDS_MOST; i++)
        if (frs_field_number(fields->at[i], &ignored))
            return true;
    return false;
}

/* The first line names columns if it has no number and either a usual name or a number below it. */
static bool guess_header(
    struct frs_field head, const struct frs_separator *separator, const size_t by_name[FRS_COLUMNS]) {
    struct frs_fields first, second;
    if (!split_next(&head, separator, &first) || has_number(&first))
        return false;
    if (by_name[FRS_COLUMN_USER] != FRS_NO_COLUMN || by_name[FRS_COLUMN_ITEM] != FRS_NO_COLUMN)
        return true;
    return split_next(&head, separator, &second) && has_number(&second);
}

/* What a column holds in the lines of the head. A few lines that do not fit do not hide a column of times:
 * what becomes of them is the matter of reading. */
enum content { TEXTS, NUMBERS, LARGE_NUMBERS, USUAL_TIMES, DATES };

/* Seconds from 1992 to 2100, also in ms, µs and ns. */
static bool is_usual_time(double time) {
    return (time >= 7e8 && time < 4.1e9) || (time >= 7e11 && time < 4.1e12) ||
           (time >= 7e14 && time < 4.1e15) || (time >= 7e17 && time < 4.1e18) ||
           frs_time_class_of(time) == FRS_TIME_DIGITS;
}

static enum content content_of(struct frs_field head, const struct frs_separator *separator, size_t column) {
    struct frs_fields fields;
    size_t n = 0, n_numbers = 0, n_decimals = 0, n_dates = 0, n_large = 0, n_usual = 0;
    while (split_next(&head, separator, &fields)) {
        double value = 0;
        if (column >= fields.n || column >= FRS_FIELDS_MOST)
            return TEXTS;
        enum frs_time_kind kind = frs_time_read(fields.at[column], &value);
        n++;
        n_numbers += kind == FRS_TIME_NUMBER;
        n_dates += kind == FRS_TIME_DATE || kind == FRS_TIME_SLASHED;
        n_decimals += kind == FRS_TIME_NONE && frs_field_decimal(fields.at[column], &value);
        n_large += kind == FRS_TIME_NUMBER && value >= 1e8; /* 1973 */
        n_usual += kind == FRS_TIME_NUMBER && is_usual_time(value);
    }
    return n_dates > n / 2               ? DATES
           : n_usual > n / 2             ? USUAL_TIMES
           : n_large > n / 2             ? LARGE_NUMBERS
           : n_numbers + n_decimals == n ? NUMBERS
                                         : TEXTS;
}

/* Whether the first column counts the lines, so that it is no user. */
static bool counts_lines(struct frs_field head, const struct frs_separator *separator) {
    enum { ENOUGH_LINES = 10 };
    struct frs_fields fields;
    double last = 0, number;
    size_t n = 0;
    while (split_next(&head, separator, &fields)) {
        if (!frs_field_number(fields.at[0], &number) || (n > 0 && number != last + 1))
            return false;
        last = number;
        n++;
    }
    return n >= ENOUGH_LINES;
}

static bool is_code(struct frs_field field, size_t least, size_t most) {
    if (field.n < least || field.n > most)
        return false;
    for (size_t i = 0; i < field.n; i++)
        if (!((field.text[i] >= '0' && field.text[i] <= '9') ||
                (field.text[i] >= 'A' && field.text[i] <= 'Z')))
            return false;
    return true;
}

/* Some files of Amazon have the product before the reviewer: B00005N7P0,AH2IFH762VY5U,5.0,1005177600. */
static bool has_item_first(struct frs_field head, const struct frs_separator *separator) {
    struct frs_fields fields;
    size_t n = 0;
    while (split_next(&head, separator, &fields)) {
        char first = ' ';
        if (fields.at[0].n)
            first = *fields.at[0].text;
        if (fields.n < 2 || !is_code(fields.at[0], 10, 10) ||
            (first != 'B' && (first < '0' || first > '9')) || !is_code(fields.at[1], 12, 21) ||
            *fields.at[1].text != 'A')
            return false;
        n++;
    }
    return n > 0;
}

/* The largest size of a number in a column of the head. */
static double largest(struct frs_field head, const struct frs_separator *separator, size_t column) {
    struct frs_fields fields;
    double most = 0, number;
    while (split_next(&head, separator, &fields))
        if (column < fields.n && frs_field_decimal(fields.at[column], &number))
            most = fmax(most, fabs(number));
    return most;
}

/* The first one of several files is told. Frees `text`. */
static void note_first(struct frs_reading *reading, char *text) {
    if (reading->builder->rows->n == 0)
        frs_row_note(reading->builder, text);
    else
        free(text);
}

/* Where several columns of numbers may be the value, one beyond usual scales is not taken. */
static void doubt_value(struct frs_reading *reading, struct frs_layout *layout, size_t n_numbers) {
    enum { USUAL_SCALE = 10 };
    size_t value = layout->columns[FRS_COLUMN_VALUE];
    if (value == FRS_NO_COLUMN || n_numbers < 2 || is_given(reading->data, keys[FRS_COLUMN_VALUE]))
        return;
    double most = largest(reading->head, &layout->separator, value);
    if (most <= USUAL_SCALE)
        return;
    layout->columns[FRS_COLUMN_VALUE] = FRS_NO_COLUMN;
    note_first(reading,
        frs_format(
            "; column %zu is not taken for a rating: it has numbers up to %g, and %zu further columns have "
            "numbers (data.csv_value names the one of ratings)",
            value + 1, most, n_numbers - 1));
}

/* Without names: the user, the item (the third column where the second one is a date; before the user in
 * files of Amazon; both one further where the first column counts the lines), a third column of numbers may
 * be the value (guessed_values.h), and the first column behind the item of dates or of numbers that are usual
 * times is the time; without such a column it is the first one of numbers from 10^8 on. */
static void guess_positions(struct frs_reading *reading, struct frs_layout *layout) {
    const struct frs_separator *separator = &layout->separator;
    struct frs_field head = reading->head;
    size_t n = fits(head, separator), n_numbers = 0, large = FRS_NO_COLUMN;
    size_t *columns = layout->columns, first = n > 2 && counts_lines(head, separator);
    bool swapped = has_item_first(head, separator);
    columns[FRS_COLUMN_USER] = first + swapped;
    columns[FRS_COLUMN_ITEM] = first + !swapped;
    columns[FRS_COLUMN_VALUE] = columns[FRS_COLUMN_TIME] = FRS_NO_COLUMN;
    if (first)
        note_first(reading, frs_strdup("; column 1 counts the lines and is not the user"));
    if (n > first + 2 && content_of(head, separator, first + 1) == DATES &&
        content_of(head, separator, first + 2) != DATES) {
        columns[FRS_COLUMN_ITEM] = first + 2;
        columns[FRS_COLUMN_TIME] = first + 1;
        return;
    }
    for (size_t column = first + 2; column < n && column < FRS_FIELDS_MOST; column++) {
        enum content content = content_of(head, separator, column);
        if (content >= USUAL_TIMES && columns[FRS_COLUMN_TIME] == FRS_NO_COLUMN)
            columns[FRS_COLUMN_TIME] = column;
        if (content == LARGE_NUMBERS && large == FRS_NO_COLUMN)
            large = column;
        n_numbers += content == NUMBERS;
        if (column == first + 2 && content == NUMBERS)
            columns[FRS_COLUMN_VALUE] = column;
    }
    if (columns[FRS_COLUMN_TIME] == FRS_NO_COLUMN)
        columns[FRS_COLUMN_TIME] = large;
    layout->value_guessed = true;
    doubt_value(reading, layout, n_numbers);
}

/* Four or more columns of numbers from -100 to 100 behind the first, none of which has a heading that a table
 * of interactions has, for users of a line each. */
static bool looks_like_matrix(
    struct frs_field head, const struct frs_separator *separator, const struct frs_fields *names) {
    enum { LEAST_ITEMS = 4 };
    struct frs_fields fields;
    struct frs_ids users = {0};
    size_t n_lines = 0;
    bool is_matrix = names->n > LEAST_ITEMS && names->n <= FRS_FIELDS_MOST;
    for (size_t i = 1; i < names->n && is_matrix; i++)
        for (int column = 0; column < FRS_COLUMNS; column++)
            is_matrix = is_matrix && frs_column_named((enum frs_column)column, names->at[i]) == 0;
    (void)split_next(&head, separator, &fields);
    while (is_matrix && split_next(&head, separator, &fields)) {
        double number = 0;
        for (size_t i = 1; i < fields.n && is_matrix; i++)
            is_matrix = frs_field_decimal(fields.at[i], &number) && fabs(number) <= 100;
        (void)frs_ids_intern(&users, fields.at[0].text, fields.at[0].n);
        n_lines++;
    }
    is_matrix = is_matrix && n_lines > 1 && users.n == n_lines;
    frs_ids_fini(&users);
    return is_matrix;
}

static void guess(struct frs_reading *reading, struct frs_layout *layout) {
    const struct frs_values *data = reading->data;
    struct frs_field head = reading->head;
    struct frs_fields first;
    size_t by_name[FRS_COLUMNS] = {FRS_NO_COLUMN, FRS_NO_COLUMN, FRS_NO_COLUMN, FRS_NO_COLUMN};
    bool plain = !frs_values_bool(data, "csv_quotes");
    const struct frs_separator *separator = &layout->separator;
    if (!is_given(data, "csv_separator") && !reading->lines->said_separator)
        layout->separator = guess_separator(head, plain, !is_given(data, "csv_quotes"));
    if (!is_given(data, "csv_separator") && mixes_blanks(head, separator)) {
        layout->separator = frs_separator_of("blanks");
        note_first(
            reading, frs_strdup("; both tabs and blanks stand between numbers: runs of them separate"));
    }
    if (split_next(&head, separator, &first) && first.n <= FRS_FIELDS_MOST)
        frs_columns_by_name(first.at, first.n, by_name);
    bool header = is_given(data, "csv_header") ? frs_values_bool(data, "csv_header")
                                               : guess_header(reading->head, separator, by_name);
    layout->header = header ? FRS_HEADER_ALWAYS : FRS_HEADER_NEVER;
    if (!header) {
        guess_positions(reading, layout);
        return;
    }
    memcpy(layout->columns, by_name, sizeof by_name);
    layout->may_be_matrix =
        !is_given(data, "csv_item") && looks_like_matrix(reading->head, separator, &first);
    const bool given[2] = {is_given(data, "csv_user"), is_given(data, "csv_item")};
    char *note = frs_headings_choose(reading->head, separator, layout->columns, given);
    if (note)
        note_first(reading, note);
}

/* What Excel's line "sep=;" says. */
static struct frs_separator said_separator(char said, struct frs_separator otherwise) {
    static const char *const separators[] = {",", ";", "|", "tab"};
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        struct frs_separator separator = separator_of(separators[i], otherwise.plain_quotes);
        if (*separator.text == said)
            return separator;
    }
    return otherwise;
}

/* ---- both ---------------------------------------------------------------------------------------- */

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    const struct frs_values *data = reading->data;
    enum frs_status status = FRS_OK;
    *layout = (struct frs_layout){
        .min_value = -INFINITY, .max_value = INFINITY, .separator_key = "data.csv_separator"};
    const char *separator = frs_values_text(data, "csv_separator");
    if (!*separator || strpbrk(separator, "\"\r\n"))
        status = frs_values_error(data, "csv_separator", reading->errors,
            "must be one or more characters other than \" and line ends, tab or blanks");
    layout->header = frs_values_bool(data, "csv_header") ? FRS_HEADER_ALWAYS : FRS_HEADER_NEVER;
    layout->separator = separator_of(separator, !frs_values_bool(data, "csv_quotes"));
    layout->tells_unused = true;
    const char *where = frs_values_text(data, "csv_where"), *reason = frs_where_read(where, &layout->where);
    if (reason || strpbrk(where, "\"\\"))
        status = frs_values_error(data, "csv_where", reading->errors,
            "\"%s\" %s; allowed: a column by name or number, =, and one or more texts, as in \"behavior = "
            "buy, cart\"",
            where, reason ? reason : "has a quote or a backslash");
    if (reading->lines->said_separator && !is_given(data, "csv_separator"))
        layout->separator = said_separator(reading->lines->said_separator, layout->separator);
    if (reading->guessed && status == FRS_OK)
        guess(reading, layout);
    layout->guessed = reading->guessed;
    layout->value_guessed &= !is_given(data, keys[FRS_COLUMN_VALUE]);
    for (int column = 0; column < FRS_COLUMNS; column++) {
        if (reading->guessed && !is_given(data, keys[column]))
            continue;
        if (read_column(data, layout, (enum frs_column)column, reading->errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    }
    return status;
}

const struct frs_data_format frs_data_format_csv = {
    .name = "csv",
    .summary = "fields by a separator, in the columns that data.csv_user and so on name",
    .lay_out = lay_out,
};
