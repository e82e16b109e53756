#include "algorithms/data/evaluation_protocol.h"
#include "algorithms/data/split.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

const char *frs_data_protocol(const struct frs_data *data) {
    static const char *const names[] = {
        [FRS_HONEST] = "honest", [FRS_LEAKY] = "leaky", [FRS_LOOKAHEAD] = "lookahead"};
    return names[data->protocol];
}

size_t frs_protocol_excluded(const struct frs_data *data, uint32_t client) {
    size_t n = data->clients[client].n;
    if (data->protocol == FRS_HONEST)
        return n;
    n += frs_split_held_out(data, client);
    return data->protocol == FRS_LOOKAHEAD ? n + data->n_negatives : n;
}

void frs_protocol_exclude(struct frs_data *data) {
    uint32_t n_clients = data->population.n_clients;
    size_t total = 0;
    for (uint32_t client = 0; client < n_clients; client++) {
        data->clients[client].excluded = data->clients[client].items;
        data->clients[client].n_excluded = data->clients[client].n;
        total += frs_protocol_excluded(data, client);
    }
    if (data->protocol == FRS_HONEST)
        return;
    data->excluded = frs_alloc(total, sizeof *data->excluded);
    uint32_t *next = data->excluded;
    for (uint32_t client = 0; client < n_clients; client++) {
        size_t n = frs_split_all_items(data, client, next);
        if (data->protocol == FRS_LOOKAHEAD && data->n_negatives) {
            memcpy(next + n, data->negatives + client * data->n_negatives, data->n_negatives * sizeof *next);
            n += data->n_negatives;
            qsort(next, n, sizeof *next, frs_compare_uint32s);
        }
        data->clients[client].excluded = next;
        data->clients[client].n_excluded = n;
        next += n;
    }
}
