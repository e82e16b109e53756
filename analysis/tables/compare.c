/* Comparison of runs and sweeps, environment by environment: what it measures, and how it is printed. */
#include "analysis/tables/compare_internal.h"
#include "analysis/entries/environment.h"
#include "analysis/sentence/sentence.h"
#include "analysis/statistics/detection.h"
#include "analysis/print/present.h"
#include "analysis/tables/store.h"
#include "analysis/print/held_constant.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_USUAL = 6 };

static struct frs_compare_section section_of(const struct frs_comparison *c, size_t environment) {
    struct frs_compare_section section = {.members = frs_alloc(c->entries->n, sizeof *section.members)};
    section.n = frs_environments_members(c->entries, environment, section.members);
    return section;
}

static struct frs_compare_section section_of_all(const struct frs_comparison *c) {
    struct frs_compare_section section = {frs_alloc(c->entries->n, sizeof *section.members), c->entries->n};
    for (size_t i = 0; i < section.n; i++)
        section.members[i] = i;
    return section;
}

/* ---- columns ---- */

void frs_compare_add_column(struct frs_comparison *c, const char *metric, const char *title) {
    size_t n = c->entries->n;
    struct frs_compare_column *column = &c->columns[c->n_columns++];
    *column = (struct frs_compare_column){
        metric, title, frs_alloc(n, sizeof *column->figures), frs_alloc(n, sizeof *column->contrasts)};
    for (size_t i = 0; i < n; i++) {
        const struct frs_replicates *own = &c->entries->list[i].replicates;
        column->figures[i] = frs_replicates_figure(own, metric);
        column->contrasts[i] =
            frs_replicates_contrast(own, &c->entries->list[c->baselines[i]].replicates, metric);
    }
}

static void add_usual_columns(struct frs_comparison *c) {
    if (c->quality)
        frs_compare_add_column(c, c->quality, c->quality);
    frs_compare_add_column(c, "simulated_s", "simulated time");
    frs_compare_add_column(c, "bytes.sent", "bytes");
    frs_compare_add_column(c, "bytes.sent_wasted", "wasted");
    if (frs_entries_have(c->entries, FRS_TARGET_TIME)) {
        frs_compare_add_column(c, FRS_TARGET_TIME, "time to target");
        frs_compare_add_column(c, FRS_TARGET_SENT, "bytes to target");
    }
}

/* ---- tables ---- */

static struct frs_style style_of(
    const struct frs_comparison *c, const struct frs_compare_column *column, bool differences) {
    size_t n = c->entries->n;
    struct frs_estimate *estimates = frs_alloc(n, sizeof *estimates);
    for (size_t i = 0; i < n; i++)
        estimates[i] = !differences   ? column->figures[i].estimate
                       : c->paired[i] ? column->contrasts[i].paired
                                      : column->contrasts[i].unpaired;
    struct frs_style style = frs_style_of(column->metric, estimates, n);
    free(estimates);
    return style;
}

static void add_head(struct frs_text_table *grid, const struct frs_comparison *c,
    struct frs_compare_columns columns, const struct frs_style *styles) {
    for (size_t i = columns.begin; i < columns.end; i++) {
        const char *unit = styles[i].unit;
        char *title = frs_format("%s%s%s", c->columns[i].title, *unit ? ", " : "", unit);
        frs_text_table_add(grid, title);
        free(title);
    }
}

static char *figure_text(const struct frs_figure *figure, const struct frs_style *style) {
    size_t n = figure->estimate.n;
    if (figure->censored > 0)
        return frs_format("%zu/%zu reached", n - figure->censored, n);
    return frs_present(style, &figure->estimate, false);
}

static struct frs_style *styles_of(const struct frs_comparison *c, bool differences) {
    struct frs_style *styles = frs_alloc(c->n_columns, sizeof *styles);
    for (size_t i = 0; i < c->n_columns; i++)
        styles[i] = style_of(c, &c->columns[i], differences);
    return styles;
}

void frs_compare_print_figures(const struct frs_comparison *c, const struct frs_compare_section *section,
    struct frs_compare_columns columns, FILE *out) {
    struct frs_text_table grid = {.n_columns = columns.end - columns.begin + 2};
    struct frs_style *styles = styles_of(c, false);
    frs_text_table_add(&grid, "entry");
    frs_text_table_add(&grid, "n");
    add_head(&grid, c, columns, styles);
    for (size_t m = 0; m < section->n; m++) {
        size_t i = section->members[m];
        frs_text_table_add(&grid, c->entries->list[i].name);
        frs_text_table_take(&grid, frs_format("%zu", c->entries->list[i].n));
        for (size_t k = columns.begin; k < columns.end; k++)
            frs_text_table_take(&grid, figure_text(&c->columns[k].figures[i], &styles[k]));
    }
    frs_text_table_print(&grid, out);
    frs_text_table_fini(&grid);
    free(styles);
}

