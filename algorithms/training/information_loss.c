#include "algorithms/training/information_loss.h"
#include "algorithms/aggregation.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double mean_squared(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return n > 0 ? sum / (double)n : 0;
}

/* The item table, or the update of it, that a model makes of these contributions; freed by the caller. */
static float *aggregate(const struct frs_training_setup *setup, const struct frs_contribution *contributions,
    size_t n, size_t *n_values) {
    struct frs_rows update[FRS_MAX_PARTS];
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_arena arena = {0};
    bool sends_updates = setup->learner->sends_updates;
    frs_model_parts(setup->model, sends_updates ? FRS_UPDATE : FRS_STATE, shapes);
    setup->learner->aggregate(setup->model, contributions, n, &arena, update);
    *n_values = shapes[0].n_rows * shapes[0].dim;
    float *values = frs_alloc(*n_values, sizeof *values);
    if (sends_updates)
        frs_rows_add_to(&update[0], values);
    else
        memcpy(values, frs_model_tables(setup->model).part[0], *n_values * sizeof *values);
    frs_arena_fini(&arena);
    return values;
}

static float *aggregate_and_undo(const struct frs_training_setup *setup,
    const struct frs_contribution *contributions, size_t n, size_t *n_values) {
    struct frs_buffer saved = {0};
    frs_model_archive(setup->model, &(struct frs_archive){.out = &saved});
    float *values = aggregate(setup, contributions, n, n_values);
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_model_archive(setup->model, &(struct frs_archive){.in = &in});
    FRS_INVARIANT(!in.failed && in.at == in.n, "%s does not load what it saved", setup->learner->plugin.name);
    frs_buffer_fini(&saved);
    return values;
}

void frs_information_loss_client(struct frs_information_loss *loss, const struct frs_training_setup *setup,
    const struct frs_contribution *decoded, const struct frs_contribution *exact, size_t n) {
    size_t n_values;
    float *a = aggregate_and_undo(setup, decoded, n, &n_values);
    float *b = aggregate_and_undo(setup, exact, n, &n_values);
    loss->client += mean_squared(a, b, n_values);
    loss->n_client++;
    free(a);
    free(b);
}

void frs_information_loss_server(
    struct frs_information_loss *loss, const struct frs_rows *meant, const struct frs_rows *decoded) {
    size_t n_values = meant->n_rows * meant->dim;
    float *a = frs_alloc(n_values, sizeof *a), *b = frs_alloc(n_values, sizeof *b);
    frs_rows_add_to(meant, a);
    frs_rows_add_to(decoded, b);
    loss->server += mean_squared(a, b, n_values);
    loss->n_server++;
    free(a);
    free(b);
}

double frs_information_loss_mean(double sum, uint64_t n) {
    return n > 0 ? sum / (double)n : NAN;
}

void frs_information_loss_archive(struct frs_information_loss *loss, struct frs_archive *archive) {
    frs_archive_bytes(archive, loss, sizeof *loss);
}
