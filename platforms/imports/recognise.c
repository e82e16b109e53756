/* Which kind a file is of that was given where one of ours belongs. */
#include "platforms/imports/import.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/files/input.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Lines that are read to tell logs apart. */
enum { LINES = 8 };

static bool has_name(const struct frs_csv *csv, const char *name) {
    for (size_t i = 0; i < csv->n_columns; i++)
        if (strcasecmp(csv->names[i], name) == 0)
            return true;
    return false;
}

static const struct frs_import_kind *by_names(const char *path) {
    struct frs_errors ignored = {0};
    struct frs_csv csv;
    const struct frs_import_kind *found = NULL;
    if (frs_csv_open_table(&csv, path, &ignored))
        for (size_t i = 0; !found && frs_import_kinds[i]; i++) {
            const char *const *mark = frs_import_kinds[i]->marks;
            while (mark && *mark && has_name(&csv, *mark))
                mark++;
            found = mark && !*mark ? frs_import_kinds[i] : NULL;
        }
    frs_csv_close(&csv);
    frs_errors_clear(&ignored);
    return found;
}

/* How many numbers a line has, with blanks between them; 0: it has something else, or `last` is above its
 * first. */
static size_t numbers_of(const char *line, double *last) {
    size_t n = 0;
    for (char *end; *line; line = end + strspn(end, " \t\r\n")) {
        double number = frs_decimal_read(line, 1, 0, &end);
        if (end == line || !isfinite(number) || (*end && !strchr(" \t\r\n", *end)))
            return 0;
        if (n == 0 && number < *last)
            return 0;
        *last = n == 0 ? number : *last;
        n++;
    }
    return n;
}

static const struct frs_import_kind *by_numbers(const char *path) {
    char *text = NULL;
    size_t size = 0, length, n = 0;
    double last = -INFINITY;
    FILE *file;
    if (frs_input_open(path, &file))
        return NULL;
    bool is_log = true;
    int read = 0;
    while (is_log && read < LINES && frs_input_line(file, &text, &size, &length) == FRS_LINE_READ) {
        size_t here = numbers_of(text + strspn(text, " \t"), &last);
        is_log = here > 0 && (read == 0 || here == n);
        n = here;
        read++;
    }
    fclose(file);
    free(text);
    for (size_t i = 0; is_log && read > 1 && frs_import_kinds[i]; i++)
        if (frs_import_kinds[i]->n_numbers == n)
            return frs_import_kinds[i];
    return NULL;
}

const struct frs_import_kind *frs_import_recognise(const char *path) {
    const struct frs_import_kind *kind = by_names(path);
    return kind ? kind : by_numbers(path);
}

bool frs_import_refuses(const char *path, struct frs_errors *errors) {
    static const char *const whats[] = {[FRS_IMPORT_TRACE] = "a trace (network.trace, server.trace)",
        [FRS_IMPORT_FLEET] = "a table (network.fleet)",
        [FRS_IMPORT_SESSIONS] = "sessions (availability.file)",
        [FRS_IMPORT_STATES] = "states (availability.file)"};
    const struct frs_import_kind *kind = frs_import_recognise(path);
    char line[160];
    if (!kind)
        return false;
    frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: has the layout of %s; allowed: what `fedrecsim import %s %s` makes of it, %s", path, kind->name,
        kind->name, frs_text_line(path, line, sizeof line), whats[kind->target]);
    return true;
}
