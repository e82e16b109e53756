/* When rounds start, close and end, and what becomes of the clients that are under way then. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct round {
    size_t row;
    double start_s, left_s, close_s, end_s; /* left_s: when its messages left the server */
    size_t n_parts, n_arrived, n_accepted;  /* n_accepted: late ones of earlier rounds */
    bool struck;                            /* by a restart */
    bool collecting;                        /* when it was struck */
};

/* The first restart after this time. */
static double next_restart_s(const struct scenario *s, double from_s) {
    double first_s = INFINITY;
    for (size_t i = 0; i < s->n_restarts; i++)
        if (s->restarts_s[i] > from_s)
            first_s = fmin(first_s, s->restarts_s[i]);
    return first_s;
}

/* When the last one is known to have delivered or to be lost: unknown, that is infinite, where one was cut.
 */
static double everybody_s(const struct run *run, size_t row) {
    double last_s = 0;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        last_s = fmax(last_s, run->parts[i].outcome == CUT ? INFINITY : noticed_s(run, run->parts + i));
    return last_s;
}

/* When the wanted number of uploads has come in. */
static double arrival_s(const struct run *run, size_t row, size_t wanted) {
    size_t n = 0, first = run->first_part[row], end = run->first_part[row + 1];
    double *times = calloc(end - first + 1, sizeof *times), time_s = INFINITY;
    if (!times)
        abort();
    for (size_t i = first; i < end; i++)
        if (arrived(run->parts + i))
            times[n++] = part_end_s(run->parts + i);
    qsort(times, n, sizeof *times, ascending);
    if (wanted > 0 && wanted <= n)
        time_s = times[wanted - 1];
    free(times);
    return time_s;
}

static double policy_limit_s(const struct run *run, const struct round *round) {
    const struct scenario *s = &run->scenario;
    if (strcmp(s->policy, "deadline") == 0)
        return fmax(
            round->left_s + s->after_s, s->min_uploads > 0 ? arrival_s(run, round->row, s->min_uploads) : 0);
    if (strcmp(s->policy, "partial_work") == 0)
        return round->left_s + s->after_s + s->grace_s;
    if (strcmp(s->policy, "over_select") == 0)
        return arrival_s(run, round->row, s->cohort);
    if (strcmp(s->policy, "quorum_then_wait") == 0)
        return arrival_s(run, round->row, s->uploads) + s->then_s;
    if (strcmp(s->policy, "quantile") == 0)
        return arrival_s(run, round->row, (size_t)ceil(s->share * (double)round->n_parts - 1e-9));
    return INFINITY;
}

/* An upload that came in by the end of collecting, up to a nanosecond and the last digit later. */
static bool in_time(double time_s, double close_s) {
    return time_s <= close_s + 1e-9 + 1e-14 * close_s;
}

/* Late uploads that this round uses: those that came in since the last one that was not void, in time. */
static size_t count_accepted(const struct run *run, const struct round *round, double since_s) {
    size_t n = 0;
    for (size_t i = 0; i < run->first_part[round->row]; i++) {
        const struct part *part = run->parts + i;
        n += part->outcome == LATE && part->cause == NO_CAUSE &&
             part_end_s(part) > since_s + 1e-9 + 1e-14 * since_s && in_time(part_end_s(part), round->close_s);
    }
    return n;
}

static struct round read_round(const struct run *run, size_t row, double since_s) {
    struct round round = {.row = row,
        .start_s = field(&run->rounds, row, "start_s"),
        .end_s = field(&run->rounds, row, "end_s"),
        .n_parts = run->first_part[row + 1] - run->first_part[row],
        .struck = strcmp(lost_to(run, row), "server_restart") == 0};
    round.left_s = round.start_s + encoding_s(run, row);
    round.close_s = fmin(everybody_s(run, row), policy_limit_s(run, &round));
    round.collecting = round.struck && round.close_s > round.end_s;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        round.n_arrived += arrived(run->parts + i) && in_time(part_end_s(run->parts + i), round.close_s);
    round.n_accepted = count_accepted(run, &round, since_s);
    return round;
}

void check_deliveries(struct report *report, const struct run *run, size_t row, double worked_s) {
    double end_s = field(&run->rounds, row, "end_s");
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++) {
        const struct part *part = run->parts + i, *delivery = part->delivery;
        bool begins = part_is_used(run, part) && part->outcome == DELIVERED && end_s >= worked_s;
        must(report, part, begins == (delivery != NULL) || close_times(end_s, worked_s),
            delivery ? "is sent what it has not contributed to" : "is not sent what it has contributed to");
        if (!delivery)
            continue;
        same_time(
            report, delivery, "start of a download after the aggregation", worked_s, part_start_s(delivery));
        must(report, delivery, in_time(part_end_s(delivery), end_s), "downloads after its round has ended");
        if (delivery->outcome == CUT)
            same_time(report, delivery, "download that a restart ends",
                next_restart_s(&run->scenario, part_start_s(delivery)), part_end_s(delivery));
    }
}

