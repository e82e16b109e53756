/* The rows of clients.csv: every client's links, and what the ledger knows of it. */
#include "sim/ledger/files.h"
#include "sim/results/report/writers.h"

#include <math.h>

static double mean_budget(const struct frs_assigned_budgets *assigned_budgets, uint32_t client) {
    const struct frs_assigned_budget_sums *sums =
        assigned_budgets ? frs_assigned_budgets_client(assigned_budgets, client) : NULL;
    return sums && sums->n > 0 ? sums->budget / (double)sums->n : NAN;
}

enum frs_status frs_write_clients(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_scores no_quality = frs_no_scores();
    FILE *file = frs_run_directory_file(directory, "clients.csv", errors);
    if (!file)
        return FRS_ERR_RUN;
    frs_clients_csv_header(file, &setup->ranking);
    for (uint32_t client = 0; client < setup->training.data->population.n_clients; client++) {
        struct frs_client_link link = {NAN, NAN, NAN}; /* on a user's platform, the platform's */
        if (!setup->platform.file)
            link = frs_network_client(&setup->network, setup->training.seed, client);
        struct frs_client_facts facts = {.down_bytes_per_s = link.down_bytes_per_s,
            .up_bytes_per_s = link.up_bytes_per_s,
            .latency_s = link.latency_s,
            .flop_per_s = frs_devices_flop_per_s(&setup->devices, setup->training.seed, client),
            .train_items = setup->training.data->population.clients[client].n,
            .network_class = setup->platform.file
                                 ? "none"
                                 : frs_network_class(&setup->network, setup->training.seed, client),
            .device_class = frs_devices_class(&setup->devices, setup->training.seed, client),
            .budget = mean_budget(frs_coordinator_grants(outputs->coordinator), client),
            .group = frs_coordinator_group(outputs->coordinator, client),
            .edge = setup->edges.n > 0 ? (double)setup->edges.of_client[client] : NAN,
            .rank = outputs->evaluation ? frs_evaluation_rank(outputs->evaluation, client) : NAN,
            .quality = outputs->evaluation ? frs_evaluation_client(outputs->evaluation, client) : no_quality};
        frs_clients_csv_row(
            file, client, frs_ledger_client(outputs->ledger, client), &facts, &setup->ranking);
    }
    return frs_run_directory_close_file(file, "clients.csv", errors);
}
