/* The registry of graphs of neighbours. */
#include "platforms/peers/neighbours.h"

#define NEIGHBOURS(name) extern const struct frs_neighbourhood frs_neighbours_##name;
#include "platforms/peers/neighbours.def"
#undef NEIGHBOURS

#define NEIGHBOURS(name) &frs_neighbours_##name.plugin,
const struct frs_plugin *frs_neighbours_plugins[FRS_REGISTRY_ROOM] = {
#include "platforms/peers/neighbours.def"
    NULL,
};
