/* Ookla's open data of speed tests: tiles of a map with means over their tests (CSV export of its Parquet
 * files). */
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
    static const char *const down_names[] = {"avg_d_kbps", NULL};
    static const char *const up_names[] = {"avg_u_kbps", NULL};
    static const char *const rtt_names[] = {"avg_lat_ms", NULL};
    static const char *const tests_names[] = {"tests", NULL};
    size_t down, up, rtt, tests;
    struct frs_csv csv;
    bool ok = frs_csv_open_table(&csv, import->path, import->errors) &&
              frs_import_column(import, &csv, down_names, &down) &&
              frs_import_column(import, &csv, up_names, &up) &&
              frs_import_column(import, &csv, rtt_names, &rtt) &&
              frs_import_column(import, &csv, tests_names, &tests);
    while (ok && frs_csv_next(&csv, import->errors)) {
        import->line = csv.line;
        double values[4];
        char text[4][32];
        ok = number(import, &csv, down, &values[0]) && number(import, &csv, up, &values[1]) &&
             number(import, &csv, rtt, &values[2]) && number(import, &csv, tests, &values[3]);
        if (!ok || values[0] <= 0 || values[1] <= 0) /* a tile without a measured direction */
            continue;
        for (size_t i = 0; i < 4; i++)
            frs_text_number(values[i], text[i], sizeof text[i]);
        fprintf(import->out, "%s,%s,%s,%s\n", text[0], text[1], text[2], text[3]);
        import->n_rows++;
    }
    ok = ok && !csv.failed;
    frs_csv_close(&csv);
    return ok;
}

const struct frs_import_kind frs_import_ookla = {
    .name = "ookla",
    .summary = "links of tiles, drawn as often as they were tested (weight)",
    .layout = "Ookla: CSV with avg_d_kbps, avg_u_kbps, avg_lat_ms (there and back) and tests; other columns "
              "are passed over",
    .marks = (const char *const[]){"avg_d_kbps", "avg_u_kbps", NULL},
    .target = FRS_IMPORT_FLEET,
    .columns = "down_kbit_s,up_kbit_s,rtt_ms,weight",
    .read = read,
};
