#include "analysis/report/so_far.h"
#include "analysis/live/time_left.h"
#include "analysis/read/sent_bytes.h"
#include "analysis/report/report_internal.h"
#include "analysis/statistics/metrics.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- rounds.csv, as it is at one moment ---- */

/* A file in memory with the whole lines that a file has now; -1: there are none. */
static int snapshot(const char *path) {
    enum { PIECE = 1 << 18 };
    int from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), to = -1;
    struct stat status;
    off_t n = 0, whole = 0;
    if (from >= 0 && fstat(from, &status) == 0 && S_ISREG(status.st_mode))
        to = memfd_create("rounds.csv", MFD_CLOEXEC);
    char *piece = frs_alloc(PIECE, 1);
    for (ssize_t got; to >= 0 && (got = pread(from, piece, PIECE, n)) > 0; n += got) {
        const char *last = memrchr(piece, '\n', (size_t)got);
        if (write(to, piece, (size_t)got) != got)
            break;
        whole = last ? n + (last - piece) + 1 : whole;
    }
    free(piece);
    if (from >= 0)
        close(from);
    if (to >= 0 && (whole == 0 || ftruncate(to, whole) != 0)) {
        close(to);
        to = -1;
    }
    return to;
}

static enum frs_status read_rounds(const char *path, struct frs_records *rounds, struct frs_errors *errors) {
    int file = snapshot(path);
    if (file < 0)
        return FRS_ERR_INPUT;
    char *name = frs_format("/proc/self/fd/%d", file);
    enum frs_status status = frs_records_read(name, rounds, errors);
    free(name);
    close(file);
    return status;
}

/* ---- what its sums say ---- */

static size_t column_of(const struct frs_records *rounds, const char *name) {
    size_t column = 0;
    while (column < rounds->n_columns && strcmp(rounds->names[column], name) != 0)
        column++;
    return column;
}

/* NaN: there is no such column, or nothing in it. */
static double value_in(const struct frs_records *rounds, size_t row, size_t column) {
    struct frs_errors ignored = {0};
    double value = NAN;
    if (column >= rounds->n_columns || frs_records_number(rounds, row, column, &value, &ignored) != FRS_OK)
        value = NAN;
    frs_errors_clear(&ignored);
    return value;
}

static double value_of(const struct frs_records *rounds, size_t row, const char *name) {
    return value_in(rounds, row, column_of(rounds, name));
}

static double sum_of(const struct frs_records *rounds, const char *name) {
    size_t column = column_of(rounds, name);
    double sum = 0;
    for (size_t row = 0; row < rounds->n; row++) {
        double value = value_in(rounds, row, column);
        sum += isnan(value) ? 0 : value;
    }
    return sum;
}

static void set_sum(const struct frs_records *rounds, const char *column, json_t *object, const char *key) {
    frs_json_set(object, key, json_real(sum_of(rounds, column)));
}

static json_t *path_of(const struct frs_records *rounds) {
    json_t *path = json_object();
    for (size_t i = 0; i < rounds->n_columns; i++)
        if (strncmp(rounds->names[i], "path_", 5) == 0)
            set_sum(rounds, rounds->names[i], path, rounds->names[i] + 5);
    return path;
}

/* Hit rates and errors as they were when the run was last evaluated. */
static json_t *metrics_of(const struct frs_records *rounds, const char **quality) {
    json_t *metrics = json_object();
    *quality = NULL;
    for (size_t i = 0; i < rounds->n_columns; i++) {
        const char *name = rounds->names[i];
        if (!frs_metric_is_quality(name, NULL) || strcmp(name, "participants_share") == 0)
            continue;
        for (size_t row = rounds->n; row-- > 0;) {
            double value = value_of(rounds, row, name);
            if (isnan(value))
                continue;
            frs_json_set(metrics, name, frs_report_number(value));
            bool leads = strncmp(name, "hr@", 3) == 0 || strcmp(name, "rmse") == 0;
            *quality = !*quality && leads ? name : *quality;
            break;
        }
    }
    return metrics;
}

/* Rounds that were kept, and attempts that were not. */
static size_t kept_rounds(const struct frs_records *rounds) {
    double round = value_of(rounds, rounds->n - 1, "round");
    size_t column = column_of(rounds, "lost");
    bool lost = column < rounds->n_columns && *frs_records_field(rounds, rounds->n - 1, column);
    return isnan(round) || round < (lost ? 1 : 0) ? 0 : (size_t)round - (lost ? 1 : 0);
}

