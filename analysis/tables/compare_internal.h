/* What the files of a comparison share. */
#ifndef FRS_ANALYSIS_TABLES_COMPARE_INTERNAL_H
#define FRS_ANALYSIS_TABLES_COMPARE_INTERNAL_H

#include "analysis/tables/compare.h"

/* One figure that is compared. */
struct frs_compare_column {
    const char *metric, *title;
    struct frs_figure *figures;     /* [n entries] */
    struct frs_contrast *contrasts; /* [n entries] to their baselines */
};

struct frs_comparison {
    const struct frs_entries *entries;
    struct frs_compare_column *columns;
    size_t n_columns;
    bool has_baseline; /* the command line names one */
    size_t *baselines; /* [n entries] which entry differences are to */
    bool *paired;      /* [n entries] whether it has the seeds of its baseline */
    bool *on_front;    /* [n entries] of its environment */
    const char *quality;
    bool lower;
};

/* Entries that stand in one table. */
struct frs_compare_section {
    size_t *members, n; /* [n] */
};

/* Notes in c->on_front which entries of a section are on the Pareto front of time, bytes and quality. */
void frs_compare_find_front(struct frs_comparison *c, const struct frs_compare_section *section);

/* The comparison for programs. */
struct json_t *frs_compare_object(const struct frs_comparison *c);

void frs_compare_print_front(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out);

#endif
