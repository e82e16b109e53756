#include "sim/selftest/correction_step.h"
#include "algorithms/server_step.h"

#include <math.h>
#include <string.h>

#define STEP_H "algorithms/corrected_sum.h, "

enum { CLIENTS = FRS_SUBJECT_CLIENTS };

struct corrected {
    struct frs_subject subject;
    struct frs_server_step step;
};

static const struct frs_optimiser *no_optimiser(void) {
    for (size_t i = 0; frs_optimisers[i]; i++)
        if (strcmp(frs_optimisers[i]->plugin.name, "none") == 0)
            return frs_optimisers[i];
    return NULL;
}

/* Probabilities of 1, where they are asked for. */
static void give_probabilities(struct frs_corrected_sum *sum) {
    double certain[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++)
        certain[i] = 1;
    if (sum->is_there && sum->correction->needs_probabilities)
        frs_corrected_sum_know(sum, certain, 1, CLIENTS);
}

/* The settings under which nothing is shortened, so that the mean is the plain one; NULL: the initial ones.
 */
static const char *const *unshortened(const struct frs_correction *correction) {
    static const char *const settings[] = {"clip", "0", NULL};
    for (const struct frs_param *param = correction->plugin.params; param && param->key; param++)
        if (correction->shorten && strcmp(param->key, "clip") == 0)
            return settings;
    return NULL;
}

/* False: the two do not go together. `weighting` NULL: the method has none. */
static bool begin(struct corrected *c, struct frs_check *check, const struct frs_learner *learner,
    const char *variant, const char *weighting, const struct frs_correction *correction, const char **why) {
    const char *settings[5] = {NULL};
    size_t n = 0;
    if (*variant) {
        settings[n++] = "variant";
        settings[n++] = variant;
    }
    if (weighting) {
        settings[n++] = "aggregation";
        settings[n++] = weighting;
    }
    frs_subject_begin(&c->subject, check, learner, n > 0 ? settings : NULL);
    struct frs_values values = frs_trial_values(check, &no_optimiser()->plugin, NULL);
    c->step = frs_server_step_begin(c->subject.learner, c->subject.model, no_optimiser(), &values);
    frs_values_fini(&values);
    if (correction && !frs_corrected_sum_is_possible(c->subject.learner, c->subject.model, correction, why))
        return false;
    if (correction) {
        values = frs_trial_values(check, &correction->plugin, unshortened(correction));
        frs_server_step_correct(&c->step, c->subject.model, correction, &values);
        frs_values_fini(&values);
        give_probabilities(&c->step.correction);
    }
    return true;
}

/* Plays a round with the clients whose bits are set. */
static void play_round(struct corrected *c, uint32_t round, unsigned present) {
    struct frs_subject *subject = &c->subject;
    const struct frs_learner *learner = subject->learner;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    struct frs_rows update[FRS_MAX_PARTS] = {{0}};
    size_t n = 0;
    subject->round_seed = frs_trial_round(learner, subject->model, round);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        if (!(present >> client & 1))
            continue;
        struct frs_trained trained = frs_trial_train(
            learner, subject->model, &subject->population, client, round, subject->round_seed, &arena);
        frs_subject_commit(subject, client, &trained);
        contributions[n++] = frs_subject_contribution(subject, client, &trained);
    }
    subject->n_changes++;
    frs_server_step_aggregate(&c->step, subject->model, round, contributions, n, &arena, update);
    if (learner->sends_updates)
        frs_learner_apply(learner, subject->model, &subject->tables, subject->round_seed, update, &arena);
    frs_arena_fini(&arena);
}

#define ALL ((1U << CLIENTS) - 1)

