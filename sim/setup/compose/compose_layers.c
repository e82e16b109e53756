#include "sim/setup/compose/compose_layers.h"
#include "sim/base/settings/params.h"
#include "sim/setup/compose/compose_params.h"

#include <math.h>
#include <string.h>

struct clash {
    bool is_there;
    const char *path, *key, *why;
};

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

/* When a client has its download has to be known when the round opens. */
static size_t list_network(const struct frs_setup *setup, struct clash *clashes) {
    const struct frs_network *network = &setup->network;
    bool own = setup->platform.file, model = network->model == FRS_EXACT || network->model == FRS_TCP;
    const struct clash all[] = {
        {own, "platform", "file",
            "routes between clients of a platform are not simulated; allowed: links of the section network"},
        {!own && !model, "network", "model",
            "messages between clients are simulated under two models; allowed: exact | tcp"},
        {frs_network_connects(network) && network->connection == FRS_CONNECTION_KEPT, "network", "connection",
            "connections between changing clients are not kept; allowed: tls | tcp"},
        {frs_client_trace_varies(&network->trace), "network", "trace",
            "links between clients do not change while they are used; allowed: no trace"},
        {setup->edges.n > 0, "network.edges", "count",
            "messages between clients do not pass edges; allowed: 0"},
        {isfinite(network->server_down_bytes_per_s), "network", "server_downlink",
            "when a client has its download would depend on others; allowed: unlimited"},
        {isfinite(network->server_up_bytes_per_s), "network", "server_uplink",
            "when a client is connected would depend on others; allowed: unlimited"},
        {setup->server.trace.path != NULL, "network", "server_trace",
            "when a client has its download would depend on it; allowed: no trace"},
        {frs_reachability_has_states(&setup->reachability), "availability", "model",
            "links between clients do not follow the states of devices; allowed: always | bernoulli | markov "
            "| diurnal | trace"},
        {setup->failures.n_server_restarts > 0, "failures", "server_restarts",
            "an exchange is not broken off by the server; allowed: no restarts"},
        {setup->retry.times > 0, "failures.retry", "times",
            "a message between clients is not tried again; allowed: 0"},
        {frs_values_choice(section(setup, "engine"), "backend") == FRS_BACKEND_SIMGRID, "engine", "backend",
            "SimGrid's own solver simulates no messages between clients; allowed: auto | actors | calendar"},
    };
    memcpy(clashes, all, sizeof all);
    return sizeof all / sizeof *all;
}

static size_t list_learning(const struct frs_setup *setup, struct clash *clashes) {
    const struct clash all[] = {
        {strcmp(setup->policy->plugin.name, "wait_all") != 0, "rounds.policy", "name",
            "the round ends when every client is done; allowed: wait_all"},
        {frs_caps_limit(&setup->caps), "caps", "bytes",
            "the server's accounts do not know what clients send each other; allowed: no caps"},
        {!setup->training.trains, "training", "enabled",
            "who is in a group follows from training; allowed: true"},
        {setup->training.mechanisms.n > 0, "privacy.1", "name",
            "mechanisms protect what the server would see, and clients would read each other's layers as "
            "they "
            "are; allowed: none"},
    };
    memcpy(clashes, all, sizeof all);
    return sizeof all / sizeof *all;
}

void frs_compose_check_layers(const struct frs_setup *setup, struct frs_errors *errors) {
    struct clash clashes[24];
    if (!setup->training.model || !setup->has_reachability || !setup->has_failures ||
        !frs_training_exchanges_layers(&setup->training))
        return;
    size_t n = list_network(setup, clashes);
    n += list_learning(setup, clashes + n);
    for (size_t i = 0; i < n; i++)
        if (clashes[i].is_there)
            frs_values_error(section(setup, clashes[i].path), clashes[i].key, errors,
                "clients exchange layers with each other (method.exchange = \"%s\"), and %s",
                frs_values_text(section(setup, "method"), "exchange"), clashes[i].why);
}
