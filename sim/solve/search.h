/* Search: the largest or smallest of some settings that is good enough, from as few of them as possible.
 *
 * A search for the largest good setting tries the last one, then the first, and then halves the range
 * between them. That is right where the good settings form one range. The search watches the figures: once
 * they turn round, or where neither end is good, it assumes nothing any more and tries all settings, as
 * far as its budget goes. If there are more settings than the budget allows, it first looks for a good
 * one, alternately in the middle of the largest untried range and beside the nearest setting so far; then
 * for the end of the good range around it; then for other good settings beyond that end. */
#ifndef FRS_SOLVE_SEARCH_H
#define FRS_SOLVE_SEARCH_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum frs_wanted { FRS_LARGEST, FRS_SMALLEST, FRS_BEST };

struct frs_search {
    size_t n; /* settings, in order */
    enum frs_wanted wanted;
    size_t
        budget; /* settings to try at most, those of `known` among them; 0: all. FRS_BEST always tries all */
    const bool *known; /* [n] those that have been tried before; NULL: none */
    void *context;
    /* Tries those of the settings that have not been tried yet. */
    enum frs_status (*try)(void *context, const size_t *settings, size_t n, struct frs_errors *errors);
    bool (*is_good)(void *context, size_t setting);
    /* How far a setting that is not good is from being so; INFINITY: it has no figure. */
    double (*distance)(void *context, size_t setting);
    /* How the figure of `b` differs from that of `a` beyond chance: -1, 0 or 1. */
    int (*step)(void *context, size_t a, size_t b);
    /* For FRS_BEST: whether `b` is better than `a`. */
    bool (*is_better)(void *context, size_t a, size_t b);
};

struct frs_found {
    bool any;
    size_t setting; /* the answer */
    bool has_next;  /* `next` is the nearest setting beyond it that was tried; it is not good */
    size_t next;
    bool by_halving; /* and not by trying what there is */
    size_t untried;  /* settings that have not been tried and would be the answer if they were good. After
                        halving, the search assumes that they are not good, because the figure rises or falls
                        all the way; otherwise its budget has ended, and it does not know */
};

enum frs_status frs_search_run(
    const struct frs_search *search, struct frs_found *found, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
