#include "sim/setup/compose/compose.h"
#include "actors/links/window_cache.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"
#include "algorithms/external.h"
#include "algorithms/data/settings.h"
#include "sim/setup/compose/caps_checks.h"
#include "sim/setup/compose/compose_checks.h"
#include "sim/setup/compose/compose_control.h"
#include "sim/setup/compose/compose_edges.h"
#include "sim/setup/compose/compose_opening.h"
#include "sim/setup/compose/compose_layers.h"
#include "sim/setup/compose/compose_output.h"
#include "sim/setup/compose/compose_platform.h"
#include "sim/setup/compose/compose_privacy.h"
#include "sim/setup/compose/compose_params.h"
#include "sim/setup/compose/compose_peers.h"
#include "sim/setup/compose/compose_workload.h"
#include "sim/setup/compose/correlation.h"
#include "sim/setup/compose/correction_checks.h"
#include "sim/setup/compose/non_federated_settings.h"
#include "sim/setup/compose/plugins_check.h"
#include "sim/setup/dataset_cache.h"
#include "sim/setup/compose/target.h"

#include <stdlib.h>
#include <string.h>

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

/* A plug-in is the first member of what it is a plug-in of. */
static const void *chosen(const struct frs_setup *setup, const char *path) {
    return frs_scenario_plugin(setup->scenario, path);
}

static struct frs_codec_choice choose_codec(const struct frs_setup *setup, const char *path) {
    struct frs_codec_choice choice = {.codec = chosen(setup, path)};
    if (choice.codec->create)
        choice.settings = choice.codec->create(section(setup, path));
    return choice;
}

static void compose_rounds(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *rounds = section(setup, "rounds");
    uint32_t n_clients = setup->training.data->population.n_clients;
    struct frs_share cohort = frs_values_share(rounds, "cohort");
    setup->n_rounds = (uint32_t)frs_values_int(rounds, "count");
    setup->stop_tolerance = setup->training.trains ? frs_values_real(rounds, "stop_tolerance") : 0;
    if (setup->stop_tolerance > 0)
        setup->stop_min_rounds = (uint32_t)frs_values_int(rounds, "stop_min_rounds");
    setup->edge_rounds = (uint32_t)frs_values_int(rounds, "edge_rounds");
    setup->stop_s = frs_values_real(rounds, "stop_time");
    setup->stop_at_target = setup->training.trains && frs_values_bool(rounds, "stop_at_target");
    if (setup->stop_at_target && (!setup->target.metric || setup->target.non_federated))
        frs_values_error(rounds, "stop_at_target", errors,
            "non-federated baselines are fitted when the run has ended; allowed: false, or an "
            "evaluation.target that is a "
            "number, such as \"%s\"",
            setup->training.data->explicit_feedback ? "rmse <= 0.95" : "hr@10 >= 0.5");
    setup->policy = chosen(setup, "rounds.policy");
    setup->selection = chosen(setup, "rounds.selection");
    if (cohort.is_count && cohort.count > n_clients)
        frs_values_error(rounds, "cohort", errors,
            "%llu clients are more than the data has; allowed: at most %u", (unsigned long long)cohort.count,
            n_clients);
    double share = cohort.fraction * n_clients;
    setup->cohort = cohort.is_count ? (uint32_t)cohort.count : (uint32_t)(share + 0.5);
    if (setup->cohort < 1)
        setup->cohort = 1;
    struct frs_policy_setup policy_setup = {.n_clients = n_clients, .cohort = setup->cohort};
    if (setup->policy->leaves_stragglers)
        policy_setup.run_on = frs_values_choice(rounds, "stragglers") == FRS_STRAGGLERS_RUN_ON;
    setup->policy_settings =
        frs_policy_read(setup->policy, section(setup, "rounds.policy"), &policy_setup, errors);
}

/* Whether auto gives each participant an actor. The limits are on the cohort; clients that may still be under
 * way from earlier rounds count towards what is possible at all. */
static bool fits_actors(const struct frs_setup *setup, const struct frs_values *engine) {
    const char *limit = setup->training.trains ? "actors_limit" : "actors_limit_messages";
    return setup->policy_settings.n_selected <= frs_values_int(engine, limit) &&
           frs_setup_under_way(setup) <= FRS_MOST_ACTORS;
}

