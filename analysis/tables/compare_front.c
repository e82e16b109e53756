/* Comparison: the Pareto front of a section. */
#include "analysis/tables/compare_internal.h"
#include "analysis/statistics/pareto.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <stdlib.h>

enum { CRITERIA = 3 };

/* [section->n × CRITERIA]: time and bytes to the target if all got there, otherwise those of the whole runs. */
static double *criteria_of(const struct frs_comparison *c, const struct frs_compare_section *section) {
    bool reached = frs_entries_all_reach(c->entries, section->members, section->n);
    double *values = frs_alloc(section->n * CRITERIA, sizeof *values);
    for (size_t m = 0; m < section->n; m++) {
        const struct frs_replicates *runs = &c->entries->list[section->members[m]].replicates;
        double quality = c->quality ? frs_replicates_figure(runs, c->quality).estimate.mean : 0;
        values[CRITERIA * m] =
            frs_replicates_figure(runs, reached ? FRS_TARGET_TIME : "simulated_s").estimate.mean;
        values[CRITERIA * m + 1] =
            frs_replicates_figure(runs, reached ? FRS_TARGET_BYTES : "bytes.total").estimate.mean;
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
        fprintf(out, "- %s cannot be placed: a figure is missing\n", title);
}

void frs_compare_print_front(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out) {
    bool reached = frs_entries_all_reach(c->entries, section->members, section->n);
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
