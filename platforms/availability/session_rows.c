#include "platforms/availability/session_rows.h"
#include "platforms/imports/import.h"
#include "sim/base/date.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nothing can be sent within less. */
#define LEAST_SESSION_S 1e-3

/* Seconds that are no time of a run any more, but one of the epoch: 2001-09-09. */
#define EPOCH_FROM_S 1e9

enum { CLIENT, START, END, LINK, CHARGING, IN_USE, KINDS };

static const char *const names[] = {"client", "start", "end", "link", "charging", "in_use"};

struct reading {
    struct frs_csv csv;
    const struct frs_sessions_format *format;
    struct frs_session_rows *rows;
    size_t columns[KINDS]; /* where they stand; SIZE_MAX: nowhere */
    double units[KINDS];   /* of start and end, in s; 0: as their size says */
    bool has_dates, has_numbers;
    bool is_named; /* by its first line */
    size_t mistakes;
};

static const char *allowed(const struct reading *reading) {
    return reading->format->with_states ? "client,start_s,end_s,link,charging,in_use"
                                        : "client,start_s,end_s";
}

static size_t wanted(const struct reading *reading) {
    return reading->format->with_states ? KINDS : LINK;
}

unsigned frs_session_state(const struct frs_device_state *state) {
    return 4 * (unsigned)state->link + 2u * state->charging + state->in_use;
}

struct frs_device_state frs_session_device(unsigned state) {
    return (struct frs_device_state){
        .link = (enum frs_device_link)(state / 4), .charging = state / 2 % 2, .in_use = state % 2};
}

/* ---- columns --------------------------------------------------------------------------------- */

/* "start", "start_s" and "start_ms"; `unit` is 0 where none is said. */
static size_t kind_of(const char *name, double *unit) {
    *unit = 0;
    for (size_t kind = 0; kind < KINDS; kind++) {
        size_t length = strlen(names[kind]);
        if (strncmp(name, names[kind], length) != 0)
            continue;
        if (!name[length])
            return kind;
        char one[32];
        snprintf(one, sizeof one, "1 %s", name + length + 1);
        if ((kind == START || kind == END) && name[length] == '_' &&
            frs_units_parse(one, FRS_TIME, unit) == FRS_OK)
            return kind;
    }
    return KINDS;
}

static bool read_head(struct reading *reading, struct frs_errors *errors) {
    struct frs_csv *csv = &reading->csv;
    char line[64];
    for (size_t i = 0; i < csv->n_columns; i++) {
        double unit;
        size_t kind = kind_of(csv->names[i], &unit);
        if (kind >= wanted(reading))
            return frs_csv_error(csv, errors, "column %zu: \"%s\" is not known; allowed: %s", i + 1,
                frs_text_line(csv->names[i], line, sizeof line), allowed(reading));
        if (reading->columns[kind] != SIZE_MAX)
            return frs_csv_error(csv, errors,
                "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them", i + 1,
                csv->names[i], reading->columns[kind] + 1, csv->names[reading->columns[kind]]);
        reading->columns[kind] = i;
        reading->units[kind] = unit == 1 ? 0 : unit;
    }
    for (size_t kind = 0; kind < wanted(reading); kind++)
        if (reading->columns[kind] == SIZE_MAX)
            return frs_csv_error(csv, errors, "has no column %s; allowed: %s", names[kind], allowed(reading));
    return true;
}

static bool take_order(struct reading *reading, struct frs_errors *errors) {
    if (reading->csv.n_columns != wanted(reading))
        return frs_csv_error(&reading->csv, errors, "has %zu field%s; allowed: %s", reading->csv.n_columns,
            reading->csv.n_columns == 1 ? "" : "s", allowed(reading));
    for (size_t kind = 0; kind < wanted(reading); kind++)
        reading->columns[kind] = kind;
    return true;
}

/* ---- one line -------------------------------------------------------------------------------- */

