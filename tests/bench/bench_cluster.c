/* Milliseconds of clustering an update, one thread, the least of some repetitions.
 *
 *   bench_cluster [rows dim groups]
 *
 * Without arguments: FedRAS's table 6, 12454 × 64 into 778 groups, and a client's upload, 428 × 32 into
 * 105. The rows are sums of a few directions and noise, lengths log-normal. */
#include "algorithms/kernels/algebra/cluster.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPETITIONS 5

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void make_rows(float *rows, size_t n, size_t dim, size_t rank, struct frs_arena *arena) {
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    float *directions = frs_arena_take(arena, rank * dim, sizeof *directions);
    frs_rng_fill_normal(&rng, directions, rank * dim, 1);
    for (size_t i = 0; i < n; i++) {
        double length = exp(frs_rng_normal(&rng));
        for (size_t d = 0; d < dim; d++)
            rows[i * dim + d] = (float)(0.2 * length * frs_rng_normal(&rng));
        for (size_t r = 0; r < rank; r++) {
            float along = (float)(length * frs_rng_normal(&rng));
            for (size_t d = 0; d < dim; d++)
                rows[i * dim + d] += along * directions[r * dim + d];
        }
    }
}

static void report(
    const char *what, double ms, const float *rows, size_t n, size_t dim, const struct frs_groups *groups) {
    double none = 0;
    for (size_t i = 0; i < n * dim; i++)
        none += (double)rows[i] * (double)rows[i];
    printf("  %-28s %9.3f ms   %5zu groups   error %.4f\n", what, ms, groups->n_groups,
        frs_group_error(rows, n, dim, groups) / none);
}

enum { KMEANS, LINE, TWO_LEVELS, SPLIT_TO_MOST, SPLIT_TO_EXPECTED, N_KINDS };

static const char *const names[] = {[KMEANS] = "k-means",
    [LINE] = "on a line",
    [TWO_LEVELS] = "two levels",
    [SPLIT_TO_MOST] = "cluster and split, at most",
    [SPLIT_TO_EXPECTED] = "cluster and split, expected"};

static struct frs_groups cluster(
    int kind, const float *rows, size_t n, size_t dim, size_t k, struct frs_arena *arena) {
    struct frs_rng rng = frs_rng_stream(2, 0, 0, 0, FRS_RNG_TEST);
    if (kind == KMEANS)
        return frs_kmeans(rows, n, dim, k, &rng, arena);
    if (kind == LINE)
        return frs_kmeans_projected(rows, n, dim, k, arena);
    if (kind == TWO_LEVELS)
        return frs_kmeans_two_level(rows, n, dim, k, &rng, arena);
    struct frs_split_settings settings = {
        .expected = k, .most = k + k / 5, .threshold = kind == SPLIT_TO_MOST ? 2 : (double)NAN};
    double recorded;
    struct frs_groups start = frs_kmeans_two_level(rows, n, dim, k - k / 5, &rng, arena);
    return frs_split_groups(rows, n, dim, &start, &settings, arena, &recorded);
}

static void run(size_t n, size_t dim, size_t k, size_t rank) {
    struct frs_arena given = {0}, arena = {0};
    float *rows = frs_arena_take(&given, n * dim, sizeof *rows);
    make_rows(rows, n, dim, rank, &given);
    printf("%zu rows of %zu into %zu groups\n", n, dim, k);
    for (int kind = 0; kind < N_KINDS; kind++) {
        double least = INFINITY;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            frs_arena_reset(&arena);
            double began = now_ms();
            struct frs_groups groups = cluster(kind, rows, n, dim, k, &arena);
            least = fmin(least, now_ms() - began);
            if (repetition == REPETITIONS - 1)
                report(names[kind], least, rows, n, dim, &groups);
        }
    }
    frs_arena_fini(&arena);
    frs_arena_fini(&given);
}

int main(int argc, char **argv) {
    if (argc == 4)
        run((size_t)atol(argv[1]), (size_t)atol(argv[2]), (size_t)atol(argv[3]), 8);
    else {
        run(12454, 64, 778, 8);
        run(428, 32, 105, 1);
    }
    return 0;
}
