/* Gnuplot: a figure as a file of data and a script, and the program that draws it. */
#ifndef FRS_ANALYSIS_FIGURES_GNUPLOT_H
#define FRS_ANALYSIS_FIGURES_GNUPLOT_H

#include "analysis/figures/format.h"
#include "analysis/read/files.h"

#include <stddef.h>

/* A figure that is being written. */
struct frs_plot {
    const char *folder;
    enum frs_figures_format format;
    char *name;
    struct frs_draft data, script;
};

/* Begins FOLDER/NAME.dat and NAME.gp, as wide as a paper's column, as high as suits `n` entries with names,
 * and with these titles; takes over `name`. A file there that is none of this program's is an error. */
enum frs_status frs_plot_begin(struct frs_plot *plot, const char *folder, enum frs_figures_format format,
    char *name, const char *title, const char *x, const char *y, size_t n,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* A text in the script, quoted; gnuplot finds neither commands nor markup in it. */
void frs_plot_put_text(struct frs_plot *plot, const char *text);

/* "set AXIS ('name' 1, 'name' 2, ...)": names at whole numbers. */
void frs_plot_put_tics(struct frs_plot *plot, const char *axis, const char *const *names, size_t n);

/* Puts both files in place, and draws. */
enum frs_status frs_plot_draw(struct frs_plot *plot, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
