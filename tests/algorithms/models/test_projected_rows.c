/* Coefficients of tables under a projection, exchanged and mixed: by hand, and what holds for random ones. */
#include "algorithms/models/projected_rows.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>

/* B = (1, 1)ᵀ: q = (3, 1) has the coefficient (3 + 1) / 2 = 2 and q = (0, 2) has 1. With weights of a half
 * the first client moves by 1/2 · (1 − 2) along B, and the second by as much the other way. */
START_TEST(two_clients_by_hand) {
    float b[] = {1, 1}, first[] = {3, 1}, second[] = {0, 2}, sent[2];
    struct frs_projection projection = {FRS_PROJECTION_CODE, .dim = 2, .rank = 1, .seed = 7, .matrix = b};
    struct frs_arena arena = {0};
    const double *opened = frs_projected_rows_open(&projection, 7, &arena), half[] = {.5, .5};
    frs_projected_rows_of(&projection, opened, first, 1, &sent[0]);
    frs_projected_rows_of(&projection, opened, second, 1, &sent[1]);
    ck_assert_float_eq(sent[0], 2);
    ck_assert_float_eq(sent[1], 1);
    const float *of_first[] = {&sent[0], &sent[1]}, *of_second[] = {&sent[1], &sent[0]};
    frs_projected_rows_mix(&projection, 7, of_first, half, 2, 1, first, &arena);
    frs_projected_rows_mix(&projection, 7, of_second, half, 2, 1, second, &arena);
    ck_assert_float_eq(first[0], 2.5F);
    ck_assert_float_eq(first[1], .5F);
    ck_assert_float_eq(second[0], .5F);
    ck_assert_float_eq(second[1], 2.5F);
    frs_arena_fini(&arena);
}
END_TEST

/* Two rows of 64 numbers under rank 4: (BᵀB)⁻¹ = ..., 2 · 16 · 64 + 64 for it, 2 · 4 · 64 a row; and 3 · 4
 * for each of two neighbours, and 64 · 9, a row. */
START_TEST(operations_by_hand) {
    const struct frs_projection projection = {FRS_PROJECTION_CODE, .dim = 64, .rank = 4};
    ck_assert_double_eq(frs_projected_rows_tell_flop(&projection, 2), 2112 + 2 * 512);
    ck_assert_double_eq(frs_projected_rows_mix_flop(&projection, 2, 3), 2 * (2 * 12 + 576));
}
END_TEST

enum { DIM = 8, RANK = 3, ROWS = 5, CLIENTS = 4 };

