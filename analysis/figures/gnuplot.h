/* Gnuplot: a figure as a file of data and a script, and the program that draws it. */
#ifndef FRS_ANALYSIS_FIGURES_GNUPLOT_H
#define FRS_ANALYSIS_FIGURES_GNUPLOT_H

#include "analysis/figures/format.h"
#include "analysis/read/files.h"

#include <stddef.h>

/* What all figures of a folder are drawn on. */
struct frs_canvas {
    const char *folder;
    enum frs_figures_format format;
    bool wide;            /* both columns of a page, 18.2 cm, instead of one, 8.9 cm */
    FILE *list;           /* names and titles of figures go here, and none is drawn; NULL: they are drawn */
    size_t n, n_tables;   /* figures and tables so far */
    bool without_gnuplot; /* it is not installed: data and scripts of these figures are all there is */
};

/* A figure that is being written. */
struct frs_plot {
    struct frs_canvas *canvas;
    char *name, *title;
    struct frs_draft data, script;
};

/* Begins FOLDER/NAME.dat and NAME.gp with these titles, as wide as the canvas, and as high as `n` named
 * entries need; takes over `name`. A file there that this program did not write is an error. */
enum frs_status frs_plot_begin(struct frs_plot *plot, struct frs_canvas *canvas, char *name,
    const char *title, const char *x, const char *y, size_t n, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same, so many centimetres high; without titles, where x is NULL: panels have their own. */
enum frs_status frs_plot_begin_high(struct frs_plot *plot, struct frs_canvas *canvas, char *name,
    const char *title, const char *x, const char *y, double height_cm,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* A text in the script, quoted; gnuplot finds neither commands nor markup in it, and LaTeX none either. */
void frs_plot_put_text(struct frs_plot *plot, const char *text);

/* The same in lines of at most so many letters. */
void frs_plot_put_lines(struct frs_plot *plot, const char *text, size_t most);

/* "set WHAT TEXT", in lines that fit. */
void frs_plot_put_setting(struct frs_plot *plot, const char *what, const char *text, size_t most);

/* "set AXIS ('name' 1, 'name' 2, ...)": names at whole numbers. */
void frs_plot_put_tics(struct frs_plot *plot, const char *axis, const char *const *names, size_t n);

/* The same at these places. */
void frs_plot_put_tics_at(
    struct frs_plot *plot, const char *axis, const char *const *names, const double *places, size_t n);

/* Numbers of a row of the data, to the last digit; what does not exist is NaN. */
void frs_plot_put_row(struct frs_plot *plot, const double *values, size_t n);

/* The same with a text at its end, in double quotes. */
void frs_plot_put_labelled(struct frs_plot *plot, const double *values, size_t n, const char *label);

/* "# A; B" in the data: what the next block is about. */
void frs_plot_put_comment(struct frs_plot *plot, const char *a, const char *b);

/* Begins FOLDER/NAME.tex, a table; draft->file is NULL where only a list is wanted. A file there that this
 * program did not write is an error. */
enum frs_status frs_canvas_open_table(struct frs_canvas *canvas, const char *name, const char *title,
    struct frs_draft *draft, struct frs_errors *errors) FRS_MUST_CHECK;

/* Puts both files in place, and draws. That gnuplot is missing is no error here: the canvas remembers it. */
enum frs_status frs_plot_draw(struct frs_plot *plot, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
