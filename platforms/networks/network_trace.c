#include "platforms/networks/network_trace.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>

/* Finer steps than measurements have cost time and change nothing. */
#define LEAST_STEP_S 1e-2

/* Times of later repetitions are too coarse to distinguish a cycle's steps: the bandwidth then stays at
 * its best. */
#define LATEST_TURN 0x1p40

const char *const frs_trace_ends[] = {
    [FRS_TRACE_CLOSES] = "closed", [FRS_TRACE_REPEATS] = "repeat", [FRS_TRACE_HOLDS] = "hold", NULL};

static void add_point(struct frs_trace *trace, double t_s, double factor) {
    trace->t_s = frs_grow(trace->t_s, trace->n + 1, &trace->t_capacity, sizeof *trace->t_s);
    trace->factors = frs_grow(trace->factors, trace->n + 1, &trace->factor_capacity, sizeof *trace->factors);
    trace->t_s[trace->n] = t_s;
    trace->factors[trace->n++] = factor;
    trace->cycles[trace->n_cycles - 1].end = trace->n;
}

/* The last line's value is never in force where the first comes again. */
static double most_of(const struct frs_trace *trace, const struct frs_trace_cycle *cycle) {
    double most = 0;
    for (size_t i = cycle->start; i < cycle->end - (trace->ends == FRS_TRACE_REPEATS); i++)
        most = fmax(most, trace->factors[i]);
    return most;
}

/* What can only be said of a whole cycle; the line is that of its last point. */
bool frs_trace_end(struct frs_csv *csv, struct frs_trace *trace, const char *name, size_t last_line,
    struct frs_errors *errors) {
    struct frs_trace_cycle *cycle = &trace->cycles[trace->n_cycles - 1];
    double last = trace->factors[cycle->end - 1];
    char number[32];
    csv->line = last_line;
    cycle->most = most_of(trace, cycle);
    if (trace->ends == FRS_TRACE_HOLDS)
        return last > 0 || frs_csv_error(csv, errors,
                               "the trace ends here, and its %s, which would hold for good, is 0", name);
    if (cycle->end - cycle->start < 2)
        return frs_csv_error(csv, errors, "the trace ends here, but needs two lines at least");
    if (cycle->most == 0)
        return frs_csv_error(csv, errors, "the trace ends here, and its %s is always 0", name);
    if (trace->ends == FRS_TRACE_CLOSES && last != trace->factors[cycle->start])
        return frs_csv_error(csv, errors,
            "the trace ends here and starts again, so this %s has to be the first one, %s%s", name,
            frs_text_number(trace->factors[cycle->start], number, sizeof number),
            trace->advice ? trace->advice : "");
    return true;
}

/* Opens the cycle that a line belongs to, closing the one before. `last_line` is that of the line before. */
static bool find_cycle(struct frs_csv *csv, struct frs_trace *trace, const char *name, uint32_t client,
    double t_s, size_t last_line, struct frs_errors *errors) {
    if (trace->n_cycles > 0 && trace->cycles[trace->n_cycles - 1].client == client)
        return true;
    if (trace->n_cycles > 0) {
        size_t line = csv->line;
        if (!frs_trace_end(csv, trace, name, last_line, errors))
            return false;
        csv->line = line;
        if (trace->cycles[trace->n_cycles - 1].client > client)
            return frs_csv_error(csv, errors, "client %u comes after client %u; clients have to ascend",
                client, trace->cycles[trace->n_cycles - 1].client);
    }
    trace->cycles =
        frs_grow(trace->cycles, trace->n_cycles + 1, &trace->cycles_capacity, sizeof *trace->cycles);
    trace->cycles[trace->n_cycles++] =
        (struct frs_trace_cycle){.client = client, .start = trace->n, .end = trace->n, .begins_s = t_s};
    return true;
}

/* A difference of times of day or of an epoch has the rounding of these, up to 1.2e-7 s: a millionth of a
 * second is what such logs mean. */
static double since(double t_s, double first_s) {
    return first_s == 0 ? t_s : round((t_s - first_s) * 1e6) / 1e6;
}

bool frs_trace_put(struct frs_csv *csv, struct frs_trace *trace, const char *name, uint32_t client,
    double t_s, double value, size_t last_line, struct frs_errors *errors) {
    char number[32], before[32];
    if (!find_cycle(csv, trace, name, client, t_s, last_line, errors))
        return false;
    const struct frs_trace_cycle *cycle = &trace->cycles[trace->n_cycles - 1];
    bool is_first = cycle->start == trace->n;
    double shift_s = trace->ends == FRS_TRACE_CLOSES ? 0 : cycle->begins_s,
           last_s = is_first ? 0 : trace->t_s[trace->n - 1] + shift_s;
    frs_text_number(t_s, number, sizeof number);
    if (is_first && t_s - shift_s != 0)
        return frs_csv_error(
            csv, errors, "t_s %s: the first time has to be 0%s", number, trace->advice ? trace->advice : "");
    if (!is_first && t_s <= last_s)
        return frs_csv_error(csv, errors, "t_s %s does not rise: the one before is %s", number,
            frs_text_number(last_s, before, sizeof before));
    if (!is_first && t_s - last_s < LEAST_STEP_S * (1 - 1e-6)) /* of rounded times */
        return frs_csv_error(csv, errors, "t_s %s is less than %g s after the one before, %s", number,
            LEAST_STEP_S, frs_text_number(last_s, before, sizeof before));
    if (t_s - shift_s > frs_units_most(FRS_TIME))
        return frs_csv_error(csv, errors, "t_s %s is above %g s", number, frs_units_most(FRS_TIME));
    frs_text_number(value, number, sizeof number);
    if (value < 0)
        return frs_csv_error(csv, errors, "%s %s is below 0", name, number);
    add_point(trace, since(t_s, shift_s), value);
    return true;
}

