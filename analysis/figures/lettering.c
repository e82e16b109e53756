#include "analysis/figures/lettering.h"
#include "sim/base/buffer.h"
#include "sim/base/memory.h"

#include <ctype.h>
#include <string.h>

static bool begins_letter(char c) {
    return ((unsigned char)c & 0xc0u) != 0x80u;
}

static size_t letters_of(const char *text, size_t bytes) {
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += begins_letter(text[i]);
    return n;
}

size_t frs_lettering_letters(const char *text) {
    return letters_of(text, strlen(text));
}

/* Bytes of the next line. */
static size_t line_of(const char *text, size_t most) {
    size_t end = strcspn(text, "\n"), last_space = 0, letters = 0;
    if (letters_of(text, end) <= most)
        return end;
    for (size_t i = 0; i < end; i++) {
        letters += begins_letter(text[i]);
        if (letters > most)
            return last_space > 0 ? last_space : i;
        if (text[i] == ' ')
            last_space = i;
        if (letters == most && text[i + 1] == ' ')
            return i + 1;
    }
    return end;
}

char *frs_lettering_lines(const char *text, size_t most) {
    struct frs_buffer out = {0};
    while (*text) {
        size_t n = line_of(text, most);
        if (out.n > 0)
            frs_buffer_put_u8(&out, '\n');
        frs_buffer_put(&out, text, n);
        text += n;
        text += *text == ' ' || *text == '\n';
    }
    frs_buffer_put_u8(&out, '\0');
    return (char *)out.bytes;
}

size_t frs_lettering_count(const char *text, size_t most) {
    size_t n = 0;
    while (*text) {
        text += line_of(text, most);
        text += *text == ' ' || *text == '\n';
        n++;
    }
    return n;
}

/* Signs that LaTeX lacks in text, or takes for commands. */
static const struct {
    const char *sign, *latex;
} signs[] = {{"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"$", "\\$"}, {"&", "\\&"},
    {"#", "\\#"}, {"_", "\\_"}, {"%", "\\%"}, {"~", "\\textasciitilde{}"}, {"^", "\\textasciicircum{}"},
    {"<", "$<$"}, {">", "$>$"}, {"|", "$|$"}, {"≥", "$\\ge$"}, {"≤", "$\\le$"}, {"−", "$-$"},
    {"×", "$\\times$"}, {"±", "$\\pm$"}, {"·", "$\\cdot$"}, {"α", "$\\alpha$"}, {"β", "$\\beta$"},
    {"γ", "$\\gamma$"}, {"δ", "$\\delta$"}, {"ε", "$\\varepsilon$"}, {"η", "$\\eta$"}, {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"}, {"σ", "$\\sigma$"}, {"τ", "$\\tau$"}, {"½", "$\\frac12$"}, {"∞", "$\\infty$"}};

char *frs_lettering_latex(const char *text) {
    struct frs_buffer out = {0};
    while (*text) {
        size_t i = 0, n = sizeof signs / sizeof *signs;
        while (i < n && strncmp(text, signs[i].sign, strlen(signs[i].sign)) != 0)
            i++;
        if (i < n) {
            frs_buffer_put(&out, signs[i].latex, strlen(signs[i].latex));
            text += strlen(signs[i].sign);
        } else {
            frs_buffer_put(&out, text++, 1);
        }
    }
    frs_buffer_put_u8(&out, '\0');
    return (char *)out.bytes;
}

char *frs_lettering_replaced(const char *text, const char *sign, const char *with) {
    struct frs_buffer out = {0};
    size_t length = strlen(sign);
    while (*text) {
        bool is_sign = strncmp(text, sign, length) == 0;
        frs_buffer_put(&out, is_sign ? with : text, is_sign ? strlen(with) : 1);
        text += is_sign ? length : 1;
    }
    frs_buffer_put_u8(&out, '\0');
    return (char *)out.bytes;
}

char *frs_lettering_file(const char *text) {
    struct frs_buffer out = {0};
    for (; *text; text++) {
        bool plain = isalnum((unsigned char)*text) || *text == '@';
        if (plain)
            frs_buffer_put_u8(&out, (unsigned char)*text);
        else if (out.n > 0 && out.bytes[out.n - 1] != '-')
            frs_buffer_put_u8(&out, '-');
    }
    while (out.n > 0 && out.bytes[out.n - 1] == '-')
        out.n--;
    frs_buffer_put_u8(&out, '\0');
    return (char *)out.bytes;
}
