#include "algorithms/kernels/library.h"

#include <cblas.h>

void frs_library_init(void) {
    openblas_set_num_threads(1);
}

const char *frs_library_core(void) {
    return openblas_get_corename();
}

const char *frs_library_config(void) {
    return openblas_get_config();
}

const char *frs_library_vector_level(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return "avx512";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "avx2";
#endif
    return "portable";
}
