/* Philox blocks: several blocks of a random stream that follow each other, computed side by side. */
#ifndef FRS_BASE_PHILOX_BLOCKS_H
#define FRS_BASE_PHILOX_BLOCKS_H

#include <stdint.h>

#define FRS_PHILOX_BLOCKS 16u

/* philox4x32 of the next blocks: as Random123's, its ten rounds for all of them at once. */
void frs_philox_blocks(const uint32_t key[2], const uint32_t counter[4], uint32_t out[FRS_PHILOX_BLOCKS][4]);

#endif
