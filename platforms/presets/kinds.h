/* Kinds: the sorts of clients that a section of a scenario distinguishes, where its values differ between
 * classes (sim/base/settings/by_class.h).
 *
 * A client has a class of device and a class of network; each value names classes of one of the two. A
 * kind is a pair of classes, as far as the section makes any difference: a section without divided values
 * knows one kind of clients. Plug-ins are created once for each kind, and never learn that there are
 * others. */
#ifndef FRS_PLATFORMS_PRESETS_KINDS_H
#define FRS_PLATFORMS_PRESETS_KINDS_H

#include "platforms/presets/classes.h"

enum frs_sort { FRS_BY_DEVICE, FRS_BY_NETWORK, FRS_SORTS };

/* The classes of a run. All zero: clients are not divided. */
struct frs_strata {
    uint64_t seed;
    struct {
        const struct frs_classes *classes;
        const void *platform; /* of class_of, which tells the place among the classes */
        size_t (*class_of)(const void *platform, uint64_t seed, uint32_t client);
        char *const *names; /* [n_names] of a table, where these are the classes; NULL: `classes` are */
        size_t n_names;
    } sorts[FRS_SORTS];
};

/* All zero but n = 1: all clients are alike. */
struct frs_kinds {
    const struct frs_strata *strata; /* borrowed */
    size_t n_of[FRS_SORTS];          /* classes that are told apart; 1: all alike */
    size_t n;                        /* kinds, ≥ 1 */
};

/* Checks the names in all divided values of the section. Returns false after adding errors; *kinds then
 * has one kind. `strata` NULL: there are no classes. */
bool frs_kinds_read(struct frs_kinds *kinds, const struct frs_values *values, const struct frs_strata *strata,
    struct frs_errors *errors);

/* Lets the section's values be those of one kind. */
void frs_kinds_look_at(const struct frs_kinds *kinds, const struct frs_values *values, size_t kind);

size_t frs_kind_of(const struct frs_kinds *kinds, uint32_t client);

#endif
