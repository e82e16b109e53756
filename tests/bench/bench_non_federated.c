/* Training samples per second of processor time of the recommenders without federation that train in epochs,
 * one thread: on a run's synthetic data (ML-100K's unless `synthetic=` names others), with the paper's
 * defaults.
 *
 *   bench_non_federated [recommender [key=value …]]
 *
 * A sample is a positive or a sampled negative of a user; of LightGCN's bpr it is a pair of both. Drawing and
 * shuffling them belongs to their epoch; what is done once (initial values, the graph, the last averages)
 * does not: a fit without epochs is subtracted. Figures of different recommenders, losses or batches compare
 * the work of a sample, not what is learned from it. Epochs double until they take two seconds; `epochs=`
 * gives a number, for tools that count instructions. */
#include "algorithms/data/data.h"
#include "algorithms/non_federated.h"
#include "algorithms/non_federated/epoch_samples.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEAST_S 2

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void complain(const struct frs_errors *errors) {
    frs_errors_print(errors, stderr);
    exit(2);
}

static struct frs_data *load(const char *synthetic) {
    const char *const keys[] = {"synthetic", synthetic, NULL}, *const none[] = {NULL};
    struct frs_values data = frs_values_of(frs_data_params, keys),
                      evaluation = frs_values_of(frs_evaluation_params, none);
    struct frs_errors errors = {0};
    struct frs_data *loaded;
    if (frs_data_load(&data, &evaluation, 1, &loaded, &errors))
        complain(&errors);
    frs_values_fini(&data);
    frs_values_fini(&evaluation);
    return loaded;
}

/* Settings: pairs ended by NULL, with room for another two. */
struct subject {
    const struct frs_non_federated_model *baseline;
    const struct frs_population *population;
    const char **settings;
    size_t n_settings;
};

static double fit_s(struct subject *subject, unsigned epochs) {
    char *number = frs_format("%u", epochs);
    subject->settings[subject->n_settings] = "epochs";
    subject->settings[subject->n_settings + 1] = number;
    subject->settings[subject->n_settings + 2] = NULL;
    struct frs_values values = frs_values_of(subject->baseline->plugin.params, subject->settings);
    struct frs_errors errors = {0};
    if (subject->baseline->check && subject->baseline->check(&values, &errors))
        complain(&errors);
    double began_s = now_s();
    subject->baseline->destroy(subject->baseline->fit(&values, subject->population, NULL));
    double took_s = now_s() - began_s;
    frs_values_fini(&values);
    free(number);
    subject->settings[subject->n_settings] = NULL;
    return took_s;
}

static bool learns_from_pairs(const struct subject *subject, const struct frs_values *values) {
    return strcmp(subject->baseline->plugin.name, "lightgcn") == 0 &&
           strcmp(frs_values_text(values, "loss"), "bpr") == 0;
}

static void run(
    const char *name, const char **settings, size_t n_settings, unsigned epochs, const char *synthetic) {
    struct frs_data *data = load(synthetic);
    struct subject subject = {frs_non_federated_model_find(name), &data->population, settings, n_settings};
    struct frs_values values = frs_values_of(subject.baseline->plugin.params, settings);
    bool pairs = learns_from_pairs(&subject, &values);
    struct frs_epoch_samples drawn = {.population = subject.population,
        .negatives = pairs ? 0 : (size_t)frs_values_int(&values, "negatives")};
    frs_epoch_samples_draw(&drawn, 0);
    double once_s = fit_s(&subject, 0), took_s = fit_s(&subject, epochs ? epochs : 1);
    unsigned n = epochs ? epochs : 1;
    while (!epochs && took_s - once_s < LEAST_S)
        took_s = fit_s(&subject, n *= 2);
    double epoch_s = (took_s - once_s) / n;
    printf("%-14s %10.0f %s/s  %8.4f s/epoch  %7zu %s/epoch  %u epochs\n", name, (double)drawn.n / epoch_s,
        pairs ? "pairs" : "samples", epoch_s, drawn.n, pairs ? "pairs" : "samples", n);
    frs_epoch_samples_fini(&drawn);
    frs_values_fini(&values);
    frs_data_destroy(data);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"centralised_mf", "ncf", "lightgcn", "centrap"};
    const char **settings = frs_alloc(2 * (size_t)argc + 4, sizeof *settings), *synthetic = "ml-100k";
    size_t n = 0, n_run = 0;
    unsigned epochs = 0;
    for (int i = 2; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals) {
            fprintf(stderr, "usage: bench_non_federated [recommender [key=value …]]\n");
            return 2;
        }
        *equals = '\0';
        if (strcmp(argv[i], "synthetic") == 0)
            synthetic = equals + 1;
        else if (strcmp(argv[i], "epochs") == 0)
            epochs = (unsigned)strtoul(equals + 1, NULL, 10);
        else {
            settings[n++] = argv[i];
            settings[n++] = equals + 1;
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (argc < 2 || strcmp(argv[1], names[i]) == 0) {
            run(names[i], settings, n, epochs, synthetic);
            n_run++;
        }
    free(settings);
    if (n_run == 0)
        fprintf(
            stderr, "bench_non_federated: of centralised_mf, ncf, lightgcn and centrap, not %s\n", argv[1]);
    return n_run == 0 ? 2 : 0;
}
