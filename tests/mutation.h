/* Deterministic damage to valid files: bits flipped, bytes cut out, sections doubled, numbers made huge. */
#ifndef FRS_TESTS_MUTATION_H
#define FRS_TESTS_MUTATION_H

#include "sim/base/buffer.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static inline struct frs_rng mutation_rng(uint32_t trial) {
    return frs_rng_stream(1, FRS_RNG_SERVER, trial, 0, FRS_RNG_TEST);
}

static inline void mutation_read(const char *path, struct frs_buffer *out) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file, "%s", path);
    frs_buffer_reset(out);
    for (int byte; (byte = fgetc(file)) != EOF;)
        frs_buffer_put_u8(out, (uint8_t)byte);
    fclose(file);
}

static inline void mutation_write(const char *path, const struct frs_buffer *content) {
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file, "%s", path);
    ck_assert_uint_eq(fwrite(content->bytes, 1, content->n, file), content->n);
    ck_assert_int_eq(fclose(file), 0);
}

/* Puts n bytes in place of those from `at` to `end`. */
static inline void mutation_splice(struct frs_buffer *b, size_t at, size_t end, const void *bytes, size_t n) {
    struct frs_buffer tail = {0};
    frs_buffer_put(&tail, b->bytes + end, b->n - end);
    b->n = at;
    frs_buffer_put(b, bytes, n);
    frs_buffer_put(b, tail.bytes, tail.n);
    frs_buffer_fini(&tail);
}

/* Replaces a number in texts, eight bytes in other files, by an extreme value. */
static inline void mutation_make_huge(struct frs_buffer *b, size_t at, int is_text, struct frs_rng *rng) {
    static const char *const texts[] = {"18446744073709551615", "-1", "1e308", "9223372036854775807", "1e999",
        "\"\"", "null", "[]", "{}", "\"\\u0000\"", "true"};
    static const uint64_t numbers[] = {UINT64_MAX, (uint64_t)1 << 63, (uint64_t)1 << 40, UINT32_MAX, 0, 1};
    if (!is_text) {
        uint64_t value = numbers[frs_rng_below(rng, sizeof numbers / sizeof *numbers)];
        mutation_splice(b, at, at + 8 < b->n ? at + 8 : b->n, &value, sizeof value);
        return;
    }
    while (at < b->n && !isdigit(b->bytes[at]))
        at++;
    size_t end = at;
    while (end < b->n && isdigit(b->bytes[end]))
        end++;
    const char *text = texts[frs_rng_below(rng, sizeof texts / sizeof *texts)];
    mutation_splice(b, at, end, text, strlen(text));
}

/* One change, mostly a small one. */
static inline void mutation_change(struct frs_buffer *b, int is_text, struct frs_rng *rng) {
    if (b->n == 0)
        return;
    size_t at = frs_rng_below(rng, (uint32_t)b->n);
    size_t length = 1 + frs_rng_below(rng, frs_rng_below(rng, 2) ? 16 : (uint32_t)(b->n - at));
    size_t end = at + length < b->n ? at + length : b->n;
    struct frs_buffer copy = {0};
    switch (frs_rng_below(rng, 5)) {
    case 0:
        b->bytes[at] ^= (uint8_t)(1u << frs_rng_below(rng, 8));
        break;
    case 1:
        b->n = at;
        break;
    case 2:
        mutation_splice(b, at, end, NULL, 0);
        break;
    case 3:
        frs_buffer_put(&copy, b->bytes + at, end - at);
        mutation_splice(b, at, at, copy.bytes, copy.n);
        frs_buffer_fini(&copy);
        break;
    default:
        mutation_make_huge(b, at, is_text, rng);
    }
}

#endif
