/* Downlinks: one for every size in which the server sends its updates. Clients with different resources
 * get groupings of different fineness (FedRAS, "action sets of various sizes"; codec adaptive_groups, key
 * `sets`). From then on they hold different tables, and train on their own. Otherwise there is one
 * downlink for all. */
#ifndef FRS_ALGORITHMS_TRAINING_DOWNLINKS_H
#define FRS_ALGORITHMS_TRAINING_DOWNLINKS_H

#include "algorithms/downlink/downlink.h"
#include "algorithms/training/training_setup.h"

struct frs_downlinks {
    size_t n;
    struct frs_downlink *all[FRS_MAX_SETS]; /* in ascending size */
    uint32_t sizes[FRS_MAX_SETS];           /* 0: as the codec likes */
    uint8_t *set_of; /* [n_clients]; of the last budget assigned, at first the middle one */
    uint32_t n_clients;
};

struct frs_downlinks *frs_downlinks_create(const struct frs_training_setup *setup);
void frs_downlinks_destroy(struct frs_downlinks *downlinks);

/* From now on a client with this budget gets the largest size within it, or else the smallest. */
void frs_downlinks_grant(struct frs_downlinks *downlinks, uint32_t client, uint32_t budget);

struct frs_downlink *frs_downlinks_of(const struct frs_downlinks *downlinks, uint32_t client);

/* Memory in bytes of the updates that a client may still need. */
size_t frs_downlinks_kept_bytes(const struct frs_downlinks *downlinks);

void frs_downlinks_archive(struct frs_downlinks *downlinks, struct frs_archive *archive);

#endif
