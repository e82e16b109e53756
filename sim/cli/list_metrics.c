/* fedrecsim list metrics: every figure that a run can have. */
#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"
#include "sim/cli/list_tables.h"

#include <stdlib.h>
#include <string.h>

/* "hr@K" of "hr@", "groups.NAME.delivered" of "groups.*.delivered". */
static char *shown_name(const char *pattern) {
    char *name = frs_strdup("");
    for (; *pattern; pattern++) {
        const char letter[] = {*pattern, '\0'};
        char *longer = frs_format("%s%s", name, *pattern == '*' ? "NAME" : *pattern == '@' ? "@K" : letter);
        free(name);
        name = longer;
    }
    return name;
}

static const char *better_text(enum frs_better better) {
    return better == FRS_HIGHER ? "higher" : better == FRS_LOWER ? "lower" : "-";
}

void frs_list_metrics(FILE *out) {
    size_t width = 0;
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++) {
        char *name = shown_name(entry->name);
        width = strlen(name) > width && strlen(name) <= 40 ? strlen(name) : width;
        free(name);
    }
    fputs(
        "metrics: figures of a run, as --expect, --until, --best, --metric and sweep.metrics name them; K is "
        "evaluation.k, NAME a name of the run's own\n",
        out);
    fprintf(
        out, "  %-*s  %-6s  %-6s  %s\n", (int)width, "name", "unit", "better", "meaning (where it is from)");
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++) {
        char *name = shown_name(entry->name);
        fprintf(out, "  %-*s  %-6s  %-6s  %s (%s)\n", (int)width, name, entry->unit,
            better_text(entry->better), entry->meaning, entry->from);
        free(name);
    }
}
