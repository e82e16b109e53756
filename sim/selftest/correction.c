/* What every correction of an aggregate is held to, by itself and behind every learner. */
#include "algorithms/model.h"
#include "sim/selftest/correction_step.h"
#include "sim/selftest/draws.h"
#include "sim/selftest/kinds.h"

#include <math.h>
#include <stdlib.h>

#define CORRECTION_H "algorithms/correction.h, "

enum { CLIENTS = 12, ROUNDS = 40 };

static void entry_is_sound(struct frs_check *check, const struct frs_correction *correction) {
    frs_clause(check, CORRECTION_H "step", "it weighs uploads, steps by means, or has clients keep models");
    int slots = !!correction->weigh + !!correction->step + !!correction->shorten;
    FRS_HOLDS(check, slots <= 1, "it has %d of these slots", slots);
    frs_clause(check, CORRECTION_H "client_rate", "only where clients keep models their rates fall");
    FRS_HOLDS(check, correction->shorten || !correction->client_rate, "it has no slot shorten");
    frs_clause(check, CORRECTION_H "flop", "operations for each number are not negative");
    FRS_HOLDS(check, isfinite(correction->flop) && correction->flop >= 0, "%g", correction->flop);
    frs_clause(check, CORRECTION_H "steps_without", "only what steps by means steps without uploads");
    FRS_HOLDS(check, correction->step || !correction->steps_without, "it has no slot step");
    frs_clause(check, CORRECTION_H "waits", "only what steps by means waits for clients");
    FRS_HOLDS(check, correction->step || !correction->waits, "it has no slot step");
}

static void *begin(struct frs_check *check, const struct frs_correction *correction) {
    struct frs_values values = frs_trial_values(check, &correction->plugin, NULL);
    void *state = correction->create ? correction->create(&values, CLIENTS) : NULL;
    frs_values_fini(&values);
    return state;
}

static void end(const struct frs_correction *correction, void *state) {
    if (correction->destroy)
        correction->destroy(state);
    else
        free(state);
}

/* Who uploads in a round: every client with a probability of its own. */
static size_t draw_clients(struct frs_rng *rng, const double *probabilities, uint32_t *clients) {
    size_t n = 0;
    for (uint32_t client = 0; client < CLIENTS; client++)
        if (frs_rng_unit(rng) < probabilities[client])
            clients[n++] = client;
    return n;
}

static void play(const struct frs_correction *correction, void *state, uint32_t from, uint32_t to,
    const double *probabilities, double sums[CLIENTS]) {
    for (uint32_t round = from; round < to; round++) {
        struct frs_rng rng = frs_check_rng(round);
        uint32_t clients[CLIENTS];
        double weights[CLIENTS];
        size_t n = draw_clients(&rng, probabilities, clients);
        correction->weigh(state,
            &(struct frs_correction_request){
                .round = round, .clients = clients, .n = n, .probabilities = probabilities},
            weights);
        for (size_t i = 0; i < n; i++)
            sums[clients[i]] = weights[i];
    }
}

static void check_weights(struct frs_check *check, const struct frs_correction *correction) {
    double probabilities[CLIENTS], certain[CLIENTS], weights[CLIENTS] = {0};
    void *state = begin(check, correction);
    for (size_t i = 0; i < CLIENTS; i++) {
        probabilities[i] = (double)(i + 1) / CLIENTS;
        certain[i] = 1;
    }
    play(correction, state, 0, ROUNDS, probabilities, weights);
    frs_clause(check, CORRECTION_H "weigh", "weights are finite and not negative");
    for (size_t i = 0; i < CLIENTS; i++)
        FRS_HOLDS(check, isfinite(weights[i]) && weights[i] >= 0, "client %zu: %g", i, weights[i]);
    end(correction, state);
    state = begin(check, correction);
    play(correction, state, 0, ROUNDS, certain, weights);
    frs_clause(check, CORRECTION_H "weigh", "a client that uploads in every round counts 1");
    for (size_t i = 0; i < CLIENTS; i++)
        FRS_HOLDS(check, fabs(weights[i] - 1) <= 1e-12, "client %zu: %g", i, weights[i]);
    end(correction, state);
}

