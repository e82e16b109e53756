/* Archive: what is loaded is what was saved; an archive that is too short says so. */
#include "sim/base/files/archive.h"
#include "tests/support.h"

struct state {
    uint32_t a;
    uint64_t b;
    size_t c;
    float values[3];
    struct frs_buffer text;
};

static void archive_state(struct state *state, struct frs_archive *archive) {
    frs_archive_u32(archive, &state->a);
    frs_archive_u64(archive, &state->b);
    frs_archive_size(archive, &state->c);
    frs_archive_bytes(archive, state->values, sizeof state->values);
    frs_archive_buffer(archive, &state->text);
}

static struct frs_buffer saved(void) {
    struct state state = {.a = 7, .b = UINT64_C(1) << 40, .c = 9, .values = {1, 2.5f, -3}};
    struct frs_buffer out = {0};
    frs_buffer_put(&state.text, "abc", 3);
    archive_state(&state, &(struct frs_archive){.out = &out});
    frs_buffer_fini(&state.text);
    return out;
}

START_TEST(loads_what_was_saved) {
    struct frs_buffer out = saved();
    struct frs_reader in = frs_reader_init(out.bytes, out.n);
    struct state state = {0};
    frs_buffer_put(&state.text, "longer than before", 18);
    archive_state(&state, &(struct frs_archive){.in = &in});
    ck_assert_int_eq(in.failed, 0);
    ck_assert_uint_eq(in.at, in.n);
    ck_assert_uint_eq(state.a, 7);
    ck_assert_uint_eq(state.b, UINT64_C(1) << 40);
    ck_assert_uint_eq(state.c, 9);
    ck_assert_float_eq(state.values[1], 2.5f);
    ck_assert_uint_eq(state.text.n, 3);
    ck_assert_mem_eq(state.text.bytes, "abc", 3);
    frs_buffer_fini(&state.text);
    frs_buffer_fini(&out);
}
END_TEST

START_TEST(every_shorter_archive_fails) {
    struct frs_buffer out = saved();
    for (size_t n = 0; n < out.n; n++) {
        struct frs_reader in = frs_reader_init(out.bytes, n);
        struct state state = {0};
        archive_state(&state, &(struct frs_archive){.in = &in});
        ck_assert_int_ne(in.failed, 0);
        frs_buffer_fini(&state.text);
    }
    frs_buffer_fini(&out);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("archive");
    TCase *tests = tcase_create("archive");
    tcase_add_test(tests, loads_what_was_saved);
    tcase_add_test(tests, every_shorter_archive_fails);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
