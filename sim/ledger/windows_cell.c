#include "sim/ledger/windows_cell.h"
#include "sim/base/decimal.h"

#include <inttypes.h>

void frs_put_windows_cell(FILE *out, const struct frs_windows *windows) {
    frs_put_text(out, ",");
    for (size_t i = 0; i < windows->n; i++) {
        fprintf(out, "%s%" PRIu64 ":", i > 0 ? " " : "", windows->of[i].bytes);
        frs_put_real(out, windows->of[i].wait_s);
    }
}
