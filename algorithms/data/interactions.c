#include "algorithms/data/interactions.h"
#include "algorithms/data/preparation/core.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stable counting sort of row numbers by `keys`. */
static void sort_by(const uint32_t *keys, uint32_t n_keys, const uint32_t *from, uint32_t *to, size_t n) {
    size_t *start = frs_alloc((size_t)n_keys + 1, sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[keys[from[i]] + 1]++;
    for (size_t key = 0; key < n_keys; key++)
        start[key + 1] += start[key];
    for (size_t i = 0; i < n; i++)
        to[start[keys[from[i]]]++] = from[i];
    free(start);
}

static bool is_positive(const struct frs_preparation *preparation, float value) {
    if (!preparation->implicit)
        return true;
    return isnan(preparation->positive_from) ? value > 0 : (double)value >= preparation->positive_from;
}

/* A step that left out no row left all users and items. */
static void note_left(const struct frs_rows *rows, const uint32_t *order, size_t n,
    enum frs_preparation_step step, struct frs_interactions *out) {
    const struct frs_left *before = &out->left[step - 1];
    out->left[step] = n == before->rows ? *before : frs_left_of(rows, order, n);
}

static void drop_negatives(
    const struct frs_rows *rows, const struct frs_preparation *preparation, uint32_t *order, size_t *n) {
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++)
        if (is_positive(preparation, rows->values[order[i]]))
            order[kept++] = order[i];
    *n = kept;
}

/* Row numbers to keep, by user, then item, then position in the file. */
static uint32_t *sorted_rows(const struct frs_rows *rows, const struct frs_preparation *preparation,
    struct frs_interactions *out, size_t *n) {
    uint32_t *order = frs_alloc(rows->n, sizeof *order), *by_item = frs_alloc(rows->n, sizeof *by_item);
    *n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        bool unrated = (double)rows->values[i] == preparation->unrated; /* never where that is NaN */
        out->n_unrated += unrated;
        if (!unrated)
            order[(*n)++] = (uint32_t)i;
    }
    note_left(rows, order, *n, FRS_PREPARED_UNRATED, out);
    drop_negatives(rows, preparation, order, n);
    note_left(rows, order, *n, FRS_PREPARED_POSITIVE, out);
    sort_by(rows->items, rows->n_items, order, by_item, *n);
    sort_by(rows->users, rows->n_users, by_item, order, *n);
    free(by_item);
    return order;
}

static bool same_pair(const struct frs_rows *rows, uint32_t a, uint32_t b) {
    return rows->users[a] == rows->users[b] && rows->items[a] == rows->items[b];
}

/* One row of the pair whose rows stand from `begin` to `end`, in the order of the file. */
static uint32_t chosen_row(
    const struct frs_rows *rows, const uint32_t *begin, const uint32_t *end, bool oldest) {
    uint32_t chosen = *begin;
    for (const uint32_t *row = begin + 1; row < end; row++) {
        if (oldest)
            chosen = rows->times && rows->times[*row] < rows->times[chosen] ? *row : chosen;
        else if (!rows->times || rows->times[*row] >= rows->times[chosen])
            chosen = *row;
    }
    return chosen;
}

/* Which of the files that give a split: 0 is training, 1 validation, 2 test. */
static unsigned part_of(const size_t given_starts[2], size_t row) {
    size_t validation = given_starts[0], test = given_starts[1];
    return test && row >= test ? 2 : validation && row >= validation ? 1 : 0;
}

/* Keeps one row of equal pairs, which stand side by side. */
static size_t drop_duplicates(struct frs_rows *rows, enum frs_repeated repeated, uint32_t *order, size_t n,
    struct frs_interactions *out) {
    size_t kept = 0;
    for (size_t i = 0, end; i < n; i = end) {
        double sum = 0;
        size_t begin = i;
        for (end = i; end < n && same_pair(rows, order[i], order[end]); end++)
            ;
        while (part_of(rows->given_starts, order[begin]) < part_of(rows->given_starts, order[end - 1]))
            begin++;
        out->n_given_twice += begin > i;
        for (size_t of = begin; of < end; of++)
            sum += (double)rows->values[order[of]];
        uint32_t row = chosen_row(rows, order + begin, order + end, repeated == FRS_REPEATED_OLDEST);
        if (repeated == FRS_REPEATED_MEAN)
            rows->values[row] = (float)(sum / (double)(end - begin));
        order[kept++] = row;
    }
    return kept;
}

