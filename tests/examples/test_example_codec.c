/* The codec of docs/adding-a-codec.md: a message byte by byte, what comes back, and what is refused. */
#include "tests/algorithms/fixture.h"

#include <math.h>
#include <string.h>

extern const struct frs_codec frs_codec_halves;

static const struct frs_codec_choice halves = {.codec = &frs_codec_halves};

/* Four rows of two values, the second of which changed. */
static struct frs_rows changed(const float values[2]) {
    static const uint32_t ids[] = {1};
    return (struct frs_rows){.n_rows = 4, .dim = 2, .n = 1, .ids = ids, .values = values};
}

static bool decode(
    const uint8_t *bytes, size_t n, const float *base, struct frs_arena *arena, struct frs_rows *rows) {
    struct frs_reader in = frs_reader_init(bytes, n);
    return frs_codec_halves.decode(NULL, &in, 4, 2, base, arena, rows) && in.at == n;
}

/* 1 is 3f800000, -2.5 is c0200000. */
START_TEST(message_by_hand) {
    static const uint8_t hand[] = {1, 0, 0, 0, 1, 2, 0x80, 0x3f, 0x20, 0xc0};
    struct frs_rows rows = changed((const float[]){1, -2.5f}), back;
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    ck_assert_uint_eq(encode_rows(halves, &rows, NULL, &message), 4);
    ck_assert_uint_eq(message.n, sizeof hand);
    ck_assert_mem_eq(message.bytes, hand, sizeof hand);
    ck_assert(decode(message.bytes, message.n, NULL, &arena, &back));
    ck_assert_uint_eq(back.n, 1);
    ck_assert_uint_eq(back.ids[0], 1);
    ck_assert_mem_eq(back.values, rows.values, 2 * sizeof(float));
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
}
END_TEST

/* Over the row (3, 1) of a state: changes of 2^-1 + 2^-9, of which the second part is cut, and of -4. */
START_TEST(changes_of_a_state) {
    static const float base[] = {0, 0, 3, 1, 0, 0, 0, 0};
    struct frs_rows rows = changed((const float[]){3 + 0.5f + 0x1p-9f, -3}), back;
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    encode_rows(halves, &rows, base, &message);
    ck_assert(decode(message.bytes, message.n, base, &arena, &back));
    ck_assert_float_eq(back.values[0], 3.5f);
    ck_assert_float_eq(back.values[1], -3);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
}
END_TEST

START_TEST(damaged_messages_are_refused) {
    static const uint8_t infinite[] = {1, 0, 0, 0, 1, 2, 0x80, 0x7f, 0x20, 0xc0};
    struct frs_arena arena = {0};
    struct frs_rows rows;
    for (size_t n = 0; n < sizeof infinite; n++)
        ck_assert(!decode(infinite, n, NULL, &arena, &rows));
    ck_assert(!decode(infinite, sizeof infinite, NULL, &arena, &rows));
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("example of a codec");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, message_by_hand);
    tcase_add_test(tests, changes_of_a_state);
    tcase_add_test(tests, damaged_messages_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
