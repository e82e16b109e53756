/* The linear-algebra library has no thread of its own: neither when the program begins, nor in a forked
 * process, where kernels would start them anew. */
#include "algorithms/kernels/algebra/low_rank_fit.h"
#include "algorithms/kernels/algebra/orthonormal.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <dirent.h>

/* Large enough for the library to share the work, if it had threads for it. */
enum { ROWS = 700, COLUMNS = 300, RANK = 4 };

static size_t n_threads_at_start;

static size_t count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    size_t n = 0;
    for (const struct dirent *task; (task = readdir(tasks));)
        n += task->d_name[0] != '.';
    closedir(tasks);
    return n;
}

START_TEST(none_at_the_start) {
    ck_assert_uint_eq(n_threads_at_start, 1);
}
END_TEST

/* Every test runs in a process of its own. */
START_TEST(none_after_kernels) {
    struct frs_arena arena = {0};
    struct frs_rng rng = test_rng(1);
    float *a = frs_arena_take(&arena, (size_t)ROWS * COLUMNS, sizeof *a),
          *u = frs_arena_take(&arena, (size_t)ROWS * RANK, sizeof *u),
          *v = frs_arena_take(&arena, (size_t)RANK * COLUMNS, sizeof *v);
    frs_rng_fill_normal(&rng, a, (size_t)ROWS * COLUMNS, 1);
    (void)frs_low_rank_fit(a, ROWS, COLUMNS, RANK, &arena, u, v);
    frs_orthonormalise(a, ROWS, COLUMNS);
    ck_assert_uint_eq(count_threads(), 1);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    n_threads_at_start = count_threads();
    Suite *suite = suite_create("linear-algebra library");
    TCase *tests = tcase_create("linear-algebra library");
    tcase_add_test(tests, none_at_the_start);
    tcase_add_test(tests, none_after_kernels);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