static void print_tables(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out) {
    frs_compare_print_figures(c, section, (struct frs_compare_columns){0, c->n_main}, out);
    frs_compare_print_lists(c, section, out);
}

static void add_differences(
    const struct frs_comparison *c, size_t i, const struct frs_style *styles, struct frs_text_table *grid) {
    frs_text_table_add(grid, c->entries->list[i].name);
    frs_text_table_take(
        grid, c->paired[i] ? frs_format("%zu", c->entries->list[i].n) : frs_strdup("unpaired"));
    for (size_t k = 0; k < c->n_main; k++) {
        const struct frs_contrast *contrast = &c->columns[k].contrasts[i];
        frs_text_table_take(
            grid, frs_present(&styles[k], c->paired[i] ? &contrast->paired : &contrast->unpaired, true));
    }
}

/* All entries of a section have the same baseline, which may be in another environment. */
static void print_differences(
    const struct frs_comparison *c, const struct frs_compare_section *section, FILE *out) {
    size_t baseline = c->baselines[section->members[0]];
    if (section->n == 1 && section->members[0] == baseline)
        return;
    struct frs_text_table grid = {.n_columns = c->n_main + 2};
    struct frs_style *styles = styles_of(c, true);
    bool all_paired = true;
    frs_text_table_add(&grid, "entry");
    frs_text_table_add(&grid, "pairs");
    add_head(&grid, c, (struct frs_compare_columns){0, c->n_main}, styles);
    for (size_t m = 0; m < section->n; m++) {
        if (section->members[m] == baseline)
            continue;
        add_differences(c, section->members[m], styles, &grid);
        all_paired = all_paired && c->paired[section->members[m]];
    }
    fprintf(out, "\n**Differences to %s**\n\n", c->entries->list[baseline].title);
    frs_text_table_print(&grid, out);
    frs_text_table_fini(&grid);
    free(styles);
    if (!all_paired)
        fprintf(out, "\nUnpaired: these runs do not have the seeds of the %s; the intervals are Welch's.\n",
            c->has_baseline ? "baseline" : "first entry");
}

/* ---- file ---- */

static void put_interval(struct frs_table_writer *writer, const struct frs_estimate *estimate) {
    frs_table_writer_real(writer, estimate->mean);
    frs_table_writer_real(writer, estimate->mean - estimate->half_width);
    frs_table_writer_real(writer, estimate->mean + estimate->half_width);
}

static enum frs_status write_csv(
    const struct frs_comparison *c, const char *path, struct frs_errors *errors) {
    static const struct frs_table_writer_column columns[] = {{"entry", "TEXT"}, {"metric", "TEXT"},
        {"n", "INTEGER"}, {"censored", "INTEGER"}, {"mean", "REAL"}, {"ci_low", "REAL"}, {"ci_high", "REAL"},
        {"pairing", "TEXT"}, {"difference", "REAL"}, {"difference_low", "REAL"}, {"difference_high", "REAL"},
        {"on_front", "INTEGER"}, {"environment", "TEXT"}, {"baseline", "TEXT"}, {NULL, NULL}};
    struct frs_table_writer *writer = frs_table_writer_create(NULL, NULL, path, columns, errors);
    if (!writer)
        return FRS_ERR_RUN;
    for (size_t i = 0; i < c->entries->n; i++)
        for (size_t k = 0; k < c->n_columns; k++) {
            const struct frs_figure *figure = &c->columns[k].figures[i];
            const struct frs_contrast *contrast = &c->columns[k].contrasts[i];
            frs_table_writer_text(writer, c->entries->list[i].name);
            frs_table_writer_text(writer, c->columns[k].metric);
            frs_table_writer_count(writer, figure->estimate.n);
            frs_table_writer_count(writer, figure->censored);
            put_interval(writer, &figure->estimate);
            frs_table_writer_text(writer, c->paired[i] ? "paired" : "unpaired");
            put_interval(writer, c->paired[i] ? &contrast->paired : &contrast->unpaired);
            frs_table_writer_count(writer, c->on_front[i]);
            frs_table_writer_text(writer, c->entries->environments[c->entries->list[i].environment]);
            frs_table_writer_text(writer, c->entries->list[c->baselines[i]].name);
        }
    return frs_table_writer_commit(writer, errors);
}

/* ---- all of it ---- */

/* The answer; one entry alone has none that its figures do not say. */
static void print_sentence(const struct frs_comparison *c, FILE *out) {
    char *text = frs_environments_are_apart(c->entries) ? frs_sentence_across(c->entries)
                 : c->entries->n > 1                    ? frs_sentence_of_entries(c->entries)
                                                        : frs_strdup(""),
         *quoted = frs_quoted_markdown(text);
    if (*quoted)
        fprintf(out, "%s\n\n", quoted);
    free(quoted);
    free(text);
}

