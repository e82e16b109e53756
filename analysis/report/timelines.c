/* Timelines of rounds, from events.ndjson, which may be large: one pass over its lines, of which only
 * those of chosen rounds are kept. */
#include "analysis/read/events.h"
#include "analysis/report/report_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TIMELINES = 24,
    MOST_SHOWN =
        600, /* participants of a timeline; of more, those evenly spread in the order of their ends */
    MOST_ROUNDS = 2000 /* with times of their own */
};

/* A participation, as its lines tell. */
struct part {
    struct frs_event last; /* its last line but that of `post`, from its first one on */
    bool ended;            /* its outcome is known: what follows is `post`, or another one */
    json_t *phases;        /* NULL: its round is not shown */
};

struct timeline {
    size_t row; /* of rounds.csv */
    json_t *why;
    struct part *parts;
    size_t n, capacity;
};

/* Values of a row's participations. */
struct values {
    double *list;
    size_t n, capacity;
};

struct reading {
    const struct frs_records *rounds;
    unsigned long every; /* of its rounds the run has events */
    struct frs_events events;
    double *starts, *ends; /* of its rounds */
    struct values times, budgets;
    double n_parts;   /* so far */
    struct part part; /* the last one; `open` */
    bool open;
    json_t *spread, *assigned;
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

static bool has_events(const struct reading *reading, size_t row) {
    return ((unsigned long)reading->events.numbers[row] - 1) % reading->every == 0;
}

/* Chooses the first round, the median one, the slowest, and the one that lost most, if any lost something,
 * among the rounds that have events. */
static void choose_usual(
    struct reading *reading, const double *durations, const double *selected, const double *delivered) {
    size_t n = 0, lossy = 0;
    struct place *order = frs_alloc(reading->rounds->n, sizeof *order);
    for (size_t i = 0; i < reading->rounds->n; i++) {
        if (!has_events(reading, i))
            continue;
        order[n++] = (struct place){durations[i], i};
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

static enum frs_status refuse_round(
    const struct reading *reading, unsigned long round, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--rounds %lu: this run has events of round 1 and of every %lu after it alone (output.events_every)",
        round, reading->every);
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
static bool choose_round(struct reading *reading, unsigned long round) {
    bool found = false;
    for (size_t i = 0; i < reading->rounds->n; i++)
        if (reading->events.numbers[i] == (double)round) {
            choose(reading, i, "asked for");
            found = true;
        }
    return found;
}

static enum frs_status choose_asked(struct reading *reading, const char *text, struct frs_errors *errors) {
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
        for (unsigned long round = first; round <= last; round++) {
            if (round > 0 && (round - 1) % reading->every != 0)
                return refuse_round(reading, round, errors);
            if (++n > MOST_TIMELINES - 4 || !choose_round(reading, round))
                return refuse_rounds(text, errors);
        }
        if (*at == '\0')
            return FRS_OK;
        if (*at != ',')
            return refuse_rounds(text, errors);
    }
    return FRS_OK;
}

/* Participations that rounds.csv tells of, and those that have events. */
struct counts {
    double selected, told;
};

static enum frs_status choose_all(
    struct reading *reading, const char *chosen, struct counts *counts, struct frs_errors *errors) {
    const struct frs_records *rounds = reading->rounds;
    double *durations = NULL, *selected = NULL, *delivered = NULL;
    enum frs_status status = frs_records_numbers(rounds, "duration_s", &durations, errors);
    if (status == FRS_OK)
        status = frs_records_numbers(rounds, "selected", &selected, errors);
    if (status == FRS_OK)
        status = frs_records_numbers(rounds, "delivered", &delivered, errors);
    if (status == FRS_OK && rounds->n > 0) {
        choose_usual(reading, durations, selected, delivered);
        status = choose_asked(reading, chosen, errors);
    }
    *counts = (struct counts){0};
    for (size_t i = 0; status == FRS_OK && i < rounds->n; i++) {
        counts->selected += selected[i];
        counts->told += has_events(reading, i) ? selected[i] : 0;
    }
    free(durations);
    free(selected);
    free(delivered);
    return status;
}

/* ---- participations ---- */

static struct timeline *timeline_of(struct reading *reading, size_t row) {
    for (size_t i = 0; i < reading->n_timelines; i++)
        if (reading->timelines[i].row == row)
            return &reading->timelines[i];
    return NULL;
}

static void add_value(struct values *values, double value) {
    values->list = frs_grow(values->list, values->n + 1, &values->capacity, sizeof *values->list);
    values->list[values->n++] = value;
}

static void close_part(struct reading *reading) {
    if (!reading->open)
        return;
    struct part *part = &reading->part;
    struct timeline *timeline = timeline_of(reading, part->last.row);
    reading->open = false;
    reading->n_parts++;
    add_value(&reading->times, part->last.to_s - part->last.from_s);
    if (!isnan(part->last.budget))
        add_value(&reading->budgets, part->last.budget);
    if (!timeline)
        return;
    timeline->parts =
        frs_grow(timeline->parts, timeline->n + 1, &timeline->capacity, sizeof *timeline->parts);
    timeline->parts[timeline->n++] = *part;
}

/* Least, quarters and most, each a value that is there; the values are forgotten. */
static const char *const spread_names[] = {"round", "attempt", "n", "least", "q1", "median", "q3", "most"};
enum { SPREAD_NAMES = sizeof spread_names / sizeof *spread_names, QUANTILES = 5 };

static json_t *empty_spread(void) {
    json_t *columns = json_object();
    for (size_t i = 0; i < SPREAD_NAMES; i++)
        frs_json_set(columns, spread_names[i], json_array());
    return columns;
}

static void add_spread(struct values *values, const struct frs_event *event, json_t *columns) {
    qsort(values->list, values->n, sizeof *values->list, frs_compare_doubles);
    double row[SPREAD_NAMES] = {event->round, event->attempt, (double)values->n};
    for (size_t i = 0; i < QUANTILES; i++)
        row[SPREAD_NAMES - QUANTILES + i] = values->list[(values->n - 1) * i / (QUANTILES - 1)];
    for (size_t i = 0; i < SPREAD_NAMES; i++)
        frs_json_append(json_object_get(columns, spread_names[i]), frs_report_number(row[i]));
}

/* If there are many rows, only some get times and budgets of their own. */
static void close_row(struct reading *reading) {
    size_t every = (reading->rounds->n + MOST_ROUNDS - 1) / MOST_ROUNDS;
    const struct frs_event *last = &reading->part.last;
    close_part(reading);
    bool kept = last->row % every == 0;
    if (kept && reading->times.n > 0)
        add_spread(&reading->times, last, reading->spread);
    if (kept && reading->budgets.n > 0)
        add_spread(&reading->budgets, last, reading->assigned);
    reading->times.n = reading->budgets.n = 0;
}

static void add_phase(struct part *part, const struct frs_event *event) {
    json_t *phase = json_array();
    frs_json_append(phase, json_string(event->phase));
    frs_json_append(phase, frs_report_number(event->from_s));
    frs_json_append(phase, frs_report_number(event->to_s));
    frs_json_append(phase, frs_report_number(event->bytes));
    /* The latency of connecting is part of connecting, as on the critical path. */
    bool pays = strcmp(event->phase, "down") == 0 || strcmp(event->phase, "up") == 0 ||
                strcmp(event->phase, "receive") == 0;
    frs_json_append(phase,
        frs_report_number(
            pays && isfinite(event->latency_s) ? fmin(event->latency_s, event->to_s - event->from_s) : 0));
    if (event->broke)
        frs_json_append(phase, json_string("broke"));
    else if (strcmp(event->phase, "post") == 0)
        frs_json_append(phase, json_string(event->outcome));
    frs_json_append(part->phases, phase);
}

static enum frs_status take_event(
    struct reading *reading, const struct frs_event *event, struct frs_errors *errors) {
    struct part *part = &reading->part;
    bool post = strcmp(event->phase, "post") == 0;
    if (event->row != part->last.row)
        close_row(reading);
    bool same = reading->open && part->last.client == event->client && part->ended == post;
    if (post && (!same || !*event->outcome))
        return frs_events_wrong(&reading->events, "is of work after an upload that is not there", errors);
    if (!same) {
        close_part(reading);
        *part = (struct part){.last = *event};
        if (timeline_of(reading, event->row))
            part->phases = json_array();
        reading->open = true;
    } else if (!post) {
        double from_s = part->last.from_s, budget = part->last.budget; /* of its first line */
        part->last = *event;
        part->last.from_s = from_s;
        part->last.budget = budget;
    }
    part->ended = part->ended || *event->outcome;
    if (part->phases)
        add_phase(part, event);
    return FRS_OK;
}

static enum frs_status take_events(struct reading *reading, struct frs_errors *errors) {
    struct frs_event event;
    bool more;
    enum frs_status status = frs_events_next(&reading->events, &event, &more, errors);
    while (status == FRS_OK && more) {
        status = take_event(reading, &event, errors);
        if (status == FRS_OK)
            status = frs_events_next(&reading->events, &event, &more, errors);
    }
    if (status == FRS_OK)
        close_row(reading);
    return status;
}

/* ---- what is shown ---- */

/* The last one first: it is what the round waited for. */
static int by_end(const void *a, const void *b) {
    const struct frs_event *x = &((const struct part *)a)->last, *y = &((const struct part *)b)->last;
    if (x->to_s != y->to_s)
        return (x->to_s < y->to_s) - (x->to_s > y->to_s);
    return (x->client > y->client) - (x->client < y->client);
}

static json_t *part_object(const struct part *part) {
    json_t *object = json_object();
    frs_json_set(object, "client", json_integer(part->last.client));
    frs_json_set(object, "phases", json_incref(part->phases));
    if (*part->last.outcome)
        frs_json_set(object, "outcome", json_string(part->last.outcome));
    if (*part->last.cause)
        frs_json_set(object, "cause", json_string(part->last.cause));
    if (!isnan(part->last.staleness))
        frs_json_set(object, "staleness", frs_report_number(part->last.staleness));
    if (!isnan(part->last.budget))
        frs_json_set(object, "budget", frs_report_number(part->last.budget));
    return object;
}

static json_t *timeline_object(const struct reading *reading, const struct timeline *timeline) {
    json_t *object = json_object(), *list = json_array();
    size_t n = timeline->n, shown = n < MOST_SHOWN ? n : MOST_SHOWN;
    if (n > 0)
        qsort(timeline->parts, n, sizeof *timeline->parts, by_end);
    for (size_t i = 0; i < shown; i++)
        frs_json_append(list, part_object(&timeline->parts[shown == n ? i : i * (n - 1) / (shown - 1)]));
    frs_json_set(object, "row", json_integer((json_int_t)timeline->row));
    frs_json_set(object, "round", frs_report_number(reading->events.numbers[timeline->row]));
    frs_json_set(object, "attempt", frs_report_number(reading->events.attempts[timeline->row]));
    frs_json_set(object, "start_s", frs_report_number(reading->starts[timeline->row]));
    frs_json_set(object, "end_s", frs_report_number(reading->ends[timeline->row]));
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
    if (reading->n_timelines > 0)
        qsort(reading->timelines, reading->n_timelines, sizeof *reading->timelines, by_row);
    for (size_t i = 0; i < reading->n_timelines; i++)
        frs_json_append(list, timeline_object(reading, &reading->timelines[i]));
    frs_json_set(page, "timelines", list);
    frs_json_set(page, "times", json_incref(reading->spread));
    frs_json_set(page, "assigned", json_incref(reading->assigned));
}

static void fini(struct reading *reading) {
    if (reading->open)
        json_decref(reading->part.phases);
    for (size_t i = 0; i < reading->n_timelines; i++) {
        struct timeline *timeline = &reading->timelines[i];
        for (size_t k = 0; k < timeline->n; k++)
            json_decref(timeline->parts[k].phases);
        free(timeline->parts);
        json_decref(timeline->why);
    }
    json_decref(reading->spread);
    json_decref(reading->assigned);
    free(reading->starts);
    free(reading->ends);
    free(reading->times.list);
    free(reading->budgets.list);
    frs_events_close(&reading->events);
}

static enum frs_status read_events(
    struct reading *reading, double told, json_t *page, struct frs_errors *errors) {
    enum frs_status status = take_events(reading, errors);
    if (status == FRS_OK && reading->n_parts != told)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has %.0f participations, and %s %.0f: the folder is not whole", reading->events.path,
            reading->n_parts, reading->every > 1 ? "its rounds in rounds.csv have" : "summary.json", told);
    if (status == FRS_OK)
        set_timelines(reading, page);
    if (status == FRS_OK && reading->every > 1)
        frs_json_set(page, "events_every", json_integer((json_int_t)reading->every));
    return status;
}

enum frs_status frs_report_timelines(const char *folder, const struct frs_records *rounds, const char *chosen,
    unsigned long every, double participations, json_t *page, struct frs_errors *errors) {
    struct reading reading = {
        .rounds = rounds, .every = every, .spread = empty_spread(), .assigned = empty_spread()};
    const char *reason;
    struct counts counts = {0};
    enum frs_status status = frs_events_open(&reading.events, folder, rounds, &reason, errors);
    if (status == FRS_OK)
        status = frs_records_numbers(rounds, "start_s", &reading.starts, errors);
    if (status == FRS_OK)
        status = frs_records_numbers(rounds, "end_s", &reading.ends, errors);
    if (status == FRS_OK)
        status = choose_all(&reading, chosen, &counts, errors);
    if (status == FRS_OK && counts.selected != participations)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: asks for %.0f participations, and summary.json has %.0f: the folder is not whole",
            rounds->path, counts.selected, participations);
    if (status == FRS_OK && reason && chosen)
        status =
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s; --rounds needs it", reading.events.path, reason);
    if (status == FRS_OK && !reason)
        status = read_events(&reading, counts.told, page, errors);
    fini(&reading);
    return status;
}
