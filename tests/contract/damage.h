/* One byte of a message changed on its way: it is refused, or shows. */
#ifndef FRS_TESTS_CONTRACT_DAMAGE_H
#define FRS_TESTS_CONTRACT_DAMAGE_H

#include "sim/base/numbers/rng.h"
#include "tests/contract/scene.h"

static inline bool are_same(const struct frs_rows *a, const struct frs_rows *b, size_t n_parts) {
    for (size_t i = 0; i < n_parts; i++)
        if (a[i].n != b[i].n || memcmp(a[i].ids, b[i].ids, a[i].n * sizeof *a[i].ids) != 0 ||
            memcmp(a[i].values, b[i].values, a[i].n * a[i].dim * sizeof(float)) != 0)
            return false;
    return true;
}

static inline bool have_same_header(const struct frs_message_header *a, const struct frs_message_header *b) {
    return a->kind == b->kind && a->n_sections == b->n_sections && a->round == b->round &&
           a->sender == b->sender && a->samples == b->samples && a->budget == b->budget &&
           a->round_seed == b->round_seed && a->reports == b->reports &&
           memcmp(&a->loss, &b->loss, sizeof a->loss) == 0;
}

/* Where to flip: all of the headers, the first and the last bytes of the payload, and anywhere. */
static inline size_t place(struct frs_rng *rng, size_t n, size_t trial) {
    if (trial < 36)
        return trial < n ? trial : n - 1;
    return trial < 44 ? n - 1 - least(trial - 36, n - 1) : frs_rng_below(rng, (uint32_t)n);
}
enum { TRIALS = 44 + FRS_TEST_CASES(116) };

static inline uint8_t *damaged(const struct frs_buffer *message, size_t at, uint8_t flip) {
    uint8_t *copy = frs_alloc(message->n, 1);
    memcpy(copy, message->bytes, message->n);
    copy[at] ^= flip;
    return copy;
}

/* The last bits of SVD's factors may vanish in their product, those of a level of rvq in the sum of all. */
static inline bool has_factors(const struct frs_codec_choice *codec) {
    return strncmp(codec->codec->plugin.name, "svd", 3) == 0 || strcmp(codec->codec->plugin.name, "rvq") == 0;
}

/* What has to be noticed: a change of an exponent, and of an integer in the column of the largest singular
 * value, which is U's last. */
static inline void aim_at_factors(const struct scene *s, const struct frs_buffer *message, size_t factors,
    size_t n, size_t *at, uint8_t *flip) {
    if (strcmp(s->setup.training.uplink_codec.codec->plugin.name, "svd") == 0) {
        *at = message->n - 1 - (message->n - 1 - *at) / 4 * 4;
        *flip = 0x40;
        return;
    }
    if (strcmp(s->setup.training.uplink_codec.codec->plugin.name, "rvq") == 0) {
        *at = message->n - 1; /* in the last number, of which every row has one */
        *flip = 0x40;
        return;
    }
    size_t bits = frs_values_choice(codec_values(s, "codec.uplink"), "bits") == 0 ? 8 : 4;
    size_t column = (n * bits + 7) / 8, rank = message->bytes[factors - 4];
    *at = factors + rank * (4 + column) - 1 - (*at - factors) % column;
}

static inline void damage_upload(
    const struct scene *s, const struct frs_buffer *message, const struct frs_part *shapes, size_t n_parts) {
    const struct frs_codec_choice *codec = &s->setup.training.uplink_codec;
    struct frs_rng rng = test_rng(500);
    struct frs_message_header header, other;
    struct frs_rows parts[FRS_MAX_PARTS], others[FRS_MAX_PARTS];
    struct frs_arena arena = {0};
    for (size_t trial = 0; trial < TRIALS; trial++) {
        frs_arena_reset(&arena);
        /* Without a base: changes as they were sent, before a sum rounds them. */
        ck_assert(frs_message_upload(message, codec, shapes, n_parts, NULL, &arena, &header, parts));
        size_t at = place(&rng, message->n, trial);
        uint8_t flip = (uint8_t)(1 + frs_rng_below(&rng, 255));
        size_t factors = 24 + 4 * header.reports + set_bytes(parts[0].n, parts[0].n_rows) + 4;
        if (has_factors(codec) && parts[0].n > 0 && at >= factors)
            aim_at_factors(s, message, factors, parts[0].n, &at, &flip);
        uint8_t *copy = damaged(message, at, flip);
        struct frs_buffer bad = {.bytes = copy, .n = message->n, .capacity = message->n};
        if (frs_message_upload(&bad, codec, shapes, n_parts, NULL, &arena, &other, others))
            ck_assert_msg(!are_same(parts, others, n_parts) || !have_same_header(&header, &other),
                "byte %zu of an upload of %zu changes nothing:\n%s", at, message->n, s->text);
        free(copy);
    }
    frs_arena_fini(&arena);
}

