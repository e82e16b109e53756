/* The cost of training by another program: microseconds of real time for a participation, one thread,
 * beside built-in methods under the same settings.
 *
 *   bench_external SECONDS METHOD ...
 *
 * METHOD is the name of a built-in method, or the command of an external one after NAME=, the name that is
 * printed. Clients are those of a run on synthetic data as ML-100K, each of which trains again and again
 * on the initial tables. Programs are measured in turn within each of five periods, so that other work on
 * the machine affects all of them. */
#include "algorithms/data/data.h"
#include "algorithms/external.h"
#include "sim/base/clock.h"
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/external/external.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIODS 5

struct subject {
    const char *name;
    const struct frs_learner *learner;
    void *model;
    struct frs_arena arena;
    uint32_t next; /* client */
    double n, s, fastest_s;
};

static _Noreturn void complain(const char *what) {
    fprintf(stderr, "bench_external: %s\n", what);
    exit(2);
}

static struct frs_data *load(void) {
    const char *const keys[] = {"synthetic", "ml-100k", NULL}, *const none[] = {NULL};
    struct frs_values data = frs_values_of(frs_data_params, keys),
                      evaluation = frs_values_of(frs_evaluation_params, none);
    struct frs_errors errors = {0};
    struct frs_data *loaded;
    if (frs_data_load(&data, &evaluation, 1, &loaded, &errors))
        complain(errors.lines[0]);
    frs_values_fini(&data);
    frs_values_fini(&evaluation);
    return loaded;
}

static struct subject create(const char *text, const struct frs_data *data) {
    const char *equals = strchr(text, '='), *command = equals ? equals + 1 : NULL;
    struct subject s = {.name = text, .fastest_s = INFINITY};
    char why[1024];
    for (size_t i = 0; !command && frs_learners[i]; i++)
        if (strcmp(frs_learners[i]->plugin.name, text) == 0)
            s.learner = frs_learners[i];
    if (command) /* a learner begins with its plug-in */
        s.learner = (const struct frs_learner *)(const void *)frs_external_plugin(command, why, sizeof why);
    if (!s.learner)
        complain(command ? why : "there is no such method");
    const char *const settings[] = {command ? "command" : NULL, command, NULL};
    struct frs_values values = frs_values_of(s.learner->plugin.params, settings);
    struct frs_learner_setup setup = {
        .population = &data->population, .negatives_per_positive = 4, .external = s.learner->external};
    struct frs_errors errors = {0};
    s.model = s.learner->create(&values, &setup, &errors);
    if (!s.model)
        complain(errors.lines[0]);
    frs_values_fini(&values);
    return s;
}

static void train_for(struct subject *s, const struct frs_population *population, double seconds) {
    struct frs_tables tables = frs_model_tables(s->model);
    double began_s = frs_wall_s(), elapsed_s = 0;
    uint32_t n = 0;
    for (; elapsed_s < seconds; n++) {
        struct frs_training training = {.data = &population->clients[s->next], .tables = &tables, .round = n};
        struct frs_trained trained;
        frs_arena_reset(&s->arena);
        frs_learner_train(s->learner, s->model, &training, &s->arena, &trained);
        if (!isfinite(trained.loss))
            complain(frs_learner_failure(s->learner, s->model));
        s->next = (s->next + 1) % population->n_clients;
        elapsed_s = frs_wall_s() - began_s;
    }
    s->n += n;
    s->s += elapsed_s;
    s->fastest_s = fmin(s->fastest_s, elapsed_s / n);
}

int main(int argc, char **argv) {
    size_t n = argc > 2 ? (size_t)argc - 2 : 0;
    if (n == 0)
        complain("usage: bench_external SECONDS METHOD|NAME=COMMAND ...");
    double seconds = strtod(argv[1], NULL);
    struct subject *subjects = frs_alloc(n, sizeof *subjects);
    frs_consent_give();
    struct frs_data *data = load();
    for (size_t i = 0; i < n; i++)
        subjects[i] = create(argv[i + 2], data);
    for (int period = 0; period < PERIODS; period++)
        for (size_t i = 0; i < n; i++)
            train_for(&subjects[i], &data->population, seconds / PERIODS);
    for (size_t i = 0; i < n; i++) {
        struct subject *s = &subjects[i];
        printf("%-16.*s %9.1f us  fastest period %9.1f us  %9.0f updates/s\n", (int)strcspn(s->name, "="),
            s->name, 1e6 * s->s / s->n, 1e6 * s->fastest_s, s->n / s->s);
        frs_model_destroy(s->model);
        frs_arena_fini(&s->arena);
    }
    frs_data_destroy(data);
    free(subjects);
    return 0;
}
