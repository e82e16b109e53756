/* Levels: a kernel that goes by lanes (lanes.h) is compiled once for every level of processors, its registers
 * as wide as that level has them; the program chooses one of them when it starts, so that shipped builds need
 * no -march.
 *
 *     FRS_KERNEL(void, frs_thing_run, (struct thing *thing)) { … }
 *
 * defines frs_thing_run, which a header declares as always; all else in such a file is static. CMakeLists.txt
 * finds the files by this word, and compiles them once more with FRS_LEVEL for each of the levels: v4
 * (AVX-512) and v3 (AVX2). What any processor can run is the plain file. Levels agree but for the contraction
 * of a multiplication and an addition, and for the order of sums over lanes. */
#ifndef FRS_ALGORITHMS_LEVELS_H
#define FRS_ALGORITHMS_LEVELS_H

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
        if (__builtin_cpu_supports("x86-64-v4"))                                                             \
            return name##_v4;                                                                                \
        return __builtin_cpu_supports("x86-64-v3") ? name##_v3 : name##_any;                                 \
    }                                                                                                        \
    result name parameters __attribute__((ifunc(#name "_choose")));                                          \
    result name##_any parameters
#else
#define FRS_KERNEL(result, name, parameters) result name parameters
#endif

#endif
