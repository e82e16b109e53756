/* Privacy mechanisms by hand: what clip, laplace and gaussian make of values, and what ciphertexts weigh. */
#include "algorithms/privacy/noise.h"
#include "algorithms/privacy_mechanism.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static const struct frs_privacy_mechanism *mechanism(const char *name) {
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++)
        if (strcmp(frs_privacy_mechanisms[i]->plugin.name, name) == 0)
            return frs_privacy_mechanisms[i];
    ck_abort();
}

static void append(struct frs_privacy_mechanism_list *list, const char *name, const char *const *settings,
    struct frs_privacy_setup *setup) {
    const struct frs_privacy_mechanism *of = mechanism(name);
    struct frs_values values = frs_values_of(of->plugin.params, settings);
    struct frs_errors errors = {0};
    void *made = of->create(&values, setup, &errors);
    ck_assert_msg(made, "%s: %s", name, errors.n ? errors.lines[0] : "");
    list->of[list->n++] = (struct frs_privacy_choice){of, made};
    if (of->bound)
        setup->bound = of->bound(made);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}

static void apply(const struct frs_privacy_mechanism_list *list, struct frs_rows *parts, size_t n_parts,
    const struct frs_tables *base, double *flop, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(3);
    frs_privacy_values(list, FRS_PRIVACY_VALUES,
        &(struct frs_protected_update){
            .parts = parts, .n_parts = n_parts, .base = base, .rng = &rng, .arena = arena, .flop = flop});
}

/* Rows 0 and 2 of a table of three, and a second table of one value. */
static const uint32_t ids[] = {0, 2};
static const float first[] = {3, 0, 0, -2}, second[] = {6}; /* L2 7, L1 11 */

static void update(struct frs_rows *parts) {
    parts[0] = (struct frs_rows){.n_rows = 3, .dim = 2, .n = 2, .ids = ids, .values = first};
    parts[1] = (struct frs_rows){.n_rows = 1, .dim = 1, .n = 1, .values = second};
}

