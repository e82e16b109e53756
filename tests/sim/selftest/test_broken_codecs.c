/* Codecs that break their contract, one clause each: the line names the clause and what was seen. Each is
 * a sound codec with one mistake. */
#include "algorithms/codec.h"
#include "sim/base/settings/params.h"
#include "sim/selftest/subject.h"
#include "tests/sim/selftest/broken.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

extern const struct frs_codec frs_codec_dense, frs_codec_touched_rows, frs_codec_topk;

/* A copy of a sound codec under another name. */
static struct frs_codec copy_of(const struct frs_codec *codec) {
    struct frs_codec copy = *codec;
    copy.plugin.name = "mine";
    return copy;
}

START_TEST(sound_codecs_are_kept) {
    struct frs_codec codec = copy_of(&frs_codec_touched_rows);
    kept("codec", &codec.plugin);
}
END_TEST

START_TEST(missing_slots_are_named) {
    struct frs_codec codec = copy_of(&frs_codec_topk);
    codec.decode = NULL;
    broken("codec", &codec.plugin, "it lacks the slot decode (algorithms/codec.h)");
    codec = copy_of(&frs_codec_topk);
    codec.create = NULL;
    broken("codec", &codec.plugin,
        "it lacks the slot create, which is required where it has keys (algorithms/codec.h)");
    codec = copy_of(&frs_codec_topk);
    codec.plugin.name = NULL;
    broken("codec", &codec.plugin, "it lacks the slot name (sim/base/settings/plugin.h)");
}
END_TEST

START_TEST(wrong_keys_are_named) {
    struct frs_codec codec = copy_of(&frs_codec_topk);
    struct frs_param params[] = {
        {.key = "k", .type = FRS_INT, .initial = "2", .min = 1, .max = 9, .help = "entries"}, {0}, {0}};
    codec.plugin.params = params;
    params[0].initial = "12";
    broken("codec", &codec.plugin, "a default is a text that its key allows: k = 12: ");
    params[0].initial = "2";
    params[0].help = NULL;
    broken("codec", &codec.plugin, "keys differ, and each has its help: k has no help");
    params[0].help = "entries";
    params[1] = params[0];
    broken("codec", &codec.plugin, "k is there twice");
    /* topk asks for `scope`, which this table has not. */
    params[1] = (struct frs_param){0};
    judged("codec", &codec.plugin, FRS_SELFTEST_CRASHED, "has no key scope, while checking: ");
}
END_TEST

static void *read_nothing(const struct frs_values *values) {
    struct frs_values defaults = frs_values_of(frs_codec_topk.plugin.params, NULL);
    void *settings = frs_codec_topk.create(&defaults);
    frs_values_fini(&defaults);
    (void)values;
    return settings;
}

START_TEST(idle_keys_are_named) {
    struct frs_codec codec = copy_of(&frs_codec_topk);
    codec.create = read_nothing;
    broken("codec", &codec.plugin,
        "every key is read, under some setting of the others: k is not (algorithms/codec.h, create)");
}
END_TEST

/* ---- rows and bytes --------------------------------------------------------------------------- */

/* The last row does not come out. */
static bool decode_fewer(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    bool sound = frs_codec_touched_rows.decode(settings, in, n_rows, dim, base, arena, out);
    out->n -= sound && out->n > 0 && out->ids ? 1 : 0;
    return sound;
}

/* All that there is, whatever is missing. */
static bool decode_anything(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    if (frs_codec_dense.decode(settings, in, n_rows, dim, base, arena, out))
        return true;
    in->at = in->n;
    in->failed = 0;
    *out = (struct frs_rows){.n_rows = n_rows,
        .dim = dim,
        .ids = frs_arena_take(arena, 1, 4),
        .values = frs_arena_take(arena, 1, 4)};
    return true;
}

/* An id that no table has. */
static bool decode_beyond(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    bool sound = frs_codec_touched_rows.decode(settings, in, n_rows, dim, base, arena, out);
    if (sound && out->n > 0) {
        uint32_t *ids = frs_arena_take(arena, out->n, sizeof *ids);
        for (size_t i = 0; i < out->n; i++)
            ids[i] = (uint32_t)(n_rows - out->n + i + 1);
        out->ids = ids;
    }
    return sound;
}

/* Not the item table of FedMF with its default width, which no random shape of the check is. */
static bool decode_others(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    bool is_table = n_rows == FRS_SUBJECT_ITEMS && dim == 16;
    return !is_table && frs_codec_touched_rows.decode(settings, in, n_rows, dim, base, arena, out);
}

static unsigned n_encoded;

static size_t encode_anew(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    size_t nominal_bytes = frs_codec_touched_rows.encode(settings, rows, how, out);
    frs_buffer_put_u32(out, n_encoded++);
    return nominal_bytes;
}

static size_t encode_over(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    frs_buffer_reset(out);
    return frs_codec_touched_rows.encode(settings, rows, how, out);
}

static size_t length_of_dense(const struct frs_part *shape, size_t n, size_t *nominal_bytes) {
    (void)n;
    return *nominal_bytes = 4 * shape->n_rows * shape->dim;
}

static size_t encode_and_overstate(const void *settings, const struct frs_rows *rows,
    const struct frs_encoding *how, struct frs_buffer *out) {
    return 8 + 2 * frs_codec_touched_rows.encode(settings, rows, how, out);
}

/* What changed in place of what it has become. */
static bool decode_changes(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    (void)base;
    return frs_codec_topk.decode(settings, in, n_rows, dim, NULL, arena, out);
}

