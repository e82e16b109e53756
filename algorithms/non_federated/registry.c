/* The tables of all references that stand in this folder. */
#include "algorithms/non_federated.h"

#include <string.h>

#define REFERENCE(name) extern const struct frs_reference frs_reference_##name;
#include "algorithms/non_federated/non_federated.def"
#undef REFERENCE

#define REFERENCE(name) &frs_reference_##name,
const struct frs_reference *const frs_references[] = {
#include "algorithms/non_federated/non_federated.def"
    NULL};
#undef REFERENCE

#define REFERENCE(name) &frs_reference_##name.plugin,
const struct frs_plugin *const frs_reference_plugins[] = {
#include "algorithms/non_federated/non_federated.def"
    NULL};
#undef REFERENCE

const struct frs_reference *frs_reference_find(const char *name) {
    for (const struct frs_reference *const *reference = frs_references; *reference; reference++)
        if (strcmp((*reference)->plugin.name, name) == 0)
            return *reference;
    return NULL;
}
