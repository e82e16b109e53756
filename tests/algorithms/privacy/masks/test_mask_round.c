/* Rounds of pairwise masks: the sum, who may vanish when, and what a masked upload looks like. */
#include "tests/algorithms/privacy/masks/mask_fixture.h"
#include "algorithms/privacy/masks/fixed_point.h"
#include "algorithms/privacy/masks/mask.h"

static uint32_t *random_numbers(struct frs_rng *rng, size_t n, uint32_t below) {
    uint32_t *numbers = frs_alloc(n, sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = frs_rng_below(rng, below);
    return numbers;
}

/* Plays it, and tells whether there is a sum; if so, it is the plain one. */
static bool check_play(struct mask_play *play) {
    size_t n = play->round->graph.n, m = play->round->n_values;
    uint32_t *sums = frs_alloc(2 * m + 1, sizeof *sums);
    play->survived = frs_alloc(n, sizeof *play->survived);
    bool whole = mask_play(play, sums);
    mask_plain_sum(play, sums + m);
    if (whole)
        ck_assert_mem_eq(sums, sums + m, m * sizeof *sums);
    free(play->survived);
    free(sums);
    return whole;
}

/* Two clients: 3 + 4. */
START_TEST(two_by_hand) {
    static const uint32_t numbers[] = {3, 4};
    static const enum mask_vanishes vanishes[2];
    struct frs_mask_round round = mask_round(2, 1, 0.66, 1, 17, 810);
    uint32_t sum;
    ck_assert_uint_eq(round.threshold, 2);
    ck_assert(
        mask_play(&(struct mask_play){.round = &round, .numbers = numbers, .vanishes = vanishes}, &sum));
    ck_assert_uint_eq(sum, 7);
    frs_neighbours_fini(&round.graph);
}
END_TEST

/* Four clients with two neighbours each, or three, and ten numbers. A client shares two secrets with its
 * neighbours and itself, and adds a mask for each neighbour and its own. The server finds weights for each of
 * four secrets anew, or, where all are neighbours, once: 2 t² steps for a threshold of t. */
START_TEST(work_by_hand) {
    static const enum frs_mask_reached all[] = {
        FRS_REACHED_UNMASKING, FRS_REACHED_UNMASKING, FRS_REACHED_UNMASKING, FRS_REACHED_UNMASKING};
    for (size_t degree = 2; degree < 4; degree++) {
        struct frs_mask_round round = mask_round(4, degree, 0.66, 10, 17, 811);
        uint64_t t = round.threshold;
        struct frs_mask_tally shares = frs_mask_client_work(&round, FRS_MASK_SHARES, degree),
                              masked = frs_mask_client_work(&round, FRS_MASK_MASKED, degree),
                              server = frs_mask_server_work(&round, all);
        ck_assert_uint_eq(shares.agreements, degree);
        ck_assert_uint_eq(shares.share_steps, 2 * (degree + 1) * t);
        ck_assert_uint_eq(shares.boxes, degree);
        ck_assert_uint_eq(masked.agreements, degree);
        ck_assert_uint_eq(masked.boxes, degree);
        ck_assert_uint_eq(masked.masked_numbers, 10 * (degree + 1));
        ck_assert_uint_eq(server.share_steps, 4 * t);
        ck_assert_uint_eq(server.weight_steps, (degree < 3 ? 4 : 1) * 2 * t * t);
        ck_assert_uint_eq(server.masked_numbers, 40);
        ck_assert_uint_eq(server.agreements, 0);
        frs_neighbours_fini(&round.graph);
    }
}
END_TEST

START_TEST(threshold_is_rounded_up) {
    ck_assert_uint_eq(frs_mask_threshold(0.66, 99), 66);
    ck_assert_uint_eq(frs_mask_threshold(2. / 3, 14), 10);
    ck_assert_uint_eq(frs_mask_threshold(0.7, 9), 7);
    ck_assert_uint_eq(frs_mask_threshold(0.1, 4), 2);
    ck_assert_uint_eq(frs_mask_threshold(1, 4), 5);
}
END_TEST

/* So many vanish, in this phase, or each in any of them (STAYS). */
static void let_vanish(
    struct frs_rng *rng, enum mask_vanishes *vanishes, size_t n, size_t n_lost, enum mask_vanishes phase) {
    uint32_t *lost = random_subset(rng, (uint32_t)n, (uint32_t)n_lost);
    for (size_t i = 0; i < n; i++)
        vanishes[i] = STAYS;
    for (size_t i = 0; i < n_lost; i++)
        vanishes[lost[i]] = phase == STAYS ? BEFORE_KEYS + frs_rng_below(rng, 4) : phase;
    free(lost);
}

/* If all clients are neighbours, the round succeeds exactly when `threshold` clients are left at its end.
 * They vanish in phase _i; STAYS is any mixture. */
START_TEST(losses_of_a_full_graph) {
    struct frs_rng rng = test_rng(820 + (uint32_t)_i);
    for (int repeat = 0; repeat < FRS_TEST_CASES(10); repeat++) {
        uint32_t n = 2 + frs_rng_below(&rng, 24), m = frs_rng_below(&rng, 60);
        struct frs_mask_round round =
            mask_round(n, n - 1, 0.3 + 0.7 * frs_rng_unit(&rng), m, 16 + frs_rng_below(&rng, 17), 821);
        enum mask_vanishes *vanishes = frs_alloc(n, sizeof *vanishes);
        uint32_t *numbers = random_numbers(&rng, (size_t)n * m + 1, 1u << 16);
        struct mask_play play = {.round = &round, .numbers = numbers, .vanishes = vanishes};
        size_t most = n - round.threshold, some = frs_rng_below(&rng, (uint32_t)most + 1);
        const size_t losses[] = {0, some, most, most + 1};
        for (size_t i = 0; i < 4; i++) {
            let_vanish(&rng, vanishes, n, losses[i], _i);
            ck_assert(check_play(&play) == (losses[i] <= most));
        }
        free(numbers);
        free(vanishes);
        frs_neighbours_fini(&round.graph);
    }
}
END_TEST

/* How far each client gets, which gives up where it sees too few others. */
static void reached_in(const struct mask_play *play, enum frs_mask_reached *reached) {
    size_t n = play->round->graph.n;
    bool *stays = frs_alloc(n, sizeof *stays);
    for (size_t i = 0; i < n; i++)
        reached[i] = mask_reached(play->vanishes[i]);
    for (enum frs_mask_reached phase = FRS_REACHED_KEYS; phase < FRS_REACHED_UNMASKING; phase++) {
        for (size_t i = 0; i < n; i++)
            stays[i] = frs_mask_goes_on(play->round, reached, i, phase);
        for (size_t i = 0; i < n; i++)
            if (!stays[i] && reached[i] > phase)
                reached[i] = phase;
    }
    free(stays);
}

static bool can_be_recovered(const struct mask_play *play) {
    enum frs_mask_reached *reached = frs_alloc(play->round->graph.n, sizeof *reached);
    reached_in(play, reached);
    bool can = frs_mask_can_unmask(play->round, reached);
    free(reached);
    return can;
}

/* Any cohort over a sparse graph: the sum is there exactly when who counts heads says so. */
START_TEST(losses_of_a_sparse_graph) {
    struct frs_rng rng = test_rng(830 + (uint32_t)_i);
    size_t n_whole = 0, n_void = 0;
    for (int repeat = 0; repeat < FRS_TEST_CASES(25); repeat++) {
        uint32_t n = 5 + frs_rng_below(&rng, 60), m = frs_rng_below(&rng, 20);
        struct frs_mask_round round =
            mask_round(n, 2 + frs_rng_below(&rng, 14), 0.6, m, 20, 831 + (uint32_t)repeat);
        enum mask_vanishes *vanishes = frs_alloc(n, sizeof *vanishes);
        uint32_t *numbers = random_numbers(&rng, (size_t)n * m + 1, 1u << 20);
        struct mask_play play = {.round = &round, .numbers = numbers, .vanishes = vanishes};
        let_vanish(&rng, vanishes, n, frs_rng_below(&rng, n / 3 + 1), _i);
        bool whole = check_play(&play);
        ck_assert(can_be_recovered(&play) == whole);
        n_whole += whole;
        n_void += !whole;
        free(numbers);
        free(vanishes);
        frs_neighbours_fini(&round.graph);
    }
    ck_assert_uint_gt(n_whole, 0);
    ck_assert_uint_gt(n_void, 0);
}
END_TEST

/* A ring of eight, each with two neighbours on either side: three of five shares of a secret are needed.
 * Two of client 0's neighbours may be missing in the end, but not a third one. */
START_TEST(one_more_and_it_is_void) {
    enum { N = 8 };
    static const uint32_t numbers[N] = {1, 2, 4, 8, 16, 32, 64, 128};
    struct frs_mask_round round = mask_round(N, 4, 0.6, 1, 20, 850);
    enum mask_vanishes vanishes[N] = {STAYS};
    struct mask_play play = {.round = &round, .numbers = numbers, .vanishes = vanishes};
    const uint32_t *lost = frs_neighbours_of(&round.graph, 0);
    ck_assert_uint_eq(round.threshold, 3);
    vanishes[lost[0]] = vanishes[lost[1]] = BEFORE_UNMASKING;
    ck_assert(check_play(&play));
    vanishes[lost[2]] = BEFORE_UNMASKING;
    ck_assert(!check_play(&play));
    frs_neighbours_fini(&round.graph);
}
END_TEST

/* A ring of six, of which two send no shares; two of three shares of a secret are needed. The remaining
 * clients are a line of four (6 of 15 pairs are neighbours); a line of three and one that gives up (6
 * pairs); or two and two (3 pairs), of which the server would read two sums. */
START_TEST(two_sums_are_none) {
    enum { N = 6 };
    static const uint32_t numbers[N] = {1, 2, 4, 8, 16, 32};
    struct frs_mask_round round = mask_round(N, 2, 0.6, 1, 20, 855);
    size_t n_whole = 0, n_apart = 0;
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < a; b++) {
            enum mask_vanishes vanishes[N] = {[0] = STAYS};
            struct mask_play play = {.round = &round, .numbers = numbers, .vanishes = vanishes};
            bool there[N];
            vanishes[a] = vanishes[b] = BEFORE_SHARES;
            for (size_t i = 0; i < N; i++)
                there[i] = vanishes[i] == STAYS;
            n_apart += !frs_neighbours_connect(&round.graph, there);
            bool whole = check_play(&play);
            ck_assert(can_be_recovered(&play) == whole);
            n_whole += whole;
        }
    ck_assert_uint_eq(round.threshold, 2);
    ck_assert_uint_eq(n_apart, 9);
    ck_assert_uint_eq(n_whole, 12);
    frs_neighbours_fini(&round.graph);
}
END_TEST

