#include "analysis/calibration/log.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/settings/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum column { CLIENT, CLASS, DIRECTION, SIZE, ROUND, DURATION, COLUMNS };
enum { MOST_PARTS = 4, UNIT = 16, NAME = 48 };

/* What a kind of column is taken from. */
struct source {
    size_t parts[MOST_PARTS], n; /* columns of the file; n = 0: none */
    char unit[UNIT];             /* of sizes and durations: "B", "ms" */
};

struct reading {
    struct frs_csv csv;
    struct source sources[COLUMNS];
    struct frs_log *log;
    const struct frs_log_options *options;
};

static const char *const words[COLUMNS] = {[CLIENT] = "client",
    [CLASS] = "class",
    [DIRECTION] = "direction",
    [SIZE] = "size",
    [ROUND] = "round",
    [DURATION] = "duration"};

static const char allowed[] = "client (or session), class, direction, size_bytes, round, duration_s, or "
                              "other units, such as duration_ms";

/* ---- which column is which ------------------------------------------------------------------- */

static bool is_unit(const char *text, enum frs_dimension dimension, char unit[UNIT]) {
    char one[UNIT + 2];
    double value;
    if (strlen(text) >= UNIT || !isalpha((unsigned char)*text))
        return false;
    strcpy(unit, strcmp(text, "bytes") == 0 ? "B" : text);
    snprintf(one, sizeof one, "1 %s", unit);
    return frs_units_parse(one, dimension, &value) == FRS_OK;
}

/* The kind of column that a name is for; COLUMNS: none. */
static enum column kind_of(const char *name, char unit[UNIT]) {
    *unit = '\0';
    if (strcmp(name, "session") == 0)
        return CLIENT;
    for (enum column kind = 0; kind < COLUMNS; kind++) {
        size_t length = strlen(words[kind]);
        if (kind == SIZE || kind == DURATION) {
            if (strncmp(name, words[kind], length) == 0 && name[length] == '_' &&
                is_unit(name + length + 1, kind == SIZE ? FRS_BYTES : FRS_TIME, unit))
                return kind;
        } else if (strcmp(name, words[kind]) == 0)
            return kind;
    }
    return COLUMNS;
}

static size_t find_column(const struct frs_csv *csv, const char *name) {
    for (size_t i = 0; i < csv->n_columns; i++)
        if (strcmp(csv->names[i], name) == 0)
            return i;
    return csv->n_columns;
}

static bool wrong_option(const char *option, const char *why, struct frs_errors *errors) {
    char line[80];
    frs_errors_add(errors, FRS_ERR_INPUT, "--column %s: %s", frs_text_line(option, line, sizeof line), why);
    return false;
}

/* "class=access+server_limit" */
static bool take_option(struct reading *reading, const char *option, struct frs_errors *errors) {
    char *text = frs_strdup(option), *rest = strchr(text, '='), unit[UNIT], *part;
    bool ok = rest != NULL;
    if (ok)
        *rest++ = '\0';
    enum column kind = ok ? kind_of(text, unit) : COLUMNS;
    if (kind == COLUMNS) {
        char *why = frs_format("allowed: NAME=COLUMN, NAME being one of %s", allowed);
        ok = wrong_option(option, why, errors);
        free(why);
    }
    struct source *source = ok ? &reading->sources[kind] : NULL;
    if (ok && source->n > 0)
        ok = wrong_option(option, "is the second of its kind; allowed: one", errors);
    if (ok)
        strcpy(source->unit, unit);
    while (ok && (part = strsep(&rest, "+"))) {
        size_t column = find_column(&reading->csv, part);
        if (column == reading->csv.n_columns)
            ok = wrong_option(option, "the log has no such column", errors);
        else if (source->n == MOST_PARTS || (source->n == 1 && kind != CLASS && kind != CLIENT))
            ok = wrong_option(option, "allowed: one column, or up to four for a class or a client", errors);
        else
            source->parts[source->n++] = column;
    }
    free(text);
    return ok;
}

static bool take_names(struct reading *reading, struct frs_errors *errors) {
    struct source named[COLUMNS] = {0};
    for (size_t i = 0; i < reading->csv.n_columns; i++) {
        char unit[UNIT];
        enum column kind = kind_of(reading->csv.names[i], unit);
        if (kind == COLUMNS || reading->sources[kind].n > 0)
            continue;
        if (named[kind].n > 0)
            return frs_csv_error(&reading->csv, errors,
                "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them, or --column",
                i + 1, reading->csv.names[i], named[kind].parts[0] + 1,
                reading->csv.names[named[kind].parts[0]]);
        named[kind] = (struct source){.parts = {i}, .n = 1};
        strcpy(named[kind].unit, unit);
    }
    for (enum column kind = 0; kind < COLUMNS; kind++)
        if (named[kind].n > 0)
            reading->sources[kind] = named[kind];
    return true;
}

