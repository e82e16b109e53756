/* recbole.io: atomic files (.inter), whose header names and types the columns: "user_id:token TAB
 * item_id:token TAB rating:float TAB timestamp:float". */
#include "algorithms/data/formats/format.h"

#include <math.h>
#include <string.h>

static const char *const types[] = {"token", "float", "token_seq", "float_seq", NULL};

/* Splits "user_id:token". False: it is no such name. */
static bool split(struct frs_field field, struct frs_field *name, int *type) {
    const char *colon = field.n ? memrchr(field.text, ':', field.n) : NULL;
    if (!colon || colon == field.text)
        return false;
    *name = (struct frs_field){field.text, (size_t)(colon - field.text)};
    struct frs_field written = {colon + 1, field.n - name->n - 1};
    for (*type = 0; types[*type]; ++*type)
        if (frs_field_is(written, types[*type]))
            return true;
    return false;
}

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    struct frs_field name;
    int type;
    if (!frs_head_split(&head, "tab", &fields) || fields.n < 2 || fields.n > FRS_FIELDS_MOST)
        return false;
    for (size_t i = 0; i < fields.n; i++)
        if (!split(fields.at[i], &name, &type))
            return false;
    return true;
}

static enum frs_status refuse(struct frs_reading *reading, const char *what) {
    reading->builder->line = 1;
    frs_row_fail(reading->builder, "%s", what);
    return FRS_ERR_INPUT;
}

/* A text such as that of a review is a sequence, too, and may be there. */
static bool is_of_items(struct frs_field name, size_t column, const struct frs_layout *layout) {
    static const char item[] = "item";
    return column == layout->columns[FRS_COLUMN_USER] || column == layout->columns[FRS_COLUMN_ITEM] ||
           (name.n >= sizeof item - 1 && memcmp(name.text, item, sizeof item - 1) == 0);
}

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    struct frs_field head = reading->head, names[FRS_FIELDS_MOST] = {{NULL, 0}};
    struct frs_fields fields;
    int kinds[FRS_FIELDS_MOST] = {0};
    *layout = (struct frs_layout){.separator = frs_separator_of("tab"),
        .header = FRS_HEADER_ALWAYS,
        .tells_unused = true,
        .min_value = -INFINITY,
        .max_value = INFINITY};
    if (!recognise(head))
        return refuse(reading, "the header of an atomic file types each column, as in \"user_id:token\", and "
                               "separates them by tabs; this one does not");
    frs_head_split(&head, "tab", &fields);
    for (size_t i = 0; i < fields.n; i++)
        split(fields.at[i], &names[i], &kinds[i]);
    frs_columns_by_name(names, fields.n, layout->columns);
    for (int column = FRS_COLUMN_USER; column <= FRS_COLUMN_ITEM; column++)
        if (layout->columns[column] == FRS_NO_COLUMN)
            layout->columns[column] = (size_t)column;
    for (size_t i = 0; i < fields.n; i++)
        if (strcmp(types[kinds[i]], "token_seq") == 0 && is_of_items(names[i], i, layout))
            return refuse(reading, "a column holds sequences (token_seq); expected one interaction a line");
    return FRS_OK;
}

const struct frs_data_format frs_data_format_recbole = {
    .name = "recbole",
    .summary = "atomic files of RecBole (.inter), whose header types the columns",
    .recognise = recognise,
    .lay_out = lay_out,
};
