#include "analysis/figures/swept.h"
#include "analysis/figures/lettering.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

/* The level of the group's axis number `k` in a combination; the last axis changes fastest. */
static size_t level_in(
    const struct frs_swept *swept, const struct frs_level_group *group, size_t combination, size_t k) {
    for (size_t i = group->n_axes; i-- > k + 1;)
        combination /= swept->sweep->plan->sweep.axes.axes[group->axes[i]].n;
    return combination % swept->sweep->plan->sweep.axes.axes[group->axes[k]].n;
}

struct frs_figure frs_swept_figure(
    const struct frs_swept *swept, size_t x, size_t y, size_t line, size_t panel) {
    const struct frs_axes *axes = &swept->sweep->plan->sweep.axes;
    size_t *levels = frs_alloc(axes->n, sizeof *levels), cell = 0;
    for (size_t a = 0; a < axes->n; a++)
        levels[a] = swept->fixed[a] == FRS_ANY_LEVEL ? 0 : swept->fixed[a];
    levels[swept->x] = swept->x_places.levels[x];
    if (swept->y != FRS_SWEPT_NONE)
        levels[swept->y] = swept->y_places.levels[y];
    for (size_t i = 0; i < swept->lines.n_axes; i++)
        levels[swept->lines.axes[i]] = level_in(swept, &swept->lines, line, i);
    for (size_t i = 0; i < swept->panels.n_axes; i++)
        levels[swept->panels.axes[i]] = level_in(swept, &swept->panels, panel, i);
    for (size_t a = 0; a < axes->n; a++)
        cell = cell * axes->axes[a].n + levels[a];
    free(levels);
    return frs_replicates_figure(&swept->sweep->cells[cell], swept->metric);
}

/* ---- names ---- */

/* Of one axis its label, of several what each is called. */
static char *name_of(const struct frs_swept *swept, const struct frs_level_group *group, size_t combination) {
    char *name = frs_strdup("");
    for (size_t i = 0; i < group->n_axes; i++) {
        const struct frs_axis *axis = &swept->sweep->plan->sweep.axes.axes[group->axes[i]];
        const char *label = axis->levels[level_in(swept, group, combination, i)].label;
        size_t n_keys = frs_axis_keys(axis);
        char *own = axis->role == FRS_ROLE_ENVIRONMENT
                        ? frs_environment_phrase(axis->name, axis->keys, n_keys, label)
                    : group->n_axes == 1 ? frs_strdup(label)
                                         : frs_design_phrase(axis->name, axis->keys, n_keys, label);
        char *longer = frs_format("%s%s%s", name, *name ? " " : "", own);
        free(own);
        free(name);
        name = longer;
    }
    return name;
}

char *frs_swept_line_name(const struct frs_swept *swept, size_t line) {
    return name_of(swept, &swept->lines, line);
}

char *frs_swept_panel_name(const struct frs_swept *swept, size_t panel) {
    return name_of(swept, &swept->panels, panel);
}

char *frs_metric_caption(const char *metric) {
    static const struct {
        const char *metric, *name;
    } known[] = {{"simulated_s", "simulated time"}, {"bytes.sent", "sent"},
        {"bytes.total", "sent, without connecting"}, {FRS_TARGET_TIME, "time to target"},
        {FRS_TARGET_SENT, "sent to target"}, {FRS_TARGET_BYTES, "sent to target, without connecting"},
        {FRS_TARGET_ROUND, "rounds to target"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].metric, metric) == 0)
            return frs_strdup(known[i].name);
    return frs_metric_text(metric);
}

