#include "algorithms/data/reading/ids.h"
#include "algorithms/data/reading/fields.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers below this have a table: 64 MiB at most, of which the system gives what is used. */
enum { MOST_SMALL = 1 << 24 };

bool frs_ids_is_number(const char *text, size_t n, int64_t *number) {
    size_t sign = n > 0 && *text == '-', digits = n - sign;
    if (digits == 0 || digits > 18 || (text[sign] == '0' && n > 1))
        return false;
    int64_t value = 0;
    for (size_t i = sign; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (text[i] - '0');
    }
    *number = sign ? -value : value;
    return true;
}

/* splitmix64's finaliser */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t hash(const struct frs_id *id) {
    if (!id->text)
        return mix((uint64_t)id->number + UINT64_C(0x9e3779b97f4a7c15));
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < id->number; i++)
        state = (state ^ (unsigned char)id->text[i]) * UINT64_C(0x100000001b3);
    return mix(state);
}

static bool same(const struct frs_id *a, const struct frs_id *b) {
    if (a->number != b->number || !a->text != !b->text)
        return false;
    return !a->text || memcmp(a->text, b->text, (size_t)a->number) == 0;
}

static size_t find_slot(const struct frs_ids *ids, const struct frs_id *id) {
    size_t at = hash(id) & (ids->n_slots - 1);
    while (ids->slots[at] && !same(&ids->ids[ids->slots[at] - 1], id))
        at = (at + 1) & (ids->n_slots - 1);
    return at;
}

static void grow_slots(struct frs_ids *ids) {
    ids->n_slots = ids->n_slots ? 2 * ids->n_slots : 1024;
    free(ids->slots);
    ids->slots = frs_alloc(ids->n_slots, sizeof *ids->slots);
    for (size_t i = 0; i < ids->n; i++)
        ids->slots[find_slot(ids, &ids->ids[i])] = (uint32_t)i + 1;
}

static void grow_small(struct frs_ids *ids, size_t number) {
    size_t n = ids->n_small ? ids->n_small : 1024;
    while (n <= number)
        n *= 2;
    uint32_t *small = frs_alloc(n, sizeof *small);
    if (ids->n_small)
        memcpy(small, ids->small, ids->n_small * sizeof *small);
    free(ids->small);
    ids->small = small;
    ids->n_small = n;
}

static struct frs_id id_of(const char *text, size_t n) {
    struct frs_id id = {0};
    if (!frs_ids_is_number(text, n, &id.number))
        id = (struct frs_id){.text = text, .number = (int64_t)n};
    return id;
}

static bool is_small(const struct frs_id *id) {
    return !id->text && id->number >= 0 && id->number < MOST_SMALL;
}

/* Where the index of an id stands, plus 1. */
static uint32_t *place_of(struct frs_ids *ids, const struct frs_id *id) {
    if (is_small(id)) {
        if ((size_t)id->number >= ids->n_small)
            grow_small(ids, (size_t)id->number);
        return &ids->small[id->number];
    }
    if (2 * (ids->n + 1) > ids->n_slots)
        grow_slots(ids);
    return &ids->slots[find_slot(ids, id)];
}

uint32_t frs_ids_intern(struct frs_ids *ids, const char *text, size_t n) {
    struct frs_id id = id_of(text, n);
    uint32_t *place = place_of(ids, &id);
    if (*place)
        return *place - 1;
    FRS_INVARIANT(ids->n < UINT32_MAX - 1, "more than 2^32 ids");
    if (id.text) {
        char *copy = frs_arena_take_packed(&ids->texts, n);
        memcpy(copy, text, n);
        id.text = copy;
    }
    ids->ids = frs_grow(ids->ids, ids->n + 1, &ids->capacity, sizeof *ids->ids);
    ids->ids[ids->n++] = id;
    *place = (uint32_t)ids->n;
    return *place - 1;
}

