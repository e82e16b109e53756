/* Winners: which design leads in which environment, by the measure of the sentence. */
#include "analysis/figures/drawing.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a column of a page holds: so many rows, and across them, whichever are fewer, so many figures. */
enum { MOST_DESIGNS = 24, MOST_ACROSS = 6 };

struct map {
    const struct frs_ranking *ranking;
    struct frs_findings findings;
    const char *designs[MOST_DESIGNS]; /* borrowed */
    size_t n;
    bool designs_across; /* else environments */
};

static size_t design_of(struct map *map, const char *name) {
    size_t i = 0;
    while (i < map->n && strcmp(map->designs[i], name) != 0)
        i++;
    if (i == map->n && i < MOST_DESIGNS)
        map->designs[map->n++] = name;
    return i;
}

/* "winner", "tied" with the first, or "-". */
static const char *standing_of(const struct map *map, size_t entry) {
    const struct frs_decision *decision = &map->findings.decisions[map->ranking->list[entry].environment];
    if (decision->leader >= map->ranking->n)
        return "-";
    if (entry == decision->leader)
        return decision->alone ? "winner" : "tied";
    return map->findings.places[entry].standing == FRS_TIED ? "tied" : "-";
}

static void put_cell(struct map *map, struct frs_plot *plot, size_t entry) {
    const struct frs_ranked_entry *own = &map->ranking->list[entry];
    const struct frs_decision *decision = &map->findings.decisions[own->environment];
    const char *standing = standing_of(map, entry);
    size_t environment = own->environment + 1, design = design_of(map, own->name) + 1;
    size_t x = map->designs_across ? design : environment, y = map->designs_across ? environment : design;
    struct frs_figure figure = frs_replicates_figure(own->runs, decision->metric);
    fprintf(plot->data.file, "%zu %zu %.15g %s\n", environment, design, figure.estimate.mean, standing);
    if (*standing != '-')
        fprintf(plot->script.file,
            "set object rectangle from %zu-0.5,%zu-0.5 to %zu+0.5,%zu+0.5 behind fc rgb '#4c9f70' fs %s "
            "border lc rgb '#888888'\n",
            x, y, x, y,
            *standing == 'w'                          ? "transparent solid 0.5"
            : plot->canvas->format == FRS_FIGURES_PGF ? "transparent solid 0.15"
                                                      : "transparent pattern 4");
    char *text = figure.censored > 0
                     ? frs_format("%zu of %zu", figure.estimate.n - figure.censored, figure.estimate.n)
                     : frs_value_text(decision->metric, figure.estimate.mean);
    fputs("set label ", plot->script.file);
    frs_plot_put_text(plot, text);
    fprintf(plot->script.file, " at %zu,%zu center\n", x, y);
    free(text);
}

static enum frs_status draw(struct frs_drawing *d, struct map *map, struct frs_errors *errors) {
    const char *const *environments = (const char *const *)d->ranking->environments;
    size_t n = d->ranking->n_environments, n_x = map->designs_across ? map->n : n,
           n_y = map->designs_across ? n : map->n;
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(&plot, &d->canvas, frs_strdup("winners"),
        d->canvas.format == FRS_FIGURES_PGF ? "who wins where (pale: within noise)"
                                            : "who wins where (hatched: within noise)",
        "", "", n_y, errors);
    if (status != FRS_OK)
        return status;
    fputs("# environment design mean standing\n", plot.data.file);
    for (size_t i = 0; i < d->ranking->n; i++)
        put_cell(map, &plot, i);
    frs_plot_put_tics(
        &plot, "xtics rotate by 30 right", map->designs_across ? map->designs : environments, n_x);
    frs_plot_put_tics(&plot, "ytics", map->designs_across ? environments : map->designs, n_y);
    fprintf(plot.script.file,
        "unset key\nunset bmargin\nunset grid\nset xrange [0.5:%zu.5]\nset yrange [%zu.5:0.5]\nplot '%s.dat' "
        "using 1:2 with "
        "dots lc "
        "rgb 'white'\n",
        n_x, n_y, plot.name);
    status = frs_plot_draw(&plot, errors);
    return status;
}

enum frs_status frs_draw_winners(struct frs_drawing *d, struct frs_errors *errors) {
    struct map map = {.ranking = d->ranking};
    bool fits = d->ranking->n_environments > 1 && d->ranking->n_environments <= FRS_FIGURES_MOST;
    for (size_t i = 0; i < d->ranking->n && fits; i++)
        fits = design_of(&map, d->ranking->list[i].name) < MOST_DESIGNS;
    map.designs_across = map.n <= d->ranking->n_environments;
    if (!fits || map.n < 2 || (map.designs_across ? map.n : d->ranking->n_environments) > MOST_ACROSS)
        return FRS_OK;
    map.findings = frs_ranking_findings(d->ranking);
    enum frs_status status = draw(d, &map, errors);
    frs_findings_fini(&map.findings);
    return status;
}
