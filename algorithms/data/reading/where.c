#include "algorithms/data/reading/where.h"

#include <stdlib.h>
#include <string.h>

static struct frs_field trimmed(const char *begin, const char *end) {
    while (begin < end && (*begin == ' ' || *begin == '\t'))
        begin++;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (struct frs_field){begin, (size_t)(end - begin)};
}

static size_t position_of(struct frs_field column) {
    size_t position = 0;
    for (size_t i = 0; i < column.n; i++) {
        if (column.text[i] < '0' || column.text[i] > '9' || position > 1000000)
            return SIZE_MAX;
        position = 10 * position + (size_t)(column.text[i] - '0');
    }
    return position > 0 ? position - 1 : SIZE_MAX;
}

const char *frs_where_read(const char *text, struct frs_where *where) {
    *where = (struct frs_where){.text = text};
    if (!*text)
        return NULL;
    const char *equals = strchr(text, '='), *end = text + strlen(text);
    if (!equals)
        return "has no =";
    where->column = trimmed(text, equals);
    if (where->column.n == 0)
        return "names no column";
    where->position = position_of(where->column);
    for (const char *at = equals + 1;; at++) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
        if (where->n_values == FRS_WHERE_VALUES)
            return "has more than 16 values";
        where->values[where->n_values++] = trimmed(at, stop);
        at = stop;
        if (!comma)
            return NULL;
    }
}

size_t frs_where_find(const struct frs_where *where, struct frs_field field) {
    for (size_t i = 0; i < where->n_values; i++)
        if (field.n == where->values[i].n && memcmp(field.text, where->values[i].text, field.n) == 0)
            return i;
    return SIZE_MAX;
}
