/* Timelines of rounds, from events.ndjson, which may be large: one pass over its lines, of which only those of chosen
 * rounds are kept. */
#include "analysis/report/report_internal.h"
#include "sim/base/files/csv.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum {
    MOST_TIMELINES = 24,
    MOST_SHOWN =
        600, /* participants of a timeline; of more, those evenly spread in the order of their ends */
    MOST_ROUNDS = 2000 /* with times of their own */
};

/* A participation, as its lines tell. */
struct part {
    uint32_t client;
    double from_s, to_s;
    bool ended;     /* its outcome is known: what follows is `post`, or another one */
    json_t *phases; /* NULL: its round is not shown */
    json_t *last;   /* its last line but that of `post` */
};

struct timeline {
    size_t row; /* of rounds.csv */
    json_t *why;
    struct part *parts;
    size_t n, capacity;
};

struct reading {
    const struct frs_records *rounds;
    const char *path;
    size_t line;
    size_t round_column, attempt_column;
    size_t row; /* of rounds.csv, that the lines are about */
    double round, attempt;
    double *times; /* [n_times] of the row's participations */
    size_t n_times, capacity;
    double n_parts;   /* so far */
    struct part part; /* the last one; `open` */
    bool open;
    json_t *spread;
    struct timeline timelines[MOST_TIMELINES];
    size_t n_timelines;
};

/* ---- which rounds ---- */

static void choose(struct reading *reading, size_t row, const char *why) {
    for (size_t i = 0; i < reading->n_timelines; i++)
        if (reading->timelines[i].row == row) {
            frs_json_append(reading->timelines[i].why, json_string(why));
            return;
        }
    if (reading->n_timelines == MOST_TIMELINES)
        return;
    struct timeline *timeline = &reading->timelines[reading->n_timelines++];
    *timeline = (struct timeline){.row = row, .why = json_array()};
    frs_json_append(timeline->why, json_string(why));
}

static enum frs_status numbers(
    const struct frs_records *rounds, const char *name, double **values, struct frs_errors *errors) {
    size_t column;
    enum frs_status status = frs_records_column(rounds, name, &column, errors);
    *values = frs_alloc(rounds->n + 1, sizeof **values);
    for (size_t i = 0; i < rounds->n && status == FRS_OK; i++)
        status = frs_records_number(rounds, i, column, &(*values)[i], errors);
    return status;
}

struct place {
    double value;
    size_t row;
};

static int by_value(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->value != y->value)
        return (x->value > y->value) - (x->value < y->value);
    return (x->row > y->row) - (x->row < y->row);
}

/* The first, the median, the slowest, and the one that lost most, if any lost something. */
static void choose_usual(
    struct reading *reading, const double *durations, const double *selected, const double *delivered) {
    size_t n = reading->rounds->n, lossy = 0;
    struct place *order = frs_alloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        order[i] = (struct place){durations[i], i};
        if (selected[i] - delivered[i] > selected[lossy] - delivered[lossy])
            lossy = i;
    }
    qsort(order, n, sizeof *order, by_value);
    choose(reading, 0, "first");
    choose(reading, order[(n - 1) / 2].row, "median");
    choose(reading, order[n - 1].row, "slowest");
    if (selected[lossy] > delivered[lossy])
        choose(reading, lossy, "most lost");
    free(order);
}

static enum frs_status refuse_rounds(const char *text, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--rounds %s: allowed: rounds of the run, as in 10-12,40; at most %d of them", text,
        MOST_TIMELINES - 4);
}

static bool parse_number(const char **at, unsigned long *value) {
    char *end;
    errno = 0;
    if (strspn(*at, "0123456789") == 0)
        return false;
    *value = strtoul(*at, &end, 10);
    *at = end;
    return errno == 0;
}

/* All attempts at a round; false when the run has none. */
static bool choose_round(struct reading *reading, const double *rounds, unsigned long round) {
    bool found = false;
    for (size_t i = 0; i < reading->rounds->n; i++)
        if (rounds[i] == (double)round) {
            choose(reading, i, "asked for");
            found = true;
        }
    return found;
}

