/* What clients hold after every way to catch up, and what the messages for it weigh. */
#include "algorithms/codecs/quantised_row.h"
#include "algorithms/downlink/catchup.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/downlink/fixture.h"

extern const struct frs_codec frs_codec_quantise;

/* What the ways to catch up (`method.catchup`) make of the updates this client has missed. */
static size_t expected_bytes(const struct run *run, uint32_t client) {
    uint32_t held = run->version[client];
    size_t full = FRS_MESSAGE_HEADER_BYTES + STATE_BYTES, replay = FRS_MESSAGE_HEADER_BYTES;
    if (held == UINT32_MAX) {
        if (run->catchup == FRS_CATCHUP_FULL || run->first_contact == FRS_FIRST_CONTACT_TABLE)
            return full;
        held = 0;
    }
    for (size_t v = held; v < run->n_updates; v++)
        replay += FRS_MESSAGE_UPDATE_HEADER_BYTES + run->update_bytes[v];
    return run->catchup == FRS_CATCHUP_FULL     ? full
           : run->catchup == FRS_CATCHUP_REPLAY ? replay
           : replay < full                      ? replay
                                                : full;
}

/* Beyond the newest publication; before there is any, an empty one stands for it. */
static size_t expected_catchup_bytes(const struct run *run, uint32_t client) {
    if (run->n_updates == 0)
        return frs_downlink_catchup_bytes(run->downlink, client);
    size_t all = expected_bytes(run, client) - FRS_MESSAGE_HEADER_BYTES, newest = 0;
    for (size_t v = run->newest; v < run->n_updates; v++)
        newest += FRS_MESSAGE_UPDATE_HEADER_BYTES + run->update_bytes[v];
    return all > newest ? all - newest : 0;
}

/* Decodes the client's actual message into a copy of the table it holds: the server's table, bit for bit. */
static void check_message(struct run *run, uint32_t client, uint64_t expected) {
    struct frs_buffer message = {0};
    struct frs_tables own = frs_model_tables(run->model);
    struct frs_download download;
    frs_downlink_encode(run->downlink, client, 0, &message);
    ck_assert_uint_eq(message.n, frs_downlink_size(run->downlink, client).bytes);
    struct frs_tables copy = copy_tables(run->model);
    memcpy(copy.part[0], run->held[client].part[0], ITEMS * DIM * sizeof(float));
    ck_assert(frs_downlink_decode(run->downlink, &message, &copy, &download));
    ck_assert_uint_eq(download.header.round_seed, expected);
    if (download.header.kind == FRS_MESSAGE_UPDATES && download.header.n_sections > 0 &&
        frs_downlink_current(run->downlink) > 0)
        ck_assert_uint_eq(download.version, frs_downlink_current(run->downlink));
    ck_assert_int_eq(compare_tables(run->model, &copy, &own), 0);
    ck_assert_int_eq(compare_tables(run->model, &copy, frs_downlink_tables(run->downlink)), 0);
    free_tables(&copy);
    frs_buffer_fini(&message);
}

/* `client` downloads for good. */
static void download(struct run *run, uint32_t client) {
    struct frs_buffer message = {0};
    struct frs_download download;
    frs_downlink_encode(run->downlink, client, 0, &message);
    ck_assert(frs_downlink_decode(run->downlink, &message, &run->held[client], &download));
    frs_downlink_received(run->downlink, client, frs_downlink_current(run->downlink));
    run->version[client] = (uint32_t)run->n_updates;
    frs_buffer_fini(&message);
}

/* Random participation: every client is selected in every round; members of the cohort download and train.
 * Client 11 takes part once, in the last round. Nothing arrives in every seventh round. */
static void simulate(struct run *run) {
    struct frs_rng rng = test_rng(300);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t n = 1 + frs_rng_below(&rng, 4), *cohort = random_subset(&rng, CLIENTS - 1, n);
        frs_downlink_open(run->downlink, round);
        for (uint32_t client = 0; client < CLIENTS; client++) {
            ck_assert_uint_eq(frs_downlink_version(run->downlink, client), run->version[client]);
            ck_assert_uint_eq(frs_downlink_size(run->downlink, client).bytes, expected_bytes(run, client));
            ck_assert_uint_eq(
                frs_downlink_catchup_bytes(run->downlink, client), expected_catchup_bytes(run, client));
            check_message(run, client, frs_downlink_round_seed(run->downlink));
        }
        for (size_t i = 0; i < n; i++)
            download(run, cohort[i]);
        train_and_publish(run, cohort, round % 7 == 6 ? 0 : n, round);
        free(cohort);
    }
    ck_assert_uint_gt(run->n_updates, 20);
}

