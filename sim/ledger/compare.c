#include "sim/ledger/compare.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 }; /* bytes of a line that differs */

/* --- text --- */

/* A line to be shown, from a few bytes before the place where it differs. */
static const char *shown(const char *line, size_t at, char *out) {
    char copy[4 * SHOWN];
    size_t start = at > SHOWN / 2 ? at - SHOWN / 2 : 0;
    while (start > 0 && ((unsigned char)line[start] & 0xC0) == 0x80)
        start--;
    snprintf(copy, sizeof copy, "%s%.*s", start ? "..." : "", (int)strcspn(line + start, "\n"), line + start);
    return frs_text_line(copy, out, SHOWN);
}

static size_t first_difference(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return i;
}

/* Line by line, so that a file may be as long as it likes. */
static bool same_streams(FILE *before, FILE *again, const char *name, FILE *out) {
    char *a = NULL, *b = NULL, text_a[SHOWN], text_b[SHOWN];
    size_t size_a = 0, size_b = 0, line = 0;
    bool same = true, more = true;
    while (same && more) {
        size_t length;
        enum frs_line of_a = frs_input_line(before, &a, &size_a, &length),
                      of_b = frs_input_line(again, &b, &size_b, &length);
        bool has_a = of_a != FRS_LINE_NONE, has_b = of_b != FRS_LINE_NONE;
        line++;
        if (of_a == FRS_LINE_LONG || of_b == FRS_LINE_LONG) {
            frs_print_line(out, "%s: line %zu is longer than " FRS_INPUT_LINE_TEXT, name, line);
            same = false;
            break;
        }
        more = has_a && has_b;
        same = has_a == has_b && (!more || strcmp(a, b) == 0);
        if (same || ferror(before) || ferror(again))
            continue;
        size_t at = more ? first_difference(a, b) : 0;
        frs_print_line(out, "%s: differs at line %zu: \"%s\" instead of \"%s\"", name, line,
            has_b ? shown(b, at, text_b) : "(end)", has_a ? shown(a, at, text_a) : "(end)");
    }
    if (ferror(before) || ferror(again)) {
        frs_print_line(out, "%s: cannot be read to its end", name);
        same = false;
    }
    if (same)
        frs_print_line(out, "%s: identical", name);
    free(a);
    free(b);
    return same;
}

/* --- JSON --- */

static const char *text_of(const json_t *value) {
    const char *text = json_string_value(value);
    return text ? text : "(nothing)";
}

/* Names a difference of one text, at most two levels down. */
static void mention(const json_t *before, const json_t *again, const char *key, FILE *out) {
    const json_t *a = json_object_get(before, key), *b = json_object_get(again, key);
    if (json_is_string(a) && json_is_string(b) && !json_equal(a, b))
        frs_print_line(out, "%s: %s, was %s", key, text_of(b), text_of(a));
    const char *inner;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)b, inner, value) {
        const json_t *old = json_object_get(a, inner);
        if (!json_equal(old, value))
            frs_print_line(out, "%s %s: %s, was %s", key, inner, text_of(value), text_of(old));
    }
}

/* The JSON without some of its members, as lines. Files of a manifest are compared by their digests: where
 * they lie differs between machines. */
