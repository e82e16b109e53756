#include "sim/base/files/csv.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/cells.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool frs_csv_error(struct frs_csv *csv, struct frs_errors *errors, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: %s", csv->path, csv->line, text);
    csv->failed = true;
    return false;
}

static bool is_blank(const struct frs_csv *csv, char c) {
    return c == ' ' || (c == '\t' && csv->separator != '\t');
}

static char *skip_blanks(const struct frs_csv *csv, char *text) {
    while (is_blank(csv, *text))
        text++;
    return text;
}

/* Trims the text that ends at `end`, in place; also removes the line end, of either kind. */
static char *trim(const struct frs_csv *csv, char *text, char *end) {
    text = skip_blanks(csv, text);
    while (end > text && (is_blank(csv, end[-1]) || end[-1] == '\r' || end[-1] == '\n'))
        end--;
    *end = '\0';
    return text;
}

/* The next line that is neither empty nor a comment, trimmed; NULL at the end or after an error. */
static char *next_line(struct frs_csv *csv, struct frs_errors *errors) {
    size_t length;
    enum frs_line found;
    while (errno = 0, (found = frs_input_line(csv->file, &csv->text, &csv->size, &length)) != FRS_LINE_NONE) {
        csv->line++;
        if (found == FRS_LINE_LONG) {
            frs_csv_error(csv, errors, "is longer than " FRS_INPUT_LINE_TEXT);
            return NULL;
        }
        if (strlen(csv->text) != length) {
            frs_csv_error(csv, errors, "has a zero byte; is this a text file?");
            return NULL;
        }
        char *line = trim(csv, csv->text, csv->text + length);
        bool in_front = csv->is_table && !csv->names; /* of the data */
        if (*line && *line != '#' && !(in_front && frs_cell_is_comment(line, strlen(line))))
            return line;
    }
    if (ferror(csv->file)) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", csv->path, strerror(errno));
        csv->failed = true;
    }
    return NULL;
}

/* Removes the quotes of a field in place and returns what follows the field; NULL where no quote ends it. */
static char *unquote(char *field) {
    char *from = field + 1, *to = field;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        *to++ = *from;
    }
    if (!*from)
        return NULL;
    *to = '\0';
    return from + 1;
}

/* What is left of a field from here on; *rest moves behind the separator, or becomes NULL behind the last. */
static char *end_field(const struct frs_csv *csv, char *from, char **rest) {
    char *separator = strchrnul(from, csv->separator);
    *rest = *separator ? separator + 1 : NULL;
    const char *field = trim(csv, from, separator);
    size_t n = strlen(field);
    frs_cell_trim(&field, &n);
    from += field - from;
    from[n] = '\0';
    return from;
}

/* ---- decimal commas -------------------------------------------------------------------------- */

/* Notes how a number of a table is written, and gives it a point. */
static void take_decimal(struct frs_csv *csv, char *field) {
    size_t comma = frs_decimal_marks_take(&csv->marks, field, strlen(field), csv->line);
    if (comma != SIZE_MAX)
        field[comma] = '.';
}

bool frs_csv_decimal(struct frs_csv *csv, size_t column, double *value) {
    if (csv->is_table)
        take_decimal(csv, csv->fields[column]);
    return frs_decimal_is(csv->fields[column], value);
}

/* At the end of a table: whether its commas are those of decimals. */
static void settle_decimals(struct frs_csv *csv, struct frs_errors *errors) {
    char text[224];
    const char *wrong = frs_decimal_marks_wrong(&csv->marks, text);
    if (!wrong)
        return;
    csv->line = csv->marks.comma_line;
    csv->marks = (struct frs_decimal_marks){0}; /* said once, also to a caller that reads on */
    frs_csv_error(csv, errors, "%s", wrong);
}

