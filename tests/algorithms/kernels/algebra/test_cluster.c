/* Clustering: small cases by hand, what every clustering has to keep to, and what splitting does. */
#include "algorithms/kernels/algebra/cluster.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static struct frs_arena arena;

static void teardown(void) {
    frs_arena_fini(&arena);
}

/* Rows around `k` centres of length 10, `spread` apart from them. */
static float *blobs(struct frs_rng *rng, size_t n, size_t dim, size_t k, double spread) {
    float *centres = frs_arena_take(&arena, k * dim, sizeof *centres);
    float *rows = frs_arena_take(&arena, n * dim, sizeof *rows);
    frs_rng_fill_normal(rng, centres, k * dim, 10 / sqrt((double)dim));
    frs_rng_fill_normal(rng, rows, n * dim, spread);
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < dim; d++)
            rows[i * dim + d] += centres[i % k * dim + d];
    return rows;
}

static void check_sound(
    const float *rows, size_t n, size_t dim, size_t most, const struct frs_groups *groups) {
    size_t *sizes = frs_arena_take_zeroed(&arena, groups->n_groups, sizeof *sizes);
    ck_assert_uint_le(groups->n_groups, most);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_lt(groups->group[i], groups->n_groups);
        sizes[groups->group[i]]++;
    }
    for (size_t g = 0; g < groups->n_groups; g++)
        ck_assert_uint_gt(sizes[g], 0);
    const float *means = frs_group_centres(rows, n, dim, groups->group, groups->n_groups, &arena);
    ck_assert_mem_eq(means, groups->centres, groups->n_groups * dim * sizeof *means);
}

static struct frs_groups cluster(
    int kind, const float *rows, size_t n, size_t dim, size_t k, struct frs_rng *rng) {
    return kind == 0   ? frs_kmeans(rows, n, dim, k, rng, &arena)
           : kind == 1 ? frs_kmeans_two_level(rows, n, dim, k, rng, &arena)
                       : frs_kmeans_projected(rows, n, dim, k, &arena);
}

/* Any shape, rows that repeat, zeros, huge and tiny values. */
START_TEST(groups_are_sound) {
    struct frs_rng rng = test_rng(500);
    for (int repeat = 0; repeat < 300; repeat++) {
        size_t n = frs_rng_below(&rng, 120), dim = 1 + frs_rng_below(&rng, 20),
               k = 1 + frs_rng_below(&rng, 60);
        float *rows = frs_arena_take(&arena, n * dim, sizeof *rows);
        static const float special[] = {0, 1, -1, 1e30f, 1e-30f, 1e-42f};
        frs_rng_fill_normal(&rng, rows, n * dim, 1);
        for (size_t i = 0; repeat % 2 && i < n * dim; i++)
            rows[i] = special[frs_rng_below(&rng, repeat % 4 == 1 ? 3 : 6)];
        struct frs_groups groups = cluster(_i, rows, n, dim, k, &rng);
        check_sound(rows, n, dim, k < n ? k : n, &groups);
        if (n > 0) {
            double recorded;
            struct frs_split_settings split = {
                .expected = k + 3, .most = k + 8, .threshold = repeat % 3 ? NAN : 0.5};
            struct frs_groups more = frs_split_groups(rows, n, dim, &groups, &split, &arena, &recorded);
            check_sound(rows, n, dim, k + 8, &more);
            ck_assert_uint_ge(more.n_groups, groups.n_groups);
        }
        frs_arena_reset(&arena);
    }
}
END_TEST

/* Blobs far apart are found by both kinds of k-means but for starts that fell into one blob. */
START_TEST(blobs_are_found) {
    struct frs_rng rng = test_rng(501);
    float *rows = blobs(&rng, 2000, 16, 100, 0.2);
    struct frs_groups groups = cluster(_i, rows, 2000, 16, 200, &rng);
    double none = 0, error = frs_group_error(rows, 2000, 16, &groups);
    for (size_t i = 0; i < 2000 * 16; i++)
        none += (double)rows[i] * (double)rows[i];
    ck_assert_double_lt(error / none, 0.05);
}
END_TEST

