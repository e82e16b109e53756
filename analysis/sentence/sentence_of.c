/* Sentences of what has been read: a sweep, entries, a run. */
#include "analysis/entries/environment.h"
#include "analysis/sentence/sentence.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Takes over `more`. */
static void append(char **text, const char *separator, char *more) {
    char *longer = frs_format("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    free(more);
    *text = longer;
}

/* "colr of rank 4 with rounds.cohort = 20", with the method in front; takes over what it is given. */
static char *entry_name(char *method, char *rest) {
    size_t preposition = strncmp(rest, "with ", 5) == 0 ? 5 : strncmp(rest, "of ", 3) == 0 ? 3 : 0;
    char *name = *method && *rest ? frs_format("%s %s", method, rest)
                 : *method        ? frs_strdup(method)
                 : *rest          ? frs_strdup(rest + preposition) /* "with rounds.cohort = 20" is no name */
                                  : frs_strdup("the scenario");
    free(method);
    free(rest);
    return name;
}

static bool is_method(const char *axis, char *const *keys, size_t n_keys) {
    return n_keys == 1 ? strcmp(keys[0], "method.name") == 0 : strcmp(axis, "method") == 0;
}

/* ---- a sweep ---- */

static char *cell_phrase(const struct frs_sweep_plan *plan, size_t cell, enum frs_role role) {
    char *method = frs_strdup(""), *rest = frs_strdup("");
    for (size_t i = 0; i < plan->sweep.axes.n; i++) {
        const struct frs_axis *axis = &plan->sweep.axes.axes[i];
        const char *label = frs_axes_label(&plan->sweep.axes, cell, i);
        size_t n_keys = frs_axis_keys(axis);
        if ((axis->role == FRS_ROLE_DESIGN) != (role == FRS_ROLE_DESIGN))
            continue;
        bool leads = role == FRS_ROLE_DESIGN && is_method(axis->name, axis->keys, n_keys);
        append(leads ? &method : &rest, " ",
            role == FRS_ROLE_DESIGN ? frs_design_phrase(axis->name, axis->keys, n_keys, label)
                                    : frs_environment_phrase(axis->name, axis->keys, n_keys, label));
    }
    if (role == FRS_ROLE_DESIGN)
        return entry_name(method, rest);
    free(method);
    return rest;
}

static size_t find_or_add(struct frs_ranking *ranking, char *environment) {
    for (size_t i = 0; i < ranking->n_environments; i++)
        if (strcmp(ranking->environments[i], environment) == 0) {
            free(environment);
            return i;
        }
    ranking->environments[ranking->n_environments] = environment;
    return ranking->n_environments++;
}

static const struct frs_metrics *first_metrics(const struct frs_replicates *cells, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (cells[i].n > 0)
            return cells[i].list[0].metrics;
    return NULL;
}

struct frs_ranking frs_ranking_of_sweep(const struct frs_sweep_results *sweep) {
    size_t n = frs_axes_cells(&sweep->plan->sweep.axes);
    struct frs_ranking ranking = {.list = frs_alloc(n, sizeof *ranking.list),
        .n = n,
        .environments = frs_alloc(n, sizeof *ranking.environments),
        .target = &sweep->target};
    for (size_t i = 0; i < n; i++)
        ranking.list[i] = (struct frs_ranked_entry){cell_phrase(sweep->plan, i, FRS_ROLE_DESIGN),
            find_or_add(&ranking, cell_phrase(sweep->plan, i, FRS_ROLE_ENVIRONMENT)), &sweep->cells[i]};
    const struct frs_metrics *metrics = first_metrics(sweep->cells, n);
    if (metrics)
        ranking.quality = frs_target_quality(&sweep->target, metrics, &ranking.lower);
    return ranking;
}

static char *sentence_and_fini(struct frs_ranking *ranking) {
    struct frs_findings findings = frs_ranking_findings(ranking);
    char *text = frs_sentence(ranking, &findings);
    frs_findings_fini(&findings);
    frs_ranking_fini(ranking);
    return text;
}

char *frs_sentence_of_sweep(const struct frs_sweep_results *sweep) {
    struct frs_ranking ranking = frs_ranking_of_sweep(sweep);
    return sentence_and_fini(&ranking);
}

/* ---- entries ---- */

/* An axis that environments determine: all entries of each have the same label, and not all entries have. */
static bool tells_environments(const struct frs_entries *entries, size_t axis) {
    bool differs = false;
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < i; k++) {
            bool same = strcmp(entries->list[i].labels[axis], entries->list[k].labels[axis]) == 0;
            if (!same && entries->list[i].environment == entries->list[k].environment)
                return false;
            differs = differs || !same;
        }
    return differs || entries->axes[axis].role != FRS_ROLE_DESIGN;
}

