#include "algorithms/data/parse.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "algorithms/data/ids.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ERRORS 5
#define MAX_FIELDS 1024 /* of one line; further ones are not read */
#define MAX_ROWS (UINT32_MAX - 1)

struct field {
    const char *text;
    size_t n;
};

struct parser {
    struct frs_format format; /* columns resolved */
    size_t n_needed;          /* fields a line must have */
    size_t separator_length;
    const char *path;
    size_t line;
    struct field *fields;
    size_t n_fields, capacity;
    struct frs_ids users, items;
    struct frs_rows *rows;
    struct frs_errors *errors;
    size_t n_errors;
    bool hopeless; /* nothing below this line can be read either */
};

static const char *const column_names[FRS_COLUMNS] = {"user id", "item id", "rating", "time"};

/* A field for a message: at most 40 characters, unprintable ones as '?'. */
static const char *show(struct field field, char text[48]) {
    size_t n = field.n < 40 ? field.n : 40;
    for (size_t i = 0; i < n; i++)
        text[i] = (char)(field.text[i] >= ' ' && field.text[i] <= '~' ? field.text[i] : '?');
    strcpy(text + n, n < field.n ? "..." : "");
    return text;
}

static const char *separator_name(const struct frs_format *format) {
    return strcmp(format->separator, "\t") == 0 ? "tab" : format->separator;
}

static void fail(struct parser *parser, const char *what) {
    parser->n_errors++;
    (void)!frs_errors_add(parser->errors, FRS_ERR_INPUT, "%s:%zu: %s", parser->path, parser->line, what);
}

static void fail_field(struct parser *parser, enum frs_column column, const char *problem) {
    char shown[48], what[256];
    snprintf(what, sizeof what, "%s \"%s\" %s", column_names[column],
        show(parser->fields[parser->format.columns[column]], shown), problem);
    fail(parser, what);
}

static bool blank(char character) {
    return character == ' ' || character == '\t';
}

static void add_field(struct parser *parser, const char *begin, const char *end) {
    while (begin < end && blank(*begin))
        begin++;
    while (end > begin && blank(end[-1]))
        end--;
    parser->fields =
        frs_grow(parser->fields, parser->n_fields + 1, &parser->capacity, sizeof *parser->fields);
    parser->fields[parser->n_fields++] = (struct field){begin, (size_t)(end - begin)};
}

static const char *find_separator(const struct parser *parser, const char *begin, const char *end) {
    if (parser->separator_length == 1)
        return memchr(begin, *parser->format.separator, (size_t)(end - begin));
    return memmem(begin, (size_t)(end - begin), parser->format.separator, parser->separator_length);
}

/* Returns the end of a quoted field that starts at `begin`: its closing quote, or NULL. Doubled quotes
 * stay as they are. */
static const char *closing_quote(const char *begin, const char *end) {
    for (const char *at = begin + 1; at < end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == end || at[1] != '"')
            return at;
        at++;
    }
    return NULL;
}

/* Splits one line; fields beyond the ones needed are counted only where their number is fixed. */
static bool split(struct parser *parser, const char *begin, const char *end) {
    parser->n_fields = 0;
    for (;;) {
        const char *quote = begin < end && *begin == '"' ? closing_quote(begin, end) : NULL;
        if (begin < end && *begin == '"' && !quote) {
            fail(parser, "a double quote is never closed on this line");
            return false;
        }
        const char *next = find_separator(parser, quote ? quote : begin, end);
        if (quote)
            add_field(parser, begin + 1, quote);
        else
            add_field(parser, begin, next ? next : end);
        bool enough =
            parser->format.n_fields == 0 && parser->n_needed && parser->n_fields == parser->n_needed;
        if (!next || enough || parser->n_fields == MAX_FIELDS)
            return true;
        begin = next + parser->separator_length;
    }
}

/* A finite decimal number that fills the field. Hexadecimal numbers, "nan" and "inf" are refused. */
static bool number_of(struct field field, double *number) {
    char text[64];
    if (field.n >= sizeof text || memchr(field.text, '\0', field.n))
        return false;
    memcpy(text, field.text, field.n);
    text[field.n] = '\0';
    return frs_decimal_is(text, number);
}

