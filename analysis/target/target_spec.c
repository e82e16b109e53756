#include "analysis/target/target_spec.h"
#include "analysis/read/sent_bytes.h"
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
    char *nearest = metric ? frs_metric_nearest(metric, at ? strtoul(at + 1, NULL, 10) : 0) : NULL;
    bool is_near = nearest && frs_metric_is_quality(nearest, NULL);
    char *wrong =
        metric && *metric
            ? frs_format("\"%s\" is no measure of quality%s%s%s; ", frs_text_line(metric, name, sizeof name),
                  is_near ? "; did you mean \"" : "", is_near ? nearest : "", is_near ? "\"?" : "")
            : frs_strdup("");
    free(nearest);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "target \"%s\": %sallowed: METRIC=NUMBER or METRIC=BASELINE+NUMBER, where METRIC is hr@K, ndcg@K, "
        "mae or rmse of the validation items, or with test. in front of the test items, as in hr@10=0.5 or "
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
static const char ROUND[] = "round", END[] = "end_s";

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

bool frs_target_spec_reads(const void *target_spec, const char *column) {
    static const char *const always[] = {ROUND, END};
    const char *quality = frs_target_spec_quality(target_spec);
    size_t length = strlen(column), ending = strlen(quality);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(column, always[i]) == 0)
            return true;
    if (frs_sent_reads(column))
        return true;
    return length >= ending && strcmp(column + length - ending, quality) == 0;
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
    /* A non-federated baseline is the same for all clients, so that participants are compared with its test
     * items. */
    bool by_validation = goes_by_validation(target_spec, frs_target_spec_has_validation(target_spec, run));
    char *name = frs_format("non_federated.%s.%s%s", target_spec->non_federated,
        by_validation ? populations[VALIDATION] : "", frs_target_spec_quality(target_spec));
    double value = frs_metrics_get(&run->metrics, name);
    free(name);
    return value + target_spec->bar;
}

/* Sums and the threshold are compared as printed: 0.43 must reach 0.4 + 0.03. */
static bool reaches(const struct frs_target_spec *target_spec, double value, double bar) {
    double tolerance = 1e-12 * fmax(1, fabs(bar));
    return target_spec->lower ? value <= bar + tolerance : value >= bar - tolerance;
}

struct columns {
    size_t round, end_s, metric;
    struct frs_sent_columns sent;
};

static enum frs_status find_columns(const struct frs_records *rounds, const char *metric,
    struct columns *columns, struct frs_errors *errors) {
    const struct {
        const char *name;
        size_t *column;
    } wanted[] = {{ROUND, &columns->round}, {END, &columns->end_s}, {metric, &columns->metric}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (frs_records_column(rounds, wanted[i].name, wanted[i].column, errors) != FRS_OK)
            return FRS_ERR_INPUT;
    return frs_sent_find(rounds, &columns->sent, errors);
}

struct row {
    double round, end_s, value;
};

static enum frs_status read_row(const struct frs_records *rounds, size_t i, const struct columns *columns,
    struct row *row, struct frs_errors *errors) {
    const struct {
        size_t column;
        double *value;
    } wanted[] = {
        {columns->round, &row->round}, {columns->end_s, &row->end_s}, {columns->metric, &row->value}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (frs_records_number(rounds, i, wanted[k].column, wanted[k].value, errors) != FRS_OK)
            return FRS_ERR_INPUT;
    return FRS_OK;
}

/* A round and what it took to get there. */
struct milestone {
    double round, end_s;
    struct frs_sent_bytes sent;
};

static void set_reached(
    struct frs_metrics *metrics, const struct milestone *last, const struct milestone *before, bool reached) {
    const struct {
        const char *name;
        double value, step;
    } figures[] = {{FRS_TARGET_ROUND, last->round, last->round - before->round},
        {FRS_TARGET_TIME, last->end_s, last->end_s - before->end_s},
        {FRS_TARGET_BYTES, last->sent.messages, last->sent.messages - before->sent.messages},
        {FRS_TARGET_SENT, last->sent.all, last->sent.all - before->sent.all}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        frs_metrics_set(metrics, figures[i].name, reached ? figures[i].value : INFINITY);
        frs_metrics_set_step(metrics, figures[i].name, figures[i].step);
    }
}

enum frs_status frs_target_spec_apply(
    const struct frs_target_spec *target_spec, struct frs_run_results *run, struct frs_errors *errors) {
    struct columns columns;
    struct row row;
    struct milestone last = {0}, before = {0}; /* the evaluations, from the start of the run */
    struct frs_sent_bytes sent = {0};
    double bar = frs_target_spec_threshold(target_spec, run);
    bool evaluated = false, reached = false;
    char *column = frs_target_spec_column(target_spec, frs_target_spec_has_validation(target_spec, run));
    enum frs_status status = find_columns(&run->rounds, column, &columns, errors);
    free(column);
    for (size_t i = 0; status == FRS_OK && !reached && i < run->rounds.n; i++) {
        status = read_row(&run->rounds, i, &columns, &row, errors);
        if (status == FRS_OK)
            status = frs_sent_add(&run->rounds, i, &columns.sent, &sent, errors);
        if (status != FRS_OK || !isfinite(row.value))
            continue;
        evaluated = true;
        before = last;
        last = (struct milestone){row.round, row.end_s, sent};
        reached = reaches(target_spec, row.value, bar);
    }
    if (status != FRS_OK || !evaluated)
        return status;
    if (isnan(bar))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s/summary.json: has no %s of the non-federated baseline \"%s\"; evaluation.non_federated "
            "decides what a run "
            "reports",
            run->path, target_spec->metric, target_spec->non_federated);
    set_reached(&run->metrics, &last, &before, reached);
    return FRS_OK;
}

struct frs_target_after frs_target_spec_after(
    const struct frs_target_spec *target_spec, bool has_validation, const struct frs_run_results *run) {
    struct frs_target_after after = {.last = NAN};
    struct frs_errors errors = {0};
    struct columns columns;
    struct row row;
    double bar = frs_target_spec_threshold(target_spec, run),
           reached = frs_metrics_get(&run->metrics, FRS_TARGET_ROUND);
    char *column = frs_target_spec_column(target_spec, has_validation);
    bool known = isfinite(reached) && find_columns(&run->rounds, column, &columns, &errors) == FRS_OK;
    for (size_t i = 0; known && i < run->rounds.n; i++) {
        if (read_row(&run->rounds, i, &columns, &row, &errors) != FRS_OK)
            break; /* such a file has been refused when the target was applied */
        if (!isfinite(row.value) || row.round <= reached)
            continue;
        after.evaluations++;
        after.last = row.value;
        after.ends_missed = !reaches(target_spec, row.value, bar);
        after.missed += after.ends_missed;
    }
    frs_errors_clear(&errors);
    free(column);
    return after;
}
