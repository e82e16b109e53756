/* The graph of who masks with whom. */
#include "algorithms/privacy/masks/neighbours.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

static void check_graph(const struct frs_neighbours *graph) {
    for (uint32_t place = 0; place < graph->n; place++) {
        const uint32_t *of = frs_neighbours_of(graph, place);
        for (size_t i = 0; i < graph->degree; i++) {
            ck_assert_uint_lt(of[i], graph->n);
            ck_assert_uint_ne(of[i], place);
            ck_assert(i == 0 || of[i] > of[i - 1]);
            ck_assert_uint_eq(frs_neighbours_find(graph, place, of[i]), i);
            ck_assert_uint_lt(frs_neighbours_find(graph, of[i], place), graph->degree); /* both ways */
        }
        ck_assert_uint_eq(frs_neighbours_find(graph, place, place), graph->degree);
    }
}

/* How many can be reached from client 0. */
static size_t reach(const struct frs_neighbours *graph) {
    uint32_t *reached = frs_alloc(graph->n, sizeof *reached);
    bool *is_reached = frs_alloc(graph->n, sizeof *is_reached);
    size_t n = 1;
    is_reached[0] = true;
    for (size_t at = 0; at < n; at++)
        for (size_t i = 0; i < graph->degree; i++) {
            uint32_t next = frs_neighbours_of(graph, reached[at])[i];
            if (!is_reached[next])
                reached[n++] = next;
            is_reached[next] = true;
        }
    free(is_reached);
    free(reached);
    return n;
}

START_TEST(any_cohort_has_symmetric_neighbours) {
    struct frs_rng rng = test_rng(710);
    for (int repeat = 0; repeat < FRS_TEST_CASES(300); repeat++) {
        uint32_t n = 1 + frs_rng_below(&rng, 120), wanted = frs_rng_below(&rng, 40);
        struct frs_neighbours graph = frs_neighbours_draw(n, wanted, &rng);
        ck_assert_uint_eq(graph.degree, frs_neighbours_degree(n, wanted));
        check_graph(&graph);
        ck_assert_uint_eq(reach(&graph), graph.degree > 0 ? n : 1);
        frs_neighbours_fini(&graph);
    }
}
END_TEST

START_TEST(degree_is_even_and_within_the_cohort) {
    ck_assert_uint_eq(frs_neighbours_degree(10, 3), 4);
    ck_assert_uint_eq(frs_neighbours_degree(10, 9), 9);
    ck_assert_uint_eq(frs_neighbours_degree(10, 100), 9);
    ck_assert_uint_eq(frs_neighbours_degree(2, 2), 1);
    ck_assert_uint_eq(frs_neighbours_usual(100), 14);
    ck_assert_uint_eq(frs_neighbours_usual(1000), 20);
    ck_assert_uint_eq(frs_neighbours_usual(5), 4);
}
END_TEST

/* Another round, other neighbours; over many rounds each client meets every other one about equally often. */
START_TEST(neighbours_are_drawn_anew) {
    enum { N = 20, DEGREE = 4, ROUNDS = FRS_TEST_CASES(5000) };
    struct frs_rng rng = test_rng(711);
    uint32_t met[N] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct frs_neighbours graph = frs_neighbours_draw(N, DEGREE, &rng);
        for (size_t i = 0; i < DEGREE; i++)
            met[frs_neighbours_of(&graph, 3)[i]]++;
        frs_neighbours_fini(&graph);
    }
    double expected = (double)ROUNDS * DEGREE / (N - 1), distance = 0;
    for (size_t i = 0; i < N; i++)
        distance += i == 3 ? 0 : (met[i] - expected) * (met[i] - expected) / expected;
    ck_assert_uint_eq(met[3], 0);
    ck_assert_double_lt(distance, 42.3); /* chi-square, 18 degrees: 0.1 % */
}
END_TEST

int main(void) {
    Suite *suite = suite_create("neighbours");
    TCase *tests = tcase_create("neighbours");
    tcase_add_test(tests, any_cohort_has_symmetric_neighbours);
    tcase_add_test(tests, degree_is_even_and_within_the_cohort);
    tcase_add_test(tests, neighbours_are_drawn_anew);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
