#include "algorithms/training/structure.h"
#include "algorithms/kernels/algebra/components.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t frs_structure_components(const struct frs_rows *rows, double share) {
    size_t side = rows->n < rows->dim ? rows->n : rows->dim, n = 0;
    double *energies = frs_alloc(side + 1, sizeof *energies), sum = 0, held = 0;
    frs_component_energies(rows->values, rows->n, rows->dim, energies);
    for (size_t i = 0; i < side; i++)
        sum += energies[i];
    while (sum > 0 && n < side && held < share * sum)
        held += energies[n++];
    free(energies);
    return n;
}

void frs_structure_uploads(
    struct frs_structure *structure, const struct frs_contribution *contributions, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t most = frs_structure_components(&contributions[i].parts[0], 0.9);
        if (most == 0)
            continue;
        structure->components_90 += (double)most;
        structure->components_99 += (double)frs_structure_components(&contributions[i].parts[0], 0.99);
        structure->n_uploads++;
    }
}

/* A row that was to change, and what it became. */
struct pair {
    const float *meant, *decoded;
    size_t dim;
};

static int compare_pairs(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    int order = memcmp(x->decoded, y->decoded, x->dim * sizeof *x->decoded);
    return order ? order : x->meant < y->meant ? -1 : x->meant > y->meant;
}

static bool is_zero(const float *row, size_t dim) {
    for (size_t d = 0; d < dim; d++)
        if (row[d] != 0)
            return false;
    return true;
}

static double cosine(const struct pair *pair) {
    double product = 0, meant = 0, decoded = 0;
    for (size_t d = 0; d < pair->dim; d++) {
        product += (double)pair->meant[d] * (double)pair->decoded[d];
        meant += (double)pair->meant[d] * (double)pair->meant[d];
        decoded += (double)pair->decoded[d] * (double)pair->decoded[d];
    }
    return decoded > 0 && meant > 0 ? product / sqrt(meant * decoded) : 0;
}

/* 1, 2, 3 to 4, 5 to 8, 9 to 16, more. */
static size_t class_of(size_t size) {
    size_t class = 0;
    for (size_t most = 1; size > most && class < FRS_GROUP_SIZES - 1; most *= 2)
        class ++;
    return class;
}

/* Pairs of one group lie side by side. */
static void add_groups(struct frs_structure *structure, const struct pair *pairs, size_t n) {
    double of_rows = 0, of_groups = 0, groups = 0;
    for (size_t first = 0, size; first < n; first += size) {
        double sum = 0;
        for (size = 0; first + size < n && memcmp(pairs[first].decoded, pairs[first + size].decoded,
                                               pairs[first].dim * sizeof(float)) == 0;
             size++)
            sum += cosine(&pairs[first + size]);
        of_rows += sum;
        of_groups += sum / (double)size;
        groups++;
        structure->of_size[class_of(size)]++;
    }
    structure->groups += groups;
    structure->cosine_rows += of_rows / (double)n;
    structure->cosine_groups += of_groups / groups;
    structure->n_downloads++;
}

void frs_structure_download(
    struct frs_structure *structure, const struct frs_rows *meant, const struct frs_rows *decoded) {
    size_t n_values = meant->n_rows * meant->dim, n = 0;
    float *a = frs_alloc(n_values, sizeof *a), *b = frs_alloc(n_values, sizeof *b);
    struct pair *pairs = frs_alloc(meant->n_rows, sizeof *pairs);
    frs_rows_add_to(meant, a);
    frs_rows_add_to(decoded, b);
    for (size_t i = 0; i < meant->n_rows; i++)
        if (!is_zero(a + i * meant->dim, meant->dim))
            pairs[n++] = (struct pair){a + i * meant->dim, b + i * meant->dim, meant->dim};
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    if (n > 0)
        add_groups(structure, pairs, n);
    free(pairs);
    free(a);
    free(b);
}

static double mean(double sum, uint64_t n) {
    return n > 0 ? sum / (double)n : NAN;
}

static double share_above(const float *values, size_t n, float bound) {
    size_t above = 0;
    for (size_t i = 0; i < n; i++)
        above += fabsf(values[i]) > bound;
    return mean((double)above, n);
}

struct frs_structure_figures frs_structure_figures(
    const struct frs_structure *structure, const float *table, size_t n) {
    struct frs_structure_figures figures = {
        .components_90 = mean(structure->components_90, structure->n_uploads),
        .components_99 = mean(structure->components_99, structure->n_uploads),
        .groups = mean(structure->groups, structure->n_downloads),
        .cosine_rows = mean(structure->cosine_rows, structure->n_downloads),
        .cosine_groups = mean(structure->cosine_groups, structure->n_downloads),
        .zero = 1 - share_above(table, n, 0),
        .above_tenth = share_above(table, n, .1f),
        .above_hundredth = share_above(table, n, .01f)};
    for (size_t i = 0; i < FRS_GROUP_SIZES; i++)
        figures.of_size[i] = mean(structure->of_size[i], structure->n_downloads);
    return figures;
}

struct frs_structure_figures frs_structure_unknown(void) {
    struct frs_structure_figures figures =
        frs_structure_figures(&(struct frs_structure){.n_uploads = 0}, NULL, 0);
    return figures;
}

void frs_structure_archive(struct frs_structure *structure, struct frs_archive *archive) {
    frs_archive_bytes(archive, structure, sizeof *structure);
}
