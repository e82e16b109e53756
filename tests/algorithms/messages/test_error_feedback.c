/* Error feedback on both sides of the network: nothing is lost, only late. */
#include "algorithms/downlink/downlink.h"
#include "algorithms/messages/error_feedback.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedmf_update;

#define ITEMS 41u
#define DIM 8u
#define CLIENTS 12u

static const struct frs_part shape = {.name = "items", .n_rows = 5, .dim = 2};

static struct frs_arena arena;
static struct frs_buffer left;

static void teardown(void) {
    frs_arena_fini(&arena);
    frs_buffer_fini(&left);
}

/* Sent rows 1, 2 and 4, decoded 1 and 4; one value of row 4 comes through. */
START_TEST(feedback_keeps_what_was_lost) {
    static const uint32_t sent_ids[] = {1, 2, 4}, decoded_ids[] = {1, 4}, next_ids[] = {0, 2};
    static const float sent_values[] = {1, 2, 3, 4, 5, 6}, decoded_values[] = {1, 2, 5, 0},
                       next_values[] = {7, 7, 0.5f, 0};
    struct frs_rows sent = {.n_rows = 5, .dim = 2, .n = 3, .ids = sent_ids, .values = sent_values},
                    decoded = {.n_rows = 5, .dim = 2, .n = 2, .ids = decoded_ids, .values = decoded_values},
                    next = {.n_rows = 5, .dim = 2, .n = 2, .ids = next_ids, .values = next_values},
                    other = next;
    struct frs_feedback *feedback = frs_feedback_create(3, &shape, 1);
    frs_feedback_left(feedback, &sent, &decoded, &left);
    ck_assert_uint_eq(left.n, 4 + 2 * (4 + 8));
    frs_feedback_commit(feedback, 1, &left);
    frs_feedback_add(feedback, 1, &next, &arena);
    ck_assert_uint_eq(next.n, 3);
    ck_assert_mem_eq(next.ids, ((const uint32_t[]){0, 2, 4}), 12);
    ck_assert_mem_eq(next.values, ((const float[]){7, 7, 3.5f, 4, 0, 6}), 24);
    frs_feedback_add(feedback, 2, &other, &arena); /* another client's residual stays out of theirs */
    ck_assert_uint_eq(other.n, 2);
    ck_assert_ptr_eq(other.values, next_values);
    frs_feedback_destroy(feedback);
}
END_TEST

/* What cannot be made up for is forgotten instead of spoiling every later upload. */
START_TEST(values_that_are_not_finite) {
    static const float sent_values[] = {NAN, 1, INFINITY, 0, 0, 0, 0, 0, 0, 0}, decoded_values[10];
    struct frs_rows sent = {.n_rows = 5, .dim = 2, .n = 5, .values = sent_values},
                    decoded = {.n_rows = 5, .dim = 2, .n = 5, .values = decoded_values};
    struct frs_feedback *feedback = frs_feedback_create(1, &shape, 1);
    struct frs_rows next = {.n_rows = 5, .dim = 2, .ids = (const uint32_t[]){0}};
    frs_feedback_left(feedback, &sent, &decoded, &left);
    frs_feedback_commit(feedback, 0, &left);
    frs_feedback_add(feedback, 0, &next, &arena);
    ck_assert_uint_eq(next.n, 1);
    ck_assert_mem_eq(next.values, ((const float[]){0, 1}), 8);
    frs_feedback_destroy(feedback);
}
END_TEST

static struct frs_codec_choice choose(const char *name, const char *const *settings) {
    for (size_t i = 0; frs_codecs[i]; i++)
        if (strcmp(frs_codecs[i]->plugin.name, name) == 0) {
            struct frs_values values = frs_values_of(frs_codecs[i]->plugin.params, settings);
            struct frs_codec_choice choice = {
                .codec = frs_codecs[i], .settings = frs_codecs[i]->create(&values)};
            frs_values_fini(&values);
            return choice;
        }
    ck_abort();
}

