/* Parameters: typed descriptions of what can be set. Each scenario section and each plug-in has one table
 * of them. That table drives parsing, validation, defaults, units, `fedrecsim explain` and docs/reference.
 * The values that were set are in params.h. */
#ifndef FRS_BASE_PARAM_H
#define FRS_BASE_PARAM_H

#include "sim/base/settings/units.h"

#include <stdbool.h>

enum frs_type {
    FRS_BOOL,
    FRS_INT,
    FRS_REAL, /* a number without dimension; see frs_param_takes_percentage */
    FRS_TEXT,
    FRS_CHOICE,   /* one of `choices` */
    FRS_LIST,     /* any subset of `choices`, comma-separated on the command line, an array in the file */
    FRS_TEXTS,    /* any texts in their order: an array in the file, separated by ";" on the command line */
    FRS_QUANTITY, /* text with a unit of `dimension`; see `unlimited` */
    FRS_SHARE,    /* an integer count of at least 1, or a share of all such as "60 %" */
    FRS_INTS,     /* an integer, or up to FRS_INTS_MOST different ones in their order: an array in the file,
                     comma-separated on the command line */
};

#define FRS_INTS_MOST 8

struct frs_param {
    const char *key;
    enum frs_type type;
    const char *initial; /* default as one would write it after --set; NULL: has to be given */
    const char *help;    /* one line */
    double min, max; /* of integers, one or several, reals and quantities; inclusive, in SI units. min == max:
                        unbounded, and a quantity is at least 0. Largest values of integers, reals and
                        quantities are at most frs_units_most */
    enum frs_dimension dimension; /* FRS_QUANTITY */
    const char *const *choices;   /* FRS_CHOICE and FRS_LIST; ends with NULL */
    bool unlimited;         /* FRS_QUANTITY: the text "unlimited" is allowed as well and reads as INFINITY */
    bool automatic;         /* FRS_SHARE: the text "auto" is allowed as well and reads as a count of 0 */
    bool none;              /* FRS_REAL: the text "none" is allowed as well and reads as NAN */
    bool by_class;          /* FRS_REAL, FRS_QUANTITY and FRS_TEXT: may differ between classes
                               (sim/base/settings/by_class.h) */
    bool is_path;           /* FRS_TEXT: names a file to be read; a relative one is relative to the scenario
                               (sim/base/settings/path.h) */
    const char *divided_by; /* by_class: what its parts are named after; NULL: "class" */
};
/* Tables end with a param whose key is NULL. */

#endif
