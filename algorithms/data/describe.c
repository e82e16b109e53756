#include "algorithms/data/describe.h"
#include "algorithms/data/scale.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the newest of a tie is. */
static const char *tied(const char *ties) {
    return strcmp(ties, "random") == 0    ? "one of them is drawn"
           : strcmp(ties, "earlier") == 0 ? "the earlier row counts"
                                          : "the later row counts";
}

static uint32_t users_with(const struct frs_held_out *held_out, const struct frs_data *data) {
    uint32_t n = 0;
    for (uint32_t user = 0; user < frs_data_users(data).n_clients; user++)
        n += held_out->start[user + 1] > held_out->start[user];
    return n;
}

char *frs_describe(const char *source, const char *file_notes, bool made_with_ties,
    const struct frs_interactions *interactions, const struct frs_data *data) {
    static const char *const kept[] = {"the newest", "the oldest", "the newest with their mean"};
    char notes[1024] = "";
    size_t room = sizeof notes;
    if (made_with_ties && data->ties)
        snprintf(notes, room, "; of interactions of one time %s", tied(data->ties));
    else if (data->n_ties_test)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu users' newest tie, %s",
            data->n_ties_test, tied(data->ties));
    if (interactions->n_duplicates)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu repeated pairs, %s kept",
            interactions->n_duplicates, kept[data->repeated]);
    if (data->explicit_feedback && interactions->n > 0 && interactions->values) { /* a sketch has no values */
        char *scale = frs_describe_scale(interactions);
        snprintf(notes + strlen(notes), room - strlen(notes), "; %s", scale);
        free(scale);
    }
    if (interactions->n_unrated)
        snprintf(notes + strlen(notes), room - strlen(notes),
            "; %zu rows without a rating left out (data.unrated)", interactions->n_unrated);
    if (interactions->n_ignored && data->has_threshold)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu rows below data.positive_from left out",
            interactions->n_ignored);
    else if (interactions->n_ignored)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %zu rows without positive value ignored",
            interactions->n_ignored);
    if (interactions->n_users_dropped)
        snprintf(notes + strlen(notes), room - strlen(notes),
            "; %u user%s with too few interactions left out", interactions->n_users_dropped,
            interactions->n_users_dropped > 1 ? "s" : "");
    if (data->has_core && interactions->n_items_dropped)
        snprintf(notes + strlen(notes), room - strlen(notes),
            "; %u item%s with too few users, or none, left out", interactions->n_items_dropped,
            interactions->n_items_dropped > 1 ? "s" : "");
    if (interactions->n_users_late)
        snprintf(notes + strlen(notes), room - strlen(notes),
            "; %u user%s without older interactions left out", interactions->n_users_late,
            interactions->n_users_late > 1 ? "s" : "");
    if (strcmp(data->order, "date split") == 0)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u user%s test items",
            users_with(&data->test, data), users_with(&data->test, data) == 1 ? " has" : "s have");
    if (data->population.users)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u clients of %u users each",
            data->population.n_clients, data->population.users_per_client);
    if (interactions->n_users_left_over)
        snprintf(notes + strlen(notes), room - strlen(notes), "; %u user%s left over",
            interactions->n_users_left_over, interactions->n_users_left_over > 1 ? "s" : "");
    double cells = (double)interactions->n_users * interactions->n_items;
    double percent = 100 * (double)interactions->n / cells;
    return frs_format("%s: %u users, %u items, %zu interactions (%.*g %%), order: %s%s%s", source,
        interactions->n_users, interactions->n_items, interactions->n, percent < 99.5 ? 2 : 3, percent,
        data->order, notes, file_notes ? file_notes : "");
}
