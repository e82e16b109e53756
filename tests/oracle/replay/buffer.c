/* buffered_async: who is selected when, and which uploads and losses end a row. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct buffer_row {
    size_t row;
    double since_s, start_s, close_s, end_s; /* since_s: when the row before had ended */
    bool struck;
    size_t n_used;
};

static double slack_s(double time_s) {
    return 1e-9 * fmax(1, fabs(time_s));
}

static bool between(double time_s, double from_s, double to_s) {
    return time_s > from_s + slack_s(from_s) && time_s < to_s - slack_s(to_s);
}

/* The end of encoding if the server encodes at this time, else the time. */
static double free_from_s(const struct run *run, double time_s) {
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct phase *encode = part_phase(run->parts + i, ENCODE);
        if (encode && encode->t0_s < time_s - slack_s(time_s) && encode->t1_s > time_s)
            return encode->t1_s;
    }
    return time_s;
}

/* The time at which so many of the row's uploads (or losses) had come to the server's notice. */
static double count_s(const struct run *run, size_t row, bool uploads, size_t wanted) {
    size_t n = 0, first = run->first_part[row], end = run->first_part[row + 1];
    double *times = calloc(end - first + 1, sizeof *times), time_s = INFINITY;
    if (!times)
        abort();
    for (size_t i = first; i < end; i++) {
        const struct part *part = run->parts + i;
        bool lost = dropped(part) || part->outcome == UNAVAILABLE || part->outcome == REFUSED;
        if (uploads ? arrived(part) && part->cause != END_OF_RUN : lost)
            times[n++] = noticed_s(run, part);
    }
    qsort(times, n, sizeof *times, ascending);
    if (wanted > 0 && wanted <= n)
        time_s = times[wanted - 1];
    free(times);
    return time_s;
}

/* K uploads, or patience × K losses, and the server has to be free. */
static double expected_close_s(const struct run *run, size_t row, double start_s) {
    const struct scenario *s = &run->scenario;
    double full_s = count_s(run, row, true, s->arrivals);
    double weary_s = count_s(run, row, false, (size_t)(s->patience * (double)s->arrivals));
    double due_s = fmin(full_s, weary_s);
    return due_s <= start_s ? start_s : free_from_s(run, due_s);
}

static struct buffer_row read_row(const struct run *run, size_t row, double since_s) {
    struct buffer_row r = {.row = row,
        .since_s = since_s,
        .start_s = field(&run->rounds, row, "start_s"),
        .end_s = field(&run->rounds, row, "end_s"),
        .struck = strcmp(lost_to(run, row), "server_restart") == 0};
    r.close_s =
        r.struck ? fmin(r.end_s, expected_close_s(run, row, r.start_s)) : r.end_s - aggregation_s(run, row);
    return r;
}

static double next_restart_s(const struct scenario *s, double from_s) {
    double first_s = INFINITY;
    for (size_t i = 0; i < s->n_restarts; i++)
        if (s->restarts_s[i] > from_s)
            first_s = fmin(first_s, s->restarts_s[i]);
    return first_s;
}

static void check_close(struct report *report, const struct run *run, const struct buffer_row *r) {
    double restart_s = next_restart_s(&run->scenario,
               r->start_s - (r->struck && close_times(r->start_s, r->end_s) ? slack_s(r->start_s) : 0)),
           due_s = expected_close_s(run, r->row, r->start_s);
    if (r->struck)
        same_time(report, NULL, "end of a struck row", restart_s, r->end_s);
    else if (isfinite(due_s))
        same_time(report, NULL, "close of a row", due_s, r->close_s);
    must(report, NULL, r->struck || r->end_s <= restart_s + slack_s(restart_s),
        "row %zu: a restart at %.15g s left no trace", r->row + 1, restart_s);
}

static bool is_used(const struct part *part) {
    return part->outcome == DELIVERED && part->cause == NO_CAUSE;
}

static void check_cut(
    struct report *report, const struct run *run, const struct buffer_row *r, const struct part *part) {
    bool is_last = r->row + 1 == run->rounds.n_rows, by_restart = part->cause == SERVER_RESTART;
    must(report, part, by_restart ? r->struck : is_last && part->cause == END_OF_RUN, "cut for %s",
        cause_names[part->cause]);
    same_time(report, part, "cut", r->end_s, part_end_s(part));
}

/* A loss belongs to the row in which the server detects it. An upload waits for its turn; uploads that
 * wait when the server fails, or after the last row, are lost. */
static void check_member(
    struct report *report, const struct run *run, const struct buffer_row *r, const struct part *part) {
    double known_s = noticed_s(run, part), last_s = r->struck ? r->end_s : r->close_s;
    bool is_last = r->row + 1 == run->rounds.n_rows,
         is_loss = dropped(part) || part->outcome == UNAVAILABLE || part->outcome == REFUSED;
    must(report, part, part->outcome != LATE, "late, although there are no rounds");
    if (part->outcome == CUT)
        check_cut(report, run, r, part);
    if (is_loss && !is_last && !r->struck) {
        must(report, part, known_s >= r->since_s - slack_s(r->since_s), "lost in an earlier row");
        must(report, part, known_s <= r->end_s + slack_s(r->end_s), "lost in a later row");
    }
    if (is_used(part) && !r->struck)
        must(report, part, known_s <= last_s + slack_s(last_s), "used before it has come");
    if (part->outcome == DELIVERED && r->struck)
        must(report, part, part->cause == SERVER_RESTART, "delivered before a restart, but %s",
            cause_names[part->cause]);
    if (part->outcome == DELIVERED && !r->struck && !is_used(part))
        must(report, part, is_last && part->cause == END_OF_RUN, "delivered, but %s",
            cause_names[part->cause]);
}

