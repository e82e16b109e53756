/* Contract of codecs: rows come back, sizes are as stated, and messages that were damaged on their way are
 * handled. */
#include "algorithms/codec.h"
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "sim/selftest/draws.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"
#include "sim/selftest/uploads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CODEC_H "algorithms/codec.h, "

/* A codec with its settings, and the check it is under. */
struct subject {
    struct frs_check *check;
    struct frs_codec_choice choice;
    const struct frs_codec *codec;
    size_t left_over; /* bytes that the last decode left */
};

/* The rows of a decoded part are rows of the table. */
static void check_rows(struct subject *s, const struct frs_rows *rows, const struct frs_random_rows *sent) {
    struct frs_check *check = s->check;
    frs_clause(
        check, CODEC_H "decode", "decoded rows have the shape asked for, and ids that ascend below n_rows");
    FRS_HOLDS(check, rows->n_rows == sent->rows.n_rows && rows->dim == sent->rows.dim,
        "%zu × %zu instead of %zu × %zu", rows->n_rows, rows->dim, sent->rows.n_rows, sent->rows.dim);
    FRS_HOLDS(check, rows->n <= rows->n_rows, "%zu rows of a table of %zu", rows->n, rows->n_rows);
    FRS_HOLDS(
        check, rows->ids || rows->n == rows->n_rows, "%zu of %zu rows have no ids", rows->n, rows->n_rows);
    for (size_t i = 0; rows->ids && i < rows->n; i++) {
        FRS_HOLDS(
            check, rows->ids[i] < rows->n_rows, "id %u in a table of %zu rows", rows->ids[i], rows->n_rows);
        FRS_HOLDS(check, i == 0 || rows->ids[i] > rows->ids[i - 1], "id %u follows id %u", rows->ids[i],
            rows->ids[i - 1]);
    }
}

static bool decode(struct subject *s, const uint8_t *bytes, size_t n, const struct frs_random_rows *sent,
    struct frs_arena *arena, struct frs_rows *rows) {
    struct frs_reader in = frs_reader_init(bytes, n);
    *rows = (struct frs_rows){0};
    frs_clause(s->check, CODEC_H "decode", "decode returns");
    bool decoded = s->codec->decode(
                       s->choice.settings, &in, sent->rows.n_rows, sent->rows.dim, sent->base, arena, rows) &&
                   !in.failed;
    s->left_over = decoded ? in.n - in.at : 0;
    return decoded && s->left_over == 0;
}

static size_t encode(struct subject *s, const struct frs_random_rows *sent, struct frs_buffer *out) {
    frs_buffer_reset(out);
    frs_clause(s->check, CODEC_H "encode", "encode returns");
    return frs_encode_rows(s->choice, &sent->rows, sent->base, NULL, NULL, out);
}

static void check_decodes(struct subject *s, bool decoded, const struct frs_random_rows *sent, size_t bytes) {
    frs_clause(s->check, CODEC_H "decode", "what was encoded is decoded, to its last byte");
    const char *update = sent->base ? "" : " (an update)";
    FRS_HOLDS(s->check, s->left_over == 0, "of %zu bytes for %zu rows of %zu × %zu%s %zu are left over",
        bytes, sent->rows.n, sent->rows.n_rows, sent->rows.dim, update, s->left_over);
    FRS_HOLDS(s->check, decoded, "%zu bytes for %zu rows of %zu × %zu%s are refused", bytes, sent->rows.n,
        sent->rows.n_rows, sent->rows.dim, update);
}

