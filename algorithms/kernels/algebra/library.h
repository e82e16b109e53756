/* The linear-algebra library behind the kernels. Before main it is restricted to the calling thread, so
 * that results do not depend on the machine's load, and the threads that it started by itself are ended. */
#ifndef FRS_ALGORITHMS_LIBRARY_H
#define FRS_ALGORITHMS_LIBRARY_H

#include <stddef.h>

/* How many threads will be at work in it at a time; 1 without this call. */
void frs_library_set_threads(size_t n);

/* Must be called before BLAS or LAPACK. OpenBLAS takes address space for every thread that uses it, when
 * needed, and retries for ever if none is left (ulimit -v). The first call takes it for all threads, or
 * ends the program. */
void frs_library_enter(void);

/* Ends the program where LAPACKE says that it got no memory. */
void frs_library_check_memory(int lapacke_failed);

/* Name of the processor kernels OpenBLAS has chosen, and its version and build options. */
const char *frs_library_core(void);
const char *frs_library_config(void);

#endif
