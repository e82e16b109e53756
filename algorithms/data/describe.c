#include "algorithms/data/describe.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <string.h>

/* What the newest of a tie is. */
static const char *tied(const char *ties) {
    return strcmp(ties, "random") == 0    ? "one of them is drawn"
           : strcmp(ties, "earlier") == 0 ? "the earlier row counts"
                                          : "the later row counts";
}

char *frs_describe(const char *source, const char *file_notes, bool made_with_ties,
    const struct frs_interactions *interactions, const struct frs_data *data) {
    char notes[256] = "";
    size_t room = sizeof notes;
    if (made_with_ties && data->ties)
        snprintf(notes, room, "; of interactions of one time %s", tied(data->ties));
    else if (data->n_ties_test)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu users' newest tie, %s",
            data->n_ties_test, tied(data->ties));
    if (interactions->n_duplicates)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu repeated pairs, the newest kept",
            interactions->n_duplicates);
    if (interactions->n_ignored)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu rows without positive value ignored",
            interactions->n_ignored);
    if (interactions->n_users_dropped)
        snprintf(notes + strlen(notes), room - strlen(notes),
            "; %u user%s with too few interactions left out", interactions->n_users_dropped,
            interactions->n_users_dropped > 1 ? "s" : "");
    if (data->population.users)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u clients of %u users each",
            data->population.n_clients, data->population.users_per_client);
    if (interactions->n_users_left_over)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u user%s left over",
            interactions->n_users_left_over, interactions->n_users_left_over > 1 ? "s" : "");
    double cells = (double)interactions->n_users * interactions->n_items;
    return frs_format("%s: %u users, %u items, %zu interactions (%.2g %%), order: %s%s%s", source,
        interactions->n_users, interactions->n_items, interactions->n, 100 * (double)interactions->n / cells,
        data->order, notes, file_notes ? file_notes : "");
}
