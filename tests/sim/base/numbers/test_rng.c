/* Random streams: known answers, independence of names, and the distributions of what is drawn. */
#include "sim/base/numbers/rng.h"
#include "tests/sim/base/death.h"
#include "tests/support.h"

#include <Random123/philox.h>
#include <math.h>

static struct frs_rng stream(uint32_t client) {
    return frs_rng_stream(1, client, 0, 0, FRS_RNG_TEST);
}

/* A stream whose next words are given: for values worked out by hand. */
static struct frs_rng with_words(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return (struct frs_rng){.block = {a, b, c, d}, .used = 0};
}

static void assert_block(struct frs_rng rng, const uint32_t expected[4]) {
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(frs_rng_u32(&rng), expected[i]);
}

/* philox4x32 with 10 rounds in kat_vectors of Random123 */
START_TEST(blocks_are_the_known_answers) {
    assert_block((struct frs_rng){.used = 4}, (uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    struct frs_rng pi = {.counter = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
        .key = {0xa4093822, 0x299f31d0},
        .used = 4};
    assert_block(pi, (uint32_t[]){0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
    /* No stream hands out the block of counter 2^32 − 1, so this one is asked of the library. */
    philox4x32_ctr_t ones = {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    philox4x32_key_t key = {{UINT32_MAX, UINT32_MAX}};
    philox4x32_ctr_t block = philox4x32(ones, key);
    assert_block(with_words(block.v[0], block.v[1], block.v[2], block.v[3]),
        (uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
}
END_TEST

/* Blocks computed ahead are those of the library, one after the other. */
START_TEST(long_streams_are_made_of_the_same_blocks) {
    struct frs_rng rng = frs_rng_stream(0x0123456789abcdef, 7, 3, 2, FRS_RNG_TEST);
    philox4x32_key_t key = {{rng.key[0], rng.key[1]}};
    for (uint32_t i = 0; i < 200; i++) {
        philox4x32_ctr_t counter = {{i, rng.counter[1], rng.counter[2], rng.counter[3]}};
        philox4x32_ctr_t block = philox4x32(counter, key);
        for (int j = 0; j < 4; j++)
            ck_assert_uint_eq(frs_rng_u32(&rng), block.v[j]);
    }
}
END_TEST

/* How a name becomes counter and key is part of every published result. */
START_TEST(name_becomes_counter) {
    struct frs_rng rng = frs_rng_stream(0x0123456789abcdef, 7, 3, 2, FRS_RNG_TEST);
    philox4x32_key_t key = {{0x89abcdef, 0x01234567}};
    for (uint32_t i = 0; i < 5; i++) {
        philox4x32_ctr_t counter = {{i, 7, 3, 0xff000002}};
        philox4x32_ctr_t block = philox4x32(counter, key);
        for (int j = 0; j < 4; j++)
            ck_assert_uint_eq(frs_rng_u32(&rng), block.v[j]);
    }
}
END_TEST

/* Expected values from an independent implementation of Philox in Python. */
START_TEST(ten_thousandth_value) {
    static const struct {
        enum frs_purpose purpose;
        uint32_t expected;
    } rows[] = {
        {FRS_RNG_SYNTHETIC, 0x59414c10},
        {FRS_RNG_ORDER, 0xb3f8a6f5},
        {FRS_RNG_SPLIT, 0x3b8657fa},
        {FRS_RNG_EVALUATION, 0x2cd09d43},
        {FRS_RNG_COHORT, 0xf063ed48},
        {FRS_RNG_NEGATIVES, 0xaef27f05},
        {FRS_RNG_SHUFFLE, 0xd7dafb35},
        {FRS_RNG_INIT, 0x804255b4},
        {FRS_RNG_INIT_PRIVATE, 0x69446054},
        {FRS_RNG_PROJECTION, 0xf503b986},
        {FRS_RNG_DOWNLINK, 0x47354ff8},
        {FRS_RNG_UPLINK, 0x61e1fc20},
        {FRS_RNG_LATENCY, 0x74b2c161},
        {FRS_RNG_SPEED, 0xa79ac96a},
        {FRS_RNG_NON_FEDERATED, 0x2df2f558},
        {FRS_RNG_TEST, 0x9445cf59},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct frs_rng rng = frs_rng_stream(0x0123456789abcdef, 7, 3, 2, rows[row].purpose);
        for (int i = 0; i < 9999; i++)
            frs_rng_u32(&rng);
        ck_assert_uint_eq(frs_rng_u32(&rng), rows[row].expected);
    }
    struct frs_rng unit = frs_rng_stream(0x0123456789abcdef, 7, 3, 2, FRS_RNG_TEST), normal = unit;
    double last_unit = 0, last_normal = 0;
    for (int i = 0; i < 10000; i++) {
        last_unit = frs_rng_unit(&unit);
        last_normal = frs_rng_normal(&normal);
    }
    ck_assert_double_eq(last_unit, 0x1.54a18753b65ebp-1);
    ck_assert_double_eq_tol(last_normal, 0.2196980187896752, 1e-14); /* sqrt, log and cos are the libm's */
}
END_TEST

START_TEST(streams_of_other_names_differ) {
    struct frs_rng streams[] = {
        frs_rng_stream(1, 2, 3, 4, FRS_RNG_TEST),
        frs_rng_stream(0, 2, 3, 4, FRS_RNG_TEST),
        frs_rng_stream(1 + (UINT64_C(1) << 32), 2, 3, 4, FRS_RNG_TEST), /* upper half of the seed */
        frs_rng_stream(1, 3, 2, 4, FRS_RNG_TEST),
        frs_rng_stream(1, FRS_RNG_SERVER, 3, 4, FRS_RNG_TEST),
        frs_rng_stream(1, 2, 3, 5, FRS_RNG_TEST),
        frs_rng_stream(1, 2, 3, 4, FRS_RNG_COHORT),
    };
    enum { N = sizeof streams / sizeof *streams };
    uint64_t first[N];
    for (int i = 0; i < N; i++)
        first[i] = frs_rng_u64(&streams[i]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(first[i], first[j]);
}
END_TEST

START_TEST(drawing_shifts_no_other_stream) {
    struct frs_rng alone = stream(1), other = stream(2), beside = stream(1);
    for (int i = 0; i < 100; i++) {
        frs_rng_u32(&other);
        ck_assert_uint_eq(frs_rng_u32(&alone), frs_rng_u32(&beside));
    }
}
END_TEST

START_TEST(words_and_units) {
    struct frs_rng rng = with_words(0x89abcdef, 0x01234567, 0xffffffff, 0xffffffff);
    ck_assert_uint_eq(frs_rng_u64(&rng), UINT64_C(0x0123456789abcdef)); /* low word first */
    ck_assert_double_eq(frs_rng_unit(&rng), 1 - 0x1p-53);               /* the largest: below 1 */
    rng = with_words(0, 0x80000000, 0x7ff, 0);
    ck_assert_double_eq(frs_rng_unit(&rng), 0.5);
    ck_assert_double_eq(frs_rng_unit(&rng), 0.0); /* the lowest 11 bits are not used */
}
END_TEST

/* From any place in the stream, and whatever comes after. */
START_TEST(many_units_are_those_drawn_one_by_one) {
    for (uint32_t before = 0; before < 80; before++)
        for (size_t n = 0; n < 80; n += 13) {
            struct frs_rng one = stream(9), many;
            double units[80];
            for (uint32_t i = 0; i < before; i++)
                frs_rng_u32(&one);
            many = one;
            frs_rng_units(&many, units, n);
            for (size_t i = 0; i < n; i++)
                ck_assert_double_eq(units[i], frs_rng_unit(&one));
            for (int i = 0; i < 9; i++)
                ck_assert_uint_eq(frs_rng_u32(&many), frs_rng_u32(&one));
        }
}
END_TEST

/* value = upper half of word × n; rejected while the lower half is below 2^32 mod n. */
START_TEST(below_by_hand) {
    /* 2^32 mod 6 = 4: words 0 (lower half 0) and 2^31 (0) are rejected, 1 gives 6 → 0, 2^32 − 1 gives 5. */
    struct frs_rng rng = with_words(0, 0x80000000, 1, 0xffffffff);
    ck_assert_uint_eq(frs_rng_below(&rng, 6), 0);
    ck_assert_uint_eq(rng.used, 3);
    ck_assert_uint_eq(frs_rng_below(&rng, 6), 5);
    /* Powers of two divide 2^32: nothing is rejected, the upper bits count. */
    rng = with_words(0, 0x40000000, 0xbfffffff, 0xffffffff);
    for (uint32_t expected = 0; expected < 4; expected++)
        ck_assert_uint_eq(frs_rng_below(&rng, 4), expected);
    rng = with_words(0, 0xffffffff, 5, 6);
    ck_assert_uint_eq(frs_rng_below(&rng, 1), 0);
    ck_assert_uint_eq(frs_rng_below(&rng, 1), 0);
    ck_assert_uint_eq(rng.used, 2);
    /* 2^32 mod (2^32 − 1) = 1: only the word 0 is rejected; 5 × (2^32 − 1) = 4 × 2^32 + … */
    rng = with_words(0, 5, 0xffffffff, 6);
    ck_assert_uint_eq(frs_rng_below(&rng, UINT32_MAX), 4);
    ck_assert_uint_eq(frs_rng_below(&rng, UINT32_MAX), UINT32_MAX - 1);
}
END_TEST

static double chi_square(const size_t *counts, size_t n_cells, double expected) {
    double sum = 0;
    for (size_t i = 0; i < n_cells; i++)
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    return sum;
}

/* With n = 3·2^30, multiplying without rejecting would give every third value twice as often. */
START_TEST(below_is_unbiased) {
    static const struct {
        uint32_t n, cells;
        double limit; /* 99.99 % quantile of chi-square with cells − 1 degrees of freedom */
    } rows[] = {{UINT32_C(3) << 30, 3, 18.42}, {7, 7, 27.86}, {10, 10, 33.72}};
    enum { DRAWS = 210000 };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        size_t counts[10] = {0};
        struct frs_rng rng = stream((uint32_t)row);
        for (int i = 0; i < DRAWS; i++)
            counts[frs_rng_below(&rng, rows[row].n) % rows[row].cells]++;
        ck_assert_double_lt(
            chi_square(counts, rows[row].cells, (double)DRAWS / rows[row].cells), rows[row].limit);
    }
}
END_TEST

/* Box–Muller: sqrt(−2 ln(1 − u)) cos(2π v). */
START_TEST(normal_by_hand) {
    struct frs_rng rng = with_words(0, 0x80000000, 0, 0); /* u = 0.5, v = 0 */
    ck_assert_double_eq_tol(frs_rng_normal(&rng), sqrt(2 * log(2)), 1e-15);
    rng = with_words(0, 0x80000000, 0, 0x80000000); /* v = 0.5: the other side */
    ck_assert_double_eq_tol(frs_rng_normal(&rng), -sqrt(2 * log(2)), 1e-15);
    rng = with_words(0, 0, 0, 0); /* u = 0: the middle, not an infinity */
    ck_assert_double_eq(frs_rng_normal(&rng), 0.0);
    rng = with_words(0xffffffff, 0xffffffff, 0, 0); /* the largest u: sqrt(2 · 53 ln 2) */
    ck_assert_double_eq_tol(frs_rng_normal(&rng), sqrt(106 * log(2)), 1e-14);
    ck_assert_uint_eq(rng.used, 4); /* one draw costs one block, always */
}
END_TEST

START_TEST(normal_draws_have_their_moments) {
    enum { N = 400000 };
    struct frs_rng rng = stream(0);
    double sum[5] = {0}, outside = 0;
    for (int i = 0; i < N; i++) {
        double x = frs_rng_normal(&rng), power = 1;
        for (int k = 1; k <= 4; k++)
            sum[k] += power *= x;
        outside += fabs(x) > 1.959963984540054;
    }
    /* Variances of the four moments: 1, 2, 15, 96 over N; four standard deviations. */
    double deviation = 4 / sqrt(N);
    ck_assert_double_eq_tol(sum[1] / N, 0, deviation);
    ck_assert_double_eq_tol(sum[2] / N, 1, deviation * sqrt(2));
    ck_assert_double_eq_tol(sum[3] / N, 0, deviation * sqrt(15));
    ck_assert_double_eq_tol(sum[4] / N, 3, deviation * sqrt(96));
    ck_assert_double_eq_tol(outside / N, 0.05, deviation * sqrt(0.05 * 0.95));
}
END_TEST

START_TEST(fill_normal_scales) {
    struct frs_rng a = stream(0), b = stream(0);
    float values[9], none = 7;
    frs_rng_fill_normal(&a, values, 9, 0.01);
    for (int i = 0; i < 9; i++)
        ck_assert_float_eq(values[i], (float)(0.01 * frs_rng_normal(&b)));
    frs_rng_fill_normal(&a, &none, 0, 1);
    ck_assert_float_eq(none, 7);
    ck_assert_uint_eq(frs_rng_u32(&a), frs_rng_u32(&b));
}
END_TEST

/* Each of the 24 orders of four values is as likely. */
START_TEST(shuffle_is_uniform) {
    enum { TRIALS = 48000 };
    size_t counts[24] = {0};
    struct frs_rng rng = stream(0);
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t values[4] = {0, 1, 2, 3}, index = 0;
        frs_rng_shuffle(&rng, values, 4);
        for (uint32_t i = 0; i < 4; i++) { /* Lehmer code */
            uint32_t smaller = 0;
            for (uint32_t j = i + 1; j < 4; j++)
                smaller += values[j] < values[i];
            index = index * (4 - i) + smaller;
        }
        counts[index]++;
    }
    ck_assert_double_lt(chi_square(counts, 24, TRIALS / 24.0), 58.61); /* 99.99 %, 23 degrees of freedom */
}
END_TEST

START_TEST(shuffle_of_nothing_draws_nothing) {
    struct frs_rng rng = stream(0);
    uint32_t one = 5;
    frs_rng_shuffle(&rng, NULL, 0);
    frs_rng_shuffle(&rng, &one, 1);
    ck_assert_uint_eq(one, 5);
    ck_assert_uint_eq(rng.used, 4);
    ck_assert_uint_eq(rng.counter[0], 0);
}
END_TEST

/* The same draws on a real array. */
static void naive_sample(struct frs_rng *rng, uint32_t n, uint32_t k, uint32_t *out) {
    uint32_t *values = calloc(n + 1, sizeof *values);
    for (uint32_t i = 0; i < n; i++)
        values[i] = i;
    for (uint32_t i = 0; i < k; i++) {
        uint32_t j = i + frs_rng_below(rng, n - i), swap = values[j];
        values[j] = values[i];
        out[i] = values[i] = swap;
    }
    free(values);
}

START_TEST(sample_equals_naive_fisher_yates) {
    static const uint32_t sizes[][2] = {{1, 0}, {1, 1}, {2, 1}, {2, 2}, {5, 5}, {16, 5}, {17, 6}, {100, 33},
        {943, 10}, {1000, 999}, {1000, 1000}, {6040, 604}};
    uint32_t fast[1000], slow[1000];
    for (size_t row = 0; row < sizeof sizes / sizeof *sizes; row++) {
        for (uint32_t client = 0; client < 50; client++) {
            struct frs_rng a = stream(client), b = stream(client);
            frs_rng_sample(&a, sizes[row][0], sizes[row][1], fast);
            naive_sample(&b, sizes[row][0], sizes[row][1], slow);
            ck_assert_mem_eq(fast, slow, sizes[row][1] * sizeof *fast);
            ck_assert_uint_eq(frs_rng_u32(&a), frs_rng_u32(&b)); /* both drew as often */
        }
    }
}
END_TEST

START_TEST(sample_is_prefix_of_permutation) {
    uint32_t all[200], some[200];
    struct frs_rng rng = stream(0);
    frs_rng_sample(&rng, 200, 200, all);
    for (uint32_t k = 0; k <= 200; k += 20) {
        rng = stream(0);
        frs_rng_sample(&rng, 200, k, some);
        ck_assert_mem_eq(some, all, k * sizeof *all);
    }
    size_t seen[200] = {0};
    for (int i = 0; i < 200; i++)
        seen[all[i]]++;
    for (int i = 0; i < 200; i++)
        ck_assert_uint_eq(seen[i], 1);
}
END_TEST

START_TEST(sample_is_uniform_at_every_position) {
    enum { N = 10, K = 4, TRIALS = 50000 };
    size_t counts[K][N] = {{0}};
    struct frs_rng rng = stream(0);
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t out[K];
        frs_rng_sample(&rng, N, K, out);
        for (int i = 0; i < K; i++)
            counts[i][out[i]]++;
    }
    for (int i = 0; i < K; i++)
        ck_assert_double_lt(chi_square(counts[i], N, (double)TRIALS / N), 33.72);
}
END_TEST

START_TEST(sample_of_a_huge_population) {
    enum { K = 500 };
    uint32_t out[K];
    struct frs_rng rng = stream(0);
    frs_rng_sample(&rng, UINT32_MAX, K, out);
    for (int i = 0; i < K; i++) {
        ck_assert_uint_lt(out[i], UINT32_MAX);
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(out[i], out[j]);
    }
}
END_TEST

static void draw_too_many(void) {
    struct frs_rng rng = stream(0);
    uint32_t out[2];
    frs_rng_sample(&rng, 1, 2, out);
}

static void name_too_large(void) {
    frs_rng_stream(1, 1, 1, 1u << 24, FRS_RNG_TEST);
}

static void draw_past_the_end(void) {
    struct frs_rng rng = stream(0);
    rng.counter[0] = UINT32_MAX;
    frs_rng_u32(&rng);
}

START_TEST(misuse_of_a_stream_panics) {
    frs_test_panics(draw_too_many, "cannot draw 2 of 1");
    frs_test_panics(name_too_large, "attempt 16777216 does not fit");
    frs_test_panics(draw_past_the_end, "run out of numbers");
}
END_TEST

/* A block is four words, however the ones before were drawn. */
START_TEST(skipping_leads_to_the_same_block) {
    struct frs_rng drawn = frs_rng_stream(7, 3, 2, 1, FRS_RNG_TEST), skipped = drawn;
    for (uint32_t block = 0; block < 50; block++) {
        frs_rng_skip_to(&skipped, block);
        for (int i = 0; i < 4; i++)
            ck_assert_uint_eq(frs_rng_u32(&drawn), frs_rng_u32(&skipped));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rng");
    TCase *tests = tcase_create("rng");
    tcase_add_test(tests, skipping_leads_to_the_same_block);
    tcase_add_test(tests, blocks_are_the_known_answers);
    tcase_add_test(tests, long_streams_are_made_of_the_same_blocks);
    tcase_add_test(tests, name_becomes_counter);
    tcase_add_test(tests, ten_thousandth_value);
    tcase_add_test(tests, streams_of_other_names_differ);
    tcase_add_test(tests, drawing_shifts_no_other_stream);
    tcase_add_test(tests, words_and_units);
    tcase_add_test(tests, many_units_are_those_drawn_one_by_one);
    tcase_add_test(tests, below_by_hand);
    tcase_add_test(tests, below_is_unbiased);
    tcase_add_test(tests, normal_by_hand);
    tcase_add_test(tests, normal_draws_have_their_moments);
    tcase_add_test(tests, fill_normal_scales);
    tcase_add_test(tests, shuffle_is_uniform);
    tcase_add_test(tests, shuffle_of_nothing_draws_nothing);
    tcase_add_test(tests, sample_equals_naive_fisher_yates);
    tcase_add_test(tests, sample_is_prefix_of_permutation);
    tcase_add_test(tests, sample_is_uniform_at_every_position);
    tcase_add_test(tests, sample_of_a_huge_population);
    tcase_add_test(tests, misuse_of_a_stream_panics);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
