#include "algorithms/data/formats/headings.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Numbers of rows, which no item has. */
static bool names_a_row(struct frs_field name) {
    static const char *const names[] = {"", "id", "ID", "Id", "index", "row", "Unnamed: 0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (frs_field_is(name, names[i]))
            return true;
    return false;
}

static bool next(struct frs_field *head, const struct frs_separator *separator, struct frs_fields *fields) {
    struct frs_field line;
    return frs_head_line(head, &line) && frs_fields_split(fields, separator, line);
}

/* Whether a text of a column occurs twice in the lines below the header. */
static bool repeats(struct frs_field head, const struct frs_separator *separator, size_t column) {
    struct frs_ids ids = {0};
    struct frs_fields fields;
    bool found = false;
    (void)next(&head, separator, &fields);
    while (!found && next(&head, separator, &fields)) {
        if (column >= fields.n || column >= FRS_FIELDS_MOST)
            break;
        size_t before = ids.n;
        (void)frs_ids_intern(&ids, fields.at[column].text, fields.at[column].n);
        found = ids.n == before;
    }
    frs_ids_fini(&ids);
    return found;
}

static bool is_titles(struct frs_field name) {
    return name.n == 5 && strncasecmp(name.text, "title", 5) == 0;
}

static bool is_taken(const size_t columns[FRS_COLUMNS], size_t at) {
    for (int column = 0; column < FRS_COLUMNS; column++)
        if (columns[column] == at)
            return true;
    return false;
}

/* "Id" is the item's where its texts repeat, and goes before a title, which several items may share. */
static void prefer_ids(struct frs_field head, const struct frs_separator *separator,
    const struct frs_fields *names, size_t columns[FRS_COLUMNS]) {
    size_t *item = &columns[FRS_COLUMN_ITEM];
    if (columns[FRS_COLUMN_USER] == FRS_NO_COLUMN || (*item != FRS_NO_COLUMN && !is_titles(names->at[*item])))
        return;
    for (size_t at = 0; at < names->n && at < FRS_FIELDS_MOST; at++)
        if (names->at[at].n == 2 && strncasecmp(names->at[at].text, "id", 2) == 0 &&
            repeats(head, separator, at)) {
            *item = at;
            return;
        }
}

char *frs_headings_choose(struct frs_field head, const struct frs_separator *separator,
    size_t columns[FRS_COLUMNS], const bool given[2]) {
    struct frs_field rest = head;
    struct frs_fields names;
    bool unknown[2];
    char shown[2][48];
    if (!next(&rest, separator, &names))
        return NULL;
    prefer_ids(head, separator, &names, columns);
    for (int column = FRS_COLUMN_USER; column <= FRS_COLUMN_ITEM; column++) {
        unknown[column] = columns[column] == FRS_NO_COLUMN && !given[column];
        for (size_t at = 0; columns[column] == FRS_NO_COLUMN && at < names.n && at < FRS_FIELDS_MOST; at++)
            if (!is_taken(columns, at) && !names_a_row(names.at[at]))
                columns[column] = at;
        if (columns[column] != FRS_NO_COLUMN)
            frs_field_show(names.at[columns[column]], shown[column]);
        unknown[column] &= columns[column] != FRS_NO_COLUMN;
    }
    if (unknown[FRS_COLUMN_USER] && unknown[FRS_COLUMN_ITEM])
        return frs_format("; no heading says which columns are the user and the item: \"%s\" and \"%s\" were "
                          "taken (data.csv_user, data.csv_item)",
            shown[FRS_COLUMN_USER], shown[FRS_COLUMN_ITEM]);
    if (unknown[FRS_COLUMN_USER] || unknown[FRS_COLUMN_ITEM]) {
        bool user = unknown[FRS_COLUMN_USER];
        return frs_format("; no heading says which column is the %s: \"%s\" was taken (data.csv_%s)",
            user ? "user" : "item", shown[user ? FRS_COLUMN_USER : FRS_COLUMN_ITEM], user ? "user" : "item");
    }
    return NULL;
}
