/* What every codec of the registry has to keep to.
 * A new line in algorithms/codecs/codecs.def is covered as it is. */
#include "algorithms/codec.h"
#include "algorithms/messages/message.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static size_t n_codecs(void) {
    size_t n = 0;
    while (frs_codecs[n])
        n++;
    return n;
}

static struct frs_codec_choice choose(int i) {
    struct frs_codec_choice choice = {.codec = frs_codecs[i]};
    struct frs_values values = frs_values_of(choice.codec->plugin.params, NULL);
    if (choice.codec->create)
        choice.settings = choice.codec->create(&values);
    frs_values_fini(&values);
    return choice;
}

/* A table's rows and its base; all memory is of the heap and of exact size, so that a sanitizer sees every
 * byte. */
struct input {
    struct frs_rows rows;
    uint32_t *ids;
    float *values, *base;
};

/* Every eighth value is a special one, every fourth row is as in the base. */
static void fill_values(struct frs_rng *rng, struct input *input) {
    static const float special[] = {0, -0.0f, NAN, -INFINITY, 1e-42f, 1};
    struct frs_rows *rows = &input->rows;
    frs_rng_fill_normal(rng, input->values, rows->n * rows->dim, 1);
    for (size_t i = 0; i < rows->n * rows->dim; i++)
        if (frs_rng_below(rng, 8) == 0)
            input->values[i] = special[frs_rng_below(rng, 6)];
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->ids ? rows->ids[i] : i;
        if (frs_rng_below(rng, 4) > 0)
            continue;
        if (input->base)
            memcpy(input->values + i * rows->dim, input->base + row * rows->dim, rows->dim * sizeof(float));
        else
            memset(input->values + i * rows->dim, 0, rows->dim * sizeof(float));
    }
}

/* n == SIZE_MAX: the whole table, without ids. */
static struct input make_input(struct frs_rng *rng, size_t n_rows, size_t dim, size_t n, bool has_base) {
    struct input input = {0};
    if (n != SIZE_MAX)
        input.ids = random_subset(rng, (uint32_t)n_rows, (uint32_t)n);
    else
        n = n_rows;
    input.values = frs_alloc(n * dim + !n, sizeof(float));
    input.rows =
        (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = input.ids, .values = input.values};
    if (has_base) {
        input.base = frs_alloc(n_rows * dim, sizeof(float));
        frs_rng_fill_normal(rng, input.base, n_rows * dim, 1);
    }
    fill_values(rng, &input);
    return input;
}

static struct input random_input(struct frs_rng *rng) {
    size_t n_rows = 1 + frs_rng_below(rng, 200), dim = 1 + frs_rng_below(rng, 70);
    size_t n = frs_rng_below(rng, (uint32_t)n_rows + 1);
    switch (frs_rng_below(rng, 6)) {
    case 0:
        n = 0;
        break;
    case 1:
        n = n_rows;
        break;
    case 2:
        n = SIZE_MAX;
        break;
    }
    return make_input(rng, n_rows, dim, n, frs_rng_below(rng, 2));
}

static void free_input(struct input *input) {
    free(input->ids);
    free(input->values);
    free(input->base);
}

/* The base with the rows in place of its own. */
static float *apply(const struct frs_rows *rows, const float *base) {
    float *table = frs_alloc(rows->n_rows * rows->dim, sizeof *table);
    if (base)
        memcpy(table, base, rows->n_rows * rows->dim * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + (rows->ids ? rows->ids[i] : i) * rows->dim, rows->values + i * rows->dim,
            rows->dim * sizeof *table);
    return table;
}

static void check_rows(const struct frs_rows *rows, const struct input *input) {
    ck_assert_uint_eq(rows->n_rows, input->rows.n_rows);
    ck_assert_uint_eq(rows->dim, input->rows.dim);
    ck_assert_uint_le(rows->n, rows->n_rows);
    ck_assert(rows->ids || rows->n == rows->n_rows);
    for (size_t i = 0; rows->ids && i < rows->n; i++) {
        ck_assert_uint_lt(rows->ids[i], rows->n_rows);
        ck_assert(i == 0 || rows->ids[i] > rows->ids[i - 1]);
    }
}