static bool check_id(struct parser *parser, enum frs_column column) {
    struct field field = parser->fields[parser->format.columns[column]];
    int64_t ignored;
    if (field.n == 0)
        fail_field(parser, column, "is empty; every line needs one");
    else if (parser->format.ids_are_numbers && !frs_ids_is_number(field.text, field.n, &ignored))
        fail_field(parser, column, "is not an integer; expected up to 18 digits without leading zeros");
    else if (memchr(field.text, '\0', field.n))
        fail_field(parser, column, "contains a NUL byte; expected text");
    else
        return true;
    return false;
}

static const char *value_range(const struct frs_format *format, char text[64]) {
    if (isinf(format->min_value))
        strcpy(text, "a decimal number");
    else if (isinf(format->max_value))
        snprintf(text, 64, "a number of at least %g", format->min_value);
    else
        snprintf(text, 64, "a number from %g to %g", format->min_value, format->max_value);
    return text;
}

static bool parse_value(struct parser *parser, double *value) {
    *value = 1;
    const struct frs_format *format = &parser->format;
    if (format->columns[FRS_COLUMN_VALUE] == FRS_NO_COLUMN)
        return true;
    bool number = number_of(parser->fields[format->columns[FRS_COLUMN_VALUE]], value);
    if (number && *value >= format->min_value && *value <= format->max_value && isfinite((float)*value))
        return true;
    char range[64], problem[128];
    snprintf(problem, sizeof problem, "is %s; expected %s", number ? "out of range" : "not a finite number",
        value_range(format, range));
    fail_field(parser, FRS_COLUMN_VALUE, problem);
    return false;
}

static bool parse_time(struct parser *parser, double *time) {
    *time = 0;
    size_t column = parser->format.columns[FRS_COLUMN_TIME];
    if (column == FRS_NO_COLUMN || number_of(parser->fields[column], time))
        return true;
    fail_field(parser, FRS_COLUMN_TIME, "is not a finite number; expected seconds, larger is newer");
    return false;
}

static bool check_fields(struct parser *parser) {
    const struct frs_format *format = &parser->format;
    if (parser->n_fields >= parser->n_needed && (!format->n_fields || parser->n_fields == format->n_fields))
        return true;
    char what[160];
    snprintf(what, sizeof what, "found %zu field%s; expected %s%zu, separated by %s%s", parser->n_fields,
        parser->n_fields == 1 ? "" : "s", format->n_fields ? "" : "at least ", parser->n_needed,
        separator_name(format), format->n_fields ? "" : " (data.csv_separator)");
    fail(parser, what);
    return false;
}

static void add_row(struct parser *parser, float value, double time) {
    struct frs_rows *rows = parser->rows;
    bool timed = parser->format.columns[FRS_COLUMN_TIME] != FRS_NO_COLUMN;
    struct field user = parser->fields[parser->format.columns[FRS_COLUMN_USER]];
    struct field item = parser->fields[parser->format.columns[FRS_COLUMN_ITEM]];
    frs_rows_reserve(rows, rows->n + 1, timed);
    rows->users[rows->n] = frs_ids_intern(&parser->users, user.text, user.n);
    rows->items[rows->n] = frs_ids_intern(&parser->items, item.text, item.n);
    rows->values[rows->n] = value;
    if (timed)
        rows->times[rows->n] = time;
    rows->n++;
}

static void parse_row(struct parser *parser) {
    double value, time;
    if (!check_fields(parser) || !check_id(parser, FRS_COLUMN_USER) || !check_id(parser, FRS_COLUMN_ITEM) ||
        !parse_value(parser, &value) || !parse_time(parser, &time))
        return;
    if (parser->rows->n == MAX_ROWS) {
        fail(parser, "more than 4,294,967,294 interactions; expected fewer");
        parser->hopeless = true;
        return;
    }
    add_row(parser, (float)value, time);
}

/* "user, item, rating": as many as there is room for. */
static void list_columns(const struct parser *parser, char *text, size_t size) {
    *text = '\0';
    for (size_t i = 0, n = 0; i < parser->n_fields && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%.*s", i ? ", " : "",
            parser->fields[i].n < 100 ? (int)parser->fields[i].n : 100, parser->fields[i].text);
}

