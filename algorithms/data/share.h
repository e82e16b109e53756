/* Share: several users behind every client. */
#ifndef FRS_ALGORITHMS_DATA_SHARE_H
#define FRS_ALGORITHMS_DATA_SHARE_H

#include "algorithms/data/data.h"

/* Puts the users, whose number is a multiple of n_clients and who have been split, behind so many clients:
 * the first k behind client 0, and so on. Held-out interactions stay those of users. */
void frs_share_clients(struct frs_data *data, uint32_t n_clients);

#endif