static const struct frs_backend *choose_backend(
    const struct frs_setup *setup, const struct frs_values *engine, struct frs_errors *errors) {
    enum frs_backend_choice choice = (enum frs_backend_choice)frs_values_choice(engine, "backend");
    bool possibly_simgrid = choice == FRS_BACKEND_AUTO || choice == FRS_BACKEND_SIMGRID;
    bool lv08 = setup->network.model == FRS_LV08;
    if (lv08 && !possibly_simgrid)
        frs_values_error(engine, "backend", errors,
            "\"%s\" knows exact times only; allowed with network.model = \"lv08\": auto | simgrid",
            frs_backend_names[choice]);
    bool simgrid = choice == FRS_BACKEND_SIMGRID || lv08 || setup->platform.file;
    if (simgrid && frs_network_connects(&setup->network))
        frs_values_error(section(setup, "network"), "model", errors,
            "\"%s\" is not possible under SimGrid's own solver; allowed with %s: exact | lv08",
            frs_network_model_names[setup->network.model],
            setup->platform.file ? "platform.file" : "engine.backend = \"simgrid\"");
    if (setup->platform.file && !possibly_simgrid)
        frs_values_error(engine, "backend", errors,
            "\"%s\" cannot simulate a platform of your own; allowed with platform.file: auto | simgrid",
            frs_backend_names[choice]);
    if (simgrid && frs_client_trace_varies(&setup->network.trace))
        frs_values_error(section(setup, "network"), "trace", errors,
            "bandwidth that varies over time is not possible under SimGrid's own solver; allowed: "
            "network.model = exact | tcp | packets with engine.backend = auto | actors | calendar");
    if (simgrid && setup->has_reachability && frs_reachability_has_states(&setup->reachability) &&
        !setup->reachability.eligible.wifi)
        frs_values_error(section(setup, "availability"), "model", errors,
            "\"states\" of devices change their links, which is not possible under SimGrid's own solver; "
            "allowed: with a rounds.eligible that asks for wifi, or with engine.backend = auto | actors | "
            "calendar and network.model = exact | tcp | packets");
    const struct frs_server_trace *server = &setup->server.trace;
    if (simgrid && (server->has[FRS_SERVER_DOWN] || server->has[FRS_SERVER_UP]))
        frs_values_error(section(setup, "server"), "trace", errors,
            "links of the server that vary over time are not possible under SimGrid's own solver; allowed: a "
            "trace of its speed alone, or network.model = exact | tcp | packets with engine.backend = auto | "
            "actors | calendar");
    if (simgrid)
        return &frs_backend_simgrid;
    return choice == FRS_BACKEND_ACTORS || (choice == FRS_BACKEND_AUTO && fits_actors(setup, engine))
               ? &frs_backend_actors
               : &frs_backend_calendar;
}

/* Reads error feedback in one direction. It is possible only where something is left out, and where what
 * was left out of one round still means the same in the next. */
static bool read_feedback(const struct frs_setup *setup, const char *path, const struct frs_codec *codec,
    struct frs_errors *errors) {
    if (codec->lossless || !setup->training.trains)
        return false;
    bool feedback = frs_values_bool(section(setup, path), "error_feedback");
    if (feedback && !setup->training.learner->updates_keep)
        frs_values_error(section(setup, path), "error_feedback", errors,
            "what method \"%s\" sends cannot be made up for in a later round; allowed: false, or method "
            "\"fedmf_update\" or \"fedncf_update\"",
            setup->training.learner->plugin.name);
    return feedback;
}

static void compose_compression(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_codec *down = setup->training.downlink_codec.codec,
                           *up = setup->training.uplink_codec.codec;
    setup->training.uplink_feedback = read_feedback(setup, "codec.uplink", up, errors);
    setup->training.downlink_feedback = read_feedback(setup, "codec.downlink", down, errors);
    if (setup->training.trains && !(up->lossless && down->lossless))
        setup->training.information_loss = frs_values_bool(section(setup, "evaluation"), "information_loss");
    if (setup->training.trains)
        setup->training.structure = frs_values_bool(section(setup, "evaluation"), "structure");
    if (!setup->training.learner->sends_updates || down->lossless)
        return;
    setup->training.exact_server_table =
        frs_values_choice(section(setup, "codec.downlink"), "server_table") == FRS_SERVER_TABLE_EXACT;
    if (setup->training.exact_server_table &&
        !frs_catchup_can_be_exact(setup->training.catchup, setup->training.first_contact))
        frs_values_error(section(setup, "codec.downlink"), "server_table", errors,
            "\"exact\" is not possible where some clients replay updates and others load the whole table; "
            "allowed: \"decoded\", or method.catchup = \"ideal\", \"full\", or \"replay\" with method.init = "
            "\"seed\"");
}

