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
    size_t n_columns, n_main; /* those from n_main on stand in tables of their own */
    bool has_baseline;        /* the command line names one */
    size_t *baselines;        /* [n entries] which entry differences are to */
    bool *paired;             /* [n entries] whether it has the seeds of its baseline */
    bool *on_front;           /* [n entries] of its environment */
    const char *quality;
    bool lower;
};

/* Columns [begin, end) that stand in one table. */
struct frs_compare_columns {
    size_t begin, end;
};

/* Entries that stand in one table. */
struct frs_compare_section {
    size_t *members, n; /* [n] */
};

/* compare.c: adds a column of this figure, for which there is room; prints a table of these columns. */
void frs_compare_add_column(struct frs_comparison *c, const char *metric, const char *title);
void frs_compare_print_figures(const struct frs_comparison *c, const struct frs_compare_section *section,
    struct frs_compare_columns columns, FILE *out);

/* compare_lists.c: the figures of ranked test items beside the one by which entries are compared, where runs
 * have several cut-offs or several held-out items of a user. How many there can be; adds them behind all
 * other columns; prints a table for each cut-off. */
size_t frs_compare_count_lists(const struct frs_comparison *c);
void frs_compare_add_lists(struct frs_comparison *c);
void frs_compare_print_lists(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out);

/* Notes in c->on_front which entries of a section are on the Pareto front of time, bytes and quality. */
void frs_compare_find_front(struct frs_comparison *c, const struct frs_compare_section *section);

/* The comparison for programs. */
struct json_t *frs_compare_object(const struct frs_comparison *c);

void frs_compare_print_front(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out);

#endif