double frs_trace_most(const struct frs_trace *trace) {
    double most = 0;
    for (size_t i = 0; i < trace->n; i++)
        most = fmax(most, trace->factors[i]);
    return most;
}

struct frs_trace_extent frs_trace_extent(const struct frs_trace *trace) {
    struct frs_trace_extent extent = {.least = INFINITY, .shortest_s = INFINITY};
    for (size_t k = 0; k < trace->n_cycles; k++) {
        const struct frs_trace_cycle *cycle = &trace->cycles[k];
        double sum = 0, length_s = trace->t_s[cycle->end - 1] - trace->t_s[cycle->start];
        bool holds = trace->ends == FRS_TRACE_HOLDS;
        for (size_t i = cycle->start; i + 1 < cycle->end; i++)
            sum += trace->factors[i] * (trace->t_s[i + 1] - trace->t_s[i]);
        for (size_t i = cycle->start; i < cycle->end - !holds; i++)
            extent.least = fmin(extent.least, trace->factors[i]);
        extent.most = fmax(extent.most, cycle->most);
        extent.mean +=
            (length_s > 0 ? sum / length_s : trace->factors[cycle->start]) / (double)trace->n_cycles;
        extent.shortest_s = fmin(extent.shortest_s, length_s);
        extent.longest_s = fmax(extent.longest_s, length_s);
    }
    return extent;
}

void frs_trace_fini(struct frs_trace *trace) {
    free(trace->t_s);
    free(trace->factors);
    free(trace->cycles);
    *trace = (struct frs_trace){0};
}

const struct frs_trace_cycle *frs_trace_cycle_of(const struct frs_trace *trace, uint32_t number) {
    if (!trace->by_client)
        return trace->n_cycles > 0 ? &trace->cycles[0] : NULL;
    size_t low = 0, high = trace->n_cycles;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (trace->cycles[middle].client < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trace->n_cycles && trace->cycles[low].client == number ? &trace->cycles[low] : NULL;
}

/* A walk over the boundaries between factors: number `turn` of the cycle's repetitions, point `i` in it. */
struct walk {
    const struct frs_trace *trace;
    const struct frs_trace_cycle *cycle;
    double phase_s, period_s, turn;
    size_t i;
};

/* The same boundary is always computed in the same way, so that a caller that comes back at exactly this
 * time finds the next factor. */
static double begins_s(const struct walk *walk) {
    return walk->turn * walk->period_s + walk->trace->t_s[walk->i] - walk->phase_s;
}

static void forward(struct walk *walk) {
    if (++walk->i == walk->cycle->end - 1) {
        walk->i = walk->cycle->start;
        walk->turn++;
    }
}

static void back(struct walk *walk) {
    if (walk->i == walk->cycle->start) {
        walk->i = walk->cycle->end - 1;
        walk->turn--;
    }
    walk->i--;
}

static void start_near(struct walk *walk, double t_s) {
    double at_s = t_s + walk->phase_s;
    size_t low = walk->cycle->start, high = walk->cycle->end - 1;
    walk->turn = floor(at_s / walk->period_s);
    at_s -= walk->turn * walk->period_s;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (walk->trace->t_s[middle] <= at_s)
            low = middle;
        else
            high = middle;
    }
    walk->i = low;
}

/* A trace that holds its last value: the walk has no further turn. */
static double held(const struct frs_trace *trace, const struct frs_trace_cycle *cycle, double phase_s,
    double t_s, double *until_s) {
    size_t low = cycle->start, high = cycle->end;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (trace->t_s[middle] - phase_s <= t_s)
            low = middle;
        else
            high = middle;
    }
    for (size_t next = low + 1; next < cycle->end; next++)
        if (trace->factors[next] != trace->factors[low]) {
            *until_s = trace->t_s[next] - phase_s;
            break;
        }
    return trace->factors[low];
}

double frs_trace_value(const struct frs_trace *trace, const struct frs_trace_cycle *cycle, uint64_t seed,
    uint32_t client, double t_s, double *until_s) {
    *until_s = INFINITY;
    if (!cycle)
        return 1;
    struct walk walk = {.trace = trace, .cycle = cycle, .period_s = trace->t_s[cycle->end - 1]};
    if (trace->random_phase)
        walk.phase_s = walk.period_s * frs_quantile_draw(seed, client, FRS_RNG_TRACE_PHASE);
    if (trace->ends == FRS_TRACE_HOLDS)
        return held(trace, cycle, walk.phase_s, t_s, until_s);
    if (t_s > LATEST_TURN * walk.period_s)
        return cycle->most;
    start_near(&walk, t_s);
    while (begins_s(&walk) > t_s)
        back(&walk);
    struct walk next = walk;
    for (forward(&next); begins_s(&next) <= t_s; forward(&next))
        walk = next;
    double factor = trace->factors[walk.i];
    /* Neighbours with the same factor are no change; a cycle of one factor never changes. */
    for (size_t steps = cycle->start; steps < cycle->end; steps++, forward(&next))
        if (trace->factors[next.i] != factor) {
            *until_s = begins_s(&next);
            break;
        }
    return factor;
}
