#include "sim/data/describe.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <string.h>

/* Users whose newest time occurs twice: file order decided what was held out. */
static size_t count_ties(const struct frs_interactions *interactions) {
    size_t ties = 0;
    for (uint32_t user = 0; user < interactions->n_users; user++) {
        const double *times = interactions->times + interactions->start[user];
        size_t n = interactions->start[user + 1] - interactions->start[user], newest = 0, same = 0;
        for (size_t i = 0; i < n; i++)
            newest = times[i] > times[newest] ? i : newest;
        for (size_t i = 0; i < n; i++)
            same += times[i] == times[newest];
        ties += same > 1;
    }
    return ties;
}

char *frs_describe(
    const char *source, const struct frs_interactions *interactions, const struct frs_data *data) {
    char notes[256] = "";
    size_t room = sizeof notes, ties = strcmp(data->order, "time") == 0 ? count_ties(interactions) : 0;
    if (ties)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu users' newest tie, the later row counts",
            ties);
    if (interactions->n_duplicates)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu repeated pairs, the newest kept",
            interactions->n_duplicates);
    if (interactions->n_ignored)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu rows without positive value ignored",
            interactions->n_ignored);
    if (interactions->n_users_dropped)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u users with too few interactions left out",
            interactions->n_users_dropped);
    if (data->population.users)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u clients of %u users each",
            data->population.n_clients, data->population.users_per_client);
    if (interactions->n_users_left_over)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u user%s left over",
            interactions->n_users_left_over, interactions->n_users_left_over > 1 ? "s" : "");
    double cells = (double)interactions->n_users * interactions->n_items;
    return frs_format("%s: %u users, %u items, %zu interactions (%.2g %%), order: %s%s", source,
        interactions->n_users, interactions->n_items, interactions->n, 100 * (double)interactions->n / cells,
        data->order, notes);
}
