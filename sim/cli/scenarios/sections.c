#include "sim/cli/scenarios/sections.h"
#include "actors/adaptation.h"
#include "actors/caps.h"
#include "actors/observations.h"
#include "actors/policy.h"
#include "actors/selection.h"
#include "algorithms/codec.h"
#include "algorithms/correction.h"
#include "algorithms/learner.h"
#include "algorithms/optimiser.h"
#include "algorithms/non_federated.h"
#include "algorithms/privacy_mechanism.h"
#include "platforms/availability/availability.h"
#include "platforms/devices/devices.h"
#include "platforms/distributions/distribution.h"
#include "platforms/edges/edges.h"
#include "platforms/failures/failures.h"
#include "platforms/failures/retry.h"
#include "platforms/networks/network.h"
#include "platforms/presets/presets.h"
#include "platforms/networks/server.h"
#include "platforms/networks/user_platform.h"
#include "platforms/peers/neighbours.h"
#include "algorithms/data/data.h"
#include "algorithms/presets/presets.h"
#include "sim/setup/costs.h"
#include "sim/setup/compose/compose_params.h"
#include "sim/external/external.h"
#include "sim/sweep/settings.h"

static const struct frs_param top_params[] = {
    {.key = "seed",
        .type = FRS_INT,
        .initial = "1",
        .min = 0,
        .max = 9007199254740992.0, /* 2^53: every reader of JSON can hold it */
        .help = "Root of every random stream; the same seed gives the same run."},
    {.key = NULL},
};

static const struct frs_param plugins_params[] = {
    {.key = "files",
        .type = FRS_TEXTS,
        .initial = "",
        .help =
            "shared objects with learners, codecs and other plug-ins of your own; loading them runs their "
            "code, which needs --allow-commands"},
    {.key = NULL},
};

static const struct frs_family learners = {
    "learner", "what is trained and aggregated", frs_learner_plugins, true};
static const struct frs_family optimisers = {"optimiser",
    "what the server makes of an aggregate before it changes the tables", frs_optimiser_plugins, true};
static const struct frs_family corrections = {"correction",
    "what the server makes of uploads where some clients upload more often than others",
    frs_correction_plugins, true};
static const struct frs_family codecs = {"codec", "how rows become bytes", frs_codec_plugins, true};
static const struct frs_family mechanisms = {
    "mechanism", "what stands between an update and those who would read it", frs_privacy_plugins, false};
static const struct frs_family policies = {"policy", "when a round closes", frs_policy_plugins, true};
static const struct frs_family neighbours = {
    "neighbours", "which clients exchange their models, without a server", frs_neighbours_plugins, true};
static const struct frs_family selections = {
    "selection", "which clients take part", frs_selection_plugins, true};
static const struct frs_family adaptations = {
    "adaptation", "how large an upload each client is assigned", frs_adaptation_plugins, true};
static const struct frs_family availabilities = {
    "availability", "when clients can be reached", frs_availability_plugins, true};
static const struct frs_family rates = {
    "distribution", "how a property is spread over the clients", frs_rate_distributions, true};
static const struct frs_family times = {
    "distribution", "how a property is spread over the clients", frs_time_distributions, true};
static const struct frs_family speeds = {
    "distribution", "how a property is spread over the clients", frs_speed_distributions, true};
static const struct frs_family sizes = {
    "distribution", "how a property is spread over the clients", frs_bytes_distributions, true};
static const struct frs_family messages = {
    "distribution", "how a property is spread over the clients", frs_message_distributions, true};
static const struct frs_family works = {
    "distribution", "how a property is spread over the clients", frs_work_distributions, true};
static const struct frs_preset_family systems = {
    "system", "the papers' systems under their own settings", frs_method_presets};
static const struct frs_preset_family networks = {"network", "links of all clients", frs_network_presets};
static const struct frs_preset_family devices = {"devices", "speeds of all clients", frs_device_presets};

static const struct frs_family baselines = {"non_federated",
    "recommenders without federation to report beside a run", frs_non_federated_model_plugins, false};

