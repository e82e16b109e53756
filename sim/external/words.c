#include "sim/external/words.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take(struct frs_words *line, const char **word, size_t *n) {
    while (line->at < line->end && *line->at == ' ')
        line->at++;
    *word = line->at;
    while (line->at < line->end && *line->at != ' ')
        line->at++;
    *n = (size_t)(line->at - *word);
    return *n > 0;
}

bool frs_words_line(const char **lines, struct frs_words *line) {
    const char *end = strchr(*lines, '\n');
    if (!end)
        return false;
    *line = (struct frs_words){*lines, end};
    *lines = end + 1;
    return true;
}

bool frs_words_is(struct frs_words *line, const char *expected) {
    struct frs_words before = *line;
    const char *word;
    size_t n;
    if (take(line, &word, &n) && strlen(expected) == n && memcmp(word, expected, n) == 0)
        return true;
    *line = before;
    return false;
}

bool frs_words_are_over(struct frs_words line) {
    const char *word;
    size_t n;
    return !take(&line, &word, &n);
}

char *frs_words_text(struct frs_words *line) {
    const char *word;
    size_t n;
    return take(line, &word, &n) ? frs_format("%.*s", (int)n, word) : NULL;
}

char *frs_words_rest(struct frs_words *line) {
    while (line->at < line->end && *line->at == ' ')
        line->at++;
    char *rest = frs_format("%.*s", (int)(line->end - line->at), line->at);
    line->at = line->end;
    return rest;
}

bool frs_words_number(struct frs_words *line, double *number) {
    const char *word;
    char copy[64], *end;
    size_t n;
    if (!take(line, &word, &n) || n >= sizeof copy)
        return false;
    memcpy(copy, word, n);
    copy[n] = '\0';
    *number = strtod(copy, &end);
    return end == copy + n && !strchr(copy, 'x') && !strchr(copy, 'X');
}

bool frs_words_count(struct frs_words *line, double most, size_t *count) {
    double number;
    if (!frs_words_number(line, &number) || !(number >= 0 && number <= most) || number != floor(number))
        return false;
    *count = (size_t)number;
    return true;
}