static inline bool has_numbers(const float *values, size_t n) {
    bool numbers = true;
    for (size_t i = 0; i < n; i++)
        numbers &= !isnan(values[i]);
    return numbers;
}

/* Whether two downloads of updates hold the same rows. */
static inline bool have_same_updates(
    const struct scene *s, const struct frs_buffer *a, const struct frs_buffer *b) {
    const struct frs_setup *setup = &s->setup;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows rows[2][FRS_MAX_PARTS];
    struct frs_reader in[] = {frs_reader_init(a->bytes, a->n), frs_reader_init(b->bytes, b->n)};
    struct frs_arena arena = {0};
    struct frs_message_header header;
    size_t n = frs_model_parts(setup->training.model, FRS_UPDATE, shapes);
    bool same = frs_message_header(&in[0], &header) && frs_message_header(&in[1], &header);
    while (same && in[0].at < in[0].n) {
        for (int m = 0; m < 2; m++) {
            frs_reader_take(&in[m], 12);
            same &=
                frs_message_parts(&in[m], &setup->training.downlink_codec, shapes, n, NULL, &arena, rows[m]);
        }
        same = same && are_same(rows[0], rows[1], n);
    }
    frs_arena_fini(&arena);
    return same;
}

static inline void restore(const struct scene *s, const struct frs_tables *from, struct frs_tables *to) {
    struct frs_part shapes[2 * FRS_MAX_PARTS];
    size_t n = held_parts(s, shapes);
    for (size_t i = 0; i < n; i++)
        memcpy(to->part[i], from->part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float));
}

/* A client that holds `held` reaches `now` by the message. */
static inline void damage_download(const struct scene *s, const struct frs_buffer *message,
    const struct frs_tables *held, const struct frs_tables *now) {
    struct frs_rng rng = test_rng(501);
    struct frs_download download, other;
    struct frs_tables copy = hold_tables(s), right = hold_tables(s);
    struct frs_part shapes[2 * FRS_MAX_PARTS];
    size_t n = held_parts(s, shapes);
    bool numbers = true;
    restore(s, held, &copy);
    ck_assert(frs_downlink_decode(s->downlink, message, &copy, &download));
    restore(s, &copy, &right);
    ck_assert_int_eq(compare_tables(s->setup.training.model, &copy, now), 0);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        size_t at = place(&rng, message->n, trial);
        uint8_t *bytes = damaged(message, at, (uint8_t)(1 + frs_rng_below(&rng, 255)));
        struct frs_buffer bad = {.bytes = bytes, .n = message->n, .capacity = message->n};
        restore(s, held, &copy);
        if (frs_downlink_decode(s->downlink, &bad, &copy, &other)) {
            bool same = download.version == other.version && download.round_seed == other.round_seed &&
                        have_same_header(&download.header, &other.header) &&
                        hold_the_same(s, &copy, &right) &&
                        (download.header.kind == FRS_MESSAGE_STATE || have_same_updates(s, message, &bad));
            ck_assert_msg(!same || (has_factors(&s->setup.training.downlink_codec) && at >= 36),
                "byte %zu of a download of %zu changes nothing:\n%s", at, message->n, s->text);
            for (size_t i = 0; i < n; i++)
                numbers &= has_numbers(copy.part[i], shapes[i].n_rows * shapes[i].dim);
        }
        free(bytes);
    }
    ck_assert(numbers);
    free_tables(&copy);
    free_tables(&right);
}

#endif
