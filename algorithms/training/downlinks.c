#include "algorithms/training/downlinks.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct frs_downlinks *frs_downlinks_create(const struct frs_training_setup *setup) {
    struct frs_downlinks *downlinks = frs_alloc(1, sizeof *downlinks);
    downlinks->n = frs_training_sets(setup, downlinks->sizes);
    for (size_t i = 0; i < downlinks->n; i++)
        downlinks->all[i] = frs_training_downlink(setup, i);
    downlinks->n_clients = setup->data->population.n_clients;
    downlinks->set_of = frs_alloc(downlinks->n_clients, sizeof *downlinks->set_of);
    memset(downlinks->set_of, (int)(downlinks->n / 2), downlinks->n_clients);
    return downlinks;
}

void frs_downlinks_destroy(struct frs_downlinks *downlinks) {
    for (size_t i = 0; downlinks && i < downlinks->n; i++)
        frs_downlink_destroy(downlinks->all[i]);
    if (downlinks)
        free(downlinks->set_of);
    free(downlinks);
}

void frs_downlinks_grant(struct frs_downlinks *downlinks, uint32_t client, uint32_t budget) {
    uint8_t set = 0;
    while (set + 1u < downlinks->n && downlinks->sizes[set + 1] <= budget)
        set++;
    downlinks->set_of[client] = set;
}

struct frs_downlink *frs_downlinks_of(const struct frs_downlinks *downlinks, uint32_t client) {
    return downlinks->all[downlinks->set_of[client]];
}

void frs_downlinks_archive(struct frs_downlinks *downlinks, struct frs_archive *archive) {
    for (size_t i = 0; i < downlinks->n; i++)
        frs_downlink_archive(downlinks->all[i], archive);
    frs_archive_bytes(archive, downlinks->set_of, downlinks->n_clients);
    for (uint32_t client = 0; frs_archive_loads(archive) && client < downlinks->n_clients; client++)
        if (downlinks->set_of[client] >= downlinks->n)
            archive->in->failed = 1;
}

size_t frs_downlinks_kept_bytes(const struct frs_downlinks *downlinks) {
    size_t bytes = 0;
    for (size_t i = 0; i < downlinks->n; i++)
        bytes += frs_downlink_kept_bytes(downlinks->all[i]);
    return bytes;
}
