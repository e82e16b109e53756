/* Share: several users behind every client. */
#ifndef FRS_ALGORITHMS_DATA_SHARE_H
#define FRS_ALGORITHMS_DATA_SHARE_H

#include "algorithms/data/data.h"

/* Assigns the users, already split and a multiple of n_clients in number, to clients: the first k to client
 * 0, and so on. Held-out interactions stay with the users. */
void frs_share_clients(struct frs_data *data, uint32_t n_clients);

#endif
