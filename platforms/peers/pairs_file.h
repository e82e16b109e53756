/* Pairs file: a graph of neighbours from a CSV file with the columns client and neighbour. A row is a pair,
 * in whichever order; one that is there twice counts once. */
#ifndef FRS_PLATFORMS_PEERS_PAIRS_FILE_H
#define FRS_PLATFORMS_PEERS_PAIRS_FILE_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the pairs [2 · *n] of clients below n_clients, freed by the caller. False after adding an error with
 * file:line. */
bool frs_pairs_file_read(
    const char *path, uint32_t n_clients, uint32_t **pairs, size_t *n, struct frs_errors *errors);

#endif
