/* Tables: measured distributions, built in. Each file names its source and how accurate it is. */
#ifndef FRS_PLATFORMS_DATA_TABLES_H
#define FRS_PLATFORMS_DATA_TABLES_H

#include "sim/base/settings/units.h"

#include <stddef.h>

struct frs_table {
    const char *name; /* as in `table = "fedscale-bandwidth"` */
    const char *source;
    enum frs_dimension dimension;
    double unit;          /* SI units per unit of the values */
    const double *values; /* [n], never falling: the quantiles 0, 1/(n-1), 2/(n-1) … 1 */
    size_t n;             /* ≥ 2 */
};

extern const struct frs_table frs_table_fedscale_bandwidth, frs_table_fedscale_compute,
    frs_table_flash_wifi_down, frs_table_flash_wifi_up, frs_table_lumos_4g_down, frs_table_lumos_4g_up,
    frs_table_lumos_wifi_down, frs_table_lumos_wifi_up;

/* Or NULL. */
const struct frs_table *frs_table_find(const char *name);

#endif
