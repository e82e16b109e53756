/* Digest: the value of RFC 7693's algorithm for a known input, streams, texts and numbers. */
#include "sim/base/files/digest.h"
#include "tests/support.h"

#include <string.h>

static char *digest_of(const void *bytes, size_t n, char text[FRS_DIGEST_TEXT]) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, bytes, n);
    struct frs_digest digest = frs_digester_finish(&digester);
    return frs_digest_text(&digest, text);
}

/* printf abc | b2sum -l 128 */
START_TEST(blake2b_of_abc) {
    char text[FRS_DIGEST_TEXT];
    ck_assert_str_eq(digest_of("abc", 3, text), "cf4ab791c62b8d2b2109c90275287816");
    ck_assert_str_eq(digest_of("", 0, text), "cae66941d9efbd404e4d88758ea67670");
}
END_TEST

START_TEST(a_stream_is_its_pieces_joined) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, "a", 1);
    frs_digester_add(&digester, "bc", 2);
    struct frs_digest digest = frs_digester_finish(&digester);
    char text[FRS_DIGEST_TEXT], whole[FRS_DIGEST_TEXT];
    ck_assert_str_eq(frs_digest_text(&digest, text), digest_of("abc", 3, whole));
}
END_TEST

START_TEST(texts_end_in_zero_and_numbers_are_little_endian) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add_text(&digester, "ab");
    frs_digester_add_u64(&digester, 258);
    struct frs_digest digest = frs_digester_finish(&digester);
    char text[FRS_DIGEST_TEXT], whole[FRS_DIGEST_TEXT];
    ck_assert_str_eq(frs_digest_text(&digest, text), digest_of("ab\0\2\1\0\0\0\0\0\0", 11, whole));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("digest");
    TCase *tests = tcase_create("digest");
    tcase_add_test(tests, blake2b_of_abc);
    tcase_add_test(tests, a_stream_is_its_pieces_joined);
    tcase_add_test(tests, texts_end_in_zero_and_numbers_are_little_endian);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
