/* Every level of processors that this one has trains alike: sums over lanes and contracted multiplications differ in their
 * last bits, and what follows from that stays below 1e-4 of what is trained (algorithms/kernels/levels.h). */
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/steps/additive.h"
#include "algorithms/kernels/steps/sign_adam.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

enum { ROWS = 90, DIM = 24, PITCH = 32, SAMPLES = 300 };

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__

typedef struct frs_bce_mf_result train_signs(const struct frs_sign_adam *, struct frs_samples *,
    const struct frs_bce_mf_settings *, struct frs_rng *, struct frs_arena *);
typedef struct frs_additive_result train_additive(struct frs_additive *, struct frs_samples *,
    const struct frs_additive_settings *, struct frs_rng *, struct frs_arena *);

/* Weak: a build without levels has none of them. */
extern train_signs frs_sign_adam_train_any __attribute__((weak)),
    frs_sign_adam_train_v3 __attribute__((weak)), frs_sign_adam_train_v4 __attribute__((weak));
extern train_additive frs_additive_train_any __attribute__((weak)),
    frs_additive_train_v3 __attribute__((weak)), frs_additive_train_v4 __attribute__((weak));

static bool has_v3(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_v4(void) {
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

static float *draw_rows(struct frs_rng *rng, struct frs_arena *arena) {
    float *rows = frs_arena_take_zeroed(arena, ROWS * PITCH, sizeof *rows);
    for (size_t i = 0; i < ROWS; i++)
        frs_rng_fill_normal(rng, rows + i * PITCH, DIM, 1);
    return rows;
}

static struct frs_samples draw_samples(struct frs_rng *rng, struct frs_arena *arena) {
    uint32_t *samples = frs_arena_take(arena, SAMPLES, sizeof *samples);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = frs_rng_below(rng, 2 * ROWS);
    return (struct frs_samples){.n_rows = ROWS, .n = SAMPLES, .samples = samples};
}

static float *draw_vector(struct frs_rng *rng, struct frs_arena *arena) {
    float *vector = frs_arena_take_zeroed(arena, PITCH, sizeof *vector);
    frs_rng_fill_normal(rng, vector, DIM, 1);
    return vector;
}

static const float *with_signs(train_signs *train, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(90), shuffle = test_rng(91);
    struct frs_sign_adam model = {
        .dim = DIM, .n_rows = ROWS, .rows = draw_rows(&rng, arena), .p = draw_vector(&rng, arena)};
    struct frs_samples samples = draw_samples(&rng, arena);
    struct frs_bce_mf_settings settings = {
        .epochs = 3, .batch = 32, .optimiser = FRS_ADAM, .item_rate = .01f, .gradient_scale = 1};
    ck_assert(isfinite(train(&model, &samples, &settings, &shuffle, arena).loss));
    return model.rows;
}

static const float *with_two_tables(train_additive *train, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(92), shuffle = test_rng(93);
    struct frs_additive model = {.dim = DIM,
        .stride = PITCH,
        .n_rows = ROWS,
        .shared = draw_rows(&rng, arena),
        .own = draw_rows(&rng, arena),
        .w = draw_vector(&rng, arena)};
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

static void check_alike(const float *a, const float *b) {
    for (size_t i = 0; i < ROWS * PITCH; i++)
        ck_assert_float_eq_tol(a[i], b[i], 1e-4f);
}

START_TEST(levels_agree) {
    struct frs_arena arena = {0};
    const float *signs = frs_sign_adam_train_any ? with_signs(frs_sign_adam_train_any, &arena) : NULL;
    const float *tables = frs_additive_train_any ? with_two_tables(frs_additive_train_any, &arena) : NULL;
    if (signs && has_v3())
        check_alike(with_signs(frs_sign_adam_train_v3, &arena), signs);
    if (signs && has_v4())
        check_alike(with_signs(frs_sign_adam_train_v4, &arena), signs);
    if (tables && has_v3())
        check_alike(with_two_tables(frs_additive_train_v3, &arena), tables);
    if (tables && has_v4())
        check_alike(with_two_tables(frs_additive_train_v4, &arena), tables);
    frs_arena_fini(&arena);
}
END_TEST

#else

START_TEST(levels_agree) {
    ck_assert_uint_eq(frs_lanes_pad(DIM), PITCH);
}
END_TEST

#endif

int main(void) {
    Suite *suite = suite_create("levels");
    TCase *tests = tcase_create("levels");
    tcase_add_test(tests, levels_agree);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
