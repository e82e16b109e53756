/* Pile: things put on top of each other that stay where they are, so that neither a growing array's copies nor the holes
 * they leave take memory. */
#ifndef FRS_BASE_PILE_H
#define FRS_BASE_PILE_H

#include <stddef.h>

struct frs_pile_block;

/* Zeroed: empty. */
struct frs_pile {
    struct frs_pile_block *top;
    size_t used; /* bytes of the top block */
    size_t n;    /* bytes in all */
};

/* Room for so many bytes, aligned for any type; not zeroed. */
void *frs_pile_put(struct frs_pile *pile, size_t bytes);

/* Takes away all that was put since the pile was like this. */
void frs_pile_cut(struct frs_pile *pile, const struct frs_pile *before);

void frs_pile_fini(struct frs_pile *pile);

#endif
