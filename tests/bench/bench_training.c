/* Client updates per second of processor time of every learner, one thread, without network or messages:
 * training alone.
 *
 *   bench_training [learner [key=value …]]
 *
 * Two figures: the mean over the rounds of two seconds, and the fastest round, which is more reliable
 * where the machine has other work. What clients hear of each other in a round (SemiDFEGL, exchange=mesh or
 * head) counts as training. Clients are those of a run on synthetic data, ML-100K's unless `synthetic=` names
 * others. The server aggregates after every round, so that a whole run of the same data and settings can be
 * compared with it. */
#include "algorithms/learner.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "algorithms/data/data.h"
#include "sim/base/settings/params.h"

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

struct bench {
    const struct frs_learner *learner;
    void *model;
    const struct frs_population *population;
    struct frs_tables tables;
    uint32_t round;
    uint64_t round_seed;
    struct frs_arena arena;
    double flop;
};

/* The tables that a client has been sent. */
static struct frs_tables received(const struct bench *bench, uint32_t client) {
    struct frs_tables own = frs_model_personal(bench->model, client);
    return frs_learner_join(bench->model, &bench->tables, &own);
}

static struct frs_trained train(struct bench *bench, uint32_t client) {
    const struct frs_tables tables = received(bench, client);
    struct frs_training training = {.data = &bench->population->clients[client],
        .tables = &tables,
        .round_seed = bench->round_seed,
        .round = bench->round,
        .budget = frs_learner_budgets(bench->learner, bench->model).max};
    struct frs_trained trained;
    frs_arena_reset(&bench->arena);
    frs_learner_train(bench->learner, bench->model, &training, &bench->arena, &trained);
    frs_model_receive(bench->model, client, &bench->tables, bench->round);
    frs_model_commit(bench->model, client, trained.private_state, trained.private_bytes);
    return trained;
}

static struct frs_rows keep(const struct frs_rows *rows, struct frs_arena *kept) {
    struct frs_rows copy = *rows;
    size_t n_values = rows->n * rows->dim;
    float *values = frs_arena_take(kept, n_values, sizeof *values);
    memcpy(values, rows->values, n_values * sizeof *values);
    copy.values = values;
    if (rows->ids) {
        uint32_t *ids = frs_arena_take(kept, rows->n, sizeof *ids);
        memcpy(ids, rows->ids, rows->n * sizeof *ids);
        copy.ids = ids;
    }
    return copy;
}

/* Every client trains once more, and the server aggregates: the duration of a client's training depends on
 * how much is left to learn. */
static void aggregate(struct bench *bench, struct frs_arena *kept) {
    uint32_t n = bench->population->n_clients;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows update[FRS_MAX_PARTS];
    size_t n_parts = frs_learner_upload_parts(
        bench->learner, bench->model, frs_learner_budgets(bench->learner, bench->model).max, shapes);
    frs_arena_reset(kept);
    struct frs_contribution *all = frs_arena_take_zeroed(kept, n, sizeof *all);
    for (uint32_t u = 0; u < n; u++) {
        struct frs_trained trained = train(bench, u);
        all[u] = (struct frs_contribution){.client = u,
            .samples = trained.samples,
            .round_seed = bench->round_seed,
            .base = bench->learner->uploads_updates ? NULL : &bench->tables};
        for (size_t part = 0; part < n_parts; part++)
            all[u].parts[part] = keep(&trained.upload[part], kept);
    }
    bench->learner->aggregate(bench->model, all, n, kept, update);
    if (bench->learner->sends_updates)
        frs_learner_apply(bench->learner, bench->model, &bench->tables, bench->round_seed, update, kept);
}

/* All of them take part, and hear each other. */
static void meet(struct bench *bench) {
    size_t n = bench->population->n_clients;
    uint32_t *clients = frs_alloc(n, sizeof *clients), *groups = frs_alloc(n, sizeof *groups);
    struct frs_tables *personal = frs_alloc(n, sizeof *personal);
    for (size_t u = 0; u < n; u++)
        clients[u] = (uint32_t)u;
    bench->learner->layers->assemble(bench->model, clients, n, groups);
    for (size_t u = 0; u < n; u++)
        personal[u] = frs_model_personal(bench->model, (uint32_t)u);
    bench->learner->layers->exchange(bench->model,
        &(struct frs_layer_exchange){.clients = clients, .groups = groups, .personal = personal, .n = n},
        &bench->arena);
    free(clients);
    free(groups);
    free(personal);
}

static double time_round(struct bench *bench) {
    double began_s = now_s();
    frs_arena_reset(&bench->arena);
    if (frs_learner_layer_shape(bench->learner, bench->model).layers > 0)
        meet(bench);
    for (uint32_t u = 0; u < bench->population->n_clients; u++)
        bench->flop += train(bench, u).flop;
    return now_s() - began_s;
}

static void run(const struct frs_learner *learner, const char *const *settings, const char *synthetic) {
    struct frs_data *data = load(synthetic, learner->predicts_ratings);
    struct frs_learner_setup setup = {.population = &data->population, .negatives_per_positive = 4};
    struct frs_errors errors = {0};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    struct bench bench = {.learner = learner, .population = &data->population};
    struct frs_arena kept = {0};
    double elapsed_s = 0, fastest_s = INFINITY;
    bench.model = learner->create(&values, &setup, &errors);
    if (!bench.model)
        complain(&errors);
    bench.tables = frs_model_tables(bench.model);
    for (; elapsed_s < 2; bench.round++) {
        frs_learner_broadcast(learner, bench.model, bench.round, &bench.tables);
        bench.round_seed = learner->round_seed ? learner->round_seed(bench.model, bench.round) : 0;
        double round_s = time_round(&bench);
        elapsed_s += round_s;
        fastest_s = fmin(fastest_s, round_s);
        aggregate(&bench, &kept);
    }
    double n = data->population.n_clients, updates = n * bench.round;
    printf("%-12s %9.0f updates/s  fastest round %9.0f  %6.2f Gflop/s  %7.2f Mflop/update\n",
        learner->plugin.name, updates / elapsed_s, n / fastest_s, bench.flop / elapsed_s * 1e-9,
        bench.flop / updates * 1e-6);
    frs_arena_fini(&kept);
    frs_arena_fini(&bench.arena);
    frs_model_destroy(bench.model);
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
