#include "algorithms/data/reading/fields.h"
#include "sim/base/decimal.h"
#include "sim/base/files/cells.h"
#include "sim/base/files/decimal_marks.h"
#include "sim/base/utf8.h"

#include <string.h>

struct frs_separator frs_separator_of(const char *text) {
    if (strcmp(text, "tab") == 0)
        text = "\t";
    return (struct frs_separator){.text = text, .n = strlen(text), .blanks = strcmp(text, "blanks") == 0};
}

const char *frs_separator_name(const struct frs_separator *separator) {
    return strcmp(separator->text, "\t") == 0 ? "tab" : separator->text;
}

const char *frs_separator_words(const struct frs_separator *separator) {
    static const char *const words[][2] = {{",", "comma"}, {";", "semicolon"}, {" ", "blank"}, {"|", "bar"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(separator->text, words[i][0]) == 0)
            return words[i][1];
    return frs_separator_name(separator);
}

static inline bool blank(char character) {
    return character == ' ' || character == '\t';
}

static inline void add(struct frs_fields *fields, const char *begin, const char *end) {
    while (begin < end && blank(*begin))
        begin++;
    while (end > begin && blank(end[-1]))
        end--;
    struct frs_field field = {begin, (size_t)(end - begin)};
    if (field.n > 1 && ((*begin | end[-1]) & 0x80)) /* perhaps a no-break space */
        frs_cell_trim(&field.text, &field.n);
    if (fields->n < FRS_FIELDS_MOST)
        fields->at[fields->n] = field;
    fields->n++;
}

/* Returns the end of a quoted field that starts at `begin`: its closing quote, or NULL. */
static const char *closing_quote(const char *begin, const char *end) {
    for (const char *at = begin + 1; at < end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == end || at[1] != '"')
            return at;
        at++;
    }
    return NULL;
}

static const char *find(const struct frs_separator *separator, const char *begin, const char *end) {
    if (separator->n > 1)
        return memmem(begin, (size_t)(end - begin), separator->text, separator->n);
    /* Fields are short: a call of memchr takes longer. */
    for (char wanted = *separator->text; begin < end; begin++)
        if (*begin == wanted)
            return begin;
    return NULL;
}

static void split_at_blanks(struct frs_fields *fields, const char *begin, const char *end) {
    for (;;) {
        while (begin < end && blank(*begin))
            begin++;
        if (begin == end)
            return;
        const char *start = begin;
        while (begin < end && !blank(*begin))
            begin++;
        add(fields, start, begin);
    }
}

/* Whether a separator or the end of the line is all that follows. */
static bool field_ends(const struct frs_separator *separator, const char *at, const char *end) {
    for (; at < end; at++) {
        if ((size_t)(end - at) >= separator->n && memcmp(at, separator->text, separator->n) == 0)
            return true;
        if (!blank(*at))
            return false;
    }
    return true;
}

/* Adds a field whose quotes are part of it, unless they enclose all of it. */
static void add_quoting(struct frs_fields *fields, const char *begin, const char *end) {
    const char *last = end;
    while (last > begin && blank(last[-1]))
        last--;
    if (last - begin > 1 && last[-1] == '"')
        add(fields, begin + 1, last - 1);
    else
        add(fields, begin, end);
}

enum quoting { NOT_QUOTED, QUOTED, NEVER_CLOSED };

/* Adds a field that begins with a quote, perhaps behind blanks; *next is the separator behind it or NULL. */
static __attribute__((noinline)) enum quoting add_quoted(struct frs_fields *fields,
    const struct frs_separator *separator, const char *begin, const char *end, const char **next) {
    while (begin < end && *begin == ' ' && *separator->text != ' ')
        begin++;
    if (begin == end || *begin != '"')
        return NOT_QUOTED;
    const char *quote = closing_quote(begin, end);
    if (!quote)
        return NEVER_CLOSED;
    bool whole = field_ends(separator, quote + 1, end);
    *next = find(separator, whole ? quote : begin, end);
    if (whole)
        add(fields, begin + 1, quote);
    else
        add_quoting(fields, begin, *next ? *next : end);
    return QUOTED;
}

