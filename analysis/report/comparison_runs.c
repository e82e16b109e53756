#include "analysis/report/comparison_runs.h"
#include "analysis/read/sent_bytes.h"
#include "analysis/report/report_internal.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An evaluated round; bytes: with connecting. */
struct point {
    double round, time_s, bytes, value;
};

struct course {
    struct point *points;
    size_t n, capacity;
    double step; /* of the grid that its values lie on; 0: there is none */
};

/* ---- rounds.csv ---- */

enum { ROUND, END, VALUE, N_COLUMNS };

static enum frs_status read_course(
    const struct frs_records *rounds, const char *column, struct course *course, struct frs_errors *errors) {
    const char *const names[N_COLUMNS] = {"round", "end_s", column};
    size_t columns[N_COLUMNS];
    double row[N_COLUMNS];
    struct frs_sent_columns sent_columns;
    struct frs_sent_bytes sent = {0};
    enum frs_status status = frs_sent_find(rounds, &sent_columns, errors);
    for (size_t i = 0; i < N_COLUMNS && status == FRS_OK; i++)
        status = frs_records_column(rounds, names[i], &columns[i], errors);
    for (size_t r = 0; r < rounds->n && status == FRS_OK; r++) {
        for (size_t i = 0; i < N_COLUMNS && status == FRS_OK; i++)
            status = frs_records_number(rounds, r, columns[i], &row[i], errors);
        if (status == FRS_OK)
            status = frs_sent_add(rounds, r, &sent_columns, &sent, errors);
        if (status != FRS_OK || !isfinite(row[VALUE]))
            continue;
        course->points = frs_grow(course->points, course->n + 1, &course->capacity, sizeof *course->points);
        course->points[course->n++] = (struct point){row[ROUND], row[END], sent.all, row[VALUE]};
    }
    return status;
}

/* The number of which all values are whole multiples of its inverse, as hit rates are of the number of
 * users; 0: there is none. */
static double parts_of(const struct course *course) {
    double n = course->step > 0 ? round(1 / course->step) : 0;
    for (size_t i = 0; i < course->n && n > 0; i++)
        if (round(course->points[i].value * n) / n != course->points[i].value)
            n = 0;
    return n;
}

static void append_number(json_t *object, const char *column, double value) {
    frs_json_append(json_object_get(object, column), frs_report_number(value));
}

/* Appends a record, `before` being the record before it, at first the run's start. */
static void append_record(
    json_t *records, const struct course *course, size_t i, const struct point *before, double parts) {
    const struct point *point = &course->points[i];
    append_number(records, "round", point->round - before->round);
    append_number(records, "time_s", point->time_s);
    append_number(records, "bytes", point->bytes - before->bytes);
    append_number(records, "value", parts > 0 ? round(point->value * parts) : point->value);
    if (i == 0 || &point[-1] == before)
        return;
    frs_json_append(json_object_get(records, "apart"),
        json_integer((json_int_t)json_array_size(json_object_get(records, "round")) - 1));
    append_number(records, "before_s", point[-1].time_s);
    append_number(records, "before_bytes", point->bytes - point[-1].bytes);
}

static json_t *records_of(const struct course *course, bool lower) {
    static const char *const columns[] = {
        "round", "time_s", "bytes", "value", "apart", "before_s", "before_bytes"};
    static const struct point start;
    json_t *records = json_object();
    double best = lower ? INFINITY : -INFINITY, parts = parts_of(course);
    const struct point *before = &start;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        frs_json_set(records, columns[i], json_array());
    if (parts > 0)
        frs_json_set(records, "parts", frs_report_number(parts));
    for (size_t i = 0; i < course->n; i++) {
        const struct point *point = &course->points[i];
        if (lower ? !(point->value < best) : !(point->value > best))
            continue;
        append_record(records, course, i, before, parts);
        best = point->value;
        before = point;
    }
    return records;
}

/* ---- the curve ---- */

/* Of the half width of a band, which is drawn and in no other file. */
enum { HALF_WIDTH_DIGITS = 5 };

/* The courses' points of one round; false where one has none. Points are in the order of rounds. */
static bool find_round(const struct course *courses, size_t n, size_t *at, double round) {
    for (size_t i = 0; i < n; i++) {
        while (at[i] < courses[i].n && courses[i].points[at[i]].round < round)
            at[i]++;
        if (at[i] == courses[i].n || courses[i].points[at[i]].round != round)
            return false;
    }
    return true;
}

