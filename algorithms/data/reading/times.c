#include "algorithms/data/reading/times.h"
#include "sim/base/date.h"

enum frs_time_kind frs_time_read(struct frs_field field, double *time) {
    if (frs_field_number(field, time))
        return FRS_TIME_NUMBER;
    return frs_date_read(field.text, field.n, time) ? FRS_TIME_DATE : FRS_TIME_NONE;
}
