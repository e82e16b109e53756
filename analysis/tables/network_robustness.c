#include "analysis/tables/network_robustness.h"
#include "analysis/entries/environment.h"
#include "analysis/print/present.h"
#include "analysis/sentence/sentence.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void frs_ranks(const double *values, size_t n, bool lower, size_t *ranks) {
    for (size_t i = 0; i < n; i++) {
        ranks[i] = isnan(values[i]) ? 0 : 1;
        for (size_t k = 0; k < n && ranks[i] > 0; k++)
            ranks[i] += lower ? values[k] < values[i] : values[k] > values[i];
    }
}

struct ranking {
    const struct frs_entries *entries;
    const struct frs_variant *variants;
    size_t n_variants;
    const char *by;
    bool lower;
};

static bool all_reach(const struct ranking *r) {
    for (size_t v = 0; v < r->n_variants; v++)
        for (size_t i = 0; i < r->entries->n; i++) {
            const struct frs_replicates *runs = &r->variants[v].entries[i];
            for (size_t k = 0; k < runs->n; k++)
                if (!isfinite(frs_metrics_get(runs->list[k].metrics, FRS_TARGET_TIME)))
                    return false;
        }
    return true;
}

static void choose_criterion(struct ranking *r) {
    bool lower = true;
    if (!r->by && !all_reach(r))
        r->by = frs_entries_quality(r->entries, &lower);
    else if (!r->by)
        r->by = FRS_TARGET_TIME;
    if (!r->by) /* nothing was learnt */
        r->by = "simulated_s";
    bool is_quality = frs_metric_is_quality(r->by, &lower) || frs_metric_is_group_quality(r->by, &lower);
    r->lower = is_quality ? lower : true;
}

static struct frs_figure figure_of(const struct ranking *r, size_t variant, size_t entry) {
    return frs_replicates_figure(&r->variants[variant].entries[entry], r->by);
}

static double mean_of(const struct ranking *r, size_t variant, size_t entry) {
    return figure_of(r, variant, entry).estimate.mean;
}

/* ---- table ---- */

static struct frs_style style_of(const struct ranking *r) {
    size_t n = r->n_variants * r->entries->n;
    struct frs_estimate *estimates = frs_alloc(n, sizeof *estimates);
    for (size_t i = 0; i < n; i++)
        estimates[i] = figure_of(r, i / r->entries->n, i % r->entries->n).estimate;
    struct frs_style style = frs_style_of(r->by, estimates, n);
    free(estimates);
    return style;
}

/* Each among those in the same environment. */
static void rank_all(const struct ranking *r, size_t *ranks) {
    size_t n = r->entries->n;
    double *means = frs_alloc(n, sizeof *means);
    size_t *members = frs_alloc(n, sizeof *members), *own = frs_alloc(n, sizeof *own);
    for (size_t v = 0; v < r->n_variants; v++)
        for (size_t g = 0; g < r->entries->n_environments; g++) {
            size_t n_members = frs_environments_members(r->entries, g, members);
            for (size_t m = 0; m < n_members; m++)
                means[m] = mean_of(r, v, members[m]);
            frs_ranks(means, n_members, r->lower, own);
            for (size_t m = 0; m < n_members; m++)
                ranks[v * n + members[m]] = own[m];
        }
    free(own);
    free(members);
    free(means);
}

static char *cell_text(
    const struct ranking *r, size_t variant, size_t entry, size_t rank, const struct frs_style *style) {
    struct frs_figure figure = figure_of(r, variant, entry);
    if (figure.censored > 0)
        return frs_format("%zu/%zu reached", figure.estimate.n - figure.censored, figure.estimate.n);
    if (rank == 0)
        return frs_strdup("–");
    char *value = frs_present(style, &figure.estimate, false);
    char *text = frs_format("%zu. %s", rank, value);
    free(value);
    return text;
}

static void print_table(const struct ranking *r, FILE *out) {
    bool several = r->entries->n_environments > 1;
    struct frs_text_table grid = {.n_columns = r->n_variants + 1 + several};
    struct frs_style style = style_of(r);
    size_t *ranks = frs_alloc(r->n_variants * r->entries->n, sizeof *ranks);
    rank_all(r, ranks);
    char *by = frs_quoted_markdown(r->by);
    fprintf(out, "\n**Ranking by %s under other networks**%s%s%s; %s is better\n\n", by,
        several ? ", within each environment" : "", *style.unit ? ", in " : "", style.unit,
        r->lower ? "smaller" : "larger");
    free(by);
    if (several)
        frs_text_table_add(&grid, "environment");
    frs_text_table_add(&grid, "entry");
    for (size_t v = 0; v < r->n_variants; v++)
        frs_text_table_add(&grid, r->variants[v].name);
    for (size_t g = 0; g < r->entries->n_environments; g++)
        for (size_t i = 0; i < r->entries->n; i++) {
            if (r->entries->list[i].environment != g)
                continue;
            if (several)
                frs_text_table_add(&grid, r->entries->environments[g]);
            frs_text_table_add(&grid, r->entries->list[i].name);
            for (size_t v = 0; v < r->n_variants; v++)
                frs_text_table_take(&grid, cell_text(r, v, i, ranks[v * r->entries->n + i], &style));
        }
    frs_text_table_print(&grid, out);
    frs_text_table_fini(&grid);
    free(ranks);
}

