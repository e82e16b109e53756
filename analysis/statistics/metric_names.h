/* Metric names: which figures a run can have, before there is one. */
#ifndef FRS_ANALYSIS_STATISTICS_METRIC_NAMES_H
#define FRS_ANALYSIS_STATISTICS_METRIC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum frs_better { FRS_NEITHER, FRS_HIGHER, FRS_LOWER };

/* What there is to say of a figure. */
struct frs_metric_entry {
    const char *name; /* "hr@" of any K, "groups.*.delivered" of any group: metrics.def */
    const char *unit; /* "s", "bytes", "share", "count" */
    enum frs_better better;
    const char *from;    /* the file that it stands in, or is computed from */
    const char *meaning; /* one line */
};

/* All of them, ended by a NULL name. */
extern const struct frs_metric_entry frs_metric_table[];

/* The entry that describes a figure ("groups.device_class.slow.hr@10"), or NULL. */
const struct frs_metric_entry *frs_metric_find(const char *name);

/* Its name for people: "hr@K", "groups.NAME.delivered"; freed with free(). */
char *frs_metric_shown(const struct frs_metric_entry *entry);

/* Whether some run can have a figure of this name. cut_offs: the K of its "hr@K", as evaluation.k has them
 * ("5,10,20"); NULL: any. Which figures a run has is known only when it has ended: "bytes_to_target" needs a
 * target. */
bool frs_metric_is_known(const char *name, const char *cut_offs);

/* The known name that `name` may be meant for, or NULL; freed by the caller. cut_offs: NULL: the usual 10. */
char *frs_metric_nearest(const char *name, const char *cut_offs);

/* Returns the message about a name that is no figure of any run: that it is no figure, which one may be
 * meant, and what is allowed. The message has no place in front. NULL: the name is known. Freed by the
 * caller. */
char *frs_metric_complaint(const char *name, const char *cut_offs);

#endif
