/* Parameters as they are written in a scenario file, which has types where --set has only text. */
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_quoted(FILE *out, const char *text, size_t length) {
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fputc('\\', out);
        fputc(text[i], out);
    }
    fputc('"', out);
}

/* "a,b": the words of an FRS_LIST. */
static void put_words(FILE *out, const char *text) {
    for (size_t n = 0; *(text += strspn(text, ", ")); n++) {
        size_t length = strcspn(text, ", ");
        fputs(n > 0 ? ", " : "", out);
        put_quoted(out, text, length);
        text += length;
    }
}

static void put_texts(FILE *out, const char *text) {
    char **elements;
    frs_texts_split(text, &elements);
    for (size_t i = 0; elements[i]; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_quoted(out, elements[i], strlen(elements[i]));
    }
    frs_texts_free(elements);
}

/* Writes a number that may also be a percentage or differ between classes as text only where it was
 * written as one. */
static bool is_plain(const struct frs_param *param, const char *text) {
    bool is_number = text[strspn(text, "0123456789+-.eE")] == '\0';
    return param->type == FRS_BOOL || param->type == FRS_INT || param->type == FRS_INTS ||
           ((param->type == FRS_REAL || param->type == FRS_SHARE) && is_number);
}

char *frs_param_in_file(const struct frs_param *param, const char *text) {
    char *written = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&written, &n);
    FRS_INVARIANT(out, "cannot open a stream in memory");
    if (param->type == FRS_LIST || param->type == FRS_TEXTS) {
        fputc('[', out);
        (param->type == FRS_LIST ? put_words : put_texts)(out, text);
        fputc(']', out);
    } else if (param->type == FRS_INTS && strchr(text, ',')) {
        fprintf(out, "[%s]", text);
    } else if (is_plain(param, text)) {
        fputs(text, out);
    } else {
        put_quoted(out, text, strlen(text));
    }
    fclose(out);
    return written;
}
