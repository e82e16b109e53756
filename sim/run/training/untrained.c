#include "sim/run/training/untrained.h"
#include "algorithms/samples.h"

double frs_untrained_samples(const struct frs_setup *setup, uint32_t client) {
    const struct frs_client_data *data = &setup->data->population.clients[client];
    const struct frs_value *epochs =
        frs_values_find(frs_scenario_section(setup->scenario, "method"), "epochs");
    size_t n = data->n;
    if (setup->learner->made_up)
        n += setup->learner->made_up(setup->model, data);
    if (!epochs) /* closed forms and full gradients: one pass, no negatives */
        return (double)n;
    if (!setup->learner->predicts_ratings) {
        const struct frs_values *settings = frs_scenario_section(setup->scenario, "data");
        n = frs_samples_count(data, setup->data->population.n_items,
            (size_t)frs_values_int(settings, "negatives_per_positive"));
    }
    return (double)epochs->integer * (double)n;
}
