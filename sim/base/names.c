#include "sim/base/names.h"
#include "sim/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* FNV-1a, whose high bits are folded into the low ones that choose the slot. */
static size_t hash_of(const char *text) {
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return (size_t)(hash ^ hash >> 32);
}

/* The slot of the name, or the empty one where it would be; there is always an empty one. */
static size_t slot_of(const struct frs_names *names, const char *text) {
    size_t slot = hash_of(text) & (names->n_slots - 1);
    while (names->slots[slot] && strcmp(names->texts[names->slots[slot] - 1], text) != 0)
        slot = (slot + 1) & (names->n_slots - 1);
    return slot;
}

size_t frs_names_find(const struct frs_names *names, const char *text) {
    size_t number = names->n_slots ? names->slots[slot_of(names, text)] : 0;
    return number ? number - 1 : SIZE_MAX;
}

/* At most half of the slots are taken, so that runs of taken ones stay short. */
static void make_room(struct frs_names *names) {
    if (2 * (names->n + 1) <= names->n_slots)
        return;
    names->n_slots = names->n_slots ? 2 * names->n_slots : FIRST_SLOTS;
    free(names->slots);
    names->slots = frs_alloc(names->n_slots, sizeof *names->slots);
    for (size_t i = 0; i < names->n; i++)
        names->slots[slot_of(names, names->texts[i])] = i + 1;
}

size_t frs_names_add(struct frs_names *names, const char *text) {
    make_room(names);
    size_t slot = slot_of(names, text);
    if (names->slots[slot])
        return names->slots[slot] - 1;
    names->texts = frs_grow(names->texts, names->n + 1, &names->capacity, sizeof *names->texts);
    names->texts[names->n++] = frs_strdup(text);
    names->slots[slot] = names->n;
    return names->n - 1;
}

void frs_names_fini(struct frs_names *names) {
    for (size_t i = 0; i < names->n; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->slots);
    *names = (struct frs_names){0};
}
