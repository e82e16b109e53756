/* A user a line: "user item item item …", by blanks (train.txt and test.txt of NGCF and LightGCN). A user
 * without items has a line of its own number. */
#include "algorithms/data/formats/format.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <stdio.h>
#include <stdlib.h>

static bool are_distinct(double *numbers, size_t n) {
    qsort(numbers, n, sizeof *numbers, frs_compare_doubles);
    for (size_t i = 1; i < n; i++)
        if (numbers[i] == numbers[i - 1])
            return false;
    return true;
}

/* Numbers alone, by blanks, each line of another user: lines of different lengths are lists, and so are lines
 * of many numbers, and many lines of three. Few lines of three may be ratings. */
static bool recognise(struct frs_field head) {
    enum { MANY_LINES = 20 };
    struct frs_fields fields;
    size_t n_lines = 0, capacity = 0, least = SIZE_MAX, most = 0;
    double *users = NULL;
    bool numbers = true;
    while (numbers && frs_head_split(&head, "blanks", &fields)) {
        size_t kept = fields.n < FRS_FIELDS_MOST ? fields.n : FRS_FIELDS_MOST;
        for (size_t i = 0; i < kept && numbers; i++) {
            int64_t id;
            numbers = frs_ids_is_number(fields.at[i].text, fields.at[i].n, &id) && id >= 0;
        }
        users = frs_grow(users, n_lines + 1, &capacity, sizeof *users);
        numbers = numbers && frs_field_number(fields.at[0], &users[n_lines]);
        least = fields.n < least ? fields.n : least;
        most = fields.n > most ? fields.n : most;
        n_lines++;
    }
    bool lists = numbers && n_lines > 0 && most > 2 &&
                 (least != most || most > 4 || (most == 3 && n_lines >= MANY_LINES)) &&
                 are_distinct(users, n_lines);
    free(users);
    return lists;
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    struct frs_field line, user, item, none = {NULL, 0};
    frs_row_rules(builder, &(struct frs_row_rules){.ids_are_numbers = true});
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        builder->line = reading->lines->line;
        if (!frs_field_next_word(&line, &user))
            continue;
        while (frs_row_wanted(builder) && frs_field_next_word(&line, &item))
            frs_row_add(builder, user, item, none, none);
    }
    snprintf(builder->separated, sizeof builder->separated, "blanks, a user a line");
}

const struct frs_data_format frs_data_format_lists = {
    .name = "lists",
    .summary = "a user a line, then the user's items, by blanks (train.txt, test.txt of NGCF and LightGCN)",
    .counts = true,
    .recognise = recognise,
    .read = read,
};
