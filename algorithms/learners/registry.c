/* The tables of all learners that stand in this folder. */
#include "algorithms/learner.h"

#define LEARNER(name) extern const struct frs_learner frs_learner_##name;
#include "algorithms/learners/learners.def"
#undef LEARNER

#define LEARNER(name) &frs_learner_##name,
#define DECLARED(name)
const struct frs_learner *const frs_learners[] = {
#include "algorithms/learners/learners.def"
    NULL,
};
#undef LEARNER

#define LEARNER(name) &frs_learner_##name.plugin,
const struct frs_plugin *frs_learner_plugins[FRS_REGISTRY_ROOM] = {
#include "algorithms/learners/learners.def"
    NULL,
};
