#include "analysis/print/held_constant.h"
#include "analysis/print/present.h"
#include "analysis/print/setting_text.h"
#include "analysis/statistics/factors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- which settings belong together ---- */

enum group { TRAINING, MESSAGES, ROUNDS, CIRCUMSTANCES, N_GROUPS, LEFT_OUT };

static const char *const group_names[] = {"training", "messages", "rounds", "environments"};

/* The weight of stale uploads. This setting belongs to the policy, but a policy is varied for what its
 * rounds wait for, whereas this setting changes what is learnt. So it is shown although the policy was
 * varied. */
#define STALENESS "rounds.policy.staleness"

/* The first line that fits. What a run writes, and how a sweep is evaluated, changes no figure. */
static enum group group_of(const char *key) {
    static const struct {
        const char *section;
        enum group group;
    } sections[] = {{"method.catchup", MESSAGES}, {"method.init", MESSAGES}, {"codec", MESSAGES},
        {"training.messages", MESSAGES}, {STALENESS, TRAINING}, {"method", TRAINING}, {"training", TRAINING}};
    static const enum group others[] = {
        [FRS_ROLE_DESIGN] = ROUNDS, [FRS_ROLE_ENVIRONMENT] = CIRCUMSTANCES, [FRS_ROLE_NONE] = LEFT_OUT};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (frs_key_is_in(key, sections[i].section))
            return sections[i].group;
    return others[frs_role_of(key)];
}

/* ---- what differs ---- */

struct row {
    const char *key;
    enum group group;
};

struct table {
    const struct frs_side *sides;
    size_t n;
    struct row *rows;
    size_t n_rows, capacity;
    size_t *column_of; /* [n] of the group that is being printed */
    size_t n_columns;
};

static const char *value_of(const struct frs_side *side, const char *key) {
    for (size_t i = 0; i < side->n; i++)
        if (strcmp(side->settings[i].key, key) == 0)
            return side->settings[i].text;
    return NULL;
}

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_row(const struct table *table, const char *key) {
    for (size_t i = 0; i < table->n_rows; i++)
        if (strcmp(table->rows[i].key, key) == 0)
            return true;
    return false;
}

static bool differs(const struct table *table, const char *key) {
    const char *first = value_of(&table->sides[0], key);
    for (size_t i = 1; i < table->n; i++)
        if (!same(value_of(&table->sides[i], key), first))
            return true;
    return false;
}

static bool is_varied(const char *key, const char *const *varied, size_t n) {
    bool by_itself = strcmp(key, STALENESS) == 0;
    for (size_t i = 0; i < n; i++)
        if (by_itself ? strcmp(key, varied[i]) == 0 : frs_key_goes_with(key, varied[i]))
            return true;
    return false;
}

/* Which settings a table shows. */
struct choice {
    const char *title;
    const char *const *keys;
    size_t n_keys;
    bool only; /* what goes with these keys; otherwise what does not */
};

/* Goes through the keys of all sides, in their order. A key that the side before has is skipped, because
 * it was checked there. */
static void find_rows(struct table *table, const struct choice *choice) {
    for (size_t i = 0; i < table->n; i++)
        for (size_t k = 0; k < table->sides[i].n; k++) {
            const char *key = table->sides[i].settings[k].key;
            enum group group = group_of(key);
            if (group == LEFT_OUT || (i > 0 && value_of(&table->sides[i - 1], key)) ||
                is_varied(key, choice->keys, choice->n_keys) != choice->only || has_row(table, key) ||
                !differs(table, key))
                continue;
            table->rows = frs_grow(table->rows, table->n_rows + 1, &table->capacity, sizeof *table->rows);
            table->rows[table->n_rows++] = (struct row){key, group};
        }
}

static bool agree(const struct table *table, enum group group, size_t a, size_t b) {
    for (size_t i = 0; i < table->n_rows; i++) {
        const char *key = table->rows[i].key;
        if (table->rows[i].group == group &&
            !same(value_of(&table->sides[a], key), value_of(&table->sides[b], key)))
            return false;
    }
    return true;
}

/* Sides that agree in all of a group share a column. */
static void find_columns(struct table *table, enum group group) {
    table->n_columns = 0;
    for (size_t i = 0; i < table->n; i++) {
        size_t before = 0;
        while (before < i && !agree(table, group, before, i))
            before++;
        table->column_of[i] = before < i ? table->column_of[before] : table->n_columns++;
    }
}

/* ---- names of columns ---- */