static enum frs_status choose_asked(
    struct reading *reading, const double *rounds, const char *text, struct frs_errors *errors) {
    size_t n = 0;
    for (const char *at = text; text; at++) {
        unsigned long first, last;
        if (!parse_number(&at, &first))
            return refuse_rounds(text, errors);
        last = first;
        if (*at == '-' && (at++, !parse_number(&at, &last)))
            return refuse_rounds(text, errors);
        if (last < first || last - first >= MOST_TIMELINES)
            return refuse_rounds(text, errors);
        for (unsigned long round = first; round <= last; round++)
            if (++n > MOST_TIMELINES - 4 || !choose_round(reading, rounds, round))
                return refuse_rounds(text, errors);
        if (*at == '\0')
            return FRS_OK;
        if (*at != ',')
            return refuse_rounds(text, errors);
    }
    return FRS_OK;
}

static enum frs_status choose_all(
    struct reading *reading, const char *chosen, double *n_selected, struct frs_errors *errors) {
    double *durations = NULL, *selected = NULL, *delivered = NULL, *rounds = NULL;
    enum frs_status status = numbers(reading->rounds, "duration_s", &durations, errors);
    if (status == FRS_OK)
        status = numbers(reading->rounds, "selected", &selected, errors);
    if (status == FRS_OK)
        status = numbers(reading->rounds, "delivered", &delivered, errors);
    if (status == FRS_OK)
        status = numbers(reading->rounds, "round", &rounds, errors);
    if (status == FRS_OK && reading->rounds->n > 0) {
        choose_usual(reading, durations, selected, delivered);
        status = choose_asked(reading, rounds, chosen, errors);
    }
    *n_selected = 0;
    for (size_t i = 0; status == FRS_OK && i < reading->rounds->n; i++)
        *n_selected += selected[i];
    free(durations);
    free(selected);
    free(delivered);
    free(rounds);
    return status;
}

/* ---- lines ---- */

static enum frs_status wrong_line(const struct reading *reading, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s:%zu: is no event of this version of the program, or of a round that rounds.csv does not have",
        reading->path, reading->line);
}

struct event {
    uint32_t client, round, attempt;
    double from_s, to_s;
    bool post;
};

