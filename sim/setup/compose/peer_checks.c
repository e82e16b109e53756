#include "sim/setup/compose/peer_checks.h"
#include "sim/base/settings/params.h"
#include "sim/setup/compose/compose_params.h"

#include <math.h>
#include <string.h>

/* The same reason for models and layers. */
#define BOTH(text)                                                                                           \
    { (text), (text) }

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

static void refuse(const struct frs_setup *setup, enum frs_peer_contents contents, const char *path,
    const char *key, const char *why, struct frs_errors *errors) {
    if (contents == FRS_PEERS_SEND_MODELS)
        frs_values_error(section(setup, path), key, errors,
            "there is no server where clients exchange their models (peers.neighbours = \"%s\"), and %s",
            setup->peers.neighbours->plugin.name, why);
    else
        frs_values_error(section(setup, path), key, errors,
            "clients exchange layers with each other (method.exchange = \"%s\"), and %s",
            frs_values_text(section(setup, "method"), "exchange"), why);
}

void frs_peer_checks_refuse(const struct frs_setup *setup, enum frs_peer_contents contents,
    const struct frs_peer_clash *clashes, size_t n, struct frs_errors *errors) {
    for (size_t i = 0; i < n; i++)
        if (clashes[i].is_there)
            refuse(setup, contents, clashes[i].path, clashes[i].key, clashes[i].why, errors);
}

/* What goes with one of the two has no reason there. When a client has its download, before which it sends no
 * layers, has to be known when the round opens. */
void frs_peer_checks_common(
    const struct frs_setup *setup, enum frs_peer_contents contents, struct frs_errors *errors) {
    const struct frs_network *network = &setup->network;
    bool own = setup->platform.file, model = network->model == FRS_EXACT || network->model == FRS_TCP;
    const struct {
        bool is_there;
        const char *path, *key, *why[FRS_PEER_CONTENTS];
    } all[] = {
        {strcmp(setup->policy->plugin.name, "wait_all") != 0, "rounds.policy", "name",
            {"none that could close a round: it ends when every client is done; allowed: wait_all",
                "the round ends when every client is done; allowed: wait_all"}},
        {frs_caps_limit(&setup->caps), "caps", "bytes",
            {"none that could keep the accounts of what clients spend; allowed: no caps",
                "the server's accounts do not know what clients send each other; allowed: no caps"}},
        {setup->training.mechanisms.n > 0, "privacy.1", "name",
            {"mechanisms protect what a server would see; allowed: none",
                "mechanisms protect what the server would see, and clients would read each other's layers as "
                "they are; allowed: none"}},
        {own, "platform", "file",
            BOTH("routes between clients of a platform are not simulated; allowed: links of the section "
                 "network")},
        {!own && !model, "network", "model",
            BOTH("messages between clients are simulated under two models; allowed: exact | tcp")},
        {frs_network_connects(network) && network->connection == FRS_CONNECTION_KEPT, "network", "connection",
            {"connections between changing neighbours are not kept; allowed: tls | tcp",
                "connections between changing clients are not kept; allowed: tls | tcp"}},
        {frs_client_trace_varies(&network->trace), "network", "trace",
            BOTH("links between clients do not change while they are used; allowed: no trace")},
        {setup->edges.n > 0, "network.edges", "count",
            {"nothing that edges could pass on; allowed: 0",
                "messages between clients do not pass edges; allowed: 0"}},
        {isfinite(network->server_down_bytes_per_s), "network", "server_downlink",
            {"nothing crosses its link; allowed: unlimited",
                "when a client has its download would depend on others; allowed: unlimited"}},
        {isfinite(network->server_up_bytes_per_s), "network", "server_uplink",
            {"nothing crosses its link; allowed: unlimited",
                "when a client is connected would depend on others; allowed: unlimited"}},
        {setup->server.trace.path != NULL, "network", "server_trace",
            {NULL, "when a client has its download would depend on it; allowed: no trace"}},
        {frs_reachability_has_states(&setup->reachability), "availability", "model",
            BOTH("links between clients do not follow the states of devices; allowed: always | bernoulli | "
                 "markov | diurnal | trace")},
        {setup->failures.n_server_restarts > 0, "failures", "server_restarts",
            {"none that could restart; allowed: no restarts",
                "an exchange is not broken off by the server; allowed: no restarts"}},
        {setup->retry.times > 0, "failures.retry", "times",
            BOTH("a message between clients is not tried again; allowed: 0")},
        {frs_values_choice(section(setup, "engine"), "backend") == FRS_BACKEND_SIMGRID, "engine", "backend",
            BOTH("SimGrid's own solver simulates no messages between clients; allowed: auto | actors | "
                 "calendar")},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_there && all[i].why[contents])
            refuse(setup, contents, all[i].path, all[i].key, all[i].why[contents], errors);
}
