#include "sim/results/report/library_versions.h"
#include "actors/simgrid.h"
#include "algorithms/kernels/algebra/library.h"

#include <jansson.h>
#include <libconfig.h>
#include <stdio.h>

void frs_version_each(void (*each)(void *context, const char *library, const char *version), void *context) {
    char text[64];
    int major, minor, patch;
    frs_simgrid.sg_version_get(&major, &minor, &patch);
    snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
    each(context, "simgrid", text);
    each(context, "openblas", frs_library_config());
    each(context, "jansson", JANSSON_VERSION);
    snprintf(text, sizeof text, "%d.%d.%d", LIBCONFIG_VER_MAJOR, LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION);
    each(context, "libconfig", text);
}
