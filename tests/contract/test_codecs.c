/* Every codec of the registry keeps its contract, and messages of some codecs have the sizes that their
 * headers state. */
#include "algorithms/codec.h"
#include "sim/base/settings/params.h"
#include "sim/selftest/draws.h"
#include "tests/algorithms/fixture.h"
#include "tests/contract/every_entry.h"

START_TEST(codecs_keep_to_their_contract) {
    expect_kept("codec", _i);
}
END_TEST

/* With their defaults codecs of ours read every key. */
START_TEST(no_key_is_idle) {
    const struct frs_codec *codec = frs_codecs[_i];
    struct frs_values values = frs_values_of(codec->plugin.params, NULL);
    void *settings = codec->create ? codec->create(&values) : NULL;
    for (size_t i = 0; i < values.n; i++)
        ck_assert_msg(
            values.values[i].read, "%s does not read %s", codec->plugin.name, values.values[i].param->key);
    free(settings);
    frs_values_fini(&values);
}
END_TEST

/* ---- sizes as the codecs' own headers state them --------------------------------------------- */

extern const struct frs_codec frs_codec_dense, frs_codec_touched_rows;

static size_t encode(const struct frs_codec *codec, const struct frs_rows *rows, struct frs_buffer *out) {
    frs_buffer_reset(out);
    return encode_rows((struct frs_codec_choice){.codec = codec}, rows, NULL, out);
}

/* n changed rows of 83 × 3 take 5 + min(4n, 11) + 12n bytes as touched_rows, 996 bytes as dense. */
START_TEST(sizes_are_as_documented) {
    struct frs_rng rng = test_rng(206);
    for (size_t n = 0; n <= 83; n++) {
        struct frs_buffer message = {0};
        struct frs_random_rows sent = frs_random_rows(&rng, 83, 3, n, false, false);
        for (size_t i = 0; i < 3 * n; i++)
            sent.values[i] = 1;
        size_t which = 4 * n <= 11 ? 4 * n : 11;
        ck_assert_uint_eq(encode(&frs_codec_touched_rows, &sent.rows, &message), 12 * n);
        ck_assert_uint_eq(message.n, 5 + which + 12 * n);
        ck_assert_uint_eq(encode(&frs_codec_dense, &sent.rows, &message), 996);
        ck_assert_uint_eq(message.n, 996);
        frs_buffer_fini(&message);
        frs_random_rows_fini(&sent);
    }
}
END_TEST

/* touched_rows of an 11 × 1 table, valid but for one thing: n u32 · form u8 · ids or map · values. */
START_TEST(touched_rows_refuses) {
    static const struct {
        size_t n;
        uint8_t bytes[24];
        bool sound;
    } messages[] = {
        {21, {2, 0, 0, 0, 0, 3, 0, 0, 0, 10, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, true},
        {21, {2, 0, 0, 0, 0, 3, 0, 0, 0, 11, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, false}, /* no such row */
        {21, {2, 0, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, false},  /* twice */
        {21, {2, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, false},  /* descending */
        {21, {2, 0, 0, 0, 2, 3, 0, 0, 0, 10, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, false}, /* unknown form */
        {15, {2, 0, 0, 0, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 1}, true},
        {15, {2, 0, 0, 0, 1, 1, 8, 1, 1, 1, 1, 1, 1, 1, 1}, false}, /* bit 11 */
        {15, {2, 0, 0, 0, 1, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1}, false}, /* three bits for two rows */
        {15, {2, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1}, false}, /* one bit */
        {5, {0, 0, 0, 0, 0}, true},
        {5, {12, 0, 0, 0, 0}, false}, /* more rows than the table has */
        {5, {255, 255, 255, 255, 0}, false},
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct frs_arena arena = {0};
        struct frs_rows rows;
        struct frs_reader in = frs_reader_init(messages[i].bytes, messages[i].n);
        bool sound = frs_codec_touched_rows.decode(NULL, &in, 11, 1, NULL, &arena, &rows) && !in.failed &&
                     in.at == in.n;
        ck_assert_msg(sound == messages[i].sound, "message %zu", i);
        frs_arena_fini(&arena);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("codecs");
    TCase *tests = tcase_create("codecs");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, codecs_keep_to_their_contract, 0, n_entries("codec"));
    tcase_add_loop_test(tests, no_key_is_idle, 0, n_entries("codec"));
    tcase_add_test(tests, sizes_are_as_documented);
    tcase_add_test(tests, touched_rows_refuses);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
