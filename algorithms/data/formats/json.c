/* JSON lines: one object a line (Amazon reviews, Yelp, Goodreads, Google Local). */
#include "algorithms/data/formats/format.h"
#include "algorithms/data/reading/samples.h"
#include "sim/base/files/cells.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[FRS_COLUMNS] = {"csv_user", "csv_item", "csv_value", "csv_time"};

struct names {
    char *of[FRS_COLUMNS]; /* NULL: there is no such column */
    char *where;           /* the field of data.csv_where, or NULL */
    struct frs_where condition;
};

static bool recognise(struct frs_field head) {
    struct frs_field line;
    if (!frs_head_line(&head, &line))
        return false;
    while (line.n > 0 && (*line.text == ' ' || *line.text == '\t'))
        line = (struct frs_field){line.text + 1, line.n - 1};
    return line.n > 1 && *line.text == '{' && memchr(line.text, ':', line.n);
}

/* The names of the four in the first object: those of the scenario, or else the most usual ones there. */
static bool find_names(struct frs_reading *reading, const json_t *object, struct names *names) {
    for (int column = 0; column < FRS_COLUMNS; column++) {
        const struct frs_value *value = frs_values_find(reading->data, keys[column]);
        const char *asked = frs_values_text(reading->data, keys[column]), *name;
        json_t *ignored;
        int best = 0;
        if (value->given) {
            names->of[column] = *asked ? frs_strdup(asked) : NULL;
            continue;
        }
        json_object_foreach((json_t *)(size_t)object, name, ignored) {
            int usual = frs_column_named((enum frs_column)column, (struct frs_field){name, strlen(name)});
            if (usual <= best)
                continue;
            best = usual;
            free(names->of[column]);
            names->of[column] = frs_strdup(name);
        }
    }
    for (int column = FRS_COLUMN_USER; column <= FRS_COLUMN_ITEM; column++)
        if (!names->of[column])
            return frs_row_fail(reading->builder,
                "no field of this object is known as the %s; name it in data.%s",
                frs_column_text((enum frs_column)column), keys[column]);
    return true;
}

static bool leaves_out(const struct frs_row_builder *builder, enum frs_column column) {
    return column <= FRS_COLUMN_ITEM ? builder->leaves_out_empty
                                     : column == FRS_COLUMN_VALUE && builder->leaves_out_unrated;
}

/* A member as a text: strings as they are, numbers as they are written. */
static bool text_of(struct frs_row_builder *builder, const json_t *object, const char *name,
    enum frs_column column, char room[64], struct frs_field *field) {
    const json_t *member = json_object_get(object, name);
    if (json_is_string(member))
        *field = (struct frs_field){json_string_value(member), json_string_length(member)};
    else if (json_is_integer(member))
        *field = (struct frs_field){
            room, (size_t)snprintf(room, 64, "%" JSON_INTEGER_FORMAT, json_integer_value(member))};
    else if (json_is_real(member))
        *field = (struct frs_field){room, (size_t)snprintf(room, 64, "%.17g", json_real_value(member))};
    else if (leaves_out(builder, column) && (!member || json_is_null(member)))
        *field = (struct frs_field){room, 0};
    else
        return frs_row_fail(builder, "\"%.100s\" (the %s) is %s; expected a text or a number in every object",
            name, frs_column_text(column), member ? "neither a text nor a number" : "missing");
    frs_cell_trim(&field->text, &field->n);
    return true;
}

/* A text, an integer, true or false; others are no short text. */
static struct frs_field short_text(const json_t *member, char room[64]) {
    struct frs_field text = {room, 0};
    if (json_is_string(member))
        text = (struct frs_field){json_string_value(member), json_string_length(member)};
    else if (json_is_integer(member))
        text.n = (size_t)snprintf(room, 64, "%" JSON_INTEGER_FORMAT, json_integer_value(member));
    else if (json_is_boolean(member))
        text.n = (size_t)snprintf(room, 64, "%s", json_is_true(member) ? "true" : "false");
    return text;
}

/* Whether an object is an interaction, by data.csv_where. */
static bool is_chosen(const json_t *object, const struct names *names) {
    const json_t *member = json_object_get(object, names->where);
    char room[64];
    return frs_where_find(&names->condition, short_text(member, room)) != SIZE_MAX;
}

static void add_object(struct frs_row_builder *builder, const json_t *object, const struct names *names) {
    if (names->where && !is_chosen(object, names)) {
        builder->n_elsewhere++;
        return;
    }
    char rooms[FRS_COLUMNS][64];
    struct frs_field fields[FRS_COLUMNS] = {{NULL, 0}};
    for (int column = 0; column < FRS_COLUMNS; column++)
        if (names->of[column] && !text_of(builder, object, names->of[column], (enum frs_column)column,
                                     rooms[column], &fields[column]))
            return;
    frs_row_add(builder, fields[FRS_COLUMN_USER], fields[FRS_COLUMN_ITEM], fields[FRS_COLUMN_VALUE],
        fields[FRS_COLUMN_TIME]);
}

