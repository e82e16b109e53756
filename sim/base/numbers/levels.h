/* Levels of processors. The program is compiled for three levels and uses the one of the processor that it
 * runs on, so that shipped builds need no -march: v4 (AVX-512), v3 (AVX2 and fused multiply-adds), and a
 * base level that any processor can run. The loader chooses once; nothing asks for single features of a
 * processor. There are two ways to compile code for all levels:
 *
 *     FRS_CLONES static float sum_of(const float *values, size_t n) { … }
 *
 * is for a function that the compiler vectorises by itself; the compiler also makes the copies.
 *
 *     FRS_KERNEL(void, frs_thing_run, (struct thing *thing)) { … }
 *
 * is for a function that sees the registers it is compiled for: by lanes (algorithms/kernels/lanes.h), or
 * by instructions of its own where __AVX512F__ or __AVX2__ is defined. It defines frs_thing_run, which a
 * header declares as usual; everything else in such a file is static. CMakeLists.txt finds the files by
 * this word and compiles them once more for each level, with FRS_LEVEL. The plain file has the base level.
 *
 * All levels give the same results except for the contraction of a multiplication and an addition, the
 * order of sums over lanes, and Adam's reciprocals (algorithms/kernels/adam.c). Where sanitizers
 * instrument the choice, there is only the base level. */
#ifndef FRS_BASE_LEVELS_H
#define FRS_BASE_LEVELS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FRS_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FRS_CLONES
#endif

/* Part of such a function, compiled with it. */
#define FRS_INLINE static inline __attribute__((always_inline))

#define FRS_AT_LEVEL(name, level) FRS_JOIN_LEVEL(name, level)
#define FRS_JOIN_LEVEL(name, level) name##_##level

#if defined FRS_LEVEL
#define FRS_KERNEL(result, name, parameters)                                                                 \
    result FRS_AT_LEVEL(name, FRS_LEVEL) parameters;                                                         \
    result FRS_AT_LEVEL(name, FRS_LEVEL) parameters
#elif defined FRS_LEVELS
#define FRS_KERNEL(result, name, parameters)                                                                 \
    result name##_v4 parameters;                                                                             \
    result name##_v3 parameters;                                                                             \
    result name##_any parameters;                                                                            \
    static result(*name##_choose(void)) parameters {                                                         \
        __builtin_cpu_init();                                                                                \
        if (FRS_RUNS_V4())                                                                                   \
            return name##_v4;                                                                                \
        return FRS_RUNS_V3() ? name##_v3 : name##_any;                                                       \
    }                                                                                                        \
    result name parameters __attribute__((ifunc(#name "_choose")));                                          \
    result name##_any parameters
#else
#define FRS_KERNEL(result, name, parameters) result name parameters
#endif

/* Whether this processor has a level; for the choice above, and for tests that compare levels. */
#define FRS_RUNS_V3() __builtin_cpu_supports("x86-64-v3")
#define FRS_RUNS_V4() __builtin_cpu_supports("x86-64-v4")

/* The level that was chosen: "avx512", "avx2" or "portable". */
const char *frs_vector_level(void);

#endif