static double squared_distance(const float *a, const float *b) {
    double sum = 0;
    for (int k = 0; k < ROWS * DIM; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sum;
}

/* Clients that begin with one table and add (B A)ᵀ have the same table afterwards if all weights are equal;
 * and whatever they begin with, their mean stays, and none moves away from it. */
START_TEST(equal_weights_keep_the_mean) {
    for (int variant = FRS_PROJECTION_PAPER; variant <= (int)FRS_PROJECTION_CODE; variant++)
        for (int alike = 0; alike < 2; alike++) {
            float b[DIM * RANK], tables[CLIENTS][ROWS * DIM], mean[ROWS * DIM] = {0},
                                                                          sent[CLIENTS][ROWS * RANK];
            struct frs_projection projection = {
                (enum frs_projection_variant)variant, .dim = DIM, .rank = RANK, .seed = 3, .matrix = b};
            struct frs_arena arena = {0};
            struct frs_rng rng = frs_rng_stream(5, 0, 0, 0, FRS_RNG_PROJECTION);
            frs_rng_fill_normal(&rng, b, DIM * RANK, 1);
            for (int i = 0; i < CLIENTS; i++) {
                float update[ROWS * RANK];
                struct frs_rng start = frs_rng_stream(6, alike ? 0 : (uint32_t)i, 0, 0, FRS_RNG_PROJECTION);
                frs_rng_fill_normal(&start, tables[i], ROWS * DIM, 1);
                frs_rng_fill_normal(&rng, update, ROWS * RANK, 1);
                frs_projection_apply(&projection, 3,
                    &(struct frs_rows){.n_rows = ROWS, .dim = RANK, .n = ROWS, .values = update}, tables[i],
                    &arena);
                for (int k = 0; k < ROWS * DIM; k++)
                    mean[k] += tables[i][k] / CLIENTS;
            }
            const double *opened = frs_projected_rows_open(&projection, 3, &arena);
            for (int i = 0; i < CLIENTS; i++)
                frs_projected_rows_of(&projection, opened, tables[i], ROWS, sent[i]);
            double before = 0, after = 0;
            for (int i = 0; i < CLIENTS; i++) {
                const double weights[CLIENTS] = {.25, .25, .25, .25};
                const float *messages[CLIENTS];
                for (int j = 0; j < CLIENTS; j++)
                    messages[j] = sent[(i + j) % CLIENTS];
                before += squared_distance(tables[i], mean);
                frs_projected_rows_mix(&projection, 3, messages, weights, CLIENTS, ROWS, tables[i], &arena);
                after += squared_distance(tables[i], mean);
            }
            ck_assert_double_lt(after, alike ? 1e-8 : before);
            for (int k = 0; k < ROWS * DIM; k++) {
                double sum = 0;
                for (int i = 0; i < CLIENTS; i++)
                    sum += (double)tables[i][k] / CLIENTS;
                ck_assert_double_eq_tol(sum, (double)mean[k], 1e-5);
            }
            frs_arena_fini(&arena);
        }
}
END_TEST

static double spread(float tables[CLIENTS][ROWS * DIM]) {
    double sum = 0;
    for (int i = 1; i < CLIENTS; i++)
        sum += squared_distance(tables[0], tables[i]);
    return sum;
}

/* A projection of every round reaches other directions: on a ring, with thirds as weights, tables that have
 * nothing in common come together, and their mean stays. Each round takes hold of 3 of 8 directions. */
START_TEST(differences_shrink_in_all_directions) {
    float tables[CLIENTS][ROWS * DIM], mean[ROWS * DIM] = {0}, b[DIM * RANK], sent[CLIENTS][ROWS * RANK];
    const double thirds[] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    struct frs_rng rng = frs_rng_stream(8, 0, 0, 0, FRS_RNG_TEST);
    for (int i = 0; i < CLIENTS; i++) {
        frs_rng_fill_normal(&rng, tables[i], ROWS * DIM, 1);
        for (int k = 0; k < ROWS * DIM; k++)
            mean[k] += tables[i][k] / CLIENTS;
    }
    double before = spread(tables);
    for (uint64_t round = 1; round <= 200; round++) {
        struct frs_projection projection = {
            .start = FRS_START_NORMAL, .dim = DIM, .rank = RANK, .seed = round, .matrix = b};
        struct frs_arena arena = {0};
        frs_rng_fill_normal(&rng, b, DIM * RANK, 1);
        const double *opened = frs_projected_rows_open(&projection, round, &arena);
        for (int i = 0; i < CLIENTS; i++)
            frs_projected_rows_of(&projection, opened, tables[i], ROWS, sent[i]);
        for (int i = 0; i < CLIENTS; i++) {
            const float *messages[] = {sent[i], sent[(i + 1) % CLIENTS], sent[(i + CLIENTS - 1) % CLIENTS]};
            frs_projected_rows_mix(&projection, round, messages, thirds, 3, ROWS, tables[i], &arena);
        }
        frs_arena_fini(&arena);
    }
    ck_assert_double_lt(spread(tables), 1e-6 * before);
    for (int k = 0; k < ROWS * DIM; k++)
        ck_assert_double_eq_tol((double)tables[0][k], (double)mean[k], 1e-3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("projected_rows");
    TCase *tests = tcase_create("projected_rows");
    tcase_add_test(tests, two_clients_by_hand);
    tcase_add_test(tests, operations_by_hand);
    tcase_add_test(tests, equal_weights_keep_the_mean);
    tcase_add_test(tests, differences_shrink_in_all_directions);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
