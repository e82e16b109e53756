/* A group's graph by hand, and its gradients beside finite differences. */
#include "algorithms/models/group_graph.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* Four clients of three own items each and one common item: a = b = ½. With e = 4 for the common item
 *
 *   u¹ = ½ (S + ½ · 4),  y¹ = ½ p,  x¹ = ½ Σ ½ p = 3,  u² = ½ · 3 y¹ + ½ · ½ x¹,  y² = ½ u¹,  x² = ½ · 7 */
START_TEST(group_by_hand) {
    static const float p[] = {1, 2, 3, 6}, sums[] = {2, 4, 6, 8}, common_sum[] = {4},
                       first[] = {2.75F, 2.5F, 2.25F, 1.5F}, second[] = {3, 2.75F, 2.5F, 2.25F},
                       user[] = {4.5F, 7.25F, 10, 16.25F}, own[] = {1.5F, 2.5F, 3.5F, 5.5F};
    struct frs_group_member members[4];
    struct frs_arena arena = {0};
    float others[4 * 2];
    for (size_t v = 0; v < 4; v++)
        members[v] = (struct frs_group_member){p + v, sums + v, 3};
    frs_group_graph_spread(members, 4, common_sum, 1, 2, 1, others, &arena);
    for (size_t v = 0; v < 4; v++) {
        float got[3];
        ck_assert_float_eq_tol(others[2 * v], first[v], 1e-6F);
        ck_assert_float_eq_tol(others[2 * v + 1], second[v], 1e-6F);
        const struct frs_group_view view = {4, 1, common_sum, others + 2 * v};
        const struct frs_group_means means = {got, got + 1, got + 2};
        frs_group_graph_forward(&members[v], &view, 2, 1, &means, &arena);
        ck_assert_float_eq_tol(got[0], user[v] / 3, 1e-6F);
        ck_assert_float_eq_tol(got[1], own[v] / 3, 1e-6F);
        ck_assert_float_eq_tol(got[2], 6.5F / 3, 1e-6F); /* the same for all clients */
    }
    frs_arena_fini(&arena);
}
END_TEST

/* Client 0 does not hear of client 3 in the first layer; carry counts. */
static void count_carried(void *context, size_t layer, size_t from, float *vector) {
    (void)layer;
    (void)from;
    (void)vector;
    ++*(size_t *)context;
}

static bool hears_all(void *context, size_t layer, size_t from, size_t to) {
    (void)context;
    (void)layer;
    return from != to;
}

static bool misses_one(void *context, size_t layer, size_t from, size_t to) {
    return hears_all(context, layer, from, to) && !(layer == 0 && from == 3 && to == 0);
}

/* The group above, whose clients send their layers themselves. If client 0 misses the 3 of client 3, which
 * count half, its x¹ is 1.5 and its u² .75 + ½ · ½ · 1.5. The others hear of that in a third layer: half of
 * ½ u² for each, which was ½ (.75 + .75) before. */
START_TEST(exchange_by_hand) {
    static const float p[] = {1, 2, 3, 6}, sums[] = {2, 4, 6, 8}, common_sum[] = {4};
    struct frs_group_member members[4];
    struct frs_arena arena = {0};
    float whole[4 * 3], others[4 * 3];
    size_t carried = 0;
    for (size_t v = 0; v < 4; v++)
        members[v] = (struct frs_group_member){p + v, sums + v, 3};
    frs_group_graph_spread(members, 4, common_sum, 1, 3, 1, whole, &arena);
    struct frs_group_hearing hearing = {&carried, count_carried, hears_all};
    frs_group_graph_exchange(members, 4, common_sum, 1, 3, 1, &hearing, others, &arena);
    for (size_t i = 0; i < (size_t)4 * 3; i++)
        ck_assert_float_eq_tol(others[i], whole[i], 1e-6F);
    ck_assert_uint_eq(carried, 4 * 3);
    hearing.heard = misses_one;
    frs_group_graph_exchange(members, 4, common_sum, 1, 3, 1, &hearing, others, &arena);
    ck_assert_float_eq_tol(others[0], whole[0] - 1.5F, 1e-6F);
    for (size_t i = 1; i < (size_t)4 * 3; i++)
        ck_assert_float_eq_tol(others[i], whole[i] - (i % 3 == 2 && i > 2 ? .25F * .375F : 0), 1e-6F);
    frs_arena_fini(&arena);
}
END_TEST

