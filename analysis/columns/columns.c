#include "analysis/columns/columns.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

const struct frs_result_column frs_result_columns[] = {
#define FRS_FILE(file_, what_) {.file = file_, .meaning = what_},
#define FRS_COLUMN(name_, unit_, meaning_) {.file = "", .name = name_, .unit = unit_, .meaning = meaning_},
#include "analysis/columns/columns.def"
#undef FRS_FILE
#undef FRS_COLUMN
    {0},
};

char *frs_result_column_shown(const struct frs_result_column *column) {
    bool has_k = column->name[strlen(column->name) - 1] == '@';
    return frs_format("%s%s", column->name, has_k ? "K" : "");
}

static bool is_of(const char *name, const char *column) {
    size_t length = strlen(column);
    if (column[length - 1] != '@')
        return strcmp(name, column) == 0;
    return strncmp(name, column, length) == 0 && name[length] &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

bool frs_result_column_is_known(const char *file, const char *name) {
    bool is_file = false;
    for (const struct frs_result_column *column = frs_result_columns; column->file; column++) {
        if (!column->name)
            is_file = strcmp(column->file, file) == 0;
        else if (is_file && is_of(name, column->name))
            return true;
    }
    return false;
}

/* "|" separates cells, and "<" and "*" are markup. */
static void put_cell(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|' || *text == '<' || *text == '*' || *text == '_')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void put_column(FILE *out, const struct frs_result_column *column) {
    char *name = frs_result_column_shown(column);
    fprintf(out, "| `%s` | ", name);
    free(name);
    put_cell(out, *column->unit ? column->unit : "the metric's");
    fputs(" | ", out);
    put_cell(out, column->meaning);
    fputs(" |\n", out);
}

static void put_metrics(FILE *out) {
    static const char *const better[] = {[FRS_NEITHER] = "–", [FRS_HIGHER] = "higher", [FRS_LOWER] = "lower"};
    fputs("\n## Metrics\n\nThe figures of a run, as points.csv, `--expect`, `--until`, `--best`, `--metric` "
          "and "
          "`sweep.metrics` name them. K is each of `evaluation.k`; NAME is a name of the run's own: a "
          "baseline, a "
          "group, a cause.\n\n| Metric | Unit | Better | Meaning | From |\n|---|---|---|---|---|\n",
        out);
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++) {
        char *name = frs_metric_shown(entry);
        fprintf(out, "| `%s` | %s | %s | ", name, entry->unit, better[entry->better]);
        put_cell(out, entry->meaning);
        fprintf(out, " | %s |\n", entry->from);
        free(name);
    }
}

void frs_columns_markdown(FILE *out) {
    fputs(
        "\nNumbers have up to 15 significant digits and SI units, which column names end in. New columns may "
        "come at any place: read them by name.\n",
        out);
    for (const struct frs_result_column *column = frs_result_columns; column->file; column++) {
        if (column->name) {
            put_column(out, column);
            continue;
        }
        fprintf(out, "\n## `%s`\n\n", column->file);
        fprintf(out, "%c%s.\n\n| Column | Unit | Meaning |\n|---|---|---|\n",
            column->meaning[0] >= 'a' && column->meaning[0] <= 'z' ? column->meaning[0] - 'a' + 'A'
                                                                   : column->meaning[0],
            column->meaning + 1);
    }
    put_metrics(out);
}
