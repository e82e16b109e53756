#include "sim/base/quoting.h"
#include "sim/base/buffer.h"
#include "sim/base/decimal.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- what cannot be shown ---- */

/* C1 controls, line and paragraph separators, and marks of direction. */
static bool steers(uint32_t code) {
    return (code >= 0x80 && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == FRS_NO_CHARACTER;
}

char *frs_quoted_line(const char *text) {
    struct frs_buffer out = {0};
    for (size_t n; *text; text += n) {
        uint32_t code = frs_utf8_character(text, &n);
        if (code < 0x20 || code == 0x7F)
            frs_buffer_put_u8(&out, ' ');
        else if (steers(code))
            frs_buffer_put_u8(&out, '?');
        else
            frs_buffer_put(&out, text, n);
    }
    frs_buffer_put_u8(&out, '\0');
    return (char *)out.bytes;
}

void frs_vprint_line(FILE *out, const char *format, va_list arguments) {
    char *text;
    int length = vasprintf(&text, format, arguments);
    FRS_INVARIANT(length >= 0, "cannot format a line");
    char *line = frs_quoted_line(text);
    fprintf(out, "%s\n", line);
    free(text);
    free(line);
}

void frs_print_line(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    frs_vprint_line(out, format, arguments);
    va_end(arguments);
}

/* ---- CSV ---- */

static bool is_number(const char *text) {
    char *end;
    (void)frs_decimal_read(text, 1, 0, &end);
    return end != text && !*end;
}

/* Nothing that any program could take for something else. */
static bool is_plain_word(const char *text) {
    if (!(*text >= 'a' && *text <= 'z'))
        return false;
    while ((*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9') || *text == '_' || *text == '-')
        text++;
    return *text == '\0';
}

char *frs_quoted_csv(const char *text) {
    struct frs_buffer out = {0};
    if (is_plain_word(text))
        return frs_strdup(text);
    char *line = frs_quoted_line(text);
    bool quotes = strpbrk(text, ",;\"\n\r"), is_formula = strspn(line + strspn(line, " "), "=+-@") > 0;
    if (quotes)
        frs_buffer_put_u8(&out, '"');
    if (is_formula && !is_number(line))
        frs_buffer_put_u8(&out, '\'');
    for (const char *at = line; *at; at++)
        frs_buffer_put(&out, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    frs_buffer_put(&out, "\"", quotes ? 1 : 0);
    frs_buffer_put_u8(&out, '\0');
    free(line);
    return (char *)out.bytes;
}

/* ---- Markdown ---- */

/* Returns how the character is written where it would be markup. Returns NULL where it is no markup, as an
 * underscore inside a word or a sign before a number. */
static const char *escape_of(const char *line, const char *at) {
    static const char *const always[] = {"\\\\", "\\`", "\\*", "\\[", "\\]", "\\|"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (*at == always[i][1])
            return always[i];
    if (*at == '<')
        return "&lt;";
    if (*at == '&' && (isalpha((unsigned char)at[1]) || at[1] == '#'))
        return "&amp;";
    if (*at == '_' && (at == line || !isalnum((unsigned char)at[-1]) || !isalnum((unsigned char)at[1])))
        return "\\_";
    if (at == line && *at == '>')
        return "&gt;";
    if (at == line && *at == '#')
        return "\\#";
    if (at == line && at[1] == ' ' && (*at == '+' || *at == '-'))
        return *at == '+' ? "\\+" : "\\-";
    return NULL;
}

char *frs_quoted_markdown(const char *text) {
    struct frs_buffer out = {0};
    char *line = frs_quoted_line(text);
    for (const char *at = line; *at; at++) {
        const char *escape = escape_of(line, at);
        frs_buffer_put(&out, escape ? escape : at, escape ? strlen(escape) : 1);
    }
    frs_buffer_put_u8(&out, '\0');
    free(line);
    return (char *)out.bytes;
}