static bool skip(const char **at, const char *text) {
    size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_count(const char **at, uint32_t *value) {
    unsigned long number;
    bool good = parse_number(at, &number) && number <= UINT32_MAX;
    *value = good ? (uint32_t)number : 0;
    return good;
}

static bool take_real(const char **at, double *value) {
    char *end;
    if (!strchr("-0123456789", **at))
        return false;
    *value = strtod(*at, &end);
    bool good = end > *at && isfinite(*value);
    *at = end;
    return good;
}

/* What every line begins with, in this order; reading it all as JSON would take ten times as long. */
static bool take_head(const char *line, struct event *event) {
    const char *at = line;
    if (!skip(&at, "{\"client\":") || !take_count(&at, &event->client) || !skip(&at, ",\"round\":") ||
        !take_count(&at, &event->round) || !skip(&at, ",\"attempt\":") || !take_count(&at, &event->attempt) ||
        !skip(&at, ",\"phase\":\""))
        return false;
    event->post = strncmp(at, "post\"", 5) == 0;
    at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    return skip(&at, "\",\"t0_s\":") && take_real(&at, &event->from_s) && skip(&at, ",\"t1_s\":") &&
           take_real(&at, &event->to_s);
}

/* ---- participations ---- */

static struct timeline *timeline_of(struct reading *reading, size_t row) {
    for (size_t i = 0; i < reading->n_timelines; i++)
        if (reading->timelines[i].row == row)
            return &reading->timelines[i];
    return NULL;
}

static void close_part(struct reading *reading) {
    struct timeline *timeline = timeline_of(reading, reading->row);
    if (!reading->open)
        return;
    reading->open = false;
    reading->n_parts++;
    reading->times =
        frs_grow(reading->times, reading->n_times + 1, &reading->capacity, sizeof *reading->times);
    reading->times[reading->n_times++] = reading->part.to_s - reading->part.from_s;
    if (!timeline)
        return;
    timeline->parts =
        frs_grow(timeline->parts, timeline->n + 1, &timeline->capacity, sizeof *timeline->parts);
    timeline->parts[timeline->n++] = reading->part;
}

static int by_time(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of n ordered values, the one with this share of them at or below it. */
static double share_of(const double *values, size_t n, size_t quarters) {
    return values[(n - 1) * quarters / 4];
}

static void close_row(struct reading *reading) {
    size_t n = reading->n_times, every = (reading->rounds->n + MOST_ROUNDS - 1) / MOST_ROUNDS;
    close_part(reading);
    n = reading->n_times;
    reading->n_times = 0;
    if (n == 0 || reading->row % every != 0)
        return;
    static const char *const names[] = {"least", "q1", "median", "q3", "most"};
    json_t *object = json_object();
    qsort(reading->times, n, sizeof *reading->times, by_time);
    frs_json_set(object, "round", json_integer((json_int_t)reading->round));
    frs_json_set(object, "attempt", json_integer((json_int_t)reading->attempt));
    frs_json_set(object, "n", json_integer((json_int_t)n));
    for (size_t i = 0; i < 5; i++)
        frs_json_set(object, names[i], frs_report_number(share_of(reading->times, n, i)));
    frs_json_append(reading->spread, object);
}

/* Rounds stand in the order of rounds.csv; one in which nobody was asked has no lines. */
static bool find_row(struct reading *reading, const struct event *event, struct frs_errors *errors) {
    if (reading->round == event->round && reading->attempt == event->attempt)
        return true;
    close_row(reading);
    for (size_t row = isnan(reading->round) ? 0 : reading->row + 1; row < reading->rounds->n; row++) {
        double round, attempt;
        if (frs_records_number(reading->rounds, row, reading->round_column, &round, errors) != FRS_OK ||
            frs_records_number(reading->rounds, row, reading->attempt_column, &attempt, errors) != FRS_OK)
            return false;
        if (round != event->round || attempt != event->attempt)
            continue;
        reading->row = row;
        reading->round = round;
        reading->attempt = attempt;
        return true;
    }
    return false;
}

static void take_phase(struct part *part, const json_t *line) {
    json_t *phase = json_array();
    static const char *const kept[] = {"phase", "t0_s", "t1_s", "bytes"};
    for (size_t i = 0; i < 4; i++) {
        json_t *value = json_object_get(line, kept[i]);
        frs_json_append(phase, value ? json_incref(value) : json_null());
    }
    if (json_is_true(json_object_get(line, "broke")))
        frs_json_append(phase, json_string("broke"));
    else if (strcmp(json_string_value(json_array_get(phase, 0)), "post") == 0)
        frs_json_append(phase, json_incref(json_object_get(line, "outcome")));
    frs_json_append(part->phases, phase);
}

static enum frs_status take_line(struct reading *reading, const char *line, struct frs_errors *errors) {
    struct event event;
    if (!take_head(line, &event) || !find_row(reading, &event, errors))
        return wrong_line(reading, errors);
    struct part *part = &reading->part;
    bool same = reading->open && part->client == event.client && part->ended == event.post;
    bool starts = !same && !event.post;
    if (starts) {
        close_part(reading);
        *part = (struct part){.client = event.client, .from_s = event.from_s, .to_s = event.to_s};
        if (timeline_of(reading, reading->row))
            part->phases = json_array();
        reading->open = true;
    }
    if (!same && event.post)
        return wrong_line(reading, errors);
    if (!event.post) {
        part->to_s = event.to_s;
        part->ended = strstr(line, ",\"outcome\":\"") != NULL;
    }
    if (!part->phases)
        return FRS_OK;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    bool good = json_is_string(json_object_get(object, "phase")) &&
                (!event.post || json_is_string(json_object_get(object, "outcome")));
    if (good)
        take_phase(part, object);
    if (good && !event.post) {
        json_decref(part->last);
        part->last = json_incref(object);
    }
    json_decref(object);
    return good ? FRS_OK : wrong_line(reading, errors);
}

static enum frs_status take_lines(struct reading *reading, FILE *file, struct frs_errors *errors) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    enum frs_status status = FRS_OK;
    while (status == FRS_OK && (length = getline(&line, &size, file)) > 0) {
        reading->line++;
        status = line[length - 1] == '\n' && strlen(line) == (size_t)length ? take_line(reading, line, errors)
                                                                            : wrong_line(reading, errors);
    }
    if (status == FRS_OK && ferror(file))
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", reading->path, strerror(errno));
    if (status == FRS_OK)
        close_row(reading);
    free(line);
    return status;
}

/* ---- what is shown ---- */

static int by_end(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    if (x->to_s != y->to_s)
        return (x->to_s > y->to_s) - (x->to_s < y->to_s);
    return (x->client > y->client) - (x->client < y->client);
}

static json_t *part_object(const struct part *part) {
    static const char *const kept[] = {"outcome", "cause", "staleness"};
    json_t *object = json_object();
    frs_json_set(object, "client", json_integer(part->client));
    frs_json_set(object, "phases", json_incref(part->phases));
    for (size_t i = 0; i < 3; i++) {
        json_t *value = json_object_get(part->last, kept[i]);
        if (value)
            frs_json_set(object, kept[i], json_incref(value));
    }
    return object;
}

static json_t *timeline_object(const struct reading *reading, const struct timeline *timeline) {
    json_t *object = json_object(), *list = json_array();
    size_t n = timeline->n, shown = n < MOST_SHOWN ? n : MOST_SHOWN;
    const struct frs_records *rounds = reading->rounds;
    qsort(timeline->parts, n, sizeof *timeline->parts, by_end);
    for (size_t i = 0; i < shown; i++)
        frs_json_append(list, part_object(&timeline->parts[shown == n ? i : i * (n - 1) / (shown - 1)]));
    frs_json_set(object, "row", json_integer((json_int_t)timeline->row));
    frs_json_set(object, "round",
        frs_report_number(strtod(frs_records_field(rounds, timeline->row, reading->round_column), NULL)));
    frs_json_set(object, "attempt",
        frs_report_number(strtod(frs_records_field(rounds, timeline->row, reading->attempt_column), NULL)));
    frs_json_set(object, "why", json_incref(timeline->why));
    frs_json_set(object, "participants", json_integer((json_int_t)n));
    frs_json_set(object, "list", list);
    return object;
}

static int by_row(const void *a, const void *b) {
    const struct timeline *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static void set_timelines(struct reading *reading, json_t *page) {
    json_t *list = json_array();
    qsort(reading->timelines, reading->n_timelines, sizeof *reading->timelines, by_row);
    for (size_t i = 0; i < reading->n_timelines; i++)
        frs_json_append(list, timeline_object(reading, &reading->timelines[i]));
    frs_json_set(page, "timelines", list);
    frs_json_set(page, "times", json_incref(reading->spread));
}

static void fini_part(struct part *part) {
    json_decref(part->phases);
    json_decref(part->last);
}

static void fini(struct reading *reading) {
    if (reading->open)
        fini_part(&reading->part);
    for (size_t i = 0; i < reading->n_timelines; i++) {
        struct timeline *timeline = &reading->timelines[i];
        for (size_t k = 0; k < timeline->n; k++)
            fini_part(&timeline->parts[k]);
        free(timeline->parts);
        json_decref(timeline->why);
    }
    json_decref(reading->spread);
    free(reading->times);
}

static enum frs_status read_file(
    struct reading *reading, FILE *file, double participations, json_t *page, struct frs_errors *errors) {
    enum frs_status status = take_lines(reading, file, errors);
    if (status == FRS_OK && reading->n_parts != participations)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has %.0f participations, and summary.json %.0f: the folder is not whole", reading->path,
            reading->n_parts, participations);
    if (status == FRS_OK)
        set_timelines(reading, page);
    return status;
}

enum frs_status frs_report_timelines(const char *folder, const struct frs_records *rounds, const char *chosen,
    double participations, json_t *page, struct frs_errors *errors) {
    char *path = frs_format("%s/events.ndjson", folder);
    struct reading reading = {
        .rounds = rounds, .path = path, .round = NAN, .attempt = NAN, .spread = json_array()};
    double n_selected;
    FILE *file;
    enum frs_status status = frs_records_column(rounds, "round", &reading.round_column, errors);
    if (status == FRS_OK)
        status = frs_records_column(rounds, "attempt", &reading.attempt_column, errors);
    if (status == FRS_OK)
        status = choose_all(&reading, chosen, &n_selected, errors);
    if (status == FRS_OK && n_selected != participations)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: asks for %.0f participations, and summary.json has %.0f: the folder is not whole",
            rounds->path, n_selected, participations);
    const char *reason = status == FRS_OK ? frs_input_open(path, &file) : NULL;
    if (status == FRS_OK && reason && chosen)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s; --rounds needs it", path, reason);
    if (status == FRS_OK && !reason) {
        status = read_file(&reading, file, participations, page, errors);
        fclose(file);
    }
    fini(&reading);
    free(path);
    return status;
}
