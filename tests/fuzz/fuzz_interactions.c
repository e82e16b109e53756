/* Files of interactions, in every format and compression: they are refused in lines, or become rows within
 * their counts.
 *
 *   what is asked for u8 (0: the format is recognised) · the bytes of the file */
#include "algorithms/data/data.h"
#include "algorithms/data/read_rows.h"
#include "algorithms/data/settings.h"
#include "sim/base/errors.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t n_formats(const struct frs_values *values) {
    size_t n = 0;
    while (frs_values_find(values, "format")->param->choices[n])
        n++;
    return n;
}

/* The generator is no format of a file. */
static size_t format_of(uint8_t asked, size_t n) {
    size_t format = asked % n;
    return format == FRS_FORMAT_SYNTHETIC ? FRS_FORMAT_AUTO : format;
}

static void check_rows(const struct frs_rows *rows) {
    FRS_INVARIANT(rows->n > 0 && rows->layout && *rows->layout, "%zu rows", rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        FRS_INVARIANT(rows->users[i] < rows->n_users && rows->items[i] < rows->n_items, "row %zu", i);
        FRS_INVARIANT(isfinite(rows->values[i]) && (!rows->times || isfinite(rows->times[i])), "row %zu", i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    if (size == 0)
        return 0;
    struct frs_values values = frs_values_of(frs_data_params, NULL);
    frs_values_find(&values, "format")->choice = format_of(data[0], n_formats(&values));
    frs_values_find(&values, "csv_header")->boolean = data[0] & 0x80;
    char *exact = frs_alloc(size, 1); /* so that a sanitizer sees reads behind the end */
    memcpy(exact, data + 1, size - 1);
    enum frs_status status = frs_read_rows_of(&values, "file", exact, size - 1, &rows, &errors);
    FRS_INVARIANT((status == FRS_OK) == (errors.n == 0), "status %d with %zu errors", (int)status, errors.n);
    if (status == FRS_OK)
        check_rows(&rows);
    else
        FRS_INVARIANT(!rows.users && !rows.layout, "refused, and rows are left");
    frs_rows_fini(&rows);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    free(exact);
    return 0;
}