static FILE *without(const json_t *root, const char *const *members, char **text) {
    json_t *copy = json_deep_copy(root), *file;
    const char *key;
    for (; *members; members++)
        json_object_del(copy, *members);
    json_object_foreach(json_object_get(copy, "files"), key, file) json_object_del(file, "path");
    *text = json_dumps(copy, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(copy);
    FILE *stream = *text ? fmemopen(*text, strlen(*text), "r") : NULL;
    FRS_INVARIANT(stream, "out of memory");
    return stream;
}

static bool same_json(FILE *before, FILE *again, const char *name, const char *const *members, FILE *out) {
    json_t *a = json_loadf(before, 0, NULL), *b = json_loadf(again, 0, NULL);
    bool same = false;
    if (a && b) {
        char *text_a, *text_b;
        FILE *stream_a = without(a, members, &text_a), *stream_b = without(b, members, &text_b);
        same = same_streams(stream_a, stream_b, name, out);
        for (const char *const *member = members; *member && strcmp(name, "manifest.json") == 0; member++)
            mention(a, b, *member, out);
        fclose(stream_a);
        fclose(stream_b);
        free(text_a);
        free(text_b);
    } else {
        bool damaged = ferror(before) || ferror(again);
        frs_print_line(out, "%s: %s", name, damaged ? "cannot be read to its end" : "is no JSON");
    }
    json_decref(a);
    json_decref(b);
    return same;
}

/* --- directories --- */

static const char *open_file(const char *directory, const char *name, FILE **file) {
    char *path = frs_format("%s/%s", directory, name);
    const char *reason = frs_input_open(path, file);
    free(path);
    return reason;
}

/* `set` is not compared: the repeated scenario contains what --set put over the file. */
static const char *const of_manifest[] = {"version", "format", "kernels", "libraries", "set", NULL};
static const char *const of_summary[] = {"machine", NULL};

static bool same_files(const char *before, const char *again, const char *name, FILE *out) {
    FILE *a, *b;
    open_file(before, name, &a);
    const char *reason = open_file(again, name, &b);
    bool same = false;
    if (!a)
        frs_print_line(out, "%s: was not there", name);
    else if (!b)
        frs_print_line(out, "%s: %s", name, reason);
    else if (strcmp(name, "manifest.json") == 0)
        same = same_json(a, b, name, of_manifest, out);
    else if (strcmp(name, "summary.json") == 0)
        same = same_json(a, b, name, of_summary, out);
    else
        same = same_streams(a, b, name, out);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Names in alphabetical order; *names is freed with free_names. -1: the folder cannot be read. */
static int list(const char *directory, struct dirent ***names, struct frs_errors *errors) {
    int n = scandir(directory, names, is_visible, alphasort);
    if (n < 0)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", directory, strerror(errno));
    return n;
}

static void free_names(struct dirent **names, int n) {
    for (int i = 0; i < n; i++)
        free(names[i]);
    if (n >= 0)
        free(names);
}

static bool has(struct dirent **names, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(names[i]->d_name, name) == 0)
            return true;
    return false;
}

static void count(struct frs_comparison *comparison, bool same) {
    comparison->files++;
    comparison->differing += !same;
}

enum frs_status frs_run_directories_compare(const char *before, const char *again,
    struct frs_comparison *comparison, FILE *out, struct frs_errors *errors) {
    struct dirent **old = NULL, **new = NULL;
    int n_old = list(before, &old, errors), n_new = list(again, &new, errors);
    *comparison = (struct frs_comparison){0};
    for (int i = 0; n_old >= 0 && i < n_new; i++)
        count(comparison, same_files(before, again, new[i]->d_name, out));
    for (int i = 0; n_new >= 0 && i < n_old; i++)
        if (!has(new, n_new, old[i]->d_name))
            frs_print_line(out, "%s: was not written this time", old[i]->d_name);
    free_names(old, n_old);
    free_names(new, n_new);
    return n_old >= 0 && n_new >= 0 ? FRS_OK : FRS_ERR_INPUT;
}

/* --- bundles --- */

/* Compares a file with an object of the bundle. */
static bool same_object(
    const json_t *before, const char *again, const char *name, const char *const *members, FILE *out) {
    char *text = json_dumps(before, JSON_REAL_PRECISION(17));
    FILE *a = text ? fmemopen(text, strlen(text), "r") : NULL, *b;
    FRS_INVARIANT(a, "out of memory");
    const char *reason = open_file(again, name, &b);
    bool same = false;
    if (b) {
        same = same_json(a, b, name, members, out);
        fclose(b);
    } else {
        frs_print_line(out, "%s: %s", name, reason);
    }
    fclose(a);
    free(text);
    return same;
}

static bool same_digest(const char *path, const char *name, const char *before, FILE *out) {
    char text[FRS_DIGEST_TEXT];
    struct frs_digest digest;
    const char *reason = frs_input_digest(path, &digest);
    bool same = !reason && strcmp(before, frs_digest_text(&digest, text)) == 0;
    frs_print_line(out, "%s: %s", name, reason ? reason : same ? "identical" : "differs (by its digest)");
    return same;
}

/* fmemopen takes no empty text. */
static bool same_text(const char *path, const char *name, const char *before, FILE *out) {
    FILE *a = *before ? fmemopen((char *)(uintptr_t)before, strlen(before), "r") : fopen("/dev/null", "r"),
         *b;
    FRS_INVARIANT(a, "out of memory");
    const char *reason = frs_input_open(path, &b);
    bool same = !reason && same_streams(a, b, name, out);
    if (reason)
        frs_print_line(out, "%s: %s", name, reason);
    else
        fclose(b);
    fclose(a);
    return same;
}

static bool same_result(const json_t *results, const char *again, const char *name, FILE *out) {
    const json_t *before = json_object_get(results, name);
    const char *text = json_string_value(json_object_get(before, "text")),
               *digest = json_string_value(json_object_get(before, "digest"));
    char *path = frs_format("%s/%s", again, name);
    bool same = false;
    if (text)
        same = same_text(path, name, text, out);
    else if (digest)
        same = same_digest(path, name, digest, out);
    else
        frs_print_line(out, "%s: was not there", name);
    free(path);
    return same;
}

enum frs_status frs_run_bundled_compare(const struct frs_bundled_run *before, const char *again,
    struct frs_comparison *comparison, FILE *out, struct frs_errors *errors) {
    struct dirent **new = NULL;
    int n_new = list(again, &new, errors);
    *comparison = (struct frs_comparison){0};
    for (int i = 0; i < n_new; i++) {
        const char *name = new[i]->d_name;
        count(comparison,
            strcmp(name, "manifest.json") == 0  ? same_object(before->manifest, again, name, of_manifest, out)
            : strcmp(name, "summary.json") == 0 ? same_object(before->summary, again, name, of_summary, out)
                                                : same_result(before->results, again, name, out));
    }
    const char *name;
    json_t *result;
    json_object_foreach((json_t *)(uintptr_t)before->results, name, result) {
        if (n_new < 0 || has(new, n_new, name))
            continue;
        frs_print_line(out, "%s: was not written this time", name);
        count(comparison, false);
    }
    free_names(new, n_new);
    return n_new >= 0 ? FRS_OK : FRS_ERR_INPUT;
}
