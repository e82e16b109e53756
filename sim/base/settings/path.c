#include "sim/base/settings/path.h"
#include "sim/base/buffer.h"
#include "sim/base/files/own_folders.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t name_length(const char *text) {
    size_t n = 0;
    while (text[n] == '_' || (isalnum((unsigned char)text[n]) && (n > 0 || !isdigit((unsigned char)*text))))
        n++;
    return n;
}

/* What stands for a variable that is not set: the folders of data sets and of scenarios have usual places. */
static char *usual_value(const char *name) {
    char *folder = NULL;
    if (strcmp(name, "FEDRECSIM_DATA") == 0)
        folder = frs_folder_of_data();
    else if (strcmp(name, "FEDRECSIM_SCENARIOS") == 0)
        folder = frs_folder_of_scenarios();
    if (folder && frs_folder_exists(folder))
        return folder;
    free(folder);
    return NULL;
}

static void say_not_set(const char *name, char *reason, size_t size) {
    char shown[64];
    char *folder = strcmp(name, "FEDRECSIM_DATA") == 0 ? frs_folder_of_data() : NULL;
    snprintf(reason, size, "needs the environment variable %s, which is not set%s%s%s",
        frs_text_line(name, shown, sizeof shown), folder ? ", or the folder " : "", folder ? folder : "",
        folder ? ", which is not there" : "");
    free(folder);
}

/* Freed by the caller. NULL after saying that there is no value. */
static char *value_of(const char *name, size_t length, char *reason, size_t size) {
    char *whole = frs_format("%.*s", (int)length, name);
    const char *given = getenv(whole);
    char *value = given && *given ? frs_strdup(given) : usual_value(whole);
    if (!value)
        say_not_set(whole, reason, size);
    free(whole);
    return value;
}

/* What the dollar sign at *text stands for, freed by the caller; moves *text behind it. */
static char *variable(const char **text, char *reason, size_t size) {
    const char *name = *text + 1;
    bool braced = *name == '{';
    size_t length = name_length(name + braced);
    if (*name == '$' || (length == 0 && !braced)) {
        *text += 1 + (*name == '$');
        return frs_strdup("$");
    }
    if (braced && (length == 0 || name[1 + length] != '}')) {
        snprintf(reason, size, "has \"${\" without the name of a variable and \"}\"");
        return NULL;
    }
    *text = name + length + 2 * (size_t)braced;
    return value_of(name + braced, length, reason, size);
}

/* Takes `piece`; false where it is NULL. */
static bool put(struct frs_buffer *path, char *piece) {
    bool is_there = piece;
    if (is_there)
        frs_buffer_put(path, piece, strlen(piece));
    free(piece);
    return is_there;
}

char *frs_path_expand(const char *text, char *reason, size_t size) {
    struct frs_buffer path = {0};
    bool is_good = true;
    if (*text == '~' && (text[1] == '/' || text[1] == '\0')) {
        is_good = put(&path, value_of("HOME", 4, reason, size));
        text++;
    }
    while (is_good && *text) {
        size_t plain = strcspn(text, "$");
        frs_buffer_put(&path, text, plain);
        text += plain;
        if (*text)
            is_good = put(&path, variable(&text, reason, size));
    }
    char *expanded = is_good ? frs_format("%.*s", (int)path.n, path.n ? (const char *)path.bytes : "") : NULL;
    frs_buffer_fini(&path);
    return expanded;
}

/* `text` in the folder of "folder/file:line", freed by the caller; NULL: there is no such folder. */
static char *beside(const char *text, const char *where) {
    const char *colon = where ? strrchr(where, ':') : NULL;
    if (!colon || strspn(colon + 1, "0123456789") != strlen(colon + 1) || !colon[1])
        return NULL;
    const char *slash = memrchr(where, '/', (size_t)(colon - where));
    return slash ? frs_format("%.*s/%s", (int)(slash - where), where, text) : NULL;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

void frs_value_place(struct frs_value *value, const char *where, bool in_file) {
    free(value->where);
    value->where = where ? frs_strdup(where) : NULL;
    free(value->said);
    value->said = NULL;
    value->found = FRS_FOUND_PLAINLY;
    if (!in_file || !value->param->is_path || !*value->text || strchr("/~", *value->text) ||
        strchr(value->text, '$'))
        return;
    char *place = beside(value->text, where);
    bool is_here = access(value->text, F_OK) == 0, is_beside = place && access(place, F_OK) == 0;
    if (is_beside) {
        value->found = is_here && !is_same_file(place, value->text) ? FRS_FOUND_IN_BOTH : FRS_FOUND_PLAINLY;
        value->said = value->text;
        value->text = place;
        return;
    }
    if (place && is_here)
        value->found = FRS_FOUND_HERE_ONLY;
    free(place);
}

const char *frs_values_path(const struct frs_values *values, const char *key, struct frs_errors *errors) {
    const char *text = frs_values_text(values, key);
    struct frs_value *value = frs_values_find(values, key);
    char reason[320], line[80];
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
    int reason = errno;
    struct frs_value *value = frs_values_find(values, key);
    char *other = strchr("/~$", *value->text) ? NULL : beside(path, value->where);
    frs_values_error(values, key, errors, "%s: cannot be read: %s%s%s%s", path, strerror(reason),
        other ? "; looked for " : "", other ? other : "",
        other ? " and, from the working folder, for the path as it stands" : "");
    free(other);
    return NULL;
}
