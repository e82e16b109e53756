#include "sim/setup/compose/compose_edges.h"
#include "algorithms/training/partial_sums.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid's own solver takes a second to read so many. */
#define MOST_ROUTES 200000

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

void frs_compose_edges(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = section(setup, "network.edges");
    if (setup->platform.file || !frs_edges_read(&setup->edges, values, setup->training.seed, errors))
        return; /* reported, or none */
    if (setup->network.model == FRS_PACKETS && setup->edges.n > 0)
        setup->edges.packet_loss = frs_values_real(values, "packet_loss");
    for (uint32_t i = 0; i < setup->edges.n; i++)
        for (int up = 0; up < 2; up++)
            if (isfinite(setup->edges.list[i].access_bytes_per_s[up])) {
                frs_network_read_server_queue(&setup->network, section(setup, "network"), true);
                return;
            }
}

static const char *class_of(const void *network, uint64_t seed, uint32_t client) {
    return frs_network_class(network, seed, client);
}

static bool settle(struct frs_setup *setup, const struct frs_values *values, struct frs_errors *errors) {
    struct frs_edge_clients clients = {.n = setup->training.data->population.n_clients,
        .seed = setup->training.seed,
        .class_of = class_of,
        .network = &setup->network};
    if (setup->has_reachability && !frs_reachability_regions(&setup->reachability, &clients.regions))
        clients.regions = 0;
    return frs_edges_settle(&setup->edges, values, &clients, errors);
}

static bool has_budgets(const struct frs_setup *setup) {
    return setup->training.model && frs_training_budgets(&setup->training).max > 0;
}

/* Settings whose behaviour with edges is not simulated; each is refused with the reason. */
static void check_rest(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct {
        bool is_there;
        const char *section, *key, *why;
    } all[] = {
        {setup->network.model == FRS_LV08, "network", "model",
            "SimGrid's model of TCP pays a latency within each transfer, so that those of messages that wait "
            "for a backhaul would not overlap; allowed with network.edges: exact | tcp | packets"},
        {strcmp(setup->policy->plugin.name, "wait_all") != 0 &&
                strcmp(setup->policy->plugin.name, "deadline") != 0,
            "rounds.policy", "name",
            "not simulated behind edges; allowed with network.edges: wait_all | deadline"},
        {setup->policy_settings.run_on, "rounds", "stragglers",
            "edges drop what they hold when a round closes; allowed with network.edges: cut"},
        {setup->selection && setup->selection->observes, "rounds.selection", "name",
            "the server sees the times of edges, not those of their clients, by which it goes; allowed with "
            "network.edges: a selection that observes nothing, such as uniform"},
        {has_budgets(setup), "codec.uplink", "name",
            "sizes of uploads are assigned by what the server has seen of clients, and behind edges it sees "
            "none; allowed with network.edges: a codec (and a method) whose uploads have one size"},
        {setup->edges.failures && setup->training.server_step.correction.is_there &&
                setup->training.server_step.correction.correction->needs_probabilities,
            "method.server.correction", "name",
            "the probability with which an upload is aggregated is not known beforehand where edges fail; "
            "allowed "
            "with network.edges.fails and mtbf: another correction"},
        {setup->training.model && frs_privacy_masks(&setup->training.mechanisms).range > 0, "privacy.1",
            "name",
            "the exchanges of \"pairwise_masks\" are not simulated behind edges; allowed with network.edges: "
            "other mechanisms, or none"},
        {setup->training.model && frs_training_own_models(&setup->training), "method.server.correction",
            "name",
            "downloads after the aggregation (\"fedawe\") are not simulated behind edges; allowed with "
            "network.edges: other corrections"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_there)
            frs_values_error(section(setup, all[i].section), all[i].key, errors, "%s", all[i].why);
}

/* What an edge has to hold of a round: the server's message, an upload of each of n clients, and where it
 * adds the sum in double precision and, between edge rounds, a model of its own. */
static double needed_bytes(const struct frs_setup *setup, uint32_t n) {
    const struct frs_training_setup *training = &setup->training;
    double table = frs_model_bytes(training->model, FRS_STATE),
           upload = frs_training_predicted_bytes(training, frs_training_budgets(training).max);
    return table + n * upload + (setup->edges.partial_sums ? 2 * upload : 0) +
           (setup->edge_rounds > 1 ? table : 0);
}

static void check_memory(const struct frs_setup *setup, struct frs_errors *errors) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    uint32_t *count = frs_alloc(setup->edges.n, sizeof *count);
    for (uint32_t client = 0; client < n_clients; client++)
        count[setup->edges.of_client[client]]++;
    for (uint32_t i = 0; i < setup->edges.n && setup->training.model; i++) {
        uint32_t n =
            count[i] < setup->policy_settings.n_selected ? count[i] : setup->policy_settings.n_selected;
        double needed = needed_bytes(setup, n);
        char has[32], needs[32];
        if (n == 0 || needed <= setup->edges.list[i].memory_bytes)
            continue;
        frs_values_error(section(setup, "network.edges"), "memory", errors,
            "edge %u has %s, and a round in which %u of its clients take part needs %s; allowed: at least "
            "that, "
            "or more edges",
            i, frs_units_format(setup->edges.list[i].memory_bytes, FRS_BYTES, has, sizeof has), n,
            frs_units_format(needed, FRS_BYTES, needs, sizeof needs));
        break;
    }
    free(count);
}