static void print_pooled(const struct frs_comparison *c, FILE *out) {
    for (size_t i = 0; i < c->entries->n; i++) {
        const struct frs_entry *entry = &c->entries->list[i];
        if (entry->labels || entry->n < 2)
            continue;
        char *runs = frs_entry_runs_text(entry), *quoted = frs_quoted_markdown(runs);
        fprintf(out, "Replicates of one setting, because they differ in the seed alone: %s.\n", quoted);
        free(quoted);
        free(runs);
    }
}

static void print_head(const struct frs_comparison *c, FILE *out) {
    for (size_t i = 0; i < c->entries->n_warnings; i++) {
        char *warning = frs_quoted_markdown(c->entries->warnings[i]);
        fprintf(out, "Warning: %s.\n", warning);
        free(warning);
    }
    if (c->entries->n_warnings)
        fputc('\n', out);
    print_sentence(c, out);
    char *target = frs_target_text(&c->entries->target);
    if (target)
        fprintf(
            out, "Target: %s%s.", target, c->entries->target.is_default ? "; --target names another" : "");
    else
        fputs("No target; --target hr@10=0.5 names one.", out);
    free(target);
    fputs(" ± is half of the 95 % interval.\n", out);
    print_pooled(c, out);
    struct frs_detection detection = {0};
    for (size_t i = 0; i < c->entries->n; i++)
        for (size_t k = 0; k < c->entries->list[i].n; k++)
            frs_detection_add(&detection, &c->entries->list[i].runs[k].metrics);
    frs_detection_print(&detection, out);
    fputc('\n', out);
}

/* "method.dim=16" is cut at its sign. */
static struct frs_setting *split_settings(const struct frs_run_results *run) {
    struct frs_setting *settings = frs_alloc(run->n_settings + 1, sizeof *settings);
    for (size_t i = 0; i < run->n_settings; i++) {
        const char *text = run->settings[i];
        settings[i] = (struct frs_setting){
            frs_format("%.*s", (int)strcspn(text, "="), text), text + strcspn(text, "=") + 1};
    }
    return settings;
}

/* The keys of the axes, and of runs that are no points of one sweep what --set has set. */
static size_t count_varied(const struct frs_entries *entries, const char **keys) {
    size_t n = 0;
    for (size_t i = 0; !entries->one_sweep && i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].runs[0].n_varied; k++, n++)
            if (keys)
                keys[n] = entries->list[i].runs[0].varied[k];
    for (size_t i = 0; i < entries->n_axes; i++)
        for (size_t k = 0; k < entries->axes[i].n_keys; k++, n++)
            if (keys)
                keys[n] = entries->axes[i].keys[k];
    return n;
}

/* By the first run of each entry: its replicates differ in the seed alone. */
static void print_unvaried(const struct frs_comparison *c, FILE *out) {
    size_t n = c->entries->n, n_varied = count_varied(c->entries, NULL);
    struct frs_side *sides = frs_alloc(n, sizeof *sides);
    const char **varied = frs_alloc(n_varied + 1, sizeof *varied);
    count_varied(c->entries, varied);
    for (size_t i = 0; i < n; i++)
        sides[i] = (struct frs_side){.name = c->entries->list[i].name,
            .labels = (const char *const *)c->entries->list[i].labels,
            .n_labels = c->entries->one_sweep ? c->entries->n_axes : 0,
            .settings = split_settings(&c->entries->list[i].runs[0]),
            .n = c->entries->list[i].runs[0].n_settings};
    if (n_varied == 0) {
        frs_differing_print(sides, n, out);
    } else {
        if (!c->entries->one_sweep)
            frs_varied_print(sides, n, varied, n_varied, out);
        frs_held_constant_print(sides, n, varied, n_varied, out);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sides[i].n; k++)
            free((void *)(uintptr_t)sides[i].settings[k].key);
        free((void *)(uintptr_t)sides[i].settings);
    }
    free(varied);
    free(sides);
}

static void print_one(const struct frs_comparison *c, size_t environment, FILE *out) {
    struct frs_compare_section section = section_of(c, environment);
    char *name = frs_quoted_markdown(c->entries->environments[environment]);
    fprintf(out, "\n## %s\n\n", name);
    print_tables(c, &section, out);
    print_differences(c, &section, out);
    if (section.n > 1)
        frs_compare_print_front(c, &section, out);
    free(name);
    free(section.members);
}

