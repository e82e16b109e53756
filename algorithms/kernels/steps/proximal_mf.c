#include "algorithms/kernels/steps/proximal_mf.h"
#include "sim/base/numbers/levels.h"

#include <string.h>

FRS_CLONES double frs_proximal_errors(
    const float *rows, const float *u, const float *ratings, size_t n, size_t dim, float *errors) {
    double squared = 0;
    for (size_t j = 0; j < n; j++) {
        const float *row = rows + j * dim;
        float lanes[8] = {0}, sum = ratings[j];
        size_t k = 0;
        for (; k + 8 <= dim; k += 8)
            for (size_t l = 0; l < 8; l++)
                lanes[l] += row[k + l] * u[k + l];
        for (; k < dim; k++)
            sum -= row[k] * u[k];
        for (size_t l = 0; l < 8; l++)
            sum -= lanes[l];
        errors[j] = sum;
        squared += (double)sum * (double)sum;
    }
    return squared;
}

FRS_CLONES void frs_proximal_rows(
    const float *from, const float *u, const float *errors, double lambda, size_t n, size_t dim, float *out) {
    double length = 0;
    for (size_t k = 0; k < dim; k++)
        length += (double)u[k] * (double)u[k];
    double divisor = lambda + 2 * length;
    for (size_t j = 0; j < n; j++) {
        float step = divisor > 0 ? (float)(2 * (double)errors[j] / divisor) : 0 * (errors[j] + u[0]);
        float *row = out + j * dim;
        if (from)
            for (size_t k = 0; k < dim; k++)
                row[k] = from[j * dim + k] + step * u[k];
        else
            for (size_t k = 0; k < dim; k++)
                row[k] = step * u[k];
    }
}

/* In blocks, so that sums in single precision stay short. */
FRS_CLONES double frs_proximal_squares(const float *values, size_t n) {
    enum { LANES = 8, BLOCK = 256 };
    double sum = 0;
    size_t i = 0;
    while (i + LANES <= n) {
        float lanes[LANES] = {0};
        for (size_t end = i + BLOCK; i < end && i + LANES <= n; i += LANES)
            for (size_t l = 0; l < LANES; l++)
                lanes[l] += values[i + l] * values[i + l];
        for (size_t l = 0; l < LANES; l++)
            sum += (double)lanes[l];
    }
    for (; i < n; i++)
        sum += (double)values[i] * (double)values[i];
    return sum;
}

static void move_row(float *restrict row, const float *restrict u, float *restrict slope, float error,
    float step, size_t dim) {
    for (size_t k = 0; k < dim; k++) {
        slope[k] += error * row[k];
        row[k] += step * u[k];
    }
}

static void move_pulled_row(float *restrict row, const float *restrict received, const float *restrict u,
    float *restrict slope, float error, float step, float pull, size_t dim) {
    for (size_t k = 0; k < dim; k++) {
        slope[k] += error * row[k];
        row[k] += step * u[k] + pull * (received[k] - row[k]);
    }
}

/* dim ≤ 4096: the parameter's range. */
FRS_CLONES void frs_proximal_gradient(float *rows, float *u, const float *errors, const float *received,
    double item_rate, double user_rate, double pull, double lambda_user, size_t n, size_t dim) {
    float slope[4096];
    memset(slope, 0, dim * sizeof *slope);
    for (size_t j = 0; j < n; j++) {
        float step = (float)(2 * item_rate * (double)errors[j]);
        if (pull > 0)
            move_pulled_row(rows + j * dim, received + j * dim, u, slope, errors[j], step, (float)pull, dim);
        else
            move_row(rows + j * dim, u, slope, errors[j], step, dim);
    }
    for (size_t k = 0; k < dim; k++)
        u[k] += (float)(user_rate * 2 * ((double)slope[k] - lambda_user * (double)u[k]));
}

FRS_CLONES void frs_proximal_pull(float *values, const float *towards, double share, size_t n) {
    for (size_t i = 0; i < n; i++)
        values[i] += (float)share * (towards[i] - values[i]);
}

void frs_proximal_gather(const float *table, const uint32_t *ids, size_t n, size_t dim, float *out) {
    for (size_t j = 0; j < n; j++)
        memcpy(out + j * dim, table + ids[j] * dim, dim * sizeof *out);
}

FRS_CLONES void frs_proximal_difference(const float *a, const float *b, size_t n, float *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = a[i] - b[i];
}
