#include "analysis/target/target_spec.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* metric: one that is no measure of quality, or NULL where something else is wrong. */
static enum frs_status refuse(const char *text, const char *metric, struct frs_errors *errors) {
    char line[80], name[48];
    const char *at = metric ? strrchr(metric, '@') : NULL;
    char *nearest = metric ? frs_metric_nearest(metric, at ? at + 1 : NULL) : NULL;
    bool is_near = nearest && frs_metric_is_quality(nearest, NULL);
    char *wrong =
        metric && *metric
            ? frs_format("\"%s\" is no measure of quality%s%s%s; ", frs_text_line(metric, name, sizeof name),
                  is_near ? "; did you mean \"" : "", is_near ? nearest : "", is_near ? "\"?" : "")
            : frs_strdup("");
    free(nearest);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "target \"%s\": %sallowed: METRIC=NUMBER or METRIC=BASELINE+NUMBER, where METRIC is hr@K, ndcg@K, "
        "recall@K, precision@K, mrr@K, map@K, auc, mae or rmse of the validation items, or with test. in "
        "front of the test items, as in hr@10=0.5 or "
        "test.hr@10=popularity+0.03",
        frs_text_line(text, line, sizeof line), wrong);
    free(wrong);
    return status;
}

static const char *skip_space(const char *text) {
    return text + strspn(text, " \t");
}

/* A number up to the end of the text. */
static bool parse_number(const char *text, double *value) {
    char *end;
    *value = frs_decimal_read(text, 1, 0, &end);
    return end != text && !*skip_space(end) && isfinite(*value);
}

/* NUMBER, or BASELINE, or BASELINE + NUMBER; names of baselines are lower-case words. */
static bool parse_bar(const char *text, struct frs_target_spec *target_spec) {
    text = skip_space(text);
    if (parse_number(text, &target_spec->bar))
        return true;
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
    const char *rest = skip_space(text + length);
    if (length == 0 || isdigit((unsigned char)*text))
        return false;
    target_spec->non_federated = frs_format("%.*s", (int)length, text);
    target_spec->bar = 0;
    if (!*rest)
        return true;
    if (*rest != '+' && *rest != '-')
        return false;
    double sign = *rest == '-' ? -1 : 1;
    const char *number = skip_space(rest + 1);
    bool good = isdigit((unsigned char)*number) && parse_number(number, &target_spec->bar);
    target_spec->bar *= sign;
    return good;
}

/* "=" means the direction in which the metric gets better, ">=" and "<=" say it. */
static const char *parse_comparison(const char *text, struct frs_target_spec *target_spec) {
    size_t length = strspn(text, "<>=");
    if (strncmp(text, ">=", 2) == 0)
        target_spec->lower = false;
    else if (strncmp(text, "<=", 2) == 0)
        target_spec->lower = true;
    else if (length != 1 || *text != '=')
        return NULL;
    return length == (*text == '=' ? 1 : 2) ? text + length : NULL;
}

enum frs_status frs_target_spec_parse(
    const char *text, struct frs_target_spec *target_spec, struct frs_errors *errors) {
    *target_spec = (struct frs_target_spec){0};
    const char *start = skip_space(text);
    size_t length = strcspn(start, " \t<>=");
    target_spec->metric = frs_format("%.*s", (int)length, start);
    bool is_quality = frs_metric_is_quality(frs_target_spec_quality(target_spec), &target_spec->lower);
    if (is_quality) {
        const char *bar = parse_comparison(skip_space(start + length), target_spec);
        if (bar && parse_bar(bar, target_spec))
            return FRS_OK;
    }
    char *metric = frs_strdup(frs_target_spec_quality(target_spec));
    frs_target_spec_fini(target_spec);
    enum frs_status status = refuse(text, is_quality ? NULL : metric, errors);
    free(metric);
    return status;
}

char *frs_target_spec_text(const struct frs_target_spec *target_spec) {
    const char *relation = target_spec->lower ? "≤" : "≥";
    char number[32];
    if (!target_spec->non_federated)
        return frs_format("%s %s %s", target_spec->metric, relation,
            frs_text_number(target_spec->bar, number, sizeof number));
    if (target_spec->bar == 0)
        return frs_format("%s %s %s", target_spec->metric, relation, target_spec->non_federated);
    return frs_format("%s %s %s %s %s", target_spec->metric, relation, target_spec->non_federated,
        target_spec->bar < 0 ? "−" : "+", frs_text_number(fabs(target_spec->bar), number, sizeof number));
}

/* ---- which items ---- */

/* What may stand in front of a measure. */
/* Columns of rounds.csv. */
static const char *const populations[] = {"test.", "validation_", "participants_"};
enum { TEST, VALIDATION, PARTICIPANTS, N_POPULATIONS, PLAIN = N_POPULATIONS };

