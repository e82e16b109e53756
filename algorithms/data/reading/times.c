#include "algorithms/data/reading/times.h"

enum frs_time_kind frs_time_read(struct frs_field field, double *time) {
    if (frs_field_number(field, time))
        return FRS_TIME_NUMBER;
    if (frs_date_read(field.text, field.n, time))
        return FRS_TIME_DATE;
    return frs_date_read_slashed(field.text, field.n, FRS_SLASHED_MONTH_FIRST, time) ||
                   frs_date_read_slashed(field.text, field.n, FRS_SLASHED_DAY_FIRST, time)
               ? FRS_TIME_SLASHED
               : FRS_TIME_NONE;
}
