#include "sim/results/parameter_space.h"

#include "sim/base/memory.h"

#include <math.h>

static double values_of(const struct frs_setup *setup, enum frs_payload payload) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(setup->training.model, payload, shapes);
    double values = 0;
    for (size_t i = 0; i < n_parts; i++)
        values += (double)(shapes[i].n_rows * shapes[i].dim);
    return values;
}

struct frs_parameter_space frs_parameter_space(const struct frs_setup *setup) {
    size_t n = setup->training.data->population.n_clients,
           one_in = setup->training.learner->own_tables_for_one_in;
    double private_values = frs_model_private_values(setup->training.model);
    if (setup->declared || isnan(private_values) || setup->peers.neighbours)
        return (struct frs_parameter_space){.client_bytes = NAN, .server_bytes = NAN};
    size_t own = !frs_model_has_personal(setup->training.model) ? 0
                 : one_in > 0                                   ? n / one_in
                                                                : n,
           shared = n + (one_in == 0);
    double table = values_of(setup, FRS_STATE), graph = (double)own * (double)own;
    double server = table * (double)shared + values_of(setup, FRS_PERSONAL) * (double)own + graph;
    return (struct frs_parameter_space){.client_bytes = sizeof(float) * (table + private_values),
        .server_bytes = sizeof(float) * server,
        .tables = shared + own,
        .graph = own};
}

char *frs_parameter_space_counted(const struct frs_parameter_space *space) {
    if (space->graph == 0)
        return frs_format("%zu tables", space->tables);
    return frs_format(
        "%zu tables and a graph of %zu x %zu weights", space->tables, space->graph, space->graph);
}
