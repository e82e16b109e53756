#include "algorithms/data/reading/times.h"
#include "sim/base/date.h"

enum frs_time_kind frs_time_read(struct frs_field field, double *time) {
    if (frs_field_number(field, time))
        return FRS_TIME_NUMBER;
    return frs_date_read(field.text, field.n, time) ? FRS_TIME_DATE : FRS_TIME_NONE;
}

double frs_time_unit(double least, double most, const char **name) {
    static const struct {
        double from, to, unit;
        const char *name;
    } units[] = {
        {1e11, 1e13, 1e3, "ms"}, /* 1973 to 2286 */
        {1e14, 1e16, 1e6, "µs"},
        {1e17, 1e19, 1e9, "ns"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (least >= units[i].from && most < units[i].to) {
            *name = units[i].name;
            return units[i].unit;
        }
    *name = "s";
    return 1;
}
