#include "algorithms/training/untrained.h"
#include "algorithms/samples.h"

double frs_untrained_samples(const struct frs_training_setup *setup, uint32_t client) {
    const struct frs_client_data *data = &setup->data->population.clients[client];
    size_t n = data->n;
    if (setup->learner->made_up)
        n += setup->learner->made_up(setup->model, data);
    const struct frs_untrained_extent *goes = &setup->untrained;
    if (!(goes->epochs > 0) && goes->steps == 0) /* closed forms and full gradients: one pass, no negatives */
        return (double)n;
    if (!setup->learner->predicts_ratings)
        n = frs_samples_count(data, setup->data->population.n_items, setup->negatives_per_positive);
    struct frs_extent extent = frs_extent_of(goes->epochs, goes->steps, n, goes->batch);
    return (double)frs_extent_samples(extent, extent.passes, n);
}
