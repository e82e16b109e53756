/* Expectations: what the figures of a run have to be, as --expect gives it, such as "hr@10 >= 0.5 &&
 * simulated_s <= 1 h".
 *
 *   expectation   [WHERE:] any
 *   any           all || all ...
 *   all           term && term ...
 *   term          (any), or METRIC COMPARISON AMOUNT
 *   COMPARISON    <=  >=  <  >  ==  !=
 *
 * METRIC is a name as in points.csv, in double quotes if it contains blanks or one of <>=!&|(); AMOUNT is
 * as in amount.h. WHERE, before the first comparison, selects cells or entries ("codec=topk"); without it,
 * all are meant. A missing figure (NaN) fulfils no clause, whatever the comparison. */
#ifndef FRS_ANALYSIS_EXPECT_EXPECT_H
#define FRS_ANALYSIS_EXPECT_EXPECT_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_expectation;

/* `cut_offs`: the K of the run's "hr@K", as evaluation.k has them; NULL: not known yet. On failure adds one
 * error, which quotes what is wrong and says what is allowed, and *out is NULL. */
enum frs_status frs_expectation_parse(const char *text, const char *cut_offs, struct frs_expectation **out,
    struct frs_errors *errors) FRS_MUST_CHECK;
void frs_expectation_destroy(struct frs_expectation *expectation); /* NULL is allowed */

/* WHERE, or NULL. */
const char *frs_expectation_where(const struct frs_expectation *expectation);

/* The first quality of recommendations among its metrics, or NULL: there is none. */
const char *frs_expectation_quality(const struct frs_expectation *expectation);

/* The value of a metric; NaN: it has none. */
typedef double frs_expectation_figure(const void *context, const char *metric);

/* Whether the figures are as expected. If not, adds a line for every clause that decides this, with its
 * value: "WHOSE: hr@10 >= 0.5 does not hold: hr@10 is 0.41"; `whose` NULL: the line has no prefix. */
bool frs_expectation_holds(const struct frs_expectation *expectation, const char *whose,
    frs_expectation_figure *figure, const void *context, struct frs_errors *errors);

#endif
