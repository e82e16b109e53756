#include "algorithms/data/share.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

void frs_share_clients(struct frs_data *data, uint32_t n_clients) {
    struct frs_population *population = &data->population;
    uint32_t n_users = population->n_clients, each = n_users / n_clients;
    FRS_INVARIANT(each * n_clients == n_users, "%u users are no multiple of %u clients", n_users, n_clients);
    if (each == 1)
        return;
    data->users = data->clients;
    data->clients = frs_alloc(n_clients, sizeof *data->clients);
    for (uint32_t client = 0; client < n_clients; client++) {
        const struct frs_client_data *first = &data->users[client * each], *last = first + each - 1;
        data->clients[client] = (struct frs_client_data){.client = client,
            .items = first->items,
            .ratings = first->ratings,
            .n = (size_t)(last->items - first->items) + last->n};
    }
    population->n_clients = n_clients;
    population->clients = data->clients;
    population->users_per_client = each;
    population->users = data->users;
}

struct frs_population frs_data_users(const struct frs_data *data) {
    struct frs_population all = data->population;
    if (!all.users)
        return all;
    all.n_clients *= all.users_per_client;
    all.clients = all.users;
    all.users = NULL;
    all.users_per_client = 0;
    return all;
}
