#include "algorithms/privacy_mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void frs_shield_list_fini(struct frs_shield_list *list) {
    for (size_t i = 0; i < list->n; i++)
        free(list->of[i].settings);
    *list = (struct frs_shield_list){0};
}

const struct frs_shield_choice *frs_shield_in(
    const struct frs_shield_list *list, enum frs_shield_place place) {
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].shield->place(list->of[i].settings) == place)
            return &list->of[i];
    return NULL;
}

struct frs_masks frs_shields_masks(const struct frs_shield_list *list) {
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].shield->masks)
            return list->of[i].shield->masks(list->of[i].settings);
    return (struct frs_masks){0};
}

void frs_shields_values(
    const struct frs_shield_list *list, enum frs_shield_place place, const struct frs_shielding *shielding) {
    for (size_t i = 0; i < list->n; i++) {
        const struct frs_shield_choice *one = &list->of[i];
        if (one->shield->place(one->settings) == place)
            one->shield->values(one->settings, shielding);
    }
}

static void add_noise(float *values, size_t n, double sd, struct frs_rng *rng) {
    for (size_t i = 0; i < n; i++)
        values[i] += (float)(sd * frs_rng_normal(rng));
}

void frs_shields_aggregate(const struct frs_shield_list *list, const struct frs_part *shapes, size_t n_parts,
    const struct frs_tables *tables, struct frs_rows *update, double weight, struct frs_rng *rng,
    struct frs_arena *arena) {
    const struct frs_shield_choice *noisy = frs_shield_in(list, FRS_SHIELD_AGGREGATE);
    struct frs_shielding change = {.parts = update, .n_parts = n_parts, .arena = arena};
    double sd = noisy ? noisy->shield->noise_sd(noisy->settings, weight) : 0;
    for (size_t part = 0; noisy && part < n_parts; part++)
        add_noise(update ? frs_shielding_whole(&change, part) : tables->part[part],
            shapes[part].n_rows * shapes[part].dim, sd, rng);
}

static struct frs_seal_costs costs_of(const struct frs_shield_choice *seal) {
    return seal && seal->shield->costs ? seal->shield->costs(seal->settings) : (struct frs_seal_costs){0};
}

static double units_of(const struct frs_shield_choice *seal, double bytes) {
    return seal && seal->shield->units ? seal->shield->units(seal->settings, bytes) : 0;
}

double frs_shields_seal_flop(const struct frs_shield_list *list, double bytes) {
    const struct frs_shield_choice *seal = frs_shield_in(list, FRS_SHIELD_MESSAGE);
    return units_of(seal, bytes) * costs_of(seal).seal_flop;
}

double frs_shields_open_flop(const struct frs_shield_list *list, double bytes) {
    const struct frs_shield_choice *seal = frs_shield_in(list, FRS_SHIELD_MESSAGE);
    return units_of(seal, bytes) * costs_of(seal).open_flop;
}

double frs_shields_add_flop(const struct frs_shield_list *list, size_t n, double bytes) {
    const struct frs_shield_choice *seal = frs_shield_in(list, FRS_SHIELD_MESSAGE);
    return n > 0 ? (double)n * units_of(seal, bytes / (double)n) * costs_of(seal).add_flop : 0;
}

double frs_shields_decoded_flop(const struct frs_shield_list *list, double values) {
    double flop = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].shield->place(list->of[i].settings) == FRS_SHIELD_DECODED)
            flop += list->of[i].shield->values_flop * values;
    return flop;
}

/* The first that claims anything: two noises on the same values claim at least as much as either of them. */
struct frs_guarantee frs_shields_guarantee(const struct frs_shield_list *list) {
    for (size_t i = 0; i < list->n; i++)
        if (list->of[i].shield->guarantee)
            return list->of[i].shield->guarantee(list->of[i].settings);
    return (struct frs_guarantee){0};
}

enum frs_sight frs_shields_sight(const struct frs_shield_list *list) {
    enum frs_sight sight = FRS_SEES_VALUES;
    for (size_t i = 0; i < list->n; i++)
        sight = list->of[i].shield->sight > sight ? list->of[i].shield->sight : sight;
    return sight;
}