/* Everything a client ever sent has arrived, but for its residual; over an archive in the middle, too. */
START_TEST(uploads_add_up) {
    struct frs_part table = {.name = "items", .n_rows = ITEMS, .dim = DIM};
    struct frs_codec_choice codec = choose("topk", SETTINGS("k", "1"));
    struct frs_feedback *feedback = frs_feedback_create(CLIENTS, &table, 1);
    struct frs_rng rng = test_rng(600);
    double wanted[ITEMS * DIM] = {0}, arrived[ITEMS * DIM] = {0};
    for (int round = 0; round < 50; round++) {
        struct frs_buffer message = {0};
        uint32_t n = frs_rng_below(&rng, ITEMS), *ids = random_subset(&rng, ITEMS, n);
        float *values = frs_arena_take(&arena, n * DIM, sizeof *values);
        frs_rng_fill_normal(&rng, values, n * DIM, 1);
        struct frs_rows rows = {.n_rows = ITEMS, .dim = DIM, .n = n, .ids = ids, .values = values}, decoded;
        for (size_t i = 0; i < n * DIM; i++)
            wanted[ids[i / DIM] * DIM + i % DIM] += (double)values[i];
        frs_feedback_add(feedback, 3, &rows, &arena);
        encode_rows(codec, &rows, NULL, &message);
        struct frs_reader in = frs_reader_init(message.bytes, message.n);
        ck_assert(codec.codec->decode(codec.settings, &in, ITEMS, DIM, NULL, &arena, &decoded));
        for (size_t i = 0; i < decoded.n * DIM; i++)
            arrived[decoded.ids[i / DIM] * DIM + i % DIM] += (double)decoded.values[i];
        frs_feedback_left(feedback, &rows, &decoded, &left);
        frs_feedback_commit(feedback, 3, &left);
        if (round == 25) {
            struct frs_buffer saved = {0};
            frs_feedback_archive(feedback, &(struct frs_archive){.out = &saved});
            frs_feedback_destroy(feedback);
            feedback = frs_feedback_create(CLIENTS, &table, 1);
            in = frs_reader_init(saved.bytes, saved.n);
            frs_feedback_archive(feedback, &(struct frs_archive){.in = &in});
            ck_assert(!in.failed && in.at == in.n);
            frs_buffer_fini(&saved);
        }
        frs_buffer_fini(&message);
        free(ids);
    }
    struct frs_rows residual = {.n_rows = ITEMS, .dim = DIM, .ids = (const uint32_t[]){0}};
    frs_feedback_add(feedback, 3, &residual, &arena);
    ck_assert_uint_gt(residual.n, 0);
    for (size_t i = 0; i < residual.n * DIM; i++)
        arrived[residual.ids[i / DIM] * DIM + i % DIM] += (double)residual.values[i];
    for (size_t i = 0; i < ITEMS * DIM; i++)
        ck_assert_double_eq_tol(arrived[i], wanted[i], 1e-4);
    frs_feedback_destroy(feedback);
    free(codec.settings);
}
END_TEST

/* ---- the server's side ----------------------------------------------------------------------- */

struct server {
    struct frs_population population;
    void *model;
    struct frs_codec_choice codec;
    struct frs_downlink *downlink;
};

static void begin(struct server *s, struct frs_codec_choice codec, bool error_feedback, bool exact) {
    *s = (struct server){.codec = codec, .population = make_population(CLIENTS, ITEMS, 5)};
    s->model = make_model(&frs_learner_fedmf_update, &s->population, SETTINGS("dim", "8"));
    s->downlink = frs_downlink_create(&(struct frs_downlink_settings){.learner = &frs_learner_fedmf_update,
        .model = s->model,
        .codec = s->codec,
        .catchup = FRS_CATCHUP_IDEAL,
        .error_feedback = error_feedback,
        .exact_server_table = exact,
        .n_clients = CLIENTS});
}

static void end(struct server *s) {
    frs_downlink_destroy(s->downlink);
    frs_model_destroy(s->model);
    free_population(&s->population);
    free(s->codec.settings);
}

