/* The table of a fleet from its file. */
#include "platforms/fleet/fleet.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const frs_fleet_joins[] = {
    [FRS_FLEET_ROWS] = "rows", [FRS_FLEET_SAMPLE] = "sample", [FRS_FLEET_IN_TURN] = "in_turn", NULL};

static const struct figure {
    const char *name, *usual, *what; /* `usual`: its column in SI units */
    enum frs_dimension dimension;
    double least;
} figures[FRS_FLEET_FIGURES] = {
    [FRS_FLEET_DOWN] = {"down", "down_bytes_per_s", "downlinks", FRS_RATE, 1},
    [FRS_FLEET_UP] = {"up", "up_bytes_per_s", "uplinks", FRS_RATE, 1},
    [FRS_FLEET_LATENCY] = {"latency", "latency_s", "latencies", FRS_TIME, 0},
    [FRS_FLEET_SPEED] = {"speed", "speed_flop_per_s", "speeds", FRS_SPEED, 1},
    [FRS_FLEET_MEMORY] = {"memory", "memory_bytes", "memory", FRS_BYTES, 1},
    [FRS_FLEET_OVERHEAD] = {"overhead", "overhead_s", "overheads", FRS_TIME, 0},
};

enum { COLUMN_CLIENT = FRS_FLEET_FIGURES, COLUMN_CLASS, KINDS };

/* What a column holds. */
struct column {
    size_t kind;               /* enum frs_fleet_figure, or one of the above */
    char unit[FRS_FLEET_UNIT]; /* of a figure, as units are written: "Mbit/s" */
};

struct reading {
    struct frs_csv csv;
    struct column *columns; /* [csv.n_columns] */
    struct frs_fleet *fleet;
    size_t classes_line; /* where the last class was named first */
};

/* ---- the first line -------------------------------------------------------------------------- */

/* "bytes_per_s", "B_s", "Mbit_per_s" and "Mbit_s" are "B/s" and "Mbit/s". */
static bool read_unit(const char *text, enum frs_dimension dimension, char unit[FRS_FLEET_UNIT]) {
    static const char bytes[] = "bytes", *const per_second[] = {"_per_s", "_s"};
    bool spelled = strncmp(text, bytes, strlen(bytes)) == 0;
    int n = snprintf(unit, FRS_FLEET_UNIT, "%s%s", spelled ? "B" : "", text + spelled * strlen(bytes));
    if (n < 0 || n >= FRS_FLEET_UNIT)
        return false;
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(unit), ending = strlen(per_second[i]);
        if (length > ending && strcmp(unit + length - ending, per_second[i]) == 0) {
            strcpy(unit + length - ending, "/s");
            break;
        }
    }
    char one[32];
    double value;
    snprintf(one, sizeof one, "1 %s", unit);
    return isalpha((unsigned char)*unit) && frs_units_parse(one, dimension, &value) == FRS_OK;
}

bool frs_fleet_column(const char *name, enum frs_fleet_figure *figure, char unit[FRS_FLEET_UNIT]) {
    for (size_t i = 0; i < FRS_FLEET_FIGURES; i++) {
        size_t length = strlen(figures[i].name);
        *figure = (enum frs_fleet_figure)i;
        if (strncmp(name, figures[i].name, length) == 0 && name[length] == '_' &&
            read_unit(name + length + 1, figures[i].dimension, unit))
            return true;
    }
    return false;
}

static bool unknown_column(struct reading *reading, size_t i, struct frs_errors *errors) {
    const char *name = reading->csv.names[i], *names[KINDS + 1] = {"client", "class"};
    char line[48], allowed[256] = "client, class";
    for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++) {
        names[2 + figure] = figures[figure].usual;
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), ", %s", figures[figure].usual);
    }
    names[KINDS] = NULL;
    const char *nearest = frs_text_nearest(name, names);
    return frs_csv_error(&reading->csv, errors,
        "column %zu: \"%s\" is not known%s%s%s; allowed: %s, or other units, such as down_Mbit_s and "
        "latency_ms",
        i + 1, frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "",
        nearest ? nearest : "", nearest ? "\"?" : "", allowed);
}

