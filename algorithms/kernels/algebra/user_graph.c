#include "algorithms/kernels/algebra/user_graph.h"
#include "algorithms/kernels/algebra/library.h"
#include "algorithms/kernels/select.h"
#include "sim/base/order.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A triangle among themselves, and a rectangle with all behind them. */
void frs_user_graph_add_products(
    float *products, const float *x, size_t n, size_t width, size_t first, size_t count) {
    size_t behind = first + count;
    const float *rows = x + first * width;
    float *out = products + first * n;
    frs_library_enter();
    cblas_ssyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (int)count, (int)width, 1, rows, (int)width, 1,
        out + first, (int)n);
    if (behind < n)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)count, (int)(n - behind), (int)width, 1,
            rows, (int)width, x + behind * width, (int)width, 1, out + behind, (int)n);
}

void frs_user_graph_distances(
    float *products, double g_squared, const double *g_times_x, size_t n, struct frs_arena *arena) {
    double *norms = frs_arena_take(arena, n, sizeof *norms);
    for (size_t u = 0; u < n; u++)
        norms[u] = sqrt(fmax(g_squared + 2 * g_times_x[u] + (double)products[u * n + u], 0));
    for (size_t u = 0; u < n; u++)
        for (size_t v = u; v < n; v++) {
            double product = g_squared + g_times_x[u] + g_times_x[v] + (double)products[u * n + v];
            double scale = norms[u] * norms[v], distance = scale > 0 ? 1 - product / scale : 1;
            distance = u == v ? 0 : fmin(fmax(distance, 0), 2);
            products[u * n + v] = products[v * n + u] = (float)distance;
        }
}

/* Weights of the k first in one direction. Distances are at least 0, so that their order can be reversed. */
static void take_nearest(float *row, size_t n, size_t k, bool farthest, float *scratch) {
    k = k < n ? k : n;
    for (size_t v = 0; v < n; v++)
        row[v] = farthest ? row[v] + 1e-30F : 1 / (row[v] + 1e-30F);
    (void)frs_keep_largest(row, n, k, scratch);
    for (size_t v = 0; v < n; v++)
        row[v] = row[v] > 0 ? 1 / (float)k : 0;
}

/* A cosine above t times the mean cosine is a distance below 1 − t·(1 − mean distance). */
static void take_beyond(float *row, size_t n, double limit, bool farthest, size_t self) {
    size_t k = 0;
    for (size_t v = 0; v < n; v++) {
        bool is_neighbour = farthest ? (double)row[v] > limit : (double)row[v] < limit;
        k += is_neighbour;
        row[v] = is_neighbour;
    }
    if (k == 0)
        row[self] = 1;
    for (size_t v = 0; v < n && k > 1; v++)
        row[v] /= (float)k;
}

void frs_user_graph_neighbours(
    float *distances, size_t n, const struct frs_neighbourhood *settings, struct frs_arena *arena) {
    float *scratch = frs_arena_take(arena, n, sizeof *scratch);
    double mean = 0;
    for (size_t u = 0; u < n; u++) {
        double sum = 0;
        for (size_t v = 0; v < n; v++)
            sum += (double)distances[u * n + v];
        mean += sum / (double)n / (double)n;
    }
    double limit = settings->farthest ? settings->threshold * mean : 1 - settings->threshold * (1 - mean);
    for (size_t u = 0; u < n; u++)
        if (settings->n > 0)
            take_nearest(distances + u * n, n, settings->n, settings->farthest, scratch);
        else
            take_beyond(distances + u * n, n, limit, settings->farthest, u);
}

/* Largest θ below which nothing is left over: Σ max(v − θ, 0) = 1. */
static double simplex_threshold(double *sorted, const double *values, size_t n) {
    double sum = 0, threshold = 0;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, frs_compare_doubles_down);
    for (size_t i = 0; i < n; i++) {
        sum += sorted[i];
        double candidate = (sum - 1) / (double)(i + 1);
        if (sorted[i] <= candidate)
            break;
        threshold = candidate;
    }
    return threshold;
}

void frs_user_graph_learn(
    float *distances, size_t n, const double *shares, double alpha, struct frs_arena *arena) {
    double *values = frs_arena_take(arena, n, sizeof *values);
    double *sorted = frs_arena_take(arena, n, sizeof *sorted);
    for (size_t u = 0; u < n; u++) {
        float *row = distances + u * n;
        for (size_t v = 0; v < n; v++)
            values[v] = shares[v] - (row[v] < FRS_USERS_ALIKE ? 0 : (double)row[v]) / (2 * alpha);
        double threshold = simplex_threshold(sorted, values, n);
        for (size_t v = 0; v < n; v++)
            row[v] = (float)fmax(values[v] - threshold, 0);
    }
}

void frs_user_graph_mix(
    const float *weights, const float *x, size_t n, size_t width, size_t first, size_t count, float *out) {
    frs_library_enter();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)count, (int)width, (int)n, 1,
        weights + first * n, (int)n, x, (int)width, 0, out, (int)width);
}