static char *label_phrase(const struct frs_entries *entries, size_t i, bool of_environment) {
    char *method = frs_strdup(""), *rest = frs_strdup("");
    for (size_t a = 0; a < entries->n_axes; a++) {
        const struct frs_entry_axis *axis = &entries->axes[a];
        const char *label = entries->list[i].labels[a];
        if (tells_environments(entries, a) != of_environment)
            continue;
        bool leads = !of_environment && is_method(axis->name, axis->keys, axis->n_keys);
        append(leads ? &method : &rest, " ",
            of_environment && !is_method(axis->name, axis->keys, axis->n_keys)
                ? frs_environment_phrase(axis->name, axis->keys, axis->n_keys, label)
            : of_environment ? frs_format("with %s", label)
                             : frs_design_phrase(axis->name, axis->keys, axis->n_keys, label));
    }
    if (!of_environment)
        return entry_name(method, rest);
    free(method);
    return rest;
}

static char *circumstance_phrase(const struct frs_entries *entries, size_t environment) {
    size_t i = 0;
    while (i < entries->n && entries->list[i].environment != environment)
        i++;
    if (entries->one_sweep && i < entries->n)
        return label_phrase(entries, i, true);
    return *entries->environments[environment] ? frs_format("under %s", entries->environments[environment])
                                               : frs_strdup("");
}

struct frs_ranking frs_ranking_of_entries(const struct frs_entries *entries) {
    struct frs_ranking ranking = {.list = frs_alloc(entries->n, sizeof *ranking.list),
        .n = entries->n,
        .environments = frs_alloc(entries->n_environments, sizeof *ranking.environments),
        .n_environments = entries->n_environments,
        .target = &entries->target};
    for (size_t i = 0; i < entries->n; i++)
        ranking.list[i] = (struct frs_ranked_entry){
            entries->one_sweep ? label_phrase(entries, i, false) : frs_strdup(entries->list[i].name),
            entries->list[i].environment, &entries->list[i].replicates};
    for (size_t i = 0; i < entries->n_environments; i++)
        ranking.environments[i] = circumstance_phrase(entries, i);
    ranking.quality = frs_entries_quality(entries, &ranking.lower);
    return ranking;
}

char *frs_sentence_of_entries(const struct frs_entries *entries) {
    struct frs_ranking ranking = frs_ranking_of_entries(entries);
    return sentence_and_fini(&ranking);
}

/* ---- a run ---- */

/* HR@K of a list in random order: K of the sampled candidates and the held-out item. Users with several
 * held-out items hit more often, so that it is the least that chance has. NaN: candidates are not sampled, or
 * the figure is another one. */
static double chance_of(const struct frs_run_results *run, const char *quality) {
    const char *negatives = frs_run_setting(run, "evaluation.negatives");
    if (!run->candidates || strcmp(run->candidates, "sampled") != 0 || !negatives ||
        strncmp(quality, "hr@", 3) != 0)
        return NAN;
    return fmin(strtod(quality + 3, NULL) / (strtod(negatives, NULL) + 1), 1);
}

/* " and no better than chance (0.100)" */
static char *chance_phrase(const struct frs_run_results *run, const char *quality, double value) {
    double chance = chance_of(run, quality);
    return value <= chance ? frs_format(" and no better than chance (%.3f)", chance) : frs_strdup("");
}

/* ", 0.1 above popularity": the baseline that needs no training. */
static char *baseline_phrase(const struct frs_run_results *run, const char *quality, bool lower) {
    const char *name = lower ? "item_mean" : "popularity";
    char *metric = frs_format("non_federated.%s.%s", name, quality);
    double value = frs_metrics_get(&run->metrics, quality), bar = frs_metrics_get(&run->metrics, metric);
    char *distance = frs_format("%.3f", fabs(value - bar)), *text;
    if (isnan(bar))
        text = frs_strdup("");
    else if (value == bar)
        text = frs_format(", which is that of %s", name);
    else
        text = frs_format(", %s %s %s", distance, value > bar ? "above" : "below", name);
    free(distance);
    free(metric);
    return text;
}

/* ", falls below it again in 3 of 34 later evaluations and misses it in the end (0.482)" */
static char *after_phrase(const struct frs_run_results *run, const struct frs_target *target) {
    struct frs_target_after after =
        frs_time_to_target_after(&target->target_spec, target->has_validation, run);
    if (after.missed == 0)
        return frs_strdup("");
    return frs_format(", falls %s it again in %zu of %zu later evaluation%s and %s it in the end (%.3f)",
        target->target_spec.lower ? "above" : "below", after.missed, after.evaluations,
        after.evaluations == 1 ? "" : "s", after.ends_missed ? "misses" : "meets", after.last);
}

/* "; that says nothing, because this target (0.060) is no better than the model before training (0.095) and
 * chance (0.100)" */
