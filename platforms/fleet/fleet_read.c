/* The table of a fleet from its file. */
#include "platforms/fleet/fleet_columns.h"
#include "platforms/imports/import.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/cells.h"
#include "sim/base/files/csv.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const frs_fleet_joins[] = {
    [FRS_FLEET_ROWS] = "rows", [FRS_FLEET_SAMPLE] = "sample", [FRS_FLEET_IN_TURN] = "in_turn", NULL};

struct reading {
    struct frs_csv csv;
    struct frs_fleet_column *columns; /* [csv.n_columns] */
    struct frs_fleet *fleet;
    const char *section;
    bool leaves_out_empty;
};

/* As network.fleet_empty numbers them. */
enum { REFUSE, LEAVE_OUT };
const char *const frs_fleet_empty[] = {[REFUSE] = "refuse", [LEAVE_OUT] = "leave_out", NULL};

/* ---- rows ------------------------------------------------------------------------------------ */

static bool wrong_field(
    struct reading *reading, size_t i, const char *why, const char *allowed, struct frs_errors *errors) {
    const char *field = reading->csv.fields[i];
    char line[48];
    if (frs_cell_is_absent(field, strlen(field)))
        return frs_csv_error(&reading->csv, errors,
            "column %zu (%s): %s%s%s %s; allowed: %s (%s.fleet_empty = \"leave_out\" leaves such rows out)",
            i + 1, reading->csv.names[i], *field ? "\"" : "", *field ? field : "it", *field ? "\"" : "",
            *field ? "stands for no value" : "is empty", allowed, reading->section);
    return frs_csv_error(&reading->csv, errors, "column %zu (%s): %s%s%s %s; allowed: %s", i + 1,
        reading->csv.names[i], *field ? "\"" : "", *field ? frs_text_line(field, line, sizeof line) : "it",
        *field ? "\"" : "", *field ? why : "is empty", allowed);
}

static bool read_figure(
    struct reading *reading, size_t i, struct frs_fleet_row *row, struct frs_errors *errors) {
    const struct frs_fleet_column *column = &reading->columns[i];
    const struct frs_fleet_figure_info *figure = &frs_fleet_figures[column->kind];
    const char *field = reading->csv.fields[i];
    double *value = &row->values[column->kind];
    bool may_lack_limit = column->kind == FRS_FLEET_MEMORY;
    if (may_lack_limit && strcmp(field, "unlimited") == 0) {
        *value = INFINITY;
        return true;
    }
    bool is_number = frs_csv_decimal(&reading->csv, i, value),
         has_unit = !is_number && frs_units_parse(field, figure->dimension, value) == FRS_OK; /* "10 Mbps" */
    char allowed[96], *text = frs_format("%s%s%s", field, has_unit ? "" : " ", has_unit ? "" : column->unit);
    is_number |= has_unit;
    bool fits =
        is_number && frs_units_parse(text, figure->dimension, value) == FRS_OK && *value >= figure->least;
    free(text);
    *value *= column->share;
    snprintf(allowed, sizeof allowed, "a number, which comes to %g to %g %s%s", figure->least,
        frs_units_most(figure->dimension), frs_units_si(figure->dimension),
        may_lack_limit ? ", or unlimited" : "");
    return fits ||
           wrong_field(reading, i, is_number ? "is out of bounds" : "is not a number", allowed, errors);
}

/* Names go into files and tables. */
static bool is_name(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *text && strlen(text) < 48 && text[strspn(text, letters)] == '\0' && strcmp(text, "none") != 0;
}

/* "4G" is the preset "4g". */
static const char *preset_name(const char *name) {
    for (const struct frs_preset *const *preset = frs_network_presets; *preset; preset++)
        if (strcasecmp((*preset)->plugin.name, name) == 0)
            return (*preset)->plugin.name;
    for (const struct frs_preset *const *preset = frs_device_presets; *preset; preset++)
        if (strcasecmp((*preset)->plugin.name, name) == 0)
            return (*preset)->plugin.name;
    return name;
}

static bool read_weight(
    struct reading *reading, size_t i, struct frs_fleet_row *row, struct frs_errors *errors) {
    return (frs_csv_decimal(&reading->csv, i, &row->weight) && row->weight >= 0 && row->weight <= 1e15) ||
           wrong_field(reading, i, "is no weight", "a number from 0 to 1e15", errors);
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
        if (strcasecmp(fleet->classes[row->class], name) == 0)
            return true;
    if (fleet->n_classes == FRS_MAX_CLASSES)
        return wrong_field(reading, i, "is the 17th class", "16 at most", errors);
    fleet->classes[fleet->n_classes++] = frs_strdup(preset_name(name));
    return true;
}

/* Whether a column that counts has nothing in this row. */
static bool lacks_value(const struct reading *reading) {
    for (size_t i = 0; i < reading->csv.n_columns; i++)
        if (reading->columns[i].kind < FRS_COLUMN_FOREIGN &&
            frs_cell_is_absent(reading->csv.fields[i], strlen(reading->csv.fields[i])))
            return true;
    return false;
}

