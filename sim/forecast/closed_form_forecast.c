#include "sim/forecast/closed_form_forecast.h"
#include "sim/base/settings/units.h"
#include "sim/forecast/population_preview.h"
#include "sim/closed_form/closed_form.h"

static void print_omissions(const struct frs_setup *setup, FILE *out) {
    const char *omissions[FRS_CLOSED_FORM_OMISSIONS];
    size_t n = frs_closed_form_leaves_out(setup, omissions);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i == 0 ? "; leaves out " : i + 1 == n ? " and " : ", ", omissions[i]);
    fputc('\n', out);
}

void frs_closed_form_forecast_print(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, double down_bytes, FILE *out) {
    char one[64], round[64];
    if (frs_closed_form_why_not(setup)) {
        fprintf(out, "  closed form  none: %s\n", frs_closed_form_why_not(setup));
        return;
    }
    struct frs_expectation expectation = frs_expectation(setup, estimate, down_bytes);
    struct frs_closed_form form =
        frs_closed_form(setup, &(struct frs_usages){frs_expected_usage, &expectation});
    fprintf(out, "  closed form  %s a participation on average, %s a round (%s)",
        frs_units_format(form.participation_s, FRS_TIME, one, sizeof one),
        frs_units_format(form.round_s, FRS_TIME, round, sizeof round),
        form.slowest_s < form.server_link_s ? "by the server's link" : "by the slowest it waits for");
    print_omissions(setup, out);
}
