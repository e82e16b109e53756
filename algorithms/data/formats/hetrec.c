/* grouplens.org, HetRec 2011: tables with a header by tabs. A date may be spread over columns: date_day,
 * date_month, date_year, date_hour and so on, or day, month, year. */
#include "algorithms/data/formats/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const parts[FRS_DATE_COLUMNS] = {"year", "month", "day", "hour", "minute", "second"};

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    return frs_head_split(&head, "tab", &fields) && fields.n >= 3 && frs_field_is(fields.at[0], "userID") &&
           fields.at[1].n > 2 && memcmp(fields.at[1].text + fields.at[1].n - 2, "ID", 2) == 0;
}

static bool is_part(struct frs_field name, const char *part) {
    static const char prefix[] = "date_";
    size_t n = sizeof prefix - 1;
    if (name.n > n && memcmp(name.text, prefix, n) == 0)
        name = (struct frs_field){name.text + n, name.n - n};
    return frs_field_is(name, part);
}

/* "2008-10-29T23:30:16", of which fields that are no numbers spoil the text, so that it is refused. */
static struct frs_field time_of(
    const void *context, const struct frs_field *fields, size_t n, char text[64]) {
    const struct frs_reading *reading = context;
    static const char before[FRS_DATE_COLUMNS] = {'\0', '-', '-', 'T', ':', ':'};
    size_t length = 0;
    for (int i = 0; i < FRS_DATE_COLUMNS; i++) {
        size_t at = reading->date_columns[i];
        if (at == FRS_NO_COLUMN || at >= n)
            break;
        int width = fields[at].n < 8 ? (int)fields[at].n : 8, wanted = i == 0 ? 4 : 2;
        if (before[i])
            text[length++] = before[i];
        for (int zeros = width; zeros < wanted; zeros++)
            text[length++] = '0';
        memcpy(text + length, fields[at].text, (size_t)width);
        length += (size_t)width;
    }
    return (struct frs_field){text, length};
}

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    struct frs_field head = reading->head;
    struct frs_fields fields;
    *layout = (struct frs_layout){.separator = frs_separator_of("tab"),
        .header = FRS_HEADER_ALWAYS,
        .tells_unused = true,
        .columns = {0, 1, FRS_NO_COLUMN, FRS_NO_COLUMN},
        .min_value = -INFINITY,
        .max_value = INFINITY};
    if (!frs_head_split(&head, "tab", &fields) || fields.n > FRS_FIELDS_MOST)
        return FRS_OK; /* what is wrong with this line is said when it is read */
    size_t by_name[FRS_COLUMNS];
    frs_columns_by_name(fields.at, fields.n, by_name);
    layout->columns[FRS_COLUMN_VALUE] = by_name[FRS_COLUMN_VALUE];
    layout->columns[FRS_COLUMN_TIME] = by_name[FRS_COLUMN_TIME];
    for (int part = 0; part < FRS_DATE_COLUMNS; part++) {
        reading->date_columns[part] = FRS_NO_COLUMN;
        for (size_t i = 0; i < fields.n; i++)
            if (is_part(fields.at[i], parts[part]))
                reading->date_columns[part] = i;
    }
    if (layout->columns[FRS_COLUMN_TIME] == FRS_NO_COLUMN && reading->date_columns[0] != FRS_NO_COLUMN &&
        reading->date_columns[1] != FRS_NO_COLUMN && reading->date_columns[2] != FRS_NO_COLUMN) {
        layout->columns[FRS_COLUMN_TIME] = reading->date_columns[0];
        layout->time_of = time_of;
        layout->context = reading;
        layout->tells_unused = false; /* the time is in several columns */
    }
    return FRS_OK;
}

const struct frs_data_format frs_data_format_hetrec = {
    .name = "hetrec",
    .summary = "tables of HetRec 2011, by tabs, with a header and dates in one column or several",
    .recognise = recognise,
    .lay_out = lay_out,
};
