/* Lossy codecs on tables of any shape: lengths as their headers state them, decoded values, and the effect
 * of a damaged byte. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/codecs/codec_fixture.h"

#include <math.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t set_bytes(const struct frs_rows *rows) {
    return 5 + least(4 * rows->n, (rows->n_rows + 7) / 8);
}

/* Length of a message about rows that changed in every value, as the codec's header states it. */
static size_t topk_bytes(const struct frs_rows *r) {
    return set_bytes(r) + 4 + 8 * r->n * least(3, r->dim);
}

static size_t topk_table_bytes(const struct frs_rows *r) {
    return set_bytes(r) + 4 + 8 * least(3 * r->n_rows, r->n * r->dim);
}

static size_t svd_bytes(const struct frs_rows *r) {
    return set_bytes(r) + 4 + 4 * least(least(2, r->n), r->dim) * (r->n + r->dim);
}

static size_t quantise_bytes(const struct frs_rows *r) {
    return set_bytes(r) + r->n * (4 + r->dim);
}

static size_t quantise_4_bytes(const struct frs_rows *r) {
    return set_bytes(r) + r->n * (4 + (r->dim + 1) / 2);
}

static size_t svd_quantised_bytes(const struct frs_rows *r) {
    return set_bytes(r) + 4 + least(least(2, r->n), r->dim) * (8 + r->n + r->dim);
}

/* The rows of V. */
static size_t v_bytes(const struct frs_rows *r) {
    return least(least(2, r->n), r->dim) * (4 + r->dim);
}

/* 7 groups: three bits an index. On a line, and where directions are all that counts, it may be fewer. */
static size_t groups_bytes(const struct frs_rows *r) {
    return set_bytes(r) + 4 + (r->n <= 7 ? 4 * r->n * r->dim : (3 * r->n + 7) / 8 + 4 * 7 * r->dim);
}

static const struct {
    const char *name, *settings[5];
    size_t (*bytes)(const struct frs_rows *rows);
} codecs[] = {{"topk", {"k", "3"}, topk_bytes}, {"topk", {"k", "3", "scope", "table"}, topk_table_bytes},
    {"svd", {"rank", "2"}, svd_bytes}, {"quantise", {NULL}, quantise_bytes},
    {"quantise", {"bits", "4"}, quantise_4_bytes}, {"svd_quantised", {"rank", "2"}, svd_quantised_bytes},
    {"groups", {"groups", "7", "kmeans", "lloyd"}, groups_bytes}, {"groups", {"groups", "7"}, groups_bytes},
    {"adaptive_groups", {"groups", "7"}, groups_bytes}};

enum { N_CODECS = sizeof codecs / sizeof *codecs, N_EXACT = N_CODECS - 2 };

START_TEST(lengths_are_as_documented) {
    struct frs_codec_choice codec = choose_codec(codecs[_i].name, codecs[_i].settings);
    struct frs_rng rng = test_rng(400);
    for (int repeat = 0; repeat < FRS_TEST_CASES(200); repeat++) {
        struct codec_table t = codec_random_table(&rng, repeat % 2);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        encode_rows(codec, &t.rows, t.base, &message);
        ck_assert_uint_le(message.n, codecs[_i].bytes(&t.rows));
        ck_assert(_i >= N_EXACT || message.n == codecs[_i].bytes(&t.rows));
        ck_assert(codec_decode(codec, message.bytes, message.n, &t, &arena, &rows));
        ck_assert_uint_eq(rows.n, t.rows.n); /* who touched what is never left out */
        ck_assert_mem_eq(rows.ids, t.ids, rows.n * sizeof *rows.ids);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        codec_free_table(&t);
    }
    free(codec.settings);
}
END_TEST

/* What the receiver decodes is no further from the change than nothing at all would be. */
START_TEST(decoding_comes_closer) {
    struct frs_codec_choice codec = choose_codec(codecs[_i].name, codecs[_i].settings);
    struct frs_rng rng = test_rng(401);
    for (int repeat = 0; repeat < FRS_TEST_CASES(200); repeat++) {
        struct codec_table t = codec_random_table(&rng, repeat % 2);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        double error = 0, nothing = 0;
        encode_rows(codec, &t.rows, t.base, &message);
        ck_assert(codec_decode(codec, message.bytes, message.n, &t, &arena, &rows));
        for (size_t i = 0; i < rows.n; i++)
            for (size_t k = 0; k < rows.dim; k++) {
                double exact = t.values[i * rows.dim + k];
                double before = t.base ? (double)t.base[rows.ids[i] * rows.dim + k] : 0;
                error += pow(exact - (double)rows.values[i * rows.dim + k], 2);
                nothing += pow(exact - before, 2);
            }
        ck_assert_double_le(error, nothing * (1 + 1e-6));
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        codec_free_table(&t);
    }
    free(codec.settings);
}
END_TEST

static bool is_same(const struct frs_rows *a, const struct frs_rows *b) {
    return a->n == b->n && memcmp(a->ids, b->ids, a->n * sizeof *a->ids) == 0 &&
           memcmp(a->values, b->values, a->n * a->dim * sizeof *a->values) == 0;
}

/* A flipped byte is refused or changes the decoded values. A change in the last bits of SVD's factors may
 * be lost in their product, so only the upper halves are flipped. In quantised factors, only the column of
 * the largest singular value is flipped, which is U's last. */
START_TEST(damage_is_refused_or_changes_values) {
    struct frs_codec_choice codec = choose_codec(codecs[_i].name, codecs[_i].settings);
    struct frs_rng rng = test_rng(402);
    bool is_svd = strcmp(codecs[_i].name, "svd") == 0,
         is_quantised = strcmp(codecs[_i].name, "svd_quantised") == 0;
    for (int repeat = 0; repeat < FRS_TEST_CASES(1000); repeat++) {
        struct codec_table t = codec_random_table(&rng, false);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows before, after;
        encode_rows(codec, &t.rows, t.base, &message);
        ck_assert(codec_decode(codec, message.bytes, message.n, &t, &arena, &before));
        size_t at = frs_rng_below(&rng, (uint32_t)message.n);
        if (is_svd && at >= set_bytes(&t.rows) + 4)
            at |= 2 | ((message.n - at) % 4 & 1);
        if (is_quantised && t.rows.n > 0 && at >= set_bytes(&t.rows) + 4)
            at = svd_quantised_bytes(&t.rows) - v_bytes(&t.rows) - at % t.rows.n - 1;
        if (at < message.n) {
            message.bytes[at] ^= (uint8_t)(1 + frs_rng_below(&rng, 255));
            if (codec_decode(codec, message.bytes, message.n, &t, &arena, &after))
                ck_assert_msg(!is_same(&before, &after), "byte %zu of %zu changes nothing", at, message.n);
        }
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        codec_free_table(&t);
    }
    free(codec.settings);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lossy codecs on any shape");
    TCase *tests = tcase_create("lossy codecs on any shape");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, lengths_are_as_documented, 0, N_CODECS);
    tcase_add_loop_test(tests, decoding_comes_closer, 0, N_CODECS);
    tcase_add_loop_test(tests, damage_is_refused_or_changes_values, 0, N_CODECS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
