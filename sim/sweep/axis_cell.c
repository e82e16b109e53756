/* Axes: a cell by the labels of its levels. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/sweep/axis.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes of `text` are `name`, the character `end` (or the end) and the space around; 0: not that. */
static size_t matches(const char *text, const char *name, char end) {
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0)
        return 0;
    length += strspn(text + length, " \t");
    if (text[length] == '\0' && end == ',')
        return length;
    return text[length] == end ? length + 1 + strspn(text + length + 1, " \t") : 0;
}

/* Names and labels may hold commas: the longest that fits is meant. */
static bool take_axis(const struct frs_axes *axes, const char **text, size_t *axis) {
    size_t longest = 0;
    for (size_t i = 0; i < axes->n; i++) {
        size_t n = matches(*text, axes->axes[i].name, '=');
        if (n > longest) {
            longest = n;
            *axis = i;
        }
    }
    *text += longest;
    return longest > 0;
}

static bool take_level(const struct frs_axis *axis, const char **text, size_t *level) {
    size_t longest = 0;
    for (size_t i = 0; i < axis->n; i++) {
        size_t n = matches(*text, axis->levels[i].label, ',');
        if (n > longest) {
            longest = n;
            *level = i;
        }
    }
    *text += longest;
    return longest > 0;
}

/* "a | b | c": the names of all axes, or the labels of one. */
static char *list_names(const struct frs_axes *axes, const struct frs_axis *axis) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < (axis ? axis->n : axes->n); i++) {
        char *longer =
            frs_format("%s%s%s", text, i ? " | " : "", axis ? axis->levels[i].label : axes->axes[i].name);
        free(text);
        text = longer;
    }
    return text;
}

static void append(char **text, const char *axis, const char *label) {
    char *longer = frs_format("%s%s%s=%s", *text, **text ? "," : "", axis, label);
    free(*text);
    *text = longer;
}

enum frs_status frs_axes_check_cell(const struct frs_axes *axes, const char *text, const char *where,
    char **normal, struct frs_errors *errors) {
    *normal = frs_strdup("");
    text += strspn(text, " \t");
    while (*text) {
        size_t axis = 0, level = 0;
        bool known = take_axis(axes, &text, &axis);
        if (known && take_level(&axes->axes[axis], &text, &level)) {
            append(normal, axes->axes[axis].name, axes->axes[axis].levels[level].label);
            continue;
        }
        char *allowed = list_names(axes, known ? &axes->axes[axis] : NULL);
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" names no %s%s; allowed: %s", where, text,
            known ? "level of " : "axis", known ? axes->axes[axis].name : "", *allowed ? allowed : "none");
        free(allowed);
        free(*normal);
        *normal = NULL;
        return FRS_ERR_INPUT;
    }
    return FRS_OK;
}
