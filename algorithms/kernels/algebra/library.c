#include "algorithms/kernels/algebra/library.h"

#include "sim/base/memory.h"

#include <cblas.h>
#include <lapacke.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BUFFER_BYTES ((size_t)128 << 20)

/* OpenBLAS's own, which it keeps and uses again. */
extern void *blas_memory_alloc(int position);
extern void blas_memory_free(void *buffer);
extern int blas_thread_shutdown_(void)
    __attribute__((weak)); /* not there where it is built without threads */

static size_t n_threads = 1;

/* OpenBLAS has by now started a thread for every other processor. No work will come, and each of these
 * threads would search for it for some 2^26 cycles before it sleeps. Setting the number of threads, even
 * to the same value, starts them again in a forked process. Therefore it is set once, and not where
 * kernels begin. */
__attribute__((constructor)) static void work_on_one_thread(void) {
    openblas_set_num_threads(1);
    if (blas_thread_shutdown_)
        blas_thread_shutdown_();
}

void frs_library_set_threads(size_t n) {
    n_threads = n;
}

/* As many as there are threads, of which those that OpenBLAS has already are taken first. */
static void take_buffers(size_t has, size_t n) {
    void **buffers = frs_alloc(n, sizeof *buffers);
    frs_memory_require(n - has, BUFFER_BYTES);
    for (size_t i = 0; i < n; i++)
        buffers[i] = blas_memory_alloc(0);
    for (size_t i = 0; i < n; i++)
        blas_memory_free(buffers[i]);
    free(buffers);
}

/* Takes buffers again if more threads work than when they were last taken, for instance in a process that
 * was forked to simulate rounds. */
void frs_library_enter(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static atomic_size_t n_taken;
    size_t n = n_threads;
    if (atomic_load(&n_taken) >= n)
        return;
    pthread_mutex_lock(&mutex);
    size_t has = atomic_load(&n_taken);
    if (has < n && frs_memory_is_limited())
        take_buffers(has, n);
    if (has < n)
        atomic_store(&n_taken, n);
    pthread_mutex_unlock(&mutex);
}

void frs_library_check_memory(int lapacke_failed) {
    if (lapacke_failed == LAPACK_WORK_MEMORY_ERROR || lapacke_failed == LAPACK_TRANSPOSE_MEMORY_ERROR)
        frs_memory_exhausted();
}

const char *frs_library_core(void) {
    return openblas_get_corename();
}

const char *frs_library_config(void) {
    return openblas_get_config();
}
