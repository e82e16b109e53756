/* Drawing: what the figures of a run or a sweep share. */
#ifndef FRS_ANALYSIS_FIGURES_DRAWING_H
#define FRS_ANALYSIS_FIGURES_DRAWING_H

#include "analysis/figures/curves.h"
#include "analysis/figures/gnuplot.h"
#include "analysis/sentence/sentence.h"
#include "sim/base/errors.h"

struct frs_drawing {
    const char *out;
    enum frs_figures_format format;
    size_t n; /* figures drawn */
    const struct frs_ranking *ranking;
    size_t *numbers;   /* [ranking->n_environments] from 1 on; 0: not wanted */
    size_t n_numbered; /* environments that are wanted; drawn are those up to FRS_FIGURES_MOST */
    size_t n_variants; /* of a sensitivity; drawn are those up to FRS_FIGURES_MOST */
    const char *quality;
    struct frs_curve *curves; /* [ranking->n] */
    struct frs_errors wrong;  /* of curves */
};

/* "WHAT", or "WHAT-2" where several environments are drawn; freed with free(). */
char *frs_figure_name(const struct frs_drawing *d, const char *what, size_t environment);

/* Draws quality against time, or bytes, and the Pareto front of all three, of the entries with these figures,
 * if there are two. */
enum frs_status frs_draw_front(
    struct frs_drawing *d, size_t environment, bool bytes, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws designs by environments, if there are several of both. */
enum frs_status frs_draw_winners(struct frs_drawing *d, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws one figure for each variant of FOLDER/sensitivity.json, if it is there. */
enum frs_status frs_draw_tornados(
    struct frs_drawing *d, const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