START_TEST(clip_by_hand) {
    static const struct {
        const char *norm, *bound;
        float first, second, third;
    } cases[] = {{"l2", "3.5", 1.5f, -1, 3}, {"l2", "8", 3, -2, 6}, {"l1", "5.5", 1.5f, -1, 3},
        {"value", "2.5", 2.5f, -2, 2.5f}, {"value", "1.5", 1.5f, -1.5f, 1.5f}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct frs_privacy_mechanism_list list = {0};
        struct frs_privacy_setup setup = {.n_values = 7};
        struct frs_arena arena = {0};
        struct frs_rows parts[2];
        double flop = 0;
        append(&list, "clip", SETTINGS("norm", cases[c].norm, "bound", cases[c].bound), &setup);
        update(parts);
        apply(&list, parts, 2, NULL, &flop, &arena);
        ck_assert_uint_eq(parts[0].n, 2);
        ck_assert_float_eq_tol(parts[0].values[0], cases[c].first, 1e-6f);
        ck_assert_float_eq_tol(parts[0].values[3], cases[c].second, 1e-6f);
        ck_assert_float_eq_tol(parts[1].values[0], cases[c].third, 1e-6f);
        ck_assert_double_eq(flop, 3 * 5);
        frs_privacy_mechanism_list_fini(&list);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* Of 16 values bounded by 3 each, or by 3 in all: replacing one set of them by another moves them by twice as
 * much, in the norm L1 by √16 times the norm L2, and in L2 by √16 times each value. */
START_TEST(bounds_of_one_norm_in_another) {
    static const struct frs_bound l1 = {FRS_BOUND_L1, 3}, l2 = {FRS_BOUND_L2, 3},
                                  value = {FRS_BOUND_VALUE, 3};
    ck_assert_double_eq(frs_bound_l1(&l1, 16), 6);
    ck_assert_double_eq(frs_bound_l1(&l2, 16), 24);
    ck_assert_double_eq(frs_bound_l1(&value, 16), 96);
    ck_assert_double_eq(frs_bound_l2(&l1, 16), 6);
    ck_assert_double_eq(frs_bound_l2(&l2, 16), 6);
    ck_assert_double_eq(frs_bound_l2(&value, 16), 24);
}
END_TEST

/* Rows that replace others are clipped about what they replace. */
START_TEST(clip_about_the_table) {
    float items[] = {1, 1, 5, 5, 1, 1}, head[] = {10};
    float rows[] = {4, 1, 1, -1}, top[] = {16};
    struct frs_tables base = {.part = {items, head}};
    struct frs_rows parts[] = {{.n_rows = 3, .dim = 2, .n = 2, .ids = ids, .values = rows},
        {.n_rows = 1, .dim = 1, .n = 1, .values = top}};
    struct frs_privacy_mechanism_list list = {0};
    struct frs_privacy_setup setup = {.n_values = 7};
    struct frs_arena arena = {0};
    append(&list, "clip", SETTINGS("bound", "3.5"), &setup);
    apply(&list, parts, 2, &base, NULL, &arena);
    ck_assert_float_eq_tol(parts[0].values[0], 2.5f, 1e-6f);
    ck_assert_float_eq_tol(parts[0].values[3], 0, 1e-6f);
    ck_assert_float_eq_tol(parts[1].values[0], 13, 1e-6f);
    frs_privacy_mechanism_list_fini(&list);
    frs_arena_fini(&arena);
}
END_TEST

/* A large update of one row: noise on all rows, of the size it claims. */
enum { ROWS = 4000, DIM = 5 };

static void check_noise(
    const char *name, const char *const *settings, const char *const *clip, double sd, double size) {
    struct frs_privacy_mechanism_list list = {0};
    struct frs_privacy_setup setup = {.n_values = ROWS * DIM, .n_rounds = 10};
    struct frs_arena arena = {0};
    float zeros[DIM] = {0};
    static const uint32_t row[] = {7};
    struct frs_rows part = {.n_rows = ROWS, .dim = DIM, .n = 1, .ids = row, .values = zeros};
    double sum = 0, sizes = 0, squares = 0, n = ROWS * DIM;
    if (clip)
        append(&list, "clip", clip, &setup);
    append(&list, name, settings, &setup);
    apply(&list, &part, 1, NULL, NULL, &arena);
    ck_assert_uint_eq(part.n, ROWS);
    ck_assert_ptr_null(part.ids);
    for (size_t i = 0; i < ROWS * DIM; i++) {
        double value = (double)part.values[i];
        sum += value;
        sizes += fabs(value);
        squares += value * value;
    }
    ck_assert_double_eq_tol(sum / n / sd, 0, 0.03);
    ck_assert_double_eq_tol(sqrt(squares / n) / sd, 1, 0.03);
    ck_assert_double_eq_tol(sizes / n / size, 1, 0.03);
    frs_privacy_mechanism_list_fini(&list);
    frs_arena_fini(&arena);
}

/* Laplace(b): sd b√2, mean size b. Gaussian: sd z · 2C, mean size sd √(2/π). */
START_TEST(noise_is_as_large_as_it_says) {
    check_noise("laplace", SETTINGS("scale", "0.5"), NULL, 0.5 * M_SQRT2, 0.5);
    check_noise("gaussian", SETTINGS("noise", "1.5"), SETTINGS("bound", "0.1"), 0.3, 0.3 * sqrt(2 / M_PI));
}
END_TEST

/* By hand: L1 within 1, so two updates are 2 apart; ε 4 over 10 rounds is 0.4 each, b = 2/0.4. Per value
 * within 0.1, 20,000 values: b = 10 · 20,000 · 0.2 / 4. */
START_TEST(a_target_chooses_the_noise) {
    check_noise("laplace", SETTINGS("epsilon", "4"), SETTINGS("norm", "l1", "bound", "1"), 5 * M_SQRT2, 5);
    check_noise("laplace", SETTINGS("epsilon", "4"), SETTINGS("norm", "value", "bound", "0.1"),
        10000 * M_SQRT2, 10000);
    check_noise("laplace", SETTINGS("epsilon", "4", "participations", "1"),
        SETTINGS("norm", "l1", "bound", "1"), 0.5 * M_SQRT2, 0.5);
}
END_TEST

START_TEST(noise_on_the_sum) {
    struct frs_privacy_mechanism_list list = {0};
    struct frs_privacy_setup setup = {.n_values = ROWS * DIM, .n_rounds = 10};
    struct frs_part shape = {"items", ROWS, DIM};
    struct frs_arena arena = {0};
    struct frs_rng rng = test_rng(4);
    append(&list, "clip", SETTINGS("bound", "2"), &setup);
    append(&list, "gaussian", SETTINGS("at", "server", "noise", "3"), &setup);
    ck_assert_ptr_nonnull(frs_privacy_in(&list, FRS_PRIVACY_AGGREGATE));
    ck_assert(!frs_privacy_guarantee(&list).local);
    float *table = frs_arena_take_zeroed(&arena, ROWS * DIM, sizeof *table);
    struct frs_tables tables = {.part = {table}};
    double squares = 0;
    frs_privacy_aggregate(&list, &shape, 1, &tables, NULL, 0.05, &rng, &arena);
    for (size_t i = 0; i < ROWS * DIM; i++)
        squares += (double)table[i] * (double)table[i];
    ck_assert_double_eq_tol(sqrt(squares / (ROWS * DIM)) / (3 * 4 * 0.05), 1, 0.03);
    frs_privacy_mechanism_list_fini(&list);
    frs_arena_fini(&arena);
}
END_TEST

/* Fixed point of ±1 in 16 bits has steps of 1/32767: each of n values moves by half of one, and none beyond
 * twice its size. With 10,000 values clipped to 0.5 in L2 that is 100/65534 more; with 4 bits (steps of 1/7)
 * it would be 7.1, and is 0.5. */
START_TEST(noise_knows_of_fixed_point) {
    static const struct {
        const char *norm, *bits;
        double apart;
    } cases[] = {{"l2", "16", 2 * (0.5 + 100. / 65534)}, {"l2", "4", 2.},
        {"l1", "16", 2 * (0.5 + 10000. / 65534)}, {"value", "16", 200 * (0.5 + 1. / 65534)},
        {"value", "2", 200.}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_privacy_mechanism_list list = {0};
        struct frs_privacy_setup setup = {.n_values = 10000, .n_rounds = 10};
        append(&list, "clip", SETTINGS("norm", cases[i].norm, "bound", "0.5"), &setup);
        append(&list, "pairwise_masks", SETTINGS("bits", cases[i].bits), &setup);
        append(&list, "gaussian", SETTINGS("at", "server", "noise", "3"), &setup);
        ck_assert_double_eq_tol(
            list.of[2].mechanism->noise_sd(list.of[2].settings, 0.1), 3 * 0.1 * cases[i].apart, 1e-9);
        frs_privacy_mechanism_list_fini(&list);
    }
}
END_TEST

static struct frs_privacy_mechanism_list sealed(const char *name, const char *costs) {
    struct frs_privacy_mechanism_list list = {0};
    struct frs_privacy_setup setup = {0};
    append(&list, name, SETTINGS("costs", costs, "machine_speed", "1 Gflop/s"), &setup);
    return list;
}

static uint64_t bytes_of(const char *name, const char *costs, size_t values) {
    struct frs_privacy_mechanism_list list = sealed(name, costs);
    uint64_t bytes = list.of[0].mechanism->sealed_bytes(list.of[0].settings, values);
    frs_privacy_mechanism_list_fini(&list);
    return bytes;
}

/* CoLR's table 3: 3,706 items, 64 columns. KiB as printed. */
START_TEST(ciphertexts_of_colr_table_3) {
    static const struct {
        const char *name;
        size_t values;
        double kib;
    } rows[] = {{"ckks", 3706 * 64, 24587}, {"ckks", 3706, 3073}, {"ckks", 3706 * 8, 3073},
        {"ckks", 3706 * 32, 12293}, {"paillier", 3706, 3028}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_double_eq(
            round((double)bytes_of(rows[i].name, "colr_table3", rows[i].values) / 1024), rows[i].kib);
}
END_TEST

/* The rest of that row: seconds on a machine of 1 Gflop/s, in which the table is measured here. */
START_TEST(times_of_colr_table_3) {
    static const struct {
        const char *name;
        size_t values;
        double client_s, server_s, within;
    } rows[] = {{"ckks", 3706 * 64, .93, 2.39, .33}, {"ckks", 3706, .07, .24, .14},
        {"ckks", 3706 * 8, .08, .25, .14}, {"ckks", 3706 * 32, .30, 1.03, .14},
        {"paillier", 3706, 88.2, 88.06, .001}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct frs_privacy_mechanism_list list = sealed(rows[i].name, "colr_table3");
        double bytes = (double)bytes_of(rows[i].name, "colr_table3", rows[i].values);
        double client = frs_privacy_seal_flop(&list, bytes) + frs_privacy_open_flop(&list, bytes);
        ck_assert_double_eq_tol(client / 1e9 / rows[i].client_s, 1, rows[i].within);
        ck_assert_double_eq_tol(
            frs_privacy_add_flop(&list, 60, 60 * bytes) / 1e9 / rows[i].server_s, 1, rows[i].within);
        frs_privacy_mechanism_list_fini(&list);
    }
}
END_TEST

/* As measured with SEAL 4.1.2: bytes, and milliseconds of one ciphertext. */
START_TEST(ciphertexts_of_seal) {
    static const struct {
        const char *costs;
        size_t slots;
        uint64_t bytes;
        double seal_ms, add_ms, open_ms;
    } rows[] = {{"seal_4096", 2048, 131185, 2.2, .04, .54}, {"seal_8192", 4096, 262257, 3.6, .07, .76},
        {"seal_8192_deep", 4096, 393329, 4.6, .07, 1.3}, {"seal_16384", 8192, 786545, 9.5, .22, 2.4},
        {"seal_32768", 16384, 1572977, 20, .44, 5.1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct frs_privacy_mechanism_list list = sealed("ckks", rows[i].costs);
        double bytes = (double)rows[i].bytes;
        ck_assert_uint_eq(bytes_of("ckks", rows[i].costs, 1), rows[i].bytes);
        ck_assert_uint_eq(bytes_of("ckks", rows[i].costs, rows[i].slots), rows[i].bytes);
        ck_assert_uint_eq(bytes_of("ckks", rows[i].costs, rows[i].slots + 1), 2 * rows[i].bytes);
        ck_assert_uint_eq(bytes_of("ckks", rows[i].costs, 0), 0);
        ck_assert_double_eq_tol(frs_privacy_seal_flop(&list, bytes + 100), rows[i].seal_ms * 1e6, 1);
        ck_assert_double_eq_tol(frs_privacy_open_flop(&list, 3 * bytes + 100), 3 * rows[i].open_ms * 1e6, 1);
        ck_assert_double_eq_tol(frs_privacy_add_flop(&list, 7, 7 * bytes), 7 * rows[i].add_ms * 1e6, 1);
        frs_privacy_mechanism_list_fini(&list);
    }
    ck_assert_uint_eq(bytes_of("ckks", "seal_8192", 3706), 262257); /* CoLR of rank 1: 256 KiB */
}
END_TEST

/* Without a clip there is nothing that noise could be measured in. */
START_TEST(noise_without_a_clip_is_refused) {
    struct frs_privacy_setup setup = {.n_values = 10, .n_rounds = 3};
    struct frs_privacy_mechanism_list list = {0};
    struct frs_errors errors = {0};
    append(&list, "laplace", SETTINGS("scale", "0.5"), &setup);
    struct frs_guarantee guarantee = frs_privacy_guarantee(&list);
    ck_assert(isinf(frs_privacy_loss(&guarantee, 1).epsilon));
    frs_privacy_mechanism_list_fini(&list);
    static const struct {
        const char *name, *key, *value, *said;
    } cases[] = {{"laplace", "epsilon", "1", "nothing bounds what the noise has to hide"},
        {"gaussian", "noise", "1", "after a mechanism \"clip\""},
        {"laplace", "scale", "0", "either above 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct frs_privacy_mechanism *of = mechanism(cases[i].name);
        struct frs_values values = frs_values_of(of->plugin.params, SETTINGS(cases[i].key, cases[i].value));
        ck_assert_ptr_null(of->create(&values, &setup, &errors));
        ck_assert_uint_eq(errors.n, 1);
        ck_assert_msg(strstr(errors.lines[0], cases[i].said), "%s", errors.lines[0]);
        frs_errors_clear(&errors);
        frs_values_fini(&values);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("privacy mechanisms");
    TCase *tests = tcase_create("privacy mechanisms");
    tcase_add_test(tests, clip_by_hand);
    tcase_add_test(tests, bounds_of_one_norm_in_another);
    tcase_add_test(tests, clip_about_the_table);
    tcase_add_test(tests, noise_is_as_large_as_it_says);
    tcase_add_test(tests, a_target_chooses_the_noise);
    tcase_add_test(tests, noise_on_the_sum);
    tcase_add_test(tests, noise_knows_of_fixed_point);
    tcase_add_test(tests, ciphertexts_of_colr_table_3);
    tcase_add_test(tests, times_of_colr_table_3);
    tcase_add_test(tests, ciphertexts_of_seal);
    tcase_add_test(tests, noise_without_a_clip_is_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