/* Cohorts up to 500. */
START_TEST(large_cohorts_unmask_their_sum) {
    static const struct {
        uint32_t n;
        size_t degree;
    } cases[] = {{500, 18}, {137, 136}};
    struct frs_rng rng = test_rng(860);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t n = cases[i].n;
        struct frs_mask_round round = mask_round(n, cases[i].degree, 0.5, 11, 26, 861);
        enum mask_vanishes *vanishes = frs_alloc(n, sizeof *vanishes);
        uint32_t *numbers = random_numbers(&rng, n * 11u, 1u << 16);
        struct mask_play play = {.round = &round, .numbers = numbers, .vanishes = vanishes};
        let_vanish(&rng, vanishes, n, n / 10, STAYS);
        ck_assert(check_play(&play));
        free(numbers);
        free(vanishes);
        frs_neighbours_fini(&round.graph);
    }
}
END_TEST

/* What is computed: key pairs, agreements of boxes and masks, both sides of each; masks with neighbours and
 * one's own. */
START_TEST(counted_by_hand) {
    enum { N = 6, M = 10 };
    static const enum mask_vanishes vanishes[N] = {[2] = BEFORE_MASKED};
    static const uint32_t numbers[N * M];
    uint32_t sums[M];
    struct frs_mask_round round = mask_round(N, N - 1, 0.5, M, 20, 870);
    struct mask_play play = {.round = &round, .numbers = numbers, .vanishes = vanishes};
    ck_assert(mask_play(&play, sums));
    ck_assert_uint_eq(round.threshold, 3);
    ck_assert_uint_eq(play.client_tally.agreements, 2 * N + N * 5 + 5 * 5);
    ck_assert_uint_eq(play.client_tally.masked_numbers, 5 * 6 * M);
    ck_assert_uint_eq(play.client_tally.boxes, N * 5 + 5 * 5);
    ck_assert_uint_eq(play.client_tally.share_steps, N * 2 * 6 * 3);
    ck_assert_uint_eq(play.server_tally.agreements, 1 + 5);
    ck_assert_uint_eq(play.server_tally.masked_numbers, (5 + 5) * M);
    ck_assert_uint_eq(play.server_tally.share_steps, N * 3);
    enum frs_mask_reached reached[N];
    reached_in(&play, reached);
    struct frs_mask_tally server = frs_mask_server_work(&round, reached),
                          keys = frs_mask_client_work(&round, FRS_MASK_KEYS, 0),
                          shares = frs_mask_client_work(&round, FRS_MASK_SHARES, 5),
                          masked = frs_mask_client_work(&round, FRS_MASK_MASKED, 5);
    ck_assert_mem_eq(&server, &play.server_tally, sizeof server);
    ck_assert_uint_eq(
        N * (keys.agreements + shares.agreements) + 5 * masked.agreements, play.client_tally.agreements);
    ck_assert_uint_eq(5 * masked.masked_numbers, play.client_tally.masked_numbers);
    ck_assert_uint_eq(N * shares.share_steps, play.client_tally.share_steps);
    ck_assert_uint_eq(N * shares.boxes + 5 * masked.boxes, play.client_tally.boxes);
    frs_neighbours_fini(&round.graph);
}
END_TEST

