#include "algorithms/non_federated/epoch_samples.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* There is room. */
static void push(struct frs_epoch_samples *drawn, uint32_t user, uint32_t item, uint32_t label) {
    drawn->samples[drawn->n++] = (struct frs_sample){user, item << 1 | label};
}

/* Negatives of one positive: distinct, not excluded; fewer when the user has excluded nearly everything. */
static void push_negatives(
    struct frs_epoch_samples *drawn, const struct frs_client_data *user, struct frs_rng *rng) {
    size_t free_items = drawn->population->n_items - user->n_excluded, first = drawn->n;
    size_t wanted = drawn->negatives < free_items ? drawn->negatives : free_items;
    while (drawn->n < first + wanted) {
        uint32_t item = frs_rng_below(rng, drawn->population->n_items);
        bool taken = drawn->mark[item] == drawn->stamp;
        for (size_t i = first; i < drawn->n && !taken; i++)
            taken = drawn->samples[i].item >> 1 == item;
        if (!taken)
            push(drawn, user->client, item, 0);
    }
}

/* Places are drawn some time before they are needed: until then they have come from memory. */
#define AHEAD 16u

static void shuffle(struct frs_epoch_samples *all, uint32_t epoch) {
    struct frs_rng rng =
        frs_rng_stream(all->population->seed, FRS_RNG_SERVER, epoch, 1, FRS_RNG_NON_FEDERATED);
    size_t places[AHEAD], n = all->n, drawn = n;
    for (size_t i = n; i > 1; i--) {
        for (; drawn > 1 && drawn + AHEAD > i; drawn--) {
            places[drawn % AHEAD] = frs_rng_u64(&rng) % drawn; /* bias below 2^-30 */
            __builtin_prefetch(&all->samples[places[drawn % AHEAD]], 1);
        }
        struct frs_sample swap = all->samples[i - 1];
        all->samples[i - 1] = all->samples[places[i % AHEAD]];
        all->samples[places[i % AHEAD]] = swap;
    }
}

void frs_epoch_samples_draw(struct frs_epoch_samples *drawn, uint32_t epoch) {
    const struct frs_population *population = drawn->population;
    if (!drawn->mark)
        drawn->mark = frs_alloc(population->n_items, sizeof *drawn->mark);
    drawn->n = 0;
    for (uint32_t client = 0; client < population->n_clients; client++) {
        const struct frs_client_data *user = &population->clients[client];
        struct frs_rng rng = frs_rng_stream(population->seed, client, epoch, 0, FRS_RNG_NON_FEDERATED);
        if (++drawn->stamp == 0) { /* after 2^32 users in all */
            memset(drawn->mark, 0, population->n_items * sizeof *drawn->mark);
            drawn->stamp = 1;
        }
        for (size_t i = 0; i < user->n_excluded; i++)
            drawn->mark[user->excluded[i]] = drawn->stamp;
        drawn->samples = frs_grow(drawn->samples, drawn->n + user->n * (1 + drawn->negatives),
            &drawn->capacity, sizeof *drawn->samples);
        for (size_t i = 0; i < user->n; i++) {
            push(drawn, client, user->items[i], 1);
            push_negatives(drawn, user, &rng);
        }
    }
    shuffle(drawn, epoch);
}

void frs_epoch_samples_fini(struct frs_epoch_samples *samples) {
    free(samples->samples);
    free(samples->mark);
}

double frs_epoch_samples_bytes(const struct frs_population *population, size_t negatives) {
    double n = 0;
    for (uint32_t client = 0; client < population->n_clients; client++)
        n += (double)population->clients[client].n;
    return 2 * n * (1 + (double)negatives) * sizeof(struct frs_sample) + /* room grows by doubling */
           (double)population->n_items * sizeof(uint32_t);
}
