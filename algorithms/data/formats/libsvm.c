/* A user a line: "user item:rating item:rating …", by blanks, as libsvm writes sparse rows. */
#include "algorithms/data/formats/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool split_pair(struct frs_field field, struct frs_field *item, struct frs_field *value) {
    const char *colon = memrchr(field.text, ':', field.n);
    if (!colon)
        return false;
    size_t n = (size_t)(colon - field.text);
    *item = (struct frs_field){field.text, n};
    *value = (struct frs_field){colon + 1, field.n - n - 1};
    return true;
}

/* Every line has an id without a colon and pairs behind it, each with a number behind its colon. */
static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    size_t n_lines = 0, n_pairs = 0;
    for (; frs_head_split(&head, "blanks", &fields); n_lines++) {
        if (fields.n < 2 || memchr(fields.at[0].text, ':', fields.at[0].n))
            return false;
        for (size_t i = 1; i < fields.n && i < FRS_FIELDS_MOST; i++) {
            struct frs_field item, value;
            double number;
            if (!split_pair(fields.at[i], &item, &value) || memchr(item.text, ':', item.n) ||
                !frs_field_number(value, &number))
                return false;
        }
        n_pairs += fields.n - 1;
    }
    return n_lines > 0 && n_pairs > n_lines; /* "12 08:30" alone is a time */
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    struct frs_field line, user, pair, item, value, none = {NULL, 0};
    frs_row_rules(
        builder, &(struct frs_row_rules){.valued = true, .min_value = -INFINITY, .max_value = INFINITY});
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        builder->line = reading->lines->line;
        if (!frs_field_next_word(&line, &user))
            continue;
        while (frs_row_wanted(builder) && frs_field_next_word(&line, &pair)) {
            char shown[48];
            if (split_pair(pair, &item, &value))
                frs_row_add(builder, user, item, value, none);
            else
                frs_row_fail(builder, "found \"%s\"; expected item:rating behind the user",
                    frs_field_show(pair, shown));
        }
    }
    snprintf(builder->separated, sizeof builder->separated, "blanks, a user a line");
}

const struct frs_data_format frs_data_format_libsvm = {
    .name = "libsvm",
    .summary = "a user a line, then item:rating for each of the user's items, by blanks (sparse rows)",
    .recognise = recognise,
    .read = read,
};
