#include "sim/setup/emulated.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

#define BITS 8e-6 /* Mbit in a byte */

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

/* Each client needs an endpoint of its own where connections are kept, or where any client may go on after
 * its round. */
static bool needs_all(const struct frs_setup *setup) {
    return setup->network.connection == FRS_CONNECTION_KEPT || setup->policy_settings.run_on;
}

static void check_number(const struct frs_setup *setup, size_t n_lines, struct frs_errors *errors) {
    const char *all = setup->network.connection == FRS_CONNECTION_KEPT
                          ? ", all of them because their connections are kept (network.connection)"
                      : setup->policy_settings.run_on
                          ? ", all of them because they may run on (rounds.stragglers)"
                          : "";
    if (n_lines > FRS_MOST_EMULATED_CLIENTS)
        frs_values_error(section(setup, "rounds"), "cohort", errors,
            "%zu clients at a time cannot be emulated%s; allowed: at most %d", n_lines, all,
            FRS_MOST_EMULATED_CLIENTS);
}

static void check_model(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_network *network = &setup->network;
    if (setup->platform.file)
        frs_values_error(section(setup, "platform"), "file", errors,
            "a platform of your own cannot be emulated; allowed: links of the section network");
    else if (!frs_network_connects(network))
        frs_values_error(section(setup, "network"), "model", errors,
            "\"%s\" knows no connections, which is what is emulated; allowed: tcp | packets",
            frs_network_model_names[network->model]);
    if (setup->edges.n > FRS_MOST_EMULATED_EDGES)
        frs_values_error(section(setup, "network.edges"), setup->edges.path ? "file" : "count", errors,
            "%u edges cannot be emulated; allowed: at most %d", setup->edges.n, FRS_MOST_EMULATED_EDGES);
    if (setup->edges.packet_loss > 0)
        frs_values_error(section(setup, "network.edges"), "packet_loss", errors,
            "packets that are lost at random behind backhauls cannot be emulated; allowed: 0");
    if (frs_reachability_has_states(&setup->reachability))
        frs_values_error(section(setup, "availability"), "model", errors,
            "\"states\" of devices cannot be emulated; allowed: always | bernoulli | markov | diurnal | "
            "trace");
    if (frs_privacy_masks(&setup->training.mechanisms).range > 0)
        frs_values_error(section(setup, "privacy.1"), "name", errors,
            "exchanges of \"pairwise_masks\" cannot be emulated; allowed: other mechanisms, or none");
    if (frs_training_own_models(&setup->training))
        frs_values_error(section(setup, "method.server.correction"), "name", errors,
            "downloads after the aggregation (\"fedawe\") cannot be emulated; allowed: other corrections");
    if (setup->peers.neighbours)
        frs_values_error(section(setup, "peers"), "neighbours", errors,
            "messages between clients cannot be emulated; allowed: none");
    if (frs_training_exchanges_layers(&setup->training))
        frs_values_error(section(setup, "method"), "exchange", errors,
            "layers that clients send each other cannot be emulated; allowed: server");
    if (setup->policy->truncates)
        frs_values_error(section(setup, "rounds.policy"), "name", errors,
            "\"%s\" would train again while messages are under way, and cannot be emulated; allowed: "
            "wait_all | deadline | over_select | quantile | quorum_then_wait | buffered_async",
            setup->policy->plugin.name);
}

static double server_bytes_per_s(const struct frs_setup *setup, bool up) {
    return up ? setup->network.server_up_bytes_per_s : setup->network.server_down_bytes_per_s;
}

/* What the n fastest links of one direction carry together; at most what their hubs do. */
static double fastest_bytes_per_s(const struct frs_setup *setup, size_t n, bool up) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    double *rates = frs_alloc(n_clients, sizeof *rates), sum = 0,
           shared = setup->edges.n > 0 ? 0 : server_bytes_per_s(setup, up);
    for (uint32_t client = 0; client < n_clients; client++) {
        struct frs_client_link link = frs_network_client(&setup->network, setup->training.seed, client);
        rates[client] = up ? link.up_bytes_per_s : link.down_bytes_per_s;
    }
    qsort(rates, n_clients, sizeof *rates, frs_compare_doubles_down);
    for (size_t i = 0; i < n && i < n_clients; i++)
        sum += rates[i];
    free(rates);
    for (uint32_t i = 0; i < setup->edges.n; i++)
        shared += setup->edges.list[i].access_bytes_per_s[up];
    return fmin(sum, shared);
}

