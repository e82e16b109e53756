#include "analysis/live/progress.h"
#include "analysis/live/follower.h"
#include "analysis/read/json.h"
#include "sim/base/memory.h"
#include "sim/base/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sweep may have many names. */
#define NAMES_S 1.0

struct frs_follower *frs_follow_run(const char *folder, size_t n_rounds, bool may_end_early) {
    struct frs_follower *follower = frs_alloc(1, sizeof *follower);
    *follower = (struct frs_follower){
        .folder = frs_strdup(folder), .n_rounds = n_rounds, .may_end_early = may_end_early};
    return follower;
}

struct frs_follower *frs_follow_sweep(const char *folder, bool searches, size_t at_once, bool elsewhere) {
    struct frs_follower *follower = frs_alloc(1, sizeof *follower);
    *follower = (struct frs_follower){
        .folder = frs_strdup(folder), .points = frs_points_so_far_create(searches, at_once, elsewhere)};
    return follower;
}

void frs_follower_destroy(struct frs_follower *follower) {
    if (!follower)
        return;
    frs_points_so_far_destroy(follower->points);
    frs_marks_fini(&follower->marks);
    free(follower->folder);
    free(follower);
}

void frs_follower_look(struct frs_follower *follower, double now_s) {
    if (follower->points) {
        if (now_s - follower->looked_s >= NAMES_S)
            frs_points_so_far_look(follower->points, follower->folder, now_s);
        follower->looked_s = now_s - follower->looked_s >= NAMES_S ? now_s : follower->looked_s;
        return;
    }
    char *path = frs_format("%s/rounds.csv", follower->folder);
    frs_rounds_tail_read(&follower->tail, path);
    if (follower->marks.n == 0)
        frs_marks_add(&follower->marks, now_s, 0);
    frs_marks_add(&follower->marks, now_s, follower->tail.n_rounds);
    free(path);
}

/* "2 to 4 min": the bounds in the same words as what lies between them. */
static char *range_text(double low_s, double high_s) {
    char low[32], high[32];
    frs_terminal_time_left(low_s, low, sizeof low);
    frs_terminal_time_left(high_s, high, sizeof high);
    const char *low_unit = strchr(low, ' '), *high_unit = strchr(high, ' ');
    if (strcmp(low, high) == 0)
        return frs_strdup(low);
    if (low_unit && high_unit && strcmp(low_unit, high_unit) == 0)
        return frs_format("%.*s to %s", (int)(low_unit - low), low, high);
    return frs_format("%s to %s", low, high);
}

void frs_set_time_left(json_t *object, const struct frs_time_left *left, const char *why) {
    if (isnan(left->s)) {
        frs_json_set(object, "time_left", json_null());
        frs_json_set(object, "why", json_string(why));
        return;
    }
    char text[32], *range = range_text(left->low_s, left->high_s);
    json_t *time = json_object();
    frs_json_set(time, "s", json_real(left->s));
    frs_json_set(time, "low_s", json_real(left->low_s));
    frs_json_set(time, "high_s", json_real(left->high_s));
    frs_json_set(time, "text", json_string(frs_terminal_time_left(left->s, text, sizeof text)));
    frs_json_set(time, "range", json_string(range));
    frs_json_set(time, "from", json_integer((json_int_t)left->n));
    frs_json_set(object, "time_left", time);
    free(range);
}

static json_t *progress_of_run(struct frs_follower *follower, double now_s) {
    const struct frs_rounds_tail *tail = &follower->tail;
    json_t *object = json_object();
    char *clients = frs_format("%s/clients.csv", follower->folder),
         *version = frs_format("%zu", tail->n_rows);
    bool is_over = tail->n_rounds >= follower->n_rounds || access(clients, F_OK) == 0;
    frs_json_set(object, "unit", json_string("rounds"));
    frs_json_set(object, "done", json_integer((json_int_t)tail->n_rounds));
    frs_json_set(object, "all", json_integer((json_int_t)follower->n_rounds));
    frs_json_set(object, "rows", json_integer((json_int_t)tail->n_rows));
    frs_json_set(object, "may_end_early", json_boolean(follower->may_end_early));
    frs_json_set(object, "finishing", json_boolean(is_over));
    frs_json_set(object, "version", json_string(version));
    struct frs_time_left left = {.s = NAN};
    if (!is_over)
        left = frs_time_left_of_rounds(&follower->marks, follower->n_rounds, now_s);
    frs_set_time_left(object, &left,
        is_over ? "the rounds are over, and the results are being written"
                : "it is known after a few more rounds");
    free(clients);
    free(version);
    return object;
}

json_t *frs_follower_progress(struct frs_follower *follower, double now_s) {
    frs_follower_look(follower, now_s);
    json_t *object = follower->points ? frs_points_so_far_progress(follower->points, follower->folder, now_s)
                                      : progress_of_run(follower, now_s);
    frs_json_set(object, "format", json_string(FRS_LIVE_FORMAT));
    return object;
}
