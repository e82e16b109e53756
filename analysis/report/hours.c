/* The hours of a run, as its page has them (hours.csv). */
#include "analysis/report/report_internal.h"
#include "analysis/read/records.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows beyond which only some are on the page: four weeks are whole. */
enum { MOST_HOURS = 700 };

static enum frs_status set_column(const struct frs_records *hours, size_t column, size_t every,
    json_t *columns, struct frs_errors *errors) {
    json_t *list = json_array();
    enum frs_status status = FRS_OK;
    for (size_t row = 0; row < hours->n && status == FRS_OK; row += every) {
        double value = NAN;
        status = frs_records_number(hours, row, column, &value, errors);
        frs_json_append(list, frs_report_number(value));
    }
    frs_json_set(columns, hours->names[column], list);
    return status;
}

/* Runs of older versions have none. */
enum frs_status frs_report_set_hours(const char *folder, json_t *page, struct frs_errors *errors) {
    static const char *const needed[] = {
        "start_s", "end_s", "clock_hour", "selected", "rounds", "connections_most", "down_bytes", "up_bytes"};
    struct frs_records hours;
    char *path = frs_format("%s/hours.csv", folder);
    bool is_there = access(path, F_OK) == 0;
    enum frs_status status = is_there ? frs_records_read(path, &hours, errors) : FRS_OK;
    free(path);
    if (!is_there || status != FRS_OK)
        return status;
    json_t *columns = json_object();
    size_t every = hours.n / MOST_HOURS + 1, column;
    frs_json_set(page, "hours", columns);
    frs_json_set(page, "n_hours", json_integer((json_int_t)hours.n));
    for (size_t i = 0; i < sizeof needed / sizeof *needed && status == FRS_OK; i++)
        status = frs_records_column(&hours, needed[i], &column, errors);
    for (size_t i = 0; i < hours.n_columns && status == FRS_OK; i++)
        status = set_column(&hours, i, every, columns, errors);
    frs_records_fini(&hours);
    return status;
}
