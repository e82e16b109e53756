#include "analysis/read/quality_settings.h"

#include <string.h>

bool frs_setting_defines_quality(const char *key) {
    static const char data[] = "data.", evaluation[] = "evaluation.";
    /* The interactions themselves, whose digest is compared, and what only training sees. */
    static const char *const of_data[] = {"format", "path", "synthetic", "synthetic_seed", "users", "items",
        "interactions", "activity_spread", "activity_ceiling", "popularity_exponent", "popularity_offset",
        "popularity_tail", "tastes", "taste_strength", "taste_factors", "taste_decay", "mainstream",
        "taste_focus", "calendar_drift", "drift", "breadth", "drift_growth", "tied", "quality_spread",
        "quality_growth", "min_interactions", "unrated", "positive_from", "min_users_per_item", "repeated",
        "split_seed", "csv_separator", "csv_header", "csv_user", "csv_item", "csv_value", "csv_time",
        "csv_where", "csv_quotes", "empty_ids", "empty_ratings", "negatives_per_positive", NULL};
    /* When and beside what a quality is measured. */
    static const char *const of_evaluation[] = {
        "every", "information_loss", "structure", "non_federated", "target", NULL};
    bool is_data = strncmp(key, data, strlen(data)) == 0;
    if (!is_data && strncmp(key, evaluation, strlen(evaluation)) != 0)
        return false;
    const char *own = strchr(key, '.') + 1;
    for (const char *const *other = is_data ? of_data : of_evaluation; *other; other++)
        if (strcmp(own, *other) == 0)
            return false;
    return !strchr(own, '.'); /* evaluation.NAME.KEY is about a baseline */
}

/* Whether the setting has an effect in this run. */
static bool applies(const struct frs_run_results *run, const char *key) {
    static const struct {
        const char *key, *depends_on, *value;
    } rules[] = {{"evaluation.negatives", "evaluation.candidates", "sampled"},
        {"data.test_ratio", "data.split", "ratio"}, {"data.validation_ratio", "data.split", "ratio"},
        {"data.test_from", "data.split", "date"}, {"data.validation_from", "data.split", "date"},
        {"data.validation", "data.split", "leave-one-out"}, {"data.order", "data.split", "leave-one-out"},
        {"data.ties", "data.split", "leave-one-out"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *value = strcmp(key, rules[i].key) == 0 ? frs_run_setting(run, rules[i].depends_on) : NULL;
        if (value && strcmp(value, rules[i].value) != 0)
            return false;
    }
    if (strcmp(key, "data.ties") == 0)
        return run->may_have_ties;
    return true;
}

const char *frs_quality_setting(const struct frs_run_results *run, const char *key) {
    if (!applies(run, key))
        return NULL;
    return strcmp(key, "data.order") == 0 && run->order ? run->order : frs_run_setting(run, key);
}
