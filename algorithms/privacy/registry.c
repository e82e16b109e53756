/* The tables of all privacy mechanisms in this folder. */
#include "algorithms/privacy_mechanism.h"

#define PRIVACY_MECHANISM(name) extern const struct frs_privacy_mechanism frs_privacy_##name;
#include "algorithms/privacy/privacy_mechanisms.def"
#undef PRIVACY_MECHANISM

#define PRIVACY_MECHANISM(name) &frs_privacy_##name,
const struct frs_privacy_mechanism *const frs_privacy_mechanisms[] = {
#include "algorithms/privacy/privacy_mechanisms.def"
    NULL,
};
#undef PRIVACY_MECHANISM

static const struct frs_plugin none = {.name = "none", .summary = "no mechanism in this place of the list"};

#define PRIVACY_MECHANISM(name) &frs_privacy_##name.plugin,
const struct frs_plugin *const frs_privacy_plugins[] = {
    &none,
#include "algorithms/privacy/privacy_mechanisms.def"
    NULL,
};
