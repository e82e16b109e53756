/* Presentation: figures for people, in one unit per table and with as many digits as the interval
 * justifies. */
#ifndef FRS_ANALYSIS_PRINT_PRESENT_H
#define FRS_ANALYSIS_PRINT_PRESENT_H

#include "analysis/statistics/metrics.h"
#include "analysis/statistics/intervals.h"

#include <stdbool.h>
#include <stdio.h>

/* How a set of figures is written. */
struct frs_style {
    double factor;    /* what values are multiplied by to be in the unit */
    const char *unit; /* "" for figures without one */
    int decimals;
    bool by_value;      /* each figure has the decimals that suit it */
    bool mixed;         /* each figure has the unit that suits it, and names it: `unit` is "" */
    const char *metric; /* borrowed */
};

/* Returns the style of figures of one metric that stand together. The unit suits the largest mean or half
 * width (s, then min from 2 min and h from 2 h on; kB, MB, GB). The decimals give the median half width
 * two digits; without any, the largest mean gets four digits. Where half widths differ by more than a
 * factor of 100, the unit suits the median mean, and each figure has decimals of its own by the same rule,
 * but no mean more than five digits. In that unit a figure may lose two digits of its half width, or show
 * fewer than two of its mean: 13.3 ± 5.0 s would be 0.2 ± 0.1 min beside 11.6 ± 4.0 min. Then each figure
 * has a unit of its own. `metric` has to outlive the style. */
struct frs_style frs_style_of(const char *metric, const struct frs_estimate *estimates, size_t n);

/* "0.570 ± 0.008", with "–" for what does not exist; `plus`: always with a sign. A half width above zero
 * that would be written as zero gets decimals of its own. Freed with free(). */
char *frs_present(const struct frs_style *style, const struct frs_estimate *estimate, bool plus);

/* A mean alone. */
char *frs_present_value(const struct frs_style *style, double value);

/* A table of texts, written in Markdown with columns of even width. The first row is the head. */
struct frs_text_table {
    size_t n_columns, n, capacity;
    char **cells; /* [n], owned */
};

/* Appends a cell, row by row: take() takes ownership of Markdown, add() quotes a text from a user's file. */
void frs_text_table_take(struct frs_text_table *grid, char *text);
void frs_text_table_add(struct frs_text_table *grid, const char *text);

/* On a terminal that is narrower than the table: a list of rows, each a list of figures. */
void frs_text_table_print(const struct frs_text_table *grid, FILE *out);
void frs_text_table_fini(struct frs_text_table *grid);

#endif
