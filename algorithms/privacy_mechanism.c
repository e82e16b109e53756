#include "algorithms/privacy_mechanism.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void frs_privacy_mechanism_list_fini(struct frs_privacy_mechanism_list *list) {
    for (size_t i = 0; i < list->n; i++)
        free(list->of[i].settings);
    *list = (struct frs_privacy_mechanism_list){0};
}

const struct frs_privacy_choice *frs_privacy_in(
    const struct frs_privacy_mechanism_list *list, enum frs_privacy_place place) {
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].mechanism->place(list->of[i].settings) == place)
            return &list->of[i];
    return NULL;
}

struct frs_masks frs_privacy_masks(const struct frs_privacy_mechanism_list *list) {
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].mechanism->masks)
            return list->of[i].mechanism->masks(list->of[i].settings);
    return (struct frs_masks){0};
}

void frs_privacy_values(const struct frs_privacy_mechanism_list *list, enum frs_privacy_place place,
    const struct frs_protected_update *protected) {
    for (size_t i = 0; i < list->n; i++) {
        const struct frs_privacy_choice *one = &list->of[i];
        if (one->mechanism->place(one->settings) == place)
            one->mechanism->values(one->settings, protected);
    }
}

static void add_noise(float *values, size_t n, double sd, struct frs_rng *rng) {
    for (size_t i = 0; i < n; i++)
        values[i] += (float)(sd * frs_rng_normal(rng));
}

void frs_privacy_aggregate(const struct frs_privacy_mechanism_list *list, const struct frs_part *shapes,
    size_t n_parts, const struct frs_tables *tables, struct frs_rows *update, double weight,
    struct frs_rng *rng, struct frs_arena *arena) {
    const struct frs_privacy_choice *noisy = frs_privacy_in(list, FRS_PRIVACY_AGGREGATE);
    struct frs_protected_update change = {.parts = update, .n_parts = n_parts, .arena = arena};
    double sd = noisy ? noisy->mechanism->noise_sd(noisy->settings, weight) : 0;
    for (size_t part = 0; noisy && part < n_parts; part++)
        add_noise(update ? frs_protected_update_whole(&change, part) : tables->part[part],
            shapes[part].n_rows * shapes[part].dim, sd, rng);
}

static struct frs_seal_costs costs_of(const struct frs_privacy_choice *seal) {
    return seal && seal->mechanism->costs ? seal->mechanism->costs(seal->settings)
                                          : (struct frs_seal_costs){0};
}

static double units_of(const struct frs_privacy_choice *seal, double bytes) {
    return seal && seal->mechanism->units ? seal->mechanism->units(seal->settings, bytes) : 0;
}

double frs_privacy_seal_flop(const struct frs_privacy_mechanism_list *list, double bytes) {
    const struct frs_privacy_choice *seal = frs_privacy_in(list, FRS_PRIVACY_MESSAGE);
    return units_of(seal, bytes) * costs_of(seal).seal_flop;
}

double frs_privacy_open_flop(const struct frs_privacy_mechanism_list *list, double bytes) {
    const struct frs_privacy_choice *seal = frs_privacy_in(list, FRS_PRIVACY_MESSAGE);
    return units_of(seal, bytes) * costs_of(seal).open_flop;
}

double frs_privacy_add_flop(const struct frs_privacy_mechanism_list *list, size_t n, double bytes) {
    const struct frs_privacy_choice *seal = frs_privacy_in(list, FRS_PRIVACY_MESSAGE);
    return n > 0 ? (double)n * units_of(seal, bytes / (double)n) * costs_of(seal).add_flop : 0;
}

double frs_privacy_decoded_flop(const struct frs_privacy_mechanism_list *list, double values) {
    double flop = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].mechanism->place(list->of[i].settings) == FRS_PRIVACY_DECODED)
            flop += list->of[i].mechanism->values_flop * values;
    return flop;
}

/* The first that claims anything: two noises on the same values claim at least as much as either of them. */
struct frs_guarantee frs_privacy_guarantee(const struct frs_privacy_mechanism_list *list) {
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].mechanism->guarantee)
            return list->of[i].mechanism->guarantee(list->of[i].settings);
    return (struct frs_guarantee){0};
}

enum frs_sight frs_privacy_sight(const struct frs_privacy_mechanism_list *list) {
    enum frs_sight sight = FRS_SEES_VALUES;
    for (size_t i = 0; i < list->n; i++)
        sight = list->of[i].mechanism->sight > sight ? list->of[i].mechanism->sight : sight;
    return sight;
}