/* Finds the columns given by name. */
static void resolve_names(struct parser *parser) {
    for (int column = 0; column < FRS_COLUMNS; column++) {
        const char *name = parser->format.names[column];
        for (size_t i = 0; name && i < parser->n_fields; i++) {
            struct field field = parser->fields[i];
            if (strlen(name) == field.n && memcmp(name, field.text, field.n) == 0)
                parser->format.columns[column] = i;
        }
        if (!name || parser->format.columns[column] != FRS_NO_COLUMN)
            continue;
        char what[512];
        int n = snprintf(what, sizeof what,
            "the header has no column \"%.100s\" (for the %s); allowed: ", name, column_names[column]);
        list_columns(parser, what + n, sizeof what - (size_t)n);
        fail(parser, what);
        parser->hopeless = true;
    }
}

/* A line of data that is taken for a header would be lost without a word. */
static void check_header(struct parser *parser) {
    double ignored;
    for (size_t i = 0; i < parser->n_fields; i++)
        if (!number_of(parser->fields[i], &ignored))
            return;
    fail(parser, "the header has numbers alone, like a line of data; allowed: names of columns, or "
                 "data.csv_header = false where there is no header");
    parser->hopeless = true;
}

static void count_needed(struct parser *parser) {
    parser->n_needed = 0;
    for (int column = 0; column < FRS_COLUMNS; column++) {
        size_t at = parser->format.columns[column];
        if (at != FRS_NO_COLUMN && at + 1 > parser->n_needed)
            parser->n_needed = at + 1;
    }
}

/* Whether the line just split is the header. */
static bool is_header(const struct parser *parser) {
    double ignored;
    if (parser->format.header != FRS_HEADER_MAYBE)
        return parser->format.header == FRS_HEADER_ALWAYS;
    for (size_t i = 0; i < parser->n_fields; i++)
        if (number_of(parser->fields[i], &ignored))
            return false;
    return true;
}

static void parse_line(struct parser *parser, const char *begin, const char *end, bool *first) {
    if (end > begin && end[-1] == '\r')
        end--;
    const char *content = begin;
    while (content < end && blank(*content))
        content++;
    if (content == end)
        return;
    bool was_first = *first;
    *first = false;
    if (!split(parser, begin, end)) {
        parser->hopeless |= was_first;
        return;
    }
    if (was_first && is_header(parser)) {
        check_header(parser);
        resolve_names(parser);
    } else
        parse_row(parser);
    if (was_first)
        count_needed(parser);
}

static void parse_lines(struct parser *parser, const char *text, size_t n) {
    const char *at = text, *end = text + n;
    bool first = true;
    if (n >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end && parser->n_errors < MAX_ERRORS && !parser->hopeless) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        parser->line++;
        parse_line(parser, at, stop ? stop : end, &first);
        if (!stop)
            break;
        at = stop + 1;
    }
    if (parser->n_errors == 0 && parser->rows->n == 0)
        fail(parser, "the file ends without an interaction; expected one per line");
    if (parser->n_errors >= MAX_ERRORS)
        fail(parser, "too many errors in this file; the rest was not read");
}

static void make_dense(struct frs_ids *ids, uint32_t *indices, size_t n, uint32_t *count) {
    uint32_t *dense = frs_ids_order(ids);
    for (size_t i = 0; i < n; i++)
        indices[i] = dense[indices[i]];
    *count = (uint32_t)ids->n;
    free(dense);
}

enum frs_status frs_parse_rows(const struct frs_format *format, const char *path, const char *text, size_t n,
    struct frs_rows *rows, struct frs_errors *errors) {
    struct parser parser = {
        .format = *format,
        .path = path,
        .separator_length = strlen(format->separator),
        .rows = rows,
        .errors = errors,
    };
    *rows = (struct frs_rows){0};
    if (format->header != FRS_HEADER_ALWAYS)
        count_needed(&parser);
    parse_lines(&parser, text, n);
    make_dense(&parser.users, rows->users, rows->n, &rows->n_users);
    make_dense(&parser.items, rows->items, rows->n, &rows->n_items);
    frs_ids_fini(&parser.users);
    frs_ids_fini(&parser.items);
    free(parser.fields);
    if (parser.n_errors == 0)
        return FRS_OK;
    frs_rows_fini(rows);
    return FRS_ERR_INPUT;
}