static bool read_head(struct reading *reading, struct frs_errors *errors) {
    for (size_t i = 0; i < reading->options->n_columns; i++)
        if (!take_option(reading, reading->options->columns[i], errors))
            return false;
    if (!take_names(reading, errors))
        return false;
    const struct source *sources = reading->sources;
    const char *lacks = sources[CLIENT].n == 0                          ? "client (or session)"
                        : sources[DURATION].n == 0                      ? "duration_s"
                        : sources[SIZE].n == 0 && sources[ROUND].n == 0 ? "size_bytes (of transfers) or round"
                                                                        : NULL;
    if (lacks)
        return frs_csv_error(&reading->csv, errors,
            "has no column %s; allowed: %s; --column NAME=COLUMN says which column is one of these", lacks,
            allowed);
    reading->log->of_rounds = sources[SIZE].n == 0;
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool wrong_field(struct reading *reading, size_t i, const char *what, struct frs_errors *errors) {
    char line[NAME];
    return frs_csv_error(&reading->csv, errors, "column %zu (%s): \"%s\"; allowed: %s", i + 1,
        reading->csv.names[i], frs_text_line(reading->csv.fields[i], line, sizeof line), what);
}

static bool read_quantity(
    struct reading *reading, enum column kind, double *value, struct frs_errors *errors) {
    const struct source *source = &reading->sources[kind];
    const char *field = reading->csv.fields[source->parts[0]];
    bool is_number = frs_csv_decimal(&reading->csv, source->parts[0], value);
    char *text = frs_format("%s %s", field, source->unit);
    bool ok = is_number && frs_units_parse(text, kind == SIZE ? FRS_BYTES : FRS_TIME, value) == FRS_OK &&
              *value > 0;
    free(text);
    return ok || wrong_field(reading, source->parts[0],
                     kind == SIZE ? "a size above 0: what carries nothing says nothing of a rate"
                                  : "a duration above 0: leave out transfers that failed",
                     errors);
}

/* The fields of a client or of a class, with a dash between them. */
static char *text_of(const struct reading *reading, enum column kind) {
    const struct source *source = &reading->sources[kind];
    char *text = frs_strdup(reading->csv.fields[source->parts[0]]);
    for (size_t i = 1; i < source->n; i++) {
        char *longer = frs_format("%s-%s", text, reading->csv.fields[source->parts[i]]);
        free(text);
        text = longer;
    }
    return text;
}

static bool is_class(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *text && strlen(text) < NAME && text[strspn(text, letters)] == '\0' && strcmp(text, "none") != 0;
}

static bool read_class(struct reading *reading, const char *name, size_t *class, struct frs_errors *errors) {
    struct frs_log *log = reading->log;
    for (*class = 0; *class < log->n_classes; ++*class)
        if (strcmp(log->classes[*class], name) == 0)
            return true;
    size_t column = reading->sources[CLASS].n ? reading->sources[CLASS].parts[0] : 0;
    if (reading->sources[CLASS].n && !is_class(name))
        return wrong_field(
            reading, column, "a class: letters, digits, \"-\", \"_\" and \".\", other than none", errors);
    if (log->n_classes == FRS_LOG_CLASSES)
        return wrong_field(reading, column, "16 classes, and this is the 17th", errors);
    log->classes[log->n_classes++] = frs_strdup(name);
    return true;
}

static bool read_client(
    struct reading *reading, const char *class_name, size_t *client, struct frs_errors *errors) {
    struct frs_log *log = reading->log;
    size_t class;
    if (!read_class(reading, class_name, &class, errors))
        return false;
    char *name = text_of(reading, CLIENT);
    *client = frs_names_add(&log->clients, name);
    free(name);
    if (*client < log->n_clients) {
        return log->class_of[*client] == class ||
               wrong_field(reading, reading->sources[CLASS].parts[0],
                   "the class that this client had before; clients that change it are several", errors);
    }
    log->class_of = frs_grow(log->class_of, *client + 1, &log->class_capacity, sizeof *log->class_of);
    log->class_of[log->n_clients++] = class;
    return true;
}

static bool read_direction(
    struct reading *reading, enum frs_log_direction *direction, struct frs_errors *errors) {
    static const char *const down[] = {"down", "download", "downlink", "dl", NULL}, *const up[] = {"up",
                                                                                        "upload", "uplink",
                                                                                        "ul", NULL};
    size_t column = reading->sources[DIRECTION].parts[0];
    for (size_t i = 0; down[i]; i++) {
        bool is_up = strcasecmp(reading->csv.fields[column], up[i]) == 0;
        if (is_up || strcasecmp(reading->csv.fields[column], down[i]) == 0) {
            *direction = is_up ? FRS_LOG_UP : FRS_LOG_DOWN;
            return true;
        }
    }
    return wrong_field(reading, column, "down, download, downlink, dl, up, upload, uplink, ul", errors);
}

static bool read_row(struct reading *reading, struct frs_errors *errors) {
    struct frs_log *log = reading->log;
    struct frs_log_row row = {.direction = reading->options->direction};
    char *class_name = reading->sources[CLASS].n ? text_of(reading, CLASS) : frs_strdup("all");
    bool kept = !reading->options->only || strcmp(reading->options->only, class_name) == 0;
    bool ok = !kept || read_client(reading, class_name, &row.client, errors);
    free(class_name);
    if (!ok || !kept)
        return ok;
    if (!read_quantity(reading, DURATION, &row.duration_s, errors) ||
        (!log->of_rounds && !read_quantity(reading, SIZE, &row.bytes, errors)) ||
        (!log->of_rounds && reading->sources[DIRECTION].n &&
            !read_direction(reading, &row.direction, errors)))
        return false;
    if (log->of_rounds)
        row.round = frs_names_add(&log->rounds, reading->csv.fields[reading->sources[ROUND].parts[0]]);
    log->n_rounds = log->rounds.n;
    log->rows = frs_grow(log->rows, log->n + 1, &log->capacity, sizeof *log->rows);
    log->rows[log->n++] = row;
    return true;
}

enum frs_status frs_log_read(
    struct frs_log *log, const char *path, const struct frs_log_options *options, struct frs_errors *errors) {
    struct reading reading = {.log = log, .options = options};
    *log = (struct frs_log){0};
    bool ok = frs_csv_open_table(&reading.csv, path, errors) && read_head(&reading, errors);
    while (ok && frs_csv_next(&reading.csv, errors))
        ok = read_row(&reading, errors);
    ok = ok && !reading.csv.failed;
    if (ok && log->n == 0) {
        char line[NAME];
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no lines%s%s", path, options->only ? " of class " : "",
            options->only ? frs_text_line(options->only, line, sizeof line) : "");
        ok = false;
    }
    frs_csv_close(&reading.csv);
    return ok ? FRS_OK : FRS_ERR_INPUT;
}