/* 1, 2, 10, 11 and −20 on a line: three groups by hand. */
/* Three numbers, one centre: all join it, 2 + 3 · 3 operations, it moves, 3 + 1, none changes, 2 + 3 · 3, and
 * the mean is taken, 3 + 1. Splitting {1, 2} and {−1} from one group: lengths 3 · 3, similarity 3 · 3, the
 * pair 3 · 2, dividing 4 · 3, similarities 3 · 2 + 3, means 3 + 2. */
START_TEST(operations_by_hand) {
    static const float rows[] = {1, 2, -1};
    struct frs_rng rng = test_rng(509);
    struct frs_groups groups = frs_kmeans(rows, 3, 1, 1, &rng, &arena);
    ck_assert_double_eq(groups.flop, 11 + 4 + 11 + 4);
    double recorded;
    struct frs_split_settings settings = {.expected = 2, .most = 2, .threshold = NAN};
    struct frs_groups split = frs_split_groups(rows, 3, 1, &groups, &settings, &arena, &recorded);
    ck_assert_uint_eq(split.n_groups, 2);
    ck_assert_double_eq(split.flop, 9 + 9 + 6 + 12 + 9 + 5);
}
END_TEST

START_TEST(on_a_line) {
    static const float rows[] = {1, 0, 10, 0, 2, 0, -20, 0, 11, 0};
    struct frs_groups groups = frs_kmeans_projected(rows, 5, 2, 3, &arena);
    ck_assert_uint_eq(groups.n_groups, 3);
    ck_assert_uint_eq(groups.group[0], groups.group[2]);
    ck_assert_uint_eq(groups.group[1], groups.group[4]);
    ck_assert_double_eq_tol(frs_group_error(rows, 5, 2, &groups), 1, 1e-12);
}
END_TEST

/* One direction times lengths, and a little noise: what one client's update looks like. */
START_TEST(line_beats_random_starts_on_rank_one) {
    struct frs_rng rng = test_rng(502);
    float direction[32], rows[400 * 32];
    frs_rng_fill_normal(&rng, direction, 32, 1);
    for (size_t i = 0; i < 400; i++) {
        float length = (float)frs_rng_normal(&rng);
        for (size_t d = 0; d < 32; d++)
            rows[i * 32 + d] = length * direction[d] + 0.001f * (float)frs_rng_normal(&rng);
    }
    struct frs_groups line = frs_kmeans_projected(rows, 400, 32, 50, &arena);
    struct frs_groups lloyd = frs_kmeans(rows, 400, 32, 50, &rng, &arena);
    ck_assert_double_lt(frs_group_error(rows, 400, 32, &line), frs_group_error(rows, 400, 32, &lloyd));
}
END_TEST

/* Right, up-right, up, left and zero in one group of five; sum (1, 2), so the mean points there.
 * Cosines to it: (1,0) .4472, (1,1)/√2 .9487, (0,1) .8944, (−1,0) −.4472, zero counts 1: mean .5686.
 * The least similar pair is right and left: left (1,0), (1,1) and, by ties, (0,1) and zero; right (−1,0). */
START_TEST(splitting_by_hand) {
    static const float rows[] = {1, 0, 1, 1, 0, 1, -1, 0, 0, 0};
    static uint32_t group[5];
    struct frs_groups start = {.n_groups = 1, .group = group, .centres = NULL};
    double recorded;
    struct frs_split_settings settings = {.expected = 1, .most = 1, .threshold = NAN};
    struct frs_groups kept = frs_split_groups(rows, 5, 2, &start, &settings, &arena, &recorded);
    ck_assert_uint_eq(kept.n_groups, 1);
    ck_assert_double_eq_tol(recorded, (.4472136 + .9486833 + .8944272 - .4472136 + 1) / 5, 1e-6);
    settings = (struct frs_split_settings){.expected = 2, .most = 2, .threshold = NAN};
    kept = frs_split_groups(rows, 5, 2, &start, &settings, &arena, &recorded);
    ck_assert_uint_eq(kept.n_groups, 2);
    ck_assert_mem_eq(kept.group, ((const uint32_t[]){0, 0, 0, 1, 0}), sizeof group);
    /* (2, 2)/4: .7071, 1, .7071 and 1. */
    ck_assert_double_eq_tol(recorded, (.7071068 + 1 + .7071068 + 1) / 4, 1e-6);
    ck_assert_float_eq(kept.centres[0], 0.5f);
    ck_assert_float_eq(kept.centres[2], -1);
}
END_TEST

