/* Loading from files: which ones a scenario names, a split that they give, and negatives that they have. */
#include "algorithms/data/cached.h"
#include "algorithms/data/formats/format.h"
#include "algorithms/data/given_negatives.h"
#include "algorithms/data/load_internal.h"
#include "algorithms/data/settings.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/path.h"

#include <stdlib.h>
#include <string.h>

/* Before anything is read, where the format was asked for. */
static enum frs_status check_counts(const struct frs_load *load) {
    size_t format = frs_values_choice(load->data, "format");
    if (!load->out->explicit_feedback || format < FRS_FORMAT_FIRST_FILE)
        return FRS_OK;
    const struct frs_data_format *asked = frs_data_format_at(format - FRS_FORMAT_FIRST_FILE);
    if (strcmp(asked->name, "csv") == 0 && !*frs_values_text(load->data, "csv_value"))
        return frs_values_error(load->data, "feedback", load->errors,
            "explicit needs ratings; name their column in data.csv_value");
    if (!asked->counts)
        return FRS_OK;
    return frs_values_error(load->data, "feedback", load->errors, "%s has no ratings; use implicit",
        frs_values_text(load->data, "format"));
}

static enum frs_status check_explicit(const struct frs_load *load) {
    if (!load->out->explicit_feedback || load->rows.rated)
        return FRS_OK;
    return frs_values_error(load->data, "feedback", load->errors,
        "explicit needs ratings, and this file has none (%s); use implicit, or name their column in "
        "data.csv_value",
        load->rows.layout);
}

enum frs_status frs_load_find_files(const struct frs_load *load, const char *paths[FRS_DATA_FILES]) {
    static const char *const keys[FRS_DATA_FILES] = {"path", "validation_path", "test_path"};
    for (int i = 0; i < FRS_DATA_FILES; i++) {
        paths[i] = frs_values_path(load->data, keys[i], load->errors);
        if (!paths[i])
            return FRS_ERR_INPUT;
        if (!*paths[i])
            paths[i] = NULL;
    }
    if (!paths[FRS_FILE_ALL])
        return frs_values_error(
            load->data, "path", load->errors, "is missing; this format is read from a file");
    if (paths[FRS_FILE_VALIDATION] && !paths[FRS_FILE_TEST])
        return frs_values_error(
            load->data, "validation_path", load->errors, "needs data.test_path: both give the split");
    return FRS_OK;
}

static void note_input(struct frs_data *data, const char *key, const char *path, struct frs_digest digest) {
    data->inputs[data->n_inputs++] =
        (struct frs_data_input){.key = key, .path = frs_strdup(path), .digest = digest};
}

/* Whether a file has the evaluation's negatives. */
bool frs_load_names_negatives(const struct frs_load *load) {
    return !load->out->explicit_feedback && *frs_values_find(load->evaluation, "negatives_path")->text &&
           frs_values_choice(load->evaluation, "candidates") == FRS_CANDIDATES_SAMPLED;
}

enum frs_status frs_load_read_files(struct frs_load *load) {
    static const char *const keys[FRS_DATA_FILES] = {"data.path", "data.validation_path", "data.test_path"};
    const char *paths[FRS_DATA_FILES];
    struct frs_digest digests[FRS_DATA_FILES];
    enum frs_status status = check_counts(load);
    if (status == FRS_OK)
        status = frs_load_find_files(load, paths);
    struct frs_read_ids *ids = frs_load_names_negatives(load) ? &load->ids : NULL;
    if (status == FRS_OK)
        status = frs_cached_rows(load->data, paths, &load->rows, ids, digests, load->errors);
    for (int i = 0; i < FRS_DATA_FILES && status == FRS_OK; i++)
        if (paths[i])
            note_input(load->out, keys[i], paths[i], digests[i]);
    if (status != FRS_OK)
        return status;
    load->source = frs_strdup(load->rows.layout);
    load->notes = frs_strdup(load->rows.notes ? load->rows.notes : "");
    return check_explicit(load);
}

/* Results that are kept for this data set belong to these negatives, too. */
static void add_to_hash(struct frs_data *data, const struct frs_digest *digest) {
    struct frs_digester digester = frs_digester_init();
    char text[FRS_DIGEST_TEXT];
    frs_digester_add_text(&digester, data->hash);
    frs_digester_add(&digester, digest->bytes, sizeof digest->bytes);
    struct frs_digest both = frs_digester_finish(&digester);
    free(data->hash);
    data->hash = frs_format("%.16s", frs_digest_text(&both, text));
}

enum frs_status frs_load_read_negatives(struct frs_load *load) {
    const char *path = frs_values_path(load->evaluation, "negatives_path", load->errors);
    struct frs_digest digest;
    if (!path)
        return FRS_ERR_INPUT;
    if (frs_data_is_generated(load->data))
        return frs_values_error(load->evaluation, "negatives_path", load->errors,
            "needs data from a file (data.path), whose users and items it names");
    if (!load->given && frs_values_choice(load->data, "split") != FRS_LEAVE_ONE_OUT)
        return frs_values_error(load->evaluation, "negatives_path", load->errors,
            "needs a split that does not change with the seed: data.test_path, or leave-one-out");
    enum frs_status status =
        frs_given_negatives_read(load->out, &load->ids, &load->interactions, path, &digest, load->errors);
    if (status != FRS_OK)
        return status;
    note_input(load->out, "evaluation.negatives_path", path, digest);
    add_to_hash(load->out, &digest);
    return FRS_OK;
}

/* A test file gives the split, whatever the default is. */
enum frs_status frs_load_check_given(struct frs_load *load, bool synthetic) {
    const struct frs_value *split = frs_values_find(load->data, "split");
    bool asked = frs_values_choice(load->data, "split") == FRS_GIVEN,
         has_file = !synthetic && *frs_values_text(load->data, "test_path");
    if (asked && !has_file)
        return frs_values_error(load->data, "split", load->errors,
            "given needs a file with the test interactions (data.test_path, beside data.path)");
    if (has_file && split->given && !asked)
        return frs_values_error(load->data, "split", load->errors,
            "data.test_path gives the split; leave it out, or set data.split = \"given\"");
    load->given = has_file;
    return FRS_OK;
}

enum frs_status frs_load_split_as_given(struct frs_load *load, uint8_t *parts) {
    static const uint8_t of_given[] = {FRS_PART_TRAINING, FRS_PART_VALIDATION, FRS_PART_TEST};
    size_t n_test = 0;
    for (size_t i = 0; i < load->interactions.n; i++) {
        parts[i] = of_given[frs_interactions_given_part(&load->interactions, i)];
        n_test += parts[i] == FRS_PART_TEST;
    }
    load->out->order = "given split";
    if (n_test > 0)
        return FRS_OK;
    return frs_values_error(load->data, "test_path", load->errors,
        "no user with a training interaction has a test interaction that is left: nothing is test");
}