/* Only rows that differ from the base come out, and with them all that was sent. */
static void check_lossless(
    struct subject *s, const struct frs_random_rows *sent, const struct frs_rows *rows) {
    float *zeros = frs_alloc(rows->dim, sizeof *zeros);
    frs_clause(
        s->check, CODEC_H "decode", "decode of a lossless codec gives only rows that differ from the base");
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->ids ? rows->ids[i] : i;
        const float *base = sent->base ? sent->base + row * rows->dim : zeros;
        FRS_HOLDS(s->check, !frs_are_same(rows->values + i * rows->dim, base, rows->dim * sizeof *base),
            "row %zu of %zu is as in the base", row, rows->n_rows);
    }
    free(zeros);
    float *before = frs_rows_applied(&sent->rows, sent->base), *after = frs_rows_applied(rows, sent->base);
    frs_clause(s->check, CODEC_H "lossless", "of a lossless codec the table comes back bit for bit");
    for (size_t i = 0; i < rows->n_rows * rows->dim; i++)
        FRS_HOLDS(s->check, frs_are_same(&before[i], &after[i], sizeof *before),
            "value %zu of row %zu was %.9g and came back as %.9g (%zu × %zu, %zu rows sent)", i % rows->dim,
            i / rows->dim, (double)before[i], (double)after[i], rows->n_rows, rows->dim, sent->rows.n);
    free(before);
    free(after);
}

/* Nominal bytes count what is sent as papers do, for some codecs for the whole table: at most twice the table
 * with a number for each row. */
static void check_nominal(
    struct subject *s, const struct frs_random_rows *sent, size_t nominal_bytes, size_t bytes) {
    size_t most = 8 * sent->rows.n_rows * (sent->rows.dim + 1) + 64;
    frs_clause(s->check, CODEC_H "encode", "nominal bytes are a count of what is sent");
    FRS_HOLDS(s->check, nominal_bytes <= most, "%zu for %zu rows of %zu × %zu, of which %zu bytes are sent",
        nominal_bytes, sent->rows.n, sent->rows.n_rows, sent->rows.dim, bytes);
    if (!s->codec->lossless)
        return;
    /* Those of others are counted for the whole table. */
    frs_clause(s->check, CODEC_H "encode", "of a lossless codec the nominal bytes are a part of those sent");
    FRS_HOLDS(s->check, nominal_bytes <= bytes, "%zu nominal bytes of %zu", nominal_bytes, bytes);
}

static void check_round_trip(struct subject *s, const struct frs_random_rows *sent) {
    struct frs_buffer message = {0}, again = {0};
    struct frs_arena arena = {0};
    struct frs_rows rows;
    size_t nominal_bytes = encode(s, sent, &message);
    size_t again_bytes = encode(s, sent, &again);
    frs_clause(s->check, CODEC_H "encode", "the same rows give the same bytes");
    FRS_HOLDS(s->check,
        again_bytes == nominal_bytes && again.n == message.n &&
            (message.n == 0 || frs_are_same(again.bytes, message.bytes, message.n)),
        "%zu bytes, and %zu other ones (%zu × %zu)", message.n, again.n, sent->rows.n_rows, sent->rows.dim);
    check_nominal(s, sent, nominal_bytes, message.n);
    check_decodes(s, decode(s, message.bytes, message.n, sent, &arena, &rows), sent, message.n);
    check_rows(s, &rows, sent);
    if (s->codec->lossless)
        check_lossless(s, sent, &rows);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    frs_buffer_fini(&again);
}

static void rows_come_back(struct subject *s) {
    struct frs_rng rng = frs_check_rng(200);
    for (int repeat = 0; repeat < FRS_CASES(300); repeat++) {
        struct frs_random_rows sent = frs_random_rows_of_any_shape(&rng, true);
        check_round_trip(s, &sent);
        frs_random_rows_fini(&sent);
    }
}

/* A table of a usual size, where rows have numbers of more than a byte. */
static struct frs_random_rows rows_of_a_usual_table(struct frs_rng *rng) {
    return frs_random_rows(rng, 3000, 32, SIZE_MAX, true, false);
}

