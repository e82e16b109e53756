/* The tables of all non-federated baselines in this folder. */
#include "algorithms/non_federated.h"

#include <string.h>

#define NON_FEDERATED(name) extern const struct frs_non_federated_model frs_non_federated_model_##name;
#include "algorithms/non_federated/non_federated.def"
#undef NON_FEDERATED

#define NON_FEDERATED(name) &frs_non_federated_model_##name,
const struct frs_non_federated_model *const frs_non_federated[] = {
#include "algorithms/non_federated/non_federated.def"
    NULL};
#undef NON_FEDERATED

#define NON_FEDERATED(name) &frs_non_federated_model_##name.plugin,
const struct frs_plugin *const frs_non_federated_model_plugins[] = {
#include "algorithms/non_federated/non_federated.def"
    NULL};
#undef NON_FEDERATED

const struct frs_non_federated_model *frs_non_federated_model_find(const char *name) {
    for (const struct frs_non_federated_model *const *baseline = frs_non_federated; *baseline; baseline++)
        if (strcmp((*baseline)->plugin.name, name) == 0)
            return *baseline;
    return NULL;
}
