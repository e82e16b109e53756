/* What files of clients have in common: times as numbers or dates, and ids as numbers or as those of a fleet.
 */
#include "checks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool has_date(const char *text) {
    int year, month, day;
    return sscanf(text, "%4d-%2d-%2d", &year, &month, &day) == 3;
}

/* Days of a date since 1970 (Fliegel and Van Flandern 1968). */
static long day_number(int year, int month, int day) {
    long shift = (month - 14) / 12;
    return day - 32075L + 1461L * (year + 4800 + shift) / 4 + 367L * (month - 2 - shift * 12) / 12 -
           3L * ((year + 4900 + shift) / 100) / 4 - 2440588;
}

double time_of(const char *text) {
    int year, month, day, hour = 0, minute = 0;
    double second = 0;
    if (!has_date(text))
        return strtod(text, NULL);
    sscanf(text, "%4d-%2d-%2d%*1[T ]%2d:%2d:%lf", &year, &month, &day, &hour, &minute, &second);
    return (double)day_number(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
}

bool read_beside(const char *folder, const char *file, struct table *table) {
    char above[4096], path[8192];
    snprintf(above, sizeof above, "%s/..", folder);
    snprintf(path, sizeof path, "%s/%s", above, file);
    if (access(path, R_OK) != 0)
        return false;
    *table = table_read(above, file);
    return true;
}

const char *column_named(const struct table *table, const char *name) {
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->names[i], name) == 0)
            return table->names[i];
    return NULL;
}

bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end > text && !*end;
}

size_t client_called(const struct table *fleet, const char *id) {
    bool has_ids = fleet && column_named(fleet, "client"), texts = false;
    for (size_t row = 0; has_ids && row < fleet->n_rows; row++)
        texts |= !is_number(field_text(fleet, row, "client"));
    if (!texts)
        return is_number(id) ? (size_t)strtod(id, NULL) : SIZE_MAX;
    for (size_t row = 0; row < fleet->n_rows; row++)
        if (strcmp(field_text(fleet, row, "client"), id) == 0)
            return row;
    return SIZE_MAX;
}