/* A client's personal tables travel as they are, because no other client could predict with them. */
static void compose_personal(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_codec *codec = setup->training.downlink_codec.codec;
    const char *name = setup->training.learner->plugin.name;
    const struct frs_values *evaluation = section(setup, "evaluation");
    if (!setup->training.model || !frs_model_has_personal(setup->training.model))
        return;
    if (!(codec->lossless && codec->fixed_size) && !codec->changes_only) /* which is reported already */
        frs_values_error(section(setup, "codec.downlink"), "name", errors,
            "method \"%s\" sends every client a table of its own, whose message has to have one size; "
            "allowed: dense",
            name);
    if (setup->training.trains && frs_values_find(evaluation, "view")->given && !setup->training.device_view)
        frs_values_idle(evaluation, "view",
            "clients of method \"%s\" predict with tables of their own, which the server's view leaves out; "
            "allowed: device",
            name);
    setup->training.device_view = true;
}

/* Above this uploads are rather made again than kept. */
#define MOST_KEPT_BYTES (1024.0 * 1024 * 1024)

/* What all uploads of a round hold, if clients send the rows they have interactions with. */
static double kept_bytes(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    frs_model_parts(setup->training.model, FRS_UPLOAD, shapes);
    double rows = (double)setup->training.data->n_interactions / setup->training.data->population.n_clients;
    return setup->cohort * rows * (double)(shapes[0].dim * sizeof(float));
}

/* What a client has left out of earlier uploads, and what it meant, are not there a second time. */
static void compose_uploads(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_learner *learner = setup->training.learner;
    const struct frs_values *training = section(setup, "training");
    enum frs_uploads choice = (enum frs_uploads)frs_values_choice(training, "uploads");
    bool possible = frs_learner_trains_anew(learner, setup->training.model) &&
                    !setup->training.uplink_feedback && !frs_training_reads_uploads(&setup->training);
    if (setup->training.server_step.correction.is_there) {
        if (choice == FRS_UPLOADS_AGAIN)
            frs_values_error(training, "uploads", errors,
                "a correction (method.server.correction) needs the uploads of a round as they are; allowed: "
                "auto | kept");
        return;
    }
    if (choice == FRS_UPLOADS_AGAIN && !possible)
        frs_values_error(training, "uploads", errors,
            "what clients of method \"%s\" upload does not follow from data and tables alone here; allowed: "
            "auto | kept",
            learner->plugin.name);
    setup->training.trains_again =
        possible &&
        (choice == FRS_UPLOADS_AGAIN || (choice == FRS_UPLOADS_AUTO && kept_bytes(setup) > MOST_KEPT_BYTES));
}

/* What stands between the method's aggregation and its tables. */
static void compose_correction(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = section(setup, "method.server.correction");
    const struct frs_correction *correction = chosen(setup, "method.server.correction");
    const struct frs_learner *learner = setup->training.learner;
    const char *why;
    if (frs_corrected_sum_is_possible(learner, setup->training.model, correction, &why))
        frs_server_step_correct(&setup->training.server_step, setup->training.model, correction, values);
    else
        frs_values_error(values, "name", errors, "no \"%s\" for method \"%s\": %s", correction->plugin.name,
            learner->plugin.name, why);
}

static void compose_server_step(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = section(setup, "method.server");
    const struct frs_optimiser *optimiser = chosen(setup, "method.server");
    const char *why;
    setup->training.server_step =
        frs_server_step_begin(setup->training.learner, setup->training.model, optimiser, values);
    compose_correction(setup, errors);
    if (frs_server_step_is_possible(setup->training.learner, optimiser, &why))
        return;
    if (optimiser->n_moments > 0)
        frs_values_error(values, "optimiser", errors, "no \"%s\" for method \"%s\": %s",
            optimiser->plugin.name, setup->training.learner->plugin.name, why);
    else if (frs_values_find(values, "rate")->given)
        frs_values_idle(
            values, "rate", "has no effect for method \"%s\": %s", setup->training.learner->plugin.name, why);
}

