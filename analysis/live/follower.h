/* What the two kinds of followers share. */
#ifndef FRS_ANALYSIS_LIVE_FOLLOWER_H
#define FRS_ANALYSIS_LIVE_FOLLOWER_H

#include "analysis/live/rounds_tail.h"
#include "analysis/live/time_left.h"

#include <jansson.h>
#include <stdbool.h>

struct frs_points_so_far; /* points_so_far.c */

struct frs_follower {
    char *folder;
    size_t n_rounds;
    bool may_end_early;
    struct frs_rounds_tail tail;
    struct frs_marks marks;
    struct frs_points_so_far *points; /* NULL: it follows a run */
    double looked_s;                  /* at the points' names */
};

struct frs_points_so_far *frs_points_so_far_create(bool searches, size_t at_once, bool elsewhere);
void frs_points_so_far_destroy(struct frs_points_so_far *points);
void frs_points_so_far_look(struct frs_points_so_far *points, const char *folder, double now_s);
json_t *frs_points_so_far_progress(struct frs_points_so_far *points, const char *folder, double now_s);

/* Sets "time_left", or says `why` it is not known. */
void frs_set_time_left(json_t *object, const struct frs_time_left *left, const char *why);

#endif
