#include "analysis/report/headline.h"
#include "analysis/print/present.h"
#include "analysis/read/circumstances.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Circumstances that get a sentence of their own. */
enum { MOST_SENTENCES = 4 };

/* "44.1 s", in the unit that suits it. */
static char *amount(const char *metric, double value) {
    const struct frs_estimate estimate = {.n = 1, .mean = value, .sd = NAN, .df = NAN, .half_width = NAN};
    struct frs_style style = frs_style_of(metric, &estimate, 1);
    char *number = frs_present_value(&style, value),
         *text = frs_format("%s%s%s", number, *style.unit ? " " : "", style.unit);
    free(number);
    return text;
}

/* Takes both. */
static char *joined(char *text, char *more) {
    char *both = frs_format("%s%s", text, more);
    free(text);
    free(more);
    return both;
}

/* ---- a run ---- */

static const struct {
    const char *metrics[2];
    const char *name;
} paths[] = {{{"critical_path.down_s"}, "downloads"}, {{"critical_path.up_s"}, "uploads"},
    {{"critical_path.compute_s"}, "computing"},
    {{"critical_path.setup_s", "critical_path.latency_s"}, "connecting and latency"},
    {{"critical_path.retry_s"}, "trying again what had broken"}, {{"critical_path.server_s"}, "the server"},
    {{"critical_path.wait_s"}, "waiting (for a deadline, or to notice who was lost)"}};
enum { N_PATHS = sizeof paths / sizeof *paths };

static double path_s(const struct frs_metrics *metrics, size_t path) {
    double sum = 0;
    for (size_t i = 0; i < 2 && paths[path].metrics[i]; i++) {
        double value = frs_metrics_get(metrics, paths[path].metrics[i]);
        sum += isfinite(value) ? value : 0;
    }
    return sum;
}

static char *binding(const struct frs_metrics *metrics) {
    size_t most = 0;
    double all = 0;
    for (size_t i = 0; i < N_PATHS; i++) {
        all += path_s(metrics, i);
        most = path_s(metrics, i) > path_s(metrics, most) ? i : most;
    }
    if (!(all > 0))
        return frs_strdup("");
    return frs_format(" Of the time of its rounds, %.0f %% went into %s.", 100 * path_s(metrics, most) / all,
        paths[most].name);
}

static char *reaching(const struct frs_run_results *run, const struct frs_target *target) {
    double time_s = frs_metrics_get(&run->metrics, FRS_TARGET_TIME);
    if (!target->goal.metric || isnan(time_s))
        return frs_strdup("");
    char *goal = frs_target_text(target), *time = amount(FRS_TARGET_TIME, time_s);
    char *text = isfinite(time_s) ? frs_format(" It reached %s after %s.", goal, time)
                                  : frs_format(" It did not reach %s.", goal);
    free(goal);
    free(time);
    return text;
}

char *frs_headline_of_run(const struct frs_run_results *run, const struct frs_target *target) {
    bool lower;
    const char *quality = frs_target_quality(target, &run->metrics, &lower);
    double value = quality ? frs_metrics_get(&run->metrics, quality) : NAN;
    const char *method = frs_run_setting(run, "method.name");
    char *good = isnan(value) ? frs_strdup("") : frs_format(" came to %s %.3f", quality, value);
    char *time = amount("simulated_s", frs_metrics_get(&run->metrics, "simulated_s"));
    char *bytes = amount("bytes.total", frs_metrics_get(&run->metrics, "bytes.total"));
    char *text =
        frs_format("%s%s in %.0f rounds: %s of simulated time, and %s sent.", method ? method : "The run",
            *good ? good : " ran", frs_metrics_get(&run->metrics, "rounds"), time, bytes);
    free(good);
    free(time);
    free(bytes);
    text = joined(text, reaching(run, target));
    return joined(text, binding(&run->metrics));
}

/* ---- entries ---- */

struct race {
    const struct frs_entries *entries;
    const char *metric;
    bool lower;
    size_t *members, n;
};

/* In one sweep its circumstance is said beforehand: of its levels, those of choices are left; freed with free(). */
static char *name_of(const struct frs_entries *entries, const struct frs_entry *entry) {
    char *name = frs_strdup("");
    for (size_t i = 0; entries->one_sweep && i < entries->n_axes && entry->labels[i]; i++)
        if (entries->axes[i].role == FRS_ROLE_CHOICE)
            name = joined(
                name, frs_format("%s%s=%s", *name ? ", " : "", entries->axes[i].name, entry->labels[i]));
    if (*name)
        return name;
    free(name);
    return frs_strdup(entry->name);
}

