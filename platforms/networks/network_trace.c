#include "platforms/networks/network_trace.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>

/* Finer steps than those of measurements take time and change nothing. A factor has the bounds of
 * network.bandwidth_factor. */
#define LEAST_STEP_S 1e-2
#define MOST_FACTOR 1e6

/* Times of later repetitions are too coarse to distinguish a cycle's steps: the bandwidth then stays at
 * its best. */
#define LATEST_TURN 0x1p40

static void add_point(struct frs_trace *trace, double t_s, double factor) {
    trace->t_s = frs_grow(trace->t_s, trace->n + 1, &trace->t_capacity, sizeof *trace->t_s);
    trace->factors = frs_grow(trace->factors, trace->n + 1, &trace->factor_capacity, sizeof *trace->factors);
    trace->t_s[trace->n] = t_s;
    trace->factors[trace->n++] = factor;
    trace->cycles[trace->n_cycles - 1].end = trace->n;
}

static double greatest_factor(const struct frs_trace *trace, const struct frs_trace_cycle *cycle) {
    double most = 0;
    for (size_t i = cycle->start; i < cycle->end; i++)
        most = fmax(most, trace->factors[i]);
    return most;
}

/* What can only be said of a whole cycle; the line is that of its last point. */
bool frs_trace_end(struct frs_csv *csv, const struct frs_trace *trace, const char *name, size_t last_line,
    struct frs_errors *errors) {
    const struct frs_trace_cycle *cycle = &trace->cycles[trace->n_cycles - 1];
    char number[32];
    csv->line = last_line;
    if (cycle->end - cycle->start < 2)
        return frs_csv_error(csv, errors, "the trace ends here, but needs two lines at least");
    if (greatest_factor(trace, cycle) == 0)
        return frs_csv_error(csv, errors, "the trace ends here, and its %s is always 0", name);
    if (trace->factors[cycle->end - 1] != trace->factors[cycle->start])
        return frs_csv_error(csv, errors,
            "the trace ends here and starts again, so this %s has to be the first one, %s", name,
            frs_text_number(trace->factors[cycle->start], number, sizeof number));
    return true;
}

/* Opens the cycle that a line belongs to, closing the one before. `last_line` is that of the line before. */
static bool find_cycle(struct frs_csv *csv, struct frs_trace *trace, const char *name, uint32_t client,
    size_t last_line, struct frs_errors *errors) {
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
    trace->cycles[trace->n_cycles++] = (struct frs_trace_cycle){client, trace->n, trace->n};
    return true;
}

static bool read_client(struct frs_csv *csv, uint32_t *client, struct frs_errors *errors) {
    double number;
    char line[48];
    if (!frs_csv_number(csv, 0, "client", &number, errors))
        return false;
    if (number < 0 || number >= UINT32_MAX || number != floor(number))
        return frs_csv_error(csv, errors, "client \"%s\" is not a client's number",
            frs_text_line(csv->fields[0], line, sizeof line));
    *client = (uint32_t)number;
    return true;
}

bool frs_trace_put(struct frs_csv *csv, struct frs_trace *trace, const char *name, uint32_t client,
    double t_s, double value, size_t last_line, struct frs_errors *errors) {
    char number[32], before[32];
    if (!find_cycle(csv, trace, name, client, last_line, errors))
        return false;
    frs_text_number(t_s, number, sizeof number);
    bool is_first = trace->cycles[trace->n_cycles - 1].start == trace->n;
    if (is_first && t_s != 0)
        return frs_csv_error(csv, errors, "t_s %s: the first time has to be 0", number);
    if (!is_first && t_s <= trace->t_s[trace->n - 1])
        return frs_csv_error(csv, errors, "t_s %s does not rise: the one before is %s", number,
            frs_text_number(trace->t_s[trace->n - 1], before, sizeof before));
    if (!is_first && t_s - trace->t_s[trace->n - 1] < LEAST_STEP_S * (1 - 1e-6)) /* of rounded times */
        return frs_csv_error(csv, errors, "t_s %s is less than %g s after the one before, %s", number,
            LEAST_STEP_S, frs_text_number(trace->t_s[trace->n - 1], before, sizeof before));
    if (t_s > frs_units_most(FRS_TIME))
        return frs_csv_error(csv, errors, "t_s %s is above %g s", number, frs_units_most(FRS_TIME));
    frs_text_number(value, number, sizeof number);
    if (value < 0)
        return frs_csv_error(csv, errors, "%s %s is below 0", name, number);
    add_point(trace, t_s, value);
    return true;
}

double frs_trace_most(const struct frs_trace *trace) {
    double most = 0;
    for (size_t i = 0; i < trace->n; i++)
        most = fmax(most, trace->factors[i]);
    return most;
}

static bool read_point(
    struct frs_csv *csv, struct frs_trace *trace, size_t last_line, struct frs_errors *errors) {
    double t_s, factor;
    uint32_t client = 0;
    char number[32];
    if ((trace->by_client && !read_client(csv, &client, errors)) ||
        !frs_csv_number(csv, trace->by_client, "t_s", &t_s, errors) ||
        !frs_csv_number(csv, trace->by_client + 1u, "factor", &factor, errors) ||
        !frs_trace_put(csv, trace, "factor", client, t_s, factor, last_line, errors))
        return false;
    if (factor > MOST_FACTOR)
        return frs_csv_error(csv, errors, "factor %s is above %g",
            frs_text_number(factor, number, sizeof number), MOST_FACTOR);
    return true;
}

bool frs_trace_read(const char *path, struct frs_trace *trace, struct frs_errors *errors) {
    static const char *const headers[] = {"t_s,factor", "client,t_s,factor", NULL};
    struct frs_csv csv;
    size_t header = 0, last_line = 0;
    *trace = (struct frs_trace){0};
    bool ok = frs_csv_open(&csv, path, headers, &header, errors);
    trace->by_client = header == 1;
    while (ok && frs_csv_next(&csv, errors)) {
        ok = read_point(&csv, trace, last_line, errors);
        last_line = csv.line;
    }
    ok = ok && !csv.failed;
    if (ok && trace->n == 0) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no lines behind the first", path);
        ok = false;
    }
    ok = ok && frs_trace_end(&csv, trace, "factor", last_line, errors);
    frs_csv_close(&csv);
    if (!ok)
        frs_trace_fini(trace);
    return ok;
}

void frs_trace_fini(struct frs_trace *trace) {
    free(trace->t_s);
    free(trace->factors);
    free(trace->cycles);
    *trace = (struct frs_trace){0};
}

static const struct frs_trace_cycle *cycle_of(const struct frs_trace *trace, uint32_t client) {
    if (!trace->by_client)
        return trace->n_cycles > 0 ? &trace->cycles[0] : NULL;
    size_t low = 0, high = trace->n_cycles;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (trace->cycles[middle].client < client)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trace->n_cycles && trace->cycles[low].client == client ? &trace->cycles[low] : NULL;
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

double frs_trace_factor(const struct frs_trace *trace, uint64_t seed, uint32_t client, uint32_t number,
    double t_s, double *until_s) {
    const struct frs_trace_cycle *cycle = cycle_of(trace, number);
    *until_s = INFINITY;
    if (!cycle)
        return 1;
    struct walk walk = {.trace = trace, .cycle = cycle, .period_s = trace->t_s[cycle->end - 1]};
    if (trace->random_phase)
        walk.phase_s = walk.period_s * frs_quantile_draw(seed, client, FRS_RNG_TRACE_PHASE);
    if (t_s > LATEST_TURN * walk.period_s)
        return greatest_factor(trace, cycle);
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
