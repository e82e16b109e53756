/* Logs of transfers and of rounds, as `fedrecsim calibrate` reads them, and what is fitted to them: they are
 * refused in lines, or become a fragment of a scenario and a table whose numbers are finite.
 *
 *   how it is asked u8: bit 0 a table, bit 1 uploads by default, bit 2 counted operations · the log */
#include "analysis/calibration/calibrate.h"
#include "sim/base/memory.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdlib.h>

static void check_log(const struct frs_log *log) {
    for (size_t i = 0; i < log->n; i++) {
        const struct frs_log_row *row = &log->rows[i];
        FRS_INVARIANT(row->client < log->n_clients && (!log->of_rounds || row->round < log->n_rounds) &&
                          row->duration_s > 0 && (log->of_rounds || row->bytes > 0),
            "row %zu", i);
    }
    for (size_t i = 0; i < log->n_clients; i++)
        FRS_INVARIANT(log->class_of[i] < log->n_classes, "class %zu of client %zu", log->class_of[i], i);
}

/* No setting of the fragment, and no field of the table, is a number that no reader takes. */
static void check_numbers(const char *text) {
    FRS_INVARIANT(!strstr(text, "= nan") && !strstr(text, "= inf") && !strstr(text, "= -nan") &&
                      !strstr(text, "\"nan") && !strstr(text, "\"inf") && !strstr(text, "\"-nan") &&
                      !strstr(text, ",nan") && !strstr(text, ",-nan"),
        "not finite: %s", text);
}

static void calibrate(const struct frs_log *log, uint8_t how, struct frs_errors *errors) {
    char *texts[2] = {NULL, NULL};
    size_t n[2];
    FILE *out = open_memstream(&texts[0], &n[0]), *table = open_memstream(&texts[1], &n[1]);
    enum frs_status status = frs_calibrate(log,
        &(struct frs_calibrate_options){.log = "log.csv",
            .out = out,
            .table = how & 1 ? table : NULL,
            .table_path = "fleet.csv",
            .flop = how & 4 && log->of_rounds ? 1e9 : 0},
        errors);
    fclose(out);
    fclose(table);
    fuzz_check_errors(status != FRS_OK, errors);
    for (int i = 0; status == FRS_OK && i < 2; i++)
        check_numbers(texts[i]);
    free(texts[0]);
    free(texts[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fuzz_file file;
    struct frs_errors errors = {0};
    struct frs_log log;
    if (size == 0)
        return 0;
    const struct frs_log_options options = {.direction = data[0] & 2 ? FRS_LOG_UP : FRS_LOG_DOWN};
    enum frs_status status =
        frs_log_read(&log, fuzz_file_write(&file, data + 1, size - 1), &options, &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    if (status == FRS_OK) {
        check_log(&log);
        calibrate(&log, data[0], &errors);
    }
    frs_log_fini(&log);
    frs_errors_clear(&errors);
    return 0;
}
