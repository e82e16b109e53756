/* The most that one core of this machine can do, as a reference for kernels: multiply-adds of single
 * precision in registers, the library's product of two matrices, and bytes to and from memory.
 *
 *   bench_machine [REPETITIONS]      a line for each measurement: name, value, unit
 *
 * A multiply-add is two operations. `read` sums an array that no cache holds; `triad` is a[i] = b[i] + s
 * c[i] over three of them (McCalpin, "Memory bandwidth and machine balance", 1995), which counts 12 bytes
 * a number. */
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"

#include <cblas.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHAINS 12u /* as many as it takes to hide what one multiply-add takes, and registers hold */
#define STEPS 4000000u
#define NUMBERS ((size_t)1 << 24)
#define ROWS 2048 /* of square matrices, three of which fit into the numbers */

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Vectors of so many lanes: what is fastest depends on how wide registers are. */
#define MULTIPLY_ADD(name, n_lanes)                                                                          \
    FRS_CLONES static float name(size_t steps, float factor, float summand) {                                \
        typedef float lanes __attribute__((vector_size((n_lanes) * sizeof(float))));                         \
        lanes chains[CHAINS], f = factor + (lanes){0}, s = summand + (lanes){0};                             \
        for (size_t c = 0; c < CHAINS; c++)                                                                  \
            chains[c] = f + (float)c;                                                                        \
        for (size_t step = 0; step < steps; step++)                                                          \
            for (size_t c = 0; c < CHAINS; c++)                                                              \
                chains[c] = chains[c] * f + s;                                                               \
        float sum = 0;                                                                                       \
        for (size_t c = 0; c < CHAINS; c++)                                                                  \
            for (size_t i = 0; i < (n_lanes); i++)                                                           \
                sum += chains[c][i];                                                                         \
        return sum;                                                                                          \
    }

MULTIPLY_ADD(multiply_add_4, 4)
MULTIPLY_ADD(multiply_add_8, 8)
MULTIPLY_ADD(multiply_add_16, 16)

/* The speed at a vector width, Gflop/s. */
static double speed_of(float (*multiply_add)(size_t, float, float), size_t n_lanes, volatile float *kept) {
    double began_s = now_s();
    *kept += multiply_add(STEPS, 0.999f, 1e-3f);
    return 2e-9 * (double)STEPS * CHAINS * (double)n_lanes / (now_s() - began_s);
}

FRS_CLONES static uint32_t read_all(const uint32_t *numbers, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

FRS_CLONES static void triad(
    float *restrict a, const float *restrict b, const float *restrict c, float s, size_t n) {
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;
    float *a = frs_alloc_aligned(NUMBERS, sizeof *a), *b = frs_alloc_aligned(NUMBERS, sizeof *b),
          *c = frs_alloc_aligned(NUMBERS, sizeof *c);
    volatile float kept = 0;
    openblas_set_num_threads(1);
    memset(b, 1, NUMBERS * sizeof *b);
    memset(c, 2, NUMBERS * sizeof *c);
    for (size_t i = 0; i < repetitions; i++) {
        double four = speed_of(multiply_add_4, 4, &kept), eight = speed_of(multiply_add_8, 8, &kept),
               sixteen = speed_of(multiply_add_16, 16, &kept);
        printf("multiply_add %.2f Gflop/s\n", fmax(four, fmax(eight, sixteen)));
        double began_s = now_s();
        cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS, ROWS, ROWS, 1, b, ROWS, c, ROWS, 0, a, ROWS);
        printf("sgemm %.2f Gflop/s\n", 2e-9 * ROWS * ROWS * ROWS / (now_s() - began_s));
        began_s = now_s();
        kept += (float)read_all((const uint32_t *)(const void *)b, NUMBERS);
        printf("read %.2f GB/s\n", 4e-9 * (double)NUMBERS / (now_s() - began_s));
        began_s = now_s();
        triad(a, b, c, 0.5f, NUMBERS);
        printf("triad %.2f GB/s\n", 12e-9 * (double)NUMBERS / (now_s() - began_s));
    }
    kept += a[NUMBERS / 2];
    free(a);
    free(b);
    free(c);
    return 0;
}