static void check_end(struct report *report, const struct run *run, const struct round *round) {
    /* it may come in the very instant in which the round starts */
    bool at_once = round->struck && close_times(round->start_s, round->end_s);
    double restart_s = next_restart_s(&run->scenario, round->start_s - (at_once ? 1e-9 : 0));
    double worked_s = round->close_s + aggregation_s(run, round->row),
           done_s = delivered_s(run, round->row, worked_s);
    if (run->scenario.delivers) /* which a restart ends, and not the round */
        done_s = fmin(done_s, restart_s);
    if (round->struck)
        same_time(report, NULL, "end of a struck round", restart_s, round->end_s);
    else
        same_time(report, NULL, "end of a round", done_s, round->end_s);
    if (run->scenario.delivers)
        check_deliveries(report, run, round->row, worked_s);
    must(report, NULL, round->struck || round->end_s <= restart_s,
        "row %zu: a restart at %.15g s left no trace", round->row + 1, restart_s);
}

static void check_quorum(struct report *report, const struct run *run, const struct round *round) {
    const struct scenario *s = &run->scenario;
    size_t needed = (size_t)ceil(s->quorum * (double)s->cohort - 1e-9);
    bool is_void = strcmp(lost_to(run, round->row), "void_round") == 0,
         few = round->n_arrived + round->n_accepted < needed;
    must(report, NULL, round->struck || is_void == few,
        "row %zu: %zu uploads and %zu late ones of at least %zu", round->row + 1, round->n_arrived,
        round->n_accepted, needed);
}

static void check_starts(struct report *report, const struct run *run, const struct round *round) {
    for (size_t i = run->first_part[round->row]; i < run->first_part[round->row + 1]; i++) {
        const struct part *part = run->parts + i;
        bool encodes = part->phases[0].kind == ENCODE;
        same_time(report, part, "start", encodes ? round->start_s : round->left_s, part_start_s(part));
        if (encodes && part->n_phases > 1)
            same_time(report, part, "messages leave", round->left_s, part->phases[0].t1_s);
    }
}

/* Idle only where no client can be reached; away after a restart, whatever the server did when it came. */
static void check_pause(struct report *report, const struct run *run, size_t row, double before_s) {
    double start_s = field(&run->rounds, row, "start_s"), idle_s = field(&run->rounds, row, "idle_s");
    const struct scenario *s = &run->scenario;
    double away_s = field(&run->rounds, row, "restart_s"), expected_s = 0, back_s = -INFINITY;
    must(report, NULL, idle_s >= 0 && away_s >= 0, "row %zu: negative time between rows", row + 1);
    same_time(report, NULL, "start of a round", before_s + idle_s + away_s, start_s);
    for (size_t i = 0; i < s->n_restarts;
         i++) { /* a time at which the server is away already changes nothing */
        double time_s = s->restarts_s[i], slack_s = 1e-9 * fmax(1, time_s);
        if (time_s < before_s - slack_s || time_s < back_s - slack_s || time_s >= start_s - slack_s)
            continue;
        /* At the very time at which the server is back: the files tell what came of the rounding. */
        if (fabs(time_s - back_s) <= slack_s && away_s < expected_s + s->restart_s / 2)
            continue;
        back_s = time_s + s->restart_s;
        expected_s += s->restart_s;
    }
    same_path_time(report, "restart_s", expected_s, away_s);
    must(report, NULL, start_s >= back_s || close_times(start_s, back_s),
        "row %zu: starts at %.15g, away until %.15g", row + 1, start_s, back_s);
    bool always = strcmp(scenario_text(s, "availability.model"), "always") == 0 && is_plain(s) &&
                  !s->runs_on && !s->asynchronous && scenario_number(s, "rounds.every") == 0 &&
                  !*scenario_text(s, "rounds.window") && scenario_number(s, "rounds.cool_down") == 0 &&
                  scenario_number(s, "rounds.per_day") == 0 && !has_caps(run);
    if (always)
        same_path_time(report, "idle_s while everybody can be reached", 0, idle_s);
}

static enum cause lost_cause(const struct run *run, size_t row) {
    const char *lost = lost_to(run, row);
    return strcmp(lost, "server_restart") == 0 ? SERVER_RESTART
           : strcmp(lost, "void_round") == 0   ? VOID_ROUND
                                               : NO_CAUSE;
}