/* The stop: at once when the start is similar enough, and the record is made all the same. */
START_TEST(similar_start_stops_at_once) {
    static const float rows[] = {1, 0, 1, 1, 0, 1, -1, 0, 0, 0};
    static uint32_t group[5];
    struct frs_groups start = {.n_groups = 1, .group = group, .centres = NULL};
    double recorded;
    struct frs_split_settings settings = {.expected = 2, .most = 4, .threshold = 0.5};
    struct frs_groups kept = frs_split_groups(rows, 5, 2, &start, &settings, &arena, &recorded);
    ck_assert_uint_eq(kept.n_groups, 1);
    ck_assert_double_eq_tol(recorded, 0.8535534, 1e-6);
    settings.threshold = 0.9; /* three groups: right and the first diagonal .9239, up 1, left 1 */
    kept = frs_split_groups(rows, 5, 2, &start, &settings, &arena, &recorded);
    ck_assert_uint_eq(kept.n_groups, 3);
    settings.threshold = 2; /* never: until most, or until everything points one way */
    kept = frs_split_groups(rows, 5, 2, &start, &settings, &arena, &recorded);
    ck_assert_uint_eq(kept.n_groups, 4);
}
END_TEST

/* Rows of one direction do not separate; the loop ends. */
START_TEST(one_direction_ends) {
    float rows[20];
    uint32_t group[20] = {0};
    struct frs_groups start = {.n_groups = 1, .group = group, .centres = NULL};
    double recorded;
    for (size_t i = 0; i < 20; i++)
        rows[i] = (float)i;
    struct frs_split_settings settings = {.expected = 5, .most = 6, .threshold = NAN};
    struct frs_groups kept = frs_split_groups(rows, 20, 1, &start, &settings, &arena, &recorded);
    ck_assert_uint_eq(kept.n_groups, 1);
    ck_assert(isnan(recorded));
}
END_TEST

/* Above 512 members the pair is swept for: the similarity reached is about the same. */
START_TEST(swept_pairs_are_as_good) {
    struct frs_rng rng = test_rng(503);
    float *rows = blobs(&rng, 1200, 16, 30, 0.5);
    uint32_t *one = frs_arena_take_zeroed(&arena, 1200, sizeof *one),
             *three = frs_arena_take(&arena, 1200, sizeof *three);
    for (size_t i = 0; i < 1200; i++)
        three[i] = (uint32_t)(i % 3);
    struct frs_groups swept = {.n_groups = 1, .group = one}, exact = {.n_groups = 3, .group = three};
    struct frs_split_settings settings = {.expected = 60, .most = 60, .threshold = NAN};
    double recorded[2];
    struct frs_groups a = frs_split_groups(rows, 1200, 16, &swept, &settings, &arena, &recorded[0]);
    struct frs_groups b = frs_split_groups(rows, 1200, 16, &exact, &settings, &arena, &recorded[1]);
    ck_assert_double_gt(recorded[0], 0.9 * recorded[1]);
    ck_assert_double_lt(frs_group_error(rows, 1200, 16, &a), 2 * frs_group_error(rows, 1200, 16, &b));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cluster");
    TCase *tests = tcase_create("cluster");
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, groups_are_sound, 0, 3);
    tcase_add_loop_test(tests, blobs_are_found, 0, 2);
    tcase_add_test(tests, operations_by_hand);
    tcase_add_test(tests, on_a_line);
    tcase_add_test(tests, line_beats_random_starts_on_rank_one);
    tcase_add_test(tests, splitting_by_hand);
    tcase_add_test(tests, similar_start_stops_at_once);
    tcase_add_test(tests, one_direction_ends);
    tcase_add_test(tests, swept_pairs_are_as_good);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
