#include "algorithms/kernels/steps/supcon.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/logistic.h"

#include <math.h>
#include <string.h>

enum { LANES = FRS_LANES, AT_ONCE = 4 }; /* anchors */

struct scratch {
    const struct frs_supcon *of;
    size_t stride;    /* n up to whole lanes */
    float *columns;   /* z, dimension-major [dim × stride], zeros behind n */
    float *norms;     /* [n] */
    float *slopes;    /* ∂loss/∂z, as columns */
    float *block;     /* [AT_ONCE × stride]: z_a·z_j/τ, then ∂loss/∂ the same, zeros behind n */
    float *anchors;   /* z of the anchors in the block [AT_ONCE × dim] */
    float *of_anchor; /* their slopes from their own rows of the block [AT_ONCE × dim] */
};

static void make_units(struct scratch *s, const float *rows) {
    size_t dim = s->of->dim;
    for (size_t i = 0; i < s->of->n; i++) {
        float squared = 0;
        for (size_t k = 0; k < dim; k++)
            squared += rows[i * dim + k] * rows[i * dim + k];
        s->norms[i] = sqrtf(squared);
        for (size_t k = 0; k < dim; k++)
            s->columns[k * s->stride + i] = squared > 0 ? rows[i * dim + k] / s->norms[i] : 0;
    }
}

FRS_CLONES static void find_products(const float *columns, const float *anchors, size_t dim, size_t stride,
    float scale, float *restrict block) {
    for (size_t j = 0; j < stride; j += LANES) {
        float sums[AT_ONCE][LANES] = {{0}};
        for (size_t k = 0; k < dim; k++)
            for (size_t a = 0; a < AT_ONCE; a++)
                for (size_t l = 0; l < LANES; l++)
                    sums[a][l] += anchors[a * dim + k] * columns[k * stride + j + l];
        for (size_t a = 0; a < AT_ONCE; a++)
            for (size_t l = 0; l < LANES; l++)
                block[a * stride + j + l] = scale * sums[a][l];
    }
}

FRS_CLONES static float take_exponentials(const float *restrict products, size_t n, float *restrict out) {
    float sums[LANES] = {0}, sum = 0;
    for (size_t j = 0; j < n; j += LANES)
        for (size_t l = 0; l < LANES; l++) {
            out[j + l] = frs_exponential(products[j + l]);
            sums[l] += out[j + l];
        }
    for (size_t l = 0; l < LANES; l++)
        sum += sums[l];
    return sum;
}

FRS_CLONES static void scale(float *restrict values, size_t n, float factor) {
    for (size_t j = 0; j < n; j++)
        values[j] *= factor;
}

/* Turns an anchor's products into slopes; returns its loss. Lanes behind n have products 0, so that each adds
 * 1 to the sum. */
static double find_slopes(
    const struct scratch *s, uint32_t anchor, float share, float *row, float *exponentials) {
    const struct frs_supcon *of = s->of;
    float label_sum = 0, own;
    uint32_t label = of->labels[anchor], n_same = 0;
    for (size_t j = 0; j < of->n; j++)
        if (of->labels[j] == label && j != anchor) {
            label_sum += row[j];
            n_same++;
        }
    if (n_same == 0) {
        memset(row, 0, s->stride * sizeof *row);
        return 0;
    }
    float sum = take_exponentials(row, s->stride, exponentials) - (float)(s->stride - of->n);
    own = exponentials[anchor];
    sum -= own;
    double loss = log((double)sum) - (double)label_sum / n_same;
    memcpy(row, exponentials, s->stride * sizeof *row);
    scale(row, s->stride, share / sum);
    for (size_t j = 0; j < of->n; j++)
        if (of->labels[j] == label)
            row[j] -= share / (float)n_same;
    row[anchor] = 0;
    memset(row + of->n, 0, (s->stride - of->n) * sizeof *row);
    return loss;
}