static void check_archive(struct frs_check *check, const struct frs_correction *correction) {
    double probabilities[CLIENTS], expected[CLIENTS] = {0}, weights[CLIENTS] = {0};
    struct frs_buffer saved = {0};
    void *first = begin(check, correction), *second = begin(check, correction);
    for (size_t i = 0; i < CLIENTS; i++)
        probabilities[i] = (double)(i + 1) / CLIENTS;
    play(correction, first, 0, ROUNDS, probabilities, expected);
    if (correction->archive)
        correction->archive(first, CLIENTS, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    if (correction->archive)
        correction->archive(second, CLIENTS, &(struct frs_archive){.in = &in});
    play(correction, first, ROUNDS, ROUNDS + 20, probabilities, expected);
    play(correction, second, ROUNDS, ROUNDS + 20, probabilities, weights);
    frs_clause(check, CORRECTION_H "archive", "what was loaded goes on like what was saved");
    FRS_HOLDS(check, !in.failed && in.at == in.n, "the archive is read up to byte %zu of %zu", in.at, in.n);
    for (size_t i = 0; i < CLIENTS; i++)
        FRS_HOLDS(check, weights[i] == expected[i] || weights[i] == 0, "client %zu: %g instead of %g", i,
            weights[i], expected[i]);
    frs_buffer_fini(&saved);
    end(correction, first);
    end(correction, second);
}

/* With every client present and remembered all means are of the same clients. */
static void check_step(struct frs_check *check, const struct frs_correction *correction) {
    struct frs_rng rng = frs_check_rng(5);
    for (size_t i = 0; i < 100; i++) {
        double now = frs_rng_unit(&rng) - 0.5, before = frs_rng_unit(&rng) - 0.5;
        struct frs_correction_means all = {now, before, before, now}, zero = {0, 0, 0, 0};
        frs_clause(check, CORRECTION_H "step", "with every client present the step is their mean");
        FRS_HOLDS(check, fabs(correction->step(&all) - now) <= 1e-12, "%g instead of %g",
            correction->step(&all), now);
        frs_clause(check, CORRECTION_H "step", "a number that nothing has changed stays");
        FRS_HOLDS(check, correction->step(&zero) == 0, "it moves by %g", correction->step(&zero));
    }
}

/* Factors are above 0 and at most 1, and the same whenever they are asked for. */
static void check_models(struct frs_check *check, const struct frs_correction *correction) {
    void *state = begin(check, correction);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double length = i == 0 ? 0 : pow(10, (double)i / 4 - 5), factor = correction->shorten(state, length),
               rate = correction->client_rate ? correction->client_rate(state, i) : 1;
        frs_clause(check, CORRECTION_H "shorten", "what clients changed is shortened or left as it is");
        FRS_HOLDS(check, factor > 0 && factor <= 1, "a length of %g by %g", length, factor);
        frs_clause(check, CORRECTION_H "client_rate", "rates fall or stay");
        FRS_HOLDS(check, rate > 0 && rate <= 1, "by %g in round %u", rate, i);
    }
    end(correction, state);
}

static void create(void *context, const struct frs_values *values) {
    const struct frs_correction *correction = context;
    if (correction->create)
        end(correction, correction->create(values, CLIENTS));
}

void frs_check_correction(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its correction. */
    const struct frs_correction *correction = (const struct frs_correction *)(const void *)plugin;
    entry_is_sound(check, correction);
    const struct frs_key_reader reader = {
        .where = CORRECTION_H "create", .read = create, .context = (void *)(uintptr_t)correction};
    frs_check_keys(check, plugin, &reader);
    if (correction->weigh) {
        check_weights(check, correction);
        check_archive(check, correction);
    }
    if (correction->step)
        check_step(check, correction);
    if (correction->shorten)
        check_models(check, correction);
    for (size_t l = 0; frs_learners[l]; l++)
        for (size_t v = 0; frs_variant_of(&frs_learners[l]->plugin, v); v++)
            frs_check_correction_step(
                check, frs_learners[l], frs_variant_of(&frs_learners[l]->plugin, v), correction);
}
