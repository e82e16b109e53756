/* What libconfig 1.5 misreads without an error. A text that may contain any of it is scanned before it is
 * parsed (scan.c). The test is coarse: some texts are scanned needlessly.
 *
 * - An integer beyond 32 bits loses its upper half; a number beyond a double becomes infinite, or 0; a
 * point alone
 *   is 0.
 * - A comment or a text without end swallows the rest of the file.
 * - An @include that cannot be read ends the whole process, files that include each other have no end, and
 * a
 *   section whose keys come from two files is refused. Therefore lexer.c reads included files itself, and
 *   libconfig gets one text (splice.h), in which a star marks such sections. */
#include "sim/scenario/scenario_internal.h"

#include <string.h>

/* After the e of a number, or its sign. */
static bool is_exponent(const char *text, const char *at) {
    if (at > text && strchr("+-", at[-1]))
        at--;
    return at > text && strchr("eE", at[-1]);
}

static bool has_long_number(const char *text) {
    for (const char *at = text; (at = strpbrk(at, "0123456789")) != NULL;) {
        bool is_hexadecimal = *at == '0' && (at[1] == 'x' || at[1] == 'X');
        size_t n = is_hexadecimal ? 2 + strspn(at + 2, "0123456789abcdefABCDEF") : strspn(at, "0123456789");
        if (n > (is_exponent(text, at) ? 2 : 9))
            return true;
        at += n;
    }
    return false;
}

/* Neither digit nor word before it, and no digit after it. */
static bool has_lone_point(const char *text) {
    for (const char *at = text; (at = strchr(at, '.')) != NULL; at++) {
        bool has_left = at > text && !strchr("=:;,({[+- \t\r\n\f", at[-1]);
        if (!has_left && !(at[1] >= '0' && at[1] <= '9'))
            return true;
    }
    return false;
}

/* A line has an odd number of quotes, or an escaped one: a text may go on behind it. */
static bool has_open_text(const char *text) {
    bool is_odd = false;
    for (const char *at = text; (at = strpbrk(at, "\"\n")) != NULL; at++) {
        if (*at == '"' && at > text && at[-1] == '\\')
            return true;
        is_odd ^= *at == '"';
        if (*at == '\n' && is_odd)
            return true;
    }
    return is_odd;
}

bool frs_scenario_may_be_misread(const char *text) {
    bool has_star = strchr(text, '*'); /* of a comment, or in a name */
    return has_star || strstr(text, "@include") || has_long_number(text) || has_lone_point(text) ||
           has_open_text(text);
}
