#include "sim/base/settings/texts.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The next element of `*text`, unescaped and trimmed; moves *text behind its semicolon. */
static char *next_text(const char **text) {
    char *element = frs_alloc(strlen(*text) + 1, 1);
    size_t n = 0;
    *text += strspn(*text, " \t\n");
    for (; **text && **text != ';'; (*text)++) {
        if (**text == '\\' && (*text)[1] == ';')
            (*text)++;
        element[n++] = **text;
    }
    *text += **text == ';';
    while (n > 0 && strchr(" \t\n", element[n - 1]))
        n--;
    element[n] = '\0';
    return element;
}

char *frs_text_escape(const char *text) {
    char *out = frs_alloc(2 * strlen(text) + 1, 1), *at = out;
    for (; *text; text++) {
        if (*text == ';')
            *at++ = '\\';
        *at++ = *text;
    }
    return out;
}

size_t frs_texts_split(const char *text, char ***elements) {
    size_t n = 0, capacity = 0;
    *elements = NULL;
    while (*text) {
        char *element = next_text(&text);
        if (!*element) {
            free(element);
            continue;
        }
        *elements = frs_grow(*elements, n + 2, &capacity, sizeof **elements);
        (*elements)[n++] = element;
    }
    *elements = frs_grow(*elements, n + 1, &capacity, sizeof **elements);
    (*elements)[n] = NULL;
    return n;
}

void frs_texts_free(char **elements) {
    for (char **element = elements; element && *element; element++)
        free(*element);
    free(elements);
}
