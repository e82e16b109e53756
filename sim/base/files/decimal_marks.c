#include "sim/base/files/decimal_marks.h"

#include <stdint.h>
#include <stdio.h>

static size_t digits(const char *text, size_t n) {
    size_t found = 0;
    while (found < n && text[found] >= '0' && text[found] <= '9')
        found++;
    return found;
}

size_t frs_decimal_marks_take(struct frs_decimal_marks *marks, const char *text, size_t n, size_t line) {
    if (n == 0)
        return SIZE_MAX;
    size_t sign = *text == '-' || *text == '+', n_whole = digits(text + sign, n - sign), at = sign + n_whole;
    if (n_whole == 0 || at + 1 >= n || (text[at] != ',' && text[at] != '.'))
        return SIZE_MAX;
    size_t n_decimals = n - at - 1;
    if (digits(text + at + 1, n_decimals) < n_decimals)
        return SIZE_MAX;
    size_t *first = text[at] == ',' ? &marks->comma_line : &marks->point_line;
    if (*first == 0)
        *first = line;
    if (text[at] == '.')
        return SIZE_MAX;
    if (!(n_whole <= 3 && text[sign] != '0' && n_decimals == 3))
        marks->thousands_line = SIZE_MAX;
    else if (marks->thousands_line == 0)
        marks->thousands_line = line;
    return at;
}

const char *frs_decimal_marks_wrong(const struct frs_decimal_marks *marks, char text[224]) {
    bool mixed = marks->comma_line > 0 && marks->point_line > 0;
    if (!mixed && (marks->thousands_line == 0 || marks->thousands_line == SIZE_MAX))
        return NULL;
    if (mixed)
        snprintf(text, 224,
            "has a number with a comma, and line %zu one with a point; allowed: one of them before decimals, "
            "and nothing between thousands",
            marks->point_line);
    else
        snprintf(text, 224,
            "has a number with a comma that can stand before decimals or between thousands, as all commas of "
            "this file can; allowed: points before decimals, and nothing between thousands");
    return text;
}
