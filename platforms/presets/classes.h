/* Classes: a population mixed from named kinds of clients, "4g 40 %, wifi 40 %, fibre 20 %".
 *
 * A class is a preset. One quantile decides a client's class and its place within it: classes are in the
 * order of their medians, and each takes as much of the interval (0, 1) as it has clients. So a higher
 * quantile never means a slower class, and a correlation with the quantile reaches across classes. */
#ifndef FRS_PLATFORMS_PRESETS_CLASSES_H
#define FRS_PLATFORMS_PRESETS_CLASSES_H

#include "platforms/presets/presets.h"
#include "sim/base/limits.h"

#include <stddef.h>
#include <stdint.h>

#define FRS_MAX_CLASSES FRS_LIMIT_CLASSES

/* All zero: clients are not divided. */
struct frs_classes {
    size_t n;
    const struct frs_preset *presets[FRS_MAX_CLASSES];
    double shares[FRS_MAX_CLASSES]; /* add up to 1 */
    size_t n_empty;                 /* named, of 0 % */
    const struct frs_preset *empty[FRS_MAX_CLASSES];
};

/* Reads a text such as "4g 40 %, wifi 60 %"; an empty text means no classes, and a class of 0 % is left
 * out. `presets` are those to choose from; `key` is the key of such a text, which a class must not set
 * itself. Returns false after adding errors. */
bool frs_classes_read(const struct frs_values *values, const char *key,
    const struct frs_preset *const *presets, struct frs_classes *classes, struct frs_errors *errors);

/* Sorts the classes in ascending order of `medians` [n], which are sorted along; equal ones keep their
 * order. `order` [n] receives the earlier place of each class. */
void frs_classes_sort(struct frs_classes *classes, double *medians, size_t *order);

/* The class a quantile falls into; *within receives the quantile within that class. n ≥ 1. */
size_t frs_classes_pick(const struct frs_classes *classes, double u, double *within);

/* Shares of classes are drawn, client by client; or dealt: each class gets its share of the clients,
 * rounded. */
enum frs_class_shares { FRS_SHARES_DRAWN, FRS_SHARES_DEALT };

#define FRS_CLASS_SHARES_PARAM                                                                               \
    {                                                                                                        \
        .key = "class_shares", .type = FRS_CHOICE, .initial = "drawn", .choices = frs_class_shares_names,    \
        .help = "with classes: drawn: each client's by itself, so that their numbers differ from seed to "   \
                "seed; dealt: as many clients in each as its share gives, in the order of the draws"         \
    }

extern const char *const frs_class_shares_names[];

/* Dealt quantiles [n], freed by the caller: the client with the k-th smallest of n quantiles, from 0 on,
 * gets (k + 1/2) / n. */
double *frs_classes_deal(uint32_t n, double (*quantile)(const void *of, uint64_t seed, uint32_t client),
    const void *of, uint64_t seed);

/* Whether the user has said anything in a section. */
bool frs_section_is_given(const struct frs_values *values);

#endif
