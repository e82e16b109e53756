/* What the server does between messages: encoding before they leave, aggregation after they came, restarts.
 */
#include "checks.h"

#include <math.h>
#include <string.h>

const char *lost_to(const struct run *run, size_t row) {
    return field_text(&run->rounds, row, "lost");
}

/* A server that starts again knows no client. */
double noticed_s(const struct run *run, const struct part *part) {
    double known_s = part_end_s(part) + (dropped(part) ? run->scenario.detect_s : 0);
    bool is_struck = strcmp(lost_to(run, part->row), "server_restart") == 0;
    return is_struck ? fmin(known_s, field(&run->rounds, part->row, "end_s")) : known_s;
}

/* Under buffered_async a client that a later row counts may have been selected in this one. */
double encoding_s(const struct run *run, size_t row) {
    double start_s = field(&run->rounds, row, "start_s"), end_s = field(&run->rounds, row, "end_s"),
           longest_s = 0;
    for (size_t i = run->first_part[row]; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        const struct phase *encode = part_phase(part, ENCODE);
        if (!run->scenario.asynchronous && part->row != row)
            break;
        if (encode && encode->t0_s >= start_s && encode->t1_s <= end_s && (encode->t0_s < end_s))
            longest_s = fmax(longest_s, encode->t1_s - encode->t0_s);
    }
    return longest_s;
}

/* A late upload that is used goes into the first aggregation that begins after it. */
static bool uses_late(const struct run *run, size_t row, size_t part_row, double time_s) {
    double overhead_s = run->scenario.server_overhead_s;
    for (size_t i = part_row + 1; i <= row; i++)
        if (!*lost_to(run, i) &&
            field(&run->rounds, i, "end_s") - overhead_s >= time_s - 1e-9 * fmax(1, time_s))
            return i == row;
    return false;
}

static bool aggregates(const struct run *run, size_t row) {
    for (size_t i = 0; i < run->first_part[row + 1]; i++) {
        const struct part *part = run->parts + i;
        if (arrived(part) && part->cause == NO_CAUSE &&
            (part->outcome == LATE ? uses_late(run, row, part->row, part_end_s(part)) : part->row == row))
            return true;
    }
    return false;
}

double delivered_s(const struct run *run, size_t row, double from_s) {
    double until_s = from_s;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        if (run->parts[i].delivery)
            until_s = fmax(until_s, noticed_s(run, run->parts[i].delivery));
    return until_s;
}

double collected_s(const struct run *run, size_t row) {
    double worked_s = aggregation_s(run, row), end_s = field(&run->rounds, row, "end_s");
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        if (run->parts[i].delivery)
            return part_start_s(run->parts[i].delivery) - worked_s;
    for (size_t i = run->first_part[row]; *lost_to(run, row) && i < run->first_part[row + 1]; i++)
        if (run->parts[i].outcome == CUT && run->parts[i].cause == ROUND_CLOSED)
            return part_end_s(run->parts + i);
    return run->scenario.delivers && worked_s > 0 ? NAN : end_s - worked_s;
}

double aggregation_s(const struct run *run, size_t row) {
    const struct scenario *s = &run->scenario;
    double flop = field(&run->rounds, row, "server_flop");
    bool without = strcmp(scenario_text(s, "method.server.correction.name"), "mifa") == 0;
    if (*lost_to(run, row) || !(without || aggregates(run, row)))
        return 0;
    return s->server_overhead_s +
           (isinf(s->server_speed) ? 0 : flop / s->server_speed - encoding_s(run, row));
}
