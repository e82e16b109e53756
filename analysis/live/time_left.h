/* Time left: how long a command still takes, and how sure that is, from what was measured so far.
 *
 * The remaining work is assumed to be like the measured work. With K parts left and B measured, of mean m
 * and standard deviation s, the time left is K m. A new command would be within ± t s √(K + K²/B) of it in
 * 95 of 100 cases (Student's prediction interval of a sum; t has B − 1 degrees of freedom). */
#ifndef FRS_ANALYSIS_LIVE_TIME_LEFT_H
#define FRS_ANALYSIS_LIVE_TIME_LEFT_H

#include <stddef.h>

struct frs_time_left {
    double s, low_s, high_s; /* NaN: too little was measured */
    size_t n;                /* parts that were measured */
};

/* When how many rounds were done, as often as they were looked at. Zeroed: none yet. */
struct frs_marks {
    double *at_s;
    size_t *done;
    size_t n, capacity, done_capacity;
};

/* Adds what was seen at a moment, if it is more than before. Where there are many, every second one stays. */
void frs_marks_add(struct frs_marks *marks, double at_s, size_t done);
void frs_marks_fini(struct frs_marks *marks);

/* Time left of rounds, from the rounds in the last half of the time, because a resumed run replays its
 * first rounds in no time. A part is a tenth of them. */
struct frs_time_left frs_time_left_of_rounds(const struct frs_marks *marks, size_t all, double now_s);

/* Time left of the points of a sweep, from the durations of n that have ended. `n_left` includes running
 * points, which have taken `elapsed_s` together; `at_once` points run at a time. */
struct frs_time_left frs_time_left_of_points(
    const double *durations_s, size_t n, size_t n_left, double elapsed_s, size_t at_once);

#endif