/* Sums of uploads need each of them as it is, and rounds that wait for all. */
static void check_sums(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = section(setup, "network.edges");
    const char *why = setup->training.model ? frs_partial_sums_why_not(&setup->training) : NULL;
    if (setup->training.learner->is_declared)
        why = "uploads of method \"declared\" have no content that could be added; allowed: false";
    else if (strcmp(setup->policy->plugin.name, "wait_all") != 0)
        why = "an edge waits for all of its clients, and a sum that comes too late would be lost as a whole; "
              "allowed: false, or rounds.policy = \"wait_all\"";
    if (why)
        frs_values_error(values, "partial_sums", errors, "%s", why);
    setup->training.trains_again = false;
    frs_setup_settle(setup);
}

/* Edges that aggregate several times have models of their own. */
static void check_edge_rounds(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_training_setup *training = &setup->training;
    const char *why = NULL;
    if (setup->edge_rounds == 1)
        return;
    if (setup->edges.n == 0)
        why =
            "there are no edges that could aggregate; allowed: 1, or network.edges with partial_sums = true";
    else if (!setup->edges.partial_sums)
        why =
            "edges that forward every upload aggregate nothing; allowed: 1, or network.edges.partial_sums = "
            "true";
    else if (training->model && frs_model_has_personal(training->model))
        why =
            "tables of one client's own are kept at the server, which edges do not ask between their rounds; "
            "allowed: 1, or a method whose tables are the same for all";
    else if (!training->downlink_codec.codec->lossless)
        why = "an edge's model is sent as it is; allowed: 1, or codec.downlink = \"dense\"";
    if (why)
        frs_values_error(section(setup, "rounds"), "edge_rounds", errors, "%s", why);
}

/* SimGrid's own solver: the table of routes has one for every pair. */
static void check_simgrid(const struct frs_setup *setup, struct frs_errors *errors) {
    double routes = 2.0 * (double)frs_setup_under_way(setup) * (setup->edges.n + 1.0);
    if (setup->backend == &frs_backend_simgrid && routes > MOST_ROUTES)
        frs_values_error(section(setup, "engine"), "backend", errors,
            "SimGrid's own solver would need %.0f routes between %u clients and %u edges; allowed: at most "
            "%.0f, "
            "or auto | actors | calendar",
            routes, setup->policy_settings.n_selected, setup->edges.n, (double)MOST_ROUTES);
}

void frs_compose_check_edges(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = section(setup, "network.edges");
    check_edge_rounds(setup, errors);
    if (setup->edges.n == 0)
        return;
    if (!settle(setup, values, errors))
        return;                                /* reported */
    if (frs_network_connects(&setup->network)) /* edges stay connected, whatever connections clients have */
        setup->edges.keeps_windows =
            strcmp(frs_values_text(section(setup, "network"), "idle_windows"), "kept") == 0;
    setup->shares_downloads = setup->training.model && !frs_model_has_personal(setup->training.model) &&
                              !setup->training.learner->is_declared;
    check_rest(setup, errors);
    check_memory(setup, errors);
    if (setup->edges.partial_sums)
        check_sums(setup, errors);
    check_simgrid(setup, errors);
}
