/* Question: which setting of one key is good enough, as the command line asks it.
 *
 *   settings   KEY = A..B            whole numbers from A to B
 *              KEY = A..B step S     every S-th of them
 *              KEY = V, V, V         these, in an order in which the figure rises or falls
 *   bound      METRIC <= AMOUNT      or >=, <, >; a metric of points.csv, times and bytes with their unit
 *                                    ("1 h", "2 GB"), energy in J, kJ or MJ, shares as "10 %"; a percentage
 *                                    of a count of outcomes is that of all participations */
#ifndef FRS_SOLVE_QUESTION_H
#define FRS_SOLVE_QUESTION_H

#include "sim/solve/search.h"

struct frs_question {
    char *axis;    /* "method.rank", with "design:" in front if it was said */
    char **values; /* [n] */
    size_t n;
    bool is_range; /* A..B */
    char *metric;  /* NULL: nothing is asked of it, with FRS_BEST */
    double bound;
    bool at_most, strict;
    enum frs_wanted wanted;
    size_t budget;    /* settings to run at most; FRS_BEST runs all */
    const char *best; /* FRS_BEST: the figure, borrowed; quality is best when large, all else when small */
    char *settings, *until; /* as asked, in one line */
};

enum { FRS_QUESTION_MOST = 4096, FRS_QUESTION_BUDGET = 64 };

/* The budget is FRS_QUESTION_BUDGET. `vary` and `until` as above; `until` may be NULL where `best` is not.
 * `best` NULL: the largest or smallest. On failure adds one error per mistake and leaves *question empty. */
enum frs_status frs_question_parse(const char *vary, const char *until, enum frs_wanted wanted,
    const char *best, struct frs_question *question, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_question_fini(struct frs_question *question);

/* The axis with these of its values, as a sweep's --vary takes it; freed with free(). */
char *frs_question_axis(const struct frs_question *question, const size_t *settings, size_t n);

#endif