/* Finite values stay finite, and what encoding counts is a count. */
static void finite_values_stay_finite(struct subject *s) {
    struct frs_rng rng = frs_check_rng(207);
    for (int repeat = 0; repeat <= FRS_CASES(60); repeat++) {
        struct frs_random_rows sent =
            repeat == FRS_CASES(60) ? rows_of_a_usual_table(&rng) : frs_random_rows_of_any_shape(&rng, false);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        double flop = 0;
        size_t values = 0;
        frs_clause(s->check, CODEC_H "encode", "encode returns");
        size_t nominal_bytes = frs_encode_rows(s->choice, &sent.rows, sent.base, &flop, &values, &message);
        check_nominal(s, &sent, nominal_bytes, message.n);
        frs_clause(s->check, CODEC_H "encode", "rows that have changed have nominal bytes");
        FRS_HOLDS(s->check, nominal_bytes > 0 || message.n < sent.rows.n_rows / 8 + 16,
            "0, of %zu bytes for %zu rows of %zu × %zu", message.n, sent.rows.n, sent.rows.n_rows,
            sent.rows.dim);
        frs_clause(s->check, CODEC_H "flop", "the operations of an encoding are a number from 0");
        FRS_HOLDS(s->check, isfinite(flop) && flop >= 0, "%g", flop);
        frs_clause(s->check, CODEC_H "values", "what is sent as 32-bit floats is a part of the bytes");
        FRS_HOLDS(s->check, 4 * values <= message.n, "%zu values in %zu bytes", values, message.n);
        check_decodes(s, decode(s, message.bytes, message.n, &sent, &arena, &rows), &sent, message.n);
        frs_clause(s->check, CODEC_H "decode", "finite values come out finite");
        for (size_t i = 0; i < rows.n * rows.dim; i++)
            FRS_HOLDS(s->check, isfinite(rows.values[i]), "value %zu of row %zu of a table %zu × %zu is %g",
                i % rows.dim, rows.ids ? (size_t)rows.ids[i / rows.dim] : i / rows.dim, rows.n_rows, rows.dim,
                (double)rows.values[i]);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        frs_random_rows_fini(&sent);
    }
}

/* Rows that pass without encoding equal those that were encoded and decoded. */
static void check_passes(struct subject *s, const struct frs_random_rows *sent) {
    const struct frs_tables bases = {{sent->base}};
    const struct frs_tables *base = sent->base ? &bases : NULL;
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows passed, decoded;
    struct frs_message_size size = {0}, weight = {0};
    bool tells = frs_message_pass(&s->choice, &sent->rows, 1, base, &arena, &size, &passed) &&
                 frs_message_weigh(&s->choice, &sent->rows, 1, &arena, &weight);
    size_t nominal_bytes = encode(s, sent, &message);
    frs_clause(s->check, CODEC_H "length", "length is what encode appends, and so are its nominal bytes");
    FRS_HOLDS(s->check, tells, "it tells none");
    FRS_HOLDS(s->check, message.n == size.bytes && nominal_bytes == size.nominal_bytes,
        "%zu bytes (%zu nominal) instead of %zu (%zu), for %zu rows of %zu × %zu", size.bytes,
        size.nominal_bytes, message.n, nominal_bytes, sent->rows.n, sent->rows.n_rows, sent->rows.dim);
    FRS_HOLDS(s->check,
        sent->base || (weight.bytes == size.bytes && weight.nominal_bytes == size.nominal_bytes),
        "an update weighs %zu bytes, and passes as %zu", weight.bytes, size.bytes);
    check_decodes(s, decode(s, message.bytes, message.n, sent, &arena, &decoded), sent, message.n);
    frs_clause(s->check, CODEC_H "length",
        "rows that pass without encoding equal those that were encoded and decoded");
    FRS_HOLDS(s->check, passed.n == decoded.n && passed.n_rows == decoded.n_rows && passed.dim == decoded.dim,
        "%zu rows instead of %zu", passed.n, decoded.n);
    for (size_t i = 0; i < decoded.n; i++)
        FRS_HOLDS(s->check,
            (passed.ids ? passed.ids[i] : i) == (decoded.ids ? decoded.ids[i] : i) &&
                frs_are_same(passed.values + i * decoded.dim, decoded.values + i * decoded.dim,
                    decoded.dim * sizeof *decoded.values),
            "row %zu differs", i);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
}