/* New numbers of the items that occur, in their order; [rows->n_items]. */
static uint32_t *renumber_items(
    const struct frs_rows *rows, const uint32_t *order, size_t n, uint32_t *n_items) {
    uint32_t *renumbered = frs_alloc(rows->n_items, sizeof *renumbered);
    for (size_t i = 0; i < n; i++)
        renumbered[rows->items[order[i]]] = 1;
    *n_items = 0;
    for (uint32_t item = 0; item < rows->n_items; item++)
        renumbered[item] = renumbered[item] ? (*n_items)++ : UINT32_MAX;
    return renumbered;
}

/* Where each user's interactions begin. */
static void find_starts(const struct frs_rows *rows, const uint32_t *order, struct frs_interactions *out) {
    out->start = frs_alloc((size_t)rows->n_users + 1, sizeof *out->start);
    out->user_numbers = frs_alloc(rows->n_users, sizeof *out->user_numbers);
    memset(out->user_numbers, 0xff, rows->n_users * sizeof *out->user_numbers);
    for (size_t i = 0; i < out->n; i++)
        if (i == 0 || rows->users[order[i]] != rows->users[order[i - 1]]) {
            out->user_numbers[rows->users[order[i]]] = out->n_users;
            out->start[out->n_users++] = i;
        }
    out->start[out->n_users] = out->n;
}

/* Gathers column by column and frees each source column afterwards: with many rows, a second copy of all
 * of them would be the largest part of a run's memory. */
static void gather(struct frs_rows *rows, const uint32_t *order, struct frs_interactions *out) {
    find_starts(rows, order, out);
    out->item_numbers = renumber_items(rows, order, out->n, &out->n_items);
    free(rows->users);
    out->items = frs_alloc(out->n, sizeof *out->items);
    for (size_t i = 0; i < out->n; i++)
        out->items[i] = out->item_numbers[rows->items[order[i]]];
    free(rows->items);
    out->values = frs_alloc(out->n, sizeof *out->values);
    for (size_t i = 0; i < out->n; i++)
        out->values[i] = rows->values[order[i]];
    free(rows->values);
    out->times = rows->times ? frs_alloc(out->n, sizeof *out->times) : NULL;
    for (size_t i = 0; out->times && i < out->n; i++)
        out->times[i] = rows->times[order[i]];
    free(rows->times);
}

void frs_interactions_prepare(
    struct frs_rows *rows, const struct frs_preparation *preparation, struct frs_interactions *out) {
    FRS_INVARIANT(rows->n < UINT32_MAX, "%zu rows do not fit 32 bits", rows->n);
    *out = (struct frs_interactions){.n_rows = rows->n};
    out->left[FRS_PREPARED_READ] =
        (struct frs_left){.rows = rows->n, .users = rows->n_users, .items = rows->n_items};
    memcpy(out->given_starts, rows->given_starts, sizeof out->given_starts);
    size_t n, distinct;
    uint32_t *order = sorted_rows(rows, preparation, out, &n);
    out->n_ignored = rows->n - out->n_unrated - n;
    distinct = drop_duplicates(rows, preparation->repeated, order, n, out);
    out->n_duplicates = n - distinct;
    note_left(rows, order, distinct, FRS_PREPARED_REPEATED, out);
    struct frs_core core = {.users = rows->users,
        .items = rows->items,
        .n_items = rows->n_items,
        .first_held_out = rows->given_starts[0] ? rows->given_starts[0] : rows->given_starts[1],
        .min_interactions = 1};
    if (core.first_held_out)
        distinct = frs_core_keep(&core, order, distinct);
    note_left(rows, order, distinct, FRS_PREPARED_TRAINED, out);
    core.min_interactions = preparation->min_interactions;
    core.min_users_per_item = preparation->min_users_per_item;
    out->n = frs_core_keep(&core, order, distinct);
    note_left(rows, order, out->n, FRS_PREPARED_CORE, out);
    gather(rows, order, out);
    out->rows = order;
    out->n_users_dropped = rows->n_users - out->n_users;
    out->n_items_dropped = rows->n_items - out->n_items;
    free(rows->layout);
    free(rows->notes);
    free(rows->settings);
    free(rows->first_user);
    free(rows->first_item);
    *rows = (struct frs_rows){0};
}