/* ---- what the server sees -------------------------------------------------------------------- */

/* Chi-square of bytes against equal shares, 255 degrees of freedom: 347.7 is passed by one in 10,000 by
 * chance. */
#define MOST_CHI_SQUARE 347.7

static double chi_square(const uint8_t *bytes, size_t n) {
    size_t counts[256] = {0};
    double expected = (double)n / 256, distance = 0;
    for (size_t i = 0; i < n; i++)
        counts[bytes[i]]++;
    for (size_t i = 0; i < 256; i++)
        distance += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    return distance;
}

enum { UPLOAD_VALUES = 40000, UPLOAD_CLIENTS = 8 };

struct upload {
    uint32_t place;
    struct frs_buffer message;
};

static void keep_upload(
    void *context, enum frs_mask_kind kind, uint32_t place, const struct frs_buffer *message) {
    struct upload *upload = context;
    if (kind == FRS_MASK_MASKED && place == upload->place)
        frs_buffer_put(&upload->message, message->bytes + 16, message->n - 16);
}

/* Values as an update has them: most are zero, the others small. */
static uint32_t *update_numbers(struct frs_rng *rng, unsigned *bits) {
    struct frs_fixed_point fixed;
    uint32_t *numbers = frs_alloc(UPLOAD_CLIENTS * UPLOAD_VALUES, sizeof *numbers);
    ck_assert(frs_fixed_point_init(&fixed, 1, 16, UPLOAD_CLIENTS));
    for (size_t i = 0; i < UPLOAD_CLIENTS * UPLOAD_VALUES; i++) {
        float value = frs_rng_below(rng, 10) ? 0 : (float)(0.01 * frs_rng_normal(rng));
        frs_fixed_point_encode(&fixed, &value, 1, &numbers[i]);
    }
    *bits = fixed.sum_bits;
    return numbers;
}

