/* Bytes of pairwise masks: the closed form, and the messages themselves. */
#include "algorithms/privacy/masks/fixed_point.h"
#include "algorithms/privacy/masks/mask_traffic.h"
#include "tests/algorithms/privacy/masks/mask_fixture.h"

/* Bonawitz et al. 2017: times a plain vector of 16-bit values. */
START_TEST(traffic_is_as_published) {
    static const struct {
        size_t n, m;
        unsigned w;
        double factor;
    } cases[] = {{1 << 10, 1 << 20, 26, 1.734}, {1 << 14, 1 << 24, 30, 1.984}};
    for (size_t i = 0; i < 2; i++) {
        uint64_t n = cases[i].n, m = cases[i].m;
        uint64_t bits = frs_mask_client_bits(&frs_mask_published_sizes, n - 1, m, cases[i].w);
        ck_assert_uint_eq(bits, 2 * n * 256 + (5 * n - 4) * 256 + n + m * cases[i].w);
        ck_assert_double_eq_tol((double)bits / (16 * (double)m), cases[i].factor, 5e-4);
    }
}
END_TEST

/* Uploads of 1,682 items with 16-bit values, relative to their plain bits: CoLR saves little compared with
 * keys and shares. With 50 neighbours a client holds shares of 51 clients, including itself. */
START_TEST(factors_of_methods) {
    static const struct {
        size_t n, degree, m;
        double factor, half_a_digit;
    } cases[] = {{100, 99, 1682 * 4, 3.1, .05}, {1000, 999, 1682 * 4, 18, .5},
        {1000, 50, 1682 * 4, 2.46, .005}, {100, 99, 1682, 8.1, .05}, {1000, 999, 1682, 68, .5},
        {1000, 50, 1682, 4.98, .005}, {100, 99, 1682 * 16, 1.85, .005}, {1000, 999, 1682 * 16, 5.8, .05},
        {1000, 50, 1682 * 16, 1.83, .005}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_fixed_point fixed;
        ck_assert(frs_fixed_point_init(&fixed, 1, 16, (uint32_t)cases[i].n));
        uint64_t bits =
            frs_mask_client_bits(&frs_mask_published_sizes, cases[i].degree, cases[i].m, fixed.sum_bits);
        ck_assert_double_eq_tol(
            (double)bits / (16 * (double)cases[i].m), cases[i].factor, cases[i].half_a_digit);
    }
}
END_TEST

/* Three clients, all neighbours, 5 numbers of 18 bits: 12 bytes of them. */
START_TEST(own_sizes_by_hand) {
    static const uint64_t bytes[FRS_N_MASK_KINDS] = {[FRS_MASK_KEYS] = 16 + 64,
        [FRS_MASK_ROSTER] = 16 + 2 * (4 + 64),
        [FRS_MASK_SHARES] = 16 + 2 * (4 + 64 + 16),
        [FRS_MASK_DELIVERY] = 16 + 2 * (4 + 64 + 16),
        [FRS_MASK_MASKED] = 16 + 12,
        [FRS_MASK_SURVIVORS] = 16 + 1,
        [FRS_MASK_UNMASKING] = 16 + 3 * 32};
    for (enum frs_mask_kind kind = FRS_MASK_KEYS; kind < FRS_N_MASK_KINDS; kind++)
        ck_assert_uint_eq(frs_mask_message_bits(&frs_mask_own_sizes, kind, 2, 5, 18), 8 * bytes[kind]);
}
END_TEST

struct count {
    uint64_t bytes, n;
    size_t degree, m;
    unsigned w;
};

static void count(void *context, enum frs_mask_kind kind, uint32_t place, const struct frs_buffer *message) {
    struct count *counted = context;
    (void)place;
    ck_assert_uint_eq(8 * message->n,
        frs_mask_message_bits(&frs_mask_own_sizes, kind, counted->degree, counted->m, counted->w));
    counted->bytes += message->n;
    counted->n++;
}

/* Every message of every client, to the byte. If 1,000 clients are all neighbours, one of them is checked:
 * the messages of the others are written in the same way. */
START_TEST(messages_have_these_sizes) {
    static const struct { size_t n, degree; } cases[] = {{10, 9}, {10, 4}, {100, 99}, {100, 14}, {1000, 20}};
    enum { M = 37, W = 26 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].n, degree = cases[i].degree;
        if (FRS_TEST_CASES(5) < 5 && n * degree > 10000)
            continue;
        struct frs_mask_round round = mask_round(n, degree, 0.66, M, W, 800 + (uint32_t)i);
        struct count counted = {.degree = degree, .m = M, .w = W};
        enum mask_vanishes *vanishes = frs_alloc(n, sizeof *vanishes);
        uint32_t *numbers = frs_alloc(n * M, sizeof *numbers), sums[M];
        struct mask_play play = {
            .round = &round, .numbers = numbers, .vanishes = vanishes, .seen = count, .context = &counted};
        ck_assert_uint_eq(round.graph.degree, degree);
        ck_assert(mask_play(&play, sums));
        ck_assert_uint_eq(counted.n, 7 * n);
        ck_assert_uint_eq(8 * counted.bytes, n * frs_mask_client_bits(&frs_mask_own_sizes, degree, M, W));
        free(numbers);
        free(vanishes);
        frs_neighbours_fini(&round.graph);
    }
}
END_TEST

/* A thousand clients that are all neighbours, seen by one of them. */
START_TEST(a_thousand_neighbours) {
    enum { N = 1000, M = 37, W = 26 };
    static struct frs_mask_member members[N];
    static struct frs_mask_box boxes[N];
    static bool survived[N];
    static uint8_t shares[N][FRS_SECRET_BYTES];
    static uint32_t numbers[M];
    struct frs_mask_context context = {.party = N - 1, .n_clients = N};
    struct frs_mask_keys keys = {{0}, {0}};
    struct frs_buffer message = {0};
    uint64_t bytes = 0;
    frs_mask_put_keys(&message, &context, &keys);
    bytes += message.n;
    frs_mask_put_roster(&message, &context, members, N - 1);
    bytes += message.n;
    frs_mask_put_boxes(&message, &context, FRS_MASK_SHARES, boxes, N - 1);
    bytes += message.n;
    frs_mask_put_boxes(&message, &context, FRS_MASK_DELIVERY, boxes, N - 1);
    bytes += message.n;
    frs_mask_put_masked(&message, &context, numbers, M, W);
    bytes += message.n;
    frs_mask_put_survivors(&message, &context, survived, N);
    bytes += message.n;
    frs_mask_put_unmasking(&message, &context, (const uint8_t(*)[FRS_SECRET_BYTES])shares, N);
    bytes += message.n;
    ck_assert_uint_eq(8 * bytes, frs_mask_client_bits(&frs_mask_own_sizes, N - 1, M, W));
    frs_buffer_fini(&message);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mask traffic");
    TCase *tests = tcase_create("mask traffic");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, traffic_is_as_published);
    tcase_add_test(tests, factors_of_methods);
    tcase_add_test(tests, own_sizes_by_hand);
    tcase_add_test(tests, messages_have_these_sizes);
    tcase_add_test(tests, a_thousand_neighbours);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
