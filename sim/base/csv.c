#include "sim/base/csv.h"
#include "sim/base/input.h"
#include "sim/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
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

/* In place; also takes the line end, of either kind. */
static char *trim(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* The next line that is neither empty nor a comment, trimmed; NULL at the end or after an error. */
static char *next_line(struct frs_csv *csv, struct frs_errors *errors) {
    ssize_t length;
    while (errno = 0, (length = getline(&csv->text, &csv->size, csv->file)) >= 0) {
        csv->line++;
        if (strlen(csv->text) != (size_t)length) {
            frs_csv_error(csv, errors, "has a zero byte; is this a text file?");
            return NULL;
        }
        char *line = trim(csv->text);
        if (*line && *line != '#')
            return line;
    }
    if (ferror(csv->file)) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", csv->path, strerror(errno));
        csv->failed = true;
    }
    return NULL;
}

/* Number of fields, or one more than there can be. */
static size_t split(struct frs_csv *csv, char *line) {
    size_t n = 0;
    for (char *field; (field = strsep(&line, ",")); n++) {
        if (n == FRS_CSV_COLUMNS)
            return n + 1;
        csv->fields[n] = trim(field);
    }
    return n;
}

static bool is_header(const struct frs_csv *csv, size_t n, const char *header) {
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(header, ",");
        if (strlen(csv->fields[i]) != length || strncmp(csv->fields[i], header, length) != 0)
            return false;
        header += length + (header[length] == ',');
        if (!*header && i + 1 < n)
            return false;
    }
    return !*header;
}

bool frs_csv_open(struct frs_csv *csv, const char *path, const char *const *headers, size_t *header,
    struct frs_errors *errors) {
    *csv = (struct frs_csv){.path = path};
    const char *reason = frs_input_open(path, &csv->file);
    if (reason) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, reason);
        csv->failed = true;
        return false;
    }
    char *line = next_line(csv, errors);
    if (!line) {
        if (!csv->failed)
            frs_errors_add(
                errors, FRS_ERR_INPUT, "%s: is empty; the first line has to be %s", path, headers[0]);
        csv->failed = true;
        return false;
    }
    csv->n_columns = split(csv, line);
    for (size_t i = 0; headers[i]; i++)
        if (csv->n_columns <= FRS_CSV_COLUMNS && is_header(csv, csv->n_columns, headers[i])) {
            *header = i;
            return true;
        }
    char allowed[256] = "";
    for (size_t i = 0; headers[i]; i++)
        snprintf(
            allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", i ? " or " : "", headers[i]);
    return frs_csv_error(csv, errors, "does not name the columns; the first line has to be %s", allowed);
}

bool frs_csv_next(struct frs_csv *csv, struct frs_errors *errors) {
    if (csv->failed)
        return false;
    char *line = next_line(csv, errors);
    if (!line)
        return false;
    size_t n = split(csv, line);
    if (n == csv->n_columns)
        return true;
    return frs_csv_error(csv, errors,
        n > FRS_CSV_COLUMNS ? "has too many fields instead of %zu" : "has another number of fields than %zu",
        csv->n_columns);
}

bool frs_csv_number(
    struct frs_csv *csv, size_t column, const char *name, double *value, struct frs_errors *errors) {
    const char *field = csv->fields[column];
    char *end, line[48];
    double number = strtod(field, &end);
    bool decimal = *field && strchr("0123456789.+-", *field) && !strpbrk(field, "xXnN");
    if (!decimal || end == field || *end || !isfinite(number))
        return frs_csv_error(
            csv, errors, "%s \"%s\" is not a number", name, frs_text_line(field, line, sizeof line));
    *value = number;
    return true;
}

void frs_csv_close(struct frs_csv *csv) {
    if (csv->file)
        fclose(csv->file);
    free(csv->text);
    *csv = (struct frs_csv){0};
}
