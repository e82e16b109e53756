#include "algorithms/training/training_setup.h"
#include "algorithms/training/workload.h"

bool frs_training_own_models(const struct frs_training_setup *setup) {
    return frs_corrected_sum_own_models(&setup->server_step.correction);
}

bool frs_training_exchanges_layers(const struct frs_training_setup *setup) {
    return setup->model && frs_learner_layer_shape(setup->learner, setup->model).layers > 0;
}

struct frs_course frs_training_course(const struct frs_training_setup *setup, uint32_t round) {
    struct frs_course course = frs_learner_course(setup->learner, setup->model, round);
    if (frs_training_own_models(setup)) {
        course.delivers = course.receives && course.sends;
        course.receives = false;
    }
    if (setup->gossips)
        course.receives = course.sends = false;
    return course;
}

struct frs_budgets frs_training_budgets(const struct frs_training_setup *setup) {
    const struct frs_codec_choice *codec = &setup->uplink_codec;
    struct frs_part shapes[FRS_MAX_PARTS];
    if (setup->learner->budgets || !codec->codec->budgets)
        return frs_learner_budgets(setup->learner, setup->model);
    frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    return codec->codec->budgets(codec->settings, &shapes[0]);
}

/* By how many bytes this many values, sealed with `marks` more, grow under a privacy mechanism on
 * messages. A codec with budgets also sends a place of four bytes beside each value. */
static double more_when_sealed(const struct frs_codec_choice *codec, double values, size_t marks) {
    const struct frs_privacy_choice *seal = codec->seal;
    return seal ? (double)seal->mechanism->sealed_bytes(seal->settings, (size_t)values + marks) - 4 * values
                : 0;
}

unsigned frs_training_counted(const struct frs_training_setup *setup) {
    unsigned counted = 0;
    if (!frs_privacy_in(&setup->mechanisms, FRS_PRIVACY_MESSAGE) ||
        frs_learner_averaging(setup->learner) != FRS_AVERAGES_WEIGHTED ||
        setup->uplink_codec.codec->reveals_rows)
        return 0;
    for (size_t i = 0; i < frs_training_protected_parts(setup); i++)
        counted |= (unsigned)(frs_model_weighting(setup->model, i) == FRS_PER_ITEM) << i;
    return counted;
}

size_t frs_training_masked_values(const struct frs_training_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    unsigned counted = frs_training_counted(setup);
    size_t values = 0;
    for (size_t i = 0, n = frs_model_parts(setup->model, FRS_UPLOAD, shapes); i < n; i++)
        values += shapes[i].n_rows * (shapes[i].dim + (counted >> i & 1));
    return values;
}

double frs_training_predicted_bytes(const struct frs_training_setup *setup, uint32_t budget) {
    const struct frs_codec_choice *codec = &setup->uplink_codec;
    struct frs_part shapes[FRS_MAX_PARTS];
    if (setup->workload)
        return (double)frs_workload_mean_usage(setup->workload).up_bytes;
    size_t n = frs_learner_upload_parts(setup->learner, setup->model, budget, shapes);
    bool by_codec = !setup->learner->budgets && codec->codec->budgets;
    size_t marks = 0;
    double bytes = FRS_MESSAGE_HEADER_BYTES + setup->reports_loss * (double)FRS_MESSAGE_REPORT_BYTES;
    for (size_t i = 0; i < n; i++) {
        marks += codec->counted >> i & 1 ? shapes[i].n_rows : 0;
        bytes += by_codec && i == 0
                     ? (double)codec->codec->predicted_bytes(codec->settings, &shapes[i], budget)
                     : (double)(shapes[i].n_rows * shapes[i].dim * sizeof(float));
    }
    return bytes + more_when_sealed(codec, bytes / (by_codec ? 8 : 4), marks);
}

size_t frs_training_protected_parts(const struct frs_training_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t uploaded = frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    size_t shared = frs_model_parts(setup->model, FRS_STATE, shapes);
    return uploaded < shared ? uploaded : shared;
}

bool frs_training_divides_by_expectation(const struct frs_training_setup *setup) {
    return setup->cohort_varies && frs_learner_averaging(setup->learner) == FRS_AVERAGES_WEIGHTED &&
           frs_privacy_in(&setup->mechanisms, FRS_PRIVACY_AGGREGATE);
}

bool frs_training_reads_uploads(const struct frs_training_setup *setup) {
    return setup->information_loss || (setup->structure && setup->learner->sends_updates);
}

/* Error feedback, the measured loss and structure and corrections need whole uploads; privacy mechanisms may
 * work on uploads where they are decoded, or on all of them together. A learner that can train again need
 * not gather (training.uploads). */
bool frs_training_may_gather(const struct frs_training_setup *setup) {
    return setup->learner->gather && !setup->learner->trains_anew && setup->trains &&
           !setup->uplink_feedback && !frs_training_reads_uploads(setup) && setup->mechanisms.n == 0 &&
           !setup->server_step.correction.is_there && setup->waits_for_all && !setup->gossips;
}

bool frs_training_gathers(const struct frs_training_setup *setup) {
    return frs_training_may_gather(setup) && !setup->clients_drop_out;
}

size_t frs_training_sets(const struct frs_training_setup *setup, uint32_t *sizes) {
    const struct frs_codec_choice *codec = &setup->downlink_codec;
    struct frs_part shapes[FRS_MAX_PARTS];
    sizes[0] = 0;
    if (!codec->codec->sets || !setup->learner->sends_updates)
        return 1;
    frs_model_parts(setup->model, FRS_UPDATE, shapes);
    return codec->codec->sets(codec->settings, &shapes[0], sizes);
}

struct frs_feedback *frs_training_feedback(const struct frs_training_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    if (!setup->uplink_feedback)
        return NULL;
    size_t n_parts = frs_model_parts(setup->model, FRS_UPLOAD, shapes);
    return frs_feedback_create(setup->data->population.n_clients, shapes, n_parts);
}

struct frs_downlink *frs_training_downlink(const struct frs_training_setup *setup, size_t set) {
    uint32_t sizes[FRS_MAX_SETS];
    (void)frs_training_sets(setup, sizes);
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
