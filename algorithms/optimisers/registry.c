/* The registry of server optimisers. */
#include "algorithms/optimiser.h"

#define OPTIMISER(name) extern const struct frs_optimiser frs_optimiser_##name;
#include "algorithms/optimisers/optimisers.def"
#undef OPTIMISER

#define OPTIMISER(name) &frs_optimiser_##name,
const struct frs_optimiser *const frs_optimisers[] = {
#include "algorithms/optimisers/optimisers.def"
    NULL,
};
#undef OPTIMISER

#define OPTIMISER(name) &frs_optimiser_##name.plugin,
const struct frs_plugin *frs_optimiser_plugins[FRS_REGISTRY_ROOM] = {
#include "algorithms/optimisers/optimisers.def"
    NULL,
};
