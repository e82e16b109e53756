/* Client updates per second of processor time of every learner, one thread, without network or messages:
 * training alone.
 *
 *   bench_training [learner [key=value …]]
 *
 * Two figures: the mean over the rounds of two seconds, and the fastest round, which says more where the
 * machine has other work. Clients are those of a run on synthetic data, ML-100K's unless `synthetic=` names others, so
 * that a whole run of the same data and settings can be held against it. */
#include "algorithms/learner.h"
#include "sim/base/memory.h"
#include "sim/data/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void complain(const struct frs_errors *errors) {
    frs_errors_print(errors, stderr);
    exit(2);
}

static struct frs_data *load(const char *synthetic, bool ratings) {
    const char *const keys[] = {"synthetic", synthetic, "feedback", ratings ? "explicit" : "implicit",
        "split", ratings ? "ratio" : "leave-one-out", NULL};
    const char *const none[] = {NULL};
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

static void run(const struct frs_learner *learner, const char *const *settings, const char *synthetic) {
    struct frs_data *data = load(synthetic, learner->predicts_ratings);
    const struct frs_population *population = &data->population;
    struct frs_learner_setup setup = {.population = population, .negatives_per_positive = 4};
    struct frs_errors errors = {0};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    void *model = learner->create(&values, &setup, &errors);
    if (!model)
        complain(&errors);
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    double flop = 0, begin_s = now_s(), elapsed_s = 0, fastest_s = INFINITY;
    size_t updates = 0;
    for (uint32_t round = 0; elapsed_s < 2; round++) {
        double round_s = now_s();
        frs_learner_broadcast(learner, model, round, &tables);
        uint64_t round_seed = learner->round_seed ? learner->round_seed(model, round) : 0;
        for (uint32_t u = 0; u < population->n_clients; u++, updates++) {
            struct frs_training training = {.data = &population->clients[u],
                .tables = &tables,
                .round_seed = round_seed,
                .round = round,
                .budget = frs_learner_budgets(learner, model).max};
            struct frs_trained trained;
            frs_arena_reset(&arena);
            frs_learner_train(learner, model, &training, &arena, &trained);
            frs_model_receive(model, u, &tables, 0);
            frs_model_commit(model, u, trained.private_state, trained.private_bytes);
            flop += trained.flop;
        }
        elapsed_s = now_s() - begin_s;
        fastest_s = fmin(fastest_s, now_s() - round_s);
    }
    printf("%-12s %9.0f updates/s  fastest round %9.0f  %6.2f Gflop/s  %7.2f Mflop/update\n",
        learner->plugin.name, (double)updates / elapsed_s, population->n_clients / fastest_s,
        flop / elapsed_s * 1e-9, flop / (double)updates * 1e-6);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    frs_values_fini(&values);
    frs_data_destroy(data);
}

int main(int argc, char **argv) {
    const char **settings = frs_alloc(2 * (size_t)argc + 2, sizeof *settings), *synthetic = "ml-100k";
    for (int i = 2, n = 0; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals) {
            fprintf(stderr, "usage: bench_training [learner [key=value …]]\n");
            return 2;
        }
        *equals = '\0';
        if (strcmp(argv[i], "synthetic") == 0) {
            synthetic = equals + 1;
            continue;
        }
        settings[n++] = argv[i];
        settings[n++] = equals + 1;
    }
    for (size_t i = 0; frs_learners[i]; i++)
        if (argc < 2 || strcmp(argv[1], frs_learners[i]->plugin.name) == 0)
            run(frs_learners[i], settings, synthetic);
    free(settings);
    return 0;
}
