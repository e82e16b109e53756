#include "sim/setup/compose/compose_peers.h"
#include "algorithms/data/settings.h"
#include "platforms/peers/pairs_file.h"
#include "sim/setup/memory_limit.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/path.h"
#include "sim/setup/compose/compose_params.h"
#include "sim/setup/compose/peer_checks.h"

#include <math.h>
#include <string.h>

/* The time that a round takes here grows with the square of its messages: this many take seconds. */
#define MOST_MESSAGES 20000.0

enum graph { GRAPH_EACH_ROUND, GRAPH_ONCE };
static const char *const graph_names[] = {[GRAPH_EACH_ROUND] = "each_round", [GRAPH_ONCE] = "once", NULL};

const struct frs_param frs_peers_params[] = {
    {.key = "graph",
        .type = FRS_CHOICE,
        .initial = "each_round",
        .choices = graph_names,
        .help = "each_round: drawn anew among the clients of every round; once: one graph of all clients, of "
                "which a round has the edges between its clients (the only one a file can be)"},
    {.key = "barrier",
        .type = FRS_BOOL,
        .initial = "false",
        .help =
            "true: a client that has computed sends when all clients to which it is connected, directly or "
            "over others, have computed, too, or are noticed to be lost; false: at once"},
    {.key = "mixing",
        .type = FRS_CHOICE,
        .initial = "metropolis",
        .choices = frs_mixing_names,
        .help = "weights of the average: metropolis, 1 / (1 + the larger degree of the two clients), which "
                "keeps the mean of all models; uniform, 1 / (1 + the client's own degree)"},
    {0},
};

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

static const struct frs_neighbourhood *chosen(const struct frs_setup *setup) {
    return (const struct frs_neighbourhood *)frs_scenario_plugin(
        setup->scenario, "peers"); /* its first member */
}

bool frs_compose_gossips(const struct frs_setup *setup) {
    return strcmp(chosen(setup)->plugin.name, "none") != 0;
}

/* ---- what needs a server --------------------------------------------------------------------- */

static bool is_given(const struct frs_setup *setup, const char *path, const char *key) {
    const struct frs_value *value = frs_values_find(section(setup, path), key);
    return value && value->given;
}

static bool is_one_of(const struct frs_plugin *plugin, const char *const *names) {
    for (size_t i = 0; names[i]; i++)
        if (strcmp(plugin->name, names[i]) == 0)
            return true;
    return false;
}

static void check_learning(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_training_setup *training = &setup->training;
    static const char *const dense[] = {"dense", NULL};
    const struct frs_peer_clash clashes[] = {
        {!training->learner->gossips, "method", "name",
            "this method needs one; allowed: fedmf | colr with implicit feedback"},
        {training->server_step.optimiser->n_moments > 0 || is_given(setup, "method.server", "rate"),
            "method.server", "optimiser", "nothing that it could step on; allowed: none, without a rate"},
        {training->server_step.correction.is_there, "method.server.correction", "name",
            "no sum of uploads to correct; allowed: none"},
        {is_given(setup, "method", "aggregation") && frs_model_weighting(training->model, 0) != FRS_UNIFORM,
            "method", "aggregation",
            "clients average by the weights of peers.mixing; allowed: uniform, or no method.aggregation"},
        {is_given(setup, "method", "catchup") || is_given(setup, "method", "init"), "method",
            is_given(setup, "method", "catchup") ? "catchup" : "init",
            "no downloads that a client could miss; allowed: neither method.catchup nor method.init"},
        {!is_one_of(&training->uplink_codec.codec->plugin, dense), "codec.uplink", "name",
            "clients send what they average, of which a codec of updates would leave too little; allowed: "
            "dense"},
        {!is_one_of(&training->downlink_codec.codec->plugin, dense), "codec.downlink", "name",
            "nothing comes down from one; allowed: dense"},
        {training->learner->is_declared || training->workload, "method", "name",
            "a declared method sends no models; allowed: fedmf | colr"},
        {setup->stop_tolerance > 0, "rounds", "stop_tolerance",
            "no tables of its own that could stand still; allowed: 0"},
        {is_given(setup, "evaluation", "view") &&
                frs_values_choice(section(setup, "evaluation"), "view") == FRS_VIEW_SERVER,
            "evaluation", "view", "no model but the clients' own; allowed: device"},
    };
    frs_peer_checks_refuse(setup, FRS_PEERS_SEND_MODELS, clashes, sizeof clashes / sizeof *clashes, errors);
}

