/* What a search in progress has run so far, what its figures say (solve_figures.c), and how the answer is
 * worded (solve_answer.c). */
#ifndef FRS_SOLVE_SOLVE_INTERNAL_H
#define FRS_SOLVE_SOLVE_INTERNAL_H

#include "analysis/entries/sweep_reader.h"
#include "analysis/statistics/repeats.h"
#include "sim/solve/solve.h"

struct solving {
    const struct frs_question *question;
    const struct frs_sweep_options *options;
    size_t *tried; /* [n_tried] settings in the order of the axis */
    size_t n_tried;
    size_t *cells; /* [question->n] of each setting, or SIZE_MAX */
    bool is_open;
    struct frs_sweep_session session;
    bool has_results;
    struct frs_sweep_results results;
};

/* An answer is sure where replicates like these mislead with at most this chance. */
#define FRS_SOLVE_SURE 0.05

/* ---- solve_figures.c; of settings that have been run ---- */

/* Returns why runs of this setting can have no results (frs_point_results), or NULL; *n (may be NULL): how
 * many of them have none. */
const char *frs_solve_verdict(const struct solving *s, size_t setting, size_t *n);

/* The mean, taking into account runs that missed a target (analysis/statistics/repeats.h): INFINITY where
 * all did. NaN: there is no mean, or there is a verdict. */
struct frs_repeats frs_solve_figure(const struct solving *s, size_t setting, const char *metric);

/* As the search asks (search.h); `context` is the struct solving. */
bool frs_solve_is_good(void *context, size_t setting);
double frs_solve_distance(void *context, size_t setting);
int frs_solve_step(void *context, size_t a, size_t b);
bool frs_solve_is_better(void *context, size_t a, size_t b);

/* The probability that replicates like these mislead about the answer, 1 at most; NaN: it cannot be
 * determined.
 *
 * After halving, it is the probability that the answer does not keep to the bound, or that its neighbour does
 * keep to it although its runs did not. Otherwise it is the probability that the answer does not keep to the
 * bound, or that a preferred setting does although its runs did not; without an answer, that any of the
 * settings run does. If the best setting is wanted: that it does not keep to the bound, or that another one
 * is better (frs_repeats_chance_of_better). The other probabilities are added up, which is exact for events
 * that exclude each other, and errs on the large side for others. */
double frs_solve_error(const struct solving *s, const struct frs_found *found);

/* If the best setting is wanted: whether another one is as good, or better with a chance above
 * FRS_SOLVE_SURE. */
bool frs_solve_within_noise(const struct solving *s, const struct frs_found *found, size_t setting);

/* What a search for the largest (or smallest) setting has run on the other side of its answer. All these
 * settings would keep to the bound if the figure rose or fell all the way. */
struct frs_solve_gaps {
    size_t n, misses; /* settings there that were run, and those of them that do not keep to the bound */
    bool all;         /* all settings there were run */
    size_t without; /* the farthest setting that keeps to the bound together with all settings run between the
                       safe end and it; SIZE_MAX: the safe end itself does not */
    size_t unknown; /* settings between the safe end and `without` that were not run */
};
struct frs_solve_gaps frs_solve_gaps_of(const struct solving *s, const struct frs_found *found);

/* ---- solve_lines.c ---- */

/* The answer in sentences, the answer first; they hold other people's texts. */
struct frs_solve_lines {
    char **list; /* [n] */
    size_t n, capacity;
};
struct frs_solve_lines frs_solve_lines_of(const struct solving *s, const struct frs_found *found);
void frs_solve_lines_fini(struct frs_solve_lines *lines);

/* ---- solve_answer.c ---- */

const char *frs_solve_value(const struct solving *s, size_t setting);
const char *frs_solve_wanted(const struct solving *s); /* "largest"; of a list, "last" */
enum frs_status frs_solve_write(
    const struct solving *s, const struct frs_found *found, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