void frs_interactions_arrange(
    struct frs_rows *rows, bool implicit, size_t min_interactions, struct frs_interactions *out) {
    const struct frs_preparation preparation = {
        .unrated = NAN, .implicit = implicit, .positive_from = NAN, .min_interactions = min_interactions};
    frs_interactions_prepare(rows, &preparation, out);
}

void frs_interactions_keep_before(struct frs_interactions *interactions, double time) {
    uint32_t n_users = 0, *renumbered = frs_alloc(interactions->n_users, sizeof *renumbered);
    size_t n = 0, n_read = interactions->n_users + interactions->n_users_dropped;
    for (uint32_t user = 0; user < interactions->n_users; user++) {
        renumbered[user] = UINT32_MAX;
        size_t begin = interactions->start[user], end = interactions->start[user + 1], i = begin;
        while (i < end && interactions->times[i] >= time)
            i++;
        if (i == end)
            continue;
        renumbered[user] = n_users;
        interactions->start[n_users++] = n;
        memmove(interactions->items + n, interactions->items + begin,
            (end - begin) * sizeof *interactions->items);
        memmove(interactions->values + n, interactions->values + begin,
            (end - begin) * sizeof *interactions->values);
        memmove(interactions->times + n, interactions->times + begin,
            (end - begin) * sizeof *interactions->times);
        memmove(
            interactions->rows + n, interactions->rows + begin, (end - begin) * sizeof *interactions->rows);
        n += end - begin;
    }
    for (size_t i = 0; i < n_read; i++)
        if (interactions->user_numbers[i] != UINT32_MAX)
            interactions->user_numbers[i] = renumbered[interactions->user_numbers[i]];
    free(renumbered);
    interactions->start[n_users] = n;
    interactions->n_users_late = interactions->n_users - n_users;
    interactions->n_users = n_users;
    interactions->n = n;
}

void frs_interactions_keep_users(struct frs_interactions *interactions, uint32_t n) {
    FRS_INVARIANT(
        n > 0 && n <= interactions->n_users, "%u of %u users are to be kept", n, interactions->n_users);
    interactions->n_users_left_over = interactions->n_users - n;
    interactions->n_users = n;
    interactions->n = interactions->start[n];
}

bool frs_interactions_older(const struct frs_interactions *interactions, size_t a, size_t b) {
    if (interactions->times && interactions->times[a] != interactions->times[b])
        return interactions->times[a] < interactions->times[b];
    return interactions->rows[a] < interactions->rows[b];
}

static uint64_t absorb(uint64_t state, uint64_t word) {
    state = (state ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return state ^ state >> 29;
}

unsigned frs_interactions_given_part(const struct frs_interactions *interactions, size_t i) {
    return part_of(interactions->given_starts, interactions->rows[i]);
}

void frs_interactions_hash(const struct frs_interactions *interactions, char hex[17]) {
    uint64_t state = absorb(interactions->n_users, interactions->n_items);
    for (uint32_t user = 0; user < interactions->n_users; user++) {
        state = absorb(state, interactions->start[user + 1]);
        for (size_t i = interactions->start[user]; i < interactions->start[user + 1]; i++) {
            uint32_t value;
            uint64_t time = 0;
            memcpy(&value, &interactions->values[i], sizeof value);
            if (interactions->times)
                memcpy(&time, &interactions->times[i], sizeof time);
            state = absorb(absorb(state, (uint64_t)interactions->items[i] << 32 | value), time);
            if (interactions->given_starts[1])
                state = absorb(state, frs_interactions_given_part(interactions, i));
        }
    }
    snprintf(hex, 17, "%016" PRIx64, absorb(state, interactions->n));
}

void frs_interactions_fini(struct frs_interactions *interactions) {
    free(interactions->start);
    free(interactions->items);
    free(interactions->values);
    free(interactions->times);
    free(interactions->rows);
    free(interactions->user_numbers);
    free(interactions->item_numbers);
    *interactions = (struct frs_interactions){0};
}
