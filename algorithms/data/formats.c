#include "algorithms/data/formats.h"
#include "algorithms/data/settings.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* grouplens.org: u.data of MovieLens 100K, "user TAB item TAB rating TAB unix time" */
static const struct frs_format movielens_100k = {
    .name = "movielens-100k",
    .separator = "\t",
    .n_fields = 4,
    .columns = {0, 1, 2, 3},
    .ids_are_numbers = true,
    .max_value = 5,
};

/* grouplens.org: ratings.dat of MovieLens 1M, "user::item::rating::unix time" */
static const struct frs_format movielens_1m = {
    .name = "movielens-1m",
    .separator = "::",
    .n_fields = 4,
    .columns = {0, 1, 2, 3},
    .ids_are_numbers = true,
    .max_value = 5,
};

/* ratings.txt of FilmTrust, "user,item,rating"; no time */
static const struct frs_format filmtrust = {
    .name = "filmtrust",
    .separator = ",",
    .n_fields = 3,
    .columns = {0, 1, 2, FRS_NO_COLUMN},
    .ids_are_numbers = true,
    .max_value = 5,
};

/* user_artists.dat of HetRec 2011, "user TAB artist TAB play count", by falling play count; no time. Copies
 * exist with and without a header line. */
static const struct frs_format lastfm = {
    .name = "lastfm",
    .separator = "\t",
    .header = FRS_HEADER_MAYBE,
    .n_fields = 3,
    .columns = {0, 1, 2, FRS_NO_COLUMN},
    .ids_are_numbers = true,
    .max_value = INFINITY,
};

#define MAX_COLUMN 1000

/* "3" is the third column, anything else a name in the header, empty: no such column. */
static enum frs_status csv_column(const struct frs_values *data, const char *key, struct frs_format *format,
    enum frs_column column, struct frs_errors *errors) {
    const char *text = frs_values_text(data, key);
    bool optional = column == FRS_COLUMN_VALUE || column == FRS_COLUMN_TIME;
    format->columns[column] = FRS_NO_COLUMN;
    if (!*text)
        return optional ? FRS_OK : frs_values_error(data, key, errors, "must name a column");
    char *end;
    unsigned long position = strtoul(text, &end, 10);
    if (*end || *text < '0' || *text > '9') {
        format->names[column] = text;
        if (format->header == FRS_HEADER_ALWAYS)
            return FRS_OK;
        return frs_values_error(data, key, errors,
            "\"%s\" is a name, but data.csv_header is false; give the position of the column, counted from 1",
            text);
    }
    if (position < 1 || position > MAX_COLUMN)
        return frs_values_error(
            data, key, errors, "\"%s\" is not a column; positions go from 1 to %d", text, MAX_COLUMN);
    format->columns[column] = position - 1;
    return FRS_OK;
}

static enum frs_status csv_format(
    const struct frs_values *data, struct frs_format *format, struct frs_errors *errors) {
    static const char *const keys[FRS_COLUMNS] = {"csv_user", "csv_item", "csv_value", "csv_time"};
    *format = (struct frs_format){
        .name = "csv",
        .separator = frs_values_text(data, "csv_separator"),
        .header = frs_values_bool(data, "csv_header") ? FRS_HEADER_ALWAYS : FRS_HEADER_NEVER,
        .min_value = -INFINITY,
        .max_value = INFINITY,
    };
    enum frs_status status = FRS_OK;
    if (strcmp(format->separator, "tab") == 0)
        format->separator = "\t";
    if (!*format->separator || strpbrk(format->separator, "\"\r\n"))
        status = frs_values_error(
            data, "csv_separator", errors, "must be one or more characters other than \" and line ends");
    for (int column = 0; column < FRS_COLUMNS; column++)
        if (csv_column(data, keys[column], format, column, errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    return status;
}

enum frs_status frs_format_of(
    const struct frs_values *data, struct frs_format *format, struct frs_errors *errors) {
    switch ((enum frs_data_format)frs_values_choice(data, "format")) {
    case FRS_FORMAT_MOVIELENS_100K:
        *format = movielens_100k;
        return FRS_OK;
    case FRS_FORMAT_MOVIELENS_1M:
        *format = movielens_1m;
        return FRS_OK;
    case FRS_FORMAT_FILMTRUST:
        *format = filmtrust;
        return FRS_OK;
    case FRS_FORMAT_LASTFM:
        *format = lastfm;
        return FRS_OK;
    case FRS_FORMAT_CSV:
        return csv_format(data, format, errors);
    case FRS_FORMAT_SYNTHETIC:
        break;
    }
    frs_panic(__FILE__, __LINE__, "the synthetic data set is no file");
}
