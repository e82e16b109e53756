/* Figures: the results of a run or a sweep as figures of a paper's column, drawn by gnuplot, and its
 * tables for LaTeX. docs/figures.md explains each.
 *
 *   METRIC-by-AXIS           of a sweep: means with 95 % intervals against the levels of an axis
 *   METRIC-by-AXIS-and-AXIS  the same against two axes, as a heat map
 *   table, table-METRIC      of a sweep: designs by metrics, or by environments
 *   quality-rounds, quality-time, quality-bytes
 *                            quality after each evaluated round: mean, least and largest of the replicates
 *   time-to-target           mean and 95 % interval of each entry that reaches it in all of its runs
 *   time-by-method, bytes-by-method
 *                            the same of the whole runs
 *   round-times, client-times, client-quality
 *                            distributions over rounds and clients
 *   pareto-time, pareto-bytes
 *                            quality against time and bytes, and the entries on the Pareto front
 *   winners                  of several environments: designs by environments
 *   tornado                  of a sweep with sensitivity.json: how far each assumption moves the answer
 *   critical-path            of a run: what each round waited for
 *
 * A sweep has one of each for every environment ("quality-time-2"). NAME.svg (.pdf, .png, or .tex for PGF)
 * is accompanied by NAME.dat with the data and NAME.gp, which draws the figure anew. */
#ifndef FRS_ANALYSIS_FIGURES_FIGURES_H
#define FRS_ANALYSIS_FIGURES_FIGURES_H

#include "analysis/figures/request.h"
#include "sim/base/status.h"

#include <stddef.h>

struct frs_figures_drawn {
    size_t n, n_tables;
    size_t n_environments,
        n_variants; /* there are figures, or tornados, of the first FRS_FIGURES_MOST of these */
};

/* FRS_ERR_RUN when gnuplot is missing or fails: data and scripts are there then. */
enum frs_status frs_figures_write(const struct frs_figures_request *request, struct frs_figures_drawn *drawn,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
