/* A run of a few clients behind one downlink: what tests of what clients hold, and of what they refuse,
 * share. */
#ifndef FRS_TESTS_ALGORITHMS_DOWNLINK_FIXTURE_H
#define FRS_TESTS_ALGORITHMS_DOWNLINK_FIXTURE_H

#include "algorithms/downlink/downlink.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_colr, frs_learner_fedmf;
extern const struct frs_codec frs_codec_dense, frs_codec_touched_rows;

#define CLIENTS 12u
#define ITEMS 41u
#define DIM 8u
#define ROUNDS 30u
#define STATE_BYTES (4 * ITEMS * DIM)

/* A codec that loses something: floats without their lower 16 bits. */
static inline size_t encode_halves(const void *settings, const struct frs_rows *rows,
    const struct frs_encoding *how, struct frs_buffer *out) {
    size_t from = out->n, nominal_bytes = frs_codec_dense.encode(settings, rows, how, out);
    for (size_t i = from; i < out->n; i += 4)
        out->bytes[i] = out->bytes[i + 1] = 0;
    return nominal_bytes / 2;
}

static inline bool decode_halves(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    return frs_codec_dense.decode(settings, in, n_rows, dim, base, arena, out);
}

static const struct frs_codec halves = {
    .plugin = {.name = "halves"}, .encode = encode_halves, .decode = decode_halves};

static const struct frs_codec *const codecs[] = {&frs_codec_dense, &frs_codec_touched_rows, &halves};

/* A run: the server, and every client with a table of its own. */
struct run {
    const struct frs_learner *learner;
    struct frs_population population;
    void *model;
    struct frs_codec_choice codec;
    struct frs_downlink *downlink;
    struct frs_arena arena;
    struct frs_tables initial, held[CLIENTS];
    uint32_t version[CLIENTS]; /* UINT32_MAX: none */
    size_t n_updates, update_bytes[2 * ROUNDS], update_nominal[2 * ROUNDS];
    size_t newest; /* the first update of the last publication */
    enum frs_catchup catchup;
    enum frs_first_contact first_contact;
    const char *rank; /* of CoLR */
    bool splits;      /* what a round aggregates was trained under two round seeds */
};

/* Without a model yet: models keep a pointer to the population, which is at its place only in the caller. */
static inline struct run begin(const struct frs_learner *learner, const struct frs_codec *codec,
    enum frs_catchup catchup, enum frs_first_contact first_contact) {
    struct run run = {.learner = learner,
        .population = make_population(CLIENTS, ITEMS, 5),
        .codec = {.codec = codec},
        .catchup = catchup,
        .first_contact = first_contact,
        .rank = "2"};
    return run;
}

static inline void create(struct run *run) {
    run->model = make_model(run->learner, &run->population,
        run->learner == &frs_learner_colr ? SETTINGS("dim", "8", "rank", run->rank) : SETTINGS("dim", "8"));
    run->initial = copy_tables(run->model);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        run->held[client] = copy_tables(run->model);
        run->version[client] = UINT32_MAX;
        if (run->first_contact == FRS_FIRST_CONTACT_TABLE)
            for (size_t i = 0; i < ITEMS * DIM; i++) /* what a client without any table cannot know */
                run->held[client].part[0][i] = NAN;
    }
    run->downlink = frs_downlink_create(&(struct frs_downlink_settings){.learner = run->learner,
        .model = run->model,
        .codec = run->codec,
        .catchup = run->catchup,
        .first_contact = run->first_contact,
        .n_clients = CLIENTS});
}

static inline void end(struct run *run) {
    frs_downlink_destroy(run->downlink);
    for (uint32_t client = 0; client < CLIENTS; client++)
        free_tables(&run->held[client]);
    free_tables(&run->initial);
    frs_arena_fini(&run->arena);
    frs_model_destroy(run->model);
    free_population(&run->population);
}

static inline void publish(struct run *run, const struct frs_contribution *contributions, size_t n,
    uint64_t round_seed, bool goes_on) {
    struct frs_rows update[FRS_MAX_PARTS];
    struct frs_buffer encoded = {0};
    run->learner->aggregate(run->model, contributions, n, &run->arena, update);
    run->update_nominal[run->n_updates] = encode_rows(run->codec, &update[0], NULL, &encoded);
    run->newest = goes_on ? run->newest : run->n_updates;
    run->update_bytes[run->n_updates++] = encoded.n;
    struct frs_rows decoded[FRS_MAX_PARTS];
    frs_downlink_publish(run->downlink, round_seed, update, goes_on, &run->arena, decoded);
    frs_buffer_fini(&encoded);
}

/* Trains the cohort (ascending) and publishes what it uploads; an empty cohort publishes nothing. */
static inline void train_and_publish(struct run *run, const uint32_t *cohort, size_t n, uint32_t round) {
    struct frs_contribution contributions[CLIENTS];
    struct frs_rows update[FRS_MAX_PARTS];
    frs_arena_reset(&run->arena);
    for (size_t i = 0; i < n; i++) {
        struct frs_trained trained = train_client(run->learner, run->model, &run->population, cohort[i],
            round, frs_downlink_round_seed(run->downlink), &run->arena);
        frs_model_commit(run->model, cohort[i], trained.private_state, trained.private_bytes);
        contributions[i] = contribute(run->learner, cohort[i], &trained, frs_downlink_tables(run->downlink),
            frs_downlink_round_seed(run->downlink));
    }
    if (n == 0)
        return;
    if (!run->learner->sends_updates) {
        run->learner->aggregate(run->model, contributions, n, &run->arena, update);
        return;
    }
    if (!run->splits || n < 2) {
        publish(run, contributions, n, frs_downlink_round_seed(run->downlink), false);
        return;
    }
    for (size_t i = 0; i < n; i++)
        contributions[i].apart = i < n / 2;
    publish(run, contributions, n, 1000 + round, false);
    for (size_t i = 0; i < n; i++)
        contributions[i].apart = i >= n / 2;
    publish(run, contributions, n, frs_downlink_round_seed(run->downlink), true);
}

#endif