char *frs_swept_metric_text(const struct frs_swept *swept, double most, double *factor) {
    const struct frs_estimate largest = {.n = 1, .mean = most, .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit = "";
    *factor =
        frs_metric_unit(swept->metric) == FRS_UNIT_NONE ? 1 : frs_amount_unit(swept->metric, &largest, &unit);
    char *name = frs_metric_caption(swept->metric),
         *text = frs_format("%s%s%s", name, *unit ? ", " : "", unit);
    free(name);
    return text;
}

/* ---- tics ---- */

static double width_of(const char *label) {
    return 0.16 * (double)frs_lettering_letters(label);
}

static const char *x_label(const struct frs_swept *swept, size_t place) {
    return swept->sweep->plan->sweep.axes.axes[swept->x].levels[swept->x_places.levels[place]].label;
}

/* Whether a label at this place begins where the one before ends. */
static bool touches(const struct frs_swept *swept, size_t place, double room_cm, double *end_cm) {
    double middle = room_cm * frs_places_share(&swept->x_places, place),
           half = width_of(x_label(swept, place)) / 2;
    bool yes = middle - half < *end_cm + 0.12;
    if (!yes)
        *end_cm = middle + half;
    return yes;
}

/* How far labels of categories reach down that are turned because they would touch; 0: they are not. */
static double turned_cm(const struct frs_swept *swept, double room_cm) {
    double end_cm = -INFINITY, longest = 0;
    bool turned = false;
    for (size_t i = 0; i < swept->x_places.n; i++) {
        turned = touches(swept, i, room_cm, &end_cm) || turned;
        longest = fmax(longest, fmin(width_of(x_label(swept, i)), 4.5));
    }
    return turned && swept->x_places.scale == FRS_SCALE_CATEGORIES ? 0.57 * longest : 0;
}

/* Labels of numbers that would touch the one before are left out. */
void frs_swept_put_tics(const struct frs_swept *swept, struct frs_plot *plot, bool is_y, double room_cm) {
    const struct frs_places *places = is_y ? &swept->y_places : &swept->x_places;
    const struct frs_axis *axis = &swept->sweep->plan->sweep.axes.axes[is_y ? swept->y : swept->x];
    const char **labels = frs_alloc(places->n, sizeof *labels);
    double *at = frs_alloc(places->n, sizeof *at), end_cm = -INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < places->n; i++) {
        if (!is_y && places->scale != FRS_SCALE_CATEGORIES && touches(swept, i, room_cm, &end_cm))
            continue;
        labels[n] = axis->levels[places->levels[i]].label;
        at[n++] = places->at[i];
    }
    frs_plot_put_tics_at(plot,
        is_y                            ? "ytics"
        : turned_cm(swept, room_cm) > 0 ? "xtics rotate by 35 right"
                                        : "xtics norotate autojustify",
        labels, at, n);
    free(at);
    free(labels);
}

/* ---- panels ---- */

double frs_panels_width(const struct frs_panels *p) {
    return (p->width_cm - p->left - p->right - p->gap_x * (double)(p->columns - 1)) / (double)p->columns;
}

static size_t letters_in(const struct frs_panels *p) {
    return (size_t)(frs_panels_width(p) / 0.155);
}

static size_t title_lines(const struct frs_panels *p, const struct frs_swept *swept) {
    size_t most = 0;
    for (size_t i = 0; i < p->n && p->n > 1; i++) {
        char *title = frs_swept_panel_name(swept, i);
        size_t lines = frs_lettering_count(title, letters_in(p));
        most = lines > most ? lines : most;
        free(title);
    }
    return most;
}

struct frs_panels frs_panels_of(
    const struct frs_canvas *canvas, const struct frs_swept *swept, size_t key_lines, double right_cm) {
    size_t n = swept->panels.n, most = canvas->wide ? 4 : 2;
    struct frs_panels p = {.n = n,
        .left = 1.9,
        .right = right_cm,
        .gap_x = 0.4,
        .bottom = 1.3 + 0.36 * (double)key_lines,
        .width_cm = canvas->wide ? 18.2 : 8.9};
    p.columns = n < most ? n : most;
    p.rows = (n + p.columns - 1) / p.columns;
    double titles = 0.36 * (double)title_lines(&p, swept), own = n == 1 ? canvas->wide ? 6.5 : 4.4 : 3.2;
    p.top = 0.4 + titles;
    double turned = turned_cm(swept, frs_panels_width(&p));
    p.bottom += turned;
    p.gap_y = 1.1 + titles + turned;
    p.height_cm = p.top + p.bottom + own * (double)p.rows + p.gap_y * (double)(p.rows - 1);
    return p;
}

void frs_panels_put(const struct frs_panels *p, struct frs_plot *plot, size_t panel, const char *title) {
    size_t column = panel % p->columns, row = panel / p->columns;
    double width =
               (p->width_cm - p->left - p->right - p->gap_x * (double)(p->columns - 1)) / (double)p->columns,
           height = (p->height_cm - p->top - p->bottom - p->gap_y * (double)(p->rows - 1)) / (double)p->rows,
           left = p->left + (width + p->gap_x) * (double)column,
           top = p->height_cm - p->top - (height + p->gap_y) * (double)row;
    fprintf(plot->script.file,
        "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen %.4f\nset bmargin at "
        "screen %.4f\n",
        left / p->width_cm, (left + width) / p->width_cm, top / p->height_cm, (top - height) / p->height_cm);
    frs_plot_put_setting(plot, "title", title, letters_in(p));
}
