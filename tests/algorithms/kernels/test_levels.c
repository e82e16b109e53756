/* Training gives the same result on every level of processors that this one has: sums over lanes and
 * contracted multiplications differ in their last bits, and the consequences stay below 1e-4 of the
 * trained values (sim/base/numbers/levels.h). */
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/steps/additive.h"
#include "algorithms/kernels/steps/sign_adam.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

enum { ROWS = 90, SAMPLES = 300 };

/* Less than a register, one more than one or two of any level, and whole ones. */
static const size_t dims[] = {1, 3, 7, 16, 17, 24, 33};

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__

typedef void multiply(const float *, size_t, const float *, const uint32_t *, size_t, float, float *);
typedef struct frs_bce_mf_result train_signs(const struct frs_sign_adam *, struct frs_samples *,
    const struct frs_bce_mf_settings *, struct frs_rng *, struct frs_arena *);
typedef struct frs_additive_result train_additive(struct frs_additive *, struct frs_samples *,
    const struct frs_additive_settings *, struct frs_rng *, struct frs_arena *);

/* Weak: a build without levels has none of them. */
extern multiply frs_table_products_any __attribute__((weak)), frs_table_products_v3 __attribute__((weak)),
    frs_table_products_v4 __attribute__((weak));
extern train_signs frs_sign_adam_train_any __attribute__((weak)),
    frs_sign_adam_train_v3 __attribute__((weak)), frs_sign_adam_train_v4 __attribute__((weak));
extern train_additive frs_additive_train_any __attribute__((weak)),
    frs_additive_train_v3 __attribute__((weak)), frs_additive_train_v4 __attribute__((weak));

static float *draw_rows(struct frs_rng *rng, size_t dim, struct frs_arena *arena) {
    size_t pitch = frs_lanes_pad(dim);
    float *rows = frs_arena_take_zeroed(arena, ROWS * pitch, sizeof *rows);
    for (size_t i = 0; i < ROWS; i++)
        frs_rng_fill_normal(rng, rows + i * pitch, dim, 1);
    return rows;
}

static struct frs_samples draw_samples(struct frs_rng *rng, struct frs_arena *arena) {
    uint32_t *samples = frs_arena_take(arena, SAMPLES, sizeof *samples);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = frs_rng_below(rng, 2 * ROWS);
    return (struct frs_samples){.n_rows = ROWS, .n = SAMPLES, .samples = samples};
}

static float *draw_vector(struct frs_rng *rng, size_t dim, struct frs_arena *arena) {
    float *vector = frs_arena_take_zeroed(arena, frs_lanes_pad(dim), sizeof *vector);
    frs_rng_fill_normal(rng, vector, dim, 1);
    return vector;
}

static const float *with_products(multiply *products, size_t dim, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(89);
    float *table = frs_arena_take(arena, ROWS * dim, sizeof *table), *p = draw_vector(&rng, dim, arena);
    float *out = frs_arena_take(arena, ROWS, sizeof *out);
    uint32_t *items = frs_arena_take(arena, ROWS, sizeof *items);
    frs_rng_fill_normal(&rng, table, ROWS * dim, 1);
    for (uint32_t i = 0; i < ROWS; i++)
        items[i] = ROWS - 1 - i;
    products(p, dim, table, items, ROWS, 0.5f, out);
    return out;
}

static const float *with_signs(train_signs *train, size_t dim, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(90), shuffle = test_rng(91);
    struct frs_sign_adam model = {
        .dim = dim, .n_rows = ROWS, .rows = draw_rows(&rng, dim, arena), .p = draw_vector(&rng, dim, arena)};
    struct frs_samples samples = draw_samples(&rng, arena);
    struct frs_bce_mf_settings settings = {
        .epochs = 3, .batch = 32, .optimiser = FRS_ADAM, .item_rate = .01f, .gradient_scale = 1};
    ck_assert(isfinite(train(&model, &samples, &settings, &shuffle, arena).loss));
    return model.rows;
}

static const float *with_two_tables(train_additive *train, size_t dim, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(92), shuffle = test_rng(93);
    struct frs_additive model = {.dim = dim,
        .stride = frs_lanes_pad(dim),
        .n_rows = ROWS,
        .shared = draw_rows(&rng, dim, arena),
        .own = draw_rows(&rng, dim, arena),
        .w = draw_vector(&rng, dim, arena)};
    struct frs_samples samples = draw_samples(&rng, arena);
    struct frs_additive_settings settings = {.epochs = 3,
        .batch = 32,
        .mean = true,
        .trains_shared = true,
        .trains_own = true,
        .item_rate = .05f,
        .vector_rate = .05f,
        .rate_decay = 1,
        .lambda = .1f,
        .mu = .1f,
        .bound = 2};
    ck_assert(isfinite(train(&model, &samples, &settings, &shuffle, arena).loss));
    return model.shared;
}

static void check_alike(const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        ck_assert_float_eq_tol(a[i], b[i], 1e-4f);
}

#define CHECK_LEVELS(with, kernel, n)                                                                        \
    do {                                                                                                     \
        const float *any = kernel##_any ? with(kernel##_any, dim, &arena) : NULL;                            \
        if (any && FRS_RUNS_V3())                                                                            \
            check_alike(with(kernel##_v3, dim, &arena), any, n);                                             \
        if (any && FRS_RUNS_V4())                                                                            \
            check_alike(with(kernel##_v4, dim, &arena), any, n);                                             \
    } while (0)

START_TEST(levels_agree) {
    struct frs_arena arena = {0};
    size_t dim = dims[_i], n = ROWS * frs_lanes_pad(dim);
    CHECK_LEVELS(with_products, frs_table_products, ROWS);
    CHECK_LEVELS(with_signs, frs_sign_adam_train, n);
    CHECK_LEVELS(with_two_tables, frs_additive_train, n);
    frs_arena_fini(&arena);
}
END_TEST

#else

START_TEST(levels_agree) {
    ck_assert_uint_ge(frs_lanes_pad(dims[_i]), dims[_i]);
}
END_TEST

#endif

int main(void) {
    Suite *suite = suite_create("levels");
    TCase *tests = tcase_create("levels");
    tcase_add_loop_test(tests, levels_agree, 0, sizeof dims / sizeof *dims);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
