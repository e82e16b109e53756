#include "algorithms/codec.h"

void frs_encoding_spent(const struct frs_encoding *how, double flop) {
    if (how->flop)
        *how->flop += flop;
}
