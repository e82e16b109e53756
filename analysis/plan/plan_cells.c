/* Cells of a plan: their levels, their names, the cell with which others are compared, and the settings
 * that differ between them. */
#include "analysis/print/held_constant.h"
#include "analysis/plan/plan.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

size_t frs_axis_keys(const struct frs_axis *axis) {
    size_t n = 0;
    while (axis->keys[n])
        n++;
    return n;
}

size_t frs_axes_cells(const struct frs_axes *axes) {
    size_t n = 1;
    for (size_t i = 0; i < axes->n; i++) {
        if (axes->axes[i].n > 0 && n > SIZE_MAX / axes->axes[i].n)
            return SIZE_MAX;
        n *= axes->axes[i].n;
    }
    return n;
}

size_t frs_axes_level(const struct frs_axes *axes, size_t cell, size_t axis) {
    for (size_t i = axes->n; --i > axis;)
        cell /= axes->axes[i].n;
    return cell % axes->axes[axis].n;
}

const char *frs_axes_label(const struct frs_axes *axes, size_t cell, size_t axis) {
    return axes->axes[axis].levels[frs_axes_level(axes, cell, axis)].label;
}

/* ---- cells ---- */

/* How many cells further the next level of an axis is. */
static size_t stride(const struct frs_sweep_plan *plan, size_t axis) {
    size_t product = 1;
    while (++axis < plan->sweep.axes.n)
        product *= plan->sweep.axes.axes[axis].n;
    return product;
}

static size_t cell_at(const struct frs_sweep_plan *plan, size_t cell, size_t axis, size_t level) {
    return cell + (level - frs_axes_level(&plan->sweep.axes, cell, axis)) * stride(plan, axis);
}

char *frs_sweep_plan_cell_name(const struct frs_sweep_plan *plan, size_t cell) {
    char *name = frs_strdup(plan->sweep.axes.n ? "" : "all");
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++) {
        char *longer = frs_format("%s%s%s=%s", name, axis ? ", " : "", plan->sweep.axes.axes[axis].name,
            frs_axes_label(&plan->sweep.axes, cell, axis));
        free(name);
        name = longer;
    }
    return name;
}

bool frs_sweep_plan_first_designs(const struct frs_sweep_plan *plan, size_t *levels, char **text) {
    *text = frs_strdup("");
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++) {
        levels[axis] = plan->sweep.axes.axes[axis].role == FRS_ROLE_DESIGN ? 0 : FRS_ANY_LEVEL;
        if (levels[axis] == FRS_ANY_LEVEL)
            continue;
        char *longer = frs_format("%s%s%s=%s", *text, **text ? ", " : "", plan->sweep.axes.axes[axis].name,
            plan->sweep.axes.axes[axis].levels[0].label);
        free(*text);
        *text = longer;
    }
    return **text != '\0';
}

char *frs_sweep_plan_axes_with(const struct frs_sweep_plan *plan, enum frs_role role) {
    char *text = frs_strdup("");
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++) {
        if (plan->sweep.axes.axes[axis].role != role)
            continue;
        char *longer = frs_format("%s%s%s", text, *text ? ", " : "", plan->sweep.axes.axes[axis].name);
        free(text);
        text = longer;
    }
    return text;
}

size_t frs_sweep_plan_baseline_of(const struct frs_sweep_plan *plan, const size_t *fixed, size_t cell) {
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++)
        if (fixed[axis] != FRS_ANY_LEVEL)
            cell = cell_at(plan, cell, axis, fixed[axis]);
    return cell;
}

/* ---- what differs beside what was varied ---- */

