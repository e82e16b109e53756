/* A learner over several rounds: it learns, and goes on from an archive as if nothing had been. */
#include "sim/selftest/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = FRS_SUBJECT_CLIENTS, ITEMS = FRS_SUBJECT_ITEMS, TRAINED = 10 };

/* Plays one round with all clients; returns the sum of their losses. */
static double play_round(struct frs_subject *s, uint32_t round) {
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    double loss = 0;
    s->round_seed = frs_trial_round(s->learner, s->model, round);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained =
            frs_trial_train(s->learner, s->model, &s->population, client, round, s->round_seed, &arena);
        frs_subject_commit(s, client, &trained);
        contributions[client] = frs_subject_contribution(s, client, &trained);
        loss += trained.loss;
    }
    frs_subject_aggregate(s, contributions, CLIENTS, &arena);
    frs_arena_fini(&arena);
    return loss;
}

/* Rounds in which all clients train: the loss falls, scores stay finite. */
static void loss_falls(struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    double first = 0, last = 0;
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    frs_clause(check, "algorithms/learner.h, loss", "the loss falls over rounds in which all clients train");
    for (uint32_t round = s.round, trained = 0; trained < TRAINED; round++) {
        bool trains = frs_learner_course(s.learner, s.model, round).trains;
        double loss = play_round(&s, round);
        if (!trains)
            continue;
        first = trained++ == 0 ? loss : first;
        last = loss;
    }
    frs_subject_works(&s);
    frs_clause(check, "algorithms/learner.h, loss", "the loss falls over rounds in which all clients train");
    FRS_HOLDS(
        check, last < first, "it was %g in the first of %d, and is %g in the last", first, TRAINED, last);
    frs_clause(check, "algorithms/learner.h, score", "scores stay finite");
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float scores[ITEMS];
        frs_subject_score(&s, client, scores);
        for (size_t i = 0; i < ITEMS; i++)
            FRS_HOLDS(check, isfinite(scores[i]), "that of item %zu for client %u is %g", i, client,
                (double)scores[i]);
    }
    frs_subject_works(&s);
    frs_subject_end(&s);
}

/* A model loaded into a new one goes on exactly as the one that was saved. */
static void archives_hold_everything(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    static const char clause[] =
        "an archive holds everything: a model that was loaded goes on like the one that was saved";
    struct frs_subject first, second;
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    frs_subject_begin(&first, check, learner, FRS_VARIANT(variant));
    frs_subject_begin(&second, check, learner, FRS_VARIANT(variant));
    frs_clause(check, "algorithms/model.h, frs_model_archive", clause);
    for (uint32_t round = 0; round < 3; round++)
        play_round(&first, round);
    frs_model_archive(first.model, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_model_archive(second.model, &(struct frs_archive){.in = &in});
    frs_clause(check, "algorithms/model.h, frs_model_archive", clause);
    FRS_HOLDS(check, !in.failed && in.at == in.n, "%zu of %zu bytes were read", in.at, in.n);
    second.n_changes = first.n_changes;
    for (uint32_t round = 3; round < 5; round++) {
        play_round(&first, round);
        play_round(&second, round);
    }
    frs_model_archive(first.model, &(struct frs_archive){.out = &ended[0]});
    frs_model_archive(second.model, &(struct frs_archive){.out = &ended[1]});
    frs_clause(check, "algorithms/model.h, frs_model_archive", clause);
    FRS_HOLDS(check, frs_are_same_bytes(&ended[0], &ended[1]), "tables differ two rounds later");
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float a[ITEMS], b[ITEMS];
        frs_subject_score(&first, client, a);
        frs_subject_score(&second, client, b);
        FRS_HOLDS(check, frs_are_same(a, b, sizeof a), "scores of client %u differ two rounds later", client);
    }
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
    frs_subject_end(&first);
    frs_subject_end(&second);
}

void frs_check_learner_runs(struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    loss_falls(check, learner, variant);
    archives_hold_everything(check, learner, variant);
}
