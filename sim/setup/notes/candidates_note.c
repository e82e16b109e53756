#include "sim/setup/notes/candidates_note.h"
#include "sim/base/memory.h"

static size_t held_out_of(const struct frs_held_out *held_out, uint32_t user) {
    return held_out->start ? held_out->start[user + 1] - held_out->start[user] : 0;
}

/* The held-out item and its negatives: those that were drawn, or all items with which the user has no
 * interaction. */
static size_t n_candidates(const struct frs_data *data, uint32_t user) {
    const struct frs_population *population = &data->population;
    uint32_t k = frs_users_per_client(population);
    size_t n = frs_client_user(population, user / k, user % k)->n + held_out_of(&data->test, user) +
               held_out_of(&data->validation, user);
    return 1 + (data->n_negatives > 0 ? data->n_negatives : population->n_items - n);
}

char *frs_candidates_note(const struct frs_setup *setup) {
    const struct frs_data *data = setup->training.data;
    uint32_t n_users = data->population.n_clients * frs_users_per_client(&data->population), n = 0;
    size_t most = 0;
    if (data->explicit_feedback || data->n_left_out > 0 || !setup->training.trains)
        return NULL;
    for (uint32_t user = 0; user < n_users; user++) {
        size_t candidates = n_candidates(data, user);
        if (candidates > setup->k)
            continue;
        n++;
        most = candidates > most ? candidates : most;
    }
    if (n == 0)
        return NULL;
    return frs_format("evaluation.k = %zu is no smaller than the number of candidates of %u of %u users (at "
                      "most %zu): their "
                      "HR@%zu is 1 whatever is ranked",
        setup->k, n, n_users, most, setup->k);
}