static bool read_column(struct reading *reading, size_t i, struct frs_errors *errors) {
    const char *name = reading->csv.names[i];
    struct column *column = &reading->columns[i];
    column->kind = strcmp(name, "client") == 0  ? COLUMN_CLIENT
                   : strcmp(name, "class") == 0 ? COLUMN_CLASS
                                                : KINDS;
    enum frs_fleet_figure figure;
    if (frs_fleet_column(name, &figure, column->unit))
        column->kind = figure;
    if (column->kind == KINDS)
        return unknown_column(reading, i, errors);
    for (size_t before = 0; before < i; before++)
        if (reading->columns[before].kind == column->kind)
            return frs_csv_error(&reading->csv, errors,
                "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them", i + 1, name,
                before + 1, reading->csv.names[before]);
    if (column->kind < FRS_FLEET_FIGURES)
        reading->fleet->has[column->kind] = true;
    reading->fleet->has_client |= column->kind == COLUMN_CLIENT;
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool wrong_field(
    struct reading *reading, size_t i, const char *why, const char *allowed, struct frs_errors *errors) {
    const char *field = reading->csv.fields[i];
    char line[48];
    return frs_csv_error(&reading->csv, errors, "column %zu (%s): %s%s%s %s; allowed: %s", i + 1,
        reading->csv.names[i], *field ? "\"" : "", *field ? frs_text_line(field, line, sizeof line) : "it",
        *field ? "\"" : "", *field ? why : "is empty", allowed);
}

static bool read_figure(
    struct reading *reading, size_t i, struct frs_fleet_row *row, struct frs_errors *errors) {
    const struct column *column = &reading->columns[i];
    const struct figure *figure = &figures[column->kind];
    const char *field = reading->csv.fields[i];
    double *value = &row->values[column->kind];
    bool may_lack_limit = column->kind == FRS_FLEET_MEMORY;
    if (may_lack_limit && strcmp(field, "unlimited") == 0) {
        *value = INFINITY;
        return true;
    }
    char allowed[96], *text = frs_format("%s %s", field, column->unit);
    bool is_number = frs_decimal_is(field, value),
         fits = is_number && frs_units_parse(text, figure->dimension, value) == FRS_OK &&
                *value >= figure->least;
    free(text);
    snprintf(allowed, sizeof allowed, "a number, which comes to %g to %g %s%s", figure->least,
        frs_units_most(figure->dimension), frs_units_si(figure->dimension),
        may_lack_limit ? ", or unlimited" : "");
    return fits ||
           wrong_field(reading, i, is_number ? "is out of bounds" : "is not a number", allowed, errors);
}

static bool read_client(
    struct reading *reading, size_t i, struct frs_fleet_row *row, struct frs_errors *errors) {
    double number;
    if (!frs_decimal_is(reading->csv.fields[i], &number) || number < 0 || number >= UINT32_MAX ||
        number != floor(number))
        return wrong_field(reading, i, "is not a client's number", "0, 1, 2, ...", errors);
    row->client = (uint32_t)number;
    return true;
}

/* Names go into files and tables. */
static bool is_name(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *text && strlen(text) < 48 && text[strspn(text, letters)] == '\0' && strcmp(text, "none") != 0;
}

_Static_assert(FRS_MAX_CLASSES == 16, "the message below says so");

static bool read_class(
    struct reading *reading, size_t i, struct frs_fleet_row *row, struct frs_errors *errors) {
    struct frs_fleet *fleet = reading->fleet;
    const char *name = reading->csv.fields[i];
    if (!is_name(name))
        return wrong_field(reading, i, "is not a class",
            "a name of letters, digits, \"-\", \"_\" and \".\", other than none", errors);
    for (row->class = 0; row->class < fleet->n_classes; row->class ++)
        if (strcmp(fleet->classes[row->class], name) == 0)
            return true;
    if (fleet->n_classes == FRS_MAX_CLASSES)
        return wrong_field(reading, i, "is the 17th class", "16 at most", errors);
    fleet->classes[fleet->n_classes++] = frs_strdup(name);
    return true;
}

static bool read_row(struct reading *reading, struct frs_errors *errors) {
    struct frs_fleet *fleet = reading->fleet;
    struct frs_fleet_row row = {.line = reading->csv.line};
    for (size_t i = 0; i < reading->csv.n_columns; i++) {
        size_t kind = reading->columns[i].kind;
        bool ok = kind == COLUMN_CLIENT  ? read_client(reading, i, &row, errors)
                  : kind == COLUMN_CLASS ? read_class(reading, i, &row, errors)
                                         : read_figure(reading, i, &row, errors);
        if (!ok)
            return false;
    }
    fleet->rows = frs_grow(fleet->rows, fleet->n + 1, &fleet->capacity, sizeof *fleet->rows);
    fleet->rows[fleet->n++] = row;
    return true;
}

static int by_client(const void *a, const void *b) {
    const struct frs_fleet_row *x = a, *y = b;
    if (x->client != y->client)
        return (x->client > y->client) - (x->client < y->client);
    return (x->line > y->line) - (x->line < y->line);
}

static bool sort_rows(struct reading *reading, struct frs_errors *errors) {
    struct frs_fleet *fleet = reading->fleet;
    if (!fleet->has_client || fleet->n == 0)
        return true;
    qsort(fleet->rows, fleet->n, sizeof *fleet->rows, by_client);
    for (size_t i = 1; i < fleet->n; i++)
        if (fleet->rows[i].client == fleet->rows[i - 1].client) {
            reading->csv.line = fleet->rows[i].line;
            return frs_csv_error(&reading->csv, errors, "client %u has a row already, in line %zu",
                fleet->rows[i].client, fleet->rows[i - 1].line);
        }
    return true;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool read_file(struct frs_fleet *fleet, struct frs_errors *errors) {
    struct reading reading = {.fleet = fleet};
    bool ok = frs_csv_open_any(&reading.csv, fleet->path, errors);
    reading.columns = frs_alloc(reading.csv.n_columns + 1, sizeof *reading.columns);
    for (size_t i = 0; ok && i < reading.csv.n_columns; i++)
        ok = read_column(&reading, i, errors);
    while (ok && frs_csv_next(&reading.csv, errors))
        ok = read_row(&reading, errors);
    ok = ok && !reading.csv.failed && sort_rows(&reading, errors);
    if (ok && fleet->n == 0) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no rows behind the first line", fleet->path);
        ok = false;
    }
    fleet->n_in_file = fleet->n;
    free(reading.columns);
    frs_csv_close(&reading.csv);
    return ok;
}

bool frs_fleet_digest(const char *path, struct frs_digest *digest, struct frs_errors *errors) {
    const char *reason = frs_input_digest(path, digest);
    if (reason)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, reason);
    return !reason;
}

