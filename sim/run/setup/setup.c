#include "sim/run/setup/setup.h"
#include "sim/run/setup/shelf.h"

#include <stdlib.h>

void frs_setup_fini(struct frs_setup *setup) {
    if (setup->model)
        frs_model_destroy(setup->model);
    free(setup->selection_settings);
    free(setup->adaptation_settings);
    free(setup->uplink_codec.settings);
    free(setup->downlink_codec.settings);
    frs_shield_list_fini(&setup->shields);
    if (setup->has_reachability)
        frs_reachability_fini(&setup->reachability);
    if (setup->has_failures)
        frs_failures_fini(&setup->failures);
    frs_goal_fini(&setup->target);
    for (size_t i = 0; i < setup->n_inputs; i++) {
        free(setup->inputs[i].key);
        free(setup->inputs[i].path);
    }
    free(setup->inputs);
    free(setup->directory);
    frs_network_fini(&setup->network);
    frs_devices_fini(&setup->devices);
    frs_server_fini(&setup->server);
    frs_shelf_return(setup->data);
    *setup = (struct frs_setup){0};
}

struct frs_budgets frs_setup_budgets(const struct frs_setup *setup) {
    const struct frs_codec_choice *codec = &setup->uplink_codec;
    struct frs_part shapes[FRS_MAX_PARTS];
    if (setup->learner->budgets || !codec->codec->budgets)
        return frs_learner_budgets(setup->learner, setup->model);
    frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    return codec->codec->budgets(codec->settings, &shapes[0]);
}

/* By how many bytes so many values get larger under a shield on messages, which `marks` more are sealed with. A codec with budgets
 * sends a place beside each value, of four bytes, too. */
static double more_when_sealed(const struct frs_codec_choice *codec, double values, size_t marks) {
    const struct frs_shield_choice *seal = codec->seal;
    return seal ? (double)seal->shield->sealed_bytes(seal->settings, (size_t)values + marks) - 4 * values : 0;
}

unsigned frs_setup_counted(const struct frs_setup *setup) {
    unsigned counted = 0;
    if (!frs_shield_in(&setup->shields, FRS_SHIELD_MESSAGE) ||
        setup->learner->averaging != FRS_AVERAGES_WEIGHTED || setup->uplink_codec.codec->reveals_rows)
        return 0;
    for (size_t i = 0; i < frs_setup_shielded_parts(setup); i++)
        counted |= (unsigned)(frs_model_weighting(setup->model, i) == FRS_PER_ITEM) << i;
    return counted;
}

size_t frs_setup_masked_values(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    unsigned counted = frs_setup_counted(setup);
    size_t values = 0;
    for (size_t i = 0, n = frs_model_parts(setup->model, FRS_UPLOAD, shapes); i < n; i++)
        values += shapes[i].n_rows * (shapes[i].dim + (counted >> i & 1));
    return values;
}

double frs_setup_foreseen_bytes(const struct frs_setup *setup, uint32_t budget) {
    const struct frs_codec_choice *codec = &setup->uplink_codec;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_learner_upload_parts(setup->learner, setup->model, budget, shapes);
    bool by_codec = !setup->learner->budgets && codec->codec->budgets;
    size_t marks = 0;
    double bytes = FRS_MESSAGE_HEADER_BYTES + setup->selection->uses_loss * (double)FRS_MESSAGE_REPORT_BYTES;
    for (size_t i = 0; i < n; i++) {
        marks += codec->counted >> i & 1 ? shapes[i].n_rows : 0;
        bytes += by_codec && i == 0
                     ? (double)codec->codec->foreseen_bytes(codec->settings, &shapes[i], budget)
                     : (double)(shapes[i].n_rows * shapes[i].dim * sizeof(float));
    }
    return bytes + more_when_sealed(codec, bytes / (by_codec ? 8 : 4), marks);
}

size_t frs_setup_shielded_parts(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t uploaded = frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    size_t shared = frs_model_parts(setup->model, FRS_STATE, shapes);
    return uploaded < shared ? uploaded : shared;
}

uint32_t frs_setup_asked(const struct frs_setup *setup) {
    return setup->selection->varies ? setup->cohort : setup->policy_settings.n_selected;
}

double frs_setup_probability(const struct frs_setup *setup) {
    return setup->probability > 0 ? setup->probability
                                  : (double)setup->cohort / setup->data->population.n_clients;
}

bool frs_setup_divides_by_expectation(const struct frs_setup *setup) {
    return setup->selection->varies && setup->learner->averaging == FRS_AVERAGES_WEIGHTED &&
           frs_shield_in(&setup->shields, FRS_SHIELD_AGGREGATE);
}

/* Messages that really move (keeps_messages) can be lost in ways that nobody has planned. */
static bool waits_for_all(const struct frs_setup *setup) {
    const struct frs_policy *policy = setup->policy;
    return !policy->leaves_stragglers && !policy->truncates && !policy->asynchronous &&
           setup->failures.n_server_restarts == 0 && !setup->keeps_messages;
}

/* What a client has left out of earlier uploads and what it meant are told with the whole upload; shields may work on
 * uploads where they are decoded, or on all of them. Who can train anew has no need of it (training.uploads). */
bool frs_setup_may_gather(const struct frs_setup *setup) {
    return setup->learner->gather && !setup->learner->trains_anew && setup->training &&
           !setup->uplink_feedback && !setup->information_loss && setup->shields.n == 0 &&
           waits_for_all(setup);
}

/* Nobody vanishes, either. */
bool frs_setup_gathers(const struct frs_setup *setup) {
    return frs_setup_may_gather(setup) && frs_reachability_is_trivial(&setup->reachability) &&
           !frs_failures_can_strike(&setup->failures);
}

size_t frs_setup_sets(const struct frs_setup *setup, uint32_t *sizes) {
    const struct frs_codec_choice *codec = &setup->downlink_codec;
    struct frs_part shapes[FRS_MAX_PARTS];
    sizes[0] = 0;
    if (!codec->codec->sets || !setup->learner->sends_updates)
        return 1;
    frs_model_parts(setup->model, FRS_UPDATE, shapes);
    return codec->codec->sets(codec->settings, &shapes[0], sizes);
}

struct frs_feedback *frs_setup_feedback(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    if (!setup->uplink_feedback)
        return NULL;
    size_t n_parts = frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    return frs_feedback_create(setup->data->population.n_clients, shapes, n_parts);
}

struct frs_downlink *frs_setup_downlink(const struct frs_setup *setup, size_t set) {
    uint32_t sizes[FRS_MAX_SETS];
    (void)frs_setup_sets(setup, sizes);
    struct frs_downlink_settings settings = {.learner = setup->learner,
        .model = setup->model,
        .codec = setup->downlink_codec,
        .catchup = setup->catchup,
        .first_contact = setup->first_contact,
        .error_feedback = setup->downlink_feedback,
        .exact_server_table = setup->exact_server_table,
        .whole_messages = setup->whole_messages,
        .budget = sizes[set],
        .follows = set > 0,
        .seed = setup->seed,
        .n_clients = setup->data->population.n_clients};
    return frs_downlink_create(&settings);
}

const char *frs_setup_protocol(const struct frs_setup *setup) {
    static const char *const names[] = {
        [FRS_HONEST] = "honest", [FRS_LEAKY] = "leaky", [FRS_LOOKAHEAD] = "lookahead"};
    return names[setup->data->protocol];
}
