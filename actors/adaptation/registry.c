/* The tables of all that stand in this folder. */
#include "actors/adaptation.h"

#define ADAPTATION(name) extern const struct frs_adaptation frs_adaptation_##name;
#include "actors/adaptation/adaptations.def"
#undef ADAPTATION

#define ADAPTATION(name) &frs_adaptation_##name,
const struct frs_adaptation *const frs_adaptations[] = {
#include "actors/adaptation/adaptations.def"
    NULL,
};
#undef ADAPTATION

#define ADAPTATION(name) &frs_adaptation_##name.plugin,
const struct frs_plugin *frs_adaptation_plugins[FRS_REGISTRY_ROOM] = {
#include "actors/adaptation/adaptations.def"
    NULL,
};
