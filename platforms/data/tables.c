#include "platforms/data/tables.h"

#include <string.h>

const struct frs_table *frs_table_find(const char *name) {
    static const struct frs_table *const tables[] = {&frs_table_fedscale_bandwidth,
        &frs_table_fedscale_compute, &frs_table_flash_wifi_down, &frs_table_flash_wifi_up,
        &frs_table_lumos_4g_down, &frs_table_lumos_4g_up, &frs_table_lumos_wifi_down,
        &frs_table_lumos_wifi_up};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i]->name, name) == 0)
            return tables[i];
    return NULL;
}
