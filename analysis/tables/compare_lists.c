/* Figures of ranked lists in a comparison: recall, precision and the others at each cut-off. */
#include "analysis/tables/compare_internal.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool has_column(const struct frs_comparison *c, const char *metric) {
    for (size_t i = 0; i < c->n_columns; i++)
        if (strcmp(c->columns[i].metric, metric) == 0)
            return true;
    return false;
}

/* "20" of "hr@20". */
static const char *cut_off_of(const char *metric) {
    const char *at = strchr(metric, '@');
    return at ? at + 1 : "";
}

/* Figures of ranked test items. */
static bool is_of_lists(const char *metric) {
    return (strchr(metric, '@') || strcmp(metric, "auc") == 0) && !strchr(metric, '_') &&
           !strchr(metric, '.') && frs_metric_is_quality(metric, NULL);
}

/* Whether runs were to tell more of their lists than HR and NDCG do: at several cut-offs, or of several
 * held-out items, whose recall is not the hit rate. */
static bool tells_more(const struct frs_comparison *c) {
    for (size_t i = 0; i < c->entries->n; i++) {
        const struct frs_metrics *metrics = &c->entries->list[i].runs[0].metrics;
        for (size_t k = 0; c->quality && k < metrics->n; k++) {
            const char *name = metrics->list[k].name;
            char *hit = strncmp(name, "recall@", 7) == 0 ? frs_format("hr@%s", cut_off_of(name)) : NULL;
            bool differs = hit && frs_metrics_get(metrics, hit) != metrics->list[k].value;
            free(hit);
            if (differs || (is_of_lists(name) && *cut_off_of(name) &&
                               strcmp(cut_off_of(name), cut_off_of(c->quality)) != 0))
                return true;
        }
    }
    return false;
}

void frs_compare_add_lists(struct frs_comparison *c) {
    if (!tells_more(c))
        return;
    const struct frs_metrics *metrics = &c->entries->list[0].runs[0].metrics;
    for (size_t i = 0; i < metrics->n; i++)
        if (is_of_lists(metrics->list[i].name) && !has_column(c, metrics->list[i].name))
            frs_compare_add_column(c, metrics->list[i].name, metrics->list[i].name);
}

size_t frs_compare_count_lists(const struct frs_comparison *c) {
    const struct frs_metrics *metrics = &c->entries->list[0].runs[0].metrics;
    size_t n = 0;
    for (size_t i = 0; i < metrics->n; i++)
        n += is_of_lists(metrics->list[i].name);
    return n;
}

void frs_compare_print_lists(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out) {
    for (size_t begin = c->n_main, end; begin < c->n_columns; begin = end) {
        const char *cut_off = cut_off_of(c->columns[begin].metric);
        for (end = begin + 1; end < c->n_columns && strcmp(cut_off_of(c->columns[end].metric), cut_off) == 0;)
            end++;
        fprintf(out, "\n**Ranked lists%s%s**\n\n", *cut_off ? " up to " : " as a whole", cut_off);
        frs_compare_print_figures(c, section, (struct frs_compare_columns){begin, end}, out);
    }
}
