/* Swept: a metric against an axis of a sweep, a line for each choice and a panel for each environment. */
#ifndef FRS_ANALYSIS_FIGURES_SWEPT_H
#define FRS_ANALYSIS_FIGURES_SWEPT_H

#include "analysis/figures/drawing.h"
#include "analysis/figures/places.h"

#define FRS_SWEPT_NONE SIZE_MAX
enum { FRS_SWEPT_LINES = 24, FRS_SWEPT_PANELS = 12 };

/* Combinations of the levels of some axes. */
struct frs_level_group {
    size_t n_axes, *axes; /* [n_axes] */
    size_t n;             /* combinations */
};

/* What a figure shows of the cells of a sweep. Levels of axes that are in no group are fixed. */
struct frs_swept {
    const struct frs_sweep_results *sweep;
    const char *metric;
    size_t x, y; /* axes; y: of a heat map, or FRS_SWEPT_NONE */
    struct frs_places x_places, y_places;
    struct frs_level_group lines, panels; /* of a heat map all are panels */
    size_t *fixed;                        /* [axes] level, or FRS_ANY_LEVEL */
};

/* The figure of a cell: of places of x and of y (0 where there is none), a line and a panel. */
struct frs_figure frs_swept_figure(
    const struct frs_swept *swept, size_t x, size_t y, size_t line, size_t panel);

/* "fedmf", "with loss = 30 %": what a combination is called; freed with free(). */
char *frs_swept_line_name(const struct frs_swept *swept, size_t line);
char *frs_swept_panel_name(const struct frs_swept *swept, size_t panel);

/* "HR@10", "sent, MB": freed with free(). *factor: what values are multiplied by. */
char *frs_swept_metric_text(const struct frs_swept *swept, double most, double *factor);

/* Labels of the levels at their places, along so many centimetres of x, or along y. */
void frs_swept_put_tics(const struct frs_swept *swept, struct frs_plot *plot, bool is_y, double room_cm);

/* Panels side by side in a figure. */
struct frs_panels {
    size_t n, columns, rows;
    double width_cm, height_cm;                    /* of the figure */
    double left, right, top, bottom, gap_x, gap_y; /* cm */
};

/* Room for the panels, with their titles, above so many lines of a key. */
struct frs_panels frs_panels_of(
    const struct frs_canvas *canvas, const struct frs_swept *swept, size_t key_lines, double right_cm);

double frs_panels_width(const struct frs_panels *panels); /* of one panel, cm */

/* Puts the next panel in its place, with its title. */
void frs_panels_put(const struct frs_panels *panels, struct frs_plot *plot, size_t panel, const char *title);

enum frs_status frs_swept_draw_lines(
    struct frs_drawing *d, const struct frs_swept *swept, struct frs_errors *errors) FRS_MUST_CHECK;
enum frs_status frs_swept_draw_heat_map(
    struct frs_drawing *d, const struct frs_swept *swept, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
