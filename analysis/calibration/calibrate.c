#include "analysis/calibration/calibrate.h"
#include "analysis/calibration/calibrate_internal.h"
#include "sim/base/errors.h"

#include <stdarg.h>
#include <string.h>

void frs_calibration_say(FILE *out, const char *format, ...) {
    va_list arguments;
    fputs("// ", out);
    va_start(arguments, format);
    frs_vprint_line(out, format, arguments);
    va_end(arguments);
}

void frs_calibration_quantiles(FILE *out, const char *what, double *values, size_t n, const char *unit) {
    frs_median_of(values, n); /* sorts them */
    frs_calibration_say(out, "  %-10s %.4g, %.4g, %.4g %s (10 %%, 50 %%, 90 %% of the clients)", what,
        frs_quantile_of_sorted(values, n, 0.1), frs_quantile_of_sorted(values, n, 0.5),
        frs_quantile_of_sorted(values, n, 0.9), unit);
}

/* A text of a scenario. */
void frs_calibration_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

bool frs_calibration_is_ours(const char *text) {
    text += strspn(text, "#/ ");
    return strncmp(text, FRS_CALIBRATION_MARK, strlen(FRS_CALIBRATION_MARK)) == 0;
}

enum frs_status frs_calibrate(
    const struct frs_log *log, const struct frs_calibrate_options *options, struct frs_errors *errors) {
    if (!options->table && log->n_classes > 1)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has %zu classes, and a distribution holds for all clients alike; allowed: --table FILE, for "
            "a row "
            "for each client, or --class NAME, for those of one class",
            options->log, log->n_classes);
    frs_calibration_say(options->out, "%s%s: %zu %s of %zu client%s.", FRS_CALIBRATION_MARK, options->log,
        log->n, log->of_rounds ? "participations" : "transfers", log->n_clients,
        log->n_clients == 1 ? "" : "s");
    if (options->table)
        fprintf(options->table, "# %s%s\n", FRS_CALIBRATION_MARK,
            "a log: a row for each of its clients, in its order");
    if (!log->of_rounds)
        return frs_calibrate_transfers(log, options, errors);
    frs_calibrate_rounds(log, options);
    return FRS_OK;
}
