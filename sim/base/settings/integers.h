/* Lists of integers: FRS_INTS as text. Private to the folder. */
#ifndef FRS_BASE_INTEGERS_H
#define FRS_BASE_INTEGERS_H

#include "sim/base/settings/params.h"

/* Reads "5, 10, 20": up to FRS_INTS_MOST different integers from `min` to `max`. */
enum frs_status frs_integers_parse(
    const char *text, double min, double max, struct frs_ints *ints) FRS_MUST_CHECK;

/* What is wrong with a text that frs_integers_parse refuses. */
const char *frs_integers_problem(const char *text);

/* "5,10,20"; freed by the caller. */
char *frs_integers_format(const struct frs_ints *ints);

#endif
