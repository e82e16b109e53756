#include "algorithms/codec.h"

void frs_encoding_spent(const struct frs_encoding *how, double flop) {
    if (how->flop)
        *how->flop += flop;
}

void frs_encoding_sent(const struct frs_encoding *how, size_t n) {
    if (how->values)
        *how->values += n;
}
