/* Numbers of few bits: packed by hand, and refused where the filling is not empty. */
#include "algorithms/codecs/bits.h"
#include "tests/algorithms/fixture.h"

static void assert_packed(unsigned bits, const uint8_t *expected, size_t n_bytes) {
    static const uint32_t values[] = {1, 2, 3};
    struct frs_buffer out = {0};
    uint32_t taken[3];
    frs_bits_put(&out, values, 3, bits);
    ck_assert_uint_eq(out.n, n_bytes);
    ck_assert_mem_eq(out.bytes, expected, n_bytes);
    struct frs_reader in = frs_reader_init(out.bytes, out.n), shorter = frs_reader_init(out.bytes, out.n - 1);
    ck_assert(frs_bits_take(&in, taken, 3, bits));
    ck_assert_mem_eq(taken, values, sizeof values);
    ck_assert(!frs_bits_take(&shorter, taken, 3, bits));
    if (3 * bits % 8 != 0) {
        out.bytes[n_bytes - 1] |= 0x80;
        in = frs_reader_init(out.bytes, out.n);
        ck_assert(!frs_bits_take(&in, taken, 3, bits));
    }
    frs_buffer_fini(&out);
}

START_TEST(lowest_bits_first) {
    assert_packed(2, (const uint8_t[]){0x39}, 1);
    assert_packed(3, (const uint8_t[]){0xd1, 0x00}, 2);
    assert_packed(4, (const uint8_t[]){0x21, 0x03}, 2);
    assert_packed(8, (const uint8_t[]){1, 2, 3}, 3);
    assert_packed(12, (const uint8_t[]){0x01, 0x20, 0x00, 0x03, 0x00}, 5);
}
END_TEST

START_TEST(bits_that_numbers_need) {
    ck_assert_uint_eq(frs_bits_for(1), 0);
    ck_assert_uint_eq(frs_bits_for(2), 1);
    ck_assert_uint_eq(frs_bits_for(16), 4);
    ck_assert_uint_eq(frs_bits_for(17), 5);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bits");
    TCase *tests = tcase_create("bits");
    tcase_add_test(tests, lowest_bits_first);
    tcase_add_test(tests, bits_that_numbers_need);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
