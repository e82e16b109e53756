/* Search: the largest or smallest of some settings that is good enough, from as few of them as possible.
 *
 * Who asks for the largest one that is good tries the last setting, then the first, then halves what lies between. That is
 * right where being good ends somewhere and does not begin again; the search watches what it sees: once the figures turn
 * round, or an inner setting is good while both ends are not, all settings are tried. */
#ifndef FRS_SWEEP_SEARCH_H
#define FRS_SWEEP_SEARCH_H

#include "sim/base/errors.h"

#include <stdbool.h>
#include <stddef.h>

enum frs_wanted { FRS_LARGEST, FRS_SMALLEST, FRS_BEST };

struct frs_search {
    size_t n; /* settings, in order */
    enum frs_wanted wanted;
    void *context;
    /* Tries those of the settings that have not been tried yet. */
    enum frs_status (*try)(void *context, const size_t *settings, size_t n, struct frs_errors *errors);
    bool (*is_good)(void *context, size_t setting);
    /* How the figure of `b` differs from that of `a` beyond chance: -1, 0 or 1. */
    int (*step)(void *context, size_t a, size_t b);
    /* For FRS_BEST: whether `b` is better than `a`. */
    bool (*is_better)(void *context, size_t a, size_t b);
};

struct frs_found {
    bool any;
    size_t setting; /* the answer */
    bool has_next;  /* `next` is the neighbour beyond it, which is not good any more */
    size_t next;
    bool by_halving; /* and not by trying all */
};

enum frs_status frs_search_run(
    const struct frs_search *search, struct frs_found *found, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
