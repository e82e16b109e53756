#include "sim/setup/setup.h"
#include "actors/links/window_cache.h"
#include "sim/setup/dataset_cache.h"

#include <stdlib.h>

void frs_setup_fini(struct frs_setup *setup) {
    if (setup->training.model)
        frs_model_destroy(setup->training.model);
    free(setup->selection_settings);
    free(setup->adaptation_settings);
    free(setup->training.uplink_codec.settings);
    free(setup->training.downlink_codec.settings);
    frs_privacy_mechanism_list_fini(&setup->training.mechanisms);
    if (setup->has_reachability)
        frs_reachability_fini(&setup->reachability);
    if (setup->has_failures)
        frs_failures_fini(&setup->failures);
    frs_target_spec_fini(&setup->target);
    for (size_t i = 0; i < setup->n_inputs; i++) {
        free(setup->inputs[i].key);
        free(setup->inputs[i].path);
    }
    free(setup->inputs);
    free(setup->directory);
    free(setup->peer_pairs);
    frs_declared_destroy(setup->declared);
    frs_window_cache_destroy(setup->window_cache);
    frs_network_fini(&setup->network);
    frs_edges_fini(&setup->edges);
    frs_devices_fini(&setup->devices);
    frs_server_fini(&setup->server);
    frs_dataset_cache_return(setup->training.data);
    *setup = (struct frs_setup){0};
}

size_t frs_setup_under_way(const struct frs_setup *setup) {
    size_t n = setup->policy_settings.run_on ? setup->training.data->population.n_clients
                                             : setup->policy_settings.n_selected;
    return n * frs_setup_parts(setup) + 2 * (size_t)setup->edges.n;
}

bool frs_setup_clients_meet(const struct frs_setup *setup) {
    return setup->peers.neighbours || frs_training_exchanges_layers(&setup->training);
}

uint32_t frs_setup_parts(const struct frs_setup *setup) {
    return setup->edge_rounds > 1 ? setup->edge_rounds : 1;
}

uint32_t frs_setup_selected(const struct frs_setup *setup) {
    return setup->selection->varies ? setup->cohort : setup->policy_settings.n_selected;
}

double frs_setup_probability(const struct frs_setup *setup) {
    return setup->probability > 0 ? setup->probability
                                  : (double)setup->cohort / setup->training.data->population.n_clients;
}

/* Messages that really move (keeps_messages) can be lost in ways that are not drawn beforehand. */
static bool waits_for_all(const struct frs_setup *setup) {
    const struct frs_policy *policy = setup->policy;
    return !policy->leaves_stragglers && !policy->truncates && !policy->asynchronous &&
           !setup->edges.failures && setup->failures.n_server_restarts == 0 &&
           !setup->training.keeps_messages;
}

void frs_setup_settle(struct frs_setup *setup) {
    struct frs_training_setup *training = &setup->training;
    training->n_selected = setup->policy_settings.n_selected;
    training->cohort = setup->cohort;
    training->cohort_varies = setup->selection->varies;
    training->waits_for_all = waits_for_all(setup);
    training->clients_drop_out = setup->edges.failures ||
                                 !frs_reachability_is_trivial(&setup->reachability) ||
                                 frs_failures_can_strike(&setup->failures);
    training->runs_on = setup->policy_settings.run_on;
    training->damps_stale = setup->policy_settings.damps_stale;
    training->reports_loss = setup->selection->uses_loss;
    training->watches_change = setup->stop_tolerance > 0;
    training->counts_samples = setup->devices.compute == FRS_COMPUTE_PER_SAMPLE;
    training->edge_of_client = setup->edges.partial_sums ? setup->edges.of_client : NULL;
    training->n_edges = setup->edges.n;
    training->measures_time = setup->devices.compute == FRS_COMPUTE_MEASURED;
}
