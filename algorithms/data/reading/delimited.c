#include "algorithms/data/reading/delimited.h"
#include "algorithms/data/reading/kinds.h"
#include "algorithms/data/reading/samples.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct frs_layout layout;   /* columns resolved */
    size_t n_needed;            /* fields a line must have for its columns */
    size_t n_first;             /* fields of the first line */
    size_t where_at;            /* column of layout.where, or FRS_NO_COLUMN */
    bool met[FRS_WHERE_VALUES]; /* which values of layout.where a line has */
    struct frs_samples samples; /* where the layout asks for what they tell */
    struct frs_row_builder *builder;
    struct frs_fields fields;
    char *header[2]; /* what the header has for the user and the item, or NULL */
};

static bool fail_count(struct parser *parser, size_t wanted, const char *why) {
    const struct frs_layout *layout = &parser->layout;
    size_t n = parser->fields.n;
    char key[64] = "";
    if (layout->separator_key)
        snprintf(key, sizeof key, " (%s)", layout->separator_key);
    return frs_row_fail(parser->builder, "found %zu field%s; expected %s%zu, separated by %s%s%s", n,
        n == 1 ? "" : "s", layout->n_fields || *why ? "" : "at least ", wanted,
        frs_separator_name(&layout->separator), key, why);
}

/* Fields behind the last one that says something do not count: some programs end each line with a
 * separator. */
static void drop_empty_end(struct parser *parser, size_t keep) {
    struct frs_fields *fields = &parser->fields;
    while (fields->n > keep && fields->n <= FRS_FIELDS_MOST && fields->at[fields->n - 1].n == 0)
        fields->n--;
}

static bool check_fields(struct parser *parser) {
    const struct frs_layout *layout = &parser->layout;
    size_t n = parser->fields.n, exact = layout->n_fields ? layout->n_fields : parser->n_first;
    if (n == exact)
        return true;
    if (n < parser->n_needed)
        return fail_count(parser, layout->n_fields ? exact : parser->n_needed, "");
    if (layout->n_fields)
        return fail_count(parser, exact, "");
    if (n > exact)
        drop_empty_end(parser, exact);
    if (parser->fields.n == exact)
        return true;
    return fail_count(parser, exact,
        layout->header != FRS_HEADER_NEVER
            ? ", as in the header; a field that holds a separator needs double quotes"
            : ", as in the first line");
}

static struct frs_field field_at(const struct parser *parser, enum frs_column column) {
    size_t at = parser->layout.columns[column];
    return at == FRS_NO_COLUMN ? (struct frs_field){NULL, 0} : parser->fields.at[at];
}

static void parse_row(struct parser *parser) {
    char composed[64];
    if (!check_fields(parser))
        return;
    if (parser->where_at != FRS_NO_COLUMN) {
        size_t value = frs_where_find(&parser->layout.where, parser->fields.at[parser->where_at]);
        if (value == SIZE_MAX) {
            parser->builder->n_elsewhere++;
            return;
        }
        parser->met[value] = true;
    }
    struct frs_field time = field_at(parser, FRS_COLUMN_TIME);
    if (parser->layout.time_of)
        time = parser->layout.time_of(parser->layout.context, parser->fields.at, parser->fields.n, composed);
    frs_row_add(parser->builder, field_at(parser, FRS_COLUMN_USER), field_at(parser, FRS_COLUMN_ITEM),
        field_at(parser, FRS_COLUMN_VALUE), time);
}

static size_t n_kept(const struct parser *parser) {
    return parser->fields.n < FRS_FIELDS_MOST ? parser->fields.n : FRS_FIELDS_MOST;
}

/* "user, item, rating": as many as there is room for. */
static void list_columns(const struct parser *parser, char *text, size_t size) {
    *text = '\0';
    for (size_t i = 0, n = 0; i < n_kept(parser) && n < size; i++) {
        struct frs_field field = parser->fields.at[i];
        n += (size_t)snprintf(
            text + n, size - n, "%s%.*s", i ? ", " : "", field.n < 100 ? (int)field.n : 100, field.text);
    }
}

/* Finds the columns given by name. */
static bool resolve_names(struct parser *parser) {
    bool good = true;
    for (int column = 0; column < FRS_COLUMNS; column++) {
        const char *name = parser->layout.names[column];
        for (size_t i = 0; name && i < n_kept(parser); i++)
            if (frs_field_is(parser->fields.at[i], name))
                parser->layout.columns[column] = i;
        if (!name || parser->layout.columns[column] != FRS_NO_COLUMN)
            continue;
        char columns[400];
        list_columns(parser, columns, sizeof columns);
        good = frs_row_fail(parser->builder, "the header has no column \"%.100s\" (for the %s); allowed: %s",
            name, frs_column_text((enum frs_column)column), columns);
    }
    return good;
}

