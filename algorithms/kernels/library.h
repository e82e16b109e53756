/* The linear-algebra library behind the kernels. */
#ifndef FRS_ALGORITHMS_LIBRARY_H
#define FRS_ALGORITHMS_LIBRARY_H

/* One BLAS thread, so that results do not depend on the machine's load; call once before any kernel. */
void frs_library_init(void);

/* Name of the processor kernels OpenBLAS has chosen, and its version and build options. */
const char *frs_library_core(void);
const char *frs_library_config(void);

/* Level of the vector kernels in use: "avx512", "avx2" or "portable". */
const char *frs_library_vector_level(void);

#endif
