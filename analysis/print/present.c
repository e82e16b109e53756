#include "analysis/print/present.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/quoting.h"
#include "sim/base/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DECIMALS = 9 };

/* Half widths that differ by more have no number of decimals in common. */
static const double WIDE_RANGE = 100;

/* A half width that is less than this part of the mean comes from the order of additions. */
static const double SUMS_ROUND_BY = 1e-9;

struct unit {
    double from, size; /* for values of at least `from`; in base units */
    const char *name;
};

static const struct unit plain[] = {{0, 1, ""}};
static const struct unit times[] = {{0, 1e-6, "µs"}, {1e-3, 1e-3, "ms"}, {1, 1, "s"}, {120, 60, "min"},
    {7200, 3600, "h"}, {2 * 86400, 86400, "d"}};
static const struct unit bytes[] = {
    {0, 1, "B"}, {1e3, 1e3, "kB"}, {1e6, 1e6, "MB"}, {1e9, 1e9, "GB"}, {1e12, 1e12, "TB"}};
static const struct unit flops[] = {
    {0, 1, "flop"}, {1e3, 1e3, "kflop"}, {1e6, 1e6, "Mflop"}, {1e9, 1e9, "Gflop"}, {1e12, 1e12, "Tflop"}};
static const struct unit joules[] = {{0, 1, "J"}, {1e3, 1e3, "kJ"}, {1e6, 1e6, "MJ"}, {1e9, 1e9, "GJ"}};

static const struct {
    const struct unit *units;
    size_t n;
} families[] = {
    [FRS_UNIT_NONE] = {plain, 1},
    [FRS_UNIT_TIME] = {times, sizeof times / sizeof *times},
    [FRS_UNIT_BYTES] = {bytes, sizeof bytes / sizeof *bytes},
    [FRS_UNIT_FLOP] = {flops, sizeof flops / sizeof *flops},
    [FRS_UNIT_ENERGY] = {joules, sizeof joules / sizeof *joules},
};

static struct unit unit_for(const char *metric, double largest) {
    enum frs_metric_unit family = frs_metric_unit(metric);
    size_t i = families[family].n;
    while (--i > 0 && families[family].units[i].from > largest)
        ;
    struct unit unit = families[family].units[i];
    if (largest == 0 && family == FRS_UNIT_TIME)
        unit = times[2];
    return unit;
}

/* Decimals that leave `value` this many significant digits. */
static int decimals_for(double value, int digits) {
    double decimals = digits - 1 - floor(log10(value));
    return decimals < 0 ? 0 : decimals > MAX_DECIMALS ? MAX_DECIMALS : (int)decimals;
}

/* What the half widths (or, with `means`, the sizes of the means) that are above 0 say. */
struct sizes {
    double least, median, most; /* all 0 when there are none; the lower median */
};

static struct sizes sizes_of(const struct frs_estimate *estimates, size_t n, bool means) {
    double *sizes = frs_alloc(n, sizeof *sizes);
    size_t n_sizes = 0;
    for (size_t i = 0; i < n; i++) {
        double size = means ? fabs(estimates[i].mean) : estimates[i].half_width;
        if (size > 0 && isfinite(size))
            sizes[n_sizes++] = size;
    }
    qsort(sizes, n_sizes, sizeof *sizes, frs_compare_doubles);
    struct sizes result = {0};
    if (n_sizes > 0)
        result = (struct sizes){sizes[0], sizes[(n_sizes - 1) / 2], sizes[n_sizes - 1]};
    free(sizes);
    return result;
}

static bool all_are_whole(const struct frs_estimate *estimates, size_t n, double factor) {
    for (size_t i = 0; i < n; i++) {
        double value = estimates[i].mean * factor;
        if (isfinite(value) && value != round(value))
            return false;
    }
    return true;
}

/* Whether a figure loses digits that matter: two of its half width, or all but one of a mean without any. */
static bool loses_digits(const struct frs_style *style, const struct frs_estimate *estimate) {
    double mean = fabs(estimate->mean) * style->factor, width = estimate->half_width * style->factor;
    if (!isfinite(mean) || mean == 0)
        return false;
    if (width > SUMS_ROUND_BY * mean)
        return decimals_for(width, 2) >= style->decimals + 2;
    return decimals_for(mean, 2) > style->decimals && mean * pow(10, style->decimals) < 9.5 &&
           mean != round(mean);
}

/* Units that have several sizes can be mixed. */
static bool should_mix(
    const char *metric, const struct frs_style *style, const struct frs_estimate *estimates, size_t n) {
    bool loses = false;
    for (size_t i = 0; i < n && families[frs_metric_unit(metric)].n > 1; i++)
        loses = loses || loses_digits(style, &estimates[i]);
    return loses && !style->by_value;
}

struct frs_style frs_style_of(const char *metric, const struct frs_estimate *estimates, size_t n) {
    struct sizes means = sizes_of(estimates, n, true), widths = sizes_of(estimates, n, false);
    bool by_value = widths.most > WIDE_RANGE * widths.least;
    struct unit unit = unit_for(metric, by_value ? means.median : fmax(means.most, widths.most));
    struct frs_style style = {.factor = 1 / unit.size, .unit = unit.name, .by_value = by_value};
    if (widths.median > 0)
        style.decimals = decimals_for(widths.median * style.factor, 2);
    else if (!all_are_whole(estimates, n, style.factor))
        style.decimals = decimals_for(means.most * style.factor, 4);
    if (n > 1 && should_mix(metric, &style, estimates, n))
        return (struct frs_style){.factor = 1, .unit = "", .mixed = true, .metric = metric};
    return style;
}