START_TEST(masked_uploads_look_random) {
    static const enum mask_vanishes vanishes[UPLOAD_CLIENTS];
    static uint32_t sums[UPLOAD_VALUES];
    struct frs_rng rng = test_rng(880);
    unsigned bits;
    uint32_t *numbers = update_numbers(&rng, &bits);
    struct frs_mask_round round = mask_round(UPLOAD_CLIENTS, 4, 0.6, UPLOAD_VALUES, bits, 881);
    struct frs_mask_context context = {.n_clients = UPLOAD_CLIENTS};
    for (uint32_t place = 0; place < UPLOAD_CLIENTS; place++) {
        struct upload upload = {.place = place};
        struct frs_buffer plain = {0};
        ck_assert(mask_play(&(struct mask_play){.round = &round,
                                .numbers = numbers,
                                .vanishes = vanishes,
                                .seen = keep_upload,
                                .context = &upload},
            sums));
        ck_assert_double_lt(chi_square(upload.message.bytes, upload.message.n), MOST_CHI_SQUARE);
        frs_mask_put_masked(&plain, &context, numbers + place * UPLOAD_VALUES, UPLOAD_VALUES, bits);
        ck_assert_uint_eq(plain.n, upload.message.n + 16);
        ck_assert_double_gt(chi_square(plain.bytes + 16, plain.n - 16), 100 * MOST_CHI_SQUARE);
        frs_buffer_fini(&plain);
        frs_buffer_fini(&upload.message);
    }
    frs_neighbours_fini(&round.graph);
    free(numbers);
}
END_TEST

/* Masks that were weakened on purpose fail the test: one bit of 19 left open, only every tenth value
 * masked, one mask for all values. */
