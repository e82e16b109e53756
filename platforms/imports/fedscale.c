/* FedScale's availability (client_behave_trace, Lai et al. 2022), from a CSV export: the file itself, a
 * pickle, could not be had. */
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
    static const char *const client_names[] = {"client", NULL};
    static const char *const active_names[] = {"active", NULL};
    static const char *const inactive_names[] = {"inactive", NULL};
    size_t client, active, inactive;
    struct frs_csv csv;
    bool ok = frs_csv_open_table(&csv, import->path, import->errors) &&
              frs_import_column(import, &csv, client_names, &client) &&
              frs_import_column(import, &csv, active_names, &active) &&
              frs_import_column(import, &csv, inactive_names, &inactive);
    while (ok && frs_csv_next(&csv, import->errors)) {
        import->line = csv.line;
        double from_s, to_s;
        char start[32], end[32];
        const char *id = frs_import_id(import, &csv, client);
        ok = id && number(import, &csv, active, &from_s) && number(import, &csv, inactive, &to_s);
        if (!ok || to_s - from_s < 1e-3) /* it has some of no length */
            continue;
        fprintf(import->out, "%s,%s,%s\n", id, frs_text_number(from_s, start, sizeof start),
            frs_text_number(to_s, end, sizeof end));
        import->n_rows++;
    }
    ok = ok && !csv.failed;
    frs_csv_close(&csv);
    return ok;
}

const struct frs_import_kind frs_import_fedscale = {
    .name = "fedscale",
    .summary = "sessions, from a CSV export of client_behave_trace",
    .layout = "FedScale, from an export (its own file was not at hand): CSV with client, active and "
              "inactive, a line for each session, times in s",
    .marks = (const char *const[]){"active", "inactive", NULL},
    .target = FRS_IMPORT_SESSIONS,
    .columns = "client,start_s,end_s",
    .read = read,
};
