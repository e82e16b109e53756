#include "sim/sweep/axis.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"
#include "sim/base/utf8.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- texts with separators --- */

/* The first of `separators` in `text` that no backslash stands before, or NULL. */
static char *find_any(const char *text, const char *separators) {
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (strchr(separators, *text))
            return (char *)(uintptr_t)text;
    }
    return NULL;
}

/* A copy without space around it, and without the backslashes before separators when `plain`. */
static char *copy(const char *text, size_t length, bool plain) {
    char *out = frs_alloc(length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (plain && text[i] == '\\' && i + 1 < length && strchr(",|&:=\\", text[i + 1]))
            i++;
        out[n++] = text[i];
    }
    while (n > 0 && strchr(" \t\n", out[n - 1]))
        n--;
    out[n] = '\0';
    size_t lead = strspn(out, " \t\n");
    memmove(out, out + lead, n - lead + 1);
    return out;
}

/* A value in double quotes is meant as a file has it: without them. */
static char *unquoted(char *value) {
    size_t length = strlen(value);
    if (length >= 2 && *value == '"' && strcspn(value + 1, "\"\\") == length - 2) {
        value[length - 1] = '\0';
        memmove(value, value + 1, length - 1);
    }
    return value;
}

struct parts {
    char **parts;
    size_t n, capacity;
};

static void add_part(struct parts *parts, char *part) {
    parts->parts = frs_grow(parts->parts, parts->n + 1, &parts->capacity, sizeof *parts->parts);
    parts->parts[parts->n++] = part;
}

static struct parts split(const char *text, const char *separator, bool plain) {
    struct parts parts = {0};
    for (const char *end; (end = find_any(text, separator)); text = end + 1)
        add_part(&parts, copy(text, (size_t)(end - text), plain));
    add_part(&parts, copy(text, strlen(text), plain));
    return parts;
}

static void free_parts(struct parts *parts) {
    for (size_t i = 0; i < parts->n; i++)
        free(parts->parts[i]);
    free(parts->parts);
    *parts = (struct parts){0};
}

