/* M-Lab's NDT: a row for each test of one direction (CSV export of its unified views). */
#include "platforms/imports/import.h"
#include "sim/base/files/csv.h"
#include "sim/base/text.h"

/* A field as a number from 0 on. */
static bool number(struct frs_import *import, struct frs_csv *csv, size_t column, double *value) {
    char line[48];
    return (frs_csv_decimal(csv, column, value) && *value >= 0) ||
           frs_import_error(import, "%s \"%s\" is no number from 0 on", csv->names[column],
               frs_text_line(csv->fields[column], line, sizeof line));
}

static bool read(struct frs_import *import) {
    static const char *const down_names[] = {"a.MeanThroughputMbps", "MeanThroughputMbps", NULL};
    static const char *const rtt_names[] = {"a.MinRTT", "MinRTT", NULL};
    size_t down, rtt;
    struct frs_csv csv;
    bool ok = frs_csv_open_table(&csv, import->path, import->errors) &&
              frs_import_column(import, &csv, down_names, &down) &&
              frs_import_column(import, &csv, rtt_names, &rtt);
    while (ok && frs_csv_next(&csv, import->errors)) {
        import->line = csv.line;
        double values[2];
        char text[2][32];
        ok = number(import, &csv, down, &values[0]) && number(import, &csv, rtt, &values[1]);
        if (!ok || values[0] <= 0) /* nothing was transferred */
            continue;
        for (size_t i = 0; i < 2; i++)
            frs_text_number(values[i], text[i], sizeof text[i]);
        fprintf(import->out, "%s,%s\n", text[0], text[1]);
        import->n_rows++;
    }
    ok = ok && !csv.failed;
    frs_csv_close(&csv);
    return ok;
}

const struct frs_import_kind frs_import_mlab = {
    .name = "mlab",
    .summary = "downlinks and round trips of NDT's tests",
    .layout = "M-Lab NDT, unified downloads: CSV with a.MeanThroughputMbps and a.MinRTT; other columns are "
              "passed over",
    .marks = (const char *const[]){"a.MeanThroughputMbps", NULL},
    .target = FRS_IMPORT_FLEET,
    .columns = "down_Mbit_s,rtt_ms",
    .read = read,
};