/* What all backhauls of one direction carry together; at most what the server's link does. */
static double backhauls_bytes_per_s(const struct frs_setup *setup, bool up) {
    double sum = 0;
    for (uint32_t i = 0; i < setup->edges.n; i++)
        sum += setup->edges.list[i].backhaul_bytes_per_s[up];
    return fmin(sum, server_bytes_per_s(setup, up));
}

static void check_speed(const struct frs_setup *setup, size_t n, double speed_up, struct frs_errors *errors) {
    for (int up = 0; up < 2; up++) {
        double clients = fastest_bytes_per_s(setup, n, up) * speed_up,
               backhauls = backhauls_bytes_per_s(setup, up) * speed_up;
        if (clients > FRS_MOST_EMULATED_BYTES_PER_S)
            frs_values_error(section(setup, up ? "network.uplink" : "network.downlink"), "name", errors,
                "the links of %zu clients may carry %.4g Mbit/s together%s, more than can be emulated; "
                "allowed: at most %.4g Mbit/s (a smaller rounds.cohort, a limited server link, slower "
                "links%s)",
                n, clients * BITS, speed_up > 1 ? " at this --speed-up" : "",
                FRS_MOST_EMULATED_BYTES_PER_S * BITS, speed_up > 1 ? ", a smaller --speed-up" : "");
        else if (clients + backhauls > FRS_MOST_EMULATED_BYTES_PER_S)
            frs_values_error(section(setup, "network.edges"), up ? "uplink" : "downlink", errors,
                "the backhauls of %u edges may carry %.4g Mbit/s together%s, beside %.4g of %zu clients, "
                "more "
                "than can be emulated; allowed: at most %.4g Mbit/s with those of clients (slower backhauls, "
                "a limited server link%s)",
                setup->edges.n, backhauls * BITS, speed_up > 1 ? " at this --speed-up" : "", clients * BITS,
                n, FRS_MOST_EMULATED_BYTES_PER_S * BITS, speed_up > 1 ? ", a smaller --speed-up" : "");
    }
}

/* Edges, as the emulation takes them. */
static void put_edges(const struct frs_edges *edges, struct frs_emulation_settings *settings) {
    settings->n_edges = edges->n;
    for (uint32_t i = 0; i < edges->n; i++) {
        const struct frs_edge *edge = &edges->list[i];
        settings->edges[i] = (struct frs_emulated_edge){
            .backhaul_bytes_per_s = {edge->backhaul_bytes_per_s[0], edge->backhaul_bytes_per_s[1]},
            .latency_s = edge->latency_s,
            .access_bytes_per_s = {edge->access_bytes_per_s[0], edge->access_bytes_per_s[1]}};
    }
}

enum frs_status frs_emulated_prepare(struct frs_setup *setup, const struct frs_emulation_wish *wish,
    struct frs_emulation_settings *settings, struct frs_errors *errors) {
    const struct frs_network *network = &setup->network;
    size_t n_before = errors->n, n_clients = setup->training.data->population.n_clients,
           n_lines = needs_all(setup) ? n_clients : setup->policy_settings.n_selected;
    bool kept = network->connection == FRS_CONNECTION_KEPT, tls = network->connection == FRS_CONNECTION_TLS;
    check_model(setup, errors);
    if (errors->n > n_before)
        return FRS_ERR_INPUT;
    check_number(setup, n_lines, errors);
    check_speed(setup, setup->policy_settings.run_on ? n_clients : setup->policy_settings.n_selected,
        wish->speed_up, errors);
    if (errors->n > n_before)
        return FRS_ERR_INPUT;
    setup->backend = &frs_backend_sockets;
    setup->training.keeps_messages = true;
    *settings = (struct frs_emulation_settings){.n_lines = n_lines,
        .by_client = kept,
        .tls = tls,
        .tls_again = setup->retry.times > 0 && (tls || kept),
        .keeps_windows = network->keeps_windows || setup->edges.keeps_windows,
        .server_bytes_per_s = {network->server_down_bytes_per_s, network->server_up_bytes_per_s},
        .queue_s = network->queues.queue_s,
        .fair = network->queues.fair,
        .speed_up = wish->speed_up,
        .limit_s = wish->limit_s};
    put_edges(&setup->edges, settings);
    return FRS_OK;
}