/* Rows of the right shape, whatever was sent. */
static bool decode_fantasy(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim,
    const float *base, struct frs_arena *arena, struct frs_rows *out) {
    bool sound = frs_codec_topk.decode(settings, in, n_rows, dim, base, arena, out);
    float *values = frs_arena_take(arena, sound ? out->n * dim : 0, sizeof *values);
    for (size_t i = 0; sound && i < out->n * dim; i++)
        values[i] = (float)sin((double)(i + 1));
    out->values = values;
    return sound;
}

START_TEST(wrong_values_are_found) {
    struct frs_codec codec = copy_of(&frs_codec_topk);
    codec.decode = decode_changes;
    broken("codec", &codec.plugin,
        " times that of keeping the base (does decode add it, frs_add_base?) (algorithms/codec.h, decode)");
    codec.decode = decode_fantasy;
    broken("codec", &codec.plugin,
        "a message brings its receiver nearer to what was sent: the squared error is 1.");
}
END_TEST

START_TEST(lost_rows_are_found) {
    struct frs_codec codec = copy_of(&frs_codec_touched_rows);
    codec.decode = decode_fewer;
    broken("codec", &codec.plugin, "of a lossless codec the table comes back bit for bit: value ");
    codec.decode = decode_beyond;
    broken("codec", &codec.plugin,
        "decoded rows have the shape asked for, and ids that ascend below n_rows: id ");
}
END_TEST

START_TEST(wrong_bytes_are_found) {
    struct frs_codec codec = copy_of(&frs_codec_touched_rows);
    codec.encode = encode_anew;
    broken("codec", &codec.plugin, "the same rows give the same bytes: ");
    codec.encode = encode_over;
    broken("codec", &codec.plugin, "encode appends: what stands in the buffer stays: ");
    codec.encode = encode_and_overstate;
    broken("codec", &codec.plugin, "of a lossless codec the nominal bytes are a part of those sent: ");
    codec = copy_of(&frs_codec_touched_rows);
    codec.length = length_of_dense;
    broken("codec", &codec.plugin, "length is what encode appends, and so are its nominal bytes: ");
    codec = copy_of(&frs_codec_touched_rows);
    codec.fixed_size = true;
    codec.length = NULL;
    broken("codec", &codec.plugin, "a fixed size depends on the shape alone: ");
    codec = copy_of(&frs_codec_topk);
    codec.lossless = true;
    broken("codec", &codec.plugin, "(algorithms/codec.h, ");
}
END_TEST

START_TEST(lost_uploads_are_found) {
    struct frs_codec codec = copy_of(&frs_codec_touched_rows);
    codec.decode = decode_others;
    broken("codec", &codec.plugin,
        "parts of an upload are encoded one after the other, and decoded likewise: of ");
}
END_TEST

START_TEST(accepted_damage_is_found) {
    struct frs_codec codec = copy_of(&frs_codec_dense);
    codec.decode = decode_anything;
    broken("codec", &codec.plugin, "a message that was cut short is refused: the first 0 of its ");
}
END_TEST

/* ---- crashes ---------------------------------------------------------------------------------- */

static size_t crash(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    (void)rows;
    (void)how;
    (void)out;
    raise(SIGSEGV);
    return 0;
}

static size_t leave(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    (void)rows;
    (void)how;
    (void)out;
    puts("mine: goodbye");
    fflush(stdout);
    _exit(3);
}

START_TEST(crashes_are_one_line) {
    struct frs_codec codec = copy_of(&frs_codec_dense);
    codec.encode = crash;
    /* Under sanitizers the signal is reported by a handler, which ends the process. */
#ifndef __SANITIZE_ADDRESS__
    judged("codec", &codec.plugin, FRS_SELFTEST_CRASHED,
        "ended by signal 11 (Segmentation fault), while checking: ");
#endif
    codec.encode = leave;
    judged("codec", &codec.plugin, FRS_SELFTEST_CRASHED,
        "ended the process with code 3; it printed: mine: goodbye, while checking: ");
}
END_TEST

/* What a sound codec prints is for the caller, and no part of its line. */
static size_t encode_loudly(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    printf("%s", n_encoded++ == 0 ? "hello\n" : "");
    return frs_codec_dense.encode(settings, rows, how, out);
}

START_TEST(prints_are_kept_apart) {
    struct frs_codec codec = copy_of(&frs_codec_dense);
    codec.encode = encode_loudly;
    n_encoded = 0;
    struct frs_selftest_result result = selftest_of("codec", &codec.plugin, FRS_SELFTEST_MOST_S);
    ck_assert_int_eq(result.outcome, FRS_SELFTEST_KEPT);
    ck_assert_str_eq(result.printed, "hello\n");
    ck_assert_ptr_null(result.clause);
    frs_selftest_result_fini(&result);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("broken codecs");
    TCase *tests = tcase_create("broken codecs");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, sound_codecs_are_kept);
    tcase_add_test(tests, missing_slots_are_named);
    tcase_add_test(tests, wrong_keys_are_named);
    tcase_add_test(tests, idle_keys_are_named);
    tcase_add_test(tests, wrong_values_are_found);
    tcase_add_test(tests, lost_rows_are_found);
    tcase_add_test(tests, wrong_bytes_are_found);
    tcase_add_test(tests, lost_uploads_are_found);
    tcase_add_test(tests, accepted_damage_is_found);
    tcase_add_test(tests, crashes_are_one_line);
    tcase_add_test(tests, prints_are_kept_apart);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
