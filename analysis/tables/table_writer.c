/* Rows that go into a table of the store, into a CSV file, or into both. */
#include "analysis/read/files.h"
#include "analysis/tables/store.h"
#include "analysis/tables/store_internal.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct frs_sheet {
    struct frs_store *store; /* or NULL */
    sqlite3_stmt *insert;
    struct frs_draft csv; /* csv.file is NULL without one */
    size_t n_columns, column;
};

/* Names that differ only in case are one for SQLite. */
static char **distinct_names(const struct frs_sheet_column *columns, size_t n) {
    char **names = frs_alloc(n, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        bool taken = false;
        for (size_t k = 0; k < n && !taken; k++)
            taken = k != i && strcasecmp(columns[k].name, columns[i].name) == 0;
        names[i] = taken && strcmp(columns[i].type, "TEXT") == 0 ? frs_format("axis %s", columns[i].name)
                                                                 : frs_strdup(columns[i].name);
    }
    return names;
}

static void put_text(FILE *out, const char *text) {
    char *field = frs_quoted_csv(text);
    fputs(field, out);
    free(field);
}

static void write_head(struct frs_sheet *sheet, char **names) {
    for (size_t i = 0; i < sheet->n_columns; i++) {
        if (i > 0)
            fputc(',', sheet->csv.file);
        put_text(sheet->csv.file, names[i]);
    }
    fputc('\n', sheet->csv.file);
}

struct frs_sheet *frs_sheet_create(struct frs_store *store, const char *table, const char *path,
    const struct frs_sheet_column *columns, struct frs_errors *errors) {
    struct frs_sheet *sheet = frs_alloc(1, sizeof *sheet);
    if (path && frs_draft_open(&sheet->csv, path, errors) != FRS_OK) {
        free(sheet);
        return NULL;
    }
    while (columns[sheet->n_columns].name)
        sheet->n_columns++;
    char **names = distinct_names(columns, sheet->n_columns);
    if (path)
        write_head(sheet, names);
    if (store) {
        sheet->store = store;
        sheet->insert = frs_store_create_table(store, table, names, columns, sheet->n_columns);
    }
    for (size_t i = 0; i < sheet->n_columns; i++)
        free(names[i]);
    free(names);
    return sheet;
}

/* Where the next value goes: the statement's parameter, counted from 1. */
static int begin_value(struct frs_sheet *sheet) {
    if (sheet->csv.file && sheet->column > 0)
        fputc(',', sheet->csv.file);
    return (int)++sheet->column;
}

/* The row is complete with its last value. */
static void end_value(struct frs_sheet *sheet) {
    if (sheet->column < sheet->n_columns)
        return;
    sheet->column = 0;
    if (sheet->csv.file)
        fputc('\n', sheet->csv.file);
    if (sheet->insert)
        frs_store_step(sheet->store, sheet->insert);
}

void frs_sheet_text(struct frs_sheet *sheet, const char *text) {
    int place = begin_value(sheet);
    if (sheet->csv.file)
        put_text(sheet->csv.file, text);
    if (sheet->insert)
        frs_store_note(sheet->store, sqlite3_bind_text(sheet->insert, place, text, -1, SQLITE_TRANSIENT));
    end_value(sheet);
}

void frs_sheet_count(struct frs_sheet *sheet, uint64_t value) {
    int place = begin_value(sheet);
    if (sheet->csv.file)
        fprintf(sheet->csv.file, "%llu", (unsigned long long)value);
    if (sheet->insert)
        frs_store_note(sheet->store, sqlite3_bind_int64(sheet->insert, place, (sqlite3_int64)value));
    end_value(sheet);
}

void frs_sheet_real(struct frs_sheet *sheet, double value) {
    char number[32];
    int place = begin_value(sheet);
    if (sheet->csv.file && isinf(value))
        fputs("inf", sheet->csv.file);
    else if (sheet->csv.file && !isnan(value))
        fputs(frs_text_number(value, number, sizeof number), sheet->csv.file);
    if (sheet->insert && !isnan(value))
        frs_store_note(sheet->store, sqlite3_bind_double(sheet->insert, place, value));
    end_value(sheet);
}

enum frs_status frs_sheet_commit(struct frs_sheet *sheet, struct frs_errors *errors) {
    FRS_INVARIANT(sheet->column == 0, "a row ends after %zu of %zu values", sheet->column, sheet->n_columns);
    enum frs_status status = FRS_OK;
    if (sheet->csv.file)
        status = frs_draft_commit(&sheet->csv, errors);
    frs_sheet_discard(sheet);
    return status;
}

void frs_sheet_discard(struct frs_sheet *sheet) {
    if (!sheet)
        return;
    sqlite3_finalize(sheet->insert);
    frs_draft_discard(&sheet->csv);
    free(sheet);
}