/* Loops over 3 rules × 2 first contacts × 3 codecs. */
START_TEST(clients_hold_the_servers_table) {
    static const enum frs_catchup rules[] = {FRS_CATCHUP_REPLAY, FRS_CATCHUP_FULL, FRS_CATCHUP_CHEAPEST};
    struct run run =
        begin(&frs_learner_colr, codecs[_i / 6], rules[_i % 3], (enum frs_first_contact)(_i / 3 % 2));
    create(&run);
    simulate(&run);
    end(&run);
}
END_TEST

/* An update for each of two round seeds is caught up with like any two updates. */
START_TEST(one_round_publishes_under_two_words) {
    struct run run = begin(&frs_learner_colr, codecs[_i], FRS_CATCHUP_CHEAPEST, FRS_FIRST_CONTACT_SEED);
    run.catchup = _i % 2 ? FRS_CATCHUP_REPLAY : FRS_CATCHUP_CHEAPEST;
    run.splits = true;
    create(&run);
    simulate(&run);
    ck_assert_uint_gt(run.n_updates, ROUNDS);
    end(&run);
}
END_TEST

/* Under `ideal` a message holds everything the last round published. */
START_TEST(ideal_sends_all_words_of_a_round) {
    struct run run = begin(&frs_learner_colr, codecs[_i], FRS_CATCHUP_IDEAL, FRS_FIRST_CONTACT_SEED);
    run.splits = true;
    create(&run);
    for (uint32_t round = 0; round < 10; round++) {
        const uint32_t cohort[] = {0, 3, 5};
        frs_downlink_open(run.downlink, round);
        check_message(&run, 0, frs_downlink_round_seed(run.downlink));
        if (round > 0) {
            struct frs_message_size size = frs_downlink_size(run.downlink, 7);
            size_t last = run.n_updates - 1;
            ck_assert_uint_eq(size.bytes, FRS_MESSAGE_HEADER_BYTES + 2 * FRS_MESSAGE_UPDATE_HEADER_BYTES +
                                              run.update_bytes[last] + run.update_bytes[last - 1]);
            ck_assert_uint_eq(size.nominal_bytes, run.update_nominal[last] + run.update_nominal[last - 1]);
        }
        download(&run, 0);
        train_and_publish(&run, cohort, 3, round);
    }
    end(&run);
}
END_TEST

/* Two equal updates, one after the other: what one rounds up, the other one need not. */
START_TEST(no_two_updates_draw_the_same) {
    struct run run =
        begin(&frs_learner_colr, &frs_codec_quantise, FRS_CATCHUP_REPLAY, FRS_FIRST_CONTACT_SEED);
    run.codec.settings = &(struct frs_quantisation){.bits = 8, .stochastic = true};
    create(&run);
    frs_downlink_open(run.downlink, 0);
    struct frs_rows decoded[2][FRS_MAX_PARTS];
    float values[2 * ITEMS]; /* of rank 2 */
    for (size_t i = 0; i < 2 * ITEMS; i++)
        values[i] = (float)(i % 7 + 1) / 7; /* 127 i/7 is no whole number, except for the largest */
    const struct frs_rows update = {.n_rows = ITEMS, .dim = 2, .n = ITEMS, .values = values};
    for (int i = 0; i < 2; i++)
        frs_downlink_publish(run.downlink, 1 + (uint64_t)i, &update, i > 0, &run.arena, decoded[i]);
    ck_assert_mem_ne(decoded[0][0].values, decoded[1][0].values, sizeof values);
    end(&run);
}
END_TEST

/* The table of a client that would need updates of equal length is as cheap, and exact: it is sent. */
START_TEST(cheapest_prefers_the_table_to_updates_of_its_length) {
    struct frs_update_log log = {0};
    frs_update_log_append(&log, (struct frs_update){0});
    size_t bytes = frs_update_log_bytes(&log, 0);
    for (size_t table = bytes - 1; table <= bytes + 1; table++)
        ck_assert(frs_catchup_plan(FRS_CATCHUP_CHEAPEST, FRS_FIRST_CONTACT_TABLE, &log, 0, table).state ==
                  (table <= bytes));
    frs_update_log_fini(&log);
}
END_TEST