static char *vacuous_phrase(const struct frs_run_results *run, const struct frs_target *target) {
    const struct frs_target_spec *spec = &target->target_spec;
    char *column = frs_target_spec_column(spec, target->has_validation),
         *metric = frs_format("initial_metrics.%s", column);
    double bar = frs_target_spec_threshold(spec, run), before = frs_metrics_get(&run->metrics, metric),
           chance = chance_of(run, frs_target_spec_quality(spec));
    bool untrained = spec->lower ? before <= bar : before >= bar, random = bar <= chance;
    char *model = untrained ? frs_format("the model before training (%.3f)", before) : frs_strdup(""),
         *luck = random ? frs_format("chance (%.3f)", chance) : frs_strdup("");
    char *text = untrained || random
                     ? frs_format("; that says nothing, because this target (%.3f) is no better than %s%s%s",
                           bar, model, untrained && random ? " and " : "", luck)
                     : frs_strdup("");
    free(luck);
    free(model);
    free(metric);
    free(column);
    return text;
}

/* "; it reaches HR@10 0.5 on the validation items in round 19, after 9 min and 46 MB" */
static char *target_phrase(const struct frs_run_results *run, const struct frs_target *target) {
    double round = frs_metrics_get(&run->metrics, FRS_TARGET_ROUND);
    if (!target->target_spec.metric || isnan(round))
        return frs_strdup("");
    const char *items = frs_target_spec_items(&target->target_spec, target->has_validation);
    char *target_spec = frs_target_spec_phrase(&target->target_spec),
         *time = frs_value_text(FRS_TARGET_TIME, frs_metrics_get(&run->metrics, FRS_TARGET_TIME)),
         *sent = frs_value_text(FRS_TARGET_SENT, frs_metrics_get(&run->metrics, FRS_TARGET_SENT)),
         *after = after_phrase(run, target), *vacuous = vacuous_phrase(run, target);
    char *text = isinf(round)
                     ? frs_format("; it does not reach %s on the %s in these rounds", target_spec, items)
                     : frs_format("; it reaches %s on the %s in round %.0f, after %s and %s%s%s", target_spec,
                           items, round, time, sent, after, vacuous);
    free(vacuous);
    free(after);
    free(sent);
    free(time);
    free(target_spec);
    return text;
}

/* Why there are no more rounds than that, or none. Takes over `text`. */
static char *with_reason(const struct frs_run_results *run, double rounds, char *text) {
    if (!run->reason)
        return text;
    char *longer = rounds > 0
                       ? frs_format("%s The run could not go on: %s.", text, run->reason)
                       : frs_format("Not one round was closed, the run is incomplete: %s.", run->reason);
    free(text);
    return longer;
}

static char *plain_sentence(const struct frs_run_results *run, const struct frs_target *target) {
    bool lower;
    const char *quality = frs_target_quality(target, &run->metrics, &lower);
    double rounds = frs_metrics_get(&run->metrics, "rounds"),
           value = quality ? frs_metrics_get(&run->metrics, quality) : NAN;
    char *time = frs_value_text("simulated_s", frs_metrics_get(&run->metrics, "simulated_s")),
         *sent = frs_value_text("bytes.sent", frs_metrics_get(&run->metrics, "bytes.sent")), *text;
    if (isfinite(value)) {
        char *metric = frs_metric_text(quality), *amount = frs_format("%.3f", value),
             *baseline = baseline_phrase(run, quality, lower), *chance = chance_phrase(run, quality, value),
             *target_spec = target_phrase(run, target);
        text = frs_format("After %.0f round%s and %s, %s is %s on the test items%s%s%s.", rounds,
            rounds == 1 ? "" : "s", time, metric, amount, baseline, chance, target_spec);
        free(target_spec);
        free(chance);
        free(baseline);
        free(amount);
        free(metric);
    } else {
        text = frs_format("%.0f round%s take%s %s and %s.", rounds, rounds == 1 ? "" : "s",
            rounds == 1 ? "s" : "", time, sent);
    }
    free(sent);
    free(time);
    return with_reason(run, rounds, text);
}

/* Where nothing was learnt, that comes before what the model is worth. */
static char *nothing_phrase(const struct frs_run_results *run) {
    double rounds = frs_metrics_get(&run->metrics, "rounds"),
           without = frs_metrics_get(&run->metrics, "rounds_without_upload");
    if (!(without > 0) || without < rounds)
        return frs_strdup("");
    return frs_format("No upload arrived in %.0f of %.0f rounds: nothing was aggregated. ", without, rounds);
}

/* From this share of the clients that a round selects on, a cohort is called complete. */
static const double NEARLY_ALL = 0.9;

/* " A round had 1.4 of the 30 clients requested on average." */
static char *cohort_phrase(const struct frs_run_results *run) {
    double requested = frs_metrics_get(&run->metrics, "cohort.requested"),
           mean = frs_metrics_get(&run->metrics, "cohort.mean");
    if (!(mean < NEARLY_ALL * requested))
        return frs_strdup("");
    return frs_format(" A round had %.1f of the %.0f clients requested on average.", mean, requested);
}

char *frs_sentence_of_run(const struct frs_run_results *run, const struct frs_target *target) {
    char *nothing = nothing_phrase(run), *plain = plain_sentence(run, target), *cohort = cohort_phrase(run);
    char *text = frs_format("%s%s%s", nothing, plain, cohort);
    free(cohort);
    free(plain);
    free(nothing);
    return text;
}
