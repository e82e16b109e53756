#include "platforms/distributions/cdf.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "platforms/data/tables.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

static void add_point(struct frs_cdf *cdf, double value, double share) {
    cdf->values = frs_grow(cdf->values, cdf->n + 1, &cdf->capacity, sizeof *cdf->values);
    cdf->shares = frs_grow(cdf->shares, cdf->n + 1, &cdf->shares_capacity, sizeof *cdf->shares);
    cdf->values[cdf->n] = value;
    cdf->shares[cdf->n++] = share;
}

static bool read_value(struct frs_csv *csv, bool has_unit, enum frs_dimension dimension, double *value,
    struct frs_errors *errors) {
    if (!has_unit)
        return frs_csv_number(csv, 0, "value", value, errors);
    frs_csv_decimal(csv, 0, value); /* a decimal comma becomes a point */
    char *text = frs_format("%s %s", csv->fields[0], csv->fields[1]), line[64];
    bool ok = frs_units_parse(text, dimension, value) == FRS_OK;
    frs_text_line(text, line, sizeof line);
    if (!ok && frs_units_fit(text, dimension))
        frs_csv_error(csv, errors, "\"%s\" is too large; the most is %g %s", line, frs_units_most(dimension),
            frs_units_si(dimension));
    else if (!ok)
        frs_csv_error(
            csv, errors, "\"%s\" is not a number with a unit of %s", line, frs_units_allowed(dimension));
    free(text);
    return ok;
}

static bool read_point(struct frs_csv *csv, bool has_unit, enum frs_dimension dimension, double least,
    struct frs_cdf *cdf, struct frs_errors *errors) {
    double value, share;
    char number[32], before[32];
    if (!read_value(csv, has_unit, dimension, &value, errors) ||
        !frs_csv_number(csv, has_unit ? 2 : 1, "share", &share, errors))
        return false;
    if (value < least)
        return frs_csv_error(csv, errors, "value %s is below %s %s",
            frs_text_number(value, number, sizeof number), frs_text_number(least, before, sizeof before),
            frs_units_si(dimension));
    if (value > frs_units_most(dimension))
        return frs_csv_error(csv, errors, "value %s is above %s %s",
            frs_text_number(value, number, sizeof number),
            frs_text_number(frs_units_most(dimension), before, sizeof before), frs_units_si(dimension));
    if (share < 0 || share > 1)
        return frs_csv_error(
            csv, errors, "share %s is not from 0 to 1", frs_text_number(share, number, sizeof number));
    if (cdf->n > 0 && share <= cdf->shares[cdf->n - 1])
        return frs_csv_error(csv, errors, "share %s does not rise: the one before is %s",
            frs_text_number(share, number, sizeof number),
            frs_text_number(cdf->shares[cdf->n - 1], before, sizeof before));
    if (cdf->n > 0 && value < cdf->values[cdf->n - 1])
        return frs_csv_error(csv, errors, "value %s falls: the one before is %s",
            frs_text_number(value, number, sizeof number),
            frs_text_number(cdf->values[cdf->n - 1], before, sizeof before));
    add_point(cdf, value, share);
    return true;
}

bool frs_cdf_read(const char *path, enum frs_dimension dimension, double least, struct frs_cdf *cdf,
    struct frs_errors *errors) {
    static const char *const headers[] = {"value,share", "value,unit,share", NULL};
    struct frs_csv csv;
    size_t header = 0;
    *cdf = (struct frs_cdf){0};
    bool ok = frs_csv_open(&csv, path, headers, &header, errors);
    while (ok && frs_csv_next(&csv, errors))
        ok = read_point(&csv, header == 1, dimension, least, cdf, errors);
    ok = ok && !csv.failed;
    if (ok && (cdf->n == 0 || cdf->shares[cdf->n - 1] != 1)) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path,
            cdf->n == 0 ? "has no values" : "ends before share 1: the last line has to be the largest value");
        ok = false;
    }
    frs_csv_close(&csv);
    if (!ok)
        frs_cdf_fini(cdf);
    return ok;
}

void frs_cdf_of_table(const struct frs_table *table, struct frs_cdf *cdf) {
    *cdf = (struct frs_cdf){0};
    for (size_t i = 0; i < table->n; i++)
        add_point(cdf, table->values[i] * table->unit, (double)i / (double)(table->n - 1));
}

double frs_cdf_quantile(const struct frs_cdf *cdf, double u) {
    size_t low = 0, high = cdf->n - 1;
    if (u <= cdf->shares[0])
        return cdf->values[0];
    if (u >= cdf->shares[high])
        return cdf->values[high];
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (cdf->shares[middle] <= u)
            low = middle;
        else
            high = middle;
    }
    double part = (u - cdf->shares[low]) / (cdf->shares[high] - cdf->shares[low]);
    return cdf->values[low] + part * (cdf->values[high] - cdf->values[low]);
}

void frs_cdf_fini(struct frs_cdf *cdf) {
    free(cdf->values);
    free(cdf->shares);
    *cdf = (struct frs_cdf){0};
}
