/* The tables of all shields that stand in this folder. */
#include "algorithms/privacy_mechanism.h"

#define SHIELD(name) extern const struct frs_shield frs_shield_##name;
#include "algorithms/privacy/privacy_mechanisms.def"
#undef SHIELD

#define SHIELD(name) &frs_shield_##name,
const struct frs_shield *const frs_shields[] = {
#include "algorithms/privacy/privacy_mechanisms.def"
    NULL,
};
#undef SHIELD

static const struct frs_plugin none = {.name = "none", .summary = "no shield in this place of the list"};

#define SHIELD(name) &frs_shield_##name.plugin,
const struct frs_plugin *const frs_shield_plugins[] = {
    &none,
#include "algorithms/privacy/privacy_mechanisms.def"
    NULL,
};
