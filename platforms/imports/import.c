#include "platforms/imports/import.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/files/digest.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IMPORT(name) extern const struct frs_import_kind frs_import_##name;
#include "platforms/imports/imports.def"
#undef IMPORT

const struct frs_import_kind *const frs_import_kinds[] = {
#define IMPORT(name) &frs_import_##name,
#include "platforms/imports/imports.def"
#undef IMPORT
    NULL,
};

const struct frs_import_kind *frs_import_kind_of(const char *name) {
    for (size_t i = 0; frs_import_kinds[i]; i++)
        if (strcmp(frs_import_kinds[i]->name, name) == 0)
            return frs_import_kinds[i];
    return NULL;
}

bool frs_import_error(struct frs_import *import, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (import->line > 0)
        frs_errors_add(import->errors, FRS_ERR_INPUT, "%s:%zu: %s", import->path, import->line, text);
    else
        frs_errors_add(import->errors, FRS_ERR_INPUT, "%s: %s", import->path, text);
    import->failed = true;
    return false;
}

char *frs_import_next(struct frs_import *import) {
    size_t length;
    const char *reason = import->in || import->failed ? NULL : frs_input_open(import->path, &import->in);
    if (reason)
        frs_import_error(import, "cannot be read: %s", reason);
    while (!import->failed) {
        enum frs_line found = frs_input_line(import->in, &import->text, &import->size, &length);
        if (found == FRS_LINE_NONE) {
            if (ferror(import->in))
                frs_import_error(import, "cannot be read: %s", strerror(errno));
            return NULL;
        }
        import->line++;
        if (found == FRS_LINE_LONG || strlen(import->text) != length) {
            frs_import_error(import, "is no line of text");
            return NULL;
        }
        char *line = import->text + strspn(import->text, " \t"), *end = import->text + length;
        while (end > line && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        if (*line && *line != '#')
            return line;
    }
    return NULL;
}

bool frs_import_numbers(
    struct frs_import *import, const char *line, double *numbers, size_t n, const char *expected) {
    const char *at = line;
    char shown[64], *end;
    size_t found = 0;
    for (; *at; at = end + strspn(end, " \t,")) {
        double number = frs_decimal_read(at, 1, 0, &end);
        if (end == at || !isfinite(number) || (*end && !strchr(" \t,", *end)))
            break;
        if (found < n)
            numbers[found] = number;
        found++;
    }
    return (!*at && found == n) ||
           frs_import_error(import, "\"%s\" is not %s", frs_text_line(line, shown, sizeof shown), expected);
}

bool frs_import_rate(struct frs_import *import, double t_s, double rate) {
    if (!(t_s >= 0 && t_s <= frs_units_most(FRS_TIME)) ||
        !(rate == 0 || (rate >= 1 && rate <= frs_units_most(FRS_RATE))))
        return frs_import_error(import,
            "%.6g bytes/s at %.6g s is out of bounds; allowed: 0, or 1 to %g bytes/s until %g s", rate, t_s,
            frs_units_most(FRS_RATE), frs_units_most(FRS_TIME));
    rate = round(rate * 1e3) / 1e3;
    if (import->has_client)
        fprintf(import->out, "%zu,", import->client);
    char t[32], value[32];
    fprintf(import->out, "%s,%s\n", frs_text_number(t_s, t, sizeof t),
        frs_text_number(rate, value, sizeof value));
    import->n_rows++;
    return true;
}

bool frs_import_column(
    struct frs_import *import, const struct frs_csv *csv, const char *const *names, size_t *column) {
    for (size_t name = 0; names[name]; name++)
        for (*column = 0; *column < csv->n_columns; ++*column)
            if (strcasecmp(csv->names[*column], names[name]) == 0)
                return true;
    import->line = csv->line;
    char found[256] = "", shown[48];
    for (size_t i = 0; i < csv->n_columns && strlen(found) < sizeof found - sizeof shown - 4; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? ", " : "",
            frs_text_line(csv->names[i], shown, sizeof shown));
    return frs_import_error(import, "has no column %s; it has %s", names[0], found);
}

const char *frs_import_id(struct frs_import *import, const struct frs_csv *csv, size_t column) {
    const char *id = csv->fields[column];
    char line[48];
    if (*id && !strpbrk(id, ",\"#\r\n"))
        return id;
    frs_import_error(import, "%s \"%s\" is no id; allowed: a text without commas, quotes and #",
        csv->names[column], frs_text_line(id, line, sizeof line));
    return NULL;
}

/* Returns the first path whose digest cannot be taken, or NULL. */
static const char *put_head(
    const struct frs_import_kind *kind, char *const *paths, size_t n_paths, bool up, FILE *out) {
    static const char *const keys[] = {[FRS_IMPORT_TRACE] = "network.trace",
        [FRS_IMPORT_FLEET] = "network.fleet or devices.fleet",
        [FRS_IMPORT_SESSIONS] = "availability = { model = \"trace\"; file }",
        [FRS_IMPORT_STATES] = "availability = { model = \"states\"; file }"};
    const char *undigested = NULL;
    for (size_t i = 0; i < n_paths; i++) {
        struct frs_digest digest;
        char text[FRS_DIGEST_TEXT], line[160];
        const char *unread = frs_input_digest(paths[i], &digest);
        if (unread && !undigested)
            undigested = paths[i];
        fprintf(out, "# fedrecsim import %s: %s, BLAKE2b %s\n", kind->name,
            frs_text_line(paths[i], line, sizeof line), unread ? "?" : frs_digest_text(&digest, text));
    }
    fprintf(out, "# %s\n# for %s\n", kind->layout, keys[kind->target]);
    if (kind->target == FRS_IMPORT_TRACE && !kind->columns)
        fprintf(out, "%st_s,%s_bytes_per_s\n", n_paths > 1 ? "client," : "", up ? "up" : "down");
    else
        fprintf(out, "%s\n", kind->columns);
    return undigested;
}

bool frs_import_write(const struct frs_import_kind *kind, char *const *paths, size_t n_paths, bool up,
    double step_s, FILE *out, struct frs_errors *errors) {
    bool ok = true;
    const char *undigested = put_head(kind, paths, n_paths, up, out);
    for (size_t i = 0; i < n_paths; i++) {
        struct frs_import import = {.path = paths[i],
            .out = out,
            .errors = errors,
            .has_client = n_paths > 1,
            .client = i,
            .up = up,
            .step_s = step_s};
        bool read = kind->read(&import);
        if (read && import.n_rows == 0)
            read =
                (import.line = 0, frs_import_error(&import, "has nothing in it; expected %s", kind->layout));
        ok = ok && read;
        if (import.in)
            fclose(import.in);
        free(import.text);
    }
    if (ok && undigested)
        ok = !frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read twice", undigested);
    return ok;
}
