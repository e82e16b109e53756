/* Rows that go into a table of the store, into a CSV file, or into both. */
#include "analysis/read/files.h"
#include "analysis/tables/store.h"
#include "analysis/tables/store_internal.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct frs_table_writer {
    struct frs_store *store; /* or NULL */
    sqlite3_stmt *insert;
    struct frs_draft csv; /* csv.file is NULL without one */
    size_t n_columns, column;
    bool *numeric; /* [n_columns] */
};

/* Names that differ only in case are one for SQLite. */
static char **distinct_names(const struct frs_table_writer_column *columns, size_t n) {
    char **names = frs_alloc(n, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        bool taken = false;
        for (size_t k = 0; k < n && !taken; k++)
            taken = k != i && strcasecmp(columns[k].name, columns[i].name) == 0;
        bool is_axis = strcmp(columns[i].type, "TEXT") == 0 || strcmp(columns[i].type, "NUMERIC") == 0;
        names[i] = taken && is_axis ? frs_format("axis %s", columns[i].name) : frs_strdup(columns[i].name);
    }
    return names;
}

static void put_text(FILE *out, const char *text) {
    char *field = frs_quoted_csv(text);
    fputs(field, out);
    free(field);
}

static void write_head(struct frs_table_writer *writer, char **names) {
    for (size_t i = 0; i < writer->n_columns; i++) {
        if (i > 0)
            fputc(',', writer->csv.file);
        put_text(writer->csv.file, names[i]);
    }
    fputc('\n', writer->csv.file);
}

struct frs_table_writer *frs_table_writer_create(struct frs_store *store, const char *table, const char *path,
    const struct frs_table_writer_column *columns, struct frs_errors *errors) {
    struct frs_table_writer *writer = frs_alloc(1, sizeof *writer);
    if (path && frs_draft_open(&writer->csv, path, errors) != FRS_OK) {
        free(writer);
        return NULL;
    }
    while (columns[writer->n_columns].name)
        writer->n_columns++;
    writer->numeric = frs_alloc(writer->n_columns + 1, sizeof *writer->numeric);
    for (size_t i = 0; i < writer->n_columns; i++)
        writer->numeric[i] = strcmp(columns[i].type, "NUMERIC") == 0;
    char **names = distinct_names(columns, writer->n_columns);
    if (path)
        write_head(writer, names);
    if (store) {
        writer->store = store;
        writer->insert = frs_store_create_table(store, table, names, columns, writer->n_columns);
    }
    for (size_t i = 0; i < writer->n_columns; i++)
        free(names[i]);
    free(names);
    return writer;
}

/* Where the next value goes: the statement's parameter, counted from 1. */
static int begin_value(struct frs_table_writer *writer) {
    if (writer->csv.file && writer->column > 0)
        fputc(',', writer->csv.file);
    return (int)++writer->column;
}

/* The row is complete with its last value. */
static void end_value(struct frs_table_writer *writer) {
    if (writer->column < writer->n_columns)
        return;
    writer->column = 0;
    if (writer->csv.file)
        fputc('\n', writer->csv.file);
    if (writer->insert)
        frs_store_step(writer->store, writer->insert);
}

void frs_table_writer_text(struct frs_table_writer *writer, const char *text) {
    int place = begin_value(writer);
    if (writer->csv.file)
        put_text(writer->csv.file, text);
    if (writer->insert && writer->numeric[place - 1])
        frs_store_bind(writer->store, writer->insert, place, text);
    else if (writer->insert)
        frs_store_note(writer->store, sqlite3_bind_text(writer->insert, place, text, -1, SQLITE_TRANSIENT));
    end_value(writer);
}

void frs_table_writer_count(struct frs_table_writer *writer, uint64_t value) {
    int place = begin_value(writer);
    if (writer->csv.file)
        fprintf(writer->csv.file, "%llu", (unsigned long long)value);
    if (writer->insert)
        frs_store_note(writer->store, sqlite3_bind_int64(writer->insert, place, (sqlite3_int64)value));
    end_value(writer);
}

void frs_table_writer_real(struct frs_table_writer *writer, double value) {
    char number[32];
    int place = begin_value(writer);
    if (writer->csv.file && isinf(value))
        fputs("inf", writer->csv.file);
    else if (writer->csv.file && !isnan(value))
        fputs(frs_text_number(value, number, sizeof number), writer->csv.file);
    if (writer->insert && !isnan(value))
        frs_store_note(writer->store, sqlite3_bind_double(writer->insert, place, value));
    end_value(writer);
}

enum frs_status frs_table_writer_commit(struct frs_table_writer *writer, struct frs_errors *errors) {
    FRS_INVARIANT(
        writer->column == 0, "a row ends after %zu of %zu values", writer->column, writer->n_columns);
    enum frs_status status = FRS_OK;
    if (writer->csv.file)
        status = frs_draft_commit(&writer->csv, errors);
    frs_table_writer_discard(writer);
    return status;
}

void frs_table_writer_discard(struct frs_table_writer *writer) {
    if (!writer)
        return;
    sqlite3_finalize(writer->insert);
    frs_draft_discard(&writer->csv);
    free(writer->numeric);
    free(writer);
}