/* In the first round, before which the tables are the same. */
static void check_all_present(struct corrected *c, struct corrected *plain, const char *weighting) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(c->subject.model, FRS_STATE, shapes);
    play_round(c, 0, ALL);
    play_round(plain, 0, ALL);
    frs_clause(c->subject.check, STEP_H "frs_corrected_sum_take",
        "with every client present the tables are those of the plain mean");
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++) {
            float with = c->subject.tables.part[part][i], without = plain->subject.tables.part[part][i];
            FRS_HOLDS(c->subject.check, fabsf(with - without) <= 1e-5F * (1 + fabsf(without)),
                "value %zu of %s is %.9g instead of %.9g behind %s, %s", i, shapes[part].name, (double)with,
                (double)without, c->subject.learner->plugin.name, weighting ? weighting : "one weighting");
        }
}

static void check_finite(const struct corrected *c) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(c->subject.model, FRS_STATE, shapes);
    frs_clause(c->subject.check, STEP_H "frs_corrected_sum_take", "tables behind a correction stay finite");
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++)
            FRS_HOLDS(c->subject.check, isfinite(c->subject.tables.part[part][i]),
                "value %zu of %s is %g behind %s", i, shapes[part].name,
                (double)c->subject.tables.part[part][i], c->subject.learner->plugin.name);
}

/* Loads the second from an archive of the first, and plays both on. */
static void check_goes_on(struct corrected *first, struct corrected *second) {
    struct frs_check *check = first->subject.check;
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    frs_model_archive(first->subject.model, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_model_archive(second->subject.model, &(struct frs_archive){.in = &in});
    second->subject.n_changes = first->subject.n_changes;
    for (uint32_t round = 4; round < 6; round++) {
        play_round(first, round, 0x35U);
        play_round(second, round, 0x35U);
    }
    frs_model_archive(first->subject.model, &(struct frs_archive){.out = &ended[0]});
    frs_model_archive(second->subject.model, &(struct frs_archive){.out = &ended[1]});
    frs_clause(check, STEP_H "frs_corrected_sum_begin",
        "an archive holds what a correction keeps: what was loaded goes on like what was saved");
    FRS_HOLDS(check, !in.failed && in.at == in.n && frs_are_same_bytes(&ended[0], &ended[1]),
        "tables differ two rounds later behind %s", first->subject.learner->plugin.name);
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
}

static void check_under(struct frs_check *check, const struct frs_learner *learner, const char *variant,
    const char *weighting, const struct frs_correction *correction) {
    struct corrected first, second;
    const char *why = "";
    bool possible = begin(&first, check, learner, variant, weighting, correction, &why);
    if (!possible) {
        frs_clause(check, STEP_H "frs_corrected_sum_is_possible",
            "where the two do not go together one line says why");
        FRS_HOLDS(check, *why, "%s behind %s", correction->plugin.name, learner->plugin.name);
        frs_subject_end(&first.subject);
        return;
    }
    begin(&second, check, learner, variant, weighting, NULL, &why);
    check_all_present(&first, &second, weighting);
    frs_subject_end(&second.subject);
    for (uint32_t round = 1; round < 4; round++)
        play_round(&first, round, 0xA7U >> round);
    check_finite(&first);
    begin(&second, check, learner, variant, weighting, correction, &why);
    check_goes_on(&first, &second);
    frs_subject_end(&first.subject);
    frs_subject_end(&second.subject);
}

/* Whether the method weighs uploads like this. */
static bool can_weigh(const struct frs_plugin *plugin, const char *weighting) {
    for (const struct frs_param *param = plugin->params; param && param->key; param++)
        for (size_t i = 0; strcmp(param->key, "aggregation") == 0 && param->choices[i]; i++)
            if (strcmp(param->choices[i], weighting) == 0)
                return true;
    return false;
}

void frs_check_correction_step(struct frs_check *check, const struct frs_learner *learner,
    const char *variant, const struct frs_correction *correction) {
    static const char *const weightings[] = {"uniform", "per_item"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof weightings / sizeof *weightings; i++)
        if (can_weigh(&learner->plugin, weightings[i])) {
            check_under(check, learner, variant, weightings[i], correction);
            n++;
        }
    if (n == 0)
        check_under(check, learner, variant, NULL, correction);
}
