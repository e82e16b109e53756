/* Byte buffers: little-endian numbers, and reading past the end. */
#include "sim/base/buffer.h"
#include "tests/support.h"

#include <string.h>

START_TEST(numbers_are_little_endian) {
    struct frs_buffer buffer = {0};
    frs_buffer_put_u8(&buffer, 0xab);
    frs_buffer_put_u32(&buffer, 0x01020304);
    frs_buffer_put_u64(&buffer, UINT64_C(0x1112131415161718));
    frs_buffer_put_floats(&buffer, (float[]){1.0f, -2.0f}, 2); /* 3f800000, c0000000 */
    static const uint8_t expected[] = {
        0xab, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0};
    ck_assert_uint_eq(buffer.n, sizeof expected);
    ck_assert_mem_eq(buffer.bytes, expected, sizeof expected);
    frs_buffer_fini(&buffer);
}
END_TEST

START_TEST(reads_what_was_put) {
    struct frs_buffer buffer = {0};
    frs_buffer_put_u8(&buffer, UINT8_MAX);
    frs_buffer_put_u32(&buffer, UINT32_MAX - 1);
    frs_buffer_put_u64(&buffer, UINT64_MAX - 2);
    frs_buffer_put_floats(&buffer, (float[]){0.1f, -0.0f, 3e38f}, 3);
    frs_buffer_put(&buffer, "tail", 4);
    struct frs_reader reader = frs_reader_init(buffer.bytes, buffer.n);
    ck_assert_uint_eq(frs_reader_u8(&reader), UINT8_MAX);
    ck_assert_uint_eq(frs_reader_u32(&reader), UINT32_MAX - 1);
    ck_assert_uint_eq(frs_reader_u64(&reader), UINT64_MAX - 2);
    float values[3];
    frs_reader_floats(&reader, values, 3);
    ck_assert_mem_eq(values, ((float[]){0.1f, -0.0f, 3e38f}), sizeof values);
    ck_assert_ptr_eq(frs_reader_take(&reader, 4), buffer.bytes + buffer.n - 4); /* in place */
    ck_assert_uint_eq(reader.at, buffer.n);
    ck_assert_int_eq(reader.failed, 0); /* reading exactly to the end is no failure */
    frs_buffer_fini(&buffer);
}
END_TEST

START_TEST(reading_past_the_end_fails_for_good) {
    static const uint8_t bytes[5] = {1, 2, 3, 4, 5};
    struct frs_reader reader = frs_reader_init(bytes, sizeof bytes);
    ck_assert_uint_eq(frs_reader_u32(&reader), 0x04030201);
    ck_assert_uint_eq(frs_reader_u32(&reader), 0);
    ck_assert_int_eq(reader.failed, 1);
    ck_assert_uint_eq(frs_reader_u8(&reader), 0); /* although one byte is left */
    ck_assert_uint_eq(frs_reader_u64(&reader), 0);
    ck_assert_ptr_null(frs_reader_take(&reader, 0));
    float values[2] = {7, 7};
    frs_reader_floats(&reader, values, 2);
    ck_assert_float_eq(values[0], 0);
    ck_assert_float_eq(values[1], 0);
}
END_TEST

/* A length from a hostile message must not wrap around. */
START_TEST(huge_lengths_fail) {
    static const uint8_t bytes[8];
    struct frs_reader reader = frs_reader_init(bytes, sizeof bytes);
    frs_reader_u32(&reader);
    ck_assert_ptr_null(frs_reader_take(&reader, SIZE_MAX));
    reader = frs_reader_init(bytes, sizeof bytes);
    frs_reader_u32(&reader);
    ck_assert_ptr_null(frs_reader_take(&reader, SIZE_MAX - 3)); /* at + n would be 0 */
    ck_assert_int_eq(reader.failed, 1);
}
END_TEST

START_TEST(an_empty_message_is_read) {
    struct frs_buffer buffer = {0};
    frs_buffer_put(&buffer, NULL, 0);
    frs_buffer_put_floats(&buffer, NULL, 0);
    ck_assert_uint_eq(buffer.n, 0);
    struct frs_reader reader = frs_reader_init(buffer.bytes, buffer.n);
    frs_reader_floats(&reader, NULL, 0);
    ck_assert_int_eq(reader.failed, 0);
    ck_assert_uint_eq(frs_reader_u8(&reader), 0);
    ck_assert_int_eq(reader.failed, 1);
    frs_buffer_fini(&buffer);
}
END_TEST

START_TEST(extend_grows_and_keeps) {
    struct frs_buffer buffer = {0};
    for (size_t i = 0; i < 1000; i++) {
        uint8_t *bytes = frs_buffer_extend(&buffer, i % 7);
        memset(bytes, (int)(i & 0xff), i % 7);
    }
    size_t at = 0;
    for (size_t i = 0; i < 1000; i++)
        for (size_t j = 0; j < i % 7; j++)
            ck_assert_uint_eq(buffer.bytes[at++], i & 0xff);
    ck_assert_uint_eq(buffer.n, at);
    ck_assert_uint_ge(buffer.capacity, at);
    frs_buffer_fini(&buffer);
}
END_TEST

START_TEST(reset_keeps_memory_and_fini_frees_it) {
    struct frs_buffer buffer = {0};
    frs_buffer_put(&buffer, "0123456789", 10);
    uint8_t *bytes = buffer.bytes;
    frs_buffer_reset(&buffer);
    ck_assert_uint_eq(buffer.n, 0);
    frs_buffer_put_u8(&buffer, 1);
    ck_assert_ptr_eq(buffer.bytes, bytes);
    frs_buffer_fini(&buffer);
    ck_assert_ptr_null(buffer.bytes);
    ck_assert_uint_eq(buffer.capacity, 0);
    frs_buffer_fini(&buffer); /* twice is harmless */
    frs_buffer_put_u8(&buffer, 1);
    ck_assert_uint_eq(buffer.n, 1); /* and the buffer usable again */
    frs_buffer_fini(&buffer);
}
END_TEST

/* Too small, or more than an eighth too large: other memory. */
START_TEST(fit_takes_what_is_needed) {
    struct frs_buffer buffer = {0};
    frs_buffer_fit(&buffer, 1000);
    ck_assert_uint_eq(buffer.n, 0);
    ck_assert_uint_eq(buffer.capacity, 1000);
    const uint8_t *bytes = frs_buffer_extend(&buffer, 1000);
    frs_buffer_fit(&buffer, 889);
    ck_assert_ptr_eq(buffer.bytes, bytes);
    ck_assert_uint_eq(buffer.n, 0);
    frs_buffer_fit(&buffer, 888);
    ck_assert_uint_eq(buffer.capacity, 888);
    frs_buffer_fit(&buffer, 900);
    ck_assert_uint_eq(buffer.capacity, 900);
    frs_buffer_fini(&buffer);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("buffer");
    TCase *tests = tcase_create("buffer");
    tcase_add_test(tests, numbers_are_little_endian);
    tcase_add_test(tests, reads_what_was_put);
    tcase_add_test(tests, reading_past_the_end_fails_for_good);
    tcase_add_test(tests, huge_lengths_fail);
    tcase_add_test(tests, an_empty_message_is_read);
    tcase_add_test(tests, extend_grows_and_keeps);
    tcase_add_test(tests, fit_takes_what_is_needed);
    tcase_add_test(tests, reset_keeps_memory_and_fini_frees_it);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