START_TEST(broken_masks_do_not) {
    struct frs_rng rng = test_rng(882);
    unsigned bits;
    uint32_t *numbers = update_numbers(&rng, &bits), *masked = frs_alloc(UPLOAD_VALUES, sizeof *masked),
             *mask = frs_alloc(UPLOAD_VALUES, sizeof *mask);
    struct frs_mask_context context = {.n_clients = UPLOAD_CLIENTS};
    struct frs_buffer message = {0};
    for (size_t i = 0; i < UPLOAD_VALUES; i++)
        mask[i] = frs_rng_u32(&rng);
    for (int broken = 0; broken < 4; broken++) {
        for (size_t i = 0; i < UPLOAD_VALUES; i++) {
            uint32_t kept[] = {mask[i], mask[i] & ~(1u << (bits - 1)), i % 10 ? 0 : mask[i], mask[0]};
            masked[i] = numbers[i] + kept[broken];
        }
        frs_mask_reduce(masked, UPLOAD_VALUES, bits);
        frs_mask_put_masked(&message, &context, masked, UPLOAD_VALUES, bits);
        ck_assert((chi_square(message.bytes + 16, message.n - 16) < MOST_CHI_SQUARE) == (broken == 0));
    }
    frs_buffer_fini(&message);
    free(mask);
    free(masked);
    free(numbers);
}
END_TEST

/* ---- the client does not give away too much -------------------------------------------------- */

/* Clients do not answer a server that reports too few survivors, or asks a second time; nor does the
 * server accept anything twice. */
START_TEST(clients_give_shares_once) {
    enum { N = 5 };
    struct frs_mask_round round = mask_round(N, N - 1, 0.6, 0, 20, 890);
    struct frs_mask_server *server = frs_mask_server_create(&round);
    struct frs_mask_client *clients[N];
    struct frs_buffer in = {0}, out = {0};
    uint32_t none;
    for (uint32_t i = 0; i < N; i++) {
        clients[i] = frs_mask_client_create(&round, i, test_rng(891 + i));
        frs_mask_client_keys(clients[i], &out);
        ck_assert(frs_mask_server_take_keys(server, i, &out));
        ck_assert(!frs_mask_server_take_keys(server, i, &out));
    }
    for (uint32_t i = 0; i < N; i++) {
        frs_mask_server_roster(server, i, &in);
        ck_assert(frs_mask_client_share(clients[i], &in, &out));
        ck_assert(!frs_mask_server_take_masked(server, i, &out));
        ck_assert(frs_mask_server_take_shares(server, i, &out));
    }
    for (uint32_t i = 0; i < 4; i++) {
        frs_mask_server_delivery(server, i, &in);
        ck_assert(frs_mask_client_mask(clients[i], &in, &none, &out));
        ck_assert(frs_mask_server_take_masked(server, i, &out));
        frs_mask_server_survivors(server, i, &in);
        if (i == 1) /* 2 so far, and 3 are needed */
            ck_assert(!frs_mask_client_unmask(clients[0], &in, &out));
    }
    ck_assert(!frs_mask_server_unmask(server, &none));
    for (uint32_t i = 1; i < 4; i++) {
        frs_mask_server_survivors(server, i, &in);
        ck_assert(frs_mask_client_unmask(clients[i], &in, &out));
        ck_assert(frs_mask_server_take_unmasking(server, i, &out));
        ck_assert(!frs_mask_client_unmask(clients[i], &in, &out));
    }
    ck_assert(frs_mask_server_unmask(server, &none));
    for (uint32_t i = 0; i < N; i++)
        frs_mask_client_destroy(clients[i]);
    frs_mask_server_destroy(server);
    frs_buffer_fini(&in);
    frs_buffer_fini(&out);
    frs_neighbours_fini(&round.graph);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mask round");
    TCase *tests = tcase_create("mask round");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, two_by_hand);
    tcase_add_test(tests, work_by_hand);
    tcase_add_test(tests, threshold_is_rounded_up);
    tcase_add_loop_test(tests, losses_of_a_full_graph, STAYS, BEFORE_UNMASKING + 1);
    tcase_add_loop_test(tests, losses_of_a_sparse_graph, STAYS, BEFORE_UNMASKING + 1);
    tcase_add_test(tests, one_more_and_it_is_void);
    tcase_add_test(tests, two_sums_are_none);
    frs_test_add_figures(tests, large_cohorts_unmask_their_sum);
    tcase_add_test(tests, counted_by_hand);
    tcase_add_test(tests, masked_uploads_look_random);
    tcase_add_test(tests, broken_masks_do_not);
    tcase_add_test(tests, clients_give_shares_once);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