static void add_mean(json_t *curve, const struct course *courses, size_t n, const size_t *at) {
    static const char *const names[] = {"round", "time_s", "bytes", "value", "half_width"};
    double *values = frs_alloc(n, sizeof *values), *steps = frs_alloc(n, sizeof *steps),
           means[5] = {courses[0].points[at[0]].round};
    for (size_t i = 0; i < n; i++) {
        means[1] += courses[i].points[at[i]].time_s / (double)n;
        means[2] += courses[i].points[at[i]].bytes / (double)n;
        values[i] = courses[i].points[at[i]].value;
        steps[i] = courses[i].step;
    }
    struct frs_estimate estimate =
        frs_stats_at_least(frs_stats_interval(values, n), frs_stats_grid_variance(steps, n));
    means[3] = estimate.mean;
    means[4] = frs_report_rounded(estimate.half_width, HALF_WIDTH_DIGITS);
    for (size_t i = 0; i < 5; i++)
        frs_json_append(json_object_get(curve, names[i]), frs_report_number(means[i]));
    free(values);
    free(steps);
}

static json_t *empty_curve(void) {
    static const char *const names[] = {"round", "time_s", "bytes", "value", "half_width"};
    json_t *curve = json_object();
    for (size_t i = 0; i < 5; i++)
        frs_json_set(curve, names[i], json_array());
    return curve;
}

static json_t *curve_of(const struct course *courses, size_t n) {
    json_t *curve = empty_curve();
    size_t *at = frs_alloc(n, sizeof *at), *common = frs_alloc(courses[0].n + 1, sizeof *common),
           n_common = 0;
    for (size_t i = 0; i < courses[0].n; i++)
        if (find_round(courses, n, at, courses[0].points[i].round))
            common[n_common++] = i;
    size_t shown = n_common < FRS_CURVE_POINTS ? n_common : FRS_CURVE_POINTS;
    memset(at, 0, n * sizeof *at);
    for (size_t i = 0; i < shown; i++) {
        size_t place = shown == n_common ? i : i * (n_common - 1) / (shown - 1);
        if (find_round(courses, n, at, courses[0].points[common[place]].round))
            add_mean(curve, courses, n, at);
    }
    free(common);
    free(at);
    if (n == 1) /* one run has no interval */
        json_object_del(curve, "half_width");
    return curve;
}

/* ---- clients.csv ---- */

/* Adds the numbers of `more` to those of `sum`, group by group: replicates have the same families, but not
 * always the same classes. A number that one of them lacks is null in the sum. */
static void add_group(json_t *sum, const json_t *more, double n) {
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(sum, next, key, value) {
        const json_t *other = json_object_get(more, key);
        if (json_is_string(value))
            continue;
        if (json_is_number(value) && json_is_number(other))
            frs_json_set(
                sum, key, frs_report_number(json_number_value(value) + json_number_value(other) / n));
        else
            frs_json_set(sum, key, json_null());
    }
}

static const json_t *named(const json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *found = json_string_value(json_object_get(json_array_get(list, i), "name"));
        if (found && strcmp(found, name) == 0)
            return json_array_get(list, i);
    }
    return NULL;
}

static void begin_group(json_t *group, double n) {
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(group, next, key, value) if (json_is_number(value))
        frs_json_set(group, key, frs_report_number(json_number_value(value) / n));
}

static const char *name_of(const json_t *object) {
    return json_string_value(json_object_get(object, "name"));
}

/* The smallest chance of all runs, times their number (Bonferroni): it bounds the chance that any of them
 * has such a small one. A run without this family does not change the others' chance. */
static void add_chance(json_t *family, const json_t *more, double n) {
    const json_t *own = json_object_get(family, "chance"), *other = json_object_get(more, "chance");
    double a = json_is_number(own) ? json_number_value(own) : NAN,
           b = json_is_number(other) ? fmin(1, n * json_number_value(other)) : NAN;
    frs_json_set(family, "chance", frs_report_number(fmin(a, b)));
}

static void begin_chance(json_t *family, double n) {
    const json_t *own = json_object_get(family, "chance");
    if (json_is_number(own))
        frs_json_set(family, "chance", frs_report_number(fmin(1, n * json_number_value(own))));
}

/* Applies one of the two to all groups; a NULL `more` begins. */
static void each_group(json_t *sum, const json_t *more, double n) {
    json_t *families = json_object_get(sum, "families");
    if (more)
        add_group(json_object_get(sum, "all"), json_object_get(more, "all"), n);
    else
        begin_group(json_object_get(sum, "all"), n);
    for (size_t i = 0; i < json_array_size(families); i++) {
        json_t *family = json_array_get(families, i), *groups = json_object_get(family, "groups");
        if (more)
            add_chance(family, named(json_object_get(more, "families"), name_of(family)), n);
        else
            begin_chance(family, n);
        const json_t *others =
            more ? json_object_get(named(json_object_get(more, "families"), name_of(family)), "groups")
                 : NULL;
        for (size_t k = 0; k < json_array_size(groups); k++) {
            json_t *group = json_array_get(groups, k);
            if (more)
                add_group(group, named(others, name_of(group)), n);
            else
                begin_group(group, n);
        }
    }
}