/* Versions made since the client was selected, counted by rows in which an upload had arrived. A version
 * of that very instant may count or not. */
static void check_staleness(struct report *report, const struct buffer_row *rows, const struct part *part) {
    size_t least = 0, most = 0;
    double asked_s = part_start_s(part);
    for (size_t row = 0; row < part->row; row++) {
        least += rows[row].n_used > 0 && rows[row].end_s > asked_s + slack_s(asked_s);
        most += rows[row].n_used > 0 && rows[row].end_s > asked_s - slack_s(asked_s);
    }
    must(report, part, part->staleness >= (double)least && part->staleness <= (double)most,
        "staleness %g, not %zu", part->staleness, most);
}

/* K uploads in the order in which they came, unless losses made an end of waiting. */
static void check_uses(
    struct report *report, const struct run *run, struct buffer_row *rows, size_t row, double *last_s) {
    size_t n = 0;
    double latest_s = *last_s;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++) {
        const struct part *part = run->parts + i;
        if (!is_used(part))
            continue;
        n++;
        must(report, part, part_end_s(part) >= *last_s - slack_s(*last_s),
            "used after uploads that came later");
        latest_s = fmax(latest_s, part_end_s(part));
        check_staleness(report, rows, part);
    }
    *last_s = latest_s;
    rows[row].n_used = rows[row].struck ? 0 : n;
    bool is_aggregated = !rows[row].struck && strcmp(lost_to(run, row), "end_of_run") != 0;
    if (!is_aggregated) /* or no client could be reached any more before enough had arrived */
        return;
    bool is_weary =
        isfinite(count_s(run, row, false, (size_t)(run->scenario.patience * (double)run->scenario.arrivals)));
    must(report, NULL, n == run->scenario.arrivals || (is_weary && n < run->scenario.arrivals),
        "row %zu: %zu uploads used", row + 1, n);
}

static void check_nobody_asked(struct report *report, const struct run *run, const struct buffer_row *r) {
    for (size_t i = 0; i < run->n_parts; i++)
        must(report, run->parts + i,
            r->struck || !between(part_start_s(run->parts + i), r->close_s, r->end_s),
            "asked while the server aggregates");
}

static size_t under_way(const struct run *run, double time_s) {
    size_t n = 0;
    for (size_t i = 0; i < run->n_parts; i++) {
        double known_s = noticed_s(run, run->parts + i), start_s = part_start_s(run->parts + i);
        bool stays = known_s > time_s + slack_s(time_s);
        n += stays && start_s <= time_s + slack_s(time_s);
    }
    return n;
}

static bool aggregates_at(const struct run *run, const struct buffer_row *rows, double time_s) {
    for (size_t row = 0; row < run->rounds.n_rows; row++)
        if (rows[row].close_s <= time_s + slack_s(time_s) && rows[row].end_s > time_s - slack_s(time_s))
            return true;
    return false;
}

static bool everybody_reachable(const struct run *run) {
    const struct scenario *s = &run->scenario;
    double refused = 0;
    for (size_t row = 0; row < run->rounds.n_rows; row++)
        refused += field(&run->rounds, row, "refused");
    return strcmp(scenario_text(s, "availability.model"), "always") == 0 && is_plain(s) && refused == 0 &&
           !has_caps(run) && scenario_number(s, "rounds.cool_down") == 0 &&
           scenario_number(s, "rounds.per_day") == 0;
}

/* As many clients as may be are under way, wherever one can be selected. */
static void check_crowd(struct report *report, const struct run *run, const struct buffer_row *rows) {
    size_t cohort = run->scenario.cohort;
    bool full = everybody_reachable(run) && cohort <= run->clients.n_rows;
    double last_s = rows[run->rounds.n_rows - 1].close_s;
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        double start_s = part_start_s(part), known_s = noticed_s(run, part);
        must(report, part, under_way(run, start_s) <= cohort, "more than %zu clients are under way", cohort);
        if (full && part->outcome != CUT && known_s < last_s - slack_s(last_s) &&
            !aggregates_at(run, rows, known_s) && free_from_s(run, known_s) == known_s)
            must(report, part, under_way(run, known_s) == cohort,
                "nobody is selected in its place: %zu under way", under_way(run, known_s));
    }
}

/* No client takes part twice at a time. */
static void check_alone(struct report *report, const struct run *run) {
    for (size_t i = 0; i < run->n_parts; i++)
        for (size_t j = 0; j < i; j++) {
            const struct part *a = run->parts + i, *b = run->parts + j;
            if (a->client == b->client)
                must(report, a,
                    part_start_s(a) >= noticed_s(run, b) - slack_s(noticed_s(run, b)) ||
                        part_start_s(b) >= noticed_s(run, a) - slack_s(noticed_s(run, a)),
                    "under way twice");
        }
}

void check_buffer(struct report *report, const struct run *run) {
    struct buffer_row *rows = calloc(run->rounds.n_rows, sizeof *rows);
    double since_s = -INFINITY, used_s = 0;
    if (!rows)
        abort();
    for (size_t row = 0; row < run->rounds.n_rows; row++) {
        rows[row] = read_row(run, row, since_s);
        check_close(report, run, rows + row);
        check_nobody_asked(report, run, rows + row);
        for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
            check_member(report, run, rows + row, run->parts + i);
        check_uses(report, run, rows, row, &used_s);
        since_s = rows[row].end_s;
    }
    check_crowd(report, run, rows);
    check_alone(report, run);
    free(rows);
}
