#include "analysis/target/time_to_target.h"
#include "analysis/read/sent_bytes.h"
#include "sim/base/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ROUND[] = "round", END[] = "end_s";

bool frs_time_to_target_reads(const void *target_spec, const char *column) {
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
        {FRS_TARGET_SENT, last->sent.all, last->sent.all - before->sent.all},
        {FRS_TARGET_EDGES, last->sent.edges, last->sent.edges - before->sent.edges}};
    size_t n = sizeof figures / sizeof *figures - (last->sent.edges > 0 ? 0 : 1);
    for (size_t i = 0; i < n; i++) {
        frs_metrics_set(metrics, figures[i].name, reached ? figures[i].value : INFINITY);
        frs_metrics_set_step(metrics, figures[i].name, figures[i].step);
    }
}

enum frs_status frs_time_to_target_apply(
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

struct frs_target_after frs_time_to_target_after(
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
