#include "algorithms/kernels/lazy_adam.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/lanes.h"

#include <math.h>

#define TERMS FRS_LAZY_TERMS
#define AHEAD 8u /* rows */
/* Each term is the previous one times the ratio of ε, as it is in a step, to √v. Where that ratio is at
 * most 10^(−6/TERMS) in all steps, the rest is 10^−6 of the first term: the floor is ε² · 10^(12/TERMS). */
#define FLOOR 100.0f

static void fill_powers(struct frs_lazy_adam *adam) {
    double factor[TERMS], root = sqrt((double)FRS_ADAM_BETA2), beta1 = 1, beta2 = 1;
    for (size_t n = 0; n < TERMS; n++)
        factor[n] = (n ? factor[n - 1] : (double)FRS_ADAM_BETA1) / root;
    for (size_t i = 0; i <= adam->reach; i++) {
        for (size_t n = 0; n < TERMS; n++)
            adam->powers[i][n] = i ? adam->powers[i - 1][n] * factor[n] : 1;
        adam->beta1[i] = (float)beta1;
        adam->root_beta2[i] = (float)beta2;
        beta1 *= (double)FRS_ADAM_BETA1;
        beta2 *= root;
    }
}

/* Backwards: sums(τ) = what step τ does + factor · sums(τ + 1). */
static void fill_sums(struct frs_lazy_adam *adam, double rate) {
    struct frs_adam_clock clock = {0};
    double *unit = adam->sums[adam->n_steps + 1];
    for (size_t t = 1; t <= adam->n_steps; t++) {
        struct frs_adam_step step = frs_adam_clock_next(&clock, rate);
        adam->rate[t] = step.rate;
        adam->epsilon[t] = step.epsilon / FRS_ADAM_EPSILON;
    }
    for (size_t n = 0; n < TERMS; n++)
        unit[n] = 0;
    for (size_t t = adam->n_steps; t > 0; t--) {
        double term = (double)adam->rate[t], ratio = (double)adam->epsilon[t];
        for (size_t n = 0; n < TERMS; n++, term *= -ratio)
            adam->sums[t][n] = term + adam->powers[1][n] * adam->sums[t + 1][n];
    }
}

FRS_KERNEL(struct frs_lazy_adam, frs_lazy_adam_create,
    (double rate, size_t n_steps, size_t reach, struct frs_arena *arena)) {
    reach = reach < n_steps ? reach : n_steps;
    struct frs_lazy_adam adam = {.n_steps = n_steps,
        .reach = reach,
        .sums = frs_arena_take(arena, n_steps + 2, sizeof *adam.sums),
        .powers = frs_arena_take(arena, reach + 2, sizeof *adam.powers),
        .rate = frs_arena_take(arena, n_steps + 1, sizeof(float)),
        .epsilon = frs_arena_take(arena, n_steps + 1, sizeof(float)),
        .beta1 = frs_arena_take(arena, reach + 1, sizeof(float)),
        .root_beta2 = frs_arena_take(arena, reach + 1, sizeof(float)),
        .windows = frs_arena_take(arena, n_steps + 1, sizeof *adam.windows)};
    adam.windows[0] = (struct frs_lazy_window){.beta1 = 1, .beta2 = 1};
    fill_powers(&adam);
    fill_sums(&adam, rate);
    return adam;
}

static void fill_windows(struct frs_lazy_adam *adam, size_t from, size_t t) {
    const double *end = adam->sums[t];
    for (size_t tau = from; tau < t; tau++) {
        struct frs_lazy_window *window = &adam->windows[tau];
        const double *begin = adam->sums[tau], *power = adam->powers[t - tau];
        for (size_t n = 0; n < TERMS; n++)
            window->series[n] = (float)(begin[n] - power[n] * end[n]);
        float epsilon = adam->epsilon[t - 1] / adam->root_beta2[t - 1 - tau];
        window->floor = FLOOR * epsilon * epsilon;
        window->beta1 = adam->beta1[t - tau];
        window->beta2 = adam->root_beta2[t - tau] * adam->root_beta2[t - tau];
    }
}

