/* Request: which figures are drawn, and how. */
#ifndef FRS_ANALYSIS_FIGURES_REQUEST_H
#define FRS_ANALYSIS_FIGURES_REQUEST_H

#include "analysis/figures/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct frs_figures_request {
    const char *folder; /* a run directory, or that of a sweep */
    const char *out;    /* is made. Files there that are not figures of this program are not replaced */
    const char *only;   /* of a sweep: environments with these levels, "AXIS=LABEL,AXIS=LABEL"; NULL: all */
    enum frs_figures_format format;
    bool wide;  /* both columns of a page */
    FILE *list; /* says what can be drawn, and draws nothing; NULL: it is drawn */
    /* Of a sweep, metrics against an axis and no other figures; NULL or 0: what suits it. */
    const char *const *metrics; /* [n_metrics] */
    size_t n_metrics;
    const char *against, *upwards; /* axes; with the second one it is a heat map */
    enum frs_scale scale;          /* of `against` */
};

#endif