bool frs_fields_split(
    struct frs_fields *fields, const struct frs_separator *separator, struct frs_field line) {
    const char *begin = line.text, *end = begin + line.n, *next;
    fields->n = 0;
    if (separator->blanks) {
        split_at_blanks(fields, begin, end);
        return true;
    }
    for (;;) {
        enum quoting quoting = NOT_QUOTED;
        if (begin < end && (*begin == '"' || *begin == ' ') && !separator->plain_quotes)
            quoting = add_quoted(fields, separator, begin, end, &next);
        if (quoting == NEVER_CLOSED)
            return false;
        if (quoting == NOT_QUOTED) {
            next = find(separator, begin, end);
            add(fields, begin, next ? next : end);
        }
        if (!next)
            return true;
        begin = next + separator->n;
    }
}

bool frs_field_next_word(struct frs_field *line, struct frs_field *word) {
    const char *at = line->text, *end = at + line->n;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *begin = at;
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    *word = (struct frs_field){begin, (size_t)(at - begin)};
    *line = (struct frs_field){at, (size_t)(end - at)};
    return word->n > 0;
}

bool frs_field_is_blank(struct frs_field field) {
    for (size_t i = 0; i < field.n; i++)
        if (!blank(field.text[i]))
            return false;
    return true;
}

bool frs_field_is_python(struct frs_field line) {
    size_t at = 0;
    while (at < line.n && blank(line.text[at]))
        at++;
    if (at == line.n || line.text[at++] != '{')
        return false;
    while (at < line.n && blank(line.text[at]))
        at++;
    at += at < line.n && line.text[at] == 'u';
    return at < line.n && line.text[at] == '\'';
}

bool frs_field_is(struct frs_field field, const char *text) {
    return strlen(text) == field.n && memcmp(field.text, text, field.n) == 0;
}

/* Digits with at most one point: exact where they fit 2^53, and so is the division by a power of ten. */
static bool plain(struct frs_field field, double *number) {
    static const double powers[] = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};
    uint64_t digits = 0;
    size_t point = field.n;
    if (field.n == 0 || field.n > 18)
        return false;
    for (size_t i = 0; i < field.n; i++) {
        unsigned digit = (unsigned)(unsigned char)field.text[i] - '0';
        if (digit <= 9)
            digits = 10 * digits + digit;
        else if (field.text[i] == '.' && point == field.n && field.n > 1)
            point = i;
        else
            return false;
    }
    size_t behind = point < field.n ? field.n - point - 1 : 0;
    if (digits > UINT64_C(1) << 53)
        return false;
    *number = (double)digits / powers[behind];
    return true;
}

bool frs_field_number(struct frs_field field, double *number) {
    char text[64];
    if (plain(field, number))
        return true;
    if (field.n == 0 || field.n >= sizeof text || memchr(field.text, '\0', field.n))
        return false;
    memcpy(text, field.text, field.n);
    text[field.n] = '\0';
    return frs_decimal_is(text, number);
}

bool frs_field_decimal(struct frs_field field, double *number) {
    struct frs_decimal_marks ignored = {0};
    char text[64];
    if (frs_field_number(field, number))
        return true;
    size_t comma =
        field.n < sizeof text ? frs_decimal_marks_take(&ignored, field.text, field.n, 1) : SIZE_MAX;
    if (comma == SIZE_MAX)
        return false;
    memcpy(text, field.text, field.n);
    text[comma] = '.';
    return frs_field_number((struct frs_field){text, field.n}, number);
}

/* The bytes of the printable character that begins a text; 0: none does. */
static size_t printable(const char *text, size_t n) {
    char next[5] = "";
    size_t length;
    memcpy(next, text, n < 4 ? n : 4);
    uint32_t character = frs_utf8_character(next, &length);
    bool control = character < ' ' || (character >= 0x7f && character < 0xa0);
    return control || character == FRS_NO_CHARACTER ? 0 : length;
}

const char *frs_field_show(struct frs_field field, char text[48]) {
    size_t n = 0;
    while (n < field.n) {
        size_t length = printable(field.text + n, field.n - n), taken = length ? length : 1;
        if (n + taken > 40)
            break;
        if (length)
            memcpy(text + n, field.text + n, length);
        else
            text[n] = field.text[n] == '\t' ? ' ' : '?';
        n += taken;
    }
    strcpy(text + n, n < field.n ? "..." : "");
    return text;
}