bool frs_sweep_plan_print_held_constant(const struct frs_sweep_plan *plan, FILE *out) {
    struct frs_arena arena = {0};
    struct frs_side *sides = frs_alloc(plan->n_points + 1, sizeof *sides);
    size_t n_varied = 0, n = 0;
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++)
        n_varied += frs_axis_keys(&plan->sweep.axes.axes[axis]);
    const char **varied = frs_alloc(n_varied + 1, sizeof *varied);
    for (size_t axis = 0, at = 0; axis < plan->sweep.axes.n; axis++)
        for (size_t k = 0; k < frs_axis_keys(&plan->sweep.axes.axes[axis]); k++)
            varied[at++] = plan->sweep.axes.axes[axis].keys[k];
    for (size_t i = 0; i < plan->n_points; i++) {
        const struct frs_sweep_point *point = &plan->points[i];
        if (point->replicate != 1)
            continue;
        const char **labels = frs_arena_take(&arena, plan->sweep.axes.n + 1, sizeof *labels);
        for (size_t axis = 0; axis < plan->sweep.axes.n; axis++)
            labels[axis] = frs_axes_label(&plan->sweep.axes, point->cell, axis);
        /* cppcheck-suppress unknownEvaluationOrder ; the n on the right is a field */
        sides[n++] = (struct frs_side){.labels = labels,
            .n_labels = plan->sweep.axes.n,
            .settings = point->settings,
            .n = point->n_settings};
    }
    bool any = frs_held_constant_print(sides, n, varied, n_varied, out);
    free(varied);
    free(sides);
    frs_arena_fini(&arena);
    return any;
}

/* ---- selections ---- */

/* Returns the length of `name` and the spaces after it, if one of the characters of `after` follows or,
 * with `may_end`, the text ends; otherwise 0. */
static size_t match(const char *text, const char *name, const char *after, bool may_end) {
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0)
        return 0;
    length += strspn(text + length, " ");
    char next = text[length];
    return (next && strchr(after, next)) || (!next && may_end) ? length : 0;
}

/* The longest name that fits, so that "a,b=1" beats "a". */
static size_t find_axis(const struct frs_sweep_plan *plan, const char *text, size_t *length) {
    size_t found = SIZE_MAX;
    *length = 0;
    for (size_t i = 0; i < plan->sweep.axes.n; i++) {
        size_t n = match(text, plan->sweep.axes.axes[i].name, "=", false);
        if (n > *length) {
            *length = n;
            found = i;
        }
    }
    return found;
}

static size_t find_level(const struct frs_axis *axis, const char *text, size_t *length) {
    size_t found = SIZE_MAX;
    *length = 0;
    for (size_t i = 0; i < axis->n; i++) {
        size_t n = match(text, axis->levels[i].label, ",", true);
        if (n > *length) {
            *length = n;
            found = i;
        }
    }
    return found;
}

static char *list_names(const struct frs_sweep_plan *plan, const struct frs_axis *axis) {
    size_t n = axis ? axis->n : plan->sweep.axes.n;
    char *list = frs_strdup(n ? "" : "none");
    for (size_t i = 0; i < n; i++) {
        char *longer = frs_format(
            "%s%s%s", list, i ? " | " : "", axis ? axis->levels[i].label : plan->sweep.axes.axes[i].name);
        free(list);
        list = longer;
    }
    return list;
}

static enum frs_status refuse(const struct frs_sweep_plan *plan, const struct frs_axis *axis,
    const char *where, const char *text, struct frs_errors *errors) {
    char line[64], *list = list_names(plan, axis);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: \"%s\" does not start with %s%s%s; allowed: %s", where, frs_text_line(text, line, sizeof line),
        axis ? "a level of \"" : "\"AXIS=\", an axis of the sweep", axis ? axis->name : "", axis ? "\"" : "",
        list);
    free(list);
    return status;
}

enum frs_status frs_sweep_plan_select(const struct frs_sweep_plan *plan, const char *text, const char *where,
    size_t *levels, struct frs_errors *errors) {
    for (size_t i = 0; i < plan->sweep.axes.n; i++)
        levels[i] = FRS_ANY_LEVEL;
    while (true) {
        size_t length, axis;
        text += strspn(text, " ");
        axis = find_axis(plan, text, &length);
        if (axis == SIZE_MAX)
            return refuse(plan, NULL, where, text, errors);
        text += length + 1;
        text += strspn(text, " ");
        levels[axis] = find_level(&plan->sweep.axes.axes[axis], text, &length);
        if (levels[axis] == SIZE_MAX)
            return refuse(plan, &plan->sweep.axes.axes[axis], where, text, errors);
        text += length;
        if (!*text)
            return FRS_OK;
        text++;
    }
}

bool frs_sweep_plan_wants_page(const struct frs_sweep_plan *plan) {
    for (size_t i = 0; i < plan->n_common; i++)
        if (strcmp(plan->common[i].key, "output.report") == 0)
            return strcmp(plan->common[i].text, "true") == 0;
    return false;
}
