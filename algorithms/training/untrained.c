#include "algorithms/training/untrained.h"
#include "algorithms/samples.h"

double frs_untrained_samples(const struct frs_training_setup *setup, uint32_t client) {
    const struct frs_client_data *data = &setup->data->population.clients[client];
    size_t n = data->n;
    if (setup->learner->made_up)
        n += setup->learner->made_up(setup->model, data);
    if (!(setup->untrained_epochs > 0)) /* closed forms and full gradients: one pass, no negatives */
        return (double)n;
    if (!setup->learner->predicts_ratings)
        n = frs_samples_count(data, setup->data->population.n_items, setup->negatives_per_positive);
    return setup->untrained_epochs * (double)n;
}
