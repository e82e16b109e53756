#include "analysis/tables/store.h"
#include "analysis/tables/store_internal.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct frs_store {
    sqlite3 *db;
    char *path, *temporary;
    char *wrong; /* the first thing that failed, or NULL */
};

void frs_store_note(struct frs_store *store, int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE && !store->wrong)
        store->wrong = frs_strdup(sqlite3_errmsg(store->db));
}

static void execute(struct frs_store *store, const char *sql) {
    frs_store_note(store, sqlite3_exec(store->db, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepare(struct frs_store *store, const char *sql) {
    sqlite3_stmt *statement = NULL;
    frs_store_note(store, sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL));
    return statement;
}

struct frs_store *frs_store_create(const char *path, struct frs_errors *errors) {
    struct frs_store *store = frs_alloc(1, sizeof *store);
    store->path = frs_strdup(path);
    store->temporary = frs_format("%s.partial-%ld", path, (long)getpid());
    int file = frs_create_descriptor(store->temporary); /* SQLite itself would follow a link */
    if (file < 0 || close(file) != 0 || sqlite3_open(store->temporary, &store->db) != SQLITE_OK) {
        frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", store->temporary,
            store->db ? sqlite3_errmsg(store->db) : strerror(errno));
        frs_store_discard(store);
        return NULL;
    }
    /* No process reads the file before it is complete, so it needs no journal. */
    execute(store, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    return store;
}

static void release(struct frs_store *store) {
    free(store->path);
    free(store->temporary);
    free(store->wrong);
    free(store);
}

enum frs_status frs_store_commit(struct frs_store *store, struct frs_errors *errors) {
    execute(store, "COMMIT");
    frs_store_note(store, sqlite3_close(store->db));
    store->db = NULL;
    if (!store->wrong && rename(store->temporary, store->path) == 0) {
        release(store);
        return FRS_OK;
    }
    enum frs_status status = frs_errors_add(errors, FRS_ERR_RUN, "%s could not be written: %s", store->path,
        store->wrong ? store->wrong : strerror(errno));
    frs_store_discard(store);
    return status;
}

void frs_store_discard(struct frs_store *store) {
    if (!store)
        return;
    sqlite3_close(store->db);
    unlink(store->temporary);
    release(store);
}

/* ---- statements ---- */

/* SQL in the making; names and texts go through sqlite3's own quoting. */
static char *join(char *sql, const char *more) {
    char *longer = frs_format("%s%s", sql, more);
    free(sql);
    return longer;
}

static char *join_name(char *sql, const char *name) {
    char *quoted = sqlite3_mprintf("\"%w\"", name);
    sql = join(sql, quoted);
    sqlite3_free(quoted);
    return sql;
}

/* INSERT with a parameter per column; without names all columns in their order. */
static sqlite3_stmt *prepare_insert(
    struct frs_store *store, const char *table, const char *const *names, size_t n) {
    char *sql = join_name(frs_strdup("INSERT INTO "), table);
    for (size_t i = 0; names && i < n; i++)
        sql = join_name(join(sql, i ? ", " : " ("), names[i]);
    sql = join(sql, names ? ") VALUES (" : " VALUES (");
    for (size_t i = 0; i < n; i++)
        sql = join(sql, i ? ", ?" : "?");
    sql = join(sql, ")");
    sqlite3_stmt *statement = prepare(store, sql);
    free(sql);
    return statement;
}

void frs_store_step(struct frs_store *store, sqlite3_stmt *statement) {
    frs_store_note(store, sqlite3_step(statement));
    frs_store_note(store, sqlite3_reset(statement));
    frs_store_note(store, sqlite3_clear_bindings(statement));
}

sqlite3_stmt *frs_store_create_table(struct frs_store *store, const char *table, char **names,
    const struct frs_table_writer_column *columns, size_t n) {
    char *sql = join_name(frs_strdup("CREATE TABLE "), table);
    for (size_t i = 0; i < n; i++) {
        sql = join_name(join(sql, i ? ", " : " ("), names[i]);
        sql = join(join(sql, " "), columns[i].type);
    }
    sql = join(sql, ")");
    execute(store, sql);
    free(sql);
    return prepare_insert(store, table, NULL, n);
}

/* ---- rounds ---- */

static bool has_column(struct frs_store *store, const char *table, const char *name) {
    return sqlite3_table_column_metadata(store->db, NULL, table, name, NULL, NULL, NULL, NULL, NULL) ==
           SQLITE_OK;
}

static void add_columns(struct frs_store *store, const struct frs_records *rounds) {
    execute(store, "CREATE TABLE IF NOT EXISTS rounds (point INTEGER)");
    for (size_t i = 0; i < rounds->n_columns; i++) {
        if (has_column(store, "rounds", rounds->names[i]))
            continue;
        char *sql = join_name(frs_strdup("ALTER TABLE rounds ADD COLUMN "), rounds->names[i]);
        execute(store, sql);
        free(sql);
    }
}

void frs_store_bind(struct frs_store *store, sqlite3_stmt *statement, int place, const char *field) {
    char *end;
    if (!*field)
        return;
    errno = 0;
    long long whole = strtoll(field, &end, 10);
    if (!*end && errno == 0) {
        frs_store_note(store, sqlite3_bind_int64(statement, place, whole));
        return;
    }
    double value;
    if (frs_decimal_is(field, &value))
        frs_store_note(store, sqlite3_bind_double(statement, place, value));
    else
        frs_store_note(store, sqlite3_bind_text(statement, place, field, -1, SQLITE_TRANSIENT));
}

void frs_store_add_rounds(struct frs_store *store, size_t point, const struct frs_records *rounds) {
    add_columns(store, rounds);
    const char **names = frs_alloc(rounds->n_columns + 1, sizeof *names);
    names[0] = "point";
    memcpy(names + 1, rounds->names, rounds->n_columns * sizeof *names);
    sqlite3_stmt *insert = prepare_insert(store, "rounds", names, rounds->n_columns + 1);
    for (size_t row = 0; insert && row < rounds->n; row++) {
        frs_store_note(store, sqlite3_bind_int64(insert, 1, (sqlite3_int64)point));
        for (size_t i = 0; i < rounds->n_columns; i++)
            frs_store_bind(store, insert, (int)i + 2, frs_records_field(rounds, row, i));
        frs_store_step(store, insert);
    }
    sqlite3_finalize(insert);
    free(names);
}
