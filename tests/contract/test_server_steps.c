/* What every server optimiser of the registry has to keep to, by itself and behind every method. A new line
 * in algorithms/optimisers/optimisers.def or algorithms/learners/learners.def is covered as it is. */
#include "algorithms/server_step.h"
#include "sim/base/numbers/rng.h"
#include "tests/contract/subject.h"

#define NUMBERS 32u

static int n_optimisers(void) {
    int n = 0;
    while (frs_optimisers[n])
        n++;
    return n;
}

static struct frs_optimiser_settings defaults(const struct frs_optimiser *optimiser, float *start) {
    struct frs_values values = frs_values_of(optimiser->plugin.params, NULL);
    struct frs_optimiser_settings settings = {0};
    optimiser->init(&values, &settings, start);
    frs_values_fini(&values);
    return settings;
}

START_TEST(server_step_is_complete) {
    const struct frs_optimiser *optimiser = frs_optimisers[_i];
    ck_assert_ptr_eq(frs_optimiser_plugins[_i], &optimiser->plugin);
    ck_assert(optimiser->plugin.name && optimiser->plugin.summary && optimiser->plugin.source);
    ck_assert(optimiser->init && optimiser->apply && optimiser->flop > 0);
    ck_assert_uint_le(optimiser->n_moments, FRS_MAX_MOMENTS);
}
END_TEST

/* A table that nothing has changed rests; afterwards steps are finite, and each number has its own. */
START_TEST(numbers_are_their_own) {
    const struct frs_optimiser *optimiser = frs_optimisers[_i];
    float start[FRS_MAX_MOMENTS] = {0}, all[FRS_MAX_MOMENTS][NUMBERS], alone[FRS_MAX_MOMENTS][NUMBERS];
    struct frs_optimiser_settings settings = defaults(optimiser, start);
    for (size_t i = 0; i < NUMBERS; i++)
        for (size_t k = 0; k < FRS_MAX_MOMENTS; k++)
            all[k][i] = alone[k][i] = start[k];
    struct frs_rng rng = test_rng(3);
    for (size_t round = 0; round < 50; round++) {
        float change[NUMBERS] = {0}, one[NUMBERS];
        if (round > 0)
            frs_rng_fill_normal(&rng, change, NUMBERS, round % 2 ? 1 : 1e-6);
        memcpy(one, change, sizeof one);
        optimiser->apply(&settings, (struct frs_moments){{all[0], all[1]}}, change, NUMBERS);
        for (size_t i = 0; i < NUMBERS; i++)
            optimiser->apply(&settings, (struct frs_moments){{&alone[0][i], &alone[1][i]}}, &one[i], 1);
        ck_assert_mem_eq(change, one, sizeof one);
        for (size_t i = 0; i < NUMBERS; i++) {
            ck_assert(isfinite(change[i]));
            ck_assert(round > 0 || change[i] == 0);
        }
    }
}
END_TEST

/* ---- behind every method --------------------------------------------------------------------- */

struct stepped {
    struct subject subject;
    struct frs_server_step step;
};

/* Optimiser and learner of one number. */
static const struct frs_optimiser *begin_stepped(struct stepped *s, int i, const char *const *settings) {
    const struct frs_optimiser *optimiser = frs_optimisers[i / n_subjects()];
    begin(&s->subject, i % n_subjects());
    struct frs_values values = frs_values_of(optimiser->plugin.params, settings);
    s->step = frs_server_step_begin(s->subject.learner, s->subject.model, optimiser, &values);
    frs_values_fini(&values);
    return optimiser;
}