static bool read_time(struct reading *reading, size_t kind, double *time, struct frs_errors *errors) {
    const char *field = reading->csv.fields[reading->columns[kind]];
    char shown[48];
    bool is_number = frs_csv_decimal(&reading->csv, reading->columns[kind], time) ||
                     frs_date_clock(field, strlen(field), time),
         is_date = !is_number && frs_date_read(field, strlen(field), time);
    reading->has_numbers |= is_number;
    reading->has_dates |= is_date;
    if (!is_number && !is_date)
        return frs_csv_error(&reading->csv, errors,
            "%s \"%s\" is not a time; allowed: a number of seconds, a time of the day such as 08:00, "
            "or " FRS_DATE_EXPECTED "%s%s",
            names[kind], frs_text_line(field, shown, sizeof shown),
            reading->is_named ? "" : "; a first line of names has ",
            reading->is_named ? "" : allowed(reading));
    if (reading->has_numbers && reading->has_dates)
        return frs_csv_error(&reading->csv, errors,
            "%s \"%s\" is a %s, and times before it are none; allowed: one of the two", names[kind],
            frs_text_line(field, shown, sizeof shown), is_date ? "date" : "number");
    *time *= is_number && reading->units[kind] > 0 ? reading->units[kind] : 1;
    return true;
}

static bool read_choice(struct reading *reading, size_t kind, const char *const *choices, const char *what,
    unsigned *choice, struct frs_errors *errors) {
    const char *field = reading->csv.fields[reading->columns[kind]];
    char shown[48];
    for (*choice = 0; choices[*choice]; ++*choice)
        if (strcmp(choices[*choice], field) == 0)
            return true;
    return frs_csv_error(&reading->csv, errors, "%s \"%s\" is not known; allowed: %s", names[kind],
        frs_text_line(field, shown, sizeof shown), what);
}

static bool read_state(struct reading *reading, unsigned *state, struct frs_errors *errors) {
    static const char *const flags[] = {"0", "1", NULL};
    unsigned link, charging, in_use;
    *state = 1;
    if (!reading->format->with_states)
        return true;
    if (!read_choice(reading, LINK, frs_device_link_names, "wifi, metered or off", &link, errors) ||
        !read_choice(reading, CHARGING, flags, "0 or 1", &charging, errors) ||
        !read_choice(reading, IN_USE, flags, "0 or 1", &in_use, errors))
        return false;
    *state = frs_session_state(&(struct frs_device_state){
        .link = (enum frs_device_link)link, .charging = charging, .in_use = in_use});
    return true;
}

static bool read_row(struct reading *reading, struct frs_errors *errors) {
    struct frs_session_rows *rows = reading->rows;
    struct frs_session_row row = {.line = reading->csv.line};
    if (!frs_client_ids_read(&rows->ids, &reading->csv, reading->columns[CLIENT], &row.client, errors) ||
        !read_time(reading, START, &row.session.start_s, errors) ||
        !read_time(reading, END, &row.session.end_s, errors) ||
        !read_state(reading, &row.session.state, errors))
        return false;
    rows->list = frs_grow(rows->list, rows->n + 1, &rows->capacity, sizeof row);
    rows->list[rows->n++] = row;
    return true;
}

/* ---- times of the run ------------------------------------------------------------------------ */

/* What makes seconds of numbers that are times of the epoch; 1: they are seconds. */
static double epoch_unit(double least, double most) {
    return least >= 1e11 && most < 1e13 ? 1e-3 : least >= 1e14 && most < 1e16 ? 1e-6 : 1;
}

/* Seconds of the file's times, and the one at which the run begins. */
static bool find_begin(struct reading *reading, struct frs_errors *errors) {
    struct frs_session_rows *rows = reading->rows;
    const char *begin = reading->format->begin;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < rows->n; i++) {
        least = fmin(least, rows->list[i].session.start_s);
        most = fmax(most, rows->list[i].session.end_s);
    }
    double unit = reading->has_dates || reading->units[START] > 0 ? 1 : epoch_unit(least, most);
    for (size_t i = 0; unit < 1 && i < rows->n; i++) {
        rows->list[i].session.start_s *= unit;
        rows->list[i].session.end_s *= unit;
    }
    rows->are_absolute = reading->has_dates || least * unit >= EPOCH_FROM_S;
    rows->begin_s = rows->are_absolute ? least * unit : 0;
    if (!*begin)
        return true;
    bool is_number = frs_decimal_is(begin, &rows->begin_s);
    if (!is_number && !frs_date_read(begin, strlen(begin), &rows->begin_s)) {
        char shown[48];
        frs_errors_add(errors, FRS_ERR_INPUT,
            "availability.begin: \"%s\" is no time; allowed: a number of seconds, or " FRS_DATE_EXPECTED,
            frs_text_line(begin, shown, sizeof shown));
        return false;
    }
    if (!is_number && !rows->are_absolute) {
        frs_errors_add(errors, FRS_ERR_INPUT,
            "availability.begin: is a date, but the times of %s are none; allowed: a number of seconds",
            reading->csv.path);
        return false;
    }
    return true;
}

