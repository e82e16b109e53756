#include "algorithms/training/effort.h"

#define S_PER_CLIENT 8e-6
#define S_PER_FLOP 0.4e-9
#define S_PER_SAMPLE 8e-9
#define S_PER_BYTE 1.6e-9
#define S_PER_VALUE 0.8e-9

double frs_effort_of_training_s(const struct frs_usage *usage) {
    return S_PER_CLIENT + S_PER_FLOP * usage->flop + S_PER_SAMPLE * usage->samples +
           S_PER_BYTE * (double)usage->up_bytes;
}

/* The number of values of the tables that the server sends. */
static double values_of(const struct frs_training_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(setup->model, FRS_STATE, shapes);
    double values = 0;
    for (size_t i = 0; i < n; i++)
        values += (double)(shapes[i].n_rows * shapes[i].dim);
    return values;
}

double frs_effort_of_tables_s(const struct frs_training_setup *setup) {
    return S_PER_VALUE * values_of(setup);
}

double frs_effort_of_aggregation_s(const struct frs_training_setup *setup, double n, double values) {
    return S_PER_FLOP * (frs_learner_aggregate_flop(setup->learner, setup->model, (size_t)n, n * values) +
                            frs_corrected_sum_flop(&setup->server_step.correction, (size_t)n));
}

double frs_effort_of_evaluation_s(const struct frs_training_setup *setup) {
    const struct frs_data *data = setup->data;
    double n_items = data->population.n_items, ranked = data->explicit_feedback ? 1
                                                        : data->n_negatives == 0
                                                            ? n_items
                                                            : (double)data->n_negatives + 1;
    return 2 * S_PER_FLOP * data->population.n_clients * ranked * values_of(setup) / n_items;
}