static bool check_wanted(const struct frs_fleet *fleet, const struct frs_values *values, unsigned wanted,
    struct frs_errors *errors) {
    char allowed[128] = "class";
    bool ok = fleet->n_classes > 0;
    for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++)
        if (wanted >> figure & 1) {
            ok |= fleet->has[figure];
            snprintf(
                allowed + strlen(allowed), sizeof allowed - strlen(allowed), ", %s", figures[figure].usual);
        }
    if (!ok)
        frs_values_error(values, "fleet", errors,
            "%s has nothing that belongs here; allowed: a table with one of the columns %s (or in other "
            "units)",
            fleet->path, allowed);
    return ok;
}

bool frs_fleet_read(const struct frs_values *values, unsigned wanted, enum frs_purpose purpose,
    struct frs_fleet **fleet, struct frs_errors *errors) {
    const char *path = frs_values_text(values, "fleet");
    *fleet = NULL;
    for (size_t i = 0; frs_fleet_joins[i]; i++)
        if (strcmp(path, frs_fleet_joins[i]) == 0) {
            frs_values_error(values, "fleet", errors,
                "\"%s\" is how rows become clients and no file; allowed: a CSV file here, and "
                "%s.fleet_assignment = "
                "\"%s\"",
                path, values->section, path);
            return false;
        }
    path = frs_values_file(values, "fleet", errors);
    if (!path || !*path)
        return path;
    struct frs_fleet *read = frs_alloc(1, sizeof *read);
    *read = (struct frs_fleet){.path = frs_strdup(path),
        .join = (enum frs_fleet_join)frs_values_choice(values, "fleet_assignment"),
        .purpose = purpose};
    if (frs_fleet_digest(path, &read->digest, errors) && read_file(read, errors) &&
        check_wanted(read, values, wanted, errors)) {
        frs_fleet_sort(read);
        *fleet = read;
        return true;
    }
    frs_fleet_destroy(read);
    return false;
}

bool frs_fleet_lacks(const struct frs_fleet *fleet, const struct frs_values *values,
    enum frs_fleet_figure figure, const char *key, struct frs_errors *errors) {
    frs_values_error(values, "fleet", errors,
        "%s has no column of %s, and nothing else gives them; allowed: a column %s (or in another unit), "
        "%s.%s, %s.preset, or a column class with names of presets alone",
        fleet->path, figures[figure].what, figures[figure].usual, values->section, key, values->section);
    return false;
}

char *frs_fleet_describe(const struct frs_fleet *fleet, unsigned wanted) {
    static const char *const joins[] = {[FRS_FLEET_ROWS] = "one for each client",
        [FRS_FLEET_SAMPLE] = "drawn with replacement",
        [FRS_FLEET_IN_TURN] = "for the clients in turn"};
    char *text =
        frs_format("%s: %zu row%s, %s", fleet->path, fleet->n, fleet->n == 1 ? "" : "s", joins[fleet->join]);
    if (fleet->n < fleet->n_in_file) {
        char *longer = frs_format("%s (of %zu)", text, fleet->n_in_file);
        free(text);
        text = longer;
    }
    const char *before = ", with";
    for (size_t figure = 0; figure <= FRS_FLEET_FIGURES; figure++) {
        bool is_class = figure == FRS_FLEET_FIGURES;
        if (is_class ? fleet->n_classes == 0 : !(wanted >> figure & 1) || !fleet->has[figure])
            continue;
        char *longer = frs_format("%s%s %s", text, before, is_class ? "classes" : figures[figure].what);
        free(text);
        text = longer;
        before = ",";
    }
    return text;
}