/* Environments are not compared with each other, unless an option asks for it. */
static void print_each(const struct frs_comparison *c, bool alone, FILE *out) {
    struct frs_compare_section all = section_of_all(c);
    char *separators = frs_quoted_markdown(c->entries->separators),
         *across = frs_quoted_markdown(c->entries->across);
    if (alone) {
        print_tables(c, &all, out);
        fputs("\nNothing is ranked, because every entry has an environment of its own: ", out);
    } else {
        fputs("Compared within each environment: ", out);
    }
    fprintf(out, "they differ in %s. %s compares across them%s.\n", separators, across,
        alone ? ", --baseline ENTRY with one of them" : "");
    print_unvaried(c, out);
    if (alone && c->has_baseline)
        print_differences(c, &all, out);
    for (size_t i = 0; !alone && i < c->entries->n_environments; i++)
        print_one(c, i, out);
    free(separators);
    free(across);
    free(all.members);
}

static void print(const struct frs_comparison *c, FILE *out) {
    print_head(c, out);
    if (c->entries->n_environments > 1) {
        print_each(c, c->entries->n_environments == c->entries->n, out);
        return;
    }
    struct frs_compare_section all = section_of_all(c);
    print_tables(c, &all, out);
    if (all.n > 1) {
        print_unvaried(c, out);
        print_differences(c, &all, out);
        frs_compare_print_front(c, &all, out);
    }
    free(all.members);
}

/* ---- baselines ---- */

enum { MOST_NAMES = 12 };

static enum frs_status refuse_baseline(
    const struct frs_entries *entries, const char *name, struct frs_errors *errors) {
    char line[128], *allowed = frs_strdup("");
    for (size_t i = 0; i < entries->n && i < MOST_NAMES; i++) {
        char *longer = frs_format("%s%s%s", allowed, i ? " | " : "", entries->list[i].name);
        free(allowed);
        allowed = longer;
    }
    enum frs_status status =
        frs_errors_add(errors, FRS_ERR_INPUT, "--baseline %s: is no entry; allowed: %s%s",
            frs_text_line(name, line, sizeof line), allowed, entries->n > MOST_NAMES ? " | ..." : "");
    free(allowed);
    return status;
}

/* By its name, or by a run directory of it. */
static bool is_called(const struct frs_entry *entry, const char *name) {
    for (size_t i = 0; !entry->labels && i < entry->n; i++)
        if (strcmp(entry->runs[i].path, name) == 0)
            return true;
    return strcmp(entry->name, name) == 0;
}

/* The first entry in the same environment, or the one that is asked for. */
static enum frs_status find_baselines(struct frs_comparison *c, const char *name, struct frs_errors *errors) {
    size_t n = c->entries->n, named = 0;
    while (name && named < n && !is_called(&c->entries->list[named], name))
        named++;
    if (named == n)
        return refuse_baseline(c->entries, name, errors);
    c->has_baseline = name != NULL;
    c->baselines = frs_alloc(n, sizeof *c->baselines);
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;
        while (c->entries->list[first].environment != c->entries->list[i].environment)
            first++;
        c->baselines[i] = name ? named : first;
    }
    return FRS_OK;
}

static void fini(struct frs_comparison *c) {
    for (size_t i = 0; i < c->n_columns; i++) {
        free(c->columns[i].figures);
        free(c->columns[i].contrasts);
    }
    free(c->columns);
    free(c->baselines);
    free(c->paired);
    free(c->on_front);
}

enum frs_status frs_compare(const struct frs_entries *entries, const struct frs_compare_options *options,
    FILE *out, struct frs_errors *errors) {
    struct frs_comparison c = {.entries = entries};
    for (size_t i = 0; i < options->n_metrics; i++)
        if (frs_entries_check_metric(entries, "--metric", options->metrics[i], errors) != FRS_OK)
            return FRS_ERR_INPUT;
    if (find_baselines(&c, options->baseline, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    c.quality = frs_entries_quality(entries, &c.lower);
    c.columns = frs_alloc(MAX_USUAL + options->n_metrics + frs_compare_count_lists(&c), sizeof *c.columns);
    c.paired = frs_alloc(entries->n, sizeof *c.paired);
    c.on_front = frs_alloc(entries->n, sizeof *c.on_front);
    for (size_t i = 0; i < entries->n; i++)
        c.paired[i] =
            frs_replicates_match(&entries->list[i].replicates, &entries->list[c.baselines[i]].replicates);
    for (size_t i = 0; i < entries->n_environments; i++) {
        struct frs_compare_section section = section_of(&c, i);
        frs_compare_find_front(&c, &section);
        free(section.members);
    }
    add_usual_columns(&c);
    for (size_t i = 0; i < options->n_metrics; i++)
        frs_compare_add_column(&c, options->metrics[i], options->metrics[i]);
    c.n_main = c.n_columns;
    frs_compare_add_lists(&c);
    if (options->json)
        *options->json = frs_compare_object(&c);
    else
        print(&c, out);
    enum frs_status status = options->csv ? write_csv(&c, options->csv, errors) : FRS_OK;
    fini(&c);
    return status;
}
