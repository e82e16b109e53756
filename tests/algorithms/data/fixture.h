/* What the tests of data share: data sets from settings or from text, and a one-line evaluation of a
 * baseline. */
#ifndef FRS_TESTS_ALGORITHMS_DATA_FIXTURE_H
#define FRS_TESTS_ALGORITHMS_DATA_FIXTURE_H

#include "algorithms/metrics/metrics.h"
#include "algorithms/non_federated.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "algorithms/data/data.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Settings as for frs_values_of: pairs ended by NULL. */
#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_SETTINGS ((const char *const[]){NULL})

static inline struct frs_values section(
    const char *name, const struct frs_param *params, const char *const *settings) {
    struct frs_values values = frs_values_of(params, settings);
    free(values.section);
    values.section = frs_strdup(name);
    return values;
}

static inline enum frs_status try_load(const char *const *data, const char *const *evaluation, uint64_t seed,
    struct frs_data **out, struct frs_errors *errors) {
    struct frs_values data_values = section("data", frs_data_params, data);
    struct frs_values evaluation_values = section("evaluation", frs_evaluation_params, evaluation);
    enum frs_status status = frs_data_load(&data_values, &evaluation_values, seed, out, errors);
    frs_values_fini(&data_values);
    frs_values_fini(&evaluation_values);
    return status;
}

static inline struct frs_data *load(const char *const *data, const char *const *evaluation, uint64_t seed) {
    struct frs_errors errors = {0};
    struct frs_data *out;
    enum frs_status status = try_load(data, evaluation, seed, &out, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    ck_assert_uint_eq(errors.n, 0);
    return out;
}

/* The loading must fail, and the first line must contain `text`. */
static inline void load_fails(const char *const *data, const char *const *evaluation, const char *text) {
    struct frs_errors errors = {0};
    struct frs_data *out;
    ck_assert_int_eq(try_load(data, evaluation, 1, &out, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_null(out);
    ck_assert_uint_ge(errors.n, 1);
    ck_assert_msg(strstr(errors.lines[0], text), "\"%s\" is not in: %s", text, errors.lines[0]);
    frs_errors_clear(&errors);
}

/* A temporary file; the caller removes and frees it with remove_file. */
static inline char *write_file(const char *content, size_t n) {
    const char *folder = getenv("TMPDIR");
    char *path = frs_format("%s/frs-data-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, content, n), (ssize_t)n);
    close(file);
    return path;
}

static inline void remove_file(char *path) {
    unlink(path);
    free(path);
}

static inline bool is_among(const uint32_t *items, size_t n, uint32_t item) {
    for (size_t i = 0; i < n; i++)
        if (items[i] == item)
            return true;
    return false;
}

static inline bool is_held_out(const struct frs_data *data, uint32_t client, uint32_t item) {
    const struct frs_held_out *parts[] = {&data->validation, &data->test};
    for (int i = 0; i < 2; i++) {
        size_t begin = parts[i]->start[client];
        if (is_among(parts[i]->items + begin, parts[i]->start[client + 1] - begin, item))
            return true;
    }
    return false;
}

static inline const uint32_t *negatives_of(const struct frs_data *data, uint32_t client) {
    return data->negatives + client * data->n_negatives;
}

struct quality {
    double hit, ndcg;
};

/* The quality of a fitted baseline over all test items: among the sampled negatives, or (`full`) among all
 * items the client does not have in training or validation. */
static inline struct quality evaluate(const struct frs_non_federated_model *baseline, const void *model,
    const struct frs_data *data, bool full) {
    uint32_t n_items = data->population.n_items, *items = frs_alloc(n_items + 1, sizeof *items);
    float *scores = frs_alloc(n_items + 1, sizeof *scores);
    char *taken = frs_alloc(n_items, 1);
    struct quality quality = {0};
    size_t n_tests = data->test.start[data->population.n_clients];
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const struct frs_client_data *own = &data->clients[client];
        for (size_t t = data->test.start[client]; t < data->test.start[client + 1]; t++) {
            size_t n = 1;
            items[0] = data->test.items[t];
            memset(taken, 0, n_items);
            taken[items[0]] = 1;
            for (size_t i = 0; i < own->n; i++)
                taken[own->items[i]] = 1;
            for (size_t i = data->validation.start[client]; i < data->validation.start[client + 1]; i++)
                taken[data->validation.items[i]] = 1;
            for (uint32_t item = 0; full && item < n_items; item++)
                if (!taken[item])
                    items[n++] = item;
            for (size_t i = 0; !full && i < data->n_negatives; i++)
                items[n++] = data->negatives[client * data->n_negatives + i];
            baseline->score(model, client, items, n, scores);
            size_t rank = frs_metric_rank(scores, n, 0);
            quality.hit += (double)(rank <= 10) / (double)n_tests;
            quality.ndcg += (rank <= 10 ? 1 / log2((double)rank + 1) : 0) / (double)n_tests;
        }
    }
    free(items);
    free(scores);
    free(taken);
    return quality;
}

static inline void *fit(const struct frs_non_federated_model *baseline, const struct frs_data *data,
    const char *const *settings) {
    struct frs_values values = frs_values_of(baseline->plugin.params, settings);
    void *model = baseline->fit(&values, &data->population, NULL);
    frs_values_fini(&values);
    return model;
}

static inline struct quality quality_of(const char *name, const struct frs_data *data, bool full) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(name);
    ck_assert_ptr_nonnull(baseline);
    void *model = fit(baseline, data, NULL);
    struct quality quality = evaluate(baseline, model, data, full);
    baseline->destroy(model);
    return quality;
}

#endif
