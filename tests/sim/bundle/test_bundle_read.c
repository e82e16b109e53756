/* Reading bundles that are cut off or changed: each is refused in a line, or is whole. */
#include "sim/base/errors.h"
#include "sim/base/files/base64.h"
#include "sim/base/memory.h"
#include "sim/bundle/bundle.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_RUNS = 4, N_DATA = 3000, STEP = 997, FLIP_STEP = 13 };

static char place[] = "/tmp/bundle-XXXXXX";

/* Four runs and the file that they have read, whose digest is worked out with b2sum -l 128. */
static char *whole_bundle(size_t *n) {
    static const char digest[] = "cae66941d9efbd404e4d88758ea67670"; /* of nothing */
    json_t *root = json_pack("{s:s, s:s, s:[], s:{s:s}}", "format", FRS_BUNDLE_FORMAT, "version", FRS_VERSION,
        "runs", "data", digest, "");
    for (int i = 0; i < N_RUNS; i++) {
        char *name = frs_format("point %d", i), *text = frs_alloc(N_DATA + 1, 1);
        memset(text, 'x', N_DATA);
        json_array_append_new(json_object_get(root, "runs"),
            json_pack("{s:s, s:{s:i, s:{s:s}, s:{s:{s:s, s:s}}}, s:{s:s}, s:{s:{s:s}, s:{s:s}}}", "name",
                name, "manifest", "format", 1, "scenario", "method.name", "fedmf", "files", "data.path",
                "path", "a.csv", "digest", digest, "summary", "status", "complete", "results", "rounds.csv",
                "text", text, "clients.csv", "digest", digest));
        free(name);
        free(text);
    }
    char *text = json_dumps(root, JSON_INDENT(1));
    *n = strlen(text);
    json_decref(root);
    return text;
}

/* Whether the bundle is read; otherwise one line says why not. */
static bool is_read(const char *text, size_t n) {
    struct frs_bundle bundle;
    struct frs_errors errors = {0};
    FILE *file = fopen(place, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, n, file), n);
    ck_assert_int_eq(fclose(file), 0);
    enum frs_status status = frs_bundle_read(place, &bundle, &errors);
    ck_assert_uint_eq(errors.n, status == FRS_OK ? 0 : 1);
    if (status == FRS_OK)
        ck_assert_uint_eq(json_array_size(bundle.runs), N_RUNS);
    frs_bundle_fini(&bundle);
    frs_errors_clear(&errors);
    return status == FRS_OK;
}

static void make_place(void) {
    int file = mkstemp(place);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void remove_place(void) {
    unlink(place);
}

START_TEST(a_bundle_that_is_cut_off_is_refused) {
    size_t n;
    char *text = whole_bundle(&n);
    ck_assert(is_read(text, n));
    ck_assert_uint_gt(n / STEP, 10);
    for (size_t end = 0; end < n; end += STEP)
        ck_assert_msg(!is_read(text, end), "it is read with %zu of %zu bytes", end, n);
    free(text);
}
END_TEST

/* A flipped bit may be in a text that means nothing here; then the bundle is read. */
START_TEST(a_flipped_bit_is_refused_or_means_nothing) {
    size_t n, refused = 0;
    char *text = whole_bundle(&n);
    for (size_t at = 0; at < n; at += FLIP_STEP) {
        text[at] ^= (char)(1 << at % 8);
        refused += !is_read(text, n);
        text[at] ^= (char)(1 << at % 8);
    }
    ck_assert_uint_gt(refused, 50);
    ck_assert_uint_lt(refused, n / FLIP_STEP);
    ck_assert(is_read(text, n));
    free(text);
}
END_TEST

/* RFC 4648, section 10. */
START_TEST(base64_is_that_of_the_rfc) {
    static const char *const vectors[][2] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        size_t n;
        char *coded = frs_base64_write(vectors[i][0], strlen(vectors[i][0])),
             *bytes = frs_base64_read(vectors[i][1], &n);
        ck_assert_str_eq(coded, vectors[i][1]);
        ck_assert_ptr_nonnull(bytes);
        ck_assert_uint_eq(n, strlen(vectors[i][0]));
        ck_assert_int_eq(memcmp(bytes, vectors[i][0], n), 0);
        free(coded);
        free(bytes);
    }
    static const char *const wrong[] = {"Z", "Zg", "Zg=", "Zm9v!", "Zm 9v", "Zm9v=", "=", "Zh=="};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        size_t n;
        ck_assert_ptr_null(frs_base64_read(wrong[i], &n));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bundle_read");
    TCase *tests = tcase_create("all");
    tcase_add_unchecked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, a_bundle_that_is_cut_off_is_refused);
    tcase_add_test(tests, a_flipped_bit_is_refused_or_means_nothing);
    tcase_add_test(tests, base64_is_that_of_the_rfc);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
