/* eigentaste.berkeley.edu: Jester, a matrix with a line a user: how many jokes the user has rated, then a
 * rating from -10 to 10 for each joke, 99 for none. Users and jokes are numbered from 1. */
#include "algorithms/data/formats/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NOT_RATED 99
enum { LEAST_FIELDS = 20 };

static const char *separator_of(struct frs_field line) {
    return memchr(line.text, '\t', line.n)  ? "tab"
           : memchr(line.text, ';', line.n) ? ";"
           : memchr(line.text, ',', line.n) ? ","
                                            : "blanks";
}

static size_t count_rated(const struct frs_fields *fields, bool *good) {
    size_t n = 0;
    for (size_t i = 1; i < fields->n && *good; i++) {
        double value;
        *good =
            frs_field_number(fields->at[i], &value) && (value == NOT_RATED || (value >= -10 && value <= 10));
        n += *good && value != NOT_RATED;
    }
    return n;
}

static bool recognise(struct frs_field head) {
    struct frs_field line;
    struct frs_fields fields;
    double n;
    bool good = true;
    if (!frs_head_line(&head, &line))
        return false;
    struct frs_separator separator = frs_separator_of(separator_of(line));
    return frs_fields_split(&fields, &separator, line) && fields.n >= LEAST_FIELDS &&
           fields.n <= FRS_FIELDS_MOST && frs_field_number(fields.at[0], &n) &&
           (double)count_rated(&fields, &good) == n && good;
}

static void add_line(struct frs_row_builder *builder, const struct frs_fields *fields, uint64_t user) {
    char user_text[24], item_text[24];
    size_t n_user = (size_t)snprintf(user_text, sizeof user_text, "%" PRIu64, user);
    double n, value;
    bool good = true;
    size_t n_rated = count_rated(fields, &good);
    if (good && (!frs_field_number(fields->at[0], &n) || n != (double)n_rated)) {
        char shown[48];
        frs_row_fail(builder,
            "the line begins with \"%s\" and has %zu ratings; expected their number there, and 99 for "
            "each joke without a rating",
            frs_field_show(fields->at[0], shown), n_rated);
        return;
    }
    for (size_t i = 1; i < fields->n && frs_row_wanted(builder); i++) {
        if (frs_field_number(fields->at[i], &value) && value == NOT_RATED)
            continue;
        size_t n_item = (size_t)snprintf(item_text, sizeof item_text, "%zu", i);
        frs_row_add(builder, (struct frs_field){user_text, n_user}, (struct frs_field){item_text, n_item},
            fields->at[i], (struct frs_field){NULL, 0});
    }
}

static void read(struct frs_reading *reading) {
    struct frs_row_builder *builder = reading->builder;
    struct frs_fields fields;
    struct frs_field line;
    struct frs_separator separator = {0};
    size_t n_fields = 0;
    uint64_t user = 0;
    frs_row_rules(builder, &(struct frs_row_rules){.valued = true, .min_value = -10, .max_value = 10});
    while (frs_row_wanted(builder) && frs_lines_next(reading->lines, &line)) {
        builder->line = reading->lines->line;
        if (user++ == 0)
            separator = frs_separator_of(separator_of(line));
        if (!frs_fields_split(&fields, &separator, line) || fields.n < 2 || fields.n > FRS_FIELDS_MOST ||
            (n_fields && fields.n != n_fields)) {
            frs_row_fail(builder,
                "found %zu fields; expected %zu, separated by %s: a number of ratings, then "
                "a rating for each joke",
                fields.n, n_fields ? n_fields : LEAST_FIELDS, frs_separator_name(&separator));
            continue;
        }
        n_fields = fields.n;
        add_line(builder, &fields, user);
    }
    builder->n_columns = n_fields;
    snprintf(
        builder->separated, sizeof builder->separated, "%s", user ? frs_separator_words(&separator) : "");
}

const struct frs_data_format frs_data_format_jester = {
    .name = "jester",
    .summary =
        "a matrix, a line a user: number of ratings, then a rating for each item, 99 for none (Jester)",
    .recognise = recognise,
    .read = read,
};