static struct frs_log_groups group_rows(const struct frs_log *log, size_t n, bool by_round) {
    struct frs_log_groups groups = {.n = n,
        .starts = frs_alloc(n + 2, sizeof *groups.starts),
        .rows = frs_alloc(log->n + 1, sizeof *groups.rows)};
    size_t *next =
        groups.starts + 1; /* counted one group further on, so that filling moves the ends into place */
    for (size_t i = 0; i < log->n; i++)
        next[(by_round ? log->rows[i].round : log->rows[i].client) + 1]++;
    for (size_t group = 1; group <= n; group++)
        next[group] += next[group - 1];
    for (size_t i = 0; i < log->n; i++)
        groups.rows[next[by_round ? log->rows[i].round : log->rows[i].client]++] = i;
    return groups;
}

struct frs_log_groups frs_log_by_client(const struct frs_log *log) {
    return group_rows(log, log->n_clients, false);
}

struct frs_log_groups frs_log_by_round(const struct frs_log *log) {
    return group_rows(log, log->n_rounds, true);
}

void frs_log_groups_fini(struct frs_log_groups *groups) {
    free(groups->starts);
    free(groups->rows);
    *groups = (struct frs_log_groups){0};
}

void frs_log_fini(struct frs_log *log) {
    for (size_t i = 0; i < log->n_classes; i++)
        free(log->classes[i]);
    frs_names_fini(&log->clients);
    frs_names_fini(&log->rounds);
    free(log->class_of);
    free(log->rows);
    *log = (struct frs_log){0};
}