/* At full rank one update is longer than the table: never worth sending. */
START_TEST(cheapest_knows_updates_longer_than_the_table) {
    struct run run =
        begin(&frs_learner_colr, &frs_codec_dense, FRS_CATCHUP_CHEAPEST, (enum frs_first_contact)_i);
    run.rank = "8";
    create(&run);
    simulate(&run);
    end(&run);
}
END_TEST

/* `ideal` sends one update whatever a client missed, so the table of a client that missed rounds cannot be
 * reproduced; that of a client that takes part in every round can. */
START_TEST(ideal_sends_one_update) {
    struct run run = begin(&frs_learner_colr, codecs[_i], FRS_CATCHUP_IDEAL, FRS_FIRST_CONTACT_SEED);
    create(&run);
    struct frs_rng rng = test_rng(301);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t cohort[] = {0, 1 + frs_rng_below(&rng, CLIENTS - 1)};
        frs_downlink_open(run.downlink, round);
        check_message(&run, 0, frs_downlink_round_seed(run.downlink));
        download(&run, 0);
        for (uint32_t client = 0; client < CLIENTS && round > 0; client++) {
            struct frs_message_size size = frs_downlink_size(run.downlink, client);
            ck_assert_uint_eq(size.bytes, FRS_MESSAGE_HEADER_BYTES + FRS_MESSAGE_UPDATE_HEADER_BYTES +
                                              run.update_bytes[run.n_updates - 1]);
            ck_assert_uint_eq(size.nominal_bytes, run.update_nominal[run.n_updates - 1]);
            ck_assert_uint_eq(frs_downlink_catchup_bytes(run.downlink, client), 0);
        }
        frs_downlink_received(run.downlink, cohort[1], frs_downlink_current(run.downlink));
        train_and_publish(&run, cohort, 2, round);
    }
    end(&run);
}
END_TEST

/* All updates are kept where every client is sent what it missed; only the last one where none is; of the
 * others only the sizes. */
START_TEST(what_is_kept_of_updates) {
    const enum frs_catchup catchups[] = {FRS_CATCHUP_REPLAY, FRS_CATCHUP_IDEAL};
    for (size_t i = 0; i < 2; i++) {
        struct run run = begin(&frs_learner_colr, &frs_codec_dense, catchups[i], FRS_FIRST_CONTACT_SEED);
        create(&run);
        for (uint32_t round = 0; round < 3; round++) {
            frs_downlink_open(run.downlink, round);
            download(&run, 0);
            train_and_publish(&run, (const uint32_t[]){0, 1}, 2, round);
        }
        ck_assert_uint_eq(run.n_updates, 3);
        ck_assert_uint_eq(run.update_bytes[2], 4 * ITEMS * 2);
        ck_assert_uint_eq(frs_downlink_kept_bytes(run.downlink),
            3 * (sizeof(struct frs_update) + sizeof(size_t)) + (i ? 1 : 3) * 4 * ITEMS * 2);
        end(&run);
    }
}
END_TEST

/* Before there is any update the papers still count one, of the size of every other. */
START_TEST(ideal_counts_the_first_round_too) {
    struct run run = begin(&frs_learner_colr, &frs_codec_dense, FRS_CATCHUP_IDEAL, FRS_FIRST_CONTACT_TABLE);
    create(&run);
    frs_downlink_open(run.downlink, 0);
    struct frs_message_size size = frs_downlink_size(run.downlink, 3);
    ck_assert_uint_eq(size.bytes, 24 + 12 + 4 * ITEMS * 2);
    ck_assert_uint_eq(size.nominal_bytes, 4 * ITEMS * 2);
    end(&run);
}
END_TEST

