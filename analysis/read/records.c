#include "analysis/read/records.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The columns that are kept. */
struct choice {
    size_t *columns, n;
};

static bool is_any(const void *context, const char *name) {
    (void)context, (void)name;
    return true;
}

/* A row: where each of its fields begins, and their texts one after the other. */
struct frs_record {
    size_t line; /* of the file */
    uint32_t starts[];
};

static char *texts_of(const struct frs_records *records, struct frs_record *row) {
    return (char *)(row->starts + records->n_columns);
}

static void keep_names(struct frs_records *records, const struct frs_csv *csv, const struct choice *choice) {
    records->names = frs_alloc(choice->n, sizeof *records->names);
    for (size_t i = 0; i < choice->n; i++) {
        const char *name = csv->names[choice->columns[i]];
        records->names[i] = strcpy(frs_arena_take_packed(&records->arena, strlen(name) + 1), name);
    }
}

static void add_row(struct frs_records *records, const struct frs_csv *csv, const struct choice *choice) {
    size_t bytes = 0, at = 0;
    for (size_t i = 0; i < choice->n; i++)
        bytes += strlen(csv->fields[choice->columns[i]]) + 1;
    FRS_INVARIANT(bytes <= UINT32_MAX, "a line of %zu characters", bytes);
    struct frs_record *row =
        frs_arena_take_packed(&records->arena, sizeof *row + choice->n * sizeof *row->starts + bytes);
    row->line = csv->line;
    for (size_t i = 0; i < choice->n; i++) {
        const char *field = csv->fields[choice->columns[i]];
        row->starts[i] = (uint32_t)at;
        at += (size_t)(stpcpy(texts_of(records, row) + at, field) + 1 - (texts_of(records, row) + at));
    }
    records->rows = frs_grow(records->rows, records->n + 1, &records->capacity, sizeof(struct frs_record *));
    records->rows[records->n++] = row;
}

enum frs_status frs_records_read_columns(const char *path,
    bool (*wanted)(const void *context, const char *name), const void *context, struct frs_records *records,
    struct frs_errors *errors) {
    struct frs_csv csv;
    struct choice choice = {0};
    *records = (struct frs_records){.path = frs_strdup(path)};
    if (frs_csv_open_any(&csv, path, errors)) {
        choice.columns = frs_alloc(csv.n_columns, sizeof *choice.columns);
        for (size_t i = 0; i < csv.n_columns; i++)
            if (wanted(context, csv.names[i]))
                choice.columns[choice.n++] = i;
        records->n_columns = choice.n;
        keep_names(records, &csv, &choice);
        while (frs_csv_next(&csv, errors))
            add_row(records, &csv, &choice);
    }
    bool failed = csv.failed;
    free(choice.columns);
    frs_csv_close(&csv);
    if (failed)
        frs_records_fini(records);
    return failed ? FRS_ERR_INPUT : FRS_OK;
}

enum frs_status frs_records_read(const char *path, struct frs_records *records, struct frs_errors *errors) {
    return frs_records_read_columns(path, is_any, NULL, records, errors);
}

void frs_records_fini(struct frs_records *records) {
    frs_arena_fini(&records->arena);
    free(records->path);
    free(records->names);
    free(records->rows);
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
    struct frs_record *record = records->rows[row];
    return texts_of(records, record) + record->starts[column];
}

size_t frs_records_line(const struct frs_records *records, size_t row) {
    return records->rows[row]->line;
}

enum frs_status frs_records_number(
    const struct frs_records *records, size_t row, size_t column, double *value, struct frs_errors *errors) {
    const char *field = frs_records_field(records, row, column);
    char line[48];
    *value = NAN;
    if (!*field || frs_decimal_is(field, value))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: %s \"%s\" is not a number", records->path,
        frs_records_line(records, row), records->names[column], frs_text_line(field, line, sizeof line));
}

enum frs_status frs_records_numbers(
    const struct frs_records *records, const char *name, double **values, struct frs_errors *errors) {
    size_t column;
    enum frs_status status = frs_records_column(records, name, &column, errors);
    *values = frs_alloc(records->n + 1, sizeof **values);
    for (size_t i = 0; i < records->n && status == FRS_OK; i++)
        status = frs_records_number(records, i, column, &(*values)[i], errors);
    return status;
}