/* Only rows that differ from the base come out. */
static void check_differs(const struct frs_rows *rows, const float *base) {
    float *zeros = frs_alloc(rows->dim, sizeof *zeros);
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->ids ? rows->ids[i] : i;
        ck_assert_mem_ne(
            rows->values + i * rows->dim, base ? base + row * rows->dim : zeros, rows->dim * sizeof *zeros);
    }
    free(zeros);
}

static bool decode(struct frs_codec_choice codec, const uint8_t *bytes, size_t n, const struct input *input,
    struct frs_arena *arena, struct frs_rows *rows) {
    struct frs_reader in = frs_reader_init(bytes, n);
    return codec.codec->decode(
               codec.settings, &in, input->rows.n_rows, input->rows.dim, input->base, arena, rows) &&
           !in.failed && in.at == in.n;
}

static size_t encode(struct frs_codec_choice codec, const struct input *input, struct frs_buffer *out) {
    frs_buffer_reset(out);
    return encode_rows(codec, &input->rows, input->base, out);
}

static void check_round_trip(struct frs_codec_choice codec, const struct input *input) {
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows rows;
    size_t nominal_bytes = encode(codec, input, &message);
    if (codec.codec->lossless) /* others are counted as the papers do, for the whole table */
        ck_assert_uint_le(nominal_bytes, message.n);
    ck_assert(decode(codec, message.bytes, message.n, input, &arena, &rows));
    check_rows(&rows, input);
    if (codec.codec->lossless) {
        check_differs(&rows, input->base);
        float *sent = apply(&input->rows, input->base), *received = apply(&rows, input->base);
        ck_assert_mem_eq(sent, received, rows.n_rows * rows.dim * sizeof *sent);
        free(sent);
        free(received);
    }
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
}

START_TEST(rows_come_back) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(200);
    for (int repeat = 0; repeat < FRS_TEST_CASES(300); repeat++) {
        struct input input = random_input(&rng);
        check_round_trip(codec, &input);
        free_input(&input);
    }
    free(codec.settings);
}
END_TEST

/* Rows that pass without encoding equal those that were encoded and decoded. */
START_TEST(passing_is_encoding_and_decoding) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(205);
    ck_assert(!codec.codec->length || codec.codec->lossless);
    for (int repeat = 0; codec.codec->length && repeat < 300; repeat++) {
        struct input input = random_input(&rng);
        const struct frs_tables bases = {{input.base}};
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows passed, decoded;
        struct frs_message_size size, weight;
        ck_assert(
            frs_message_pass(&codec, &input.rows, 1, input.base ? &bases : NULL, &arena, &size, &passed));
        ck_assert_uint_eq(encode(codec, &input, &message), size.nominal_bytes);
        ck_assert_uint_eq(message.n, size.bytes);
        ck_assert(frs_message_weigh(&codec, &input.rows, 1, &arena, &weight));
        ck_assert(input.base || (weight.bytes == size.bytes && weight.nominal_bytes == size.nominal_bytes));
        ck_assert(decode(codec, message.bytes, message.n, &input, &arena, &decoded));
        ck_assert_uint_eq(passed.n, decoded.n);
        ck_assert_uint_eq(passed.n_rows, decoded.n_rows);
        ck_assert_uint_eq(passed.dim, decoded.dim);
        if (decoded.n > 0) {
            ck_assert_mem_eq(passed.ids, decoded.ids, decoded.n * sizeof *decoded.ids);
            ck_assert_mem_eq(passed.values, decoded.values, decoded.n * decoded.dim * sizeof *decoded.values);
        }
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        free_input(&input);
    }
    free(codec.settings);
}
END_TEST