static void publish(struct server *s, uint32_t round, double *wanted) {
    struct frs_rng rng = test_rng(610 + round);
    static float values[ITEMS * DIM];
    struct frs_rows update = {.n_rows = ITEMS, .dim = DIM, .n = ITEMS, .values = values};
    frs_rng_fill_normal(&rng, values, ITEMS * DIM, 1);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        wanted[i] += (double)values[i];
    frs_downlink_open(s->downlink, round);
    struct frs_rows decoded[FRS_MAX_PARTS];
    frs_downlink_publish(s->downlink, frs_downlink_round_seed(s->downlink), &update, false, &arena, decoded);
}

static double gap(const float *table, const float *before, const double *wanted) {
    double most = 0;
    for (size_t i = 0; i < ITEMS * DIM; i++)
        most = fmax(most, fabs((double)table[i] - (double)before[i] - wanted[i]));
    return most;
}

/* An exact server holds the sum of the updates, and its clients hold the sum of what they decoded. With
 * feedback clients lag by at most a few updates; without it they drift away. */
START_TEST(servers_and_their_clients) {
    double gaps[2];
    for (int feedback = 0; feedback < 2; feedback++) {
        struct server s;
        begin(&s, choose("topk", SETTINGS("k", "1")), feedback, true);
        struct frs_tables own = frs_model_tables(s.model);
        struct frs_tables before = copy_tables(s.model);
        double wanted[ITEMS * DIM] = {0};
        for (uint32_t round = 0; round < 200; round++)
            publish(&s, round, wanted);
        ck_assert_double_lt(gap(own.part[0], before.part[0], wanted), 1e-4);
        gaps[feedback] = gap(frs_downlink_tables(s.downlink)->part[0], before.part[0], wanted);
        free_tables(&before);
        end(&s);
    }
    ck_assert_double_gt(gaps[0], gaps[1]);
    ck_assert_double_lt(gaps[1], 25);
}
END_TEST

/* By default both hold the same, bit for bit. */
START_TEST(decoded_servers_hold_what_clients_hold) {
    struct server s;
    begin(&s, choose("topk", SETTINGS("k", "1")), _i, false);
    double wanted[ITEMS * DIM] = {0};
    struct frs_tables own = frs_model_tables(s.model);
    for (uint32_t round = 0; round < 10; round++)
        publish(&s, round, wanted);
    ck_assert_int_eq(compare_tables(s.model, &own, frs_downlink_tables(s.downlink)), 0);
    end(&s);
}
END_TEST

static void archive(struct server *s, struct frs_archive *with) {
    frs_model_archive(s->model, with);
    frs_downlink_archive(s->downlink, with);
}

/* And what adaptive groups remember of past messages. */
START_TEST(archives_hold_residuals_and_tables) {
    struct server servers[2], *first = &servers[0], *second = &servers[1];
    for (size_t i = 0; i < 2; i++)
        begin(&servers[i],
            _i & 4 ? choose("adaptive_groups", SETTINGS("groups", "10")) : choose("topk", SETTINGS("k", "1")),
            _i & 1, _i & 2);
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    double wanted[ITEMS * DIM] = {0};
    for (uint32_t round = 0; round < 4; round++)
        publish(first, round, wanted);
    archive(first, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    archive(second, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    for (uint32_t round = 4; round < 7; round++) {
        publish(first, round, wanted);
        publish(second, round, wanted);
    }
    archive(first, &(struct frs_archive){.out = &ended[0]});
    archive(second, &(struct frs_archive){.out = &ended[1]});
    ck_assert_uint_eq(ended[0].n, ended[1].n);
    ck_assert_mem_eq(ended[0].bytes, ended[1].bytes, ended[0].n);
    ck_assert_mem_eq(frs_downlink_tables(first->downlink)->part[0],
        frs_downlink_tables(second->downlink)->part[0], ITEMS * DIM * sizeof(float));
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
    end(first);
    end(second);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("feedback");
    TCase *tests = tcase_create("feedback");
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, feedback_keeps_what_was_lost);
    tcase_add_test(tests, values_that_are_not_finite);
    tcase_add_test(tests, uploads_add_up);
    tcase_add_test(tests, servers_and_their_clients);
    tcase_add_loop_test(tests, decoded_servers_hold_what_clients_hold, 0, 2);
    tcase_add_loop_test(tests, archives_hold_residuals_and_tables, 0, 8);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