static bool read_row(struct reading *reading, struct frs_errors *errors) {
    struct frs_fleet *fleet = reading->fleet;
    if (reading->leaves_out_empty && lacks_value(reading)) {
        fleet->n_empty++;
        return true;
    }
    struct frs_fleet_row row = {.line = reading->csv.line};
    bool ok = true;
    for (size_t i = 0; ok && i < reading->csv.n_columns; i++) {
        size_t kind = reading->columns[i].kind;
        if (kind == FRS_COLUMN_CLIENT)
            ok = frs_client_ids_read(&fleet->ids, &reading->csv, i, &row.client, errors);
        else if (kind == FRS_COLUMN_CLASS)
            ok = read_class(reading, i, &row, errors);
        else if (kind == FRS_COLUMN_WEIGHT)
            ok = read_weight(reading, i, &row, errors);
        else if (kind < FRS_FLEET_FIGURES)
            ok = read_figure(reading, i, &row, errors);
    }
    if (!ok)
        return false;
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
    char name[32];
    qsort(fleet->rows, fleet->n, sizeof *fleet->rows, by_client);
    for (size_t i = 1; i < fleet->n; i++)
        if (fleet->rows[i].client == fleet->rows[i - 1].client) {
            reading->csv.line = fleet->rows[i].line;
            return frs_csv_error(&reading->csv, errors, "client %s has a row already, in line %zu",
                frs_client_ids_name(&fleet->ids, fleet->rows[i].client, name), fleet->rows[i - 1].line);
        }
    return true;
}

/* ---- the file -------------------------------------------------------------------------------- */

static size_t column_of_clients(const struct reading *reading) {
    for (size_t i = 0; i < reading->csv.n_columns; i++)
        if (reading->columns[i].kind == FRS_COLUMN_CLIENT)
            return i;
    return SIZE_MAX;
}

/* Adds the weights up: a client is the row in whose part its draw falls. */
static bool add_weights(struct frs_fleet *fleet, struct frs_errors *errors) {
    double sum = 0;
    if (!fleet->has_weight || fleet->join != FRS_FLEET_SAMPLE)
        return true;
    fleet->upto = frs_alloc(fleet->n, sizeof *fleet->upto);
    for (size_t i = 0; i < fleet->n; i++)
        fleet->upto[i] = sum += fleet->rows[i].weight;
    if (sum > 0)
        return true;
    frs_errors_add(errors, FRS_ERR_INPUT, "%s: all weights are 0", fleet->path);
    return false;
}

static bool read_file(
    struct frs_fleet *fleet, const struct frs_values *values, unsigned figures, struct frs_errors *errors) {
    struct reading reading = {.fleet = fleet,
        .section = values->section,
        .leaves_out_empty = frs_values_choice(values, "fleet_empty") == LEAVE_OUT};
    const char *names = frs_values_text(values, "fleet_columns");
    if (!*names && frs_import_refuses(fleet->path, errors))
        return false;
    bool ok = frs_csv_open_table(&reading.csv, fleet->path, errors);
    reading.columns = frs_alloc(reading.csv.n_columns + 1, sizeof *reading.columns);
    ok = ok && frs_fleet_read_columns(
                   &reading.csv, values->section, names, figures, reading.columns, fleet, errors);
    if (ok && fleet->has_client)
        frs_client_ids_begin(&fleet->ids, fleet->path, column_of_clients(&reading));
    while (ok && frs_csv_next(&reading.csv, errors))
        ok = read_row(&reading, errors);
    fleet->layout = frs_csv_layout(&reading.csv);
    ok = ok && !reading.csv.failed && sort_rows(&reading, errors);
    if (ok && fleet->n == 0) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no rows behind the first line", fleet->path);
        ok = false;
    }
    ok = ok && add_weights(fleet, errors);
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
            snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), ", %s",
                frs_fleet_figures[figure].usual);
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
    if (frs_fleet_digest(path, &read->digest, errors) && read_file(read, values, wanted, errors) &&
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
        fleet->path, frs_fleet_figures[figure].what, frs_fleet_figures[figure].usual, values->section, key,
        values->section);
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
    if (fleet->has_weight) {
        char *longer = frs_format("%s%s", text,
            fleet->upto ? " by their weights" : ", whose weights only fleet_assignment = \"sample\" uses");
        free(text);
        text = longer;
    }
    const char *before = ", with";
    for (size_t figure = 0; figure <= FRS_FLEET_FIGURES; figure++) {
        bool is_class = figure == FRS_FLEET_FIGURES;
        if (is_class ? fleet->n_classes == 0 : !(wanted >> figure & 1) || !fleet->has[figure])
            continue;
        char *longer =
            frs_format("%s%s %s", text, before, is_class ? "classes" : frs_fleet_figures[figure].what);
        free(text);
        text = longer;
        before = ",";
    }
    if (*fleet->layout) {
        char *longer = frs_format("%s; %s", text, fleet->layout);
        free(text);
        text = longer;
    }
    if (fleet->n_empty > 0) {
        char *longer = frs_format("%s; %zu row%s without a value left out (fleet_empty)", text,
            fleet->n_empty, fleet->n_empty == 1 ? "" : "s");
        free(text);
        text = longer;
    }
    if (fleet->foreign) {
        char *longer = frs_format("%s; passed over: %s", text, fleet->foreign);
        free(text);
        text = longer;
    }
    return text;
}
