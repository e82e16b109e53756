/* No data: of a population whose training is declared. */
#include "algorithms/data/data.h"
#include "sim/base/memory.h"

struct frs_data *frs_data_nothing(uint32_t n_clients, uint64_t seed) {
    struct frs_data *data = frs_alloc(1, sizeof *data);
    data->clients = frs_alloc(n_clients, sizeof *data->clients);
    for (uint32_t client = 0; client < n_clients; client++)
        data->clients[client].client = client;
    data->test.start = frs_alloc((size_t)n_clients + 1, sizeof *data->test.start);
    data->validation.start = frs_alloc((size_t)n_clients + 1, sizeof *data->validation.start);
    data->population = (struct frs_population){
        .n_clients = n_clients, .clients = data->clients, .rating_min = 1, .rating_max = 1, .seed = seed};
    data->order = "none";
    data->description = frs_format("no data: %u client%s", n_clients, n_clients == 1 ? "" : "s");
    data->hash = frs_strdup("none");
    return data;
}