/* Codecs append: what stands in the buffer already stays, and two parts decode one after the other. */
START_TEST(parts_follow_each_other) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(201);
    struct frs_arena arena = {0};
    struct frs_buffer message = {0}, single = {0};
    struct input first = make_input(&rng, 13, 5, 4, true), second = make_input(&rng, 21, 2, 20, false);
    struct frs_rows rows[2];
    encode(codec, &first, &message);
    size_t middle = message.n;
    encode_rows(codec, &second.rows, second.base, &message);
    encode(codec, &first, &single);
    ck_assert_uint_eq(single.n, middle);
    ck_assert_mem_eq(single.bytes, message.bytes, middle);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    ck_assert(codec.codec->decode(codec.settings, &in, 13, 5, first.base, &arena, &rows[0]));
    ck_assert_uint_eq(in.at, middle);
    ck_assert(codec.codec->decode(codec.settings, &in, 21, 2, second.base, &arena, &rows[1]));
    ck_assert_uint_eq(in.at, in.n);
    frs_buffer_fini(&message);
    frs_buffer_fini(&single);
    frs_arena_fini(&arena);
    free_input(&first);
    free_input(&second);
    free(codec.settings);
}
END_TEST

/* A run without training asks for the size of an empty update, and takes it for every other. */
START_TEST(fixed_sizes_depend_on_the_shape_alone) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(202);
    static const size_t counts[] = {0, 1, 40, 83, SIZE_MAX};
    for (size_t dim = 1; codec.codec->fixed_size && dim < 70; dim += 13) {
        size_t bytes[10], nominal[10], n = 0;
        for (size_t c = 0; c < 5; c++)
            for (int has_base = 0; has_base < 2; has_base++, n++) {
                struct frs_buffer message = {0};
                struct input input = make_input(&rng, 83, dim, counts[c], has_base);
                nominal[n] = encode(codec, &input, &message);
                bytes[n] = message.n;
                ck_assert_uint_eq(bytes[n], bytes[0]);
                ck_assert_uint_eq(nominal[n], nominal[0]);
                frs_buffer_fini(&message);
                free_input(&input);
            }
    }
    free(codec.settings);
}
END_TEST

/* A message that was cut short is refused at every length. */
START_TEST(truncated_messages_are_refused) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(203);
    for (int repeat = 0; repeat < FRS_TEST_CASES(20); repeat++) {
        struct input input =
            make_input(&rng, 1 + frs_rng_below(&rng, 40), 1 + frs_rng_below(&rng, 6), 1, repeat % 2);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        encode(codec, &input, &message);
        for (size_t n = 0; n < message.n; n++) {
            uint8_t *cut = frs_alloc(n + !n, 1);
            memcpy(cut, message.bytes, n);
            ck_assert(!decode(codec, cut, n, &input, &arena, &rows));
            free(cut);
        }
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        free_input(&input);
    }
    free(codec.settings);
}
END_TEST

/* One flipped bit: refused, or sound rows that are others (a bit of the payload cannot be told from data). */
START_TEST(flipped_bits_do_no_harm) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(204);
    for (int repeat = 0; repeat < FRS_TEST_CASES(2000); repeat++) {
        struct input input = make_input(&rng, 1 + frs_rng_below(&rng, 60), 1 + frs_rng_below(&rng, 4),
            repeat % 3 ? 1 : SIZE_MAX, repeat % 2);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows, flipped;
        encode(codec, &input, &message);
        ck_assert(decode(codec, message.bytes, message.n, &input, &arena, &rows));
        uint8_t *copy = frs_alloc(message.n, 1);
        memcpy(copy, message.bytes, message.n);
        size_t at = frs_rng_below(&rng, 4) ? frs_rng_below(&rng, (uint32_t)message.n)
                                           : frs_rng_below(&rng, message.n < 12 ? (uint32_t)message.n : 12);
        copy[at] ^= (uint8_t)(1u << frs_rng_below(&rng, 8));
        if (decode(codec, copy, message.n, &input, &arena, &flipped)) {
            check_rows(&flipped, &input);
            float *before = apply(&rows, input.base), *after = apply(&flipped, input.base);
            if (codec.codec->lossless)
                ck_assert_mem_ne(before, after, rows.n_rows * rows.dim * sizeof *before);
            free(before);
            free(after);
        }
        free(copy);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        free_input(&input);
    }
    free(codec.settings);
}
END_TEST

