#include "analysis/read/records.h"
#include "analysis/read/files.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ends the line at `text` with a zero; returns where the next one starts. */
static char *end_line(char *text) {
    char *end = text + strcspn(text, "\n"), *next = *end ? end + 1 : end;
    if (end > text && end[-1] == '\r')
        end[-1] = '\0';
    *end = '\0';
    return next;
}

/* Ends the field at *text with a zero; *text moves to the next one, or becomes NULL. */
static const char *next_field(char **text) {
    char *field = *text, *comma = strchr(field, ',');
    if (comma)
        *comma++ = '\0';
    *text = comma;
    return field;
}

static void split_header(struct frs_records *records, char *line) {
    while (line) {
        records->names =
            frs_grow(records->names, records->n_columns + 1, &records->name_capacity, sizeof *records->names);
        records->names[records->n_columns++] = next_field(&line);
    }
}

static enum frs_status split_row(struct frs_records *records, char *line, struct frs_errors *errors) {
    size_t n = 0, start = records->n * records->n_columns;
    records->fields =
        frs_grow(records->fields, start + records->n_columns, &records->capacity, sizeof *records->fields);
    for (; line && n < records->n_columns; n++)
        records->fields[start + n] = next_field(&line);
    if (n < records->n_columns || line)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s:%zu: has %s fields than the first line, which has %zu", records->path, records->n + 2,
            line ? "more" : "fewer", records->n_columns);
    records->n++;
    return FRS_OK;
}

enum frs_status frs_records_read(const char *path, struct frs_records *records, struct frs_errors *errors) {
    *records = (struct frs_records){0};
    char *text;
    enum frs_status status = frs_contents_read(path, &text, errors);
    if (status != FRS_OK)
        return status;
    records->text = text;
    records->path = frs_strdup(path);
    if (!*text)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: is empty", path);
    char *next = end_line(text);
    split_header(records, text);
    while (status == FRS_OK && *next) {
        char *line = next;
        next = end_line(line);
        status = split_row(records, line, errors);
    }
    if (status != FRS_OK)
        frs_records_fini(records);
    return status;
}

void frs_records_fini(struct frs_records *records) {
    free(records->path);
    free(records->text);
    free(records->names);
    free(records->fields);
    *records = (struct frs_records){0};
}

enum frs_status frs_records_column(
    const struct frs_records *records, const char *name, size_t *column, struct frs_errors *errors) {
    for (*column = 0; *column < records->n_columns; ++*column)
        if (strcmp(records->names[*column], name) == 0)
            return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no column \"%s\"", records->path, name);
}

const char *frs_records_field(const struct frs_records *records, size_t row, size_t column) {
    return records->fields[row * records->n_columns + column];
}

enum frs_status frs_records_number(
    const struct frs_records *records, size_t row, size_t column, double *value, struct frs_errors *errors) {
    const char *field = frs_records_field(records, row, column);
    char *end, line[48];
    *value = NAN;
    if (!*field)
        return FRS_OK;
    *value = strtod(field, &end);
    if (*end || !isfinite(*value))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: %s \"%s\" is not a number", records->path,
            row + 2, records->names[column], frs_text_line(field, line, sizeof line));
    return FRS_OK;
}