/* What the page of a run shows alone. */
static void forget_unshown(json_t *clients) {
    static const char *const unshown[] = {"down_bytes", "up_bytes", "quality_clients"};
    const json_t *families = json_object_get(clients, "families");
    for (size_t i = 0; i < json_array_size(families); i++) {
        const json_t *groups = json_object_get(json_array_get(families, i), "groups");
        for (size_t k = 0; k < json_array_size(groups); k++)
            for (size_t u = 0; u < sizeof unshown / sizeof *unshown; u++)
                json_object_del(json_array_get(groups, k), unshown[u]);
    }
}

static enum frs_status add_clients(const struct frs_entry *entry, json_t *object, struct frs_errors *errors) {
    json_t *sum = NULL;
    for (size_t i = 0; i < entry->n; i++) {
        json_t *clients = frs_report_clients(&entry->runs[i], errors);
        if (!clients) {
            json_decref(sum);
            return FRS_ERR_INPUT;
        }
        each_group(sum ? sum : clients, sum ? clients : NULL, (double)entry->n);
        if (sum)
            json_decref(clients);
        else
            sum = clients;
    }
    forget_unshown(sum);
    frs_json_set(object, "clients", sum);
    return FRS_OK;
}

/* ---- all of it ---- */

/* The column of the target, or of the measure; freed with free(). NULL without either. */
static char *column_of(const struct frs_entries *entries) {
    bool lower;
    const char *quality = frs_entries_quality(entries, &lower);
    if (entries->target.target_spec.metric)
        return frs_target_spec_column(&entries->target.target_spec, entries->target.has_validation);
    return quality ? frs_strdup(quality) : NULL;
}

/* The quality on the test items, where the target goes by other items; NULL: it does not. */
static const char *other_column(const struct frs_entries *entries, const char *column) {
    bool lower;
    const char *quality = frs_entries_quality(entries, &lower);
    return quality && strcmp(quality, column) != 0 ? quality : NULL;
}

/* The curve of other items, without what it has in common with the first one. */
static json_t *other_of(const struct course *courses, size_t n, const char *column, const json_t *curve) {
    static const char *const common[] = {"round", "time_s", "bytes"};
    json_t *object = json_object(), *other = curve_of(courses, n);
    bool alike = json_equal(json_object_get(other, "round"), json_object_get(curve, "round"));
    for (size_t i = 0; alike && i < sizeof common / sizeof *common; i++)
        json_object_del(other, common[i]);
    frs_json_set(object, "column", json_string(column));
    frs_json_set(object, "curve", other);
    return object;
}

static void free_courses(struct course *courses, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(courses[i].points);
    free(courses);
}

static enum frs_status add_courses(const struct frs_entries *entries, const struct frs_entry *entry,
    const char *column, json_t *object, struct frs_errors *errors) {
    struct course *courses = frs_alloc(entry->n, sizeof *courses),
                  *others = frs_alloc(entry->n, sizeof *others);
    const char *other = other_column(entries, column);
    json_t *records = json_array(), *bars = json_array();
    bool lower;
    enum frs_status status = FRS_OK;
    frs_entries_quality(entries, &lower);
    for (size_t i = 0; i < entry->n && status == FRS_OK; i++) {
        struct frs_run_results run = entry->runs[i]; /* whose rows have been forgotten */
        status = frs_run_read_rounds(run.path, &run.rounds, errors);
        if (status != FRS_OK)
            break;
        status = read_course(&run.rounds, column, &courses[i], errors);
        courses[i].step = frs_metrics_step(&run.metrics, column);
        if (other && status == FRS_OK)
            status = read_course(&run.rounds, other, &others[i], errors);
        others[i].step = other ? frs_metrics_step(&run.metrics, other) : 0;
        frs_json_append(records, records_of(&courses[i], lower));
        frs_json_append(
            bars, entries->target.target_spec.metric
                      ? frs_report_number(frs_target_spec_threshold(&entries->target.target_spec, &run))
                      : json_null());
        frs_run_forget_rounds(&run);
    }
    frs_json_set(object, "column", json_string(column));
    frs_json_set(object, "records", records);
    frs_json_set(object, "thresholds", bars);
    if (status == FRS_OK)
        frs_json_set(object, "curve", curve_of(courses, entry->n));
    if (other && status == FRS_OK)
        frs_json_set(object, "other", other_of(others, entry->n, other, json_object_get(object, "curve")));
    free_courses(courses, entry->n);
    free_courses(others, entry->n);
    return status;
}

enum frs_status frs_report_add_runs(const struct frs_entries *entries, const struct frs_entry *entry,
    json_t *object, struct frs_errors *errors) {
    char *column = column_of(entries);
    enum frs_status status = column ? add_courses(entries, entry, column, object, errors) : FRS_OK;
    free(column);
    return status == FRS_OK ? add_clients(entry, object, errors) : status;
}