static void passing_is_encoding_and_decoding(struct subject *s) {
    struct frs_rng rng = frs_check_rng(205);
    frs_clause(
        s->check, CODEC_H "length", "a codec whose length depends on the number of rows alone is lossless");
    FRS_HOLDS(s->check, !s->codec->length || s->codec->lossless, "it has length, and is not");
    for (int repeat = 0; s->codec->length && repeat < FRS_CASES(300); repeat++) {
        struct frs_random_rows sent = frs_random_rows_of_any_shape(&rng, true);
        check_passes(s, &sent);
        frs_random_rows_fini(&sent);
    }
}

/* What stands in the buffer already stays, and two parts decode one after the other. */
static void parts_follow_each_other(struct subject *s) {
    struct frs_rng rng = frs_check_rng(201);
    struct frs_arena arena = {0};
    struct frs_buffer message = {0}, single = {0};
    struct frs_random_rows first = frs_random_rows(&rng, 13, 5, 4, true, true),
                           second = frs_random_rows(&rng, 21, 2, 20, false, true);
    struct frs_rows rows[2];
    encode(s, &first, &message);
    size_t middle = message.n;
    frs_encode_rows(s->choice, &second.rows, second.base, NULL, NULL, &message);
    encode(s, &first, &single);
    frs_clause(s->check, CODEC_H "encode", "encode appends: what stands in the buffer stays");
    FRS_HOLDS(s->check,
        message.n >= middle && single.n == middle &&
            (middle == 0 || frs_are_same(single.bytes, message.bytes, middle)),
        "the first %zu of %zu bytes have changed", middle, message.n);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    frs_clause(s->check, CODEC_H "decode", "decode reads its own part, and leaves the next one");
    bool decoded = s->codec->decode(s->choice.settings, &in, 13, 5, first.base, &arena, &rows[0]);
    FRS_HOLDS(s->check, decoded && in.at == middle, "it ends behind byte %zu instead of %zu", in.at, middle);
    decoded = s->codec->decode(s->choice.settings, &in, 21, 2, second.base, &arena, &rows[1]);
    FRS_HOLDS(s->check, decoded && in.at == in.n, "the second part ends behind byte %zu of %zu", in.at, in.n);
    frs_buffer_fini(&message);
    frs_buffer_fini(&single);
    frs_arena_fini(&arena);
    frs_random_rows_fini(&first);
    frs_random_rows_fini(&second);
}

/* A run without training asks for the size of an empty update, and takes it for every other. */
static void fixed_sizes_depend_on_the_shape_alone(struct subject *s) {
    struct frs_rng rng = frs_check_rng(202);
    static const size_t counts[] = {0, 1, 40, 83, SIZE_MAX};
    for (size_t dim = 1; s->codec->fixed_size && dim < 70; dim += 13) {
        size_t bytes = 0, nominal_bytes = 0;
        for (size_t c = 0; c < 10; c++) {
            struct frs_buffer message = {0};
            struct frs_random_rows sent = frs_random_rows(&rng, 83, dim, counts[c / 2], c % 2, true);
            size_t nominal = encode(s, &sent, &message);
            bytes = c == 0 ? message.n : bytes;
            nominal_bytes = c == 0 ? nominal : nominal_bytes;
            frs_clause(s->check, CODEC_H "fixed_size", "a fixed size depends on the shape alone");
            FRS_HOLDS(s->check, message.n == bytes && nominal == nominal_bytes,
                "%zu bytes (%zu nominal) for %zu rows of 83 × %zu, %zu (%zu) for none", message.n, nominal,
                sent.rows.n, dim, bytes, nominal_bytes);
            frs_buffer_fini(&message);
            frs_random_rows_fini(&sent);
        }
    }
}

