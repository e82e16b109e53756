/* The answer of a search as answer.json, from which report.html is drawn. */
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "sim/base/memory.h"
#include "sim/solve/solve_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

const char *frs_solve_value(const struct solving *s, size_t setting) {
    return s->question->values[setting];
}

const char *frs_solve_wanted(const struct solving *s) {
    bool is_range = s->question->is_range;
    if (s->question->wanted == FRS_BEST)
        return "best";
    if (s->question->wanted == FRS_LARGEST)
        return is_range ? "largest" : "last";
    return is_range ? "smallest" : "first";
}

/* ---- answer.json ---- */

static void set_real(json_t *object, const char *key, double value) {
    frs_json_set(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_text(json_t *object, const char *key, const char *text) {
    frs_json_set(object, key, text ? json_string(text) : json_null());
}

/* Settings in the order of the question. */
static void set_list(json_t *object, const char *key, const struct solving *s, const struct frs_found *found,
    bool (*belongs)(const struct solving *s, const struct frs_found *found, size_t setting)) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->question->n; i++)
        if (s->cells[i] != SIZE_MAX && belongs(s, found, i))
            frs_json_append(list, json_string(frs_solve_value(s, i)));
    frs_json_set(object, key, list);
}

static bool has_verdict(const struct solving *s, const struct frs_found *found, size_t setting) {
    (void)found;
    return frs_solve_verdict(s, setting, NULL);
}

/* Each setting that was run, in the order of the question: what the answer goes by. */
static json_t *figures_of(const struct solving *s, const char *metric) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->question->n; i++) {
        if (s->cells[i] == SIZE_MAX)
            continue;
        struct frs_repeats figure = frs_solve_figure(s, i, metric);
        json_t *object = json_object();
        set_text(object, "setting", frs_solve_value(s, i));
        set_real(object, "mean", figure.estimate.mean);
        set_real(object, "half_width", figure.estimate.half_width);
        frs_json_set(object, "n", json_integer((json_int_t)figure.estimate.n));
        frs_json_set(object, "missed", json_integer((json_int_t)figure.missed));
        frs_json_set(object, "keeps", json_boolean(frs_solve_is_good((void *)(uintptr_t)s, i)));
        set_text(object, "verdict", frs_solve_verdict(s, i, NULL));
        frs_json_append(list, object);
    }
    return list;
}

/* What a picture of the answer needs: the bound in the metric's own unit, and the figures. */
static void set_picture(json_t *object, const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    struct frs_solve_lines lines = frs_solve_lines_of(s, found);
    json_t *texts = json_array(), *figures = json_object();
    for (size_t i = 0; i < lines.n; i++)
        frs_json_append(texts, json_string(lines.list[i]));
    set_text(object, "axis", q->axis);
    frs_json_set(object, "is_range", json_boolean(q->is_range));
    set_text(object, "metric", q->metric);
    frs_json_set(object, "bound", q->metric ? json_real(q->bound) : json_null());
    if (q->metric)
        frs_json_set(figures, q->metric, figures_of(s, q->metric));
    if (q->best)
        frs_json_set(figures, q->best, figures_of(s, q->best));
    set_text(object, "best", q->best);
    frs_json_set(object, "figures", figures);
    frs_json_set(object, "lines", texts);
    frs_solve_lines_fini(&lines);
}

static json_t *answer_object(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    json_t *object = json_object(), *tried = json_array();
    set_text(object, "format", "fedrecsim-answer-1");
    set_text(object, "settings", q->settings);
    set_text(object, "until", q->until);
    set_text(object, "wanted", q->wanted == FRS_BEST ? q->best : frs_solve_wanted(s));
    set_text(object, "answer", found->any ? frs_solve_value(s, found->setting) : NULL);
    if (found->any && q->metric) {
        struct frs_estimate e = frs_solve_figure(s, found->setting, q->metric).estimate;
        set_real(object, "mean", e.mean);
        set_real(object, "ci_low", e.mean - e.half_width);
        set_real(object, "ci_high", e.mean + e.half_width);
        set_text(object, "next", found->has_next ? frs_solve_value(s, found->next) : NULL);
    }
    struct frs_solve_gaps gaps = frs_solve_gaps_of(s, found);
    if (gaps.misses > 0) {
        set_text(object, "without_gap", gaps.without == SIZE_MAX ? NULL : frs_solve_value(s, gaps.without));
        frs_json_set(object, "misses_before_it", json_integer((json_int_t)gaps.misses));
    }
    set_real(object, "chance_of_error", frs_solve_error(s, found));
    if (found->any && q->wanted == FRS_BEST)
        set_list(object, "within_noise", s, found, frs_solve_within_noise);
    set_list(object, "without_results", s, found, has_verdict);
    set_text(object, "by", found->by_halving ? "halving" : found->untried > 0 ? "part" : "all");
    set_text(object, "assumed", found->by_halving && found->untried > 0 ? "monotone" : NULL);
    frs_json_set(object, "untried", json_integer((json_int_t)found->untried));
    for (size_t i = 0; i < s->n_tried; i++)
        frs_json_append(tried, json_string(frs_solve_value(s, s->tried[i])));
    frs_json_set(object, "tried", tried);
    set_picture(object, s, found);
    return object;
}

enum frs_status frs_solve_write(
    const struct solving *s, const struct frs_found *found, struct frs_errors *errors) {
    char *path = frs_format("%s/answer.json", s->session.folder);
    json_t *object = answer_object(s, found);
    struct frs_draft draft;
    enum frs_status status = frs_draft_open(&draft, path, errors);
    if (status == FRS_OK) {
        json_dumpf(object, draft.file, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
        fputc('\n', draft.file);
        status = frs_draft_commit(&draft, errors);
    }
    json_decref(object);
    free(path);
    return status;
}