const char *frs_csv_layout(const struct frs_csv *csv) {
    bool commas = csv->marks.comma_line > 0;
    switch (csv->separator) {
    case ';':
        return commas ? "separated by semicolons, with decimal commas" : "separated by semicolons";
    case '\t':
        return commas ? "separated by tabs, with decimal commas" : "separated by tabs";
    default:
        return commas ? "with decimal commas" : "";
    }
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* What separates the fields of a table whose first line this is. */
static char separator_of(const char *line) {
    size_t n[128] = {0};
    bool in_quotes = false;
    for (; *line; line++) {
        in_quotes ^= *line == '"';
        if (!in_quotes && (unsigned char)*line < sizeof n / sizeof *n)
            n[(unsigned char)*line]++;
    }
    /* In a line of numbers, fewer semicolons than decimal commas would not be three columns. */
    if (n[';'] > 0 && n[';'] >= n[','])
        return ';';
    return n[','] == 0 && n['\t'] > 0 ? '\t' : ',';
}

static bool take_field(struct frs_csv *csv, char **rest, struct frs_errors *errors) {
    char *field = skip_blanks(csv, *rest);
    if (*field != '"') {
        csv->fields[csv->n_fields++] = end_field(csv, field, rest);
        return true;
    }
    char *behind = unquote(field);
    if (!behind)
        return frs_csv_error(csv, errors, "a quote is not closed on its line");
    csv->fields[csv->n_fields++] = field;
    return !*end_field(csv, behind, rest) ||
           frs_csv_error(csv, errors, "has something between a closing quote and the next %s",
               csv->separator == ','   ? "comma"
               : csv->separator == ';' ? "semicolon"
                                       : "tab");
}

static bool split(struct frs_csv *csv, char *line, struct frs_errors *errors) {
    csv->n_fields = 0;
    while (line) {
        csv->fields = frs_grow(csv->fields, csv->n_fields + 1, &csv->capacity, sizeof *csv->fields);
        if (!take_field(csv, &line, errors))
            return false;
    }
    return true;
}

static bool is_header(const struct frs_csv *csv, const char *header) {
    for (size_t i = 0; i < csv->n_columns; i++) {
        size_t length = strcspn(header, ",");
        if (strlen(csv->names[i]) != length || strncmp(csv->names[i], header, length) != 0)
            return false;
        header += length + (header[length] == ',');
        if (!*header && i + 1 < csv->n_columns)
            return false;
    }
    return !*header;
}

/* `expected`: what the first line has to be, for a file without one. */
static bool open_named(
    struct frs_csv *csv, const char *path, bool is_table, const char *expected, struct frs_errors *errors) {
    *csv = (struct frs_csv){.path = path, .is_table = is_table, .separator = ','};
    const char *reason = frs_input_open(path, &csv->file);
    if (reason) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, reason);
        csv->failed = true;
        return false;
    }
    char *line = next_line(csv, errors);
    bool is_said =
        is_table && line && strlen(line) == 5 && strncmp(line, "sep=", 4) == 0 && strchr(",;", line[4]);
    if (is_said) {
        csv->separator = line[4];
        line = next_line(csv, errors);
    }
    if (!line) {
        if (!csv->failed)
            frs_errors_add(
                errors, FRS_ERR_INPUT, "%s: is empty; the first line has to be %s", path, expected);
        csv->failed = true;
        return false;
    }
    if (is_table && !is_said)
        csv->separator = separator_of(line);
    if (!split(csv, line, errors))
        return false;
    csv->n_columns = csv->n_fields;
    csv->names = frs_alloc(csv->n_columns, sizeof *csv->names);
    for (size_t i = 0; i < csv->n_columns; i++)
        csv->names[i] = frs_strdup(csv->fields[i]);
    return true;
}

bool frs_csv_open(struct frs_csv *csv, const char *path, const char *const *headers, size_t *header,
    struct frs_errors *errors) {
    if (!open_named(csv, path, true, headers[0], errors))
        return false;
    for (size_t i = 0; headers[i]; i++)
        if (is_header(csv, headers[i])) {
            *header = i;
            return true;
        }
    char allowed[256] = "";
    for (size_t i = 0; headers[i]; i++)
        snprintf(
            allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", i ? " or " : "", headers[i]);
    return frs_csv_error(csv, errors, "does not name the columns; the first line has to be %s", allowed);
}

static bool check_names(struct frs_csv *csv, struct frs_errors *errors) {
    char line[64];
    for (size_t i = 1; i < csv->n_columns; i++)
        for (size_t before = 0; before < i; before++)
            if (strcmp(csv->names[before], csv->names[i]) == 0)
                return frs_csv_error(csv, errors, "names the column \"%s\" twice",
                    frs_text_line(csv->names[i], line, sizeof line));
    return true;
}

bool frs_csv_open_any(struct frs_csv *csv, const char *path, struct frs_errors *errors) {
    return open_named(csv, path, false, "the names of its columns", errors) && check_names(csv, errors);
}

bool frs_csv_open_table(struct frs_csv *csv, const char *path, struct frs_errors *errors) {
    return open_named(csv, path, true, "the names of its columns", errors) && check_names(csv, errors);
}

bool frs_csv_open_unnamed(
    struct frs_csv *csv, const char *path, const char *name, bool *is_named, struct frs_errors *errors) {
    *is_named = false;
    if (!open_named(csv, path, true, "the names of its columns", errors))
        return false;
    for (size_t i = 0; i < csv->n_columns; i++)
        *is_named = *is_named || strcmp(csv->names[i], name) == 0;
    csv->unread = !*is_named;
    return !*is_named || check_names(csv, errors);
}

bool frs_csv_next(struct frs_csv *csv, struct frs_errors *errors) {
    if (csv->failed)
        return false;
    if (csv->unread) {
        csv->unread = false;
        return true;
    }
    char *line = next_line(csv, errors);
    if (!line && !csv->failed && csv->is_table)
        settle_decimals(csv, errors);
    if (!line || !split(csv, line, errors))
        return false;
    return csv->n_fields == csv->n_columns ||
           frs_csv_error(csv, errors, "has another number of fields than %zu", csv->n_columns);
}

bool frs_csv_number(
    struct frs_csv *csv, size_t column, const char *name, double *value, struct frs_errors *errors) {
    double number;
    char line[48];
    if (!frs_csv_decimal(csv, column, &number))
        return frs_csv_error(csv, errors, "%s \"%s\" is not a number", name,
            frs_text_line(csv->fields[column], line, sizeof line));
    *value = number;
    return true;
}

void frs_csv_close(struct frs_csv *csv) {
    for (size_t i = 0; csv->names && i < csv->n_columns; i++)
        free(csv->names[i]);
    free(csv->names);
    free(csv->fields);
    if (csv->file)
        fclose(csv->file);
    free(csv->text);
    *csv = (struct frs_csv){0};
}