static void budgets_are_kept(struct subject *s) {
    const struct frs_part shape = {.name = "items", .n_rows = 83, .dim = 12};
    struct frs_rng rng = frs_check_rng(208);
    if (!s->codec->budgets)
        return;
    struct frs_budgets range = s->codec->budgets(s->choice.settings, &shape);
    frs_clause(s->check, CODEC_H "budgets", "budgets are a range with its unit");
    FRS_HOLDS(s->check, range.min >= 1 && range.min <= range.max && range.unit, "from %u to %u %s", range.min,
        range.max, range.unit ? range.unit : "(no unit)");
    size_t before = 0;
    for (uint32_t budget = range.min; budget <= range.max && budget < range.min + 100; budget++) {
        struct frs_random_rows sent = frs_random_rows(&rng, shape.n_rows, shape.dim, 60, false, false);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rng draws = frs_check_rng(1);
        struct frs_rows rows;
        struct frs_encoding how = {.budget = budget, .rng = &draws, .arena = &arena};
        size_t predicted = s->codec->predicted_bytes(s->choice.settings, &shape, budget);
        frs_clause(
            s->check, CODEC_H "predicted_bytes", "a larger budget is not predicted to take fewer bytes");
        FRS_HOLDS(s->check, predicted > 0 && predicted >= before, "%zu bytes under %u %s, %zu under one less",
            predicted, budget, range.unit, before);
        before = predicted;
        s->codec->encode(s->choice.settings, &sent.rows, &how, &message);
        check_decodes(s, decode(s, message.bytes, message.n, &sent, &arena, &rows), &sent, message.n);
        check_rows(s, &rows, &sent);
        frs_buffer_fini(&message);
        frs_arena_fini(&arena);
        frs_random_rows_fini(&sent);
    }
}

static void sets_ascend(struct subject *s) {
    const struct frs_part shape = {.name = "items", .n_rows = 83, .dim = 12};
    uint32_t sizes[FRS_MAX_SETS] = {0};
    if (!s->codec->sets)
        return;
    size_t n = s->codec->sets(s->choice.settings, &shape, sizes);
    frs_clause(s->check, CODEC_H "sets", "sets are 1 to FRS_MAX_SETS, with budgets that ascend");
    FRS_HOLDS(s->check, n >= 1 && n <= FRS_MAX_SETS, "%zu", n);
    for (size_t i = 1; i < n; i++)
        FRS_HOLDS(s->check, sizes[i] > sizes[i - 1], "%u follows %u", sizes[i], sizes[i - 1]);
}

/* A message that was cut short is refused at every length. */
static void truncated_messages_are_refused(struct subject *s) {
    struct frs_rng rng = frs_check_rng(203);
    for (int repeat = 0; repeat < FRS_CASES(20); repeat++) {
        struct frs_random_rows sent = frs_random_rows(
            &rng, 1 + frs_rng_below(&rng, 40), 1 + frs_rng_below(&rng, 6), 1, repeat % 2, true);
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rows rows;
        encode(s, &sent, &message);
        for (size_t n = 0; n < message.n; n++) {
            uint8_t *cut = frs_alloc(n + !n, 1);
            memcpy(cut, message.bytes, n);
            bool accepted = decode(s, cut, n, &sent, &arena, &rows);
            frs_clause(s->check, CODEC_H "decode", "a message that was cut short is refused");
            FRS_HOLDS(s->check, !accepted, "the first %zu of its %zu bytes were accepted, for %zu × %zu", n,
                message.n, sent.rows.n_rows, sent.rows.dim);
            free(cut);
        }
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
        frs_random_rows_fini(&sent);
    }
}

