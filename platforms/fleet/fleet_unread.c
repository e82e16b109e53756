#include "platforms/fleet/fleet_unread.h"
#include "platforms/fleet/fleet_columns.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

char *frs_fleet_unread(const struct frs_fleet *fleet, unsigned wanted, const struct frs_fleet *other) {
    char *list = NULL;
    if (other && strcmp(other->path, fleet->path) == 0)
        return NULL;
    for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++) {
        if (!fleet->has[figure] || wanted >> figure & 1)
            continue;
        char *longer =
            frs_format("%s%s%s", list ? list : "", list ? ", " : "", frs_fleet_figures[figure].what);
        free(list);
        list = longer;
    }
    return list;
}