static void tell(struct frs_row_builder *builder, const struct names *names) {
    snprintf(builder->separated, sizeof builder->separated, "an object a line");
    for (int column = 0; column < FRS_COLUMNS; column++) {
        const char *name = names->of[column];
        if (!name)
            continue;
        snprintf(builder->settings[column], sizeof builder->settings[column], "%s = \"%.40s\";", keys[column],
            name);
        snprintf(builder->columns[column], sizeof builder->columns[column], "%s = %.40s",
            frs_column_text((enum frs_column)column), name);
    }
}

/* "; not used: is_read (true, false), shelf": fields of the first object, with their texts in the first
 * lines. */
static void tell_unused(
    struct frs_row_builder *builder, const struct names *names, const json_t *object, struct frs_field head) {
    enum { MOST_LINES = 1000, MOST_TOLD = 8 };
    struct frs_samples *samples = frs_alloc(1, sizeof *samples);
    struct frs_field line;
    char text[800] = "", list[200];
    size_t n = 0, n_unused = 0, room = sizeof text;
    const char *name;
    json_t *ignored;
    for (int i = 0; i < MOST_LINES && frs_head_line(&head, &line); i++) {
        json_t *other = json_loadb(line.text, line.n, 0, NULL);
        size_t column = 0;
        json_object_foreach((json_t *)(size_t)object, name, ignored) {
            char scalar[64];
            frs_samples_note(samples, column++, short_text(json_object_get(other, name), scalar));
        }
        json_decref(other);
    }
    size_t column = 0;
    json_object_foreach((json_t *)(size_t)object, name, ignored) {
        bool used = names->where && strcmp(names->where, name) == 0;
        for (int i = 0; i < FRS_COLUMNS; i++)
            used |= names->of[i] && strcmp(names->of[i], name) == 0;
        size_t at = column++;
        if (used || n_unused++ >= MOST_TOLD || n >= room)
            continue;
        frs_samples_list(samples, at, list, sizeof list);
        n += (size_t)snprintf(text + n, room - n, "%s%.40s%s%s%s", n ? ", " : "", name, *list ? " (" : "",
            list, *list ? ")" : "");
    }
    free(samples);
    for (char *at = text; *at; at++)
        if (*at == ';') /* which stands between notes */
            *at = ',';
    if (n_unused > MOST_TOLD)
        frs_row_note(builder, frs_format("; not used: %s and %zu more fields", text, n_unused - MOST_TOLD));
    else if (n_unused > 0)
        frs_row_note(builder, frs_format("; not used: %s", text));
}

static bool begin(struct frs_reading *reading, const json_t *object, struct names *names) {
    const char *where = frs_values_text(reading->data, "csv_where"), *reason;
    reason = frs_where_read(where, &names->condition);
    if (reason)
        return frs_row_fail(reading->builder, "data.csv_where: \"%.100s\" %s", where, reason);
    if (!find_names(reading, object, names))
        return false;
    if (*where) {
        names->where = frs_format("%.*s", (int)names->condition.column.n, names->condition.column.text);
        reading->builder->where = where;
        snprintf(reading->builder->reading, sizeof reading->builder->reading, "csv_where = \"%s\";", where);
    }
    frs_row_rules(reading->builder, &(struct frs_row_rules){.valued = names->of[FRS_COLUMN_VALUE] != NULL,
                                        .timed = names->of[FRS_COLUMN_TIME] != NULL,
                                        .min_value = -INFINITY,
                                        .max_value = INFINITY});
    tell(reading->builder, names);
    if (reading->builder->rows->n == 0)
        tell_unused(reading->builder, names, object, reading->head);
    return true;
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    struct names names = {0};
    struct frs_field line;
    bool first = true;
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        json_error_t error;
        builder->line = reading->lines->line;
        json_t *object = json_loadb(line.text, line.n, JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(object) && frs_field_is_python(line)) {
            builder->hopeless = true;
            frs_row_fail(builder, "%s", FRS_PYTHON);
        } else if (!json_is_object(object)) {
            char shown[JSON_ERROR_TEXT_LENGTH];
            snprintf(shown, sizeof shown, "%s", object ? "an array or a value" : error.text);
            for (char *at = shown; *at; at++) /* it may quote the line */
                if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
                    *at = '?';
            frs_row_fail(builder, "is no JSON object: %s; expected one object a line", shown);
        } else {
            if (first)
                builder->hopeless |= !begin(reading, object, &names);
            if (frs_row_wanted(builder))
                add_object(builder, object, &names);
            first = false;
        }
        json_decref(object);
    }
    for (int column = 0; column < FRS_COLUMNS; column++)
        free(names.of[column]);
    free(names.where);
}

const struct frs_data_format frs_data_format_json = {
    .name = "json",
    .summary = "one JSON object a line (Amazon, Yelp, Goodreads); data.csv_user and so on name its fields",
    .recognise = recognise,
    .read = read,
};