/* Bytes that never were a message. */
START_TEST(noise_does_no_harm) {
    struct frs_codec_choice codec = choose(_i);
    struct frs_rng rng = test_rng(205);
    struct input input = make_input(&rng, 20, 2, 3, false);
    for (int repeat = 0; repeat < FRS_TEST_CASES(3000); repeat++) {
        struct frs_arena arena = {0};
        struct frs_rows rows;
        size_t n = frs_rng_below(&rng, 200);
        uint8_t *noise = frs_alloc(n + 1, 1);
        for (size_t i = 0; i < n; i++)
            noise[i] = frs_rng_below(&rng, 3) ? 0 : (uint8_t)frs_rng_below(&rng, 30);
        if (decode(codec, noise, n, &input, &arena, &rows))
            check_rows(&rows, &input);
        frs_arena_fini(&arena);
        free(noise);
    }
    free_input(&input);
    free(codec.settings);
}
END_TEST

START_TEST(entries_are_complete) {
    const struct frs_codec *codec = frs_codecs[_i];
    ck_assert_ptr_eq(frs_codec_plugins[_i], &codec->plugin);
    ck_assert_ptr_nonnull(codec->plugin.name);
    ck_assert_ptr_nonnull(codec->plugin.summary);
    ck_assert_ptr_nonnull(codec->plugin.source);
    ck_assert(codec->encode && codec->decode);
    ck_assert(!codec->plugin.params || codec->create);
    for (int other = 0; other < _i; other++)
        ck_assert_str_ne(frs_codecs[other]->plugin.name, codec->plugin.name);
}
END_TEST

/* Every key of a codec's own table is read. */
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

static struct frs_codec_choice named(const char *name) {
    for (int i = 0; frs_codecs[i]; i++)
        if (strcmp(frs_codecs[i]->plugin.name, name) == 0)
            return choose(i);
    ck_abort_msg("no codec %s", name);
    return (struct frs_codec_choice){0};
}

/* n changed rows of 83 × 3 take 5 + min(4n, 11) + 12n bytes as touched_rows, 996 bytes as dense. */
START_TEST(sizes_are_as_documented) {
    struct frs_rng rng = test_rng(206);
    for (size_t n = 0; n <= 83; n++) {
        struct frs_buffer message = {0};
        struct input input = make_input(&rng, 83, 3, n, false);
        for (size_t i = 0; i < 3 * n; i++)
            input.values[i] = 1;
        size_t which = 4 * n <= 11 ? 4 * n : 11;
        ck_assert_uint_eq(encode(named("touched_rows"), &input, &message), 12 * n);
        ck_assert_uint_eq(message.n, 5 + which + 12 * n);
        ck_assert_uint_eq(encode(named("dense"), &input, &message), 996);
        ck_assert_uint_eq(message.n, 996);
        frs_buffer_fini(&message);
        free_input(&input);
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
    struct input input = {.rows = {.n_rows = 11, .dim = 1}};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct frs_arena arena = {0};
        struct frs_rows rows;
        ck_assert_msg(decode(named("touched_rows"), messages[i].bytes, messages[i].n, &input, &arena,
                          &rows) == messages[i].sound,
            "message %zu", i);
        frs_arena_fini(&arena);
    }
}
END_TEST

int main(void) {
    int n = (int)n_codecs();
    Suite *suite = suite_create("codecs");
    TCase *tests = tcase_create("codecs");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, entries_are_complete, 0, n);
    tcase_add_loop_test(tests, no_key_is_idle, 0, n);
    tcase_add_loop_test(tests, rows_come_back, 0, n);
    tcase_add_loop_test(tests, passing_is_encoding_and_decoding, 0, n);
    tcase_add_loop_test(tests, parts_follow_each_other, 0, n);
    tcase_add_loop_test(tests, fixed_sizes_depend_on_the_shape_alone, 0, n);
    tcase_add_loop_test(tests, truncated_messages_are_refused, 0, n);
    tcase_add_loop_test(tests, flipped_bits_do_no_harm, 0, n);
    tcase_add_loop_test(tests, noise_does_no_harm, 0, n);
    tcase_add_test(tests, sizes_are_as_documented);
    tcase_add_test(tests, touched_rows_refuses);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