/* ∂/∂z_j += G_aj z_a, and ∂/∂z_a = Σ_j G_aj z_j, both without the factor 1/τ. */
FRS_CLONES static void spread(const float *restrict columns, const float *restrict block,
    const float *restrict anchors, size_t dim, size_t stride, float *restrict slopes,
    float *restrict of_anchor) {
    for (size_t k = 0; k < dim; k++) {
        float sums[AT_ONCE][LANES] = {{0}};
        for (size_t j = 0; j < stride; j += LANES)
            for (size_t a = 0; a < AT_ONCE; a++)
                for (size_t l = 0; l < LANES; l++) {
                    float g = block[a * stride + j + l];
                    slopes[k * stride + j + l] += g * anchors[a * dim + k];
                    sums[a][l] += g * columns[k * stride + j + l];
                }
        for (size_t a = 0; a < AT_ONCE; a++) {
            of_anchor[a * dim + k] = 0;
            for (size_t l = 0; l < LANES; l++)
                of_anchor[a * dim + k] += sums[a][l];
        }
    }
}

/* Places of a block beyond the last anchor have no slopes. */
static double run_block(
    struct scratch *s, const uint32_t *anchors, size_t n, float share, float *exponentials) {
    size_t dim = s->of->dim, stride = s->stride;
    double loss = 0;
    memset(s->anchors, 0, AT_ONCE * dim * sizeof *s->anchors);
    for (size_t a = 0; a < n; a++)
        for (size_t k = 0; k < dim; k++)
            s->anchors[a * dim + k] = s->columns[k * stride + anchors[a]];
    find_products(s->columns, s->anchors, dim, stride, 1 / s->of->temperature, s->block);
    for (size_t a = 0; a < n; a++)
        loss += find_slopes(s, anchors[a], share, s->block + a * stride, exponentials);
    memset(s->block + n * stride, 0, (AT_ONCE - n) * stride * sizeof *s->block);
    spread(s->columns, s->block, s->anchors, dim, stride, s->slopes, s->of_anchor);
    for (size_t a = 0; a < n; a++)
        for (size_t k = 0; k < dim; k++)
            s->slopes[k * stride + anchors[a]] += s->of_anchor[a * dim + k];
    return loss;
}

/* ∂/∂q = (∂/∂z − (∂/∂z · z) z)/‖q‖. */
static void add_gradient(const struct scratch *s, float *gradient) {
    size_t dim = s->of->dim, stride = s->stride;
    for (size_t i = 0; i < s->of->n; i++) {
        float along = 0;
        if (s->norms[i] == 0)
            continue;
        for (size_t k = 0; k < dim; k++)
            along += s->slopes[k * stride + i] * s->columns[k * stride + i];
        for (size_t k = 0; k < dim; k++)
            gradient[i * dim + k] +=
                (s->slopes[k * stride + i] - along * s->columns[k * stride + i]) / s->norms[i];
    }
}

double frs_supcon_gradient(const struct frs_supcon *of, const float *rows, const uint32_t *anchors,
    size_t n_anchors, float factor, float *gradient, struct frs_arena *arena) {
    size_t n = anchors ? n_anchors : of->n, stride = frs_lanes_pad(of->n);
    struct scratch s = {.of = of,
        .stride = stride,
        .columns = frs_arena_take_zeroed(arena, of->dim * stride, sizeof(float)),
        .norms = frs_arena_take(arena, of->n, sizeof(float)),
        .slopes = frs_arena_take_zeroed(arena, of->dim * stride, sizeof(float)),
        .block = frs_arena_take(arena, AT_ONCE * stride, sizeof(float)),
        .anchors = frs_arena_take(arena, AT_ONCE * of->dim, sizeof(float)),
        .of_anchor = frs_arena_take(arena, AT_ONCE * of->dim, sizeof(float))};
    float *exponentials = frs_arena_take(arena, stride, sizeof *exponentials);
    double loss = 0, weight = (double)of->temperature / (double)of->base / (double)n;
    float share = (float)(weight * (double)factor / (double)of->temperature);
    make_units(&s, rows);
    for (size_t at = 0; at < n; at += AT_ONCE) {
        uint32_t block[AT_ONCE] = {0};
        size_t count = n - at < AT_ONCE ? n - at : AT_ONCE;
        for (size_t a = 0; a < count; a++)
            block[a] = anchors ? anchors[at + a] : (uint32_t)(at + a);
        loss += run_block(&s, block, count, share, exponentials);
    }
    add_gradient(&s, gradient);
    return weight * loss;
}

double frs_supcon_flop(size_t n, size_t dim, size_t n_anchors) {
    return (double)n * (9 * (double)dim + (double)n_anchors * (6 * (double)dim + 8));
}
