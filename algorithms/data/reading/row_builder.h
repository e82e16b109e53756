/* Row builder: the rules for interactions, whatever file they come from. A reader finds the fields; this
 * checks them, numbers users and items, and takes note of what a reader of results has to know. */
#ifndef FRS_ALGORITHMS_DATA_READING_ROW_BUILDER_H
#define FRS_ALGORITHMS_DATA_READING_ROW_BUILDER_H

#include "algorithms/data/reading/columns.h"
#include "algorithms/data/reading/data_rows.h"
#include "algorithms/data/reading/fields.h"
#include "algorithms/data/reading/ids.h"
#include "algorithms/data/reading/time_scale.h"
#include "algorithms/data/reading/times.h"
#include "sim/base/files/decimal_marks.h"
#include "sim/base/invariant.h"
#include "sim/base/status.h"

/* What a file allows, set by its format before the first row. */
struct frs_row_rules {
    bool valued, timed; /* whether rows have a value, a time */
    bool ids_are_numbers;
    bool guessed; /* which columns they are, so that messages name the keys that say it */
    size_t
        guessed_value; /* the column of a value that may be none (guessed_values.h), plus 1; 0: it is one */
    double min_value, max_value;
};

struct frs_row_builder {
    struct frs_rows *rows;
    struct frs_ids users, items;
    struct frs_row_rules rules;
    const char *path; /* of the file being read */
    size_t line;
    struct frs_errors *errors;
    size_t n_errors;
    bool hopeless;         /* nothing below this line can be read either */
    bool begun;            /* the rules of a first file hold */
    bool leaves_out_empty; /* lines without a user or an item id are no error */
    bool keeps_words;      /* "NULL" and the like are ids */
    size_t n_empty;        /* of these */
    struct frs_row_place first_empty;
    bool leaves_out_unrated; /* lines without a rating are no error */
    size_t n_unrated;
    struct frs_row_place first_unrated;
    size_t n_broken; /* rows with a text over several lines */
    struct frs_row_place first_broken;
    const char *where; /* the condition that lines were left out by, or NULL; valid as long as the reading */
    size_t n_elsewhere;
    enum frs_time_kind time_kind;
    struct frs_time_scale time_scale;
    double least_value, most_value;
    struct frs_decimal_marks marks; /* of the values */
    enum frs_slashed slashed;       /* of dates with slashes: EITHER: no date so far says which */
    size_t slashed_line, n_either;  /* of the first such date, then of the one that says it; rows before it */
    size_t n_columns;               /* of what was read, for people; 0: it has none */
    char separated[32];             /* by what: "tab", "" */
    char reading[320];              /* keys that say so: "csv_separator = ";"; …", or "" */
    char settings[FRS_COLUMNS][64]; /* keys of the columns that are read: "csv_user = "3"", or "" */
    char columns[FRS_COLUMNS][80];  /* what they are: "user id = user_id", or "" */
};

/* Begins to fill `rows`, which is empty. */
void frs_row_builder_init(struct frs_row_builder *builder, struct frs_rows *rows, struct frs_errors *errors);

/* The rules of the file at hand. A second file has to have values and times where the first one does. */
void frs_row_rules(struct frs_row_builder *builder, const struct frs_row_rules *rules);

/* Adds an error about the line at hand; after the fifth nothing more is read. Returns false. */
bool frs_row_fail(struct frs_row_builder *builder, const char *format, ...) FRS_PRINTF(2, 3);

/* Whether reading goes on. */
bool frs_row_wanted(const struct frs_row_builder *builder);

/* Adds a row, or an error about it. `value` and `time` are read where the rules say so. */
void frs_row_add(struct frs_row_builder *builder, struct frs_field user, struct frs_field item,
    struct frs_field value, struct frs_field time);

/* Adds "; …" to what a reader of results has to know. Frees `text`. */
void frs_row_note(struct frs_row_builder *builder, char *text);

/* What is written of the columns, with this text between them, which the caller frees: all of
 * builder->columns or builder->settings that are not empty. */
char *frs_row_builder_columns(const struct frs_row_builder *builder);
char *frs_row_builder_settings(const struct frs_row_builder *builder);

/* Numbers users and items, brings times to seconds, lets go of a guessed value that is none, and writes the
 * notes. Without rows that is an error;
 * after an error *rows is empty. `dense_users` and `dense_items` receive the final number of every id (freed
 * by the caller), or are NULL. */
enum frs_status frs_row_builder_finish(
    struct frs_row_builder *builder, uint32_t **dense_users, uint32_t **dense_items) FRS_MUST_CHECK;

void frs_row_builder_fini(struct frs_row_builder *builder);

#endif