#define NON_FEDERATED(name_) extern const struct frs_non_federated_model frs_non_federated_model_##name_;
#include "algorithms/non_federated/non_federated.def"
#undef NON_FEDERATED

/* SimGrid's own solver simulates no slow start. */
static const struct frs_other_default network_defaults[] = {
    {"model", "exact", .where = "engine.backend", .says = "simgrid"},
    {"model", "exact", .where = "platform.file"},
    {0},
};

static const struct frs_stand_in programs = {"external", "command", frs_external_plugin};

#define PLUGINS(family_, selector_, initial_) .family = &family_, .selector = selector_, .initial = initial_

const struct frs_section frs_sections[] = {
    {.path = "", .help = "Settings outside of all groups.", .params = top_params},
    {.path = "data", .help = "The interactions to learn from.", .params = frs_data_params},
    {.path = "method",
        .help = "What is trained, and how.",
        .presets = &systems,
        PLUGINS(learners, "name", "fedmf"),
        .stand_in = &programs,
        .shorthand = "name"},
    {.path = "method.server",
        .help = "What the server makes of an aggregate before it changes the tables.",
        PLUGINS(optimisers, "optimiser", "none"),
        .shorthand = "optimiser"},
    {.path = "method.server.correction",
        .help = "What takes the place of the mean of uploads, because some clients upload more often than "
                "others.",
        PLUGINS(corrections, "name", "none"),
        .shorthand = "name"},
#define DECLARED(key_, family_, help_)                                                                       \
    {                                                                                                        \
        .path = "method." key_, .of_plugin = "declared", .help = help_,                                      \
        PLUGINS(family_, "distribution", "constant"), .shorthand = "value"                                   \
    }
    DECLARED("down", messages,
        "With method.name = declared: what the server sends a client in a round, as it crosses the network "
        "(after compression), without the header of 24 bytes that is added as to every message."),
    DECLARED(
        "up", messages, "With method.name = declared: what a client sends the server in a round, likewise."),
    DECLARED(
        "work", works, "With method.name = declared: operations of a client in a round, before its upload."),
#undef DECLARED
    {.path = "codec", .help = "How updates become bytes."},
    {.path = "codec.uplink",
        .help = "Encoding of what clients send.",
        .params = frs_uplink_params,
        PLUGINS(codecs, "name", "dense"),
        .shorthand = "name"},
    {.path = "codec.downlink",
        .help = "Encoding of what the server sends.",
        .params = frs_downlink_params,
        PLUGINS(codecs, "name", "dense"),
        .shorthand = "name"},
#define PRIVACY_MECHANISM(place_, help_)                                                                     \
    { .path = "privacy." place_, .help = help_, PLUGINS(mechanisms, "name", "none"), .shorthand = "name" }
    PRIVACY_MECHANISM(
        "1", "What protects updates: the first mechanism of the list `privacy = ( { name = … }, … )`."),
    PRIVACY_MECHANISM("2", "The second one."),
    PRIVACY_MECHANISM("3", "The third one."),
    PRIVACY_MECHANISM("4", "The fourth one."),
#undef PRIVACY_MECHANISM
    {.path = "network",
        .given_matters = true,
        .help = "The links of the clients.",
        .params = frs_network_params,
        .other_defaults = network_defaults,
        .presets = &networks,
        .initial_preset = "fieldguide"},
    {.path = "network.downlink",
        .given_matters = true,
        .help = "Capacity from the server to a client.",
        PLUGINS(rates, "distribution", "constant"),
        .shorthand = "value"},
    {.path = "network.uplink",
        .given_matters = true,
        .help = "Capacity from a client to the server.",
        PLUGINS(rates, "distribution", "constant"),
        .shorthand = "value"},
    {.path = "network.latency",
        .given_matters = true,
        .help = "Time before the first byte of a message arrives, one way.",
        PLUGINS(times, "distribution", "constant"),
        .shorthand = "value"},
    {.path = "network.by_state",
        .help = "The links of clients by the states of their devices (availability.model = \"states\").",
        .params = frs_by_state_params},
    {.path = "network.edges",
        .given_matters = true,
        .help = "Edges between the clients and the server, which store messages and forward them.",
        .params = frs_edges_params},
    {.path = "devices",
        .given_matters = true,
        .help = "How fast clients compute.",
        .params = frs_devices_params,
        .presets = &devices,
        .initial_preset = "plain"},
    {.path = "devices.speed",
        .given_matters = true,
        .help = "Speed of a client for the training kernels.",
        PLUGINS(speeds, "distribution", "constant"),
        .shorthand = "value"},
    {.path = "devices.per_sample",
        .given_matters = true,
        .help = "With compute = per_sample: time a client needs per training sample.",
        PLUGINS(times, "distribution", "empirical"), /* nothing of it has to be given under other models */
        .shorthand = "value"},
    {.path = "devices.memory",
        .given_matters = true,
        .help = "What a client can hold for training; whose tables and private state are larger is refused.",
        PLUGINS(sizes, "distribution", "constant"),
        .shorthand = "value"},
    {.path = "availability",
        .help = "When clients can be reached.",
        .params = frs_availability_params,
        PLUGINS(availabilities, "model", "always"),
        .shorthand = "model"},
    {.path = "failures",
        .help = "What else goes wrong: lost participations, late joiners, departures, server restarts.",
        .params = frs_failures_params,
        .given_matters = true},
    {.path = "failures.retry",
        .help = "What a client does when its connection breaks in the middle of a message.",
        .params = frs_retry_params},
    {.path = "platform",
        .help = "A SimGrid platform of your own instead of generated links.",
        .params = frs_user_platform_params},
    {.path = "server",
        .given_matters = true,
        .help = "How fast the server works; its links are network.server_downlink and network.server_uplink.",
        .params = frs_server_params},
    {.path = "rounds", .help = "How many rounds, with how many clients.", .params = frs_rounds_params},
    {.path = "rounds.policy",
        .help = "When a round closes.",
        PLUGINS(policies, "name", "wait_all"),
        .shorthand = "name"},
    {.path = "rounds.selection",
        .help = "Which clients form a cohort.",
        .params = frs_selection_params,
        PLUGINS(selections, "name", "uniform"),
        .shorthand = "name"},
    {.path = "peers",
        .help =
            "Gossip: clients that exchange their models with neighbours and average them, without a server.",
        .params = frs_peers_params,
        PLUGINS(neighbours, "neighbours", "none"),
        .shorthand = "neighbours"},
    {.path = "caps", .help = "What a client may spend in a period of time.", .params = frs_caps_params},
    {.path = "costs", .given_matters = true, .help = "What bytes cost.", .params = frs_costs_params},
    {.path = "adaptation",
        .help = "The upload size that each client of a round is assigned, where a method's uploads can be "
                "smaller or larger: "
                "SCoLR's rank, FedRAS's rows.",
        PLUGINS(adaptations, "name", "fixed"),
        .shorthand = "name"},
    {.path = "observations",
        .help = "What the server remembers of past rounds; adaptation and selection go by it.",
        .params = frs_observations_params},
    {.path = "engine", .help = "How rounds are carried out.", .params = frs_engine_params},
    {.path = "training", .help = "Whether clients really learn.", .params = frs_training_params},
    {.path = "evaluation",
        .help = "How the quality of recommendations is measured.",
        .params = frs_evaluation_params,
        .named = &baselines,
        .list = "non_federated"},
#define NON_FEDERATED(name_)                                                                                 \
    {.path = "evaluation." #name_,                                                                           \
        .help = "Settings of the baseline " #name_ ", where evaluation.non_federated names it.",             \
        .plugin = &frs_non_federated_model_##name_.plugin},
#include "algorithms/non_federated/non_federated.def"
#undef NON_FEDERATED
    {.path = "output", .help = "Where results go.", .params = frs_output_params},
    {.path = "plugins",
        .help = "Plug-ins from outside of the program; `plugins = [ \"./mine.so\" ]`.",
        .params = plugins_params,
        .shorthand = "files",
        .is_aside = true},
    {.path = "sweep",
        .help = "What `fedrecsim sweep` varies; other commands run the scenario as it stands.",
        .params = frs_sweep_params,
        .is_aside = true},
    {.path = NULL},
};
