/* Denormals are flushed to zero while a kernel runs: they cost a hundred times as much and carry nothing. */
#ifndef FRS_ALGORITHMS_FLUSH_H
#define FRS_ALGORITHMS_FLUSH_H

#ifdef __SSE__
#include <xmmintrin.h>

static inline unsigned frs_flush_begin(void) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); /* flush results, read denormals as zero */
    return before;
}

static inline void frs_flush_end(unsigned before) {
    _mm_setcsr(before);
}
#else
static inline unsigned frs_flush_begin(void) {
    return 0;
}

static inline void frs_flush_end(unsigned before) {
    (void)before;
}
#endif

#endif