static int population_of(const struct frs_target_spec *target_spec) {
    int i = 0;
    while (i < N_POPULATIONS && strncmp(target_spec->metric, populations[i], strlen(populations[i])) != 0)
        i++;
    return i;
}

const char *frs_target_spec_quality(const struct frs_target_spec *target_spec) {
    int population = population_of(target_spec);
    return population == PLAIN ? target_spec->metric : target_spec->metric + strlen(populations[population]);
}

static bool goes_by_validation(const struct frs_target_spec *target_spec, bool has_validation) {
    int population = population_of(target_spec);
    return population == VALIDATION || (population == PLAIN && has_validation);
}

const char *frs_target_spec_items(const struct frs_target_spec *target_spec, bool has_validation) {
    return goes_by_validation(target_spec, has_validation) ? "validation items"
           : population_of(target_spec) == PARTICIPANTS    ? "test items of participants"
                                                           : "test items";
}

char *frs_target_spec_note(
    const struct frs_target_spec *target_spec, bool has_validation, const char *protocol, bool is_default) {
    bool leaky = strcmp(protocol, "leaky") == 0;
    bool in_their_place = population_of(target_spec) == PLAIN && !has_validation;
    return frs_format("%s%s%s%s", frs_target_spec_items(target_spec, has_validation),
        in_their_place ? ", because there are no validation items" : "", is_default ? "; the default" : "",
        leaky ? "; the protocol is leaky: a model gets there by learning which items are held out, so that "
                "\"reached\" says nothing about recommendations"
              : "");
}

char *frs_target_spec_column(const struct frs_target_spec *target_spec, bool has_validation) {
    return frs_format("%s%s",
        goes_by_validation(target_spec, has_validation) ? populations[VALIDATION]
        : population_of(target_spec) == PARTICIPANTS    ? populations[PARTICIPANTS]
                                                        : "",
        frs_target_spec_quality(target_spec));
}

bool frs_target_spec_has_validation(
    const struct frs_target_spec *target_spec, const struct frs_run_results *run) {
    char *name = frs_format("%s%s", populations[VALIDATION], frs_target_spec_quality(target_spec));
    struct frs_errors ignored = {0};
    size_t column;
    bool has = false;
    if (frs_records_column(&run->rounds, name, &column, &ignored) == FRS_OK)
        for (size_t i = 0; !has && i < run->rounds.n; i++) {
            double value;
            has = frs_records_number(&run->rounds, i, column, &value, &ignored) == FRS_OK && isfinite(value);
        }
    frs_errors_clear(&ignored);
    free(name);
    return has;
}

bool frs_target_spec_default(const struct frs_run_results *run, struct frs_target_spec *target_spec) {
    char *hits = frs_format("hr@%zu", run->k), *baseline = frs_format("non_federated.popularity.%s", hits);
    *target_spec = (struct frs_target_spec){0};
    if (frs_metrics_has(&run->metrics, baseline))
        *target_spec = (struct frs_target_spec){
            .metric = frs_strdup(hits), .non_federated = frs_strdup("popularity"), .bar = 0.03};
    else if (frs_metrics_has(&run->metrics, "non_federated.item_mean.rmse"))
        *target_spec = (struct frs_target_spec){
            .metric = frs_strdup("rmse"), .non_federated = frs_strdup("item_mean"), .lower = true};
    free(hits);
    free(baseline);
    return target_spec->metric;
}

struct frs_target_spec frs_target_spec_copy(const struct frs_target_spec *target_spec) {
    struct frs_target_spec copy = *target_spec;
    copy.metric = target_spec->metric ? frs_strdup(target_spec->metric) : NULL;
    copy.non_federated = target_spec->non_federated ? frs_strdup(target_spec->non_federated) : NULL;
    return copy;
}

void frs_target_spec_fini(struct frs_target_spec *target_spec) {
    free(target_spec->metric);
    free(target_spec->non_federated);
    *target_spec = (struct frs_target_spec){0};
}

double frs_target_spec_threshold(
    const struct frs_target_spec *target_spec, const struct frs_run_results *run) {
    if (!target_spec->non_federated)
        return target_spec->bar;
    /* A non-federated baseline is the same for all clients, so participants are compared with its value on
     * the test items. */
    bool by_validation = goes_by_validation(target_spec, frs_target_spec_has_validation(target_spec, run));
    char *name = frs_format("non_federated.%s.%s%s", target_spec->non_federated,
        by_validation ? populations[VALIDATION] : "", frs_target_spec_quality(target_spec));
    double value = frs_metrics_get(&run->metrics, name);
    free(name);
    return value + target_spec->bar;
}
