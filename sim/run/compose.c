#include "sim/run/compose.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

const struct frs_param frs_rounds_params[] = {
    {.key = "count", .type = FRS_INT, .initial = "100", .min = 1, .max = 1e9, .help = "rounds to simulate"},
    {.key = "cohort", .type = FRS_SHARE, .initial = "10 %",
        .help = "clients asked in every round: a count, or a share of all"},
    {0},
};

const struct frs_param frs_training_params[] = {
    {.key = "enabled", .type = FRS_BOOL, .initial = "true",
        .help = "false: messages and time only, for methods whose message sizes do not depend on data"},
    {0},
};

const struct frs_param frs_output_params[] = {
    {.key = "directory", .type = FRS_TEXT, .initial = "",
        .help = "run directory; empty: results/<scenario>-seed<seed>"},
    {.key = "events", .type = FRS_BOOL, .initial = "true", .help = "write events.ndjson, three lines a participation"},
    {0},
};

static const struct frs_values *section(const struct frs_setup *setup, const char *path)
{
    return frs_scenario_section(setup->scenario, path);
}

/* A plug-in is the first member of what it is a plug-in of. */
static const void *chosen(const struct frs_setup *setup, const char *path)
{
    return frs_scenario_plugin(setup->scenario, path);
}

static struct frs_codec_choice choose_codec(const struct frs_setup *setup, const char *path)
{
    struct frs_codec_choice choice = {.codec = chosen(setup, path)};
    if (choice.codec->create)
        choice.settings = choice.codec->create(section(setup, path));
    return choice;
}

static void compose_rounds(struct frs_setup *setup, struct frs_errors *errors)
{
    const struct frs_values *rounds = section(setup, "rounds");
    uint32_t n_clients = setup->data->population.n_clients;
    struct frs_share cohort = frs_values_share(rounds, "cohort");
    setup->n_rounds = (uint32_t)frs_values_int(rounds, "count");
    setup->policy = chosen(setup, "rounds.policy");
    setup->selection = chosen(setup, "rounds.selection");
    if (cohort.is_count && cohort.count > n_clients)
        frs_values_error(rounds, "cohort", errors, "%llu clients are more than the data has; allowed: at most %u",
            (unsigned long long)cohort.count, n_clients);
    double share = cohort.fraction * n_clients;
    setup->cohort = cohort.is_count ? (uint32_t)cohort.count : (uint32_t)(share + 0.5);
    if (setup->cohort < 1)
        setup->cohort = 1;
}

static struct frs_law_section law(const struct frs_setup *setup, const char *path)
{
    return (struct frs_law_section){.plugin = chosen(setup, path), .values = section(setup, path)};
}

static void compose_platform(struct frs_setup *setup, struct frs_errors *errors)
{
    const struct frs_law_section links[FRS_LINK_LAWS] = {
        [FRS_LAW_DOWN] = law(setup, "network.downlink"),
        [FRS_LAW_UP] = law(setup, "network.uplink"),
        [FRS_LAW_LATENCY] = law(setup, "network.latency"),
    };
    frs_network_read(&setup->network, section(setup, "network"), links, errors);
    setup->server = frs_server_read(section(setup, "server"));
    frs_devices_read(&setup->devices,
        &(struct frs_devices_sections){.devices = section(setup, "devices"),
            .speed = law(setup, "devices.speed"),
            .per_sample = law(setup, "devices.per_sample"),
            .memory = law(setup, "devices.memory")},
        errors);
}

static void compose_method(struct frs_setup *setup, struct frs_errors *errors)
{
    const struct frs_values *method = section(setup, "method");
    const struct frs_learner *learner = setup->learner = chosen(setup, "method");
    struct frs_learner_setup learner_setup = {
        .population = &setup->data->population,
        .timing_only = !setup->training,
    };
    if (setup->training)
        learner_setup.negatives_per_positive =
            (size_t)frs_values_int(section(setup, "data"), "negatives_per_positive");
    setup->model = learner->create(method, &learner_setup, errors);
    setup->uplink_codec = choose_codec(setup, "codec.uplink");
    setup->downlink_codec = choose_codec(setup, "codec.downlink");
    if (learner->sends_updates) {
        setup->catchup = (enum frs_catchup)frs_values_choice(method, "catchup");
        if (setup->catchup == FRS_CATCHUP_REPLAY || setup->catchup == FRS_CATCHUP_CHEAPEST)
            setup->first_contact = (enum frs_first_contact)frs_values_choice(method, "init");
    }
    if (learner->predicts_ratings != setup->data->explicit_feedback)
        frs_values_error(section(setup, "data"), "feedback", errors, "method \"%s\" learns from %s feedback; allowed: %s",
            learner->plugin.name, learner->predicts_ratings ? "explicit" : "implicit",
            learner->predicts_ratings ? "explicit" : "implicit");
}