uint32_t frs_ids_find(const struct frs_ids *ids, const char *text, size_t n) {
    struct frs_id id = id_of(text, n);
    uint32_t found = 0;
    if (is_small(&id))
        found = (size_t)id.number < ids->n_small ? ids->small[id.number] : 0;
    else if (ids->n_slots)
        found = ids->slots[find_slot(ids, &id)];
    return found ? found - 1 : UINT32_MAX;
}

static int compare(const void *left, const void *right) {
    const struct frs_id *a = *(const struct frs_id *const *)left, *b = *(const struct frs_id *const *)right;
    if (!a->text || !b->text) {
        if (a->text || b->text)
            return a->text ? 1 : -1;
        return (a->number > b->number) - (a->number < b->number);
    }
    int64_t shorter = a->number < b->number ? a->number : b->number;
    int order = memcmp(a->text, b->text, (size_t)shorter);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

uint32_t *frs_ids_order(const struct frs_ids *ids) {
    const struct frs_id **sorted = frs_alloc(ids->n, sizeof *sorted);
    uint32_t *dense = frs_alloc(ids->n, sizeof *dense);
    for (size_t i = 0; i < ids->n; i++)
        sorted[i] = &ids->ids[i];
    qsort(sorted, ids->n, sizeof *sorted, compare);
    for (size_t i = 0; i < ids->n; i++)
        dense[sorted[i] - ids->ids] = (uint32_t)i;
    free(sorted);
    return dense;
}

static char lower(char character) {
    return (char)(character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character);
}

/* "  Ab  C" becomes "ab c", "007" and "7.0" become "7". Returns the length. */
static size_t fold(const struct frs_id *id, char *folded) {
    size_t n = 0, digits = 0;
    for (int64_t i = 0; i < id->number; i++) {
        char character = lower(id->text[i]);
        if (character == '\t')
            character = ' ';
        if (character != ' ' || (n > 0 && folded[n - 1] != ' '))
            folded[n++] = character;
    }
    while (digits < n && folded[digits] >= '0' && folded[digits] <= '9')
        digits++;
    size_t behind = digits;
    if (digits > 0 && behind < n && folded[behind] == '.')
        for (behind++; behind < n && folded[behind] == '0';)
            behind++;
    if (digits == 0 || behind < n)
        return n;
    size_t zeros = 0;
    while (zeros + 1 < digits && folded[zeros] == '0')
        zeros++;
    memmove(folded, folded + zeros, digits - zeros);
    return digits - zeros;
}

static void show(const struct frs_id *id, char text[48]) {
    if (id->text)
        frs_field_show((struct frs_field){id->text, (size_t)id->number}, text);
    else
        snprintf(text, 48, "%" PRId64, id->number);
}

size_t frs_ids_near(const struct frs_ids *ids, char first[48], char second[48]) {
    struct frs_ids seen = {0};
    size_t n_near = 0, capacity = 0, room = 0;
    uint32_t *of_seen = NULL;
    char *folded = NULL;
    for (uint32_t i = 0; i < ids->n; i++) {
        const struct frs_id *id = &ids->ids[i];
        if (!id->text)
            continue;
        folded = frs_grow(folded, (size_t)id->number + 1, &room, 1);
        size_t n = fold(id, folded);
        int64_t number;
        uint32_t other = frs_ids_is_number(folded, n, &number) ? frs_ids_find(ids, folded, n) : UINT32_MAX;
        if (other == UINT32_MAX) {
            size_t before = seen.n;
            uint32_t at = frs_ids_intern(&seen, folded, n);
            of_seen = frs_grow(of_seen, seen.n, &capacity, sizeof *of_seen);
            if (seen.n > before)
                of_seen[at] = i;
            else
                other = of_seen[at];
        }
        if (other != UINT32_MAX && n_near++ == 0) {
            show(&ids->ids[other], first);
            show(id, second);
        }
    }
    frs_ids_fini(&seen);
    free(of_seen);
    free(folded);
    return n_near;
}

void frs_ids_fini(struct frs_ids *ids) {
    free(ids->ids);
    free(ids->slots);
    free(ids->small);
    frs_arena_fini(&ids->texts);
    *ids = (struct frs_ids){0};
}