static json_t *summary_of(const struct frs_records *rounds, const char *method, const char **quality) {
    static const char *const outcomes[] = {"delivered", "late", "cut", "unavailable", "dropped_down",
        "dropped_compute", "dropped_up", "refused"};
    json_t *summary = json_object(), *bytes = json_object(), *ends = json_object();
    set_sum(rounds, "down_bytes", bytes, "down");
    set_sum(rounds, "up_bytes", bytes, "up");
    set_sum(rounds, "setup_down_bytes", bytes, "setup_down");
    set_sum(rounds, "setup_up_bytes", bytes, "setup_up");
    if (sum_of(rounds, "edge_down_bytes") > 0) {
        set_sum(rounds, "edge_down_bytes", bytes, "edge_down");
        set_sum(rounds, "edge_up_bytes", bytes, "edge_up");
        frs_json_set(bytes, "edge_wasted",
            json_real(sum_of(rounds, "wasted_edge_down_bytes") + sum_of(rounds, "wasted_edge_up_bytes")));
    }
    frs_json_set(
        bytes, "wasted", json_real(sum_of(rounds, "wasted_down_bytes") + sum_of(rounds, "wasted_up_bytes")));
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        set_sum(rounds, outcomes[i], ends, outcomes[i]);
    frs_json_set(summary, "method", frs_report_text(method));
    frs_json_set(summary, "rounds", json_integer((json_int_t)kept_rounds(rounds)));
    frs_json_set(summary, "simulated_s", frs_report_number(value_of(rounds, rounds->n - 1, "end_s")));
    frs_json_set(summary, "bytes", bytes);
    frs_json_set(summary, "outcomes", ends);
    set_sum(rounds, "selected", summary, "participations");
    set_sum(rounds, "idle_s", summary, "idle_s");
    frs_json_set(summary, "critical_path", path_of(rounds));
    frs_json_set(summary, "metrics", metrics_of(rounds, quality));
    return summary;
}

/* ---- what the whole run may come to ---- */

static double sent_in(const struct frs_records *rounds, size_t row) {
    struct frs_sent_columns columns;
    struct frs_sent_bytes sent = {0};
    struct frs_errors ignored = {0};
    enum frs_status status = frs_sent_find(rounds, &columns, &ignored);
    if (status == FRS_OK)
        status = frs_sent_add(rounds, row, &columns, &sent, &ignored);
    frs_errors_clear(&ignored);
    return status == FRS_OK ? sent.all : 0;
}

static double ended_in(const struct frs_records *rounds, size_t row) {
    return value_of(rounds, row, "end_s") - (row > 0 ? value_of(rounds, row - 1, "end_s") : 0);
}

static void project(const struct frs_records *rounds, double (*of)(const struct frs_records *, size_t),
    double left, const char *key, json_t *projected) {
    size_t first = rounds->n / 2, n = rounds->n - first;
    double *values = frs_alloc(n, sizeof *values), so_far = 0;
    for (size_t row = 0; row < rounds->n; row++) {
        double value = of(rounds, row);
        so_far += value;
        if (row >= first)
            values[row - first] = value;
    }
    struct frs_time_left sum = frs_time_left_of_points(values, n, (size_t)llround(left), 0, 1);
    free(values);
    if (isnan(sum.s))
        return;
    json_t *list = json_array();
    frs_json_append(list, frs_report_number(so_far + sum.s));
    frs_json_append(list, frs_report_number(so_far + sum.low_s));
    frs_json_append(list, frs_report_number(so_far + sum.high_s));
    frs_json_set(projected, key, list);
}

json_t *frs_report_of_run_so_far(const char *rounds_csv, const char *method, size_t n_rounds) {
    struct frs_errors ignored = {0};
    struct frs_records rounds;
    json_t *page = NULL;
    if (read_rounds(rounds_csv, &rounds, &ignored) == FRS_OK) {
        page = rounds.n > 0 ? json_object() : NULL;
        if (page && frs_report_set_rounds(&rounds, page, &ignored) == FRS_OK) {
            const char *quality;
            size_t kept = kept_rounds(&rounds);
            json_t *projected = json_object(), *provenance = json_object();
            frs_json_set(page, "kind", json_string("run"));
            frs_json_set(page, "so_far", json_true());
            frs_json_set(page, "summary", summary_of(&rounds, method, &quality));
            frs_json_set(page, "quality", quality ? json_string(quality) : json_null());
            frs_json_set(provenance, "settings", json_object());
            frs_json_set(page, "provenance", provenance);
            if (kept > 0 && kept < n_rounds) {
                double left = (double)(n_rounds - kept) * (double)rounds.n / (double)kept;
                project(&rounds, ended_in, left, "simulated_s", projected);
                project(&rounds, sent_in, left, "bytes", projected);
            }
            frs_json_set(page, "projected", projected);
        } else {
            json_decref(page);
            page = NULL;
        }
        frs_records_fini(&rounds);
    }
    frs_errors_clear(&ignored);
    return page;
}

json_t *frs_report_of_sweep_so_far(const char *folder) {
    struct frs_errors ignored = {0};
    json_t *page = frs_report_of_entries(&folder, 1, NULL, &ignored);
    frs_errors_clear(&ignored);
    return page;
}