/* A restart cuts the clients that are under way when it comes, which may be while the server aggregates. */
static enum cause cut_cause(const struct run *run, const struct round *round) {
    return round->collecting                           ? SERVER_RESTART
           : lost_cause(run, round->row) == VOID_ROUND ? VOID_ROUND
                                                       : ROUND_CLOSED;
}

/* A client that is under way when the round closes is stopped, or goes on. */
static void check_stopped(
    struct report *report, const struct run *run, const struct round *round, const struct part *part) {
    double end_s = part_end_s(part), stop_s = round->collecting ? round->end_s : round->close_s;
    bool goes_on = run->scenario.runs_on && !round->collecting;
    if (part->outcome == DELIVERED) {
        must(report, part, in_time(end_s, stop_s), "delivered after its round had closed");
        must(report, part, part->cause == lost_cause(run, round->row), "delivered, but %s",
            cause_names[part->cause]);
    }
    if (part->outcome == LATE)
        must(report, part, goes_on && end_s > stop_s, "late before its round has closed");
    if (part->outcome == CUT && !goes_on) {
        same_time(report, part, "cut", stop_s, end_s);
        must(report, part, part->cause == cut_cause(run, round), "cut by the end of its round, but %s",
            cause_names[part->cause]);
    }
    if (dropped(part) && !goes_on)
        must(report, part, in_time(end_s, stop_s), "vanished after its round had closed");
}

/* Who goes on is stopped by a restart, or by the end of the run. */
static void check_straggler(
    struct report *report, const struct run *run, const struct round *round, const struct part *part) {
    double end_s = part_end_s(part), last_s = field(&run->rounds, run->rounds.n_rows - 1, "end_s");
    if (part->outcome != CUT || round->collecting)
        return;
    must(report, part, part->cause == SERVER_RESTART || part->cause == END_OF_RUN, "a straggler cut for %s",
        cause_names[part->cause]);
    if (part->cause == SERVER_RESTART)
        same_time(report, part, "straggler cut by a restart",
            next_restart_s(&run->scenario, end_s - 1e-9 * fmax(1, end_s)), end_s);
    if (part->cause == END_OF_RUN)
        same_time(report, part, "straggler cut by the end of the run", last_s, end_s);
}

static void check_round(struct report *report, const struct run *run, const struct round *round) {
    check_end(report, run, round);
    check_quorum(report, run, round);
    check_starts(report, run, round);
    for (size_t i = run->first_part[round->row]; i < run->first_part[round->row + 1]; i++) {
        check_stopped(report, run, round, run->parts + i);
        if (run->scenario.runs_on)
            check_straggler(report, run, round, run->parts + i);
    }
}

/* The number of rounds after its own that have to be kept until an upload that arrived at this time can be
 * used, provided that its own round is kept: 1 is the next one. closes_s: when kept rows stopped
 * collecting, NaN for others. */
static size_t rounds_late(const struct run *run, const struct part *part, const double *closes_s) {
    size_t n = 0;
    for (size_t row = part->row; row < run->rounds.n_rows; row++)
        n += isfinite(closes_s[row]) && !in_time(part_end_s(part), closes_s[row]);
    return n;
}

/* Late uploads are used if they are not too many rounds late, and only then. Uploads that a restart or the
 * end of the run took from the server have that cause. */
static void check_late(struct report *report, const struct run *run, const double *closes_s) {
    const struct scenario *s = &run->scenario;
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        bool fate_open = part->outcome == LATE && (part->cause == NO_CAUSE || part->cause == ROUND_CLOSED);
        if (!fate_open || *lost_to(run, part->row))
            continue;
        size_t n = rounds_late(run, part, closes_s);
        must(report, part, (part->cause == NO_CAUSE) == (s->accepts_late && n <= s->late_rounds),
            "%zu rounds late, and %s", n, cause_names[part->cause]);
    }
}

void check_rounds(struct report *report, const struct run *run) {
    double end_s = 0, since_s = -INFINITY, *closes_s = calloc(run->rounds.n_rows + 1, sizeof *closes_s);
    if (!closes_s)
        abort();
    for (size_t row = 0; row < run->rounds.n_rows; row++) {
        check_pause(report, run, row, end_s);
        end_s = field(&run->rounds, row, "end_s");
        closes_s[row] = NAN;
        report->rows++;
        if (run->scenario.asynchronous)
            continue;
        struct round round = read_round(run, row, since_s);
        check_round(report, run, &round);
        if (!*lost_to(run, row))
            closes_s[row] = since_s = round.close_s;
    }
    if (!run->scenario.asynchronous)
        check_late(report, run, closes_s);
    free(closes_s);
}