static void check_rounds(const struct frs_setup *setup, struct frs_errors *errors) {
    static const char *const selections[] = {"uniform", "bernoulli", "round_robin", NULL};
    const struct frs_peer_clash clashes[] = {
        {!is_one_of(&setup->selection->plugin, selections), "rounds.selection", "name",
            "none that could know what this selection goes by; allowed: uniform | bernoulli | round_robin"},
        {!setup->sees_availability, "rounds.selection", "sees_availability",
            "none that could try to reach a client; allowed: true"},
    };
    frs_peer_checks_refuse(setup, FRS_PEERS_SEND_MODELS, clashes, sizeof clashes / sizeof *clashes, errors);
}

/* ---- the section ----------------------------------------------------------------------------- */

static void read_pairs(struct frs_setup *setup, const struct frs_values *values, struct frs_errors *errors) {
    const char *path = frs_values_file(values, "file", errors);
    if (path && frs_pairs_file_read(
                    path, setup->peers.n_clients, &setup->peer_pairs, &setup->peers.settings.n_pairs, errors))
        setup->peers.settings.pairs = setup->peer_pairs;
}

/* Neighbours of a client in a round: of a graph of all clients, those that take part, too. */
static double degree_in_a_round(const struct frs_setup *setup) {
    const struct frs_peer_settings *peers = &setup->peers;
    double n = setup->policy_settings.n_selected, all = peers->drawn_anew ? n : peers->n_clients,
           degree = all - 1;
    if (peers->neighbours->has_degree)
        degree = fmin(peers->settings.degree, all - 1);
    else if (strcmp(peers->neighbours->plugin.name, "ring") == 0)
        degree = fmin(2, all - 1);
    else if (peers->neighbours->of_clients)
        degree = 2 * (double)peers->settings.n_pairs / all;
    return all > 1 ? degree * (n - 1) / (all - 1) : 0;
}

static void check_size(const struct frs_setup *setup, struct frs_errors *errors) {
    double messages = setup->peer_degree * setup->policy_settings.n_selected;
    if (messages > MOST_MESSAGES)
        frs_values_error(section(setup, "peers"), "neighbours", errors,
            "%.0f messages of a round are too many to be simulated; allowed: at most %.0f, with fewer "
            "neighbours or a smaller rounds.cohort",
            messages, MOST_MESSAGES);
}

/* Each client keeps its model, and while a round is mixed those of its clients are there twice more. */
static void check_memory(const struct frs_setup *setup, struct frs_errors *errors) {
    double each = frs_model_bytes(setup->training.model, FRS_STATE),
           all = each * (setup->peers.n_clients + 2.0 * setup->policy_settings.n_selected),
           there = frs_memory_limit();
    char one[64], sum[64], most[64];
    if (!setup->training.trains || all <= there)
        return;
    frs_values_error(section(setup, "peers"), "neighbours", errors,
        "every client has a model of its own, %s each: %s for %u clients, of whom %u take part in a round, "
        "and "
        "this process may have %s; allowed: none, smaller tables, or fewer clients",
        frs_units_format(each, FRS_BYTES, one, sizeof one), frs_units_format(all, FRS_BYTES, sum, sizeof sum),
        setup->peers.n_clients, setup->policy_settings.n_selected,
        frs_units_format(there, FRS_BYTES, most, sizeof most));
}

void frs_compose_peers(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = section(setup, "peers");
    if (!setup->training.gossips || !setup->training.model || !setup->has_reachability ||
        !setup->has_failures)
        return;
    setup->peers = (struct frs_peer_settings){.neighbours = chosen(setup),
        .seed = setup->training.seed,
        .n_clients = setup->training.data->population.n_clients};
    setup->mixing = (enum frs_mixing)frs_values_choice(values, "mixing");
    setup->peer_barrier = frs_values_bool(values, "barrier");
    bool given = is_given(setup, "peers", "graph"),
         anew = frs_values_choice(values, "graph") == GRAPH_EACH_ROUND;
    setup->peers.drawn_anew = anew && !setup->peers.neighbours->of_clients;
    if (given && anew && setup->peers.neighbours->of_clients)
        frs_values_error(values, "graph", errors,
            "\"each_round\" is not possible with the neighbours of a file; allowed: once");
    if (setup->peers.neighbours->has_degree)
        setup->peers.settings.degree = (uint32_t)frs_values_int(values, "degree");
    if (setup->peers.neighbours->of_clients)
        read_pairs(setup, values, errors);
    setup->training.device_view = false; /* evaluations look at every client's own model */
    check_learning(setup, errors);
    check_rounds(setup, errors);
    frs_peer_checks_common(setup, FRS_PEERS_SEND_MODELS, errors);
    setup->peer_degree = degree_in_a_round(setup);
    check_size(setup, errors);
    check_memory(setup, errors);
}
