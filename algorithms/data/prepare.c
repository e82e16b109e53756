/* Preparation: what becomes of rows before they are split, and the split at one date for all. */
#include "algorithms/data/load_internal.h"
#include "algorithms/data/settings.h"
#include "sim/base/date.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one date for all ------------------------------------------------------------------------ */

/* The time of the first interaction behind this share of all of them. */
static double time_behind(const struct frs_interactions *interactions, double share) {
    size_t n = interactions->n, at = (size_t)(share * (double)n);
    double *times = frs_alloc(n, sizeof *times);
    memcpy(times, interactions->times, n * sizeof *times);
    qsort(times, n, sizeof *times, frs_compare_doubles);
    double time = times[at < n ? at : n - 1];
    free(times);
    return time;
}

/* NaN where the key is empty. */
static enum frs_status read_time(const struct frs_load *load, const char *key, double *time) {
    const char *text = frs_values_text(load->data, key);
    double share;
    char *end, line[48];
    *time = NAN;
    if (!*text || frs_date_read(text, strlen(text), time))
        return FRS_OK;
    if (frs_percentage_read(text, &share) && share > 0 && share < 1) {
        *time = time_behind(&load->interactions, share);
        return FRS_OK;
    }
    double number = frs_decimal_read(text, 1, 0, &end);
    if (end == text || *end || !isfinite(number))
        return frs_values_error(load->data, key, load->errors,
            "\"%s\" is no time; allowed: a number as in the data, a date such as 2019-06-30, or a share such "
            "as \"80 %%\"",
            frs_text_line(text, line, sizeof line));
    *time = number;
    return FRS_OK;
}

/* When test and validation begin; the latter is that of test where there is none. */
static enum frs_status read_times(struct frs_load *load) {
    if (!load->interactions.times)
        return frs_values_error(
            load->data, "split", load->errors, "date needs times, which this data does not have");
    enum frs_status status = read_time(load, "test_from", &load->test_from);
    if (status == FRS_OK)
        status = read_time(load, "validation_from", &load->validation_from);
    if (status != FRS_OK)
        return status;
    if (isnan(load->test_from))
        return frs_values_error(load->data, "test_from", load->errors,
            "is missing; split = \"date\" needs the time from which interactions are test");
    if (isnan(load->validation_from))
        load->validation_from = load->test_from;
    else if (load->validation_from >= load->test_from)
        return frs_values_error(load->data, "validation_from", load->errors,
            "is not before data.test_from: nothing is validation");
    return FRS_OK;
}

static enum frs_status keep_trained(struct frs_load *load) {
    enum frs_status status = read_times(load);
    if (status != FRS_OK)
        return status;
    frs_interactions_keep_before(&load->interactions, load->validation_from);
    frs_load_note_left(
        load, "older", load->validation_from < load->test_from ? "validation_from" : "test_from");
    if (load->interactions.n > 0)
        return FRS_OK;
    return frs_values_error(load->data,
        load->validation_from < load->test_from ? "validation_from" : "test_from", load->errors,
        "no interaction is older: nothing is left to train on");
}

enum frs_status frs_load_split_by_date(struct frs_load *load, uint8_t *parts) {
    const struct frs_interactions *interactions = &load->interactions;
    size_t n_test = 0;
    for (size_t i = 0; i < interactions->n; i++) {
        double time = interactions->times[i];
        parts[i] = time >= load->test_from         ? FRS_PART_TEST
                   : time >= load->validation_from ? FRS_PART_VALIDATION
                                                   : FRS_PART_TRAINING;
        n_test += parts[i] == FRS_PART_TEST;
    }
    load->out->order = "date split";
    if (n_test > 0)
        return FRS_OK;
    return frs_values_error(load->data, "test_from", load->errors,
        "no user with older interactions has one from then on: nothing is test");
}

uint64_t frs_load_split_seed(const struct frs_load *load) {
    int64_t seed = frs_values_int(load->data, "split_seed");
    return seed < 0 ? load->seed : (uint64_t)seed;
}

/* ---- rows ------------------------------------------------------------------------------------ */

bool frs_load_prepares(const struct frs_load *load) {
    const struct frs_values *data = load->data;
    bool by_date = frs_values_choice(data, "split") == FRS_DATE,
         unrated = !isnan(frs_values_real(data, "unrated")),
         threshold = !isnan(frs_values_real(data, "positive_from")),
         core = frs_values_int(data, "min_users_per_item") > 1;
    (void)frs_values_choice(data, "repeated"); /* generated pairs are distinct */
    if (!by_date)
        (void)frs_load_split_seed(load);
    return by_date || unrated || threshold || core;
}

struct frs_preparation frs_load_preparation(const struct frs_values *data, bool implicit) {
    return (struct frs_preparation){.unrated = frs_values_real(data, "unrated"),
        .implicit = implicit,
        .positive_from = implicit ? frs_values_real(data, "positive_from") : NAN,
        .repeated = (enum frs_repeated)frs_values_choice(data, "repeated"),
        .min_interactions = (size_t)frs_values_int(data, "min_interactions"),
        .min_users_per_item = (size_t)frs_values_int(data, "min_users_per_item")};
}

enum frs_status frs_load_prepare(struct frs_load *load) {
    const struct frs_values *data = load->data;
    struct frs_preparation preparation = frs_load_preparation(data, !load->out->explicit_feedback);
    load->out->has_threshold = !isnan(preparation.positive_from);
    load->out->has_core = preparation.min_users_per_item > 1;
    load->out->repeated = preparation.repeated;
    frs_load_note_values(load, &preparation);
    frs_interactions_prepare(&load->rows, &preparation, &load->interactions);
    frs_load_note_prepared(load, &preparation);
    if (load->interactions.n > 0)
        return frs_values_choice(data, "split") == FRS_DATE ? keep_trained(load) : FRS_OK;
    if (preparation.min_users_per_item > 1)
        return frs_values_error(data, "min_users_per_item", load->errors,
            "no users with %zu or more of the items that %zu or more of them have; nothing is left",
            preparation.min_interactions, preparation.min_users_per_item);
    return frs_values_error(data, "min_interactions", load->errors,
        "no user has %zu or more interactions; nothing is left%s", preparation.min_interactions,
        load->interactions.n_ignored > 0 ? isnan(preparation.positive_from)
                                               ? " (rows without positive value are no interactions)"
                                               : " (rows below data.positive_from are no interactions)"
                                         : "");
}
