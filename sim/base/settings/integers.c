#include "sim/base/settings/integers.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The integer up to the next comma, with spaces around it. */
static bool read_element(const char *text, size_t length, int64_t *integer) {
    char element[32];
    if (length >= sizeof element)
        return false;
    snprintf(element, sizeof element, "%.*s", (int)length, text);
    char *first = element + strspn(element, " "), *end;
    first[strcspn(first, " ")] = '\0';
    errno = 0;
    *integer = strtoll(first, &end, 10);
    return end != first && !*end && !errno && strchr("0123456789+-", *first);
}

enum frs_status frs_integers_parse(const char *text, double min, double max, struct frs_ints *ints) {
    bool more = true;
    for (*ints = (struct frs_ints){0}; more; ints->n++) {
        size_t length = strcspn(text, ",");
        int64_t integer;
        if (ints->n == FRS_INTS_MOST || !read_element(text, length, &integer) || (double)integer < min ||
            (double)integer > max)
            return FRS_ERR_INPUT;
        for (size_t i = 0; i < ints->n; i++)
            if (ints->list[i] == integer)
                return FRS_ERR_INPUT;
        ints->list[ints->n] = integer;
        more = text[length] == ',';
        text += length + more;
    }
    return FRS_OK;
}

const char *frs_integers_problem(const char *text) {
    if (text[strspn(text, "0123456789+-, ")])
        return strpbrk(text, ".eE") ? "has a number that is no integer" : "has something that is no number";
    return "has a number that is missing, out of range or there twice, or too many of them";
}

char *frs_integers_format(const struct frs_ints *ints) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < ints->n; i++) {
        char *longer = frs_format("%s%s%" PRId64, text, i > 0 ? "," : "", ints->list[i]);
        free(text);
        text = longer;
    }
    return text;
}
