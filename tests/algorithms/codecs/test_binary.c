/* Codec binary: a message by hand in both forms. What every codec has to keep to is in tests/contract. */
#include "tests/algorithms/fixture.h"

extern const struct frs_codec frs_codec_binary;

static bool decodes(const struct frs_buffer *message, struct frs_rows *rows, struct frs_arena *arena) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    return frs_codec_binary.decode(NULL, &in, 3, 3, NULL, arena, rows) && in.at == in.n;
}

/* Nine bits, the lowest first: + − + + − − + − + is 1 + 4 + 8 + 64 and one more. */
START_TEST(bits_by_hand) {
    static const float table[] = {1, -1, 1, 1, -1, -1, 1, -1, 1};
    static const uint8_t expected[] = {1, 77, 1};
    struct frs_rows rows = {.n_rows = 3, .dim = 3, .n = 3, .values = table}, received;
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    ck_assert_uint_eq(
        encode_rows((struct frs_codec_choice){.codec = &frs_codec_binary}, &rows, NULL, &message), 2);
    ck_assert_uint_eq(message.n, sizeof expected);
    ck_assert_mem_eq(message.bytes, expected, sizeof expected);
    ck_assert(decodes(&message, &received, &arena));
    ck_assert_uint_eq(received.n, 3);
    ck_assert_mem_eq(received.values, table, sizeof table);
    message.bytes[2] = 3; /* a bit that stands for nothing */
    ck_assert(!decodes(&message, &received, &arena));
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
}
END_TEST

/* One row of a change: the other two are zeros, which no bit stands for. */
START_TEST(anything_else_is_floats) {
    static const float row[] = {1, -1, 1};
    static const uint32_t ids[] = {1};
    struct frs_rows rows = {.n_rows = 3, .dim = 3, .n = 1, .ids = ids, .values = row}, received;
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    ck_assert_uint_eq(
        encode_rows((struct frs_codec_choice){.codec = &frs_codec_binary}, &rows, NULL, &message), 36);
    ck_assert_uint_eq(message.n, 37);
    ck_assert_uint_eq(message.bytes[0], 0);
    ck_assert(decodes(&message, &received, &arena));
    ck_assert_uint_eq(received.n, 1);
    ck_assert_uint_eq(received.ids[0], 1);
    ck_assert_mem_eq(received.values, row, sizeof row);
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("binary");
    TCase *tests = tcase_create("binary");
    tcase_add_test(tests, bits_by_hand);
    tcase_add_test(tests, anything_else_is_floats);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
