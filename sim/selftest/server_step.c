#include "sim/selftest/server_step.h"
#include "algorithms/server_step.h"

#include <math.h>
#include <string.h>

#define STEP_H "algorithms/server_step.h, "

enum { CLIENTS = FRS_SUBJECT_CLIENTS };

struct stepped {
    struct frs_subject subject;
    struct frs_server_step step;
};

static void begin(struct stepped *s, struct frs_check *check, const struct frs_learner *learner,
    const char *variant, const struct frs_optimiser *optimiser, const char *const *settings) {
    frs_subject_begin(&s->subject, check, learner, FRS_VARIANT(variant));
    struct frs_values values = frs_trial_values(check, &optimiser->plugin, settings);
    s->step = frs_server_step_begin(s->subject.learner, s->subject.model, optimiser, &values);
    frs_values_fini(&values);
}

/* Plays a round with all clients. */
static void play_round(struct stepped *s, uint32_t round) {
    struct frs_subject *subject = &s->subject;
    const struct frs_learner *learner = subject->learner;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    struct frs_rows update[FRS_MAX_PARTS] = {{0}};
    subject->round_seed = frs_trial_round(learner, subject->model, round);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = frs_trial_train(
            learner, subject->model, &subject->population, client, round, subject->round_seed, &arena);
        frs_subject_commit(subject, client, &trained);
        contributions[client] = frs_subject_contribution(subject, client, &trained);
    }
    subject->n_changes++;
    frs_server_step_aggregate(&s->step, subject->model, 0, contributions, CLIENTS, &arena, update);
    if (learner->sends_updates)
        frs_learner_apply(learner, subject->model, &subject->tables, subject->round_seed, update, &arena);
    frs_arena_fini(&arena);
}

static void check_finite(struct frs_subject *s, const struct frs_optimiser *optimiser) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(s->model, FRS_STATE, shapes);
    frs_clause(s->check, STEP_H "frs_server_step_aggregate", "tables behind a server optimiser stay finite");
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++)
            FRS_HOLDS(s->check, isfinite(s->tables.part[part][i]), "value %zu of %s is %g, with %s behind %s",
                i, shapes[part].name, (double)s->tables.part[part][i], optimiser->plugin.name,
                s->learner->plugin.name);
}

/* Both have been played four rounds, one of them from an archive of the other. */
static void check_goes_on(
    struct stepped *first, struct stepped *second, const struct frs_optimiser *optimiser) {
    struct frs_check *check = first->subject.check;
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    frs_model_archive(first->subject.model, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_model_archive(second->subject.model, &(struct frs_archive){.in = &in});
    second->subject.n_changes = first->subject.n_changes;
    for (uint32_t round = 4; round < 6; round++) {
        play_round(first, round);
        play_round(second, round);
    }
    frs_model_archive(first->subject.model, &(struct frs_archive){.out = &ended[0]});
    frs_model_archive(second->subject.model, &(struct frs_archive){.out = &ended[1]});
    frs_clause(check, STEP_H "frs_server_step_begin",
        "an archive holds the moments: what was loaded goes on like what was saved");
    FRS_HOLDS(check, !in.failed && in.at == in.n && frs_are_same_bytes(&ended[0], &ended[1]),
        "tables differ two rounds later, with %s behind %s", optimiser->plugin.name,
        first->subject.learner->plugin.name);
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
}

void frs_check_server_step(struct frs_check *check, const struct frs_learner *learner, const char *variant,
    const struct frs_optimiser *optimiser) {
    struct stepped first, second;
    const char *why = "";
    begin(&first, check, learner, variant, optimiser, NULL);
    begin(&second, check, learner, variant, optimiser, NULL);
    if (!frs_server_step_is_possible(first.subject.learner, optimiser, &why)) {
        frs_clause(check, STEP_H "frs_server_step_is_possible",
            "where the two do not go together one line says why");
        FRS_HOLDS(check, strstr(why, "; allowed: none"), "%s behind %s: \"%s\"", optimiser->plugin.name,
            learner->plugin.name, why);
    } else {
        for (uint32_t round = 0; round < 4; round++)
            play_round(&first, round);
        check_finite(&first.subject, optimiser);
        check_goes_on(&first, &second, optimiser);
    }
    frs_subject_end(&first.subject);
    frs_subject_end(&second.subject);
}

/* ---- none ------------------------------------------------------------------------------------- */

static const struct frs_optimiser *none(void) {
    for (size_t i = 0; frs_optimisers[i]; i++)
        if (strcmp(frs_optimisers[i]->plugin.name, "none") == 0)
            return frs_optimisers[i];
    return NULL;
}

/* Nothing is declared, nothing costs anything. */
static void none_is_nothing(struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct stepped s;
    begin(&s, check, learner, variant, none(), NULL);
    double flop = frs_server_step_flop(&s.step, s.subject.model, 3, 100),
           alone = frs_learner_aggregate_flop(s.subject.learner, s.subject.model, 3, 100);
    frs_clause(check, STEP_H "rests", "without a server optimiser the aggregation is the learner's own");
    FRS_HOLDS(check, s.step.rests && flop == alone, "it takes %g operations instead of %g", flop, alone);
    frs_subject_end(&s.subject);
}

/* Whether methods send tables or updates. For methods that send updates of a lower rank, only a rate has a
 * meaning. */
static void half_a_rate_is_half_a_change(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    static const char *const half_rate[] = {"rate", "0.5", NULL};
    struct stepped whole, half;
    struct frs_part shapes[FRS_MAX_PARTS];
    begin(&whole, check, learner, variant, none(), NULL);
    begin(&half, check, learner, variant, none(), half_rate);
    struct frs_tables before = frs_copy_tables(whole.subject.model);
    size_t n = whole.subject.learner->own_step ? 0 : frs_model_parts(whole.subject.model, FRS_STATE, shapes);
    play_round(&whole, 0);
    play_round(&half, 0);
    frs_clause(check, "algorithms/learner.h, own_step",
        "half the server's rate is half the change, unless the server makes a step of its own");
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++) {
            float was = before.part[part][i], change = whole.subject.tables.part[part][i] - was;
            FRS_HOLDS(check, fabsf(half.subject.tables.part[part][i] - (was + change / 2)) <= 1e-5F,
                "value %zu of %s is %.9g instead of %.9g", i, shapes[part].name,
                (double)half.subject.tables.part[part][i], (double)(was + change / 2));
        }
    frs_free_tables(&before);
    frs_subject_end(&whole.subject);
    frs_subject_end(&half.subject);
}

void frs_check_step_of_none(struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    none_is_nothing(check, learner, variant);
    half_a_rate_is_half_a_change(check, learner, variant);
}