/* Plays a round with all clients. */
static void play_round(struct stepped *s, uint32_t round) {
    struct subject *subject = &s->subject;
    const struct frs_learner *learner = subject->learner;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    struct frs_rows update[FRS_MAX_PARTS];
    subject->round_seed = open_round(learner, subject->model, round);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = train_client(
            learner, subject->model, &subject->population, client, round, subject->round_seed, &arena);
        commit(subject, client, &trained);
        contributions[client] = contribute(learner, client, &trained, &subject->tables, subject->round_seed);
    }
    subject->n_changes++;
    frs_server_step_aggregate(&s->step, subject->model, 0, contributions, CLIENTS, &arena, update);
    if (learner->sends_updates)
        frs_learner_apply(learner, subject->model, &subject->tables, subject->round_seed, update, &arena);
    frs_arena_fini(&arena);
}

static void check_finite(const struct subject *s) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(s->model, FRS_STATE, shapes);
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++)
            ck_assert(isfinite(s->tables.part[part][i]));
}

/* Tables stay finite, and a model loaded into a new one goes on exactly as the one that was saved, moments
 * and all. */
START_TEST(goes_with_methods) {
    struct stepped first, second;
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    const char *why;
    const struct frs_optimiser *optimiser = begin_stepped(&first, _i, NULL);
    begin_stepped(&second, _i, NULL);
    if (!frs_server_step_is_possible(first.subject.learner, optimiser, &why)) {
        ck_assert_ptr_nonnull(strstr(why, "; allowed: none"));
    } else {
        for (uint32_t round = 0; round < 4; round++)
            play_round(&first, round);
        check_finite(&first.subject);
        frs_model_archive(first.subject.model, &(struct frs_archive){.out = &saved});
        struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
        frs_model_archive(second.subject.model, &(struct frs_archive){.in = &in});
        ck_assert(!in.failed && in.at == in.n);
        second.subject.n_changes = first.subject.n_changes;
        for (uint32_t round = 4; round < 6; round++) {
            play_round(&first, round);
            play_round(&second, round);
        }
        frs_model_archive(first.subject.model, &(struct frs_archive){.out = &ended[0]});
        frs_model_archive(second.subject.model, &(struct frs_archive){.out = &ended[1]});
        check_same(&ended[0], &ended[1]);
    }
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
    end(&first.subject);
    end(&second.subject);
}
END_TEST

/* Without a rate of its own "none" leaves every method as it is: nothing is declared, nothing costs anything.
 */
START_TEST(none_is_nothing) {
    struct stepped s;
    begin_stepped(&s, _i, NULL);
    ck_assert(s.step.rests);
    ck_assert_double_eq(frs_server_step_flop(&s.step, s.subject.model, 3, 100),
        frs_learner_aggregate_flop(s.subject.learner, s.subject.model, 3, 100));
    end(&s.subject);
}
END_TEST

/* Half the rate, half the change, whether methods send tables or updates (those that send updates of a lower
 * rank, too, for which nothing but a rate has a meaning). */
START_TEST(half_a_rate_is_half_a_change) {
    struct stepped whole, half;
    begin_stepped(&whole, _i, NULL);
    begin_stepped(&half, _i, SETTINGS("rate", "0.5"));
    struct frs_tables before = copy_tables(whole.subject.model);
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = whole.subject.learner->own_step ? 0 : frs_model_parts(whole.subject.model, FRS_STATE, shapes);
    play_round(&whole, 0);
    play_round(&half, 0);
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++) {
            float change = whole.subject.tables.part[part][i] - before.part[part][i];
            ck_assert_float_eq_tol(
                half.subject.tables.part[part][i], before.part[part][i] + change / 2, 1e-5F);
        }
    free_tables(&before);
    end(&whole.subject);
    end(&half.subject);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("server_steps");
    TCase *tests = tcase_create("server_steps");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, server_step_is_complete, 0, n_optimisers());
    tcase_add_loop_test(tests, numbers_are_their_own, 0, n_optimisers());
    tcase_add_loop_test(tests, goes_with_methods, 0, n_optimisers() * n_subjects());
    tcase_add_loop_test(tests, none_is_nothing, 0, n_subjects());
    tcase_add_loop_test(tests, half_a_rate_is_half_a_change, 0, n_subjects());
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