FRS_KERNEL(void, frs_lazy_adam_begin, (struct frs_lazy_adam * adam, size_t t)) {
    adam->now = t;
    fill_windows(adam, t > adam->reach ? t - adam->reach : 1, t);
}

/* What the steps of the window move x by, from the series. */
FRS_INLINE frs_lanes series_move(const struct frs_lazy_window *window, frs_lanes m, frs_lanes v) {
    frs_lanes s = frs_lanes_rsqrt(v), sum = window->series[TERMS - 1] - (frs_lanes){0};
    for (int n = TERMS - 2; n >= 0; n--)
        sum = sum * s + window->series[n];
    return m * s * sum;
}

/* The same in lanes whose v reaches the floor; in the others step by step. */
static void move_with_care(
    const struct frs_lazy_adam *adam, size_t last, float *row, const float *m, const float *v) {
    const struct frs_lazy_window *window = &adam->windows[last];
    const float *rate = adam->rate + last, *epsilon = adam->epsilon + last;
    frs_lanes square = *frs_lanes_of(v), root = square * frs_lanes_rsqrt(square), moves = {0};
    frs_lanes_bits care = frs_lanes_below(square, window->floor - (frs_lanes){0});
    frs_lanes_bits series = (frs_lanes_bits)series_move(window, *frs_lanes_of(m), square);
    for (size_t i = 0; i < adam->now - last; i++)
        moves += rate[i] * adam->beta1[i] / (adam->root_beta2[i] * root + epsilon[i]);
    moves *= *frs_lanes_of(m);
    *frs_lanes_at(row) -= (frs_lanes)((care & (frs_lanes_bits)moves) | (~care & series));
}

/* Rows of a batch follow no order that the processor could predict. */
FRS_INLINE void fetch(const struct frs_lazy_rows *rows, size_t at, const size_t pitch) {
    for (size_t k = at; k < at + pitch; k += FRS_LANES) {
        __builtin_prefetch(rows->v + k);
        __builtin_prefetch(rows->m + k);
        __builtin_prefetch(rows->x + k);
    }
}

/* `pitch` is a constant where it matters; `table` is a copy, which the stores cannot change. */
FRS_INLINE void catch_up(const struct frs_lazy_adam *adam, const struct frs_lazy_rows table,
    const uint32_t *ids, size_t n, const size_t pitch) {
    const struct frs_lazy_window *windows = adam->windows;
    for (size_t i = 0; i < n; i++) {
        size_t at = ids[i] * pitch;
        struct frs_lazy_mark mark = table.marks[ids[i]];
        const struct frs_lazy_window *window = &windows[mark.last];
        fetch(&table, ids[i + AHEAD < n ? i + AHEAD : i] * pitch, pitch);
        if (mark.least < window->floor) {
            for (size_t k = at; k < at + pitch; k += FRS_WIDTH)
                move_with_care(adam, mark.last, table.x + k, table.m + k, table.v + k);
            continue;
        }
        for (size_t k = at; k < at + pitch; k += FRS_WIDTH)
            *frs_lanes_at(table.x + k) -=
                series_move(window, *frs_lanes_of(table.m + k), *frs_lanes_of(table.v + k));
    }
}

FRS_KERNEL(void, frs_lazy_adam_catch_up,
    (const struct frs_lazy_adam *adam, const struct frs_lazy_rows *rows, const uint32_t *ids, size_t n)) {
    if (rows->pitch == FRS_LANES)
        catch_up(adam, *rows, ids, n, FRS_LANES);
    else if (rows->pitch == 2 * FRS_LANES)
        catch_up(adam, *rows, ids, n, 2 * FRS_LANES);
    else
        catch_up(adam, *rows, ids, n, rows->pitch);
}
