#include "sim/base/numbers/levels.h"

FRS_KERNEL(const char *, frs_vector_level, (void)) {
#if defined __AVX512F__
    return "avx512";
#elif defined __AVX2__
    return "avx2";
#else
    return "portable";
#endif
}
