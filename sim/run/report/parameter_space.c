#include "sim/run/report/parameter_space.h"

#include <math.h>

static double values_of(const struct frs_setup *setup, enum frs_payload payload) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(setup->model, payload, shapes);
    double values = 0;
    for (size_t i = 0; i < n_parts; i++)
        values += (double)(shapes[i].n_rows * shapes[i].dim);
    return values;
}

struct frs_parameter_space frs_parameter_space(const struct frs_setup *setup) {
    double n = (double)setup->data->population.n_clients;
    double private_values = frs_model_private_values(setup->model);
    if (isnan(private_values))
        return (struct frs_parameter_space){NAN, NAN};
    double tables = values_of(setup, FRS_STATE), server = tables * (n + 1);
    if (frs_model_has_personal(setup->model))
        server += n * values_of(setup, FRS_PERSONAL) + n * n;
    return (struct frs_parameter_space){
        .client_bytes = sizeof(float) * (tables + private_values), .server_bytes = sizeof(float) * server};
}
