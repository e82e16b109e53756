/* Axis: one thing that a sweep varies, from the text that describes it.
 *
 *   KEY = V, V, V                                one key; the values are the labels
 *   KEY, KEY = V, W | V, W                       several keys in step; name "KEY,KEY", labels "V,W"
 *   NAME | LABEL: KEY=V & KEY=V | LABEL | ...    levels with names; one without settings is the file as it
 *   is
 *
 * A prefix "design:" or "environment:" gives the role of the axis (analysis/statistics/factors.h). Without
 * it the axis' keys decide; an axis with keys of both roles needs the prefix.
 *
 * A backslash makes an ordinary character of the separator behind it ("hr\,ndcg"). */
#ifndef FRS_SWEEP_AXIS_H
#define FRS_SWEEP_AXIS_H

#include "analysis/plan/plan.h"
#include "sim/base/status.h"

#include <stdbool.h>

/* Reads `text` and appends the axis; when `on_command_line`, it replaces one of the same name from the
 * file. `where` begins the messages. Refuses keys that are varied by other means (seed) or not at all
 * (sweep, output), and labels, keys or names that occur twice. */
enum frs_status frs_axes_add(struct frs_axes *axes, const char *text, const char *where, bool on_command_line,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* "method.name = colr, rounds.count = 5"; freed by the caller. */
char *frs_axes_describe(const struct frs_axes *axes, size_t cell);

/* Whether "NAME = LABEL, NAME = LABEL" names existing levels. *normal is then "NAME=LABEL,NAME=LABEL",
 * freed by the caller, otherwise NULL. */
enum frs_status frs_axes_check_cell(const struct frs_axes *axes, const char *text, const char *where,
    char **normal, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
