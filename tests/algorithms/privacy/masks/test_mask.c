/* Keys, boxes and streams, against published vectors. */
#include "algorithms/privacy/masks/mask.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

static void from_hex(const char *hex, uint8_t bytes[FRS_KEY_BYTES]) {
    ck_assert_uint_eq(strlen(hex), 2 * FRS_KEY_BYTES);
    for (size_t i = 0; i < FRS_KEY_BYTES; i++) {
        char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

/* RFC 7748, section 6.1. The agreed key is the BLAKE2b-256 of their secret and both public keys, where
 * Alice's is the lower one (computed by another program). */
START_TEST(agreement_by_hand) {
    uint8_t secrets[2][FRS_KEY_BYTES], publics[2][FRS_KEY_BYTES], wanted[FRS_KEY_BYTES],
        agreed[2][FRS_KEY_BYTES];
    struct frs_key_pair pairs[2];
    from_hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a", secrets[0]);
    from_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb", secrets[1]);
    from_hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a", publics[0]);
    from_hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f", publics[1]);
    from_hex("519fb3af2f3f9e310718cf1f8bdec6e26ab64affe730f0f8b43c43b0e8ee52be", wanted);
    for (size_t i = 0; i < 2; i++) {
        pairs[i] = frs_key_pair_of(secrets[i]);
        ck_assert_mem_eq(pairs[i].public, publics[i], FRS_KEY_BYTES);
    }
    for (size_t i = 0; i < 2; i++) {
        ck_assert(frs_key_agree(&pairs[i], publics[1 - i], agreed[i]));
        ck_assert_mem_eq(agreed[i], wanted, FRS_KEY_BYTES);
    }
}
END_TEST

/* A point of low order would make the agreed secret public. */
START_TEST(useless_keys_are_refused) {
    uint8_t secret[FRS_KEY_BYTES] = {1}, agreed[FRS_KEY_BYTES], zero[FRS_KEY_BYTES] = {0};
    struct frs_key_pair pair = frs_key_pair_of(secret);
    ck_assert(!frs_key_agree(&pair, zero, agreed));
    zero[0] = 1;
    ck_assert(!frs_key_agree(&pair, zero, agreed));
}
END_TEST

START_TEST(keys_are_drawn) {
    struct frs_rng rng = test_rng(730), again = test_rng(730);
    uint8_t first[FRS_KEY_BYTES], second[FRS_KEY_BYTES];
    frs_key_draw(&rng, first);
    frs_key_draw(&again, second);
    ck_assert_mem_eq(first, second, FRS_KEY_BYTES);
    frs_key_draw(&rng, second);
    ck_assert_mem_ne(first, second, FRS_KEY_BYTES);
}
END_TEST

/* A box opens with its key, in its round, from its sender and for its receiver; it does not open when one
 * of its bits is changed. */
START_TEST(boxes_open_for_their_receiver_alone) {
    enum { N = 64 };
    static const struct frs_box_address address = {7, 3, 5};
    static const struct frs_box_address others[] = {{8, 3, 5}, {7, 4, 5}, {7, 3, 6}, {7, 5, 3}};
    struct frs_rng rng = test_rng(731);
    uint8_t key[FRS_KEY_BYTES], plain[N], box[N + FRS_BOX_TAG_BYTES], back[N];
    frs_key_draw(&rng, key);
    frs_key_draw(&rng, plain);
    frs_key_draw(&rng, plain + N / 2);
    frs_box_seal(key, &address, plain, N, box);
    ck_assert(frs_box_open(key, &address, box, N, back));
    ck_assert_mem_eq(back, plain, N);
    ck_assert_mem_ne(box, plain, N);
    for (size_t i = 0; i < 4; i++)
        ck_assert(!frs_box_open(key, &others[i], box, N, back));
    for (size_t bit = 0; bit < 8 * sizeof box; bit++) {
        box[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert(!frs_box_open(key, &address, box, N, back));
        box[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    key[0] ^= 1;
    ck_assert(!frs_box_open(key, &address, box, N, back));
}
END_TEST

/* RFC 8439, appendix A.1: key, nonce and counter 0. */
START_TEST(stream_by_hand) {
    static const uint8_t zeros[FRS_KEY_BYTES];
    static const uint32_t stream[] = {0xade0b876, 0x903df1a0, 0xe56a5d40, 0x28bd8653};
    uint32_t numbers[] = {1, 0xffffffff, 0, 5};
    frs_mask_add(numbers, 4, zeros, 0, 1);
    ck_assert_uint_eq(numbers[0], stream[0] + 1);
    ck_assert_uint_eq(numbers[1], stream[1] - 1);
    ck_assert_uint_eq(numbers[2], stream[2]);
    ck_assert_uint_eq(numbers[3], stream[3] + 5);
}
END_TEST

/* What one side adds the other removes; a longer stream continues a shorter one; another round has another
 * stream. */
START_TEST(mask_streams_cancel) {
    enum { N = 5000 };
    static uint32_t numbers[N], shorter[N], other[N], zeros[N];
    struct frs_rng rng = test_rng(732);
    uint8_t seed[FRS_KEY_BYTES];
    frs_key_draw(&rng, seed);
    for (size_t n = 0; n < N; n += 1 + n / 3) {
        memset(numbers, 0, sizeof numbers);
        memset(shorter, 0, sizeof shorter);
        frs_mask_add(numbers, N, seed, 9, 1);
        frs_mask_add(shorter, n, seed, 9, 1);
        ck_assert_mem_eq(numbers, shorter, n * sizeof *numbers);
        ck_assert_mem_eq(shorter + n, zeros, (N - n) * sizeof *shorter);
        frs_mask_add(numbers, N, seed, 9, -1);
        ck_assert_mem_eq(numbers, zeros, sizeof zeros);
    }
    frs_mask_add(numbers, N, seed, 9, 1);
    frs_mask_add(other, N, seed, 10, 1);
    size_t n_same = 0;
    for (size_t i = 0; i < N; i++)
        n_same += numbers[i] == other[i];
    ck_assert_uint_lt(n_same, 3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mask");
    TCase *tests = tcase_create("mask");
    tcase_add_test(tests, agreement_by_hand);
    tcase_add_test(tests, useless_keys_are_refused);
    tcase_add_test(tests, keys_are_drawn);
    tcase_add_test(tests, boxes_open_for_their_receiver_alone);
    tcase_add_test(tests, stream_by_hand);
    tcase_add_test(tests, mask_streams_cancel);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
