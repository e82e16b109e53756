/* Client updates per second of processor time of every learner, one thread, without network or messages:
 * training alone.
 *
 *   bench_training [learner [key=value …]]
 *
 * Two figures: the mean over the rounds of two seconds, and the fastest round, which says more where the
 * machine has other work. Clients are of ML-100K's size: 943 with about 104 training items among 1682. */
#include "algorithms/learner.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_CLIENTS 943u
#define N_ITEMS 1682u

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Log-normal activity with ML-100K's median of 65 and mean of 106 interactions; items uniform. */
static struct frs_client_data *make_clients(void) {
    struct frs_client_data *clients = frs_alloc(N_CLIENTS, sizeof *clients);
    for (uint32_t u = 0; u < N_CLIENTS; u++) {
        struct frs_rng rng = frs_rng_stream(1, u, 0, 0, FRS_RNG_TEST);
        double n = 65 * exp(0.95 * frs_rng_normal(&rng));
        uint32_t count = (uint32_t)(n < 18 ? 18 : n > 700 ? 700 : n);
        uint32_t *items = frs_alloc(count, sizeof *items);
        frs_rng_sample(&rng, N_ITEMS, count, items);
        qsort(items, count, sizeof *items, ascending);
        float *ratings = frs_alloc(count, sizeof *ratings);
        for (uint32_t i = 0; i < count; i++)
            ratings[i] = 1 + (float)frs_rng_below(&rng, 5);
        clients[u] = (struct frs_client_data){.client = u,
            .items = items,
            .ratings = ratings,
            .n = count,
            .excluded = items,
            .n_excluded = count};
    }
    return clients;
}

static void run(
    const struct frs_learner *learner, const char *const *settings, struct frs_client_data *clients) {
    struct frs_population population = {.n_clients = N_CLIENTS,
        .n_items = N_ITEMS,
        .clients = clients,
        .rating_min = 1,
        .rating_max = 5,
        .seed = 1};
    struct frs_learner_setup setup = {.population = &population, .negatives_per_positive = 4};
    struct frs_errors errors = {0};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    void *model = learner->create(&values, &setup, &errors);
    if (!model) {
        frs_errors_print(&errors, stderr);
        exit(2);
    }
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    double flop = 0, begin_s = now_s(), elapsed_s = 0, fastest_s = INFINITY;
    size_t updates = 0;
    for (uint32_t round = 0; elapsed_s < 2; round++) {
        double round_s = now_s();
        frs_learner_broadcast(learner, model, round, &tables);
        uint64_t round_seed = learner->round_seed ? learner->round_seed(model, round) : 0;
        for (uint32_t u = 0; u < N_CLIENTS; u++, updates++) {
            struct frs_training training = {
                .data = &clients[u], .tables = &tables, .round_seed = round_seed, .round = round};
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
        learner->plugin.name, (double)updates / elapsed_s, N_CLIENTS / fastest_s, flop / elapsed_s * 1e-9,
        flop / (double)updates * 1e-6);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    frs_values_fini(&values);
}

int main(int argc, char **argv) {
    struct frs_client_data *clients = make_clients();
    const char **settings = frs_alloc(2 * (size_t)argc + 2, sizeof *settings);
    for (int i = 2, n = 0; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals) {
            fprintf(stderr, "usage: bench_training [learner [key=value …]]\n");
            return 2;
        }
        *equals = '\0';
        settings[n++] = argv[i];
        settings[n++] = equals + 1;
    }
    for (size_t i = 0; frs_learners[i]; i++)
        if (argc < 2 || strcmp(argv[1], frs_learners[i]->plugin.name) == 0)
            run(frs_learners[i], settings, clients);
    for (uint32_t u = 0; u < N_CLIENTS; u++) {
        free((void *)(uintptr_t)clients[u].items);
        free((void *)(uintptr_t)clients[u].ratings);
    }
    free(clients);
    free(settings);
    return 0;
}
