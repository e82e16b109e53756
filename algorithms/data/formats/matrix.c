/* A matrix with names: a column an item, a line a user, a rating or nothing in each cell (pivot tables). The
 * first line names the items, and the first column has the users. */
#include "algorithms/data/formats/format.h"
#include "sim/base/files/cells.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITE_ROWS "this is a matrix, a column an item; write a row per rating: user, item, rating"

static const char *separator_of(struct frs_field line) {
    static const char *const separators[] = {"tab", ";", ",", "|"};
    struct frs_fields fields;
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        struct frs_separator separator = frs_separator_of(separators[i]);
        if (frs_fields_split(&fields, &separator, line) && fields.n > 2)
            return separators[i];
    }
    return ",";
}

/* A name that tables of interactions have, or a number, which a line of data has. */
static bool is_known(struct frs_field name) {
    for (int column = 0; column < FRS_COLUMNS; column++)
        if (frs_column_named((enum frs_column)column, name) > 0)
            return true;
    return false;
}

/* A header of three or more items without a name that a table of interactions has; below it numbers from -100
 * to 100 and cells of nothing, at least one such, for users of a line each. */
static bool recognise(struct frs_field head) {
    struct frs_field line, rest = head;
    struct frs_fields fields;
    struct frs_ids users = {0};
    double number;
    if (!frs_head_line(&rest, &line))
        return false;
    const char *name = separator_of(line);
    if (!frs_head_split(&head, name, &fields) || fields.n < 3)
        return false;
    size_t n = fields.n, kept = n < FRS_FIELDS_MOST ? n : FRS_FIELDS_MOST, n_lines = 0, n_absent = 0,
           n_rated = 0;
    if (frs_field_number(fields.at[0], &number))
        return false;
    for (size_t i = 1; i < kept; i++)
        if (is_known(fields.at[i]))
            return false;
    bool is_matrix = true;
    while (is_matrix && frs_head_split(&head, name, &fields)) {
        is_matrix = fields.n == n;
        for (size_t i = 1; i < kept && is_matrix; i++) {
            bool absent = frs_cell_is_absent(fields.at[i].text, fields.at[i].n);
            is_matrix = absent || (frs_field_decimal(fields.at[i], &number) && fabs(number) <= 100);
            n_absent += absent;
            n_rated += is_matrix && !absent;
        }
        (void)frs_ids_intern(&users, fields.at[0].text, fields.at[0].n);
        n_lines++;
    }
    is_matrix = is_matrix && n_lines > 0 && n_absent > 0 && n_rated > 0 && users.n == n_lines;
    frs_ids_fini(&users);
    return is_matrix;
}

static struct frs_fields *read_names(
    struct frs_reading *reading, struct frs_separator separator, char **text) {
    struct frs_fields *names = frs_alloc(1, sizeof *names);
    struct frs_field line;
    if (!frs_lines_next(reading->lines, &line))
        return names;
    reading->builder->line = reading->lines->line;
    *text = frs_alloc(line.n + 1, 1);
    memcpy(*text, line.text, line.n);
    line.text = *text;
    if (!frs_fields_split(names, &separator, line) || names->n < 2 || names->n > FRS_FIELDS_MOST) {
        reading->builder->hopeless = true;
        frs_row_fail(reading->builder,
            names->n > FRS_FIELDS_MOST
                ? "found %zu columns; expected up to 1,023 items: " WRITE_ROWS
                : "found %zu columns; expected a column of users and one for each item",
            names->n);
    }
    return names;
}

static void add_line(
    struct frs_row_builder *builder, const struct frs_fields *fields, const struct frs_fields *names) {
    for (size_t i = 1; i < names->n && frs_row_wanted(builder); i++)
        if (!frs_cell_is_absent(fields->at[i].text, fields->at[i].n))
            frs_row_add(builder, fields->at[0], names->at[i], fields->at[i], (struct frs_field){NULL, 0});
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    struct frs_field line = {NULL, 0}, head = reading->head;
    struct frs_fields *fields = frs_alloc(1, sizeof *fields);
    char *text = NULL;
    (void)frs_head_line(&head, &line);
    struct frs_separator separator = frs_separator_of(separator_of(line));
    struct frs_fields *names = read_names(reading, separator, &text);
    frs_row_rules(
        builder, &(struct frs_row_rules){.valued = true, .min_value = -INFINITY, .max_value = INFINITY});
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        builder->line = reading->lines->line;
        if (!frs_fields_split(fields, &separator, line) || fields->n != names->n)
            frs_row_fail(builder, "found %zu fields; expected %zu, as in the header, separated by %s",
                fields->n, names->n, frs_separator_name(&separator));
        else
            add_line(builder, fields, names);
    }
    builder->n_columns = names->n;
    snprintf(builder->separated, sizeof builder->separated, "%s, an item a column",
        frs_separator_words(&separator));
    free(names);
    free(fields);
    free(text);
}

const struct frs_data_format frs_data_format_matrix = {
    .name = "matrix",
    .summary =
        "a matrix with names, a column an item and a line a user; cells without a value are no ratings",
    .recognise = recognise,
    .read = read,
};
