/* Records of trainings: by hand, and there and back. */
#include "sim/journal/record.h"
#include "tests/support.h"

#include <math.h>

/* 300 is 2 · 128 + 44, 200 is 128 + 72. Four zeros are whole; −0.5 is not, and is the last. */
START_TEST(record_by_hand) {
    struct frs_buffer out = {0};
    struct frs_usage usage = {.down_bytes = 300,
        .up_bytes = 5,
        .catchup_bytes = 200,
        .up_values = 7,
        .epochs = 1,
        .flop = 128,
        .loss = -0.5};
    frs_record_put_usage(&out, &usage);
    static const uint8_t expected[] = {
        0x0f, 0xac, 0x02, 0, 0xc8, 0x01, 5, 0, 7, 1, 0x80, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf};
    ck_assert_uint_eq(out.n, sizeof expected);
    ck_assert_mem_eq(out.bytes, expected, sizeof expected);
    frs_buffer_fini(&out);
}
END_TEST

START_TEST(there_and_back) {
    static const double reals[] = {0, 1, 0.1, -1, 1e300, 9007199254740991.0, 9007199254740992.0, 1e-320};
    static const uint64_t wholes[] = {0, 127, 128, 16384, UINT32_MAX, UINT64_MAX};
    struct frs_buffer out = {0};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 6; j++) {
            struct frs_usage usage = {.down_bytes = wholes[j],
                .nominal_up_bytes = wholes[5 - j],
                .up_values = wholes[j],
                .epochs = 7,
                .flop = reals[i],
                .samples = -0.0,
                .post_flop = reals[7 - i],
                .loss = NAN};
            frs_buffer_reset(&out);
            frs_record_put_usage(&out, &usage);
            struct frs_reader in = frs_reader_init(out.bytes, out.n);
            struct frs_usage back = frs_record_usage(&in);
            ck_assert(!in.failed && in.at == in.n);
            ck_assert_uint_eq(back.down_bytes, usage.down_bytes);
            ck_assert_uint_eq(back.nominal_up_bytes, usage.nominal_up_bytes);
            ck_assert_uint_eq(back.up_values, usage.up_values);
            ck_assert_uint_eq(back.epochs, 7);
            ck_assert_double_eq(back.flop, usage.flop);
            ck_assert_double_eq(back.post_flop, usage.post_flop);
            ck_assert(signbit(back.samples) && back.samples == 0 && isnan(back.loss));
        }
    frs_buffer_fini(&out);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("record");
    TCase *tests = tcase_create("record");
    tcase_add_test(tests, record_by_hand);
    tcase_add_test(tests, there_and_back);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
