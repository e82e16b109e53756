/* fedrecsim list metrics and list columns: every figure that a run can have, and every column of its files.
 */
#include "analysis/columns/columns.h"
#include "analysis/statistics/metric_names.h"
#include "analysis/read/json.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/list_tables.h"

#include <stdlib.h>
#include <string.h>

static const char *better_text(enum frs_better better) {
    return better == FRS_HIGHER ? "higher" : better == FRS_LOWER ? "lower" : "-";
}

void frs_list_metrics(FILE *out) {
    size_t width = 0;
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++) {
        char *name = frs_metric_shown(entry);
        width = strlen(name) > width && strlen(name) <= 40 ? strlen(name) : width;
        free(name);
    }
    fputs(
        "metrics: figures of a run, as --expect, --until, --best, --metric and sweep.metrics name them; K is "
        "evaluation.k, NAME a name of the run's own\n",
        out);
    fprintf(
        out, "  %-*s  %-6s  %-6s  %s\n", (int)width, "name", "unit", "better", "meaning (where it is from)");
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++) {
        char *name = frs_metric_shown(entry);
        fprintf(out, "  %-*s  %-6s  %-6s  %s (%s)\n", (int)width, name, entry->unit,
            better_text(entry->better), entry->meaning, entry->from);
        free(name);
    }
}

static const char *unit_text(const struct frs_result_column *column) {
    return *column->unit ? column->unit : "-";
}

static void print_column(FILE *out, const struct frs_result_column *column, size_t width) {
    if (!column->name) {
        fprintf(out, "%s%s: %s\n", column == frs_result_columns ? "" : "\n", column->file, column->meaning);
        return;
    }
    char *name = frs_result_column_shown(column);
    fprintf(out, "  %-*s  %-7s  %s\n", (int)width, name, unit_text(column), column->meaning);
    free(name);
}

void frs_list_columns(FILE *out) {
    size_t width = 0;
    for (const struct frs_result_column *column = frs_result_columns; column->file; column++)
        width = column->name && strlen(column->name) >= width ? strlen(column->name) + 1 : width;
    for (const struct frs_result_column *column = frs_result_columns; column->file; column++)
        print_column(out, column, width);
}

/* ---- for programs ---- */

static json_t *text_or_null(const char *text) {
    return *text ? json_string(text) : json_null();
}

json_t *frs_list_metrics_json(void) {
    json_t *root = frs_cli_json("fedrecsim-metrics-1"), *list = json_array();
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++) {
        json_t *object = json_object();
        char *name = frs_metric_shown(entry);
        frs_json_set(object, "name", json_string(name));
        frs_json_set(object, "unit", json_string(entry->unit));
        frs_json_set(object, "better",
            entry->better == FRS_NEITHER ? json_null() : json_string(better_text(entry->better)));
        frs_json_set(object, "meaning", json_string(entry->meaning));
        frs_json_set(object, "from", json_string(entry->from));
        frs_json_append(list, object);
        free(name);
    }
    frs_json_set(root, "metrics", list);
    return root;
}

json_t *frs_list_columns_json(void) {
    json_t *root = frs_cli_json("fedrecsim-columns-1"), *files = json_array(), *columns = NULL;
    for (const struct frs_result_column *column = frs_result_columns; column->file; column++) {
        json_t *object = json_object();
        char *name = column->name ? frs_result_column_shown(column) : NULL;
        frs_json_set(object, column->name ? "name" : "file", json_string(column->name ? name : column->file));
        if (column->name)
            frs_json_set(object, "unit", text_or_null(column->unit));
        frs_json_set(object, "meaning", json_string(column->meaning));
        if (!column->name)
            frs_json_set(object, "columns", columns = json_array());
        frs_json_append(column->name ? columns : files, object);
        free(name);
    }
    frs_json_set(root, "files", files);
    return root;
}