static double mean_of(const struct race *race, size_t member) {
    struct frs_figure figure =
        frs_replicates_figure(&race->entries->list[race->members[member]].replicates, race->metric);
    return figure.censored ? NAN : figure.estimate.mean;
}

static bool is_better(const struct race *race, double a, double b) {
    return isnan(b) ? !isnan(a) : race->lower ? a < b : a > b;
}

/* The best but for `without`, or SIZE_MAX. */
static size_t best_of(const struct race *race, size_t without) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < race->n; i++)
        if (i != without && isfinite(mean_of(race, i)) &&
            (best == SIZE_MAX || is_better(race, mean_of(race, i), mean_of(race, best))))
            best = i;
    return best;
}

static char *lead_of(const struct race *race, size_t best) {
    size_t second = best_of(race, best);
    if (second == SIZE_MAX)
        return frs_strdup(".");
    const struct frs_entry *a = &race->entries->list[race->members[best]],
                           *b = &race->entries->list[race->members[second]];
    struct frs_contrast contrast = frs_replicates_contrast(&a->replicates, &b->replicates, race->metric);
    struct frs_estimate difference = contrast.paired;
    char *name = name_of(race->entries, b);
    if (isnan(difference.half_width))
        return joined(frs_strdup("; "),
            joined(name, frs_strdup(" is next. With one run of each nobody can say how sure that is.")));
    struct frs_style style = frs_style_of(race->metric, &difference, 1);
    char *by = frs_present(&style, &difference, true);
    bool certain = fabs(difference.mean) > difference.half_width;
    char *text = frs_format("; %s is next (difference %s%s%s, %s).", name, by, *style.unit ? " " : "",
        style.unit, certain ? "more than its 95 % interval" : "within noise: the two cannot be told apart");
    free(by);
    free(name);
    return text;
}

static char *sentence(const struct frs_entries *entries, size_t circumstance) {
    size_t *members = frs_alloc(entries->n, sizeof *members);
    bool lower = false;
    struct race race = {.entries = entries, .members = members};
    race.n = frs_circumstances_members(entries, circumstance, members);
    bool reach = entries->target.goal.metric && frs_entries_all_reach(entries, members, race.n);
    const char *quality = frs_entries_quality(entries, &lower);
    race.metric = reach ? FRS_TARGET_TIME : quality ? quality : "round_s";
    race.lower = reach || !quality || lower;
    size_t best = best_of(&race, SIZE_MAX);
    char *text = frs_strdup("Nobody has a figure in all of its runs.");
    if (best != SIZE_MAX) {
        char *name = name_of(entries, &entries->list[members[best]]);
        char *value = amount(race.metric, mean_of(&race, best));
        free(text);
        text = reach ? frs_format("%s reaches the target first, after %s", name, value)
                     : frs_format("%s is first in %s with %s", name, race.metric, value);
        text = joined(text, lead_of(&race, best));
        free(value);
        free(name);
    }
    free(members);
    return text;
}

/* "loss=none: ", or nothing where there is one circumstance alone. */
static char *where(const struct frs_entries *entries, size_t circumstance) {
    const char *name = entries->circumstances[circumstance];
    return entries->n_circumstances > 1 && *name ? frs_format("%s: ", name) : frs_strdup("");
}

char *frs_headline_of_entries(const struct frs_entries *entries) {
    size_t n = entries->n_circumstances;
    char **sentences = frs_alloc(n, sizeof *sentences), *text = frs_strdup("");
    bool alike = n > 1;
    for (size_t i = 0; i < n; i++) {
        sentences[i] = sentence(entries, i);
        alike = alike && strcmp(sentences[i], sentences[0]) == 0;
    }
    if (alike)
        text = joined(text, frs_format("Under all circumstances (%zu) alike: %s", n, sentences[0]));
    for (size_t i = 0; i < n && i < MOST_SENTENCES && !alike; i++) {
        text = joined(text, frs_strdup(*text ? " " : ""));
        text = joined(text, where(entries, i));
        text = joined(text, frs_strdup(sentences[i]));
    }
    if (n > MOST_SENTENCES && !alike)
        text = joined(text, frs_format(" %zu more circumstances below.", n - MOST_SENTENCES));
    for (size_t i = 0; i < n; i++)
        free(sentences[i]);
    free(sentences);
    return text;
}
