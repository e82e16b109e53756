/* The registry of corrections of an aggregate. */
#include "algorithms/correction.h"

#define CORRECTION(name) extern const struct frs_correction frs_correction_##name;
#include "algorithms/corrections/corrections.def"
#undef CORRECTION

#define CORRECTION(name) &frs_correction_##name,
const struct frs_correction *const frs_corrections[] = {
#include "algorithms/corrections/corrections.def"
    NULL,
};
#undef CORRECTION

#define CORRECTION(name) &frs_correction_##name.plugin,
const struct frs_plugin *frs_correction_plugins[FRS_REGISTRY_ROOM] = {
#include "algorithms/corrections/corrections.def"
    NULL,
};
