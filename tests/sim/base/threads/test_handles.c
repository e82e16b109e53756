/* Handles keep their numbers whatever is returned in which order, and memory follows those that are out. */
#include "sim/base/numbers/rng.h"
#include "sim/base/threads/handles.h"
#include "tests/support.h"

#include <stdbool.h>

enum { N = 5000 };

START_TEST(handles_keep_their_numbers) {
    struct frs_handles handles = {0};
    static int things[N];
    static bool is_out[N];
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    size_t oldest = 0;
    ck_assert_ptr_null(frs_handles_find(&handles, 0));
    for (size_t i = 0; i < N; i++) {
        ck_assert_uint_eq(frs_handles_take(&handles, &things[i]), i);
        is_out[i] = true;
        while (frs_rng_below(&rng, 4) > 0) { /* the older ones rather than the newer ones */
            size_t back = oldest + frs_rng_below(&rng, (uint32_t)(i - oldest) / 4 + 1);
            if (is_out[back])
                frs_handles_return(&handles, back);
            is_out[back] = false;
            while (oldest < i && !is_out[oldest])
                oldest++;
        }
        for (size_t j = i > 50 ? i - 50 : 0; j <= i; j++)
            ck_assert_ptr_eq(frs_handles_find(&handles, j), is_out[j] ? &things[j] : NULL);
        ck_assert_ptr_null(frs_handles_find(&handles, i + 1));
    }
    for (size_t i = 0; i < N; i++)
        ck_assert_ptr_eq(frs_handles_find(&handles, i), is_out[i] ? &things[i] : NULL);
    ck_assert_uint_lt(handles.capacity, 4 * (N - oldest) + 64);
    frs_handles_fini(&handles);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("handles");
    TCase *tests = tcase_create("handles");
    tcase_add_test(tests, handles_keep_their_numbers);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