/* Whether this many decimals show nothing of a value that is not zero. */
static bool vanishes(double value, int decimals) {
    return value != 0 && fabs(value) < 0.5 * pow(10, -decimals);
}

/* For a value in the unit, with a half width that may be 0 or NaN. */
static int decimals_of(const struct frs_style *style, double mean, double width) {
    if (!style->by_value)
        return width > 0 && vanishes(width, style->decimals) ? decimals_for(width, 2) : style->decimals;
    if (!(width > 0))
        return mean == round(mean) ? 0 : decimals_for(fabs(mean), 4);
    int decimals = decimals_for(width, 2), most = decimals_for(fabs(mean), 5);
    return mean != 0 && decimals > most ? most : decimals;
}

/* The half width; what the decimals would show as 0 without being it is written another way. */
static char *width_text(double width, int decimals) {
    if (isnan(width))
        return frs_strdup("–");
    return width == 0 || vanishes(width, decimals) ? frs_format("%.1g", width)
                                                   : frs_format("%.*f", decimals, width);
}

/* Takes over `text`. */
static char *with_unit(char *text, const char *unit) {
    char *longer = *unit ? frs_format("%s %s", text, unit) : frs_strdup(text);
    free(text);
    return longer;
}

char *frs_present_value(const struct frs_style *style, double value) {
    if (style->mixed && isfinite(value)) {
        struct frs_estimate alone = {.n = 1, .mean = value, .half_width = NAN};
        struct frs_style own = frs_style_of(style->metric, &alone, 1);
        return with_unit(frs_present_value(&own, value), own.unit);
    }
    double scaled = value * style->factor;
    if (!isfinite(scaled))
        return frs_strdup("–");
    int decimals = decimals_of(style, scaled, 0);
    if (vanishes(scaled, decimals))
        return frs_format("%.3g", scaled);
    return frs_format("%.*f", decimals, scaled);
}

char *frs_present(const struct frs_style *style, const struct frs_estimate *estimate, bool plus) {
    if (style->mixed && isfinite(estimate->mean)) {
        struct frs_style own = frs_style_of(style->metric, estimate, 1);
        return with_unit(isnan(estimate->half_width) && !plus ? frs_present_value(&own, estimate->mean)
                                                              : frs_present(&own, estimate, plus),
            own.unit);
    }
    double mean = estimate->mean * style->factor, width = estimate->half_width * style->factor;
    if (!isfinite(mean))
        return frs_strdup("–");
    if (width < SUMS_ROUND_BY * fabs(mean))
        width = 0;
    int decimals = decimals_of(style, mean, width);
    if (mean == 0 && width == 0)
        return frs_strdup("0 ± 0");
    char *left = !(width > 0) && vanishes(mean, decimals)
                     ? frs_format(plus ? "%+.3g" : "%.3g", mean)
                     : frs_format(plus && mean != 0 ? "%+.*f" : "%.*f", decimals, mean);
    char *right = width_text(width, decimals), *text = frs_format("%s ± %s", left, right);
    free(right);
    free(left);
    return text;
}

/* ---- tables ---- */

void frs_text_table_take(struct frs_text_table *grid, char *text) {
    grid->cells = frs_grow(grid->cells, grid->n + 1, &grid->capacity, sizeof *grid->cells);
    grid->cells[grid->n++] = text;
}

void frs_text_table_add(struct frs_text_table *grid, const char *text) {
    frs_text_table_take(grid, frs_quoted_markdown(text));
}

/* Characters, not bytes. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void print_row(const struct frs_text_table *grid, size_t row, const size_t *widths, FILE *out) {
    for (size_t column = 0; column < grid->n_columns; column++) {
        const char *text = grid->cells[row * grid->n_columns + column];
        fprintf(out, "| %s%*s ", text, (int)(widths[column] - width_of(text)), "");
    }
    fputs("|\n", out);
}

/* Row by row, each figure behind the head of its column: what a narrow terminal can show unbroken. */
static void print_records(const struct frs_text_table *grid, FILE *out) {
    size_t n = grid->n_columns;
    for (size_t i = n; i < grid->n; i++)
        if (*grid->cells[i] || i % n == 0)
            fprintf(out, "%s%s: %s\n", i % n == 0 ? "- " : "    ", grid->cells[i % n], grid->cells[i]);
}

static bool is_too_wide(const struct frs_text_table *grid, const size_t *widths, FILE *out) {
    size_t columns = 1;
    for (size_t column = 0; column < grid->n_columns; column++)
        columns += widths[column] + 3;
    return frs_terminal_is_narrow(out, columns);
}

void frs_text_table_print(const struct frs_text_table *grid, FILE *out) {
    size_t *widths = frs_alloc(grid->n_columns, sizeof *widths);
    for (size_t i = 0; i < grid->n; i++) {
        size_t width = width_of(grid->cells[i]), column = i % grid->n_columns;
        if (width > widths[column])
            widths[column] = width;
    }
    bool records = is_too_wide(grid, widths, out);
    if (records)
        print_records(grid, out);
    for (size_t row = 0; !records && row < grid->n / grid->n_columns; row++) {
        print_row(grid, row, widths, out);
        for (size_t column = 0; row == 0 && column < grid->n_columns; column++) {
            fputc('|', out);
            for (size_t i = 0; i < widths[column] + 2; i++)
                fputc('-', out);
        }
        if (row == 0)
            fputs("|\n", out);
    }
    free(widths);
}

void frs_text_table_fini(struct frs_text_table *grid) {
    for (size_t i = 0; i < grid->n; i++)
        free(grid->cells[i]);
    free(grid->cells);
    *grid = (struct frs_text_table){0};
}
