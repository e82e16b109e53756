#include "sim/base/settings/index_list.h"
#include "sim/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No sign, no blank: strtoul alone would take both. */
static bool read_number(const char **text, size_t most, size_t *number) {
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *number = strtoul(*text, &end, 10);
    *text = end;
    return *number <= most;
}

/* One number, or two with a hyphen between them. */
static bool read_range(const char **text, size_t most, size_t *first, size_t *last) {
    if (!read_number(text, most, first))
        return false;
    *last = *first;
    if (**text != '-')
        return true;
    ++*text;
    return read_number(text, most, last) && *first <= *last;
}

bool frs_index_list_parse(const char *text, size_t most, size_t **list, size_t *n) {
    bool *wanted = frs_alloc(most + 1, sizeof *wanted), ok;
    size_t first = 0, last = 0, n_wanted = 0;
    do {
        ok = read_range(&text, most, &first, &last);
        for (size_t i = first; ok && i <= last; i++) {
            n_wanted += !wanted[i];
            wanted[i] = true;
        }
    } while (ok && *text == ',' && text++);
    ok = ok && *text == '\0';
    *list = ok ? frs_alloc(n_wanted, sizeof **list) : NULL;
    *n = 0;
    for (size_t i = 0; ok && i <= most; i++)
        if (wanted[i])
            (*list)[(*n)++] = i;
    free(wanted);
    return ok;
}

char *frs_index_list_format(const size_t *list, size_t n) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < n;) {
        size_t last = i;
        while (last + 1 < n && list[last + 1] == list[last] + 1)
            last++;
        const char *comma = i ? "," : "";
        char *longer = last > i ? frs_format("%s%s%zu-%zu", text, comma, list[i], list[last])
                                : frs_format("%s%s%zu", text, comma, list[i]);
        free(text);
        text = longer;
        i = last + 1;
    }
    return text;
}
