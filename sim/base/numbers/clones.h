/* FRS_CLONES: compiles a vectorisable function for several processor levels and picks one at run time, so
 * that shipped builds need no -march. Off where sanitizers instrument the resolver. */
#ifndef FRS_BASE_CLONES_H
#define FRS_BASE_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FRS_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FRS_CLONES
#endif

/* Part of such a function, compiled with it. */
#define FRS_INLINE static inline __attribute__((always_inline))

#endif
