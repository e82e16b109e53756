#include "algorithms/data/preparation/core.h"
#include "sim/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where files give the split, only rows before the other parts are for training. */
static bool has_training(const struct frs_core *core, const uint32_t *order, size_t n) {
    for (size_t i = 0; core->first_held_out && i < n; i++)
        if (order[i] < core->first_held_out)
            return true;
    return !core->first_held_out;
}

static size_t drop_users(const struct frs_core *core, uint32_t *order, size_t n) {
    size_t kept = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && core->users[order[end]] == core->users[order[i]];)
            end++;
        if (end - i < core->min_interactions || !has_training(core, order + i, end - i))
            continue;
        memmove(order + kept, order + i, (end - i) * sizeof *order);
        kept += end - i;
    }
    return kept;
}

static size_t drop_items(const struct frs_core *core, uint32_t *order, size_t n) {
    uint32_t *users = frs_alloc(core->n_items, sizeof *users);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        users[core->items[order[i]]]++;
    for (size_t i = 0; i < n; i++)
        if (users[core->items[order[i]]] >= core->min_users_per_item)
            order[kept++] = order[i];
    free(users);
    return kept;
}

size_t frs_core_keep(const struct frs_core *core, uint32_t *order, size_t n) {
    for (size_t before = n + 1; n < before;) {
        before = n;
        if (core->min_users_per_item > 1)
            n = drop_items(core, order, n);
        n = drop_users(core, order, n);
    }
    return n;
}
