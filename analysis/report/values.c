/* Values of the page's data. */
#include "analysis/report/report_internal.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <math.h>
#include <stdlib.h>

json_t *frs_report_number(double value) {
    if (isnan(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 1e15) /* without ".0", of which a large page has thousands */
        return json_integer((json_int_t)value);
    return isinf(value) ? json_string(value > 0 ? "inf" : "-inf") : json_real(value);
}

double frs_report_rounded(double value, int digits) {
    char *text = frs_format("%.*e", digits - 1, value);
    double rounded = isfinite(value) ? strtod(text, NULL) : value;
    free(text);
    return rounded;
}

/* One line: what is no UTF-8, and what would turn the direction of the text around, is replaced. */
json_t *frs_report_text(const char *text) {
    char *line = frs_quoted_line(text);
    json_t *value = json_string(line);
    free(line);
    return value ? value : json_string("?");
}
