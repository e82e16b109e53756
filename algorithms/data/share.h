/* Share: several users behind every client. */
#ifndef FRS_ALGORITHMS_DATA_SHARE_H
#define FRS_ALGORITHMS_DATA_SHARE_H

#include "algorithms/data/data.h"

/* Assigns users to clients: the first k to client 0, and so on. The users are already split, and their
 * number is a multiple of n_clients. Held-out interactions stay with the users. */
void frs_share_clients(struct frs_data *data, uint32_t n_clients);

#endif
