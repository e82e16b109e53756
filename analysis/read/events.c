#include "analysis/read/events.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum frs_status frs_events_open(struct frs_events *events, const char *folder,
    const struct frs_records *rounds, const char **reason, struct frs_errors *errors) {
    *events = (struct frs_events){.path = frs_format("%s/events.ndjson", folder), .rounds = rounds};
    enum frs_status status = frs_records_numbers(rounds, "round", &events->numbers, errors);
    if (status == FRS_OK)
        status = frs_records_numbers(rounds, "attempt", &events->attempts, errors);
    *reason = status == FRS_OK ? frs_input_open(events->path, &events->file) : NULL;
    return status;
}

void frs_events_close(struct frs_events *events) {
    if (events->file)
        fclose(events->file);
    free(events->text);
    free(events->numbers);
    free(events->attempts);
    free(events->path);
    *events = (struct frs_events){0};
}

enum frs_status frs_events_wrong(
    const struct frs_events *events, const char *what, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: %s", events->path, events->line, what);
}

/* ---- members ---- */

static bool skip(const char **at, const char *text) {
    size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_real(const char **at, double *value) {
    char *end;
    if (!**at || !strchr("-0123456789", **at))
        return false;
    *value = frs_decimal_read(*at, 1, 0, &end);
    bool good = end > *at && isfinite(*value);
    *at = end;
    return good;
}

static bool take_count(const char **at, uint32_t *value) {
    double number;
    bool good = **at != '-' && take_real(at, &number) && number <= UINT32_MAX && number == floor(number);
    *value = good ? (uint32_t)number : 0;
    return good;
}

/* Up to the closing quote. */
static bool take_name(const char **at, char name[FRS_EVENT_NAME]) {
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyz_");
    if (length == 0 || length >= FRS_EVENT_NAME || (*at)[length] != '"')
        return false;
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length + 1;
    return true;
}

/* Finds a member in the rest of the line; `mark` is all that stands before its value. False: the value is
 * malformed. */
static bool find_name(const char *rest, const char *mark, char name[FRS_EVENT_NAME]) {
    const char *at = strstr(rest, mark);
    name[0] = '\0';
    return !at || (at += strlen(mark), take_name(&at, name));
}

static bool find_real(const char *rest, const char *mark, double *value) {
    const char *at = strstr(rest, mark);
    *value = NAN;
    return !at || (at += strlen(mark), take_real(&at, value));
}

/* ---- lines ---- */

static bool take_round(const char **at, struct frs_event *event) {
    return skip(at, "{\"client\":") && take_count(at, &event->client) && skip(at, ",\"round\":") &&
           take_count(at, &event->round) && skip(at, ",\"attempt\":") && take_count(at, &event->attempt);
}

static bool take_phase(const char *at, struct frs_event *event) {
    if (!skip(&at, ",\"phase\":\"") || !take_name(&at, event->phase) || !skip(&at, ",\"t0_s\":") ||
        !take_real(&at, &event->from_s) || !skip(&at, ",\"t1_s\":") || !take_real(&at, &event->to_s) ||
        !skip(&at, ",\"bytes\":") || !take_real(&at, &event->bytes) || !skip(&at, ",\"flop\":") ||
        !take_real(&at, &event->flop))
        return false;
    event->broke = strstr(at, ",\"broke\":true") != NULL;
    return event->to_s >= event->from_s && find_name(at, ",\"outcome\":\"", event->outcome) &&
           find_name(at, ",\"cause\":\"", event->cause) &&
           find_real(at, ",\"staleness\":", &event->staleness) &&
           find_real(at, ",\"budget\":", &event->budget) &&
           find_real(at, ",\"latency_s\":", &event->latency_s);
}

/* Finds the row of the event, starting at the row of the previous event: a round that selected no client
 * has no lines. */
static bool find_row(struct frs_events *events, struct frs_event *event) {
    for (size_t row = events->row; row < events->rounds->n; row++)
        if (events->numbers[row] == event->round && events->attempts[row] == event->attempt) {
            event->row = events->row = row;
            return true;
        }
    return false;
}

enum frs_status frs_events_next(
    struct frs_events *events, struct frs_event *event, bool *more, struct frs_errors *errors) {
    size_t length;
    enum frs_line line = frs_input_line(events->file, &events->text, &events->size, &length);
    *more = line != FRS_LINE_NONE;
    if (!*more)
        return ferror(events->file)
                   ? frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", events->path, strerror(errno))
                   : FRS_OK;
    events->line++;
    if (line == FRS_LINE_LONG)
        return frs_events_wrong(events, "is longer than " FRS_INPUT_LINE_TEXT, errors);
    const char *at = events->text;
    if (at[length - 1] != '\n' || strlen(at) != length)
        return frs_events_wrong(events, "ends in the middle of a line", errors);
    if (!take_round(&at, event))
        return frs_events_wrong(events, "is no event of this program", errors);
    if (!find_row(events, event))
        return frs_events_wrong(events, "is of a round that rounds.csv does not have, or has before", errors);
    return take_phase(at, event) ? FRS_OK : frs_events_wrong(events, "is no event of this program", errors);
}
