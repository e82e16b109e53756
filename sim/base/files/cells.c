#include "sim/base/files/cells.h"

#include <string.h>
#include <strings.h>

static bool is_one_of(const char *const *words, const char *text, size_t n, bool any_case) {
    for (size_t i = 0; words[i]; i++)
        if (strlen(words[i]) == n &&
            (any_case ? strncasecmp(words[i], text, n) : strncmp(words[i], text, n)) == 0)
            return true;
    return false;
}

bool frs_cell_is_absent(const char *text, size_t n) {
    static const char *const words[] = {"NaN", "nan", "NAN", "NULL", "Null", "null", "NA", "N/A", "n/a",
        "#N/A", "<NA>", "None", "NaT", "\\N", NULL};
    /* Ids are many, and few of them begin so. */
    return n == 0 || (n <= 4 && strchr("Nn#<\\", *text) && is_one_of(words, text, n, false));
}

bool frs_cell_is_comment(const char *line, size_t n) {
    while (n > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        n--;
    }
    return n > 0 && (*line == '#' || *line == '%') && !(n > 1 && line[1] >= '0' && line[1] <= '9');
}

/* In UTF-8: U+00A0, U+200B, U+202F, U+3000, U+FEFF. */
static const char *const wide[] = {
    "\xc2\xa0", "\xe2\x80\x8b", "\xe2\x80\xaf", "\xe3\x80\x80", "\xef\xbb\xbf"};

static size_t blank_at_start(const char *text, size_t n) {
    if (n > 0 && (*text == ' ' || *text == '\t'))
        return 1;
    for (size_t i = 0; n > 1 && (*text & 0x80) && i < sizeof wide / sizeof *wide; i++) {
        size_t length = strlen(wide[i]);
        if (n >= length && memcmp(text, wide[i], length) == 0)
            return length;
    }
    return 0;
}

static size_t blank_at_end(const char *text, size_t n) {
    if (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        return 1;
    for (size_t i = 0; n > 1 && (text[n - 1] & 0x80) && i < sizeof wide / sizeof *wide; i++) {
        size_t length = strlen(wide[i]);
        if (n >= length && memcmp(text + n - length, wide[i], length) == 0)
            return length;
    }
    return 0;
}

void frs_cell_trim(const char **text, size_t *n) {
    for (size_t blank; (blank = blank_at_start(*text, *n)) > 0; *n -= blank)
        *text += blank;
    for (size_t blank; (blank = blank_at_end(*text, *n)) > 0;)
        *n -= blank;
}

bool frs_cell_is_total(const char *text, size_t n) {
    static const char *const words[] = {"total", "grand total", "totals", "sum", "summe", "gesamt",
        "gesamtsumme", "gesamtergebnis", "somme", "total general", "total g\xc3\xa9n\xc3\xa9ral", "subtotal",
        "average", "mean", "mittelwert", NULL};
    while (n > 0 && (text[n - 1] == ':' || text[n - 1] == ' '))
        n--;
    return is_one_of(words, text, n, true);
}
