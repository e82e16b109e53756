#include "algorithms/data/preparation/left.h"
#include "sim/base/memory.h"

#include <stdlib.h>

struct frs_left frs_left_of(const struct frs_rows *rows, const uint32_t *order, size_t n) {
    struct frs_left left = {.rows = n};
    bool *users = frs_alloc(rows->n_users, sizeof *users), *items = frs_alloc(rows->n_items, sizeof *items);
    for (size_t i = 0; i < n; i++) {
        uint32_t user = rows->users[order[i]], item = rows->items[order[i]];
        left.users += !users[user];
        left.items += !items[item];
        users[user] = items[item] = true;
    }
    free(users);
    free(items);
    return left;
}
