/* Messages of pairwise masks: as they were written, and whatever else comes in. */
#include "algorithms/privacy/masks/mask_messages.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

enum { MOST = 20, BITS = 21 };

static const struct frs_mask_context context = {.round = 12, .party = 9, .n_clients = 30};

/* A message of each kind, with as many entries as it has. */
struct content {
    size_t n;
    struct frs_mask_keys keys;
    struct frs_mask_member members[MOST];
    struct frs_mask_box boxes[MOST];
    uint32_t numbers[MOST];
    bool survived[MOST];
    uint8_t shares[MOST][FRS_SECRET_BYTES];
};

static void fill(struct frs_rng *rng, void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)frs_rng_u32(rng);
}

static struct content make(struct frs_rng *rng, size_t n) {
    struct content c;
    uint32_t *places = random_subset(rng, 29, (uint32_t)n);
    fill(rng, &c, sizeof c);
    c.n = n;
    for (size_t i = 0; i < n; i++) {
        c.members[i].place = c.boxes[i].place = places[i] + (places[i] >= context.party);
        c.numbers[i] &= (1u << BITS) - 1;
        c.survived[i] = frs_rng_below(rng, 2);
    }
    free(places);
    return c;
}

static void put(enum frs_mask_kind kind, const struct content *c, struct frs_buffer *out) {
    switch (kind) {
    case FRS_MASK_KEYS:
        frs_mask_put_keys(out, &context, &c->keys);
        return;
    case FRS_MASK_ROSTER:
        frs_mask_put_roster(out, &context, c->members, c->n);
        return;
    case FRS_MASK_SHARES:
    case FRS_MASK_DELIVERY:
        frs_mask_put_boxes(out, &context, kind, c->boxes, c->n);
        return;
    case FRS_MASK_MASKED:
        frs_mask_put_masked(out, &context, c->numbers, c->n, BITS);
        return;
    case FRS_MASK_SURVIVORS:
        frs_mask_put_survivors(out, &context, c->survived, c->n);
        return;
    case FRS_MASK_UNMASKING:
        frs_mask_put_unmasking(out, &context, (const uint8_t(*)[FRS_SECRET_BYTES])c->shares, c->n);
        return;
    case FRS_N_MASK_KINDS:
        break;
    }
    ck_abort();
}

/* n: entries of a message that always has as many. */
static bool take(enum frs_mask_kind kind, const struct frs_mask_context *of, const struct frs_buffer *message,
    size_t n, struct content *c) {
    *c = (struct content){.n = n};
    switch (kind) {
    case FRS_MASK_KEYS:
        return frs_mask_take_keys(message, of, &c->keys);
    case FRS_MASK_ROSTER:
        return frs_mask_take_roster(message, of, c->members, MOST, &c->n);
    case FRS_MASK_SHARES:
    case FRS_MASK_DELIVERY:
        return frs_mask_take_boxes(message, of, kind, c->boxes, MOST, &c->n);
    case FRS_MASK_MASKED:
        return frs_mask_take_masked(message, of, c->numbers, n, BITS);
    case FRS_MASK_SURVIVORS:
        return frs_mask_take_survivors(message, of, c->survived, n);
    case FRS_MASK_UNMASKING:
        return frs_mask_take_unmasking(message, of, c->shares, n);
    case FRS_N_MASK_KINDS:
        break;
    }
    ck_abort();
}

/* What was read is a message: written again it is the same bytes. */
static void check_taken(enum frs_mask_kind kind, const struct content *c, const struct frs_buffer *message) {
    struct frs_buffer again = {0};
    put(kind, c, &again);
    ck_assert_uint_eq(again.n, message->n);
    ck_assert_mem_eq(again.bytes, message->bytes, message->n);
    frs_buffer_fini(&again);
}

/* A roster of one: who is at place 4, with keys of ones and twos. */
START_TEST(roster_by_hand) {
    static const uint8_t header[] = {'F', 'M', 2, 0, 12, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0};
    struct frs_mask_member member = {.place = 4};
    struct frs_buffer out = {0};
    memset(member.keys.box, 1, FRS_KEY_BYTES);
    memset(member.keys.mask, 2, FRS_KEY_BYTES);
    frs_mask_put_roster(&out, &context, &member, 1);
    ck_assert_uint_eq(out.n, 16 + 4 + 64);
    ck_assert_mem_eq(out.bytes, header, sizeof header);
    ck_assert_uint_eq(out.bytes[20], 1);
    ck_assert_uint_eq(out.bytes[52], 2);
    frs_buffer_fini(&out);
}
END_TEST

START_TEST(as_it_was_written) {
    struct frs_rng rng = test_rng(740 + (uint32_t)_i);
    for (int repeat = 0; repeat < FRS_TEST_CASES(500); repeat++) {
        struct content c = make(&rng, frs_rng_below(&rng, MOST + 1)), back;
        struct frs_buffer message = {0};
        put(_i, &c, &message);
        ck_assert(take(_i, &context, &message, c.n, &back));
        ck_assert(_i == FRS_MASK_KEYS || back.n == c.n);
        check_taken(_i, &back, &message);
        frs_buffer_fini(&message);
    }
}
END_TEST

START_TEST(every_cut_is_refused) {
    struct frs_rng rng = test_rng(750 + (uint32_t)_i);
    struct content c = make(&rng, 11), back;
    struct frs_buffer message = {0};
    put(_i, &c, &message);
    for (size_t n = 0; n < message.n; n++) {
        struct frs_buffer cut = {.bytes = frs_alloc(n + !n, 1), .n = n};
        memcpy(cut.bytes, message.bytes, n);
        ck_assert(!take(_i, &context, &cut, c.n, &back));
        free(cut.bytes);
    }
    frs_buffer_put_u8(&message, 0);
    ck_assert(!take(_i, &context, &message, c.n, &back));
    frs_buffer_fini(&message);
}
END_TEST

