/* A learner over several rounds: it learns, and goes on from an archive as if nothing had been. */
#include "tests/contract/subject.h"

/* Plays one round with all clients; returns the sum of their losses. */
static double play_round(struct subject *s, uint32_t round) {
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    double loss = 0;
    s->round_seed = open_round(s->learner, s->model, round);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained =
            train_client(s->learner, s->model, &s->population, client, round, s->round_seed, &arena);
        commit(s, client, &trained);
        contributions[client] = contribute(s->learner, client, &trained, &s->tables, s->round_seed);
        loss += trained.loss;
    }
    aggregate(s, contributions, CLIENTS, &arena);
    frs_arena_fini(&arena);
    return loss;
}

/* Ten rounds in which all clients train: the loss falls, scores stay finite. */
START_TEST(loss_falls_in_ten_rounds) {
    struct subject s;
    double first = 0, last = 0;
    begin(&s, _i);
    for (uint32_t round = s.round, trained = 0; trained < 10; round++) {
        bool trains = frs_learner_course(s.learner, s.model, round).trains;
        double loss = play_round(&s, round);
        if (!trains)
            continue;
        first = trained++ == 0 ? loss : first;
        last = loss;
    }
    ck_assert_double_lt(last, first);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float scores[ITEMS];
        score_all(&s, client, scores);
        for (size_t i = 0; i < ITEMS; i++)
            ck_assert(isfinite(scores[i]));
    }
    end(&s);
}
END_TEST

/* A model loaded into a new one goes on exactly as the one that was saved. */
START_TEST(archives_hold_everything) {
    struct subject first, second;
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    begin(&first, _i);
    begin(&second, _i);
    for (uint32_t round = 0; round < 3; round++)
        play_round(&first, round);
    frs_model_archive(first.model, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_model_archive(second.model, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    second.n_changes = first.n_changes;
    for (uint32_t round = 3; round < 5; round++) {
        play_round(&first, round);
        play_round(&second, round);
    }
    frs_model_archive(first.model, &(struct frs_archive){.out = &ended[0]});
    frs_model_archive(second.model, &(struct frs_archive){.out = &ended[1]});
    check_same(&ended[0], &ended[1]);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float a[ITEMS], b[ITEMS];
        score_all(&first, client, a);
        score_all(&second, client, b);
        ck_assert_mem_eq(a, b, sizeof a);
    }
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
    end(&first);
    end(&second);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("learner_runs");
    TCase *tests = tcase_create("learner_runs");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, loss_falls_in_ten_rounds, 0, n_subjects());
    tcase_add_loop_test(tests, archives_hold_everything, 0, n_subjects());
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