/* One flipped bit: refused, or sound rows that are others (a bit of the payload cannot be told from data). */
static void check_flip(struct subject *s, struct frs_rng *rng, const struct frs_random_rows *sent) {
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    struct frs_rows rows, flipped;
    encode(s, sent, &message);
    check_decodes(s, decode(s, message.bytes, message.n, sent, &arena, &rows), sent, message.n);
    if (message.n == 0)
        return;
    uint8_t *copy = frs_alloc(message.n + 1, 1);
    memcpy(copy, message.bytes, message.n);
    uint32_t head = message.n < 12 ? (uint32_t)message.n : 12;
    size_t at = frs_rng_below(rng, 4) ? frs_rng_below(rng, (uint32_t)message.n) : frs_rng_below(rng, head);
    unsigned bit = frs_rng_below(rng, 8);
    copy[at] ^= (uint8_t)(1u << bit);
    if (decode(s, copy, message.n, sent, &arena, &flipped)) {
        check_rows(s, &flipped, sent);
        float *before = frs_rows_applied(&rows, sent->base), *after = frs_rows_applied(&flipped, sent->base);
        if (s->codec->lossless) {
            frs_clause(s->check, CODEC_H "decode", "of a lossless codec a flipped bit is refused, or shows");
            FRS_HOLDS(s->check, !frs_are_same(before, after, rows.n_rows * rows.dim * sizeof *before),
                "bit %u of byte %zu of %zu changes nothing", bit, at, message.n);
        }
        free(before);
        free(after);
    }
    free(copy);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
}

static void flipped_bits_do_no_harm(struct subject *s) {
    struct frs_rng rng = frs_check_rng(204);
    for (int repeat = 0; repeat < FRS_CASES(2000); repeat++) {
        struct frs_random_rows sent = frs_random_rows(&rng, 1 + frs_rng_below(&rng, 60),
            1 + frs_rng_below(&rng, 4), repeat % 3 ? 1 : SIZE_MAX, repeat % 2, true);
        check_flip(s, &rng, &sent);
        frs_random_rows_fini(&sent);
    }
}

/* Bytes that never were a message. */
static void noise_does_no_harm(struct subject *s) {
    struct frs_rng rng = frs_check_rng(205);
    struct frs_random_rows sent = frs_random_rows(&rng, 20, 2, 3, false, true);
    frs_clause(s->check, CODEC_H "decode", "bytes that never were a message are refused, or give sound rows");
    for (int repeat = 0; repeat < FRS_CASES(3000); repeat++) {
        struct frs_arena arena = {0};
        struct frs_rows rows;
        size_t n = frs_rng_below(&rng, 200);
        uint8_t *noise = frs_alloc(n + 1, 1);
        for (size_t i = 0; i < n; i++)
            noise[i] = frs_rng_below(&rng, 3) ? 0 : (uint8_t)frs_rng_below(&rng, 30);
        if (decode(s, noise, n, &sent, &arena, &rows))
            check_rows(s, &rows, &sent);
        frs_arena_fini(&arena);
        free(noise);
    }
    frs_random_rows_fini(&sent);
}

static void create_and_free(void *context, const struct frs_values *values) {
    const struct frs_codec *codec = context;
    free(codec->create ? codec->create(values) : NULL);
}

void frs_check_codec(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its codec. */
    const struct frs_codec *codec = (const struct frs_codec *)(const void *)plugin;
    struct subject s = {.check = check, .codec = codec, .choice = frs_trial_codec(check, codec)};
    const struct frs_key_reader reader = {
        .where = CODEC_H "create", .read = create_and_free, .context = (void *)(uintptr_t)codec};
    frs_check_keys(check, plugin, &reader);
    rows_come_back(&s);
    finite_values_stay_finite(&s);
    frs_check_nearness(check, &s.choice);
    passing_is_encoding_and_decoding(&s);
    parts_follow_each_other(&s);
    fixed_sizes_depend_on_the_shape_alone(&s);
    budgets_are_kept(&s);
    sets_ascend(&s);
    truncated_messages_are_refused(&s);
    flipped_bits_do_no_harm(&s);
    noise_does_no_harm(&s);
    free(s.choice.settings);
    for (size_t l = 0; frs_learners[l]; l++)
        for (size_t v = 0; frs_variant_of(&frs_learners[l]->plugin, v); v++)
            frs_check_uploads(check, frs_learners[l], frs_variant_of(&frs_learners[l]->plugin, v), codec);
}
