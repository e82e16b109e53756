#include "algorithms/shield.h"
#include "algorithms/shielding.h"

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

bool frs_shields_at(const struct frs_shield_list *list, enum frs_shield_place place) {
    return frs_shield_in(list, place);
}

void frs_shields_values(const struct frs_shield_list *list, const struct frs_shielding *shielding) {
    for (size_t i = 0; i < list->n; i++) {
        const struct frs_shield_choice *one = &list->of[i];
        if (one->shield->place(one->settings) == FRS_SHIELD_VALUES)
            one->shield->values(one->settings, shielding);
    }
}

static void add_noise(float *values, size_t n, double sd, struct frs_rng *rng) {
    for (size_t i = 0; i < n; i++)
        values[i] += (float)(sd * frs_rng_normal(rng));
}

bool frs_shields_aggregate(const struct frs_shield_list *list, const struct frs_part *shapes, size_t n_parts,
    const struct frs_tables *tables, struct frs_rows *update, double weight, struct frs_rng *rng,
    struct frs_arena *arena) {
    const struct frs_shield_choice *noisy = frs_shield_in(list, FRS_SHIELD_AGGREGATE);
    struct frs_shielding change = {.parts = update, .n_parts = n_parts, .arena = arena};
    double sd = noisy ? noisy->shield->noise_sd(noisy->settings, weight) : 0;
    for (size_t part = 0; noisy && part < n_parts; part++)
        add_noise(update ? frs_shielding_whole(&change, part) : tables->part[part],
            shapes[part].n_rows * shapes[part].dim, sd, rng);
    return noisy;
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