/* A message for another client, of another round, or of another kind. */
START_TEST(other_contexts_are_refused) {
    static const struct frs_mask_context others[] = {{13, 9, 30}, {12, 8, 30}};
    struct frs_rng rng = test_rng(760 + (uint32_t)_i);
    struct content c = make(&rng, 11), back;
    struct frs_buffer message = {0};
    put(_i, &c, &message);
    for (size_t i = 0; i < 2; i++)
        ck_assert(!take(_i, &others[i], &message, c.n, &back));
    for (enum frs_mask_kind kind = FRS_MASK_KEYS; kind < FRS_N_MASK_KINDS; kind++)
        ck_assert(take(kind, &context, &message, c.n, &back) == (kind == (enum frs_mask_kind)_i));
    ck_assert(_i == FRS_MASK_KEYS || _i == FRS_MASK_ROSTER || _i == FRS_MASK_SHARES ||
              _i == FRS_MASK_DELIVERY || !take(_i, &context, &message, c.n - 1, &back));
    frs_buffer_fini(&message);
}
END_TEST

/* Flipped bits: refused, or another message that is one. */
START_TEST(flipped_bits_do_no_harm) {
    struct frs_rng rng = test_rng(770 + (uint32_t)_i);
    for (int repeat = 0; repeat < FRS_TEST_CASES(5000); repeat++) {
        struct content c = make(&rng, frs_rng_below(&rng, MOST + 1)), back;
        struct frs_buffer message = {0};
        put(_i, &c, &message);
        uint8_t *copy = frs_alloc(message.n, 1);
        memcpy(copy, message.bytes, message.n);
        for (uint32_t flips = 1 + frs_rng_below(&rng, 3); flips > 0; flips--) {
            uint32_t at = frs_rng_below(&rng, frs_rng_below(&rng, 2) ? 24 : (uint32_t)message.n);
            copy[at < message.n ? at : 0] ^= (uint8_t)(1u << frs_rng_below(&rng, 8));
        }
        struct frs_buffer flipped = {.bytes = copy, .n = message.n};
        if (take(_i, &context, &flipped, c.n, &back))
            check_taken(_i, &back, &flipped);
        free(copy);
        frs_buffer_fini(&message);
    }
}
END_TEST

/* Bytes that never were a message, some with the beginning of one. */
START_TEST(noise_does_no_harm) {
    struct frs_rng rng = test_rng(780 + (uint32_t)_i);
    struct content c = make(&rng, 3), back;
    struct frs_buffer message = {0};
    put(_i, &c, &message);
    for (int repeat = 0; repeat < FRS_TEST_CASES(5000); repeat++) {
        size_t n = frs_rng_below(&rng, 2000), kept = frs_rng_below(&rng, 17);
        struct frs_buffer noise = {.bytes = frs_alloc(n + !n, 1), .n = n};
        fill(&rng, noise.bytes, n);
        if (n >= 16)
            memcpy(noise.bytes, message.bytes, kept);
        if (take(_i, &context, &noise, frs_rng_below(&rng, MOST + 1), &back))
            check_taken(_i, &back, &noise);
        free(noise.bytes);
    }
    frs_buffer_fini(&message);
}
END_TEST

/* Twice the same place, places in disorder, beyond the cohort, and the receiver's own. */
START_TEST(places_are_checked) {
    static const uint32_t cases[][3] = {{1, 1, 2}, {2, 1, 3}, {1, 2, 30}, {1, 9, 10}, {1, 2, UINT32_MAX}};
    struct frs_rng rng = test_rng(790);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (enum frs_mask_kind kind = FRS_MASK_ROSTER; kind <= FRS_MASK_DELIVERY; kind++) {
            struct content c = make(&rng, 3), back;
            struct frs_buffer message = {0};
            for (size_t k = 0; k < 3; k++)
                c.members[k].place = c.boxes[k].place = cases[i][k];
            put(kind, &c, &message);
            ck_assert(!take(kind, &context, &message, 3, &back));
            frs_buffer_fini(&message);
        }
}
END_TEST

/* More than a client has neighbours, whatever the length says. */
START_TEST(counts_are_checked) {
    struct frs_rng rng = test_rng(791);
    struct content c = make(&rng, MOST), back;
    struct frs_buffer message = {0};
    size_t n;
    put(FRS_MASK_ROSTER, &c, &message);
    ck_assert(!frs_mask_take_roster(&message, &context, back.members, MOST - 1, &n));
    memset(message.bytes + 12, 0xff, 4);
    ck_assert(!frs_mask_take_roster(&message, &context, back.members, MOST, &n));
    frs_buffer_fini(&message);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mask messages");
    TCase *tests = tcase_create("mask messages");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, roster_by_hand);
    tcase_add_loop_test(tests, as_it_was_written, FRS_MASK_KEYS, FRS_N_MASK_KINDS);
    tcase_add_loop_test(tests, every_cut_is_refused, FRS_MASK_KEYS, FRS_N_MASK_KINDS);
    tcase_add_loop_test(tests, other_contexts_are_refused, FRS_MASK_KEYS, FRS_N_MASK_KINDS);
    tcase_add_loop_test(tests, flipped_bits_do_no_harm, FRS_MASK_KEYS, FRS_N_MASK_KINDS);
    tcase_add_loop_test(tests, noise_does_no_harm, FRS_MASK_KEYS, FRS_N_MASK_KINDS);
    tcase_add_test(tests, places_are_checked);
    tcase_add_test(tests, counts_are_checked);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
