#include "sim/base/settings/path.h"
#include "sim/base/buffer.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t name_length(const char *text) {
    size_t n = 0;
    while (text[n] == '_' || (isalnum((unsigned char)text[n]) && (n > 0 || !isdigit((unsigned char)*text))))
        n++;
    return n;
}

/* NULL after saying that there is no value. */
static const char *value_of(const char *name, size_t length, char *reason, size_t size) {
    char *whole = frs_format("%.*s", (int)length, name), shown[64];
    const char *value = getenv(whole);
    if (!value || !*value) {
        snprintf(reason, size, "needs the environment variable %s, which is not set",
            frs_text_line(whole, shown, sizeof shown));
        value = NULL;
    }
    free(whole);
    return value;
}

/* What the dollar sign at *text stands for, and moves *text behind it. */
static const char *variable(const char **text, char *reason, size_t size) {
    const char *name = *text + 1;
    bool braced = *name == '{';
    size_t length = name_length(name + braced);
    if (*name == '$' || (length == 0 && !braced)) {
        *text += 1 + (*name == '$');
        return "$";
    }
    if (braced && (length == 0 || name[1 + length] != '}')) {
        snprintf(reason, size, "has \"${\" without the name of a variable and \"}\"");
        return NULL;
    }
    *text = name + length + 2 * (size_t)braced;
    return value_of(name + braced, length, reason, size);
}

char *frs_path_expand(const char *text, char *reason, size_t size) {
    struct frs_buffer path = {0};
    bool home = *text == '~' && (text[1] == '/' || text[1] == '\0');
    const char *piece = "";
    if (home && (piece = value_of("HOME", 4, reason, size))) {
        frs_buffer_put(&path, piece, strlen(piece));
        text++;
    }
    while (piece && *text) {
        size_t plain = strcspn(text, "$");
        frs_buffer_put(&path, text, plain);
        text += plain;
        if (*text && (piece = variable(&text, reason, size)))
            frs_buffer_put(&path, piece, strlen(piece));
    }
    char *expanded = piece ? frs_format("%.*s", (int)path.n, path.n ? (const char *)path.bytes : "") : NULL;
    frs_buffer_fini(&path);
    return expanded;
}

const char *frs_values_path(const struct frs_values *values, const char *key, struct frs_errors *errors) {
    const char *text = frs_values_text(values, key);
    struct frs_value *value = frs_values_find(values, key);
    char reason[160], line[80];
    if (value->path)
        return value->path;
    value->path = frs_path_expand(text, reason, sizeof reason);
    if (!value->path)
        frs_values_error(values, key, errors, "\"%s\" %s", frs_text_line(text, line, sizeof line), reason);
    return value->path;
}

const char *frs_values_file(const struct frs_values *values, const char *key, struct frs_errors *errors) {
    const char *path = frs_values_path(values, key, errors);
    if (!path || !*path || access(path, R_OK) == 0)
        return path;
    frs_values_error(values, key, errors, "%s: cannot be read: %s", path, strerror(errno));
    return NULL;
}
