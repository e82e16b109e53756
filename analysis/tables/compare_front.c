/* Comparison: the Pareto front of a section. */
#include "analysis/tables/compare_internal.h"
#include "analysis/statistics/pareto.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <stdlib.h>

enum { CRITERIA = 3 };

/* [section->n × CRITERIA]: time and bytes to the target if some entry reaches it in all of its runs,
 * otherwise those of the whole runs. An entry that misses the target in a run has no mean and no place. */
static double *criteria_of(const struct frs_comparison *c, const struct frs_compare_section *section) {
    bool reached = frs_entries_any_reaches(c->entries, section->members, section->n);
    double *values = frs_alloc(section->n * CRITERIA, sizeof *values);
    for (size_t m = 0; m < section->n; m++) {
        const struct frs_replicates *runs = &c->entries->list[section->members[m]].replicates;
        double quality = c->quality ? frs_replicates_figure(runs, c->quality).estimate.mean : 0;
        values[CRITERIA * m] =
            frs_replicates_figure(runs, reached ? FRS_TARGET_TIME : "simulated_s").estimate.mean;
        values[CRITERIA * m + 1] =
            frs_replicates_figure(runs, reached ? FRS_TARGET_SENT : "bytes.sent").estimate.mean;
        values[CRITERIA * m + 2] = c->lower ? quality : -quality;
    }
    return values;
}

void frs_compare_find_front(struct frs_comparison *c, const struct frs_compare_section *section) {
    double *values = criteria_of(c, section);
    bool *on_front = frs_alloc(section->n, sizeof *on_front);
    frs_pareto_front(values, section->n, CRITERIA, on_front);
    for (size_t m = 0; m < section->n; m++)
        c->on_front[section->members[m]] = on_front[m];
    free(on_front);
    free(values);
}

/* Why an entry is neither on the front nor dominated. */
static void print_unplaced(const struct frs_entry *entry, FILE *out) {
    struct frs_figure figure = frs_replicates_figure(&entry->replicates, FRS_TARGET_TIME);
    if (figure.censored > 0)
        fprintf(out, "- %s cannot be placed: it reaches the target in %zu of %zu runs\n", entry->title,
            figure.estimate.n - figure.censored, figure.estimate.n);
    else
        fprintf(out, "- %s cannot be placed: a figure is missing\n", entry->title);
}

static void print_dominated(const struct frs_comparison *c, const struct frs_compare_section *section,
    const double *values, size_t m, FILE *out) {
    const struct frs_entry *entries = c->entries->list;
    const char *title = entries[section->members[m]].title;
    bool any = false;
    for (size_t k = 0; k < section->n; k++) {
        if (!c->on_front[section->members[k]] ||
            !frs_pareto_dominates(values + CRITERIA * k, values + CRITERIA * m, CRITERIA))
            continue;
        if (any)
            fprintf(out, "; %s", entries[section->members[k]].title);
        else
            fprintf(out, "- %s is dominated by %s", title, entries[section->members[k]].title);
        any = true;
    }
    if (any)
        fputc('\n', out);
    else
        print_unplaced(&entries[section->members[m]], out);
}

void frs_compare_print_front(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out) {
    bool reached = frs_entries_any_reaches(c->entries, section->members, section->n);
    double *values = criteria_of(c, section);
    char *quality = frs_quoted_markdown(c->quality ? c->quality : "");
    fprintf(out, "\n**Pareto front** of the means: %s, %s%s%s\n\n",
        reached ? "time to target" : "simulated time", reached ? "bytes to target" : "bytes",
        *quality ? ", " : "", quality);
    free(quality);
    for (size_t m = 0; m < section->n; m++)
        if (c->on_front[section->members[m]])
            fprintf(out, "- %s is on it\n", c->entries->list[section->members[m]].title);
    for (size_t m = 0; m < section->n; m++)
        if (!c->on_front[section->members[m]])
            print_dominated(c, section, values, m, out);
    free(values);
}
