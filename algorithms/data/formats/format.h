/* Format: a layout of interaction files in circulation. One file, one constant of this type, and one line in
 * formats.def. */
#ifndef FRS_ALGORITHMS_DATA_FORMATS_FORMAT_H
#define FRS_ALGORITHMS_DATA_FORMATS_FORMAT_H

#include "algorithms/data/reading/delimited.h"

struct frs_values;

enum { FRS_DATE_COLUMNS = 6 };

/* What a format reads from, and where to. */
struct frs_reading {
    const struct frs_values *data; /* the scenario's section, for formats with keys of their own */
    struct frs_lines *lines;
    struct frs_row_builder *builder;
    struct frs_field head; /* the first lines (frs_lines_head) */
    bool guessed;          /* the format was recognised, not asked for */
    struct frs_errors *errors;
    size_t date_columns[FRS_DATE_COLUMNS]; /* of hetrec: year, month, day, hour, minute, second */
};

struct frs_data_format {
    const char *name;    /* as in data.format */
    const char *summary; /* one line for people */
    bool counts;         /* the values are counts, no ratings */
    /* Whether a file that begins with these lines has this format; NULL: it is read where asked for. The
     * first entry of formats.def that says so is taken. */
    bool (*recognise)(struct frs_field head);
    /* One of the two: how the fields of a line are laid out (FRS_OK, or an error was added), or a reader. */
    enum frs_status (*lay_out)(struct frs_reading *reading, struct frs_layout *layout);
    void (*read)(struct frs_reading *reading);
};

/* The format of an entry of data.format that is one (settings.h). */
const struct frs_data_format *frs_data_format_at(size_t index);

/* The format of a file that begins with these lines; the last entry of the registry fits them all. */
const struct frs_data_format *frs_data_format_recognise(struct frs_field head);

/* ---- what several formats share -------------------------------------------------------------------- */

/* Takes the next line from *head and splits it; false where there is none, or none that can be split. */
bool frs_head_split(struct frs_field *head, const char *separator, struct frs_fields *fields);

/* Layouts without header: columns 1, 2, 3 and, if it has four, 4. */
struct frs_layout frs_layout_plain(const char *separator, size_t n_fields, double max_value);

#endif
