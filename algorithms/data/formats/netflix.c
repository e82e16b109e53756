/* netflixprize.com: combined_data_1.txt and mv_0000001.txt, blocks of an item: "1:", then a line
 * "user,rating,date" for each rating. */
#include "algorithms/data/formats/format.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ID = 24 };

/* "17770:" */
static bool is_item(struct frs_field line) {
    double ignored;
    return line.n > 1 && line.n < MOST_ID && line.text[line.n - 1] == ':' &&
           frs_field_number((struct frs_field){line.text, line.n - 1}, &ignored);
}

static bool recognise(struct frs_field head) {
    struct frs_field line;
    struct frs_fields fields;
    double ignored;
    return frs_head_line(&head, &line) && is_item(line) && frs_head_split(&head, ",", &fields) &&
           fields.n == 3 && frs_field_number(fields.at[1], &ignored) &&
           frs_time_read(fields.at[2], &ignored) == FRS_TIME_DATE;
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    const struct frs_separator comma = frs_separator_of(",");
    char item[MOST_ID];
    size_t n_item = 0;
    struct frs_fields fields;
    struct frs_field line;
    frs_row_rules(builder,
        &(struct frs_row_rules){.valued = true, .timed = true, .ids_are_numbers = true, .max_value = 5});
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        builder->line = reading->lines->line;
        if (is_item(line)) {
            n_item = line.n - 1;
            memcpy(item, line.text, n_item);
        } else if (n_item == 0) {
            frs_row_fail(
                builder, "expected the number of an item and a colon before its ratings, as in \"1:\"");
        } else if (!frs_fields_split(&fields, &comma, line) || fields.n != 3) {
            frs_row_fail(builder, "expected \"user,rating,date\", or the number of an item and a colon");
        } else {
            frs_row_add(builder, fields.at[0], (struct frs_field){item, n_item}, fields.at[1], fields.at[2]);
        }
    }
    snprintf(builder->separated, sizeof builder->separated, "comma, an item a block");
}

const struct frs_data_format frs_data_format_netflix = {
    .name = "netflix",
    .summary = "an item and a colon, then user, rating and date of each rating (Netflix prize)",
    .recognise = recognise,
    .read = read,
};