static size_t print_left_out(const struct ranking *r, FILE *out) {
    size_t n = 0;
    for (size_t v = 0; v < r->n_variants; v++)
        for (size_t i = 0; i < r->entries->n; i++)
            if (r->variants[v].reasons[i]) {
                char *reason = frs_quoted_markdown(r->variants[v].reasons[i]);
                fprintf(out, "%s- %s is left out under %s: %s\n", n++ ? "" : "\n", r->entries->list[i].title,
                    r->variants[v].name, reason);
                free(reason);
            }
    return n;
}

/* ---- pairs ---- */

/* a − b under a variant, seed by seed where that is possible. */
static struct frs_estimate difference(const struct ranking *r, size_t variant, size_t a, size_t b) {
    const struct frs_replicates *x = &r->variants[variant].entries[a], *y = &r->variants[variant].entries[b];
    struct frs_contrast contrast = frs_replicates_contrast(x, y, r->by);
    return frs_replicates_match(x, y) ? contrast.paired : contrast.unpaired;
}

static bool turns_round(const struct ranking *r, size_t variant, size_t a, size_t b) {
    if (r->entries->list[a].environment != r->entries->list[b].environment)
        return false;
    double before = mean_of(r, 0, a) - mean_of(r, 0, b),
           after = mean_of(r, variant, a) - mean_of(r, variant, b);
    return (before < 0 && after > 0) || (before > 0 && after < 0); /* never with NaN */
}

static bool is_clear(const struct frs_estimate *estimate) {
    return fabs(estimate->mean) > estimate->half_width;
}

static void print_turn(const struct ranking *r, size_t variant, size_t a, size_t b, FILE *out) {
    struct frs_estimate estimates[] = {difference(r, 0, a, b), difference(r, variant, a, b)};
    struct frs_style style = frs_style_of(r->by, estimates, 2);
    char *before = frs_present(&style, &estimates[0], true),
         *after = frs_present(&style, &estimates[1], true);
    bool clear = is_clear(&estimates[0]) && is_clear(&estimates[1]);
    fprintf(out, "- %s: %s − %s is %s%s%s instead of %s%s\n", r->variants[variant].name,
        r->entries->list[a].title, r->entries->list[b].title, after, *style.unit ? " " : "", style.unit,
        before, clear ? "" : "; undecided, because an interval contains 0 or is missing");
    free(before);
    free(after);
}

static size_t count_turns(const struct ranking *r, FILE *out) {
    size_t n = 0;
    for (size_t v = 1; v < r->n_variants; v++)
        for (size_t a = 0; a < r->entries->n; a++)
            for (size_t b = a + 1; b < r->entries->n; b++)
                if (turns_round(r, v, a, b)) {
                    n++;
                    if (out)
                        print_turn(r, v, a, b, out);
                }
    return n;
}

static bool has_censored(const struct ranking *r) {
    for (size_t v = 0; v < r->n_variants; v++)
        for (size_t i = 0; i < r->entries->n; i++)
            if (figure_of(r, v, i).censored > 0)
                return true;
    return false;
}

/* Whether every variant has the very figures of the first one. */
static bool nothing_moves(const struct ranking *r) {
    for (size_t v = 1; v < r->n_variants; v++)
        for (size_t i = 0; i < r->entries->n; i++)
            if (!r->variants[v].reasons[i] && !(mean_of(r, v, i) == mean_of(r, 0, i)))
                return false;
    return true;
}

/* The sentence names a winner as soon as one design reaches the target in each of its runs. An order of
 * all designs, under every network, requires that all runs reach it. */
static void print_other_measure(const struct ranking *r, FILE *out) {
    struct frs_ranking ranking = frs_ranking_of_entries(r->entries);
    struct frs_findings findings = frs_ranking_findings(&ranking);
    bool differs = false;
    for (size_t c = 0; c < ranking.n_environments; c++)
        differs =
            differs || (findings.decisions[c].n > 1 && strcmp(findings.decisions[c].metric, r->by) != 0);
    if (differs)
        frs_print_line(out,
            "The sentence above goes by what the first under each environment reaches; this ranking by %s, "
            "which all runs have.",
            r->by);
    frs_findings_fini(&findings);
    frs_ranking_fini(&ranking);
}

size_t frs_ranking_print(const struct frs_entries *entries, const struct frs_variant *variants,
    size_t n_variants, const char *by, FILE *out) {
    struct ranking r = {entries, variants, n_variants, by, true};
    choose_criterion(&r);
    print_table(&r, out);
    if (!by)
        print_other_measure(&r, out);
    bool partly = print_left_out(&r, out) > 0 || has_censored(&r);
    size_t n = count_turns(&r, NULL);
    if (entries->n_environments == entries->n)
        fputs("\nThere is nothing to rank: every entry has an environment of its own.\n", out);
    else if (n > 0)
        fprintf(out, "\nThe ranking does not survive: %zu pair%s of entries change%s the order.\n\n", n,
            n == 1 ? "" : "s", n == 1 ? "s" : "");
    else
        fprintf(out, "\nThe ranking survives%s: no pair of entries changes the order.\n",
            partly ? " as far as there are figures" : "");
    if (nothing_moves(&r))
        frs_print_line(
            out, "%s does not depend on the network here; --by simulated_s ranks by what does.", r.by);
    return count_turns(&r, out);
}