/* Finds the column of layout.where in the first line. */
static bool resolve_where(struct parser *parser, bool header) {
    const struct frs_where *where = &parser->layout.where;
    char columns[400], shown[48];
    parser->where_at = FRS_NO_COLUMN;
    if (where->column.n == 0)
        return true;
    for (size_t i = 0; header && i < n_kept(parser); i++)
        if (parser->fields.at[i].n == where->column.n &&
            memcmp(parser->fields.at[i].text, where->column.text, where->column.n) == 0)
            parser->where_at = i;
    if (parser->where_at == FRS_NO_COLUMN && where->position < n_kept(parser))
        parser->where_at = where->position;
    if (parser->where_at != FRS_NO_COLUMN)
        return true;
    frs_field_show(where->column, shown);
    if (!header)
        return frs_row_fail(parser->builder,
            "there is no column \"%s\" (data.csv_where); allowed: 1 to %zu, as there is no header", shown,
            n_kept(parser));
    list_columns(parser, columns, sizeof columns);
    return frs_row_fail(
        parser->builder, "the header has no column \"%s\" (data.csv_where); allowed: %s", shown, columns);
}

/* A line of data that is taken for a header would be lost without a word. */
static bool check_header(struct parser *parser) {
    static const char allowed[] =
        "allowed: names of columns, or data.csv_header = false where there is no header";
    double ignored;
    size_t n_numbers = 0;
    for (size_t i = 0; i < n_kept(parser); i++)
        n_numbers += frs_field_number(parser->fields.at[i], &ignored);
    if (n_numbers == n_kept(parser))
        return frs_row_fail(
            parser->builder, "the header has numbers alone, like a line of data; %s", allowed);
    for (int column = 0; column < FRS_COLUMNS; column++) {
        size_t at = parser->layout.columns[column];
        double value;
        if (at >= n_kept(parser) || parser->layout.names[column] ||
            (column == FRS_COLUMN_TIME ? frs_time_read(parser->fields.at[at], &value) == FRS_TIME_NONE
                                       : !frs_field_number(parser->fields.at[at], &value)))
            continue;
        char shown[48];
        return frs_row_fail(parser->builder, "the header has \"%s\" for the %s, like a line of data; %s",
            frs_field_show(parser->fields.at[at], shown), frs_column_text((enum frs_column)column), allowed);
    }
    return true;
}

static void count_needed(struct parser *parser) {
    parser->n_needed = 0;
    for (int column = 0; column < FRS_COLUMNS; column++) {
        size_t at = parser->layout.columns[column];
        if (at != FRS_NO_COLUMN && at + 1 > parser->n_needed)
            parser->n_needed = at + 1;
    }
    if (parser->where_at != FRS_NO_COLUMN && parser->where_at + 1 > parser->n_needed)
        parser->n_needed = parser->where_at + 1;
}

/* Whether the line just split is the header. */
static bool is_header(const struct parser *parser) {
    double ignored;
    if (parser->layout.header != FRS_HEADER_MAYBE)
        return parser->layout.header == FRS_HEADER_ALWAYS;
    for (size_t i = 0; i < n_kept(parser); i++)
        if (frs_field_number(parser->fields.at[i], &ignored))
            return false;
    return true;
}

static bool split(struct parser *parser, struct frs_field line) {
    if (frs_fields_split(&parser->fields, &parser->layout.separator, line))
        return true;
    return frs_row_fail(parser->builder, "a double quote is never closed on this line%s",
        parser->layout.separator_key ? "; data.csv_quotes = false "
                                       "takes quotes as part of the text"
                                     : "");
}

/* Splits a line, and further ones where a text in quotes goes on in them. */
static bool split_record(struct parser *parser, struct frs_lines *lines, struct frs_field line) {
    enum { MOST_LINES = 500 };
    const struct frs_separator *separator = &parser->layout.separator;
    struct frs_row_builder *builder = parser->builder;
    bool may_go_on = parser->layout.separator_key && (*separator->text == ',' || *separator->text == ';');
    if (!may_go_on || frs_fields_split(&parser->fields, separator, line))
        return split(parser, line);
    for (int i = 1; i < MOST_LINES && frs_lines_extend(lines, &line); i++)
        if (frs_fields_split(&parser->fields, separator, line)) {
            if (builder->n_broken++ == 0)
                builder->first_broken = (struct frs_row_place){builder->path, builder->line};
            return true;
        }
    return split(parser, line);
}

