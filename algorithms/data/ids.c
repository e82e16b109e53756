#include "algorithms/data/ids.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

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

uint32_t frs_ids_intern(struct frs_ids *ids, const char *text, size_t n) {
    struct frs_id id = {0};
    if (!frs_ids_is_number(text, n, &id.number))
        id = (struct frs_id){.text = text, .number = (int64_t)n};
    if (2 * (ids->n + 1) > ids->n_slots)
        grow_slots(ids);
    size_t at = find_slot(ids, &id);
    if (!ids->slots[at]) {
        FRS_INVARIANT(ids->n < UINT32_MAX - 1, "more than 2^32 ids");
        ids->ids = frs_grow(ids->ids, ids->n + 1, &ids->capacity, sizeof *ids->ids);
        ids->ids[ids->n++] = id;
        ids->slots[at] = (uint32_t)ids->n;
    }
    return ids->slots[at] - 1;
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

void frs_ids_fini(struct frs_ids *ids) {
    free(ids->ids);
    free(ids->slots);
    *ids = (struct frs_ids){0};
}
