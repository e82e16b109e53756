/* Drawing: what the figures of a run or a sweep share. */
#ifndef FRS_ANALYSIS_FIGURES_DRAWING_H
#define FRS_ANALYSIS_FIGURES_DRAWING_H

#include "analysis/figures/curves.h"
#include "analysis/figures/gnuplot.h"
#include "analysis/figures/request.h"
#include "analysis/figures/samples.h"
#include "analysis/sentence/sentence.h"
#include "sim/base/errors.h"

struct frs_drawing {
    struct frs_canvas canvas;
    const struct frs_sweep_results *sweep; /* NULL: of a run */
    size_t *fixed; /* [axes] of the sweep: the level that is wanted, or FRS_ANY_LEVEL */
    const struct frs_ranking *ranking;
    size_t *numbers;   /* [ranking->n_environments] from 1 on; 0: not wanted */
    size_t n_numbered; /* environments that are wanted; drawn are those up to FRS_FIGURES_MOST */
    size_t n_variants; /* of a sensitivity; drawn are those up to FRS_FIGURES_MOST */
    const char *quality;
    bool lower;                  /* smaller quality is better */
    struct frs_curve *curves;    /* [ranking->n] */
    struct frs_samples *samples; /* [ranking->n] */
    struct frs_errors wrong;     /* of curves and samples */
};

/* "WHAT", or "WHAT-2" where several environments are drawn; freed with free(). */
char *frs_figure_name(const struct frs_drawing *d, const char *what, size_t environment);

/* Draws quality against rounds, time and bytes of the entries that have curves. */
enum frs_status frs_draw_quality(
    struct frs_drawing *d, size_t environment, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws the time to the target of the entries that reach it, and, if there are several entries, time and
 * bytes of whole runs. */
enum frs_status frs_draw_bars(
    struct frs_drawing *d, size_t environment, struct frs_errors *errors) FRS_MUST_CHECK;

/* "HR@10", "simulated time": what a metric is called in a figure; freed with free(). */
char *frs_metric_caption(const char *metric);

/* Writes these metrics as tables for LaTeX. */
enum frs_status frs_draw_tables(
    struct frs_drawing *d, const char *const *metrics, size_t n, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws how the times of rounds and clients, and quality over clients, are distributed in each entry. */
enum frs_status frs_draw_distributions(
    struct frs_drawing *d, size_t environment, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws what each round waited for. */
enum frs_status frs_draw_paths(
    struct frs_drawing *d, const struct frs_records *rounds, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws quality against time, or bytes, and the Pareto front of all three, for the entries with these
 * figures, if there are two. */
enum frs_status frs_draw_front(
    struct frs_drawing *d, size_t environment, bool bytes, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws designs by environments, if there are several of both. */
enum frs_status frs_draw_winners(struct frs_drawing *d, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws one figure for each variant of FOLDER/sensitivity.json, if it is there. */
enum frs_status frs_draw_tornados(
    struct frs_drawing *d, const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

/* Draws metrics of a sweep against the values of its axes: the metrics that were requested, or else
 * quality, time and bytes, against every axis whose levels are numbers or that belongs to the environment. */
enum frs_status frs_draw_swept(struct frs_drawing *d, const struct frs_figures_request *request,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