static void compose_evaluation(struct frs_setup *setup)
{
    const struct frs_values *evaluation = section(setup, "evaluation");
    setup->evaluate_every = (size_t)frs_values_int(evaluation, "every");
    setup->k = (size_t)frs_values_int(evaluation, "k");
    setup->device_view = frs_values_choice(evaluation, "view") == 1;
    setup->references = frs_values_list(evaluation, "references");
}

static void compose_output(struct frs_setup *setup)
{
    const struct frs_values *output = section(setup, "output");
    const char *directory = frs_values_text(output, "directory");
    setup->events = frs_values_bool(output, "events");
    setup->directory = *directory ? frs_strdup(directory)
                                  : frs_format("results/%s-seed%llu", frs_scenario_name(setup->scenario),
                                        (unsigned long long)setup->seed);
}

/* What a run without training cannot know. */
static void check_timing_only(const struct frs_setup *setup, struct frs_errors *errors)
{
    const struct frs_values *training = section(setup, "training");
    const struct {
        const struct frs_codec *codec;
        const char *direction;
    } codecs[] = {{setup->uplink_codec.codec, "uplink"}, {setup->downlink_codec.codec, "downlink"}};
    for (size_t i = 0; i < 2; i++)
        if (!codecs[i].codec->fixed_size)
            frs_values_error(training, "enabled", errors,
                "false is not possible with codec.%s = \"%s\", whose message sizes depend on what was learnt; allowed: "
                "true, or another codec",
                codecs[i].direction, codecs[i].codec->plugin.name);
    if (frs_devices_need_training(&setup->devices))
        frs_values_error(training, "enabled", errors,
            "false is not possible with devices.compute = \"%s\", because %s counted while training; allowed: "
            "devices.compute = \"none\" or \"fixed\"",
            frs_values_text(section(setup, "devices"), "compute"),
            setup->devices.compute == FRS_COMPUTE_FLOPS        ? "flops are"
            : setup->devices.compute == FRS_COMPUTE_PER_SAMPLE ? "samples are"
                                                               : "CPU time is");
}

enum frs_status frs_compose(const struct frs_scenario *scenario, struct frs_setup *setup, struct frs_errors *errors)
{
    size_t before = errors->n;
    *setup = (struct frs_setup){.scenario = scenario};
    setup->seed = (uint64_t)frs_values_int(section(setup, ""), "seed");
    setup->training = frs_values_bool(section(setup, "training"), "enabled");
    compose_platform(setup, errors);
    compose_evaluation(setup);
    compose_output(setup);
    if (frs_data_load(section(setup, "data"), section(setup, "evaluation"), setup->seed, &setup->data, errors) ==
        FRS_OK) {
        snprintf(setup->headline, sizeof setup->headline, setup->data->explicit_feedback ? "RMSE" : "HR@%zu", setup->k);
        compose_rounds(setup, errors);
        frs_network_check_clients(
            &setup->network, section(setup, "network"), setup->data->population.n_clients, errors);
        compose_method(setup, errors);
        if (!setup->training)
            check_timing_only(setup, errors);
        /* Only a run that is otherwise sound has read all it is going to read. */
        if (errors->n == before && frs_scenario_check_unread(scenario, errors) != FRS_OK) {
            /* reported */
        }
    }
    if (errors->n == before)
        return FRS_OK;
    frs_setup_fini(setup);
    return FRS_ERR_INPUT;
}

void frs_setup_fini(struct frs_setup *setup)
{
    if (setup->model)
        setup->learner->destroy(setup->model);
    free(setup->uplink_codec.settings);
    free(setup->downlink_codec.settings);
    free(setup->directory);
    frs_network_fini(&setup->network);
    frs_devices_fini(&setup->devices);
    frs_data_destroy(setup->data);
    *setup = (struct frs_setup){0};
}

struct frs_downlink *frs_setup_downlink(const struct frs_setup *setup)
{
    struct frs_downlink_settings settings = {.learner = setup->learner,
        .model = setup->model,
        .codec = setup->downlink_codec,
        .catchup = setup->catchup,
        .first_contact = setup->first_contact,
        .n_clients = setup->data->population.n_clients};
    return frs_downlink_create(&settings);
}