/* A difference of times of the epoch has their rounding, and a millionth of a second is what they mean. */
static double since(const struct frs_session_rows *rows, double time_s) {
    return rows->begin_s == 0 ? time_s : round((time_s - rows->begin_s) * 1e6) / 1e6;
}

/* NULL, or what is wrong with the session, which is moved to the times of the run. */
static const char *settle(const struct reading *reading, struct frs_session *session) {
    bool is_cut = *reading->format->begin;
    if (!(session->end_s > session->start_s))
        return "has an end that is not after its start";
    session->start_s = since(reading->rows, session->start_s);
    session->end_s = since(reading->rows, session->end_s);
    if (session->end_s - session->start_s < LEAST_SESSION_S * (1 - 1e-6)) /* of rounded times */
        return "is a session of less than 1 ms";
    if (session->start_s < 0 && !is_cut)
        return "starts before 0 s";
    session->start_s = fmax(session->start_s, 0);
    if (session->end_s > reading->format->latest_s)
        return "ends after the period";
    if (session->end_s > frs_units_most(FRS_TIME))
        return "ends after 1e9 s";
    return NULL;
}

static void settle_all(struct reading *reading, struct frs_errors *errors) {
    struct frs_session_rows *rows = reading->rows;
    size_t n = 0;
    for (size_t i = 0; i < rows->n && reading->mistakes < FRS_SESSION_MISTAKES; i++) {
        struct frs_session_row *row = &rows->list[i];
        const char *wrong = settle(reading, &row->session);
        if (wrong) {
            reading->csv.line = row->line;
            frs_csv_error(&reading->csv, errors, "%s", wrong);
            reading->mistakes++;
        } else if (row->session.end_s - row->session.start_s >= LEAST_SESSION_S * (1 - 1e-6)) {
            rows->list[n++] = *row;
        } else {
            rows->n_before++;
        }
    }
    rows->n = n;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void read_rows(struct reading *reading, struct frs_errors *errors) {
    struct frs_csv *csv = &reading->csv;
    while (reading->mistakes < FRS_SESSION_MISTAKES) {
        bool is_read = frs_csv_next(csv, errors);
        if (!is_read && !csv->failed)
            return;
        if (!is_read || !read_row(reading, errors)) {
            reading->mistakes++;
            csv->failed = false; /* others of its lines may be wrong, too */
        }
    }
}

static bool holds_none(const struct reading *reading, struct frs_errors *errors) {
    frs_errors_add(errors, FRS_ERR_INPUT, "%s: holds no session%s; expected lines %s", reading->csv.path,
        reading->rows->n_before > 0 ? " behind availability.begin" : "", allowed(reading));
    return false;
}

bool frs_session_rows_read(struct frs_session_rows *rows, const char *path,
    const struct frs_sessions_format *format, struct frs_errors *errors) {
    struct reading reading = {.format = format, .rows = rows};
    *rows = (struct frs_session_rows){0};
    for (size_t kind = 0; kind < KINDS; kind++)
        reading.columns[kind] = SIZE_MAX;
    bool ok = !frs_import_refuses(path, errors) &&
              frs_csv_open_unnamed(&reading.csv, path, "client", &reading.is_named, errors) &&
              (reading.is_named ? read_head(&reading, errors) : take_order(&reading, errors));
    if (ok) {
        frs_client_ids_begin(&rows->ids, path, reading.columns[CLIENT]);
        read_rows(&reading, errors);
        ok = reading.mistakes == 0 && (rows->n > 0 || holds_none(&reading, errors)) &&
             find_begin(&reading, errors);
    }
    if (ok) {
        settle_all(&reading, errors);
        ok = reading.mistakes == 0 && (rows->n > 0 || holds_none(&reading, errors));
    }
    frs_csv_close(&reading.csv);
    return ok;
}

void frs_session_rows_fini(struct frs_session_rows *rows) {
    free(rows->list);
    frs_client_ids_fini(&rows->ids);
    *rows = (struct frs_session_rows){0};
}
