#include "sim/base/quoting.h"
#include "sim/base/buffer.h"
#include "sim/base/errors.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- what cannot be shown ---- */

/* The character at `text`, of *n bytes; UINT32_MAX for a byte that begins none. */
static uint32_t character_at(const char *text, size_t *n) {
    static const struct {
        uint8_t mask, mark;
        uint32_t least; /* that is not written with fewer bytes */
    } kinds[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const uint8_t *bytes = (const uint8_t *)text;
    *n = 1;
    for (size_t more = 0; more < 4; more++) {
        if ((bytes[0] & kinds[more].mask) != kinds[more].mark)
            continue;
        uint32_t code = bytes[0] & (uint8_t)~kinds[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((bytes[i] & 0xC0) != 0x80)
                return UINT32_MAX;
            code = code << 6 | (bytes[i] & 0x3F);
        }
        if (code < kinds[more].least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
            return UINT32_MAX;
        *n = more + 1;
        return code;
    }
    return UINT32_MAX;
}

/* C1 controls, line and paragraph separators, and marks of direction. */
static bool steers(uint32_t code) {
    return (code >= 0x80 && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code > 0x10FFFF;
}

char *frs_quoted_line(const char *text) {
    struct frs_buffer out = {0};
    for (size_t n; *text; text += n) {
        uint32_t code = character_at(text, &n);
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
    if (text[strspn(text, "0123456789.eE+-")])
        return false;
    (void)strtod(text, &end);
    return end != text && !*end;
}

char *frs_quoted_csv(const char *text) {
    struct frs_buffer out = {0};
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

/* How the character is written where it would be markup; NULL: it is none here. An underscore inside a word and a
 * sign before a number are not. */
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
