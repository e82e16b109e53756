/* The linear-algebra library behind the kernels. Before main it is told to work on the thread that calls it,
 * so that results do not depend on the machine's load, and the threads it has started by itself are ended. */
#ifndef FRS_ALGORITHMS_LIBRARY_H
#define FRS_ALGORITHMS_LIBRARY_H

#include <stddef.h>

/* How many threads will be at work in it at a time; 1 without this call. */
void frs_library_set_threads(size_t n);

/* Before BLAS or LAPACK is called. OpenBLAS takes address space for every thread at work in it when it needs
 * it, and asks for ever where there is none left (ulimit -v): the first call takes it for all of them, or
 * ends the program. */
void frs_library_enter(void);

/* Ends the program where LAPACKE says that it got no memory. */
void frs_library_check_memory(int lapacke_failed);

/* Name of the processor kernels OpenBLAS has chosen, and its version and build options. */
const char *frs_library_core(void);
const char *frs_library_config(void);

/* Level of the vector kernels in use: "avx512", "avx2" or "portable". */
const char *frs_library_vector_level(void);

#endif
