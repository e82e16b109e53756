/* The tables of all that stand in this folder. */
#include "actors/selection.h"

#define SELECTION(name) extern const struct frs_selection frs_selection_##name;
#include "actors/selection/selections.def"
#undef SELECTION

#define SELECTION(name) &frs_selection_##name,
const struct frs_selection *const frs_selections[] = {
#include "actors/selection/selections.def"
    NULL,
};
#undef SELECTION

#define SELECTION(name) &frs_selection_##name.plugin,
const struct frs_plugin *frs_selection_plugins[FRS_REGISTRY_ROOM] = {
#include "actors/selection/selections.def"
    NULL,
};
