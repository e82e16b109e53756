#include "sim/base/text.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void lower(const char *text, size_t n, char *to) {
    for (size_t i = 0; i < n; i++)
        to[i] = (char)tolower((unsigned char)text[i]);
}

/* Optimal string alignment: Levenshtein's table with one more case for two swapped letters. */
size_t frs_text_distance(const char *first, const char *second) {
    size_t n = strlen(first), m = strlen(second);
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    size_t table[LONGEST + 1][LONGEST + 1];
    char a[LONGEST], b[LONGEST];
    lower(first, n, a);
    lower(second, m, b);
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            size_t replaced = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            size_t best = least(replaced, least(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, table[i - 2][j - 2] + 1);
            table[i][j] = best;
        }
    }
    return table[n][m];
}

bool frs_text_is_near(const char *written, size_t distance) {
    size_t length = strlen(written);
    return distance <= (length < 3 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3);
}

const char *frs_text_nearest(const char *written, const char *const *names) {
    const char *nearest = NULL;
    size_t smallest = SIZE_MAX;
    for (; *names; names++) {
        size_t distance = frs_text_distance(written, *names);
        if (distance < smallest && frs_text_is_near(written, distance)) {
            nearest = *names;
            smallest = distance;
        }
    }
    return nearest;
}

char *frs_text_line(const char *text, char *out, size_t size) {
    char *line = frs_quoted_line(text);
    size_t length = strlen(line), kept = length < size ? length : size - 4;
    /* A character of several bytes is kept or dropped as a whole. */
    while (kept < length && kept > 0 && ((unsigned char)line[kept] & 0xC0) == 0x80)
        kept--;
    memcpy(out, line, kept);
    strcpy(out + kept, kept < length ? "..." : "");
    free(line);
    return out;
}

char *frs_text_last_line(const char *text) {
    static const char blanks[] = " \t\r\n";
    size_t end = strlen(text);
    while (end > 0 && strchr(blanks, text[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    while (start < end && strchr(blanks, text[start]))
        start++;
    return frs_format("%.*s", (int)(end - start), text + start);
}

char *frs_text_number(double value, char *text, size_t size) {
    char number[FRS_DECIMAL_CHARS];
    frs_decimal_real(number, value); /* 15 digits, or fewer */
    for (int digits = 16; digits <= 17 && strtod(number, NULL) != value; digits++)
        snprintf(number, sizeof number, "%.*g", digits, value);
    snprintf(text, size, "%s", number);
    return text;
}

char *frs_text_count(uint64_t n, char text[FRS_TEXT_COUNT_CHARS]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}