/* As a key, where the format has them: a text in double quotes cannot hold every name. */
static void tell_setting(struct parser *parser, int column, bool header) {
    static const char *const keys[FRS_COLUMNS] = {"csv_user", "csv_item", "csv_value", "csv_time"};
    char *out = parser->builder->settings[column];
    size_t at = parser->layout.columns[column], room = sizeof parser->builder->settings[column];
    struct frs_field name = parser->fields.at[at];
    bool named = header && name.n > 0 && name.n < 40 && (*name.text < '0' || *name.text > '9') &&
                 !memchr(name.text, '"', name.n) && !memchr(name.text, '\\', name.n);
    if (named)
        snprintf(out, room, "%s = \"%.*s\";", keys[column], (int)name.n, name.text);
    else
        snprintf(out, room, "%s = \"%zu\";", keys[column], at + 1);
}

/* "; not used: category, behaviour (pv, buy, cart, fav)" */
static void tell_unused(struct parser *parser, bool header) {
    enum { MOST_TOLD = 8 };
    char text[800] = "", shown[48], list[200];
    size_t n = 0, n_unused = 0, room = sizeof text;
    for (size_t i = 0; i < n_kept(parser); i++) {
        bool used = i == parser->where_at;
        for (int column = 0; column < FRS_COLUMNS; column++)
            used |= parser->layout.columns[column] == i;
        if (used || n_unused++ >= MOST_TOLD || n >= room)
            continue;
        n += (size_t)snprintf(text + n, room - n, "%s", n ? ", " : "");
        if (header && parser->fields.at[i].n > 0 && n < room)
            n += (size_t)snprintf(text + n, room - n, "%s", frs_field_show(parser->fields.at[i], shown));
        else if (n < room)
            n += (size_t)snprintf(text + n, room - n, "column %zu", i + 1);
        if (n < room && *frs_samples_list(&parser->samples, i, list, sizeof list))
            n += (size_t)snprintf(text + n, room - n, " (%s)", list);
    }
    for (char *at = text; *at; at++)
        if (*at == ';') /* which stands between notes */
            *at = ',';
    if (n_unused > MOST_TOLD)
        frs_row_note(
            parser->builder, frs_format("; not used: %s and %zu more columns", text, n_unused - MOST_TOLD));
    else if (n_unused > 0)
        frs_row_note(parser->builder, frs_format("; not used: %s", text));
}

static void tell_columns(struct parser *parser, bool header) {
    struct frs_row_builder *builder = parser->builder;
    const char *key = parser->layout.separator_key;
    builder->n_columns = parser->n_first;
    const struct frs_where *where = &parser->layout.where;
    bool chosen = where->column.n > 0;
    if (key)
        snprintf(builder->reading, sizeof builder->reading,
            "csv_separator = \"%s\"; csv_header = %s;%s%s%s%s", frs_separator_name(&parser->layout.separator),
            header ? "true" : "false", parser->layout.separator.plain_quotes ? " csv_quotes = false;" : "",
            chosen ? " csv_where = \"" : "", chosen ? where->text : "", chosen ? "\";" : "");
    if (chosen)
        builder->where = where->text;
    if (parser->layout.tells_unused && builder->rows->n == 0)
        tell_unused(parser, header);
    snprintf(
        builder->separated, sizeof builder->separated, "%s", frs_separator_words(&parser->layout.separator));
    for (int column = 0; column < FRS_COLUMNS; column++) {
        char shown[48], *out = builder->columns[column];
        size_t at = parser->layout.columns[column], room = sizeof builder->columns[column];
        *out = *builder->settings[column] = '\0';
        if (at >= n_kept(parser))
            continue;
        const char *what = frs_column_text((enum frs_column)column);
        if (header)
            snprintf(out, room, "%s = %s", what, frs_field_show(parser->fields.at[at], shown));
        else
            snprintf(out, room, "%s = %zu", what, at + 1);
        if (key)
            tell_setting(parser, column, header);
    }
}

static char *copy(struct frs_field field) {
    char *text = frs_alloc(field.n + 1, 1);
    if (field.n)
        memcpy(text, field.text, field.n);
    return text;
}

