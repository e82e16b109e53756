/* Raw data of Measuring Broadband America (FCC, curr_httpgetmt.csv): tests of downloads by unit and time. A
 * unit becomes a client with the mean of its tests as downlink. */
#include "platforms/imports/import.h"
#include "sim/base/decimal.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

struct unit {
    char *id;
    double sum;
    size_t n, place;
};

struct units {
    struct unit *list;
    size_t n, capacity;
};

static int by_id(const void *a, const void *b) {
    const struct unit *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static bool read_tests(struct frs_import *import, struct frs_csv *csv, struct units *units) {
    static const char *const ids[] = {"unit_id", NULL}, *const rates[] = {"bytes_sec", NULL},
                             *const failures[] = {"failures", NULL};
    size_t id, rate, failed;
    if (!frs_import_column(import, csv, ids, &id) || !frs_import_column(import, csv, rates, &rate) ||
        !frs_import_column(import, csv, failures, &failed))
        return false;
    while (frs_csv_next(csv, import->errors)) {
        double value, failure;
        char line[48];
        import->line = csv->line;
        if (!frs_csv_decimal(csv, rate, &value) || !frs_csv_decimal(csv, failed, &failure) || value < 0)
            return frs_import_error(import, "bytes_sec \"%s\" or failures is no number from 0 on",
                frs_text_line(csv->fields[rate], line, sizeof line));
        if (failure > 0 || value < 1)
            continue;
        if (!frs_import_id(import, csv, id))
            return false;
        units->list = frs_grow(units->list, units->n + 1, &units->capacity, sizeof *units->list);
        units->list[units->n] = (struct unit){frs_strdup(csv->fields[id]), value, 1, units->n};
        units->n++;
    }
    return !csv->failed;
}

static bool read(struct frs_import *import) {
    struct frs_csv csv;
    struct units units = {0};
    bool ok = frs_csv_open_table(&csv, import->path, import->errors) && read_tests(import, &csv, &units);
    if (units.n > 0)
        qsort(units.list, units.n, sizeof *units.list, by_id);
    for (size_t i = 0, next; ok && i < units.n; i = next) {
        double sum = 0;
        char value[32];
        for (next = i; next < units.n && strcmp(units.list[next].id, units.list[i].id) == 0; next++)
            sum += units.list[next].sum;
        fprintf(import->out, "%s,%s\n", units.list[i].id,
            frs_text_number(sum / (double)(next - i), value, sizeof value));
        import->n_rows++;
    }
    for (size_t i = 0; i < units.n; i++)
        free(units.list[i].id);
    free(units.list);
    frs_csv_close(&csv);
    return ok;
}

const struct frs_import_kind frs_import_fcc = {
    .name = "fcc",
    .summary = "downlinks of Measuring Broadband America (curr_httpgetmt.csv), the mean of each unit's tests",
    .layout = "FCC: CSV with unit_id, bytes_sec and failures; tests that failed are left out, others are "
              "passed over",
    .marks = (const char *const[]){"unit_id", "bytes_sec", NULL},
    .target = FRS_IMPORT_FLEET,
    .columns = "client,down_bytes_per_s",
    .read = read,
};
