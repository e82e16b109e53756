/* Short texts of the command line and of scenarios: each is refused with a reason, or keeps to the bounds
 * of its header.
 *
 *   a line "expect", "target", "axis", or "amount" and, behind a blank, a metric · the text;
 *   an axis takes a line each, and the last line is a cell */
#include "analysis/expect/amount.h"
#include "analysis/expect/expect.h"
#include "analysis/target/target_spec.h"
#include "sim/base/memory.h"
#include "sim/sweep/axis.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdlib.h>

static double figure(const void *context, const char *metric) {
    (void)context;
    return strlen(metric) % 3 == 0 ? NAN : (double)strlen(metric) / 10;
}

static void try_expectation(const char *text, struct frs_errors *errors) {
    struct frs_expectation *expectation;
    enum frs_status status =
        frs_expectation_parse(text, strlen(text) % 2 ? "10" : NULL, &expectation, errors);
    fuzz_check_errors(status != FRS_OK, errors);
    if (status != FRS_OK) {
        FRS_INVARIANT(errors->n == 1 && !expectation, "%zu errors", errors->n);
        return;
    }
    bool holds = frs_expectation_holds(expectation, NULL, figure, NULL, errors);
    fuzz_check_errors(!holds, errors);
    frs_expectation_destroy(expectation);
}

static void try_target(const char *text, struct frs_errors *errors) {
    struct frs_target_spec target = {0};
    enum frs_status status = frs_target_spec_parse(text, &target, errors);
    fuzz_check_errors(status != FRS_OK, errors);
    if (status == FRS_OK) {
        char *said = frs_target_spec_text(&target), *column = frs_target_spec_column(&target, true);
        FRS_INVARIANT(target.metric && isfinite(target.bar) && *said && *column, "a bar of %g", target.bar);
        free(said);
        free(column);
    }
    frs_target_spec_fini(&target);
}

static void try_axes(char *text, struct frs_errors *errors) {
    struct frs_axes axes = {0};
    char *rest = NULL, *cell = "";
    enum frs_status status = FRS_OK;
    for (char *line = strtok_r(text, "\n", &rest); line && status == FRS_OK;
         line = strtok_r(NULL, "\n", &rest)) {
        cell = line;
        status = frs_axes_add(&axes, line, "sweep.axes", axes.n % 2, errors);
        fuzz_check_errors(status != FRS_OK, errors);
    }
    frs_errors_clear(errors);
    for (size_t i = 0; i < axes.n; i++)
        FRS_INVARIANT(axes.axes[i].n > 0 && *axes.axes[i].name, "%zu levels", axes.axes[i].n);
    char *described = frs_axes_describe(&axes, 0), *normal;
    status = frs_axes_check_cell(&axes, cell, "sweep.baseline", &normal, errors);
    fuzz_check_errors(status != FRS_OK, errors);
    FRS_INVARIANT((status == FRS_OK) == (normal != NULL), "status %d", (int)status);
    free(normal);
    free(described);
    frs_axes_fini(&axes);
}

static void try_amount(const char *metric, const char *text) {
    double value = 0;
    if (!frs_amount_read(metric, text, &value))
        return;
    FRS_INVARIANT(isfinite(value), "\"%s\" of %s is %g", text, metric, value);
    char *said = frs_amount_describe(metric, value);
    FRS_INVARIANT(*said, "nothing is said of %g", value);
    free(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char kind[48];
    struct frs_errors errors = {0};
    if (!fuzz_take_line(&data, &size, kind, sizeof kind))
        return 0;
    char *text = frs_alloc(size + 1, 1), *word = strchr(kind, ' ');
    memcpy(text, data, size);
    if (word)
        *word++ = '\0';
    if (strcmp(kind, "expect") == 0)
        try_expectation(text, &errors);
    else if (strcmp(kind, "target") == 0)
        try_target(text, &errors);
    else if (strcmp(kind, "axis") == 0)
        try_axes(text, &errors);
    else if (strcmp(kind, "amount") == 0 && word)
        try_amount(word, text);
    frs_errors_clear(&errors);
    free(text);
    return 0;
}