/* The first line. False: nothing below it can be read. */
static bool parse_first(struct parser *parser, struct frs_field line) {
    struct frs_layout *layout = &parser->layout;
    if (!frs_check_kind(parser->builder, line) || !split(parser, line))
        return false;
    bool header = is_header(parser);
    if (layout->may_be_matrix)
        return frs_row_fail(parser->builder,
            "this seems to be a matrix, a column an item; data.format = \"matrix\" reads it as one, or write "
            "a row "
            "per rating: user, item, rating (data.csv_item names the column of items where it is none)");
    if (header) {
        if (!resolve_names(parser) || !check_header(parser) || !resolve_where(parser, true))
            return false;
    } else {
        layout->header = FRS_HEADER_NEVER;
        if (!resolve_where(parser, false))
            return false;
    }
    count_needed(parser);
    if (header) {
        parser->n_first = parser->fields.n;
        for (int i = 0; i < 2; i++)
            if (layout->columns[i] < n_kept(parser))
                parser->header[i] = copy(parser->fields.at[layout->columns[i]]);
        if (parser->n_first < parser->n_needed)
            return fail_count(parser, parser->n_needed, "");
    } else {
        drop_empty_end(parser, layout->n_fields ? parser->fields.n : parser->n_needed);
        parser->n_first = parser->fields.n;
    }
    size_t value = layout->columns[FRS_COLUMN_VALUE];
    frs_row_rules(parser->builder,
        &(struct frs_row_rules){
            .valued = value != FRS_NO_COLUMN,
            .timed = layout->columns[FRS_COLUMN_TIME] != FRS_NO_COLUMN,
            .ids_are_numbers = layout->ids_are_numbers,
            .guessed = layout->guessed,
            .guessed_value = layout->value_guessed && !header && value != FRS_NO_COLUMN ? value + 1 : 0,
            .min_value = layout->min_value,
            .max_value = layout->max_value,
        });
    tell_columns(parser, header);
    if (!header)
        parse_row(parser);
    return true;
}

/* Before a file without interactions is refused as such; a value that no line has may be misspelt. */
static void check_where(struct parser *parser) {
    struct frs_row_builder *builder = parser->builder;
    const struct frs_where *where = &parser->layout.where;
    char list[200], shown[48];
    if (parser->where_at == FRS_NO_COLUMN || where->n_values == 0 || builder->n_errors > 0)
        return;
    frs_samples_list(&parser->samples, parser->where_at, list, sizeof list);
    if (builder->rows->n == 0 && builder->n_elsewhere > 0) {
        frs_row_fail(builder, "none of the %zu lines has %.100s (data.csv_where)%s%s", builder->n_elsewhere,
            where->text, *list ? "; allowed, as far as the first lines show: " : "", list);
        return;
    }
    for (size_t i = 0; i < where->n_values; i++)
        if (!parser->met[i])
            frs_row_note(builder, frs_format("; no line has \"%s\" of data.csv_where",
                                      frs_field_show(where->values[i], shown)));
}

/* The header's user or item among those of the data: it was no header, or files were put together. */
static void check_lost_row(struct parser *parser) {
    struct frs_row_builder *builder = parser->builder;
    const struct frs_ids *ids[2] = {&builder->users, &builder->items};
    bool again = builder->n_errors == 0;
    for (int i = 0; i < 2; i++) {
        const char *text = parser->header[i];
        struct frs_field name = {text, text ? strlen(text) : 0};
        again = again && name.n > 0 && frs_column_named((enum frs_column)i, name) > 0 &&
                frs_ids_find(ids[i], name.text, name.n) != UINT32_MAX;
    }
    if (again) {
        builder->line = 1;
        frs_row_fail(builder, "the header occurs again below, as where files were put together; expected it "
                              "once, in the first line "
                              "(awk 'NR == 1 { head = $0; print } $0 != head')");
        return;
    }
    for (int i = 0; i < 2; i++) {
        const char *text = parser->header[i];
        if (!text || !*text || builder->n_errors > 0 ||
            frs_ids_find(ids[i], text, strlen(text)) == UINT32_MAX)
            continue;
        char shown[48];
        builder->line = 1;
        frs_row_fail(builder,
            "the header has \"%s\", and so have lines of data as their %s: there seems to be no header; "
            "allowed: data.csv_header = false, or names of columns that are no ids",
            frs_field_show((struct frs_field){text, strlen(text)}, shown),
            frs_column_text((enum frs_column)i));
    }
}

void frs_delimited_read(
    const struct frs_layout *layout, struct frs_lines *lines, struct frs_row_builder *builder) {
    struct parser *parser = frs_alloc(1, sizeof *parser);
    struct frs_field line;
    bool first = true;
    parser->layout = *layout;
    parser->builder = builder;
    if (layout->tells_unused)
        frs_samples_take(
            &parser->samples, frs_lines_head(lines), &layout->separator, layout->header == FRS_HEADER_ALWAYS);
    while (frs_row_wanted(builder) && frs_lines_next(lines, &line)) {
        builder->line = lines->line;
        if (first)
            builder->hopeless |= !parse_first(parser, line);
        else if (split_record(parser, lines, line))
            parse_row(parser);
        first = false;
    }
    builder->line = lines->line;
    if (!lines->failure)
        check_where(parser);
    if (!lines->failure)
        check_lost_row(parser);
    free(parser->header[0]);
    free(parser->header[1]);
    free(parser);
}