/* Methods that send state: one message for all clients, whatever they held. */
START_TEST(state_goes_to_everybody) {
    struct run run = begin(&frs_learner_fedmf, codecs[_i], FRS_CATCHUP_CHEAPEST, FRS_FIRST_CONTACT_TABLE);
    create(&run);
    for (uint32_t round = 0; round < 4; round++) {
        struct frs_buffer first = {0}, other = {0};
        frs_downlink_open(run.downlink, round);
        frs_downlink_encode(run.downlink, 0, 0, &first);
        frs_downlink_encode(run.downlink, 7, 0, &other);
        ck_assert_uint_eq(first.n, other.n);
        ck_assert_mem_eq(first.bytes, other.bytes, first.n);
        ck_assert_uint_eq(first.n, frs_downlink_size(run.downlink, 0).bytes);
        if (_i == 0)
            ck_assert_uint_eq(first.n, FRS_MESSAGE_HEADER_BYTES + STATE_BYTES);
        download(&run, 0);
        ck_assert_int_eq(compare_tables(run.model, &run.held[0], frs_downlink_tables(run.downlink)), 0);
        if (run.codec.codec->lossless)
            check_message(&run, 5, 0);
        train_and_publish(&run, (const uint32_t[]){0, 3}, 2, round);
        frs_buffer_fini(&first);
        frs_buffer_fini(&other);
    }
    end(&run);
}
END_TEST

/* The server applies what the clients will decode: after a lossy update its table is not that of a lossless
 * one. */
START_TEST(the_server_keeps_what_it_broadcast) {
    struct frs_tables tables[2];
    for (int i = 0; i < 2; i++) {
        struct run run = begin(
            &frs_learner_colr, i ? &halves : &frs_codec_dense, FRS_CATCHUP_REPLAY, FRS_FIRST_CONTACT_SEED);
        create(&run);
        frs_downlink_open(run.downlink, 0);
        train_and_publish(&run, (const uint32_t[]){0, 1}, 2, 0);
        tables[i] = copy_tables(run.model);
        ck_assert_int_ne(compare_tables(run.model, &tables[i], &run.initial), 0);
        check_message(&run, 0, frs_downlink_round_seed(run.downlink));
        end(&run);
    }
    ck_assert_mem_ne(tables[0].part[0], tables[1].part[0], STATE_BYTES);
    free_tables(&tables[0]);
    free_tables(&tables[1]);
}
END_TEST

/* Also of rows that were so before and have not changed since. For methods that send state and for methods
 * that send updates; for messages that are encoded and messages that are not. */
START_TEST(what_is_not_finite_is_told) {
    struct run run = begin(_i / 2 ? &frs_learner_colr : &frs_learner_fedmf, &frs_codec_dense,
        FRS_CATCHUP_CHEAPEST, FRS_FIRST_CONTACT_TABLE);
    void (*open)(struct frs_downlink *, uint32_t) = _i % 2 ? frs_downlink_open_unseen : frs_downlink_open;
    create(&run);
    float *values = frs_model_tables(run.model).part[0];
    const struct {
        float first, last;
        bool finite;
    } rounds[] = {{1, 2, true}, {INFINITY, 2, false}, {INFINITY, 2, false}, {INFINITY, NAN, false},
        {1, NAN, false}, {1, 2, true}, {3, 2, true}};
    for (uint32_t round = 0; round < sizeof rounds / sizeof *rounds; round++) {
        values[0] = rounds[round].first;
        values[ITEMS * DIM - 1] = rounds[round].last;
        open(run.downlink, round);
        ck_assert_int_eq(frs_downlink_is_finite(run.downlink), rounds[round].finite);
        const float *held = frs_downlink_tables(run.downlink)->part[0];
        ck_assert_mem_eq(held, values, ITEMS * DIM * sizeof *values);
    }
    end(&run);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("downlink");
    TCase *tests = tcase_create("downlink");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, one_round_publishes_under_two_words, 0, 3);
    tcase_add_loop_test(tests, ideal_sends_all_words_of_a_round, 0, 3);
    tcase_add_test(tests, no_two_updates_draw_the_same);
    tcase_add_loop_test(tests, clients_hold_the_servers_table, 0, 18);
    tcase_add_loop_test(tests, cheapest_knows_updates_longer_than_the_table, 0, 2);
    tcase_add_loop_test(tests, ideal_sends_one_update, 0, 3);
    tcase_add_test(tests, cheapest_prefers_the_table_to_updates_of_its_length);
    tcase_add_test(tests, ideal_counts_the_first_round_too);
    tcase_add_test(tests, what_is_kept_of_updates);
    tcase_add_loop_test(tests, state_goes_to_everybody, 0, 3);
    tcase_add_test(tests, the_server_keeps_what_it_broadcast);
    tcase_add_loop_test(tests, what_is_not_finite_is_told, 0, 4);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