/* A program that counts no operations gives a model of computing that goes by them nothing to go by. */
static void check_measured(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_external *external = setup->training.learner->external;
    if (external && external->traits.measured && setup->devices.compute == FRS_COMPUTE_FLOPS)
        frs_values_error(section(setup, "devices"), "compute", errors,
            "the program of method \"external\" counts no operations (\"work measured\"); allowed: measured "
            "| "
            "per_sample | fixed | none");
}

/* What the keys epochs, steps and batch say, those of external methods included; nothing in methods without.
 */
static struct frs_untrained_extent extent_of(const struct frs_values *method) {
    const struct frs_value *epochs = frs_values_find(method, "epochs"),
                           *steps = frs_values_find(method, "steps"),
                           *batch = frs_values_find(method, "batch");
    struct frs_untrained_extent extent = {.batch = 1};
    if (epochs)
        extent.epochs = epochs->param->type == FRS_REAL ? epochs->real : (double)epochs->integer;
    if (epochs && steps &&
        epochs->param->type == FRS_REAL) /* those of an external method are its own affair */
        extent.steps = (size_t)steps->integer;
    if (batch && batch->param->type == FRS_INT && batch->integer > 0)
        extent.batch = (size_t)batch->integer;
    return extent;
}

static void compose_method(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *method = section(setup, "method");
    const struct frs_learner *learner = setup->training.learner =
        frs_learner_variant(chosen(setup, "method"), method);
    struct frs_learner_setup learner_setup = {
        .population = &setup->training.data->population,
        .timing_only = !setup->training.trains,
        .n_rounds = setup->n_rounds,
        .external = learner->external,
    };
    bool counts_samples = setup->training.trains || setup->devices.compute == FRS_COMPUTE_PER_SAMPLE;
    if (counts_samples && !setup->training.data->explicit_feedback)
        learner_setup.negatives_per_positive =
            (size_t)frs_values_int(section(setup, "data"), "negatives_per_positive");
    setup->training.untrained = extent_of(method);
    setup->training.negatives_per_positive = learner_setup.negatives_per_positive;
    setup->training.model = learner->create(method, &learner_setup, errors);
    check_measured(setup, errors);
    if (setup->training.model)
        compose_server_step(setup, errors);
    setup->training.uplink_codec = choose_codec(setup, "codec.uplink");
    setup->training.downlink_codec = choose_codec(setup, "codec.downlink");
    if (learner->sends_updates) {
        setup->training.catchup = (enum frs_catchup)frs_values_choice(method, "catchup");
        if (setup->training.catchup == FRS_CATCHUP_REPLAY || setup->training.catchup == FRS_CATCHUP_CHEAPEST)
            setup->training.first_contact = (enum frs_first_contact)frs_values_choice(method, "init");
    }
    frs_compose_check_codecs(setup, errors);
    compose_personal(setup, errors);
    compose_compression(setup, errors);
    if (setup->training.model)
        frs_compose_check_sets(setup, errors);
    if (setup->training.model && setup->training.trains)
        compose_uploads(setup, errors);
    if (setup->training.data->population.users && !learner->holds_users)
        frs_values_error(section(setup, "data"), "clients", errors,
            "a client of method \"%s\" is one user; allowed: 0, or method.variant = \"published_code\" of "
            "rfrec, rfrecf and fcf",
            learner->plugin.name);
    if (learner->predicts_ratings != setup->training.data->explicit_feedback)
        frs_values_error(section(setup, "data"), "feedback", errors,
            "method \"%s\" learns from %s feedback; allowed: %s", learner->plugin.name,
            learner->predicts_ratings ? "explicit" : "implicit",
            learner->predicts_ratings ? "explicit" : "implicit");
}

/* Under explicit feedback nothing is ranked, and the cut-off stays unread. */
static void compose_evaluation(struct frs_setup *setup) {
    const struct frs_values *evaluation = section(setup, "evaluation");
    bool ratings = setup->training.data->explicit_feedback;
    struct frs_ints k = ratings ? frs_values_find(evaluation, "k")->ints : frs_values_ints(evaluation, "k");
    setup->ranking = (struct frs_list_rules){.n = k.n,
        .ties = (enum frs_score_ties)(
            ratings ? frs_values_find(evaluation, "ties")->choice : frs_values_choice(evaluation, "ties"))};
    for (size_t i = 0; i < k.n; i++)
        setup->ranking.k[i] = (size_t)k.list[i];
    setup->k = setup->ranking.k[0];
    setup->evaluate_every = (size_t)frs_values_int(evaluation, "every");
    setup->training.device_view = frs_values_choice(evaluation, "view") == FRS_VIEW_DEVICE;
    setup->baselines = frs_values_list(evaluation, "non_federated");
}

