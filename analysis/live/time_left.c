#include "analysis/live/time_left.h"
#include "analysis/statistics/intervals.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Fewer parts say nothing of their spread. */
enum { LEAST_PARTS = 3, MOST_PARTS = 10, MOST_MARKS = 512 };

static const struct frs_time_left unknown = {NAN, NAN, NAN, 0};

void frs_marks_add(struct frs_marks *marks, double at_s, size_t done) {
    if (marks->n > 0 && marks->done[marks->n - 1] >= done)
        return;
    if (marks->n == MOST_MARKS) {
        for (size_t i = 0; i < MOST_MARKS / 2; i++) {
            marks->at_s[i] = marks->at_s[2 * i + 1];
            marks->done[i] = marks->done[2 * i + 1];
        }
        marks->n = MOST_MARKS / 2;
    }
    marks->at_s = frs_grow(marks->at_s, marks->n + 1, &marks->capacity, sizeof *marks->at_s);
    marks->done = frs_grow(marks->done, marks->n + 1, &marks->done_capacity, sizeof *marks->done);
    marks->at_s[marks->n] = at_s;
    marks->done[marks->n++] = done;
}

void frs_marks_fini(struct frs_marks *marks) {
    free(marks->at_s);
    free(marks->done);
    *marks = (struct frs_marks){0};
}

/* When so many rounds were done, between two marks in proportion; `done` lies within them. */
static double time_of(const struct frs_marks *marks, double done) {
    size_t i = 1;
    while (i + 1 < marks->n && (double)marks->done[i] < done)
        i++;
    double before = (double)marks->done[i - 1], behind = (double)marks->done[i];
    return marks->at_s[i - 1] + (done - before) / (behind - before) * (marks->at_s[i] - marks->at_s[i - 1]);
}

/* Of the parts' mean and spread: `n_left` more of them, less what has been done of it. */
static struct frs_time_left sum_of(
    const double *parts, size_t n, double n_left, double elapsed_s, double at_once) {
    double mean = frs_stats_mean(parts, n), sd = frs_stats_sd(parts, n),
           left_s = fmax(n_left * mean - elapsed_s, 0) / at_once,
           half_s = frs_student_t_quantile((1 + FRS_CONFIDENCE) / 2, (double)(n - 1)) * sd *
                    sqrt(n_left + n_left * n_left / (double)n) / at_once;
    return (struct frs_time_left){left_s, fmax(left_s - half_s, 0), left_s + half_s, n};
}

struct frs_time_left frs_time_left_of_rounds(const struct frs_marks *marks, size_t all, double now_s) {
    if (marks->n < 2 || marks->done[marks->n - 1] >= all)
        return unknown;
    size_t last = marks->n - 1, first = 0;
    double half_s = (marks->at_s[0] + now_s) / 2;
    while (first < last && marks->at_s[first] < half_s)
        first++;
    first = first > 0 ? first - 1 : 0;
    size_t n_rounds = marks->done[last] - marks->done[first],
           n = n_rounds < MOST_PARTS ? n_rounds : MOST_PARTS;
    if (n < LEAST_PARTS)
        return unknown;
    double parts[MOST_PARTS], step = (double)n_rounds / (double)n, begin = (double)marks->done[first];
    for (size_t i = 0; i < n; i++)
        parts[i] = time_of(marks, begin + (double)(i + 1) * step) - time_of(marks, begin + (double)i * step);
    double since_s = now_s - marks->at_s[last], round_s = frs_stats_mean(parts, n) / step;
    return sum_of(parts, n, (double)(all - marks->done[last]) / step, fmin(since_s, round_s), 1);
}

struct frs_time_left frs_time_left_of_points(
    const double *durations_s, size_t n, size_t n_left, double elapsed_s, size_t at_once) {
    if (n < LEAST_PARTS || n_left == 0)
        return unknown;
    size_t n_parallel = at_once < n_left ? at_once : n_left;
    return sum_of(durations_s, n, (double)n_left, elapsed_s, n_parallel > 0 ? (double)n_parallel : 1);
}