static char *join(const struct parts *parts) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < parts->n; i++) {
        char *longer = frs_format("%s%s%s", text, i ? "," : "", parts->parts[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* --- one axis --- */

struct reader {
    const char *text, *where; /* as it was given */
    const char *axis_text;    /* without the role in front */
    bool has_role;
    struct frs_errors *errors;
    struct frs_axis axis;
    bool failed;
};

static void fail(struct reader *reader, const char *format, ...) FRS_PRINTF(2, 3);

static void fail(struct reader *reader, const char *format, ...) {
    char reason[512], line[128];
    if (reader->failed)
        return;
    reader->failed = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    frs_errors_add(reader->errors, FRS_ERR_INPUT, "%s: \"%s\": %s", reader->where,
        frs_text_line(reader->text, line, sizeof line), reason);
}

static struct frs_level *add_level(struct reader *reader, char *label) {
    struct frs_axis *axis = &reader->axis;
    for (size_t i = 0; i < axis->n; i++)
        if (strcmp(axis->levels[i].label, label) == 0)
            fail(reader, "level \"%s\" is there twice", label);
    if (!*label)
        fail(reader, "a level is empty");
    struct frs_level *levels = frs_alloc(axis->n + 1, sizeof *levels);
    if (axis->n > 0)
        memcpy(levels, axis->levels, axis->n * sizeof *levels);
    free(axis->levels);
    axis->levels = levels;
    levels[axis->n].label = label;
    return &levels[axis->n++];
}

static void check_key(struct reader *reader, const char *key) {
    if (!*key || key[strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")])
        fail(reader,
            "\"%s\" is not a key; allowed: KEY = V, V   or   KEY, KEY = V, W | V, W   or   "
            "NAME | LABEL: KEY=V & KEY=V | LABEL ...",
            key);
    else if (frs_key_is_in(key, "seed"))
        fail(reader, "the seed is not an axis: replicates differ in it (sweep.replicates)");
    else if (frs_key_is_in(key, "sweep") || frs_key_is_in(key, "output"))
        fail(reader, "%s does not change a run", key);
}

/* "4..8" */
static bool is_range(const char *value) {
    static const char digits[] = "0123456789";
    size_t first = strspn(value, digits);
    if (first == 0 || strncmp(value + first, "..", 2) != 0)
        return false;
    const char *last = value + first + 2;
    return *last && last[strspn(last, digits)] == '\0';
}

static void add_set(struct reader *reader, struct frs_level *level, const char *key, const char *value) {
    check_key(reader, key);
    if (!*value)
        fail(reader, "%s has no value in level \"%s\"", key, level->label);
    if (is_range(value))
        fail(reader, "%s is a range, which solve takes; allowed here: a list, such as 4, 5, 6", value);
    for (size_t i = 0; i < level->n; i++)
        if (strncmp(level->sets[i], key, strlen(key)) == 0 && level->sets[i][strlen(key)] == '=')
            fail(reader, "%s is there twice in level \"%s\"", key, level->label);
    char **sets = frs_alloc(level->n + 1, sizeof *sets);
    if (level->n > 0)
        memcpy(sets, level->sets, level->n * sizeof *sets);
    free(level->sets);
    level->sets = sets;
    sets[level->n++] = frs_format("%s=%s", key, value);
}

/* KEY = V, V   and   KEY, KEY = V, W | V, W */
static void read_values(struct reader *reader, const char *equals) {
    char *left = copy(reader->axis_text, (size_t)(equals - reader->axis_text), false);
    struct parts keys = split(left, ",", true);
    bool zipped = keys.n > 1 || find_any(equals + 1, "|");
    struct parts levels = split(equals + 1, zipped ? "|" : ",", false);
    reader->axis.name = join(&keys);
    for (size_t i = 0; i < levels.n && !reader->failed; i++) {
        struct parts values = split(levels.parts[i], zipped ? "," : "", true);
        for (size_t k = 0; k < values.n; k++)
            unquoted(values.parts[k]);
        struct frs_level *level = add_level(reader, join(&values));
        if (values.n != keys.n)
            fail(reader, "level \"%s\" has %zu value%s for %zu key%s", level->label, values.n,
                values.n == 1 ? "" : "s", keys.n, keys.n == 1 ? "" : "s");
        for (size_t k = 0; k < keys.n && !reader->failed; k++)
            add_set(reader, level, keys.parts[k], values.parts[k]);
        free_parts(&values);
    }
    free_parts(&levels);
    free_parts(&keys);
    free(left);
}

/* LABEL: KEY=V & KEY=V */
static void read_named_level(struct reader *reader, const char *text) {
    const char *colon = find_any(text, ":");
    struct frs_level *level =
        add_level(reader, copy(text, colon ? (size_t)(colon - text) : strlen(text), true));
    if (!colon)
        return;
    struct parts sets = split(colon + 1, "&", false);
    for (size_t i = 0; i < sets.n && !reader->failed; i++) {
        char *equals = find_any(sets.parts[i], "=");
        if (!equals) {
            fail(reader, "\"%s\" in level \"%s\" has to look like section.key=value", sets.parts[i],
                level->label);
            break;
        }
        char *key = copy(sets.parts[i], (size_t)(equals - sets.parts[i]), true);
        char *value = unquoted(copy(equals + 1, strlen(equals + 1), true));
        add_set(reader, level, key, value);
        free(key);
        free(value);
    }
    free_parts(&sets);
}

/* NAME | LABEL: KEY=V | LABEL */
static void read_named(struct reader *reader) {
    struct parts parts = split(reader->axis_text, "|", false);
    reader->axis.name = copy(parts.parts[0], strlen(parts.parts[0]), true);
    if (!*reader->axis.name)
        fail(reader, "the axis has no name");
    if (find_any(parts.parts[0], ":"))
        fail(reader, "\"%s\" begins with no role; allowed: design:, environment:, or \\: in a name",
            reader->axis.name);
    for (size_t i = 1; i < parts.n && !reader->failed; i++)
        read_named_level(reader, parts.parts[i]);
    free_parts(&parts);
}

/* --- all axes --- */

static bool sets_key(const struct frs_axis *axis, const char *set) {
    size_t length = strcspn(set, "=") + 1;
    for (size_t i = 0; i < axis->n; i++)
        for (size_t k = 0; k < axis->levels[i].n; k++)
            if (strncmp(axis->levels[i].sets[k], set, length) == 0)
                return true;
    return false;
}

static bool has_key(char *const *keys, size_t n, const char *key) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static char **keys_of(const struct frs_axis *axis) {
    size_t n = 0, capacity = 0;
    char **keys = NULL;
    for (size_t i = 0; i < axis->n; i++)
        for (size_t k = 0; k < axis->levels[i].n; k++) {
            const char *set = axis->levels[i].sets[k];
            char *key = frs_format("%.*s", (int)strcspn(set, "="), set);
            keys = frs_grow(keys, n + 2, &capacity, sizeof *keys);
            if (has_key(keys, n, key))
                free(key);
            else
                keys[n++] = key;
        }
    keys = frs_grow(keys, n + 1, &capacity, sizeof *keys);
    keys[n] = NULL;
    return keys;
}

/* Two axes that set one key would overwrite each other. */
static void check_overlap(struct reader *reader, const struct frs_axes *axes, size_t replaced) {
    for (size_t a = 0; a < axes->n; a++)
        for (size_t i = 0; i < reader->axis.n && a != replaced; i++)
            for (size_t k = 0; k < reader->axis.levels[i].n; k++) {
                const char *set = reader->axis.levels[i].sets[k];
                if (sets_key(&axes->axes[a], set))
                    fail(reader, "%.*s is also set by the axis %s", (int)strcspn(set, "="), set,
                        axes->axes[a].name);
            }
}

/* --- roles --- */

/* "design: AXIS" */
static void read_role(struct reader *reader) {
    const char *word = reader->text + strspn(reader->text, " \t\n");
    size_t length = strcspn(word, " \t\n:|=");
    const char *colon = word + length + strspn(word + length, " \t\n");
    reader->has_role = *colon == ':' && frs_role_parse(word, length, &reader->axis.role);
    reader->axis_text = reader->has_role ? colon + 1 : reader->text;
}

/* "rounds.cohort, rounds.count": those with this role. */
static char *keys_with(const struct frs_axis *axis, enum frs_role role) {
    char *text = frs_strdup("");
    for (char **key = axis->keys; *key; key++) {
        if (frs_role_of(*key) != role)
            continue;
        char *longer = frs_format("%s%s%s", text, *text ? ", " : "", *key);
        free(text);
        text = longer;
    }
    return text;
}

static void settle_role(struct reader *reader) {
    struct frs_axis *axis = &reader->axis;
    size_t n = 0;
    while (axis->keys[n])
        n++;
    if (reader->has_role)
        return;
    axis->role = frs_role_of_axis(axis->keys, n, axis->name);
    char *designs = keys_with(axis, FRS_ROLE_DESIGN), *environments = keys_with(axis, FRS_ROLE_ENVIRONMENT);
    if (*designs && *environments)
        fail(reader,
            "sets design factors (%s) and environment factors (%s); say which of them it is with \"design: "
            "\" or "
            "\"environment: \" in front",
            designs, environments);
    free(designs);
    free(environments);
}

enum frs_status frs_axes_add(struct frs_axes *axes, const char *text, const char *where, bool on_command_line,
    struct frs_errors *errors) {
    struct reader reader = {
        .text = text, .where = where, .errors = errors, .axis = {.on_command_line = on_command_line}};
    read_role(&reader);
    const char *first = find_any(reader.axis_text, "|=");
    if (!frs_utf8_is_sound(text))
        fail(&reader, "is not UTF-8 text");
    else if (!first)
        fail(&reader, "is not an axis; allowed: KEY = V, V   or   KEY, KEY = V, W | V, W   or   "
                      "NAME | LABEL: KEY=V & KEY=V | LABEL ...");
    else if (*first == '=')
        read_values(&reader, first);
    else
        read_named(&reader);
    reader.axis.keys = keys_of(&reader.axis);
    size_t place = 0;
    while (!reader.failed && place < axes->n && strcmp(axes->axes[place].name, reader.axis.name) != 0)
        place++;
    if (!reader.failed && place < axes->n && axes->axes[place].on_command_line == on_command_line)
        fail(&reader, "there are two axes of this name");
    if (!reader.failed)
        check_overlap(&reader, axes, place);
    if (!reader.failed)
        settle_role(&reader);
    if (reader.failed) {
        frs_axis_fini(&reader.axis);
        return FRS_ERR_INPUT;
    }
    if (place == axes->n) {
        axes->axes = frs_grow(axes->axes, axes->n + 1, &axes->capacity, sizeof *axes->axes);
        axes->n++;
    } else {
        frs_axis_fini(&axes->axes[place]);
    }
    axes->axes[place] = reader.axis;
    return FRS_OK;
}

char *frs_axes_describe(const struct frs_axes *axes, size_t cell) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < axes->n; i++) {
        const struct frs_axis *axis = &axes->axes[i];
        char *longer = frs_format("%s%s%s = %s", text, i ? ", " : "", axis->name,
            axis->levels[frs_axes_level(axes, cell, i)].label);
        free(text);
        text = longer;
    }
    return text;
}
