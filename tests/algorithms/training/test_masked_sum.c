/* What is aggregated under masks: sums in fixed point, with all the cryptography and without. */
#include "algorithms/training/masked_sum.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

extern const struct frs_learner frs_learner_fedmf_update;
extern const struct frs_privacy_mechanism frs_privacy_pairwise_masks;
extern const struct frs_codec frs_codec_dense;

enum { CLIENTS = 6, ITEMS = 9, DIM = 4 };

/* Client u changes rows u and u + 1, the first by what the fixed point has exactly, 2 · k / 32766 of ± 2 in
 * 16 bits. */
static void contribute_all(struct frs_contribution *contributions, uint32_t (*ids)[2],
    float (*values)[2 * DIM], const struct frs_tables *base) {
    for (uint32_t u = 0; u < CLIENTS; u++) {
        ids[u][0] = u;
        ids[u][1] = u + 1;
        for (size_t k = 0; k < (size_t)2 * DIM; k++)
            values[u][k] = (float)(2. * (u + k) / 32767);
        contributions[u] = (struct frs_contribution){.client = 10 * u, .samples = 1, .base = base};
        contributions[u].parts[0] =
            (struct frs_rows){.n_rows = ITEMS, .dim = DIM, .n = 2, .ids = ids[u], .values = values[u]};
    }
}

/* Averages by item: two clients have changed rows 1 to 5, one client 0 and 6, none 7 and 8. */
static void check_means(const struct frs_contribution *contributions) {
    const struct frs_rows *means = &contributions[0].parts[0];
    ck_assert_uint_eq(means->n, CLIENTS + 1);
    for (size_t row = 0; row <= CLIENTS; row++) {
        ck_assert_uint_eq(means->ids[row], row);
        for (size_t k = 0; k < DIM; k++) {
            double first = (double)(row + k), second = (double)(row - 1 + DIM + k);
            double mean = row == 0 ? first : row == CLIENTS ? second : (first + second) / 2;
            ck_assert_float_eq_tol(means->values[row * DIM + k], (float)(2 * mean / 32767), 1e-7f);
        }
    }
    for (size_t u = 1; u < CLIENTS; u++)
        ck_assert_uint_eq(contributions[u].parts[0].n, 0);
}

static void check_sum(const struct frs_contribution *contributions) {
    const struct frs_rows *sum = &contributions[0].parts[0];
    ck_assert_uint_eq(sum->n, ITEMS);
    ck_assert_ptr_null(sum->ids);
    for (size_t row = 0; row < ITEMS; row++)
        for (size_t k = 0; k < DIM; k++) { /* client `row` in its first row, the one before in its second */
            double steps = (row < CLIENTS ? (double)(row + k) : 0) +
                           (row >= 1 && row <= CLIENTS ? (double)(row - 1 + DIM + k) : 0);
            ck_assert_float_eq_tol(sum->values[row * DIM + k], (float)(2 * steps / 32767), 1e-7f);
        }
    for (size_t u = 1; u < CLIENTS; u++)
        ck_assert_uint_eq(contributions[u].parts[0].n, 0);
}

/* Two kinds of averages: over all uploads, and by item, for which marks are summed beside the values. Six
 * of seven clients; the one at place 2 vanishes before its upload. */
START_TEST(masked_sums_equal_plain_sums) {
    static const enum frs_mask_reached reached[] = {FRS_REACHED_UNMASKING, FRS_REACHED_UNMASKING,
        FRS_REACHED_SHARES, FRS_REACHED_UNMASKING, FRS_REACHED_UNMASKING, FRS_REACHED_MASKED,
        FRS_REACHED_UNMASKING};
    static const uint32_t clients[] = {0, 10, 15, 20, 30, 40, 50};
    bool by_item = _i;
    struct frs_population population = make_population(60, ITEMS, 3);
    struct frs_values values = frs_values_of(
        frs_privacy_pairwise_masks.plugin.params, SETTINGS("range", "2", "bits", "16", "neighbours", "all"));
    struct frs_errors errors = {0};
    struct frs_training_setup setup = {.seed = 5,
        .learner = &frs_learner_fedmf_update,
        .model = make_model(&frs_learner_fedmf_update, &population,
            SETTINGS("dim", "4", "aggregation", by_item ? "per_item" : "uniform")),
        .uplink_codec = {.codec = &frs_codec_dense},
        .n_selected = 7};
    setup.mechanisms = (struct frs_privacy_mechanism_list){.n = 1,
        .of = {{&frs_privacy_pairwise_masks,
            frs_privacy_pairwise_masks.create(&values, &(struct frs_privacy_setup){0}, &errors)}}};
    for (int real = 0; real < 2; real++) {
        struct frs_rng rng = test_rng(900);
        struct frs_mask_round round = {.graph = frs_neighbours_draw(7, 6, &rng),
            .round = 4,
            .threshold = 5,
            .n_values = ITEMS * (DIM + by_item),
            .bits = 19};
        struct frs_masked masked = {.round = &round, .reached = reached, .clients = clients};
        struct frs_contribution contributions[CLIENTS];
        uint32_t ids[CLIENTS][2];
        float changes[CLIENTS][2 * DIM];
        struct frs_masked_counts counts = {0};
        struct frs_arena arena = {0};
        contribute_all(contributions, ids, changes, NULL);
        frs_masked_sum(&setup, real ? &masked : NULL, contributions, CLIENTS, &arena, &counts);
        if (by_item)
            check_means(contributions);
        else
            check_sum(contributions);
        ck_assert_uint_eq(counts.values, CLIENTS * ITEMS * DIM);
        ck_assert_uint_eq(counts.clipped, 0);
        frs_arena_fini(&arena);
        frs_neighbours_fini(&round.graph);
    }
    frs_privacy_mechanism_list_fini(&setup.mechanisms);
    frs_model_destroy(setup.model);
    frs_values_fini(&values);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("masked sum");
    TCase *tests = tcase_create("masked sum");
    tcase_add_loop_test(tests, masked_sums_equal_plain_sums, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