static void append(char **text, const char *separator, const char *more) {
    char *longer = frs_format("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    *text = longer;
}

/* Texts of one name; after the first few it says how many there are more. */
struct names {
    char *text;
    size_t n;
};

enum { MAX_NAMES = 3 };

static void add_name(struct names *names, const char *name) {
    if (++names->n <= MAX_NAMES)
        append(&names->text, "; ", name);
}

static char *take_names(struct names *names) {
    if (names->n > MAX_NAMES) {
        char *more = frs_format("%zu more", names->n - MAX_NAMES);
        append(&names->text, "; and ", more);
        free(more);
    }
    return names->text;
}

/* Whether some side of the column, of those before `end`, has this label on an axis. */
static bool has_label(const struct table *table, size_t column, size_t axis, const char *label, size_t end) {
    for (size_t i = 0; i < end; i++)
        if (table->column_of[i] == column && strcmp(table->sides[i].labels[axis], label) == 0)
            return true;
    return false;
}

/* Whether a column has every side whose labels it has: then these say which sides it has. */
static bool is_whole(const struct table *table, size_t column) {
    for (size_t i = 0; i < table->n; i++) {
        bool is_meant = true;
        for (size_t axis = 0; axis < table->sides[i].n_labels; axis++)
            is_meant = is_meant && has_label(table, column, axis, table->sides[i].labels[axis], table->n);
        if (is_meant && table->column_of[i] != column)
            return false;
    }
    return true;
}

/* The column's labels on an axis; none, if it has all there are. */
static char *labels_of(const struct table *table, size_t column, size_t axis) {
    struct names names = {.text = frs_strdup("")};
    bool lacks = false;
    for (size_t i = 0; i < table->n; i++) {
        const char *label = table->sides[i].labels[axis];
        if (!has_label(table, column, axis, label, table->n))
            lacks = true;
        else if (table->column_of[i] == column && !has_label(table, column, axis, label, i))
            add_name(&names, label);
    }
    char *text = take_names(&names);
    if (!lacks)
        *text = '\0';
    return text;
}

static char *side_name(const struct frs_side *side) {
    char *name = frs_strdup(side->n_labels > 0 ? "" : side->name);
    for (size_t axis = 0; axis < side->n_labels; axis++)
        append(&name, ", ", side->labels[axis]);
    return name;
}

static char *names_of_sides(const struct table *table, size_t column) {
    struct names names = {.text = frs_strdup("")};
    for (size_t i = 0; i < table->n; i++) {
        if (table->column_of[i] != column)
            continue;
        char *name = side_name(&table->sides[i]);
        add_name(&names, name);
        free(name);
    }
    return take_names(&names);
}

static char *column_name(const struct table *table, size_t column) {
    if (table->sides[0].n_labels == 0 || !is_whole(table, column))
        return names_of_sides(table, column);
    char *name = frs_strdup("");
    for (size_t axis = 0; axis < table->sides[0].n_labels; axis++) {
        char *labels = labels_of(table, column, axis);
        if (*labels)
            append(&name, ", ", labels);
        free(labels);
    }
    return name;
}

/* ---- printing ---- */

static const char *value_in(const struct table *table, size_t column, const char *key) {
    size_t side = 0;
    while (table->column_of[side] != column)
        side++;
    const char *value = value_of(&table->sides[side], key);
    return !value ? "–" : *value ? value : "none";
}

/* In the units of scenarios. */
static void add_value(struct frs_text_table *grid, const char *value) {
    char *text = frs_setting_text(value);
    frs_text_table_add(grid, text);
    free(text);
}

static void print_group(struct table *table, enum group group, FILE *out) {
    find_columns(table, group);
    struct frs_text_table grid = {.n_columns = table->n_columns + 1};
    frs_text_table_add(&grid, group_names[group]);
    for (size_t column = 0; column < table->n_columns; column++) {
        char *name = column_name(table, column);
        frs_text_table_add(&grid, name);
        free(name);
    }
    for (size_t i = 0; i < table->n_rows; i++) {
        if (table->rows[i].group != group)
            continue;
        frs_text_table_add(&grid, table->rows[i].key);
        for (size_t column = 0; column < table->n_columns; column++)
            add_value(&grid, value_in(table, column, table->rows[i].key));
    }
    frs_text_table_print(&grid, out);
    frs_text_table_fini(&grid);
}

static size_t rows_in(const struct table *table, enum group group) {
    size_t n = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        n += table->rows[i].group == group;
    return n;
}

static void print_all(struct table *table, const char *title, FILE *out) {
    bool printed[N_GROUPS] = {false};
    fprintf(out, "\n**%s**\n", title);
    for (int turn = 0; turn < N_GROUPS; turn++) {
        int shortest = -1;
        for (int group = 0; group < N_GROUPS; group++)
            if (!printed[group] && (shortest < 0 || rows_in(table, group) < rows_in(table, shortest)))
                shortest = group;
        printed[shortest] = true;
        if (rows_in(table, shortest) == 0)
            continue;
        fputc('\n', out);
        print_group(table, shortest, out);
    }
}

static bool print(const struct frs_side *sides, size_t n, const struct choice *choice, FILE *out) {
    struct table table = {.sides = sides, .n = n, .column_of = frs_alloc(n + 1, sizeof *table.column_of)};
    if (n > 1)
        find_rows(&table, choice);
    bool any = table.n_rows > 0;
    if (any)
        print_all(&table, choice->title, out);
    free(table.rows);
    free(table.column_of);
    return any;
}

bool frs_held_constant_print(
    const struct frs_side *sides, size_t n, const char *const *varied, size_t n_varied, FILE *out) {
    const struct choice choice = {"Settings that differ without having been varied", varied, n_varied, false};
    return print(sides, n, &choice, out);
}

bool frs_varied_print(
    const struct frs_side *sides, size_t n, const char *const *varied, size_t n_varied, FILE *out) {
    const struct choice choice = {"Settings that --set varied", varied, n_varied, true};
    return print(sides, n, &choice, out);
}

bool frs_differing_print(const struct frs_side *sides, size_t n, FILE *out) {
    return print(sides, n, &(struct choice){"Settings that differ", NULL, 0, false}, out);
}