/* Without a group there is the client's star alone: u¹ = S/√n, y¹ = p/√n. Without layers there is p. */
START_TEST(star_by_hand) {
    static const float p[] = {2}, sum[] = {6};
    const struct frs_group_member member = {p, sum, 4};
    const struct frs_group_view alone = {0};
    struct frs_arena arena = {0};
    float got[3];
    const struct frs_group_means means = {got, got + 1, got + 2};
    frs_group_graph_forward(&member, &alone, 1, 1, &means, &arena);
    ck_assert_float_eq_tol(got[0], 2.5F, 1e-6F);
    ck_assert_float_eq_tol(got[1], .5F, 1e-6F);
    frs_group_graph_forward(&member, &alone, 0, 1, &means, &arena);
    ck_assert_float_eq(got[0], 2);
    ck_assert_float_eq(got[1], 0);
    ck_assert_float_eq(got[2], 0);
    frs_arena_fini(&arena);
}
END_TEST

enum { DIM = 3, LAYERS = 3 };

/* A loss that is linear in the means, whose gradients with respect to them are `slopes`. */
static double loss(const float *p, const float *sum, const struct frs_group_view *view, const float *slopes) {
    struct frs_arena arena = {0};
    float got[3 * DIM];
    double value = 0;
    const struct frs_group_member member = {p, sum, 5};
    const struct frs_group_means means = {got, got + DIM, got + (size_t)2 * DIM};
    frs_group_graph_forward(&member, view, LAYERS, DIM, &means, &arena);
    for (size_t k = 0; k < (size_t)3 * DIM; k++)
        value += (double)got[k] * (double)slopes[k];
    frs_arena_fini(&arena);
    return value;
}

START_TEST(gradients_follow_finite_differences) {
    float x[2 * DIM], slopes[3 * DIM], others[LAYERS * DIM], common_sum[DIM], gradient[2 * DIM];
    struct frs_rng rng = test_rng(5);
    struct frs_arena arena = {0};
    for (size_t k = 0; k < (size_t)2 * DIM; k++)
        x[k] = (float)frs_rng_unit(&rng) - .5F;
    for (size_t k = 0; k < (size_t)3 * DIM; k++)
        slopes[k] = (float)frs_rng_unit(&rng) - .5F;
    for (size_t k = 0; k < (size_t)LAYERS * DIM; k++)
        others[k] = (float)frs_rng_unit(&rng);
    for (size_t k = 0; k < DIM; k++)
        common_sum[k] = (float)frs_rng_unit(&rng);
    const struct frs_group_view views[] = {{7, 4, common_sum, others}, {0}};
    const struct frs_group_view *view = &views[_i];
    const struct frs_group_member member = {x, x + DIM, 5};
    const struct frs_group_means means = {slopes, slopes + DIM, slopes + (size_t)2 * DIM};
    frs_group_graph_backward(&member, view, LAYERS, DIM, &means, gradient, gradient + DIM, &arena);
    for (size_t k = 0; k < (size_t)2 * DIM; k++) {
        float before = x[k];
        x[k] = before + .25F; /* the graph is linear */
        double above = loss(x, x + DIM, view, slopes);
        x[k] = before - .25F;
        double below = loss(x, x + DIM, view, slopes);
        x[k] = before;
        ck_assert_double_eq_tol((above - below) / .5, (double)gradient[k], 2e-6);
    }
    frs_arena_fini(&arena);
}
END_TEST

/* As the loops have them: one layer over one value. */
START_TEST(operations_are_counted) {
    ck_assert_double_eq(frs_group_graph_forward_flop(2, 4), 8 + 4 * 21);
    ck_assert_double_eq(frs_group_graph_backward_flop(2, 4), 8 + 4 * 24);
    ck_assert_double_eq(frs_group_graph_spread_flop(3, 2, 4), 2 * (3 * 34 + 4));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("group_graph");
    TCase *tests = tcase_create("group_graph");
    tcase_add_test(tests, group_by_hand);
    tcase_add_test(tests, exchange_by_hand);
    tcase_add_test(tests, star_by_hand);
    tcase_add_loop_test(tests, gradients_follow_finite_differences, 0, 2);
    tcase_add_test(tests, operations_are_counted);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
