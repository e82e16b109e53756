#include "analysis/read/records.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Copies texts into kept[n]. */
static void keep(struct frs_records *records, char *const *texts, size_t n, const char **kept) {
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += strlen(texts[i]) + 1;
    char *to = frs_arena_take(&records->texts, bytes, 1);
    for (size_t i = 0; i < n; i++) {
        kept[i] = to;
        to = stpcpy(to, texts[i]) + 1;
    }
}

static void add_row(struct frs_records *records, const struct frs_csv *csv) {
    size_t start = records->n * records->n_columns;
    records->fields =
        frs_grow(records->fields, start + records->n_columns, &records->capacity, sizeof *records->fields);
    records->lines =
        frs_grow(records->lines, records->n + 1, &records->line_capacity, sizeof *records->lines);
    keep(records, csv->fields, records->n_columns, records->fields + start);
    records->lines[records->n++] = csv->line;
}

enum frs_status frs_records_read(const char *path, struct frs_records *records, struct frs_errors *errors) {
    struct frs_csv csv;
    *records = (struct frs_records){.path = frs_strdup(path)};
    if (frs_csv_open_any(&csv, path, errors)) {
        records->n_columns = csv.n_columns;
        records->names = frs_alloc(csv.n_columns, sizeof *records->names);
        keep(records, csv.names, csv.n_columns, records->names);
        while (frs_csv_next(&csv, errors))
            add_row(records, &csv);
    }
    bool failed = csv.failed;
    frs_csv_close(&csv);
    if (failed)
        frs_records_fini(records);
    return failed ? FRS_ERR_INPUT : FRS_OK;
}

void frs_records_fini(struct frs_records *records) {
    frs_arena_fini(&records->texts);
    free(records->path);
    free(records->names);
    free(records->fields);
    free(records->lines);
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
    char line[48];
    *value = NAN;
    if (!*field || frs_csv_is_number(field, value))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: %s \"%s\" is not a number", records->path,
        records->lines[row], records->names[column], frs_text_line(field, line, sizeof line));
}
