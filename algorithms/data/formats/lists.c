/* A user a line: "user item item item …", by blanks (train.txt and test.txt of NGCF and LightGCN). A user
 * without items has a line of its own number. */
#include "algorithms/data/formats/format.h"

#include <stdio.h>

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    size_t n_lines = 0, least = SIZE_MAX, most = 0;
    bool ascends = true;
    double last = -1;
    while (frs_head_split(&head, "blanks", &fields)) {
        double number;
        size_t kept = fields.n < FRS_FIELDS_MOST ? fields.n : FRS_FIELDS_MOST;
        for (size_t i = 0; i < kept; i++) {
            int64_t id;
            if (!frs_ids_is_number(fields.at[i].text, fields.at[i].n, &id) || id < 0)
                return false;
        }
        if (!frs_field_number(fields.at[0], &number))
            return false;
        ascends &= number > last;
        last = number;
        least = fields.n < least ? fields.n : least;
        most = fields.n > most ? fields.n : most;
        n_lines++;
    }
    return ascends && n_lines > 0 && most > 2 && (least != most || most > 4);
}

/* The next run of characters that are not blank; false at the end. */
static bool next_word(struct frs_field *line, struct frs_field *word) {
    const char *at = line->text, *end = at + line->n;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *begin = at;
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    *word = (struct frs_field){begin, (size_t)(at - begin)};
    *line = (struct frs_field){at, (size_t)(end - at)};
    return word->n > 0;
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    struct frs_field line, user, item, none = {NULL, 0};
    frs_row_rules(builder, &(struct frs_row_rules){.ids_are_numbers = true});
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        builder->line = reading->lines->line;
        if (!next_word(&line, &user))
            continue;
        while (frs_row_wanted(builder) && next_word(&line, &item))
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
