#include "sim/base/roff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDEST = 78 };

/* Writes the character at `text` in roff's notation, if `out` is not NULL. Returns how many bytes the
 * character has in `text`, and in *width how many in roff. A character outside ASCII is named by its
 * number, so that any locale shows it. */
static size_t put_character(FILE *out, const char *text, size_t *width) {
    static const char special[] = "\\-\"'";
    static const char *const escapes[] = {"\\e", "\\-", "\\(dq", "\\(aq"};
    unsigned char first = (unsigned char)*text;
    char escape[16] = {' '};
    size_t n = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first > ' ')
        escape[0] = *text;
    const char *found = first ? strchr(special, first) : NULL;
    if (found) {
        strcpy(escape, escapes[found - special]);
    } else if (n > 1) {
        unsigned code = first & (0x7fu >> n);
        for (size_t i = 1; i < n; i++)
            code = code << 6 | ((unsigned char)text[i] & 0x3fu);
        snprintf(escape, sizeof escape, "\\[u%04X]", code);
    }
    if (out)
        fputs(escape, out);
    *width = strlen(escape);
    return n;
}

static void put(FILE *out, const char *text, size_t n) {
    size_t width;
    for (size_t i = 0; i < n;)
        i += put_character(out, text + i, &width);
}

/* The words of one paragraph, filled into lines; a dot that begins a line would be a request. */
static void put_words(FILE *out, const char *text, size_t n) {
    size_t column = 0;
    for (size_t i = 0; i < n;) {
        size_t begin = i, width = 0;
        for (size_t of_one; i < n && text[i] != ' '; width += of_one)
            i += put_character(NULL, text + i, &of_one);
        if (i > begin) {
            if (column > 0 && column + 1 + width > WIDEST) {
                fputc('\n', out);
                column = 0;
            } else if (column > 0) {
                fputc(' ', out);
                column++;
            }
            if (column == 0 && text[begin] == '.')
                fputs("\\&", out);
            put(out, text + begin, i - begin);
            column += width;
        }
        while (i < n && text[i] == ' ')
            i++;
    }
    if (column > 0)
        fputc('\n', out);
}

/* An argument in bold: "\fB" would not protect a quotation mark from being one of the request's own. */
static void put_bold(FILE *out, const char *text) {
    fputs("\\fB", out);
    put(out, text, strlen(text));
    fputs("\\fR\n", out);
}

void frs_roff_title(FILE *out, const char *name, int section) {
    const char *told = getenv("SOURCE_DATE_EPOCH");
    time_t now = told && *told ? (time_t)strtoll(told, NULL, 10) : time(NULL);
    char day[16];
    struct tm date;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &date));
    fputs(".TH \"", out);
    for (const char *c = name; *c; c++) {
        char upper[] = {(char)toupper((unsigned char)*c), '\0'};
        put(out, upper, 1);
    }
    fprintf(out, "\" \"%d\" \"%s\" \"fedrecsim " FRS_VERSION "\" \"fedrecsim\"\n", section, day);
}

void frs_roff_heading(FILE *out, const char *heading) {
    fprintf(out, ".SH %s\n", heading);
}

void frs_roff_subheading(FILE *out, const char *heading) {
    fputs(".SS ", out);
    put(out, heading, strlen(heading));
    fputc('\n', out);
}

void frs_roff_paragraphs(FILE *out, const char *text) {
    for (size_t n_paragraphs = 0; *text; n_paragraphs++) {
        size_t n = strcspn(text, "\n");
        if (n > 0 && n_paragraphs > 0)
            fputs(".PP\n", out);
        put_words(out, text, n);
        text += n + (text[n] == '\n');
    }
}

void frs_roff_entry(FILE *out, const char *tag, const char *text) {
    fputs(".TP\n", out);
    put_bold(out, tag);
    if (*text)
        put_words(out, text, strlen(text));
    else
        fputs("\\&\n", out);
}

void frs_roff_example(FILE *out, const char *text) {
    fputs(".nf\n.RS\n", out);
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (*text == '.')
            fputs("\\&", out);
        put(out, text, n);
        fputc('\n', out);
        text += n + (text[n] == '\n');
    }
    fputs(".RE\n.fi\n", out);
}