void frs_compose_begin(
    const struct frs_scenario *scenario, struct frs_setup *setup, struct frs_errors *errors) {
    *setup = (struct frs_setup){.scenario = scenario};
    setup->training.seed = (uint64_t)frs_values_int(section(setup, ""), "seed");
    frs_compose_check_plugins(setup, errors);
    setup->training.gossips = frs_compose_gossips(setup);
    bool is_declared = frs_compose_is_declared(setup);
    setup->training.trains = !is_declared && frs_values_bool(section(setup, "training"), "enabled");
    if (!setup->training.trains && !is_declared)
        setup->training.whole_messages =
            frs_values_choice(section(setup, "training"), "messages") == FRS_MESSAGES_WHOLE;
    frs_compose_platform(setup, errors);
    frs_compose_edges(setup, errors);
    frs_compose_output(setup, errors);
}

enum frs_status frs_compose_data(struct frs_setup *setup, struct frs_errors *errors) {
    if (frs_compose_is_declared(setup)) {
        setup->training.data = frs_data_nothing(frs_compose_declared_clients(setup), setup->training.seed);
        return FRS_OK;
    }
    return frs_dataset_cache_take(section(setup, "data"), section(setup, "evaluation"), setup->training.seed,
        !setup->training.trains && !frs_compose_goes_by_taste(setup), &setup->training.data, errors);
}

void frs_compose_rest(struct frs_setup *setup, struct frs_errors *errors) {
    compose_evaluation(setup);
    snprintf(setup->headline, sizeof setup->headline,
        setup->training.data->explicit_feedback ? "RMSE" : "HR@%zu", setup->k);
    if (setup->training.trains && frs_target_spec_of_setup(setup, &setup->target, errors) != FRS_OK) {
        /* reported */
    }
    compose_rounds(setup, errors);
    setup->caps = frs_caps_read(section(setup, "caps"));
    setup->costs = frs_costs_read(section(setup, "costs"));
    uint32_t n_clients = setup->training.data->population.n_clients;
    frs_network_settle(&setup->network, section(setup, "network"), n_clients, errors);
    if (frs_network_connects(&setup->network))
        setup->window_cache = frs_window_cache_create();
    frs_devices_settle(&setup->devices, section(setup, "devices"), n_clients, errors);
    frs_network_deal(&setup->network, n_clients, setup->training.seed);
    frs_devices_deal(&setup->devices, n_clients, setup->training.seed);
    frs_compose_strata(setup);
    compose_method(setup, errors);
    if (setup->training.learner->is_declared)
        frs_compose_workload(setup, errors);
    frs_compose_check_policy(setup, errors);
    if (setup->training.model)
        frs_compose_control(setup, errors);
    if (setup->training.model)
        frs_compose_check_caps(setup, errors);
    frs_compose_availability(setup, errors);
    frs_compose_opening(setup, errors);
    if (setup->training.model && !setup->declared)
        frs_compose_privacy(setup, errors);
    if (setup->has_failures)
        frs_compose_check_user_platform(setup, errors);
    frs_compose_peers(setup, errors);
    frs_compose_check_layers(setup, errors);
    frs_setup_settle(setup);
    if (setup->training.model)
        frs_compose_check_correction(setup, errors);
    setup->backend = choose_backend(setup, section(setup, "engine"), errors);
    frs_compose_check_edges(setup, errors);
    if (!setup->training.trains && !setup->training.learner->is_declared)
        frs_compose_check_timing_only(setup, errors);
    if (frs_non_federated_check(setup, errors) != FRS_OK) {
        /* reported */
    }
    if (setup->training.learner->is_declared)
        frs_compose_declared_idle(setup);
}

void frs_compose_ahead(const struct frs_scenario *scenario) {
    struct frs_errors ignored = {0};
    struct frs_setup setup;
    if (!frs_dataset_cache_is_open())
        return;
    frs_dataset_cache_keep_initial_values(FRS_INITIAL_VALUES_OF_SWEEP);
    frs_compose_begin(scenario, &setup, &ignored);
    if (frs_compose_data(&setup, &ignored) == FRS_OK && frs_dataset_cache_wants_initial_values())
        frs_compose_rest(&setup, &ignored);
    frs_setup_fini(&setup);
    frs_dataset_cache_keep_initial_values(0);
    frs_errors_clear(&ignored);
}
